// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "acta/base/retry.hpp"
#include "acta/observe/observer.hpp"
#include "acta/provider/http/http.hpp"
#include "acta/trace/span.hpp"
#include "acta/trace/tracer.hpp"

namespace acta::inline ACTA_ABI::trace_detail {
class Sending;
}  // namespace acta::inline ACTA_ABI::trace_detail

namespace acta::inline ACTA_ABI::trace {

/// Where spans are sent, and what happens if that is not possible.
struct ExporterOptions {
    std::string url{"http://localhost:4318"};  ///< Of the collector; `/v1/traces` and `/v1/metrics` are appended.
    std::vector<std::string> headers{};        ///< Of each request, as `Authorization: Basic ...`.
    Resource resource{};                       ///< The program that the spans come from.
    std::size_t max_queue = 2048;              ///< The most spans that wait. Further ones are dropped.
    std::size_t max_queue_bytes = std::size_t{16} * 1024 * 1024;  ///< The most bytes of them, approximately.
    std::size_t max_batch = 512;                                  ///< The most spans of a request.
    std::size_t max_batch_bytes = std::size_t{2} * 1024 * 1024;   ///< The most bytes, unless one span has more.
    std::chrono::milliseconds delay{5000};                        ///< How long spans wait for others.
    /// When a request is repeated that found no connection or was answered with 429, 502, 503 or 504; `Retry-After` is
    /// observed. A request takes at most `call_timeout`, by default 10 s. `retry_if` and `on_retry` are not called.
    RetryOptions retry{.max_attempts = 5,
                       .first_delay = std::chrono::milliseconds(1000),
                       .max_delay = std::chrono::milliseconds(30'000)};
    std::optional<MetricNames> metrics{};                ///< Whether metrics are sent, and under which names.
    std::chrono::milliseconds metrics_interval{60'000};  ///< How often.
    std::chrono::milliseconds shutdown_timeout{5000};    ///< The most that the destructor takes.
    /// Gets an event `trace_export` for each request that has ended, unless it is null: with a warning where spans were
    /// dropped. It must outlive the exporter, and not block.
    Observer* observer = nullptr;
};

/// What has become of the spans. Each one that was added is in exactly one of the other numbers.
struct ExportCounts {
    std::uint64_t added = 0;           ///< All of them.
    std::uint64_t waiting = 0;         ///< Not sent yet, or being sent.
    std::uint64_t sent = 0;            ///< The collector has taken them.
    std::uint64_t dropped_full = 0;    ///< The queue was full, or the exporter was shut down.
    std::uint64_t dropped_failed = 0;  ///< The collector was absent or refused the request, also when it was repeated.
    std::uint64_t dropped_shutdown = 0;  ///< The deadline of the shutdown came first.
    std::uint64_t rejected = 0;          ///< The collector took the request, but not these spans (`partialSuccess`).

    /// Returns how many were not delivered.
    [[nodiscard]] std::uint64_t lost() const noexcept {
        return dropped_full + dropped_failed + dropped_shutdown + rejected;
    }
    friend bool operator==(const ExportCounts&, const ExportCounts&) = default;
};

/// Sends spans to a collector (OTLP over HTTP with JSON), from a thread of its own. The program never waits for the
/// collector: `add` takes a lock for the time that it takes to move a span, and what does not fit into the queue is
/// dropped, counted and reported. Thread-safe.
///
/// @code{.cpp}
/// acta::trace::Exporter exporter(
///     [](const acta::http::Request&, const acta::http::Sink&) {   // acta::http::send, which needs libcurl
///         acta::http::Reply reply;
///         reply.status = 200;
///         return reply;
///     },
///     {.resource = {.service_name = "harbour"}});
/// // options.on_event = acta::trace::Tracer(exporter.sink());
/// exporter.add({.trace_id = std::string(32, '1'), .span_id = std::string(16, '2'), .name = "chat"});
/// const acta::trace::ExportCounts counts = exporter.shutdown(std::chrono::seconds(2));
/// assert(counts.sent == 1 && counts.lost() == 0);
/// @endcode
class Exporter {
public:
    /// Starts the thread. Throws `Error` if there is no transport, or the URL is not one of `http` or `https`.
    explicit Exporter(http::Transport transport, ExporterOptions options = {});
    Exporter(const Exporter&) = delete;
    Exporter& operator=(const Exporter&) = delete;
    /// Calls `shutdown(shutdown_timeout)`.
    ~Exporter();

    /// Adds a span. Does not wait for the collector.
    void add(Span span) noexcept;
    /// Returns `add` as a function, for a `Tracer`. It may be called after the exporter's end: spans are then dropped.
    [[nodiscard]] SpanSink sink() const;
    /// Sends what is waiting, and returns whether all of it has been sent or dropped within this time.
    bool flush(std::chrono::milliseconds timeout);
    /// Sends what is waiting, ends the thread and returns the counts, within this time and a tenth of a second: at the
    /// deadline a request is cancelled, and spans that were not sent are dropped. A transport that does not return when
    /// it is cancelled is left to itself, in a thread that uses nothing of the exporter. Further calls only return the
    /// counts.
    ExportCounts shutdown(std::chrono::milliseconds timeout);
    /// Returns the counts so far.
    [[nodiscard]] ExportCounts counts() const;

private:
    std::shared_ptr<trace_detail::Sending> sending_;
    std::chrono::milliseconds timeout_;
    std::thread thread_{};
};

}  // namespace acta::inline ACTA_ABI::trace

#ifndef ACTA_COMPILED
#include "acta/trace/detail/exporter.inl.hpp"
#endif
