// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"

#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
// after it
#include <io.h>
#else
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#endif

namespace acta::inline ACTA_ABI::mcp_detail {

#if !defined(_WIN32)

/// The two streams of a server. While there is one for the standard output, that is the error output. `is_over` and
/// `is_ending`, which other threads change, end a read, and a write that the reader does not take.
class StdioStreams {
public:
    StdioStreams(int input, int output, std::function<bool()> is_over, std::function<bool()> is_ending)
        : is_over_(std::move(is_over)),
          is_ending_(std::move(is_ending)),
          input_(input),
          replaced_(output),
          output_(::fcntl(output, F_DUPFD_CLOEXEC, 3)) {
        if (output_ == -1) throw FileError("the standard output cannot be written to");
        if (replaced_ == 1) ::dup2(2, 1);
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGPIPE, &ignore, &before_);  // a client that has gone is noticed when it is written to
    }
    StdioStreams(const StdioStreams&) = delete;
    StdioStreams& operator=(const StdioStreams&) = delete;
    ~StdioStreams() {
        if (replaced_ == 1) ::dup2(output_, 1);
        ::close(output_);
        ::sigaction(SIGPIPE, &before_, nullptr);
    }

    /// Waits for input, and returns what has come, valid until the next call; nothing at its end.
    std::string_view read() {
        while (!is_over_()) {
            pollfd in{input_, POLLIN, 0};
            const int found = ::poll(&in, 1, 200);
            if (found == 0 || (found < 0 && errno == EINTR)) continue;
            const ssize_t size = ::read(input_, buffer_.data(), buffer_.size());
            if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
            return {buffer_.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
        }
        return {};
    }
    /// Returns whether all was written.
    bool write(std::string_view text) {
        while (!text.empty()) {
            // A pipe that takes anything takes this much, so that a client that does not read blocks nothing for ever.
            pollfd out{output_, POLLOUT, 0};
            if (::poll(&out, 1, 100) == 0) {
                if (is_ending_()) return false;
                continue;
            }
            const ssize_t written = ::write(output_, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
            if (written >= 0)
                text.remove_prefix(static_cast<std::size_t>(written));
            else if (errno != EAGAIN && errno != EINTR)
                return false;  // the output is not read
        }
        return true;
    }

private:
    const std::function<bool()> is_over_;
    const std::function<bool()> is_ending_;
    std::vector<char> buffer_ = std::vector<char>(std::size_t{64} * 1024);
    const int input_;
    const int replaced_;
    const int output_;
    struct sigaction before_ {};
};

#else

/// A call that may block its thread for ever, unless another thread cancels it.
class BlockingCall {
public:
    /// Returns the error of the call, or 0.
    template <class Call>
    ::DWORD operator()(const Call& call) {
        ::HANDLE own = ::OpenThread(THREAD_TERMINATE, FALSE, ::GetCurrentThreadId());
        set(own);
        const ::DWORD error = call() ? ERROR_SUCCESS : ::GetLastError();
        set(nullptr);
        if (own != nullptr) ::CloseHandle(own);
        return error;
    }
    void cancel() {
        const std::lock_guard lock(mutex_);
        if (thread_ != nullptr) ::CancelSynchronousIo(thread_);
    }
    /// Cancels a call that was there the last time, too.
    void cancel_old() {
        const std::lock_guard lock(mutex_);
        if (thread_ != nullptr && seen_ == count_) ::CancelSynchronousIo(thread_);
        seen_ = count_;
    }

private:
    void set(::HANDLE thread) {
        const std::lock_guard lock(mutex_);
        thread_ = thread;
        ++count_;
    }

    std::mutex mutex_{};
    ::HANDLE thread_ = nullptr;
    std::uint64_t count_ = 0;
    std::uint64_t seen_ = 0;
};

/// The same with the calls of Windows, which block. They read and write bytes, whatever the mode of the descriptors.
class StdioStreams {
public:
    StdioStreams(int input, int output, std::function<bool()> is_over, std::function<bool()> is_ending)
        : is_over_(std::move(is_over)),
          is_ending_(std::move(is_ending)),
          input_(handle(input)),
          output_(output),
          watching_([this](const stop_token& stop) { watch(stop); }) {}

    std::string_view read() {
        while (!is_over_()) {
            ::DWORD size = 0;
            const ::DWORD error = reading_([&] {
                return ::ReadFile(input_, buffer_.data(), static_cast<::DWORD>(buffer_.size()), &size, nullptr);
            });
            const bool is_empty = error == ERROR_SUCCESS && size == 0 && ::GetFileType(input_) == FILE_TYPE_PIPE;
            if (!is_empty && error != ERROR_OPERATION_ABORTED) return {buffer_.data(), size};
        }
        return {};
    }
    bool write(std::string_view text) {
        while (!text.empty()) {
            constexpr std::size_t most_at_once = 4096;  // so that a client that reads slowly is seen to read
            ::DWORD size = 0;
            const ::DWORD error = writing_([&] {
                return ::WriteFile(output_.handle, text.data(),
                                   static_cast<::DWORD>(std::min(text.size(), most_at_once)), &size, nullptr);
            });
            if (error != ERROR_SUCCESS) return false;
            text.remove_prefix(size);
        }
        return true;
    }

private:
    /// The output, under another descriptor.
    struct Output {
        explicit Output(int of) : replaced(of), copy(::_dup(of)), handle(StdioStreams::handle(copy)) {
            if (copy < 0) throw FileError("the standard output cannot be written to");
            ::SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0);
            if (replaced == 1) ::_dup2(2, 1);
        }
        Output(const Output&) = delete;
        Output& operator=(const Output&) = delete;
        ~Output() {
            if (replaced == 1) ::_dup2(copy, 1);
            ::_close(copy);
        }
        int replaced;
        int copy;
        ::HANDLE handle;
    };

    static ::HANDLE handle(int descriptor) noexcept {
        return descriptor < 0 ? INVALID_HANDLE_VALUE : reinterpret_cast<::HANDLE>(::_get_osfhandle(descriptor));
    }
    void watch(const stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (!stop.stop_requested()) {
            const auto next = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
            base::wait_until(never_, lock, stop, next, [] { return false; });
            if (is_over_()) reading_.cancel();
            if (is_ending_()) writing_.cancel_old();
        }
    }

    const std::function<bool()> is_over_;
    const std::function<bool()> is_ending_;
    ::HANDLE input_;
    Output output_;
    BlockingCall reading_{};
    BlockingCall writing_{};
    std::vector<char> buffer_ = std::vector<char>(std::size_t{64} * 1024);
    std::mutex mutex_{};
    condition_variable_any never_{};
    jthread watching_;
};

#endif

}  // namespace acta::inline ACTA_ABI::mcp_detail
