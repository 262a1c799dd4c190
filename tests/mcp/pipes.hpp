// SPDX-License-Identifier: MIT
#pragma once

// Pipes between threads of a test, with the descriptors of the C library.
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
// after it
#include <fcntl.h>
#include <io.h>
#else
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#endif

namespace mcp_tests {

/// A pipe, whose ends are closed with it.
class TestPipe {
public:
    TestPipe() {
#if defined(_WIN32)
        const bool is_made = ::_pipe(ends_, 4096, _O_BINARY | _O_NOINHERIT) == 0;
#else
        const bool is_made = ::pipe2(ends_, O_CLOEXEC) == 0;
#endif
        if (!is_made) throw std::runtime_error("no pipe");
    }
    TestPipe(const TestPipe&) = delete;
    TestPipe& operator=(const TestPipe&) = delete;
    ~TestPipe() {
        close(ends_[0]);
        close(ends_[1]);
    }

    [[nodiscard]] int read_end() const { return ends_[0]; }
    [[nodiscard]] int write_end() const { return ends_[1]; }
    void close_write_end() { close(ends_[1]); }
    void close_read_end() { close(ends_[0]); }

    /// Returns whether all was written.
    [[nodiscard]] bool write(std::string_view text) const {
#if defined(_WIN32)
        return ::_write(ends_[1], text.data(), static_cast<unsigned>(text.size())) == static_cast<int>(text.size());
#else
        return ::write(ends_[1], text.data(), text.size()) == ssize_t(text.size());
#endif
    }
    /// Waits until there is something to read, or the end, at most ten seconds.
    [[nodiscard]] bool has_output() const {
#if defined(_WIN32)
        for (int i = 0; i < 10'000; ++i) {
            ::DWORD size = 0;
            if (!::PeekNamedPipe(reinterpret_cast<::HANDLE>(::_get_osfhandle(ends_[0])), nullptr, 0, nullptr, &size,
                                 nullptr) ||
                size > 0)
                return true;
            ::Sleep(1);
        }
        return false;
#else
        ::pollfd one{ends_[0], POLLIN, 0};
        return ::poll(&one, 1, 10'000) == 1;
#endif
    }
    /// Returns what there is, once there is something; empty at the end, or after ten seconds.
    [[nodiscard]] std::string read() const {
        if (!has_output()) return "";
        std::string out(4096, '\0');
#if defined(_WIN32)
        const int size = ::_read(ends_[0], out.data(), static_cast<unsigned>(out.size()));
#else
        const ::ssize_t size = ::read(ends_[0], out.data(), out.size());
#endif
        out.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
        return out;
    }

private:
    static void close(int& end) {
        if (end < 0) return;
#if defined(_WIN32)
        ::_close(std::exchange(end, -1));
#else
        ::close(std::exchange(end, -1));
#endif
    }

    int ends_[2]{-1, -1};
};

/// Another file for a descriptor of the program, such as that of its standard output.
class Replaced {
public:
    Replaced(int descriptor, int by) : descriptor_(descriptor), before_(copy(descriptor)) { replace(by); }
    Replaced(const Replaced&) = delete;
    Replaced& operator=(const Replaced&) = delete;
    ~Replaced() {
        replace(before_);
#if defined(_WIN32)
        ::_close(before_);
#else
        ::close(before_);
#endif
    }

private:
    static int copy(int descriptor) {
#if defined(_WIN32)
        return ::_dup(descriptor);
#else
        return ::dup(descriptor);
#endif
    }
    void replace(int by) const {
#if defined(_WIN32)
        ::_dup2(by, descriptor_);
#else
        ::dup2(by, descriptor_);
#endif
    }

    int descriptor_;
    int before_;
};

}  // namespace mcp_tests
