// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "acta/base/detail/process_parts.inl.hpp"
#include "acta/base/process.hpp"
#include "acta/base/utility.hpp"

#if !defined(_WIN32)
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

extern "C" char** environ;  // NOLINT(readability-redundant-declaration): POSIX lets programs declare it

namespace acta::inline ACTA_ABI::base {

/// An open descriptor, closed when it goes.
class Descriptor {
public:
    explicit Descriptor(int number = -1) noexcept : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { close(); }

    void close() noexcept {
        if (number_ >= 0) ::close(std::exchange(number_, -1));
    }
    [[nodiscard]] int get() const noexcept { return number_; }
    [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }

private:
    int number_;
};

struct Pipe {
    Descriptor read{};
    Descriptor write{};
};

/// Returns a pipe that no program inherits, above the standard streams: a child's are put together of such ones.
ACTA_INLINE Pipe new_pipe(const std::string& program) {
    std::array<int, 2> ends{};
#if defined(__linux__)
    const int failed = ::pipe2(ends.data(), O_CLOEXEC);
#else
    const int failed = ::pipe(ends.data());
#endif
    if (failed != 0) throw_process_error("make a pipe for", program, {errno, std::generic_category()});
    Pipe low{Descriptor(ends[0]), Descriptor(ends[1])};
    Pipe out{Descriptor(::fcntl(ends[0], F_DUPFD_CLOEXEC, 3)), Descriptor(::fcntl(ends[1], F_DUPFD_CLOEXEC, 3))};
    if (!out.read.is_open() || !out.write.is_open())
        throw_process_error("make a pipe for", program, {errno, std::generic_category()});
    return out;
}

ACTA_INLINE void set_nonblocking(const Descriptor& one) noexcept {
    ::fcntl(one.get(), F_SETFL, ::fcntl(one.get(), F_GETFL) | O_NONBLOCK);
}

/// Keeps SIGPIPE from this thread while a pipe is written to.
class WithoutSigpipe {
public:
    WithoutSigpipe() noexcept {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
        was_pending_ = sigismember(&before_, SIGPIPE) == 1 && is_pending();  // only where it was blocked already
    }
    WithoutSigpipe(const WithoutSigpipe&) = delete;
    WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;
    ~WithoutSigpipe() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

    /// Takes back the signal of a `write` that failed with EPIPE.
    void take_back() const noexcept {
        int number = 0;
        if (!was_pending_ && is_pending()) sigwait(&pipe_, &number);
    }

private:
    static bool is_pending() noexcept {
        sigset_t pending;
        sigpending(&pending);
        return sigismember(&pending, SIGPIPE) == 1;
    }

    sigset_t pipe_{};
    sigset_t before_{};
    bool was_pending_ = false;
};

/// What `posix_spawn` is given, freed when it goes.
class SpawnArguments {
public:
    SpawnArguments(const ProcessOptions& options, const Pipe& in, const Pipe& out, const Pipe& errors) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
        posix_spawn_file_actions_adddup2(&actions_, in.read.get(), 0);
        posix_spawn_file_actions_adddup2(&actions_, out.write.get(), 1);
        posix_spawn_file_actions_adddup2(&actions_, errors.write.get(), 2);
        short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setpgroup(&attributes_, 0);
        close_others(flags);
        posix_spawnattr_setflags(&attributes_, flags);
        if (!options.folder.empty()) {
            folder_ = options.folder.string();
            posix_spawn_file_actions_addchdir_np(&actions_, folder_.c_str());
        }
        words_ = options.command;
        variables_ = environment_of(options);
        for (std::string& one : words_) arguments_.push_back(one.data());
        for (std::string& one : variables_) environment_.push_back(one.data());
        arguments_.push_back(nullptr);
        environment_.push_back(nullptr);
    }
    SpawnArguments(const SpawnArguments&) = delete;
    SpawnArguments& operator=(const SpawnArguments&) = delete;
    ~SpawnArguments() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }

    /// Returns the number of an error, or 0.
    int spawn(pid_t& id) {
        return posix_spawnp(&id, arguments_.front(), &actions_, &attributes_, arguments_.data(), environment_.data());
    }

private:
    /// Lets the child inherit no descriptor but the standard ones, those of other libraries included.
    void close_others([[maybe_unused]] short& flags) {
#if defined(__APPLE__)
        flags = static_cast<short>(flags | POSIX_SPAWN_CLOEXEC_DEFAULT);
#elif defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
        posix_spawn_file_actions_addclosefrom_np(&actions_, 3);
#else
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator("/dev/fd", error)) {
            const int number = std::atoi(entry.path().filename().c_str());
            if (number > 2 && (::fcntl(number, F_GETFD) & FD_CLOEXEC) == 0)
                posix_spawn_file_actions_addclose(&actions_, number);
        }
#endif
    }
    static std::vector<std::string> environment_of(const ProcessOptions& options) {
        std::vector<std::string> out;
        const auto is_set = [&](std::string_view variable) {
            return std::any_of(options.environment.begin(), options.environment.end(),
                               [&](const auto& one) { return variable.substr(0, variable.find('=')) == one.first; });
        };
        for (char** one = environ; options.inherit_environment && one != nullptr && *one != nullptr; ++one)
            if (!is_set(*one)) out.emplace_back(*one);
        for (const auto& [name, value] : options.environment) out.push_back(concat({name, "=", value}));
        return out;
    }

    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
    std::string folder_{};
    std::vector<std::string> words_{};
    std::vector<std::string> variables_{};
    std::vector<char*> arguments_{};
    std::vector<char*> environment_{};
};

/// The end of a pipe that a process writes to.
class ProcessOutput {
public:
    ProcessOutput() = default;
    explicit ProcessOutput(Descriptor from) : from_(std::move(from)) { set_nonblocking(from_); }

    [[nodiscard]] bool is_open() const noexcept { return from_.is_open(); }
    [[nodiscard]] int get() const noexcept { return from_.get(); }
    void close() noexcept { from_.close(); }
    /// Passes on what there is, at most 1 MiB.
    template <class Sink>
    Found read(const Sink& sink) noexcept {
        std::array<char, 16 * 1024> buffer{};
        Found found = Found::nothing;
        for (int i = 0; i < 64 && from_.is_open(); ++i) {
            const ssize_t size = ::read(from_.get(), buffer.data(), buffer.size());
            if (size > 0) {
                sink(std::string_view(buffer.data(), static_cast<std::size_t>(size)));
                found = Found::text;
                if (static_cast<std::size_t>(size) < buffer.size()) break;
            } else if (size == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
                return Found::end;
            } else {
                break;
            }
        }
        return found;
    }

private:
    Descriptor from_{};
};

/// A process and its pipes, as the system has them.
class SystemProcess {
public:
    /// Starts a process. Throws `ProcessError`.
    explicit SystemProcess(const ProcessOptions& options) {
        const std::string& program = options.command.front();
        Pipe in = new_pipe(program);
        Pipe out = new_pipe(program);
        Pipe error_output = new_pipe(program);
        wake_ = new_pipe(program);
        set_nonblocking(in.write);
        if (const int failed = SpawnArguments(options, in, out, error_output).spawn(id_))
            throw_process_error("start", program, {failed, std::generic_category()});
        input_ = std::move(in.write);
        output = ProcessOutput(std::move(out.read));
        errors = ProcessOutput(std::move(error_output.read));
#if defined(__linux__) && defined(SYS_pidfd_open)
        ended_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, id_, 0)));
#endif
    }

    ProcessOutput output{};
    ProcessOutput errors{};

    [[nodiscard]] int id() const noexcept { return static_cast<int>(id_); }
    /// Whether this process has started it; not where `fork` has copied this object.
    [[nodiscard]] bool is_ours() const noexcept { return ::getpid() == owner_; }

    /// Writes to its input. Where that would block, calls `may_wait` about every 10 ms, and gives up if that is false.
    template <class MayWait>
    Written write(std::string_view text, const MayWait& may_wait) {
        const WithoutSigpipe without;
        while (!text.empty()) {
            if (!input_.is_open()) return Written::unread;
            const ssize_t written = ::write(input_.get(), text.data(), text.size());
            if (written >= 0) {
                text.remove_prefix(static_cast<std::size_t>(written));
            } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
                if (!may_wait()) return Written::part;
                pollfd one{input_.get(), POLLOUT, 0};
                static_cast<void>(::poll(&one, 1, 10));
            } else if (errno != EINTR) {
                without.take_back();
                return Written::unread;
            }
        }
        return Written::all;
    }
    void close_input() noexcept { input_.close(); }

    /// Waits for what is watched, at most this long, or for ever if negative.
    [[nodiscard]] ProcessEvents wait(const ProcessEvents& watched, int milliseconds) const noexcept {
        const auto entry = [](bool is_watched, int number) {  // one below 0 is not looked at
            return pollfd{is_watched ? number : -1, POLLIN, 0};
        };
        std::array<pollfd, 4> all{entry(watched.output, output.get()), entry(watched.errors, errors.get()),
                                  entry(watched.end, ended_.get()), entry(watched.wake, wake_.read.get())};
        const int found = ::poll(all.data(), all.size(), milliseconds);
        return {.output = all[0].revents != 0,
                .errors = all[1].revents != 0,
                .end = all[2].revents != 0,
                .wake = all[3].revents != 0,
                .timeout = found == 0};
    }
    /// Ends the waits, from now on.
    void wake() const noexcept {
        const char stop = 0;
        static_cast<void>(::write(wake_.write.get(), &stop, 1));
    }
    /// Whether `wait` notices the end of the process.
    [[nodiscard]] bool tells_end() const noexcept { return ended_.is_open(); }
    /// Returns how the process has ended, but leaves it to `reap`: until then nothing else has its number, which is
    /// that of its group.
    [[nodiscard]] std::optional<ExitStatus> status() const noexcept {
        siginfo_t info{};
        if (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
            return ExitStatus{-1, 0};  // the program ignores SIGCHLD
        if (info.si_pid == 0) return std::nullopt;
        return info.si_code == CLD_EXITED ? ExitStatus{info.si_status, 0} : ExitStatus{0, info.si_status};
    }
    void wait_for_end() const noexcept {
        siginfo_t info{};
        static_cast<void>(::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOWAIT));
    }

    /// Asks the group to end.
    void terminate() const noexcept { ::kill(-id_, SIGTERM); }
    /// Ends the group.
    void kill() const noexcept { ::kill(-id_, SIGKILL); }
    /// Waits for the end of what was killed, and leaves no trace of it.
    void reap() const noexcept {
        while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }

private:
    const pid_t owner_ = ::getpid();
    pid_t id_ = -1;
    Descriptor input_{};
    Descriptor ended_{};  // readable when the process has ended
    Pipe wake_{};
};

}  // namespace acta::inline ACTA_ABI::base
#endif
