// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <ctime>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/retry.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/json/json.hpp"
#include "acta/trace/exporter.hpp"

namespace acta::inline ACTA_ABI::trace_detail {

using std::chrono::steady_clock;
using trace::ExportCounts;
using trace::ExporterOptions;
using trace::Span;

/// Returns about how many bytes a span takes.
ACTA_INLINE std::size_t size_of(const Span& span) {
    std::size_t out = sizeof(Span) + span.name.size() + span.error_message.size() + span.trace_state.size();
    for (const trace::Attribute& one : span.attributes) {
        out += sizeof(one);
        if (const auto* const text = std::get_if<std::string>(&one.value)) out += text->size();
    }
    return out;
}

/// The queue of an exporter, and the work of its thread.
class Sending {
public:
    Sending(http::Transport transport, ExporterOptions options)
        : transport_(std::move(transport)),
          options_(std::move(options)),
          metrics_(options_.metrics.value_or(trace::MetricNames::released)),
          metrics_at_(steady_clock::now() + options_.metrics_interval) {
        options_.max_batch = std::max<std::size_t>(options_.max_batch, 1);
        if (!transport_) throw Error("an exporter of spans needs a transport, such as acta::http::send");
        if (!http::Url::parse(options_.url))
            throw Error("the URL of the collector cannot be used: " + http::Url::problem(options_.url));
        while (options_.url.ends_with('/')) options_.url.pop_back();
    }

    void add(Span&& span) noexcept {
        try {
            if (options_.metrics) metrics_.add(span);
        } catch (...) {  // for lack of memory
        }
        const std::lock_guard lock(mutex_);
        ++counts_.added;
        try {
            const std::size_t size = size_of(span);
            if (is_closing() || queue_.size() >= options_.max_queue || bytes_ + size > options_.max_queue_bytes) {
                ++counts_.dropped_full;
                return;
            }
            queue_.push_back(std::move(span));
            bytes_ += size;
            ++counts_.waiting;
        } catch (...) {
            ++counts_.dropped_full;
            return;
        }
        if (queue_.size() == 1) due_ = steady_clock::now() + options_.delay;
        if (queue_.size() == 1 || queue_.size() == options_.max_batch) wake_.notify_all();
    }

    [[nodiscard]] ExportCounts counts() const {
        const std::lock_guard lock(mutex_);
        return counts_;
    }

    bool flush(std::chrono::milliseconds timeout) {
        std::unique_lock lock(mutex_);
        if (counts_.waiting == 0) return true;
        due_ = steady_clock::now();
        wake_.notify_all();
        return ended_.wait_until(lock, deadline_in(timeout), [&] { return counts_.waiting == 0; });
    }

    /// Returns whether the thread has ended, so that it can be joined.
    bool close(std::chrono::milliseconds timeout) {
        std::unique_lock lock(mutex_);
        close_at_ = deadline_in(timeout);
        wake_.notify_all();
        if (ended_.wait_until(lock, *close_at_, [&] { return is_done_; })) return true;
        lock.unlock();
        stop_.request_stop();
        lock.lock();
        wake_.notify_all();
        if (ended_.wait_for(lock, std::chrono::milliseconds(100), [&] { return is_done_; })) return true;
        is_left_ = true;
        const std::uint64_t lost = counts_.waiting;
        drop_all();
        ended_.wait(lock, [&] { return !is_reporting_; });
        report(lock, 0, lost, 0, 0, "the transport did not end at the deadline of the shutdown");
        return false;
    }

    void work() {
        std::unique_lock lock(mutex_);
        while (!is_left_) {
            if (!is_closing() && !is_batch_due() && !is_metrics_due()) wake_.wait_until(lock, next_wake());
            if (is_batch_due() || (is_closing() && !queue_.empty())) send_batch(lock);
            if (is_left_) return;
            if (is_metrics_due() || (is_closing() && queue_.empty())) send_metrics(lock);
            const bool is_late = is_closing() && steady_clock::now() >= *close_at_;
            if (is_closing() && (queue_.empty() || is_late)) break;
        }
        if (is_left_) return;
        const std::uint64_t lost = counts_.waiting;
        drop_all();
        if (lost != 0) report(lock, 0, lost, 0, 0, "the deadline of the shutdown came first");
        is_done_ = true;
        ended_.notify_all();
    }

private:
    struct Outcome {
        bool is_taken = false;
        int status = 0;  // of HTTP
        bool may_retry = false;
        std::optional<std::chrono::milliseconds> retry_after{};
        std::uint64_t rejected = 0;
        std::string error{};
    };
    [[nodiscard]] bool is_closing() const { return close_at_.has_value(); }
    [[nodiscard]] bool is_batch_due() const {
        return queue_.size() >= options_.max_batch || (!queue_.empty() && steady_clock::now() >= due_);
    }
    [[nodiscard]] bool is_metrics_due() const { return options_.metrics && steady_clock::now() >= metrics_at_; }
    [[nodiscard]] steady_clock::time_point next_wake() const {
        auto out = steady_clock::now() + std::chrono::hours(1);
        if (!queue_.empty()) out = std::min(out, due_);
        return options_.metrics ? std::min(out, metrics_at_) : out;
    }
    void drop_all() {
        counts_.dropped_shutdown += counts_.waiting;
        counts_.waiting = 0;
        queue_.clear();
        bytes_ = 0;
    }
    /// Notifies the observer, without the lock.
    void report(std::unique_lock<std::mutex>& lock, std::uint64_t sent, std::uint64_t lost, int status, int attempts,
                const std::string& error) {
        if (options_.observer == nullptr) return;
        Event event{.level = lost == 0 ? EventLevel::debug : EventLevel::warning, .name = event_names::trace_export};
        event.failed = lost != 0;
        event.fields = {{"spans", sent}, {"dropped", lost}, {"dropped_in_all", counts_.lost()}, {"attempts", attempts}};
        if (status != 0) event.fields.emplace_back("status", status);
        if (!error.empty()) event.fields.emplace_back("error", error);
        is_reporting_ = true;
        lock.unlock();
        options_.observer->notify(std::move(event));
        lock.lock();
        is_reporting_ = false;
        ended_.notify_all();
    }

    void send_batch(std::unique_lock<std::mutex>& lock) {
        std::vector<Span> batch;
        std::size_t size = 0;
        while (!queue_.empty() && batch.size() < options_.max_batch) {
            const std::size_t one = size_of(queue_.front());
            if (!batch.empty() && size + one > options_.max_batch_bytes) break;
            size += one;
            batch.push_back(std::move(queue_.front()));
            queue_.pop_front();
        }
        bytes_ -= std::min(bytes_, size);
        const std::uint64_t full = counts_.dropped_full - reported_full_;
        reported_full_ = counts_.dropped_full;

        lock.unlock();
        std::string body;
        try {
            body = to_otlp(batch, options_.resource);
        } catch (const std::exception&) {  // for lack of memory
        }
        lock.lock();
        Outcome outcome;
        int attempt = 0;
        while (!is_left_) {
            outcome = attempt_to(lock, "/v1/traces", body);
            ++attempt;
            if (is_left_ || outcome.is_taken || !outcome.may_retry) break;
            const auto delay = base::retry_delay(options_.retry, attempt, outcome.retry_after);
            if (!delay) break;
            const auto at = deadline_in(*delay);
            const auto is_too_late = [&] { return is_left_ || (is_closing() && at >= *close_at_); };
            wake_.wait_until(lock, at, is_too_late);
            if (is_too_late()) break;
        }
        if (is_left_) return;  // counted
        const std::uint64_t spans = batch.size();
        const std::uint64_t rejected = std::min(outcome.rejected, spans);
        const bool is_end = !outcome.is_taken && outcome.may_retry && is_closing();
        counts_.waiting -= spans;
        ended_.notify_all();
        counts_.rejected += rejected;
        if (outcome.is_taken) counts_.sent += spans - rejected;
        if (!outcome.is_taken) (is_end ? counts_.dropped_shutdown : counts_.dropped_failed) += spans;
        const std::uint64_t lost = full + (outcome.is_taken ? rejected : spans);
        if (full != 0 && outcome.error.empty()) outcome.error = "the queue was full";
        const std::uint64_t taken = outcome.is_taken ? spans - rejected : 0;
        report(lock, taken, lost, outcome.status, attempt, outcome.error);
        if (is_end) close_at_ = std::min(*close_at_, steady_clock::now());  // others would not be taken either
    }

    void send_metrics(std::unique_lock<std::mutex>& lock) {
        metrics_at_ = steady_clock::now() + options_.metrics_interval;
        if (!options_.metrics || metrics_.empty() || (is_closing() && steady_clock::now() >= *close_at_)) return;
        const Outcome outcome = attempt_to(lock, "/v1/metrics", {});
        if (!is_left_ && !outcome.is_taken) report(lock, 0, 0, outcome.status, 1, "metrics: " + outcome.error);
    }

    /// Makes a request without the lock. An empty body is that of the metrics.
    Outcome attempt_to(std::unique_lock<std::mutex>& lock, std::string_view path, const std::string& body) {
        http::Request request{.url = base::concat({options_.url, path}), .headers = options_.headers};
        request.headers.emplace_back("Content-Type: application/json");
        request.deadline = deadline_in(options_.retry.call_timeout.value_or(std::chrono::seconds(10)));
        if (is_closing()) request.deadline = std::min(request.deadline, *close_at_);
        request.stop = stop_.get_token();
        request.max_bytes = std::size_t{1024} * 1024;
        lock.unlock();
        Outcome out;
        try {
            request.body = body.empty() ? metrics_.to_otlp(options_.resource) : body;
            out = outcome_of(transport_(request, {}));
        } catch (const http::Error& error) {
            out.may_retry = error.fault() == http::Fault::connection || error.fault() == http::Fault::other;
            out.error = error.what();
        } catch (const Timeout& error) {
            out.may_retry = true;
            out.error = error.what();
        } catch (const std::exception& error) {
            out.may_retry = stop_.stop_requested();
            out.error = base::what_of(error);
        } catch (...) {
            out.error = "the transport failed";
        }
        if (!out.error.empty()) out.error = http::Secrets::of(request).hide(std::move(out.error));
        lock.lock();
        return out;
    }
    /// What an answer means (https://opentelemetry.io/docs/specs/otlp/#otlphttp-response).
    static Outcome outcome_of(const http::Reply& reply) {
        Outcome out{.is_taken = reply.status >= 200 && reply.status < 300, .status = reply.status};
        Json body;
        try {
            if (!reply.body.empty()) body = parse<Json>(reply.body);
        } catch (const std::exception&) {  // not JSON
        }
        if (out.is_taken) {
            const Json* const partial = base::find_key(body, "partialSuccess");
            if (partial == nullptr) return out;
            const Json* const spans = base::find_key(*partial, "rejectedSpans");
            const std::int64_t rejected = spans == nullptr ? 0 : base::whole_number(*spans).value_or(0);
            out.rejected = static_cast<std::uint64_t>(std::max<std::int64_t>(rejected, 0));
            out.error = base::text_member(*partial, "errorMessage");
            return out;
        }
        out.may_retry = reply.status == 429 || reply.status == 502 || reply.status == 503 || reply.status == 504;
        out.retry_after =
            http::parse_retry_after(reply.header("retry-after"), reply.header("date"), std::time(nullptr));
        out.error = base::concat({"the collector answered with ", std::to_string(reply.status)});
        const std::string said = base::text_member(body, "message");
        if (!said.empty()) base::append(out.error, {": ", said});
        return out;
    }

    http::Transport transport_;
    ExporterOptions options_;
    trace::Metrics metrics_;
    stop_source stop_{};
    mutable std::mutex mutex_{};
    std::condition_variable wake_{};   // of the thread
    std::condition_variable ended_{};  // of those who wait for it
    std::deque<Span> queue_{};
    std::size_t bytes_ = 0;
    steady_clock::time_point due_{};  // when the first span of the queue is sent
    steady_clock::time_point metrics_at_;
    std::optional<steady_clock::time_point> close_at_{};
    bool is_done_ = false;
    bool is_reporting_ = false;
    bool is_left_ = false;  // the thread must not touch anything: no thread waits for it
    ExportCounts counts_{};
    std::uint64_t reported_full_ = 0;
};

}  // namespace acta::inline ACTA_ABI::trace_detail

namespace acta::inline ACTA_ABI::trace {

ACTA_INLINE Exporter::Exporter(http::Transport transport, ExporterOptions options)
    : timeout_(options.shutdown_timeout) {
    sending_ = std::make_shared<trace_detail::Sending>(std::move(transport), std::move(options));
    thread_ = std::thread([sending = sending_] { sending->work(); });
}

ACTA_INLINE Exporter::~Exporter() { shutdown(timeout_); }

ACTA_INLINE void Exporter::add(Span span) noexcept { sending_->add(std::move(span)); }

ACTA_INLINE SpanSink Exporter::sink() const {
    return [sending = sending_](Span span) { sending->add(std::move(span)); };
}

ACTA_INLINE bool Exporter::flush(std::chrono::milliseconds timeout) { return sending_->flush(timeout); }

ACTA_INLINE ExportCounts Exporter::shutdown(std::chrono::milliseconds timeout) {
    if (thread_.joinable()) {
        if (sending_->close(timeout))
            thread_.join();
        else
            thread_.detach();
    }
    return sending_->counts();
}

ACTA_INLINE ExportCounts Exporter::counts() const { return sending_->counts(); }

}  // namespace acta::inline ACTA_ABI::trace
