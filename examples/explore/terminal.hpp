// SPDX-License-Identifier: MIT
#pragma once

// A key of the terminal between two steps. It is read from the terminal device itself, for standard input is closed
// under a CMake workflow. Without a terminal, or without POSIX terminals, a run is not interrupted.

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>

#if defined(__unix__) || defined(__APPLE__)
#define EXPLORE_POSIX_TERMINAL 1
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>
#endif

namespace explore {

/// Whether to use colours: the output is a terminal, and they are not switched off (https://no-color.org).
inline bool wants_colour() {
#if defined(EXPLORE_POSIX_TERMINAL)
    const char* const none = std::getenv("NO_COLOR");
    return ::isatty(STDOUT_FILENO) != 0 && (none == nullptr || *none == '\0');
#else
    return false;
#endif
}

#if defined(EXPLORE_POSIX_TERMINAL)

class Terminal {
public:
    /// Listens only if the output is a terminal; if it is a file, no key is waited for.
    Terminal() {
        if (::isatty(STDOUT_FILENO) != 0) fd_ = ::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;
    ~Terminal() {
        if (fd_ >= 0) ::close(fd_);
    }

    /// A process in the background must not touch its terminal: it would be stopped.
    [[nodiscard]] bool listens() const { return fd_ >= 0 && ::tcgetpgrp(fd_) == ::getpgrp(); }

    /// Waits so long for the key `i`, and then for a line of feedback. Nothing where there was no key, or no line.
    [[nodiscard]] std::optional<std::string> feedback(std::chrono::milliseconds patience) const {
        if (!listens() || !interrupted(patience)) return std::nullopt;
        say("Feedback (an empty line continues): ");
        std::string line = read_line();
        return line.empty() ? std::nullopt : std::optional(std::move(line));
    }

private:
    /// Keys come at once and are not shown, as long as this lives. Signals are off for that time, so that none ends the
    /// program before the terminal is as it was; the key for one is read like any other.
    class RawMode {
    public:
        RawMode(int fd, bool waits) : fd_(fd), changed_(::tcgetattr(fd, &before_) == 0) {
            if (!changed_) return;
            ::termios raw = before_;
            raw.c_lflag &= ~static_cast<::tcflag_t>(ICANON | ECHO | ISIG);
            raw.c_cc[VMIN] = 0;
            raw.c_cc[VTIME] = waits ? 1 : 0;  // a read waits a tenth of a second; poll knows no terminals on macOS
            changed_ = ::tcsetattr(fd, TCSANOW, &raw) == 0;
        }
        RawMode(const RawMode&) = delete;
        RawMode& operator=(const RawMode&) = delete;
        ~RawMode() {
            if (changed_) ::tcsetattr(fd_, TCSANOW, &before_);
        }
        [[nodiscard]] bool on() const noexcept { return changed_; }
        [[nodiscard]] bool is_quit(char key) const noexcept {
            return static_cast<::cc_t>(key) == before_.c_cc[VINTR] || static_cast<::cc_t>(key) == before_.c_cc[VQUIT];
        }

    private:
        int fd_;
        ::termios before_{};
        bool changed_;
    };

    [[nodiscard]] bool interrupted(std::chrono::milliseconds patience) const {
        using Clock = std::chrono::steady_clock;
        const auto until = Clock::now() + patience;
        bool quit = false;
        {
            const RawMode raw(fd_, patience.count() > 0);
            while (raw.on() && !quit) {
                char key = 0;
                const ::ssize_t got = ::read(fd_, &key, 1);
                if (got < 0 && errno != EINTR) return false;
                if (got == 1 && key == 'i') return true;
                quit = got == 1 && raw.is_quit(key);
                if (got <= 0 && Clock::now() >= until) return false;
            }
        }
        if (quit) std::raise(SIGINT);
        return false;
    }

    void say(std::string_view text) const {
        while (!text.empty()) {
            const ::ssize_t written = ::write(fd_, text.data(), text.size());
            if (written <= 0) return;
            text.remove_prefix(static_cast<std::size_t>(written));
        }
    }

    [[nodiscard]] std::string read_line() const {
        constexpr std::size_t longest = 4096;
        std::string line;
        for (char c = 0; line.size() < longest && ::read(fd_, &c, 1) == 1 && c != '\n';) line += c;
        return line;
    }

    int fd_ = -1;
};

#else

class Terminal {
public:
    [[nodiscard]] bool listens() const { return false; }
    [[nodiscard]] std::optional<std::string> feedback(std::chrono::milliseconds) const { return std::nullopt; }
};

#endif

}  // namespace explore
