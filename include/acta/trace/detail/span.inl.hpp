// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/utility.hpp"
#include "acta/json/json.hpp"
#include "acta/trace/span.hpp"

// The JSON of OTLP (https://opentelemetry.io/docs/specs/otlp/, "JSON Protobuf Encoding"): 64-bit integers are texts,
// enumerators are numbers, and identifiers of traces and spans are hexadecimal.
namespace acta::inline ACTA_ABI::trace_detail {

using trace::Attribute;
using trace::Resource;
using trace::Time;

ACTA_INLINE Json otlp_text(std::string_view text) {
    std::string clean(text);
    base::clean(clean);
    return base::text_json(clean);
}

ACTA_INLINE Json otlp_time(Time time) { return base::text_json(std::to_string(time.time_since_epoch().count())); }

ACTA_INLINE Json otlp_object(std::string_view key, Json value) {
    Json out = base::new_object();
    base::put(out, key, std::move(value));
    return out;
}

ACTA_INLINE Json otlp_value(const trace::AttributeValue& value) {
    if (const auto* const flag = std::get_if<bool>(&value)) return otlp_object("boolValue", Json(*flag));
    if (const auto* const number = std::get_if<std::int64_t>(&value))
        return otlp_object("intValue", base::text_json(std::to_string(*number)));
    if (const auto* const real = std::get_if<double>(&value)) return otlp_object("doubleValue", Json(*real));
    if (const auto* const text = std::get_if<std::string>(&value)) return otlp_object("stringValue", otlp_text(*text));
    Json list(Json::value_t::array);
    for (const std::string& one : std::get<std::vector<std::string>>(value))
        list.push_back(otlp_object("stringValue", otlp_text(one)));
    return otlp_object("arrayValue", otlp_object("values", std::move(list)));
}

ACTA_INLINE Json otlp_attributes(std::span<const Attribute> attributes) {
    Json out(Json::value_t::array);
    for (const Attribute& one : attributes) {
        const auto* const real = std::get_if<double>(&one.value);
        if (real != nullptr && !std::isfinite(*real)) continue;
        Json entry = otlp_object("key", otlp_text(one.key));
        base::put(entry, "value", otlp_value(one.value));
        out.push_back(std::move(entry));
    }
    return out;
}

/// Returns a whole body: `signal` is `Spans` or `Metrics`, `list` the spans or metrics.
ACTA_INLINE std::string otlp_body(std::string_view signal, std::string_view key, Json list, const Resource& resource,
                                  std::string_view schema) {
    std::vector<Attribute> attributes{{"service.name", resource.service_name},
                                      {"telemetry.sdk.name", std::string("acta")},
                                      {"telemetry.sdk.language", std::string("cpp")},
                                      {"telemetry.sdk.version", std::string(version)}};
    for (const Attribute& one : resource.attributes) {
        std::erase_if(attributes, [&](const Attribute& other) { return other.key == one.key; });
        attributes.push_back(one);
    }
    Json scope = otlp_object("name", base::text_json("acta"));
    base::put(scope, "version", base::text_json(version));
    Json scoped = otlp_object("scope", std::move(scope));
    base::put(scoped, key, std::move(list));
    base::put(scoped, "schemaUrl", base::text_json(schema));
    Json whole = otlp_object("resource", otlp_object("attributes", otlp_attributes(attributes)));
    Json scopes(Json::value_t::array);
    scopes.push_back(std::move(scoped));
    base::put(whole, base::concat({"scope", signal}), std::move(scopes));
    Json resources(Json::value_t::array);
    resources.push_back(std::move(whole));
    return dump(otlp_object(base::concat({"resource", signal}), std::move(resources)));
}

ACTA_INLINE Json otlp_span(const trace::Span& span) {
    Json out = otlp_object("traceId", otlp_text(span.trace_id));
    base::put(out, "spanId", otlp_text(span.span_id));
    if (!span.trace_state.empty()) base::put(out, "traceState", otlp_text(span.trace_state));
    if (!span.parent_id.empty()) base::put(out, "parentSpanId", otlp_text(span.parent_id));
    // Sampled, and bits 8 and 9: whether it is known if the parent is remote, and whether it is.
    base::put(out, "flags", Json(span.has_remote_parent ? 0x301 : 0x101));
    base::put(out, "name", otlp_text(span.name));
    base::put(out, "kind", Json(static_cast<int>(span.kind)));
    base::put(out, "startTimeUnixNano", otlp_time(span.start));
    base::put(out, "endTimeUnixNano", otlp_time(std::max(span.start, span.end)));
    base::put(out, "attributes", otlp_attributes(span.attributes));
    Json status = base::new_object();
    if (span.is_error) {
        base::put(status, "code", Json(2));
        if (!span.error_message.empty()) base::put(status, "message", otlp_text(span.error_message));
    }
    base::put(out, "status", std::move(status));
    return out;
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
    Json list(Json::value_t::array);
    for (const Span& span : spans) list.push_back(trace_detail::otlp_span(span));
    return trace_detail::otlp_body("Spans", "spans", std::move(list), resource, schema_url);
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
    const auto key_of = [](const std::vector<Attribute>& of) { return dump(trace_detail::otlp_attributes(of)); };
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
    Json list(Json::value_t::array);
    const auto add = [&](std::string_view name, std::string_view unit, std::string_view description,
                         std::span<const double> bounds, const Series& series) {
        if (series.empty()) return;
        Json points(Json::value_t::array);
        for (const auto& [key, one] : series) {
            Json point = trace_detail::otlp_object("attributes", trace_detail::otlp_attributes(one.attributes));
            base::put(point, "startTimeUnixNano", trace_detail::otlp_time(begun_));
            base::put(point, "timeUnixNano", trace_detail::otlp_time(until));
            base::put(point, "count", base::text_json(std::to_string(one.count)));
            base::put(point, "sum", Json(one.sum));
            Json counts(Json::value_t::array);
            for (const std::uint64_t bucket : one.buckets) counts.push_back(base::text_json(std::to_string(bucket)));
            base::put(point, "bucketCounts", std::move(counts));
            Json limits(Json::value_t::array);
            for (const double bound : bounds) limits.push_back(Json(bound));
            base::put(point, "explicitBounds", std::move(limits));
            base::put(point, "min", Json(one.min));
            base::put(point, "max", Json(one.max));
            points.push_back(std::move(point));
        }
        Json histogram = trace_detail::otlp_object("aggregationTemporality", Json(2));  // cumulative
        base::put(histogram, "dataPoints", std::move(points));
        Json metric = trace_detail::otlp_object("name", base::text_json(name));
        base::put(metric, "description", base::text_json(description));
        base::put(metric, "unit", base::text_json(unit));
        base::put(metric, "histogram", std::move(histogram));
        list.push_back(std::move(metric));
    };
    const bool is_released = names_ == MetricNames::released;
    {
        const std::lock_guard lock(mutex_);
        add(is_released ? "gen_ai.client.token.usage" : "gen_ai.client.inference.operation.input_tokens", "{token}",
            "Tokens of each request.", trace_detail::token_bounds, tokens_);
        add("gen_ai.client.inference.operation.output_tokens", "{token}", "Tokens of each answer.",
            trace_detail::token_bounds, output_tokens_);
        add(is_released ? "gen_ai.client.operation.duration" : "gen_ai.client.inference.duration", "s",
            "How long each request took.", trace_detail::duration_bounds, durations_);
    }
    return trace_detail::otlp_body("Metrics", "metrics", std::move(list), resource,
                                   is_released ? "https://opentelemetry.io/schemas/1.41.0" : schema_url);
}

}  // namespace acta::inline ACTA_ABI::trace
