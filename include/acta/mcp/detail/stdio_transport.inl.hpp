// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/mcp/detail/wire.hpp"
#include "acta/mcp/stdio_transport.hpp"

namespace acta::inline ACTA_ABI::mcp {

/// One child process, and what it has sent. Its output is read in the thread of the process, and taken by those that
/// wait for a response.
class StdioTransport::Connection {
public:
    Connection(ProcessOptions options, const std::string& name, std::size_t max_bytes, OnMessage on_notice)
        : name_(name),
          on_notice_(std::move(on_notice)),
          program_(options.command.empty() ? "" : options.command.front()),
          max_bytes_(max_bytes),
          child_(with_callbacks(std::move(options))) {
        const std::lock_guard lock(mutex_);
        is_started_ = true;
        changed_.notify_all();
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() { close(); }

    Response exchange(const Outgoing& out, const Patience& patience, const OnMessage& on_message) {
        const auto& request = std::get<Request>(out.message);
        const AnswerDeadline deadline(patience);
        Waiting waiting(*this, request.id);
        write(out.message, deadline.until());
        std::unique_lock lock(mutex_);
        for (bool may_come_soon = waiting_.size() == 1;;) {
            const bool has_answer = waiting.response.has_value();
            if (!has_answer) deadline.check();
            if (std::optional<Message> message = take(waiting.messages, !has_answer)) {
                lock.unlock();
                on_message(*std::move(message));
                lock.lock();
            } else if (has_answer) {
                return *std::move(waiting.response);
            } else {
                if (!broken_.empty()) fail();
                if (may_come_soon) {
                    constexpr std::chrono::milliseconds soon(1);  // stops and deadlines are not noticed before
                    lock.unlock();
                    may_come_soon = child_.read(soon);
                    lock.lock();
                    continue;
                }
                const Until until = deadline.until();
                base::wait_until(changed_, lock, until.stop, *until.deadline, [&] {
                    return waiting.response || !waiting.messages.empty() || !questions_.empty() || !broken_.empty();
                });
            }
        }
    }

    void write(const Message& message, const Until& until) {
        {
            const std::lock_guard lock(mutex_);
            if (!broken_.empty()) fail();
        }
        try {
            if (child_.write(to_text(message) + "\n", until)) return;
        } catch (const ProcessError&) {
            const std::lock_guard lock(mutex_);
            if (broken_.empty()) broken_ = "no longer reads its input";
            fail();
        }
        const std::lock_guard lock(mutex_);
        break_off("does not read its input, and has a part of a message");
        if (until.is_cancelled()) throw Cancelled();
        throw Timeout(base::concat({"the server '", name_, "' did not read its input in time", words()}));
    }

    void close() noexcept {
        {
            const std::lock_guard lock(mutex_);
            is_closing_ = true;
            break_off("was closed");
        }
        if (answering_.joinable()) {
            answering_.request_stop();
            answering_.join();
        }
        child_.end();
    }

    [[nodiscard]] bool is_open() const {
        const std::lock_guard lock(mutex_);
        return broken_.empty();
    }
    /// Returns what the process last wrote besides messages.
    [[nodiscard]] std::string last_words() const {
        const std::lock_guard lock(mutex_);
        return words();
    }

private:
    struct Sized {
        Message message{};
        std::size_t bytes = 0;
    };

    /// A request whose response is awaited.
    struct Waiting {
        Waiting(Connection& of, const RequestId& id) : connection(of) {
            const std::lock_guard lock(of.mutex_);
            place = of.waiting_.emplace(id, this).first;
        }
        Waiting(const Waiting&) = delete;
        Waiting& operator=(const Waiting&) = delete;
        ~Waiting() {
            const std::lock_guard lock(connection.mutex_);
            for (const Sized& one : messages) connection.queued_bytes_ -= one.bytes;
            connection.waiting_.erase(place);
        }

        Connection& connection;
        std::map<RequestId, Waiting*>::iterator place{};
        std::deque<Sized> messages{};  // notifications about this request
        std::optional<Response> response{};
    };

    ProcessOptions with_callbacks(ProcessOptions options) {
        options.on_output = [this](std::string_view text) { read(text); };
        options.on_end = [this] {
            const std::lock_guard lock(mutex_);
            break_off("has ended");
        };
        return options;
    }

    // The members below are called with `mutex_` locked, unless they say otherwise.

    void break_off(std::string why) {
        if (broken_.empty()) broken_ = std::move(why);
        changed_.notify_all();
    }
    [[nodiscard]] std::string words() const {
        std::string out;
        if (!garbage_.empty()) out += "; it wrote what is not a message: " + garbage_;
        std::string errors = child_.errors();
        while (!errors.empty() && (errors.back() == '\n' || errors.back() == '\r' || errors.back() == ' '))
            errors.pop_back();
        if (!errors.empty()) out += "; its error output: " + errors;
        base::clean(out);
        return out;
    }
    [[noreturn]] void fail() const {
        std::string message = base::concat({"the server '", name_, "' (", program_, ") ", broken_});
        if (const std::optional<ExitStatus> status = child_.exit_status()) message += " (" + to_string(*status) + ")";
        throw ConnectionError(message + words());
    }
    /// Returns the next message about a request, or else, if `any`, the next request of the server.
    std::optional<Message> take(std::deque<Sized>& own, bool any) {
        std::deque<Sized>& from = own.empty() && any ? questions_ : own;
        if (from.empty()) return std::nullopt;
        std::optional<Message> out(std::move(from.front().message));
        queued_bytes_ -= from.front().bytes;
        from.pop_front();
        return out;
    }

    /// Takes what the process has written. Called by its thread, without the lock.
    void read(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            if (line_.size() + std::min(end, text.size()) > max_bytes_) {
                const std::lock_guard lock(mutex_);
                if (broken_.empty()) break_off("wrote a line of more than " + std::to_string(max_bytes_) + " bytes");
                line_.clear();
                is_too_long_ = true;
            }
            if (!is_too_long_) line_.append(text.substr(0, end));
            if (end == std::string_view::npos) return;
            text.remove_prefix(end + 1);
            if (!std::exchange(is_too_long_, false)) take_line(std::exchange(line_, {}));
        }
    }
    void take_line(std::string_view line) {
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
        try {
            Json value = mcp_detail::parse_json(line, max_bytes_);
            if (!value.is_array()) return take_message(message_of(std::move(value)), line.size());
            for (const Json& one : base::array_of(value)) take_message(message_of(one), line.size());  // 2025-03-26
        } catch (const MessageError&) {
            const std::lock_guard lock(mutex_);
            garbage_ = utf8::prefix(line, 200);
        }
    }
    void take_message(Message message, std::size_t bytes) {
        std::unique_lock lock(mutex_);
        const auto* const request = std::get_if<Request>(&message);
        if (auto* const response = std::get_if<Response>(&message)) {
            if (!response->id) return note(*response);
            const auto found = waiting_.find(*response->id);
            if (found != waiting_.end() && !found->second->response) found->second->response = std::move(*response);
        } else if (request != nullptr && request->method == "ping") {
            answer(to_text(Response{request->id, base::new_object()}) + "\n");
        } else if (Waiting* const about = request == nullptr ? waiting_for(message) : nullptr;
                   request != nullptr || about != nullptr) {
            if (queued_bytes_ + bytes > max_bytes_) return;  // more than anything waits for
            queued_bytes_ += bytes;
            (about == nullptr ? questions_ : about->messages).push_back({std::move(message), bytes});
        } else {
            lock.unlock();
            return on_notice_(std::move(message));
        }
        changed_.notify_all();
    }
    void note(const Response& response) {
        if (const auto* const error = std::get_if<ErrorObject>(&response.outcome))
            garbage_ = base::concat({"error ", std::to_string(error->code), ": ", utf8::prefix(error->message, 200)});
    }
    /// Returns the request that a notification is about; null if none.
    [[nodiscard]] Waiting* waiting_for(const Message& message) const {
        const auto* const notification = std::get_if<Notification>(&message);
        if (notification == nullptr) return nullptr;
        const JsonObject& params = notification->params;
        const Json* id = notification->method == "notifications/progress" ? base::find_key(params, "progressToken")
                                                                          : base::find_key(params, "_meta");
        if (id != nullptr && id->is_object()) id = base::find_key(*id, mcp_detail::subscription_key);
        const std::optional<RequestId> known = id == nullptr ? std::nullopt : mcp_detail::id_of(*id);
        const auto found = known ? waiting_.find(*known) : waiting_.end();
        return found == waiting_.end() ? nullptr : found->second;
    }

    /// Answers a ping, also while no request waits: in a thread of its own, since the one that reads must not wait.
    void answer(std::string text) {
        constexpr std::size_t most = 100;
        if (is_closing_ || answers_.size() >= most) return;
        answers_.push_back(std::move(text));
        if (!answering_.joinable()) answering_ = jthread([this](const stop_token& stop) { write_answers(stop); });
    }
    /// Called without the lock.
    void write_answers(const stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (changed_.wait(lock, stop, [this] { return is_started_ && !answers_.empty(); })) {
            const std::string text = std::exchange(answers_.front(), {});
            answers_.pop_front();
            lock.unlock();
            bool is_written = false;
            try {
                is_written = child_.write(text, {.stop = stop});
            } catch (const ProcessError&) {  // it has ended
            }
            lock.lock();
            if (!is_written) return;
        }
    }

    const std::string name_;
    const OnMessage on_notice_;
    const std::string program_;
    const std::size_t max_bytes_;
    std::string line_{};        // used by the thread that reads alone
    bool is_too_long_ = false;  // the same

    mutable std::mutex mutex_{};
    condition_variable_any changed_{};
    std::map<RequestId, Waiting*> waiting_{};
    std::deque<Sized> questions_{};  // requests of the server
    std::size_t queued_bytes_ = 0;
    std::string broken_{};   // why nothing can be sent
    std::string garbage_{};  // the last that was not a message
    std::deque<std::string> answers_{};
    bool is_started_ = false;
    bool is_closing_ = false;
    jthread answering_{};
    ChildProcess child_;  // whose thread uses the members above
};

ACTA_INLINE StdioTransport::StdioTransport(ProcessOptions options, std::string name, std::size_t max_bytes)
    : options_(std::move(options)), name_(std::move(name)), max_bytes_(max_bytes) {}

ACTA_INLINE StdioTransport::~StdioTransport() { close(); }

ACTA_INLINE std::shared_ptr<StdioTransport::Connection> StdioTransport::connection() const {
    const std::lock_guard lock(mutex_);
    if (connection_ == nullptr) throw ConnectionError("the server '" + name_ + "' is not started");
    return connection_;
}

ACTA_INLINE void StdioTransport::open(OnMessage on_notice) {
    close();
    std::shared_ptr<Connection> made;
    try {
        made = std::make_shared<Connection>(options_, name_, max_bytes_, std::move(on_notice));
    } catch (const ProcessError& error) {
        throw ConnectionError(base::concat({"the server '", name_, "' was not started: ", error.what()}));
    }
    const std::lock_guard lock(mutex_);
    connection_ = std::move(made);
}

ACTA_INLINE Response StdioTransport::exchange(const Outgoing& request, const Patience& patience,
                                              const OnMessage& on_message) {
    return connection()->exchange(request, patience, on_message);
}

ACTA_INLINE void StdioTransport::send(const Outgoing& message, const Patience& patience) {
    connection()->write(message.message, AnswerDeadline(patience).until());
}

ACTA_INLINE void StdioTransport::close() noexcept {
    std::shared_ptr<Connection> ended;
    {
        const std::lock_guard lock(mutex_);
        ended = std::move(connection_);
    }
    if (ended != nullptr) ended->close();
}

ACTA_INLINE bool StdioTransport::is_open() const {
    const std::lock_guard lock(mutex_);
    return connection_ != nullptr && connection_->is_open();
}

ACTA_INLINE std::string StdioTransport::last_words() const {
    const std::lock_guard lock(mutex_);
    return connection_ == nullptr ? "" : connection_->last_words();
}

}  // namespace acta::inline ACTA_ABI::mcp
