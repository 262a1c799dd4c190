// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "acta/base/detail/process_parts.inl.hpp"
#include "acta/base/detail/process_posix.inl.hpp"
#include "acta/base/detail/process_windows.inl.hpp"
#include "acta/base/process.hpp"
#include "acta/base/utility.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::string to_string(ExitStatus status) {
    return status.signal != 0 ? "signal " + std::to_string(status.signal) : "status " + std::to_string(status.code);
}

namespace base {

/// The process, and the thread that reads what it writes.
class ProcessState {
public:
    explicit ProcessState(ProcessOptions options) : options_(checked(std::move(options))), system_(options_) {
        try {
            reader_ = std::make_unique<std::thread>([this] { read_all(); });
        } catch (...) {
            system_.kill();
            system_.reap();
            throw;
        }
    }
    ProcessState(const ProcessState&) = delete;
    ProcessState& operator=(const ProcessState&) = delete;
    ~ProcessState() {
        if (!system_.is_ours()) {
            static_cast<void>(reader_.release());  // its thread is not in this process, a copy of the one that has it
            return;
        }
        end();
    }

    bool write(std::string_view text, const Until& until) {
        std::unique_lock writing(writing_, std::defer_lock);
        while (!writing.try_lock()) {  // also another thread's text may wait for the child
            if (until.is_over()) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        const auto may_wait = [&] {
            if (until.is_over()) return false;
            if (is_ending_ || exit_status()) throw_ended();
            return true;
        };
        const Written written = system_.write(text, may_wait);
        if (written == Written::unread) throw_ended();
        return written == Written::all;
    }

    bool read(std::chrono::milliseconds longest) {
        const std::unique_lock reading(reading_, std::try_to_lock);
        if (!reading || is_ending_) return false;
        longest = std::clamp<std::chrono::milliseconds>(longest, std::chrono::seconds(0), std::chrono::hours(1));
        lend(std::chrono::steady_clock::now() + longest);
        // `end` waits for no reader.
        const ProcessEvents found =
            system_.wait({.output = true, .errors = true, .wake = true}, static_cast<int>(longest.count()));
        // A pipe at its end is left to the thread, which may be looking at it.
        const bool has_output = found.output && read_output() == Found::text;
        const bool has_errors = found.errors && read_errors() == Found::text;
        return has_output || has_errors;
    }

    void close_input() noexcept {
        const std::lock_guard writing(writing_);
        system_.close_input();
    }

    ExitStatus end() noexcept {
        const std::lock_guard ending(ending_);
        if (!reader_->joinable()) return *status_;
        {
            const std::lock_guard lock(mutex_);
            is_ending_ = true;  // a write that waits returns
        }
        resumed_.notify_all();
        close_input();
        if (!wait_until_closed(options_.close_timeout)) {
            system_.terminate();
            wait_until_closed(options_.terminate_timeout);
        }
        system_.kill();  // also those of the group that outlive it
        system_.wake();
        reader_->join();
        system_.reap();
        return *exit_status();
    }

    [[nodiscard]] std::optional<ExitStatus> exit_status() const {
        const std::lock_guard lock(mutex_);
        return status_;
    }
    [[nodiscard]] std::string errors() const {
        const std::lock_guard lock(mutex_);
        return said_;
    }
    [[nodiscard]] int id() const noexcept { return system_.id(); }

private:
    static ProcessOptions checked(ProcessOptions options) {
        if (options.command.empty() || options.command.front().empty())
            throw ProcessError("Cannot start a process: its command is empty");
        const std::string& program = options.command.front();
        if (has_bad_text(options))
            throw_process_error("start", program, std::make_error_code(std::errc::invalid_argument));
        std::error_code error;
        if (!options.folder.empty() && !std::filesystem::is_directory(options.folder, error)) {
            const auto folder = options.folder.u8string();  // in UTF-8 on Windows too
            throw_process_error("start", concat({program, "' in '", std::string(folder.begin(), folder.end())}),
                                std::make_error_code(std::errc::not_a_directory));
        }
        return options;
    }
    /// Returns whether a text has a zero byte, where the system would cut it off, or a variable has no proper name.
    static bool has_bad_text(const ProcessOptions& options) {
        const auto has_zero = [](const auto& text) { return text.find('\0') != text.npos; };
        return std::ranges::any_of(options.command, has_zero) || has_zero(options.folder.native()) ||
               std::ranges::any_of(options.environment, [&](const auto& one) {
                   return one.first.empty() || one.first.find('=') != std::string::npos || has_zero(one.first) ||
                          has_zero(one.second);
               });
    }
    [[noreturn]] void throw_ended() const {
        const std::optional<ExitStatus> status = exit_status();
        throw ProcessError(concat({"'", options_.command.front(), "' ",
                                   status ? "has ended with " + to_string(*status) : "no longer reads its input"}));
    }

    /// Waits until the process has ended and nothing has its output open; returns whether that is so.
    bool wait_until_closed(std::chrono::nanoseconds time) noexcept {
        std::unique_lock lock(mutex_);
        const auto end = saturated_sum(std::chrono::steady_clock::now(), time);
        while (!is_closed_) {
            const auto now = std::chrono::steady_clock::now();
            if (now >= end) return false;
            closed_.wait_until(lock, std::min(end, now + std::chrono::hours(24)));
        }
        return true;
    }

    /// Reads until the process has ended and its output is closed, or `end` has ended it.
    void read_all() noexcept {
        bool is_over = false;
        while (!is_over && (system_.output.is_open() || system_.errors.is_open() || !exit_status())) {
            const bool has_exited = exit_status().has_value();
            constexpr int look_again = 50;  // milliseconds, where the system does not tell that a process has ended
            constexpr int held_open = 500;  // by a process that the child has started
            const bool waits = has_exited ? is_announced_ : system_.tells_end();
            const ProcessEvents found = system_.wait({.output = true, .errors = true, .end = !has_exited, .wake = true},
                                                     waits        ? -1
                                                     : has_exited ? held_open
                                                                  : look_again);
            is_over = found.wake;
            if (!is_over) rest();
            if (!system_.tells_end() || found.end) look_for_end();
            const std::lock_guard reading(reading_);
            if (found.output && read_output() == Found::end) system_.output.close();
            if (found.errors && read_errors() == Found::end) system_.errors.close();
            if (has_exited && found.timeout) announce_end();
        }
        if (is_over) {  // what was written before the group was ended
            const std::lock_guard reading(reading_);
            static_cast<void>(read_output());
            static_cast<void>(read_errors());
            wait_for_end();
        }
        {
            const std::lock_guard lock(mutex_);
            is_closed_ = true;
        }
        closed_.notify_all();
        announce_end();
    }
    /// Leaves the outputs to the calling thread until then.
    void lend(std::chrono::steady_clock::time_point until) {
        const std::lock_guard lock(mutex_);
        if (until < std::exchange(lent_until_, until)) resumed_.notify_all();
    }
    /// Waits while they are left to another thread, until `end` is called.
    void rest() noexcept {
        std::unique_lock lock(mutex_);
        while (!is_ending_ && std::chrono::steady_clock::now() < lent_until_) resumed_.wait_until(lock, lent_until_);
    }
    void announce_end() noexcept {
        if (!std::exchange(is_announced_, true)) options_.on_end();
    }

    Found read_output() noexcept { return system_.output.read(options_.on_output); }
    Found read_errors() noexcept {
        return system_.errors.read([this](std::string_view text) { keep(text); });
    }
    void keep(std::string_view text) {
        const std::lock_guard lock(mutex_);
        said_ += text;
        if (said_.size() > options_.max_errors) said_.erase(0, said_.size() - options_.max_errors);
    }

    void look_for_end() noexcept {
        if (exit_status()) return;
        const std::optional<ExitStatus> status = system_.status();
        const std::lock_guard lock(mutex_);
        status_ = status;
    }
    /// Waits for the end of a process that was killed.
    void wait_for_end() noexcept {
        for (look_for_end(); !exit_status(); look_for_end()) system_.wait_for_end();
    }

    const ProcessOptions options_;
    SystemProcess system_;  // whose input is guarded by `writing_`
    std::mutex writing_{};
    std::mutex ending_{};
    std::mutex reading_{};  // held by the thread that reads the outputs
    std::atomic<bool> is_ending_{false};

    mutable std::mutex mutex_{};
    std::condition_variable closed_{};
    std::chrono::steady_clock::time_point lent_until_{};
    std::condition_variable resumed_{};  // a thread that rests continues
    std::optional<ExitStatus> status_{};
    std::string said_{};
    bool is_closed_ = false;

    bool is_announced_ = false;  // used by `reader_` alone

    std::unique_ptr<std::thread> reader_{};
};

}  // namespace base

ACTA_INLINE ChildProcess::ChildProcess(ProcessOptions options)
    : state_(std::make_unique<base::ProcessState>(std::move(options))) {}
ACTA_INLINE ChildProcess::~ChildProcess() = default;
ACTA_INLINE bool ChildProcess::write(std::string_view text, const Until& until) { return state_->write(text, until); }
ACTA_INLINE bool ChildProcess::read(std::chrono::milliseconds longest) { return state_->read(longest); }
ACTA_INLINE void ChildProcess::close_input() noexcept { state_->close_input(); }
ACTA_INLINE ExitStatus ChildProcess::end() noexcept { return state_->end(); }
ACTA_INLINE std::optional<ExitStatus> ChildProcess::exit_status() const { return state_->exit_status(); }
ACTA_INLINE std::string ChildProcess::errors() const { return state_->errors(); }
ACTA_INLINE int ChildProcess::id() const noexcept { return state_->id(); }

}  // namespace acta::inline ACTA_ABI
