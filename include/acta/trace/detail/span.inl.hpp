// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/utility.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/json.hpp"
#include "acta/trace/span.hpp"

// The JSON of OTLP (https://opentelemetry.io/docs/specs/otlp/, "JSON Protobuf Encoding"): 64-bit integers are texts,
// enumerators are numbers, and identifiers of traces and spans are hexadecimal.
namespace acta::inline ACTA_ABI::trace_detail {

using trace::Attribute;
using trace::Resource;
using trace::Time;

/// Writes bodies. The text is made at once, without a `Json` of it: an exporter makes one of each span.
class OtlpWriter {
public:
    explicit OtlpWriter(codec::JsonWriter& out) : out_(out) {}

    void text(std::string_view key, std::string_view value) {
        out_.field(key);
        out_.text(value);
    }
    /// A number of 64 bits, which is a text.
    template <class Integer>
    void number(Integer value) {
        char digits[20];
        out_.text({std::begin(digits), std::to_chars(std::begin(digits), std::end(digits), value).ptr});
    }
    template <class Integer>
    void number(std::string_view key, Integer value) {
        out_.field(key);
        number(value);
    }
    /// A number of 32 bits.
    void small(std::string_view key, int value) {
        out_.field(key);
        out_.integer(value);
    }
    void real(double value) { out_.real(value); }
    void real(std::string_view key, double value) {
        out_.field(key);
        out_.real(value);
    }
    void time(std::string_view key, Time value) { number(key, std::int64_t{value.time_since_epoch().count()}); }
    template <class Content>
    void object(const Content& content) {
        out_.begin_object();
        content();
        out_.end_object();
    }
    template <class Content>
    void object(std::string_view key, const Content& content) {
        out_.field(key);
        object(content);
    }
    /// A list of what a function writes of each item.
    template <class Items, class Content>
    void list(std::string_view key, const Items& items, const Content& content) {
        out_.field(key);
        out_.begin_array();
        for (const auto& one : items) content(one);
        out_.end_array();
    }

    void attributes(std::span<const Attribute> attributes) {
        list("attributes", attributes, [&](const Attribute& one) {
            const auto* const real = std::get_if<double>(&one.value);
            if (real != nullptr && !std::isfinite(*real)) return;
            object([&] {
                text("key", one.key);
                object("value", [&] { std::visit([&](const auto& value) { this->value(value); }, one.value); });
            });
        });
    }
    void span(const trace::Span& span) {
        object([&] {
            text("traceId", span.trace_id);
            text("spanId", span.span_id);
            if (!span.trace_state.empty()) text("traceState", span.trace_state);
            if (!span.parent_id.empty()) text("parentSpanId", span.parent_id);
            // Sampled, and bits 8 and 9: whether it is known if the parent is remote, and whether it is.
            small("flags", span.has_remote_parent ? 0x301 : 0x101);
            text("name", span.name);
            small("kind", static_cast<int>(span.kind));
            time("startTimeUnixNano", span.start);
            time("endTimeUnixNano", std::max(span.start, span.end));
            attributes(span.attributes);
            object("status", [&] {
                if (!span.is_error) return;
                small("code", 2);
                if (!span.error_message.empty()) text("message", span.error_message);
            });
        });
    }
    /// A whole body: `content` writes the spans or metrics, which are the member `key`.
    template <class Content>
    void body(std::string_view resources, std::string_view scopes, std::string_view key, const Resource& resource,
              std::string_view schema, const Content& content) {
        std::vector<Attribute> all{{"service.name", resource.service_name},
                                   {"telemetry.sdk.name", std::string("acta")},
                                   {"telemetry.sdk.language", std::string("cpp")},
                                   {"telemetry.sdk.version", std::string(version)}};
        for (const Attribute& one : resource.attributes) {
            std::erase_if(all, [&](const Attribute& other) { return other.key == one.key; });
            all.push_back(one);
        }
        const auto array = [&](std::string_view name, const auto& items) {
            out_.field(name);
            out_.begin_array();
            items();
            out_.end_array();
        };
        const auto scope = [&] {
            object("scope", [&] {
                text("name", "acta");
                text("version", version);
            });
            array(key, content);
            text("schemaUrl", schema);
        };
        const auto whole = [&] {
            object("resource", [&] { attributes(all); });
            array(scopes, [&] { object(scope); });
        };
        object([&] { array(resources, [&] { object(whole); }); });
    }

private:
    void value(bool value) {
        out_.field("boolValue");
        out_.boolean(value);
    }
    void value(std::int64_t value) { number("intValue", value); }
    void value(double value) { real("doubleValue", value); }
    void value(const std::string& value) { text("stringValue", value); }
    void value(const std::vector<std::string>& values) {
        object("arrayValue", [&] {
            list("values", values, [&](const std::string& one) { object([&] { text("stringValue", one); }); });
        });
    }

    codec::JsonWriter& out_;
};

/// What a function writes.
template <class Write>
struct OtlpText {
    const Write& write;
};

template <class Write>
std::string otlp_text(const Write& write) {
    return dump(OtlpText<Write>{write}, {.invalid_utf8 = InvalidUtf8::replace});
}

/// Whether a text has hexadecimal digits in lower case alone, and not 0 alone.
ACTA_INLINE bool is_trace_id(std::string_view text, std::size_t size) {
    return text.size() == size && text.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
           text.find_first_not_of('0') != std::string_view::npos;
}

ACTA_INLINE Time now() {
    return std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now());
}

// The bounds that the conventions recommend: of seconds, and of tokens.
inline constexpr std::array<double, 14> duration_bounds{0.01, 0.02, 0.04, 0.08,  0.16,  0.32,  0.64,
                                                        1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92};
inline constexpr std::array<double, 14> token_bounds{1,     4,     16,     64,      256,     1024,     4096,
                                                     16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864};

}  // namespace acta::inline ACTA_ABI::trace_detail

template <class Write>
struct acta::Describe<acta::trace_detail::OtlpText<Write>> {
    static constexpr bool custom_codec = true;
    static void encode(codec::Encoder& e, const trace_detail::OtlpText<Write>& text) {
        trace_detail::OtlpWriter out(e.out);
        text.write(out);
    }
};

namespace acta::inline ACTA_ABI::trace {

ACTA_INLINE const AttributeValue* find(std::span<const Attribute> attributes, std::string_view key) noexcept {
    const auto found = std::ranges::find_if(attributes, [key](const Attribute& one) { return one.key == key; });
    return found == attributes.end() ? nullptr : &found->value;
}

ACTA_INLINE std::optional<TraceParent> TraceParent::parse(std::string_view header, std::string trace_state) {
    const auto is_hex = [](std::string_view text) {
        return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    };
    constexpr std::size_t length = 55;  // 00-<32>-<16>-<2>
    if (header.size() < length || header[2] != '-' || header[35] != '-' || header[52] != '-') return std::nullopt;
    const std::string_view version = header.substr(0, 2);
    if (!is_hex(version) || version == "ff" || !is_hex(header.substr(53, 2))) return std::nullopt;
    if (header.size() > length && (version == "00" || header[length] != '-')) return std::nullopt;
    if (!trace_detail::is_trace_id(header.substr(3, 32), 32) || !trace_detail::is_trace_id(header.substr(36, 16), 16))
        return std::nullopt;
    const char low = header[54];  // the last bit of the flags
    const int digit = low <= '9' ? low - '0' : low - 'a' + 10;
    return TraceParent{std::string(header.substr(3, 32)), std::string(header.substr(36, 16)), digit % 2 == 1,
                       std::move(trace_state)};
}

ACTA_INLINE std::string TraceParent::text() const {
    return base::concat({"00-", trace_id, "-", span_id, sampled ? "-01" : "-00"});
}

ACTA_INLINE std::string to_otlp(std::span<const Span> spans, const Resource& resource) {
    return trace_detail::otlp_text([&](trace_detail::OtlpWriter& out) {
        out.body("resourceSpans", "scopeSpans", "spans", resource, schema_url, [&] {
            for (const Span& span : spans) out.span(span);
        });
    });
}

ACTA_INLINE Metrics::Metrics(MetricNames names) : names_(names), begun_(trace_detail::now()) {}

ACTA_INLINE void Metrics::add(const Span& span) {
    const auto* const operation = find(span.attributes, "gen_ai.operation.name");
    if (operation == nullptr || *operation != AttributeValue(std::string("chat"))) return;
    std::vector<Attribute> shared;
    for (const AttributeKey& key :
         std::initializer_list<AttributeKey>{"gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model",
                                             "gen_ai.response.model", "server.address", "server.port"}) {
        if (const auto* const value = find(span.attributes, key)) shared.push_back({key, *value});
    }
    const auto tokens = [&](const char* key) {
        const auto* const value = find(span.attributes, key);
        return value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
    };
    const std::int64_t* const input = tokens("gen_ai.usage.input_tokens");
    const std::int64_t* const output = tokens("gen_ai.usage.output_tokens");
    const std::lock_guard lock(mutex_);
    const auto count = [&](Series& series, const char* type, const std::int64_t* number) {
        if (number == nullptr) return;
        std::vector<Attribute> attributes = shared;
        if (names_ == MetricNames::released) attributes.push_back({"gen_ai.token.type", std::string(type)});
        record(series, attributes, trace_detail::token_bounds, static_cast<double>(*number));
    };
    count(tokens_, "input", input);
    count(names_ == MetricNames::released ? tokens_ : output_tokens_, "output", output);
    if (const auto* const error = find(span.attributes, "error.type")) shared.push_back({"error.type", *error});
    record(durations_, shared, trace_detail::duration_bounds,
           std::chrono::duration<double>(std::max(span.end, span.start) - span.start).count());
}

ACTA_INLINE void Metrics::record(Series& series, const std::vector<Attribute>& attributes,
                                 std::span<const double> bounds, double value) {
    const auto key_of = [](const std::vector<Attribute>& of) {
        return trace_detail::otlp_text([&](trace_detail::OtlpWriter& out) { out.object([&] { out.attributes(of); }); });
    };
    const std::vector<Attribute> others{{"otel.metric.overflow", true}};
    std::string key = key_of(attributes);
    const bool is_other = series.size() + 1 >= max_series && !series.contains(key);
    Histogram& histogram = series[is_other ? key_of(others) : std::move(key)];
    if (histogram.count == 0) {
        histogram = {.attributes = is_other ? others : attributes, .min = value, .max = value};
        histogram.buckets.resize(bounds.size() + 1);
    }
    const auto bucket = std::ranges::lower_bound(bounds, value) - bounds.begin();  // an upper bound is inclusive
    ++histogram.buckets[static_cast<std::size_t>(bucket)];
    ++histogram.count;
    histogram.sum += value;
    histogram.min = std::min(histogram.min, value);
    histogram.max = std::max(histogram.max, value);
}

ACTA_INLINE bool Metrics::empty() const {
    const std::lock_guard lock(mutex_);
    return durations_.empty();
}

ACTA_INLINE std::string Metrics::to_otlp(const Resource& resource) const {
    const Time until = trace_detail::now();
    const bool is_released = names_ == MetricNames::released;
    const std::lock_guard lock(mutex_);
    return trace_detail::otlp_text([&](trace_detail::OtlpWriter& out) {
        const auto point = [&](std::span<const double> bounds, const Histogram& one) {
            out.object([&] {
                out.attributes(one.attributes);
                out.time("startTimeUnixNano", begun_);
                out.time("timeUnixNano", until);
                out.number("count", one.count);
                out.real("sum", one.sum);
                out.list("bucketCounts", one.buckets, [&](std::uint64_t bucket) { out.number(bucket); });
                out.list("explicitBounds", bounds, [&](double bound) { out.real(bound); });
                out.real("min", one.min);
                out.real("max", one.max);
            });
        };
        const auto metric = [&](std::string_view name, std::string_view unit, std::string_view description,
                                std::span<const double> bounds, const Series& series) {
            if (series.empty()) return;
            out.object([&] {
                out.text("name", name);
                out.text("description", description);
                out.text("unit", unit);
                out.object("histogram", [&] {
                    out.small("aggregationTemporality", 2);  // cumulative
                    out.list("dataPoints", series, [&](const auto& one) { point(bounds, one.second); });
                });
            });
        };
        const char* const schema = is_released ? "https://opentelemetry.io/schemas/1.41.0" : schema_url;
        out.body("resourceMetrics", "scopeMetrics", "metrics", resource, schema, [&] {
            metric(is_released ? "gen_ai.client.token.usage" : "gen_ai.client.inference.operation.input_tokens",
                   "{token}", "Tokens of each request.", trace_detail::token_bounds, tokens_);
            metric("gen_ai.client.inference.operation.output_tokens", "{token}", "Tokens of each answer.",
                   trace_detail::token_bounds, output_tokens_);
            metric(is_released ? "gen_ai.client.operation.duration" : "gen_ai.client.inference.duration", "s",
                   "How long each request took.", trace_detail::duration_bounds, durations_);
        });
    });
}

}  // namespace acta::inline ACTA_ABI::trace
