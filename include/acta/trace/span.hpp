// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/version.hpp"

// Runs as OpenTelemetry's spans and metrics, in the JSON of its protocol. Nothing here does I/O.
namespace acta::inline ACTA_ABI::trace {

/// The conventions that spans follow: OpenTelemetry's for generative AI
/// (https://github.com/open-telemetry/semantic-conventions-genai), which are still in development.
inline constexpr const char* schema_url = "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev";

/// A moment, since 1970-01-01 UTC without leap seconds.
using Time = std::chrono::sys_time<std::chrono::nanoseconds>;

/// The value of an attribute.
using AttributeValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

/// The name of an attribute. A literal is referred to and not copied, since spans have many attributes of few names.
class AttributeKey {
public:
    /// Makes an empty name.
    AttributeKey() = default;
    /// Makes a name of a literal.
    template <std::size_t N>
    consteval AttributeKey(const char (&literal)[N])  // NOLINT(google-explicit-constructor): it is a text
        : data_(static_cast<const char*>(literal)), size_(N - 1) {}
    /// Makes a name of a text that is not a literal.
    AttributeKey(std::string text)  // NOLINT(google-explicit-constructor): it is a text
        : own_(std::make_shared<const std::string>(std::move(text))), data_(own_->data()), size_(own_->size()) {}
    // Moving would leave a name that refers to the text of another object, so both are copied.
    AttributeKey(const AttributeKey&) = default;             ///< Makes a copy, which shares the text.
    AttributeKey& operator=(const AttributeKey&) = default;  ///< Makes it a copy, which shares the text.
    ~AttributeKey() = default;

    /// Returns the name. It is valid as long as this object or a copy of it.
    [[nodiscard]] std::string_view text() const noexcept { return {data_, size_}; }
    /// Returns the same.
    operator std::string_view() const noexcept { return text(); }  // NOLINT(google-explicit-constructor): it is a text

    /// Whether the names are equal.
    friend bool operator==(const AttributeKey& a, const AttributeKey& b) noexcept { return a.text() == b.text(); }
    /// The same for a name that is a text.
    template <std::convertible_to<std::string_view> Text>
    friend bool operator==(const AttributeKey& a, const Text& b) noexcept {
        return a.text() == std::string_view(b);
    }

private:
    std::shared_ptr<const std::string> own_{};  // null for a literal
    const char* data_ = "";
    std::size_t size_ = 0;
};

/// A named value of a span, a metric or a resource.
struct Attribute {
    AttributeKey key{};      ///< Such as `gen_ai.request.model`.
    AttributeValue value{};  ///< A number that is not finite is not sent.

    friend bool operator==(const Attribute&, const Attribute&) = default;
};

/// Returns the value of the attribute of this name; null if there is none. Linear.
[[nodiscard]] const AttributeValue* find(std::span<const Attribute> attributes, std::string_view key) noexcept;

/// The side of an operation that a span shows, with OTLP's numbers.
enum class SpanKind {
    internal = 1,  ///< Work within the process: a run, or a call of a tool.
    client = 3     ///< A request to another process: to a model.
};

/// A piece of work with a beginning and an end, as a part of a trace.
struct Span {
    std::string trace_id{};               ///< 32 hexadecimal digits in lower case, not all 0.
    std::string span_id{};                ///< 16 of them, not all 0.
    std::string parent_id{};              ///< The span around it; empty for the first of a trace.
    std::string trace_state{};            ///< `tracestate`, as it was received.
    bool has_remote_parent = false;       ///< Whether the span around it is one of another process.
    std::string name{};                   ///< Such as `execute_tool search`.
    SpanKind kind = SpanKind::internal;   ///< The kind.
    Time start{};                         ///< When it began.
    Time end{};                           ///< When it ended; not before `start`.
    std::vector<Attribute> attributes{};  ///< Of different names.
    bool is_error = false;                ///< Whether it failed (status `ERROR`); otherwise its status is unset.
    std::string error_message{};          ///< Why it failed; may be empty.

    friend bool operator==(const Span&, const Span&) = default;
};

/// The position in a trace that one process passes to the next (https://www.w3.org/TR/trace-context/).
///
/// @code{.cpp}
/// #include <cassert>
/// const auto parent = acta::trace::TraceParent::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
/// assert(parent && parent->span_id == "b7ad6b7169203331" && parent->sampled);
/// @endcode
struct TraceParent {
    std::string trace_id{};     ///< 32 hexadecimal digits in lower case, not all 0.
    std::string span_id{};      ///< 16 of them, not all 0.
    bool sampled = true;        ///< Whether the trace is recorded.
    std::string trace_state{};  ///< The header `tracestate`, passed on unchanged.

    /// Reads the value of a header `traceparent`, of version 00 or a later one. Returns nothing if it is not one; a
    /// trace then begins with the receiver (section 4.3).
    [[nodiscard]] static std::optional<TraceParent> parse(std::string_view header, std::string trace_state = {});
    /// Returns the value of the header `traceparent`.
    [[nodiscard]] std::string text() const;

    friend bool operator==(const TraceParent&, const TraceParent&) = default;
};

/// The program that spans and metrics come from.
struct Resource {
    std::string service_name{"unknown_service"};  ///< `service.name`.
    std::vector<Attribute> attributes{};          ///< Others, such as `deployment.environment.name`.

    friend bool operator==(const Resource&, const Resource&) = default;
};

/// Returns the body of a request to `/v1/traces` (OTLP/HTTP with JSON): an `ExportTraceServiceRequest`. Bytes that are
/// not UTF-8 are replaced.
///
/// @code{.cpp}
/// #include <cassert>
/// const acta::trace::Span span{.trace_id = std::string(32, '1'), .span_id = std::string(16, '2'), .name = "chat"};
/// const std::string body = acta::trace::to_otlp(std::vector{span}, {.service_name = "harbour"});
/// assert(body.find(R"("kind":1)") != std::string::npos);
/// @endcode
[[nodiscard]] std::string to_otlp(std::span<const Span> spans, const Resource& resource = {});

/// The names of metrics, which the conventions have changed.
enum class MetricNames {
    /// `gen_ai.client.token.usage`, `gen_ai.client.operation.duration`: conventions 1.41.0, the last that were
    /// released, by which most dashboards are made.
    released,
    /// `gen_ai.client.inference.operation.input_tokens` and `output_tokens`, `gen_ai.client.inference.duration`: the
    /// conventions of `schema_url`.
    development
};

/// Histograms of the requests to models: their tokens, and how long they took. Cumulative from the construction on, so
/// that a body that was lost is made up for by the next one. Thread-safe.
///
/// @code{.cpp}
/// #include <cassert>
/// acta::trace::Metrics metrics;
/// metrics.add({.name = "chat gpt-5",
///              .kind = acta::trace::SpanKind::client,
///              .attributes = {{"gen_ai.operation.name", std::string("chat")}}});
/// assert(metrics.to_otlp().find("gen_ai.client.operation.duration") != std::string::npos);
/// @endcode
class Metrics {
public:
    /// Begins to count now.
    explicit Metrics(MetricNames names = MetricNames::released);

    /// Counts a span of a request to a model; does nothing with other spans.
    void add(const Span& span);
    /// Returns whether no request was counted.
    [[nodiscard]] bool empty() const;
    /// Returns the body of a request to `/v1/metrics`: an `ExportMetricsServiceRequest`.
    [[nodiscard]] std::string to_otlp(const Resource& resource = {}) const;

    /// The most combinations of attributes that are distinguished; requests with further ones are counted as
    /// `otel.metric.overflow`, as OpenTelemetry's SDKs do.
    static constexpr std::size_t max_series = 2000;

private:
    struct Histogram {
        std::vector<Attribute> attributes{};
        std::vector<std::uint64_t> buckets{};
        std::uint64_t count = 0;
        double sum = 0;
        double min = 0;
        double max = 0;
    };
    using Series = std::map<std::string, Histogram>;
    static void record(Series& series, const std::vector<Attribute>& attributes, std::span<const double> bounds,
                       double value);

    MetricNames names_;
    Time begun_;
    mutable std::mutex mutex_{};
    Series durations_{};
    Series tokens_{};         // of both kinds, or of requests
    Series output_tokens_{};  // of answers, where they have a metric of their own
};

}  // namespace acta::inline ACTA_ABI::trace

#ifndef ACTA_COMPILED
#include "acta/trace/detail/span.inl.hpp"
#endif
