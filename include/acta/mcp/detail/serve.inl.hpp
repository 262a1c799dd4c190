// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "acta/base/stop_token.hpp"
#include "acta/base/utility.hpp"
#include "acta/mcp/detail/stdio_streams.hpp"
#include "acta/mcp/detail/wire.hpp"
#include "acta/mcp/json_rpc.hpp"
#include "acta/mcp/serve.hpp"

namespace acta::inline ACTA_ABI {

namespace mcp_detail {

/// Serves one client, whose messages are lines.
class StdioServing {
public:
    StdioServing(const mcp::Server& server, const mcp::StdioOptions& options)
        : options_(options),
          max_bytes_(server.options().max_message_bytes),
          streams_(
              options.input, options.output, [this] { return options_.until.is_over() || is_gone_; },
              [this] { return options_.until.is_over() || is_ending_; }),
          session_(server, [this](const mcp::Message& message) { write(message); }) {}
    StdioServing(const StdioServing&) = delete;
    StdioServing& operator=(const StdioServing&) = delete;
    ~StdioServing() {
        finish();
        is_ending_ = true;
        session_.close();  // stops the rest, and waits for it
        calls_.clear();
    }

    void run() {
        for (std::string_view text = streams_.read(); !text.empty(); text = streams_.read()) take(text);
        if (!line_.empty() && !is_too_long_) take_line(std::exchange(line_, {}));
    }

private:
    struct Running {
        bool listens = false;  // until it is stopped
        std::atomic<bool> is_answered{false};
        std::atomic<bool> has_ended{false};
        jthread thread{};
    };

    void take(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            if (line_.size() + end > max_bytes_) {
                if (!std::exchange(is_too_long_, true))
                    write(mcp::Response{std::nullopt, mcp::ErrorObject{mcp::error_code::parse_error,
                                                                       "the message is larger than " +
                                                                           std::to_string(max_bytes_) + " bytes",
                                                                       std::nullopt}});
                line_.clear();
            }
            if (!is_too_long_) line_.append(text.substr(0, end));
            if (end == text.size()) return;
            text.remove_prefix(end + 1);
            if (!std::exchange(is_too_long_, false)) take_line(std::exchange(line_, {}));
        }
    }
    void take_line(const std::string& line) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) return;
        try {
            Json value = parse_json(line, max_bytes_);
            if (!value.is_array() || session_.version() != "2025-03-26")
                return dispatch(mcp::message_of(std::move(value)));
            for (Json& one : value.get_ref<JsonArray&>()) dispatch(mcp::message_of(std::move(one)));
        } catch (const mcp::MessageError& error) {
            write(error.answer());
        }
    }

    void dispatch(mcp::Message message) {
        const auto* const request = std::get_if<mcp::Request>(&message);
        calls_.remove_if([](const Running& one) { return one.has_ended.load(); });
        // What begins a session must be over before the next message is read.
        if (request == nullptr || request->method == "initialize")
            return session_.handle(std::move(message), [this](const mcp::Message& sent) { write(sent); });
        const auto running = std::ranges::count_if(calls_, [](const Running& one) { return !one.is_answered; });
        if (static_cast<std::size_t>(running) >= options_.max_calls)
            return write(mcp::Response{request->id,
                                       mcp::ErrorObject{mcp::error_code::internal_error,
                                                        "There are too many requests at the same time", std::nullopt}});
        Running& one = calls_.emplace_back();
        one.listens = request->method == "subscriptions/listen";
        one.thread = jthread([this, &one, taken = std::move(message)]() mutable { work(std::move(taken), one); });
    }
    void work(mcp::Message message, Running& running) {
        try {
            session_.handle(std::move(message), [&](const mcp::Message& sent) {
                // The next request may come as soon as the response is read.
                if (std::holds_alternative<mcp::Response>(sent)) running.is_answered = true;
                write(sent);
            });
        } catch (const std::exception&) {  // no memory
            is_gone_ = true;
        }
        const std::lock_guard lock(mutex_);
        running.has_ended = true;
        ended_.notify_all();
    }

    void write(const mcp::Message& message) {
        const std::string line = mcp::to_text(message) + "\n";
        const std::lock_guard lock(writing_);
        if (!is_gone_ && !streams_.write(line)) is_gone_ = true;
    }

    /// Waits for what is under way, if the output is still read.
    void finish() {
        std::unique_lock lock(mutex_);
        const Until until = options_.until.not_after(
            base::saturated_sum(std::chrono::steady_clock::now(), std::chrono::nanoseconds(options_.finish_timeout)));
        base::wait_until(ended_, lock, until.stop, *until.deadline, [this] {
            return is_gone_ ||
                   std::ranges::all_of(calls_, [](const Running& one) { return one.listens || one.has_ended; });
        });
    }

    const mcp::StdioOptions& options_;
    const std::size_t max_bytes_;
    std::string line_{};
    bool is_too_long_ = false;
    std::atomic<bool> is_gone_{false};
    std::atomic<bool> is_ending_{false};
    StdioStreams streams_;
    std::mutex writing_{};
    std::mutex mutex_{};
    condition_variable_any ended_{};
    std::list<Running> calls_{};
    mcp::ServerSession session_;
};

}  // namespace mcp_detail

ACTA_INLINE void mcp::serve_stdio(const Server& server, const StdioOptions& options) {
    mcp_detail::StdioServing(server, options).run();
}

}  // namespace acta::inline ACTA_ABI
