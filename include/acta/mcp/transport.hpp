// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "acta/base/duration.hpp"
#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/mcp/json_rpc.hpp"
#include "acta/mcp/protocol.hpp"
#include "acta/version.hpp"

// What carries messages between a client and a server.
namespace acta::inline ACTA_ABI::mcp {

/// What a client sends.
struct Outgoing {
    Message message{};                   ///< The message.
    std::vector<std::string> headers{};  ///< Of a request over HTTP, besides those that every one has.
    bool is_stateless = false;           ///< Whether its revision is one from 2026 on.
};

/// The time in which a person was asked, which counts for no timeout. Several threads may use one.
class AskedTime {
public:
    /// Begins to ask, until the result is destroyed.
    [[nodiscard]] std::shared_ptr<void> asking() {
        const std::lock_guard lock(mutex_);
        if (asking_++ == 0) since_ = Clock::now();
        return {this, [](AskedTime* of) { of->end(); }};
    }
    /// Returns the time so far.
    [[nodiscard]] std::chrono::nanoseconds total() const {
        const std::lock_guard lock(mutex_);
        return asking_ == 0 ? total_ : total_ + (Clock::now() - since_);
    }

private:
    using Clock = std::chrono::steady_clock;
    void end() {
        const std::lock_guard lock(mutex_);
        if (--asking_ == 0) total_ += Clock::now() - since_;
    }

    mutable std::mutex mutex_{};
    int asking_ = 0;
    Clock::time_point since_{};
    std::chrono::nanoseconds total_{0};
};

/// How long an answer is awaited.
struct Patience {
    Until until{};                                        ///< The caller's.
    TimeLimit timeout = std::chrono::nanoseconds::max();  ///< Besides the time in which a person is asked.
    const AskedTime* asked = nullptr;                     ///< That time; null for none.
};

/// When the awaiting of one answer ends.
class AnswerDeadline {
public:
    /// Begins now.
    explicit AnswerDeadline(const Patience& patience)
        : patience_(patience), start_(std::chrono::steady_clock::now()), asked_(asked()) {}
    /// Returns the moment as it is known now.
    [[nodiscard]] std::chrono::steady_clock::time_point end() const {
        const auto timed = base::saturated_sum(base::saturated_sum(start_, std::chrono::nanoseconds(patience_.timeout)),
                                               asked() - asked_);
        return std::min(timed, patience_.until.deadline.value_or(timed));
    }
    /// Throws `Cancelled` or `Timeout` if the awaiting has ended.
    void check() const {
        if (patience_.until.is_cancelled()) throw Cancelled();
        if (std::chrono::steady_clock::now() >= end()) throw Timeout();
    }
    /// Returns the caller's token, and the moment.
    [[nodiscard]] Until until() const { return {patience_.until.stop, end()}; }

private:
    [[nodiscard]] std::chrono::nanoseconds asked() const {
        return patience_.asked == nullptr ? std::chrono::nanoseconds(0) : patience_.asked->total();
    }

    const Patience& patience_;
    std::chrono::steady_clock::time_point start_;
    std::chrono::nanoseconds asked_;
};

/// Receives a message of a server.
using OnMessage = std::function<void(Message)>;

/// A server answered over HTTP with a status alone.
class StatusError : public mcp::ConnectionError {
public:
    /// An error whose `what()` is `message`.
    StatusError(int status, const std::string& message) : ConnectionError(message), status_(status) {}
    /// Returns the status of HTTP, such as 404.
    [[nodiscard]] int status() const noexcept { return status_; }

private:
    int status_;
};

/// Carries messages to one server. Several threads may use an open one.
class Transport {
public:
    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    virtual ~Transport() = default;

    /// Connects, or reconnects: a process that runs is ended first. Notifications of a process that are about no
    /// request go to `on_notice`, in the thread that reads, which does nothing else during the call. Throws
    /// `ConnectionError`.
    virtual void open(OnMessage on_notice) = 0;
    /// Sends a request and returns the response to it. `on_message` receives what is about this request, and what a
    /// process asks for, in this thread. Throws `ConnectionError`, `Timeout` and `Cancelled`, and what `on_message`
    /// throws.
    [[nodiscard]] virtual Response exchange(const Outgoing& request, const Patience& patience,
                                            const OnMessage& on_message) = 0;
    /// Sends a notification or a response. Throws as `exchange` does.
    virtual void send(const Outgoing& message, const Patience& patience) = 0;
    /// Passes on what a server that is not a process sends outside of any answer, until `until` is over. Calls
    /// `on_open` when nothing that it sends from then on is missed. Returns early if it sends nothing in this way.
    /// `headers` are those of a message.
    virtual void listen(const std::vector<std::string>& headers, const Until& until,
                        const std::function<void()>& on_open, const OnMessage& on_message) = 0;
    /// Returns whether the server is a process of this client: one that does not answer is restarted, and a
    /// request is cancelled by a message.
    [[nodiscard]] virtual bool is_process() const noexcept = 0;
    /// Returns whether requests can be sent: false before `open`, and where a connection that was open broke.
    [[nodiscard]] virtual bool is_open() const = 0;
    /// Ends the connection. May be repeated.
    virtual void close() noexcept = 0;
    /// Returns what the server last wrote besides messages; empty if it did not, or cannot.
    [[nodiscard]] virtual std::string last_words() const { return {}; }
};

}  // namespace acta::inline ACTA_ABI::mcp
