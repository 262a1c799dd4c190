// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

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

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::string to_string(ExitStatus status) {
    return status.signal != 0 ? "signal " + std::to_string(status.signal) : "status " + std::to_string(status.code);
}

namespace base {

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

[[noreturn]] ACTA_INLINE void throw_process_error(std::string_view action, const std::string& program, int error) {
    throw ProcessError(concat({"Cannot ", action, " '", program, "': ", std::generic_category().message(error)}));
}

/// Returns a pipe that no program inherits, above the standard streams: a child's are put together of such ones.
ACTA_INLINE Pipe new_pipe(const std::string& program) {
    std::array<int, 2> ends{};
#if defined(__linux__)
    const int failed = ::pipe2(ends.data(), O_CLOEXEC);
#else
    const int failed = ::pipe(ends.data());
#endif
    if (failed != 0) throw_process_error("make a pipe for", program, errno);
    Pipe low{Descriptor(ends[0]), Descriptor(ends[1])};
    Pipe out{Descriptor(::fcntl(ends[0], F_DUPFD_CLOEXEC, 3)), Descriptor(::fcntl(ends[1], F_DUPFD_CLOEXEC, 3))};
    if (!out.read.is_open() || !out.write.is_open()) throw_process_error("make a pipe for", program, errno);
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

/// The process, and the thread that reads what it writes.
class ProcessState {
public:
    explicit ProcessState(ProcessOptions options) : options_(std::move(options)) {
        if (options_.command.empty() || options_.command.front().empty())
            throw ProcessError("Cannot start a process: its command is empty");
        const std::string& program = options_.command.front();
        if (has_bad_text()) throw_process_error("start", program, EINVAL);
        std::error_code error;
        if (!options_.folder.empty() && !std::filesystem::is_directory(options_.folder, error))
            throw_process_error("start", program + "' in '" + options_.folder.string(), ENOTDIR);
        Pipe in = new_pipe(program);
        Pipe out = new_pipe(program);
        Pipe errors = new_pipe(program);
        wake_ = new_pipe(program);
        for (const Descriptor* const one : {&in.write, &out.read, &errors.read}) set_nonblocking(*one);
        if (const int failed = SpawnArguments(options_, in, out, errors).spawn(id_))
            throw_process_error("start", program, failed);
        input_ = std::move(in.write);
        output_ = std::move(out.read);
        errors_ = std::move(errors.read);
#if defined(__linux__) && defined(SYS_pidfd_open)
        ended_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, id_, 0)));
#endif
        try {
            reader_ = std::make_unique<std::thread>([this] { read_all(); });
        } catch (...) {
            ::kill(-id_, SIGKILL);
            reap();
            throw;
        }
    }
    ProcessState(const ProcessState&) = delete;
    ProcessState& operator=(const ProcessState&) = delete;
    ~ProcessState() {
        if (::getpid() != owner_) {
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
        const WithoutSigpipe without;
        while (!text.empty()) {
            if (!input_.is_open()) throw_ended();
            const ssize_t written = ::write(input_.get(), text.data(), text.size());
            if (written >= 0) {
                text.remove_prefix(static_cast<std::size_t>(written));
            } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
                if (until.is_over()) return false;
                wait_for_input();
            } else if (errno != EINTR) {
                without.take_back();
                throw_ended();
            }
        }
        return true;
    }

    bool read(std::chrono::milliseconds longest) {
        const std::unique_lock reading(reading_, std::try_to_lock);
        if (!reading || is_ending_) return false;
        longest = std::clamp<std::chrono::milliseconds>(longest, std::chrono::seconds(0), std::chrono::hours(1));
        lent_until_ = std::chrono::steady_clock::now() + longest;
        std::array<pollfd, 3> all{pollfd{output_.get(), POLLIN, 0}, pollfd{errors_.get(), POLLIN, 0},
                                  pollfd{wake_.read.get(), POLLIN, 0}};  // `end` waits for no reader
        if (::poll(all.data(), all.size(), static_cast<int>(longest.count())) <= 0) return false;
        // A pipe at its end is left to the thread, which may be looking at it.
        const bool has_output = all[0].revents != 0 && read_output() == Found::text;
        const bool has_errors = all[1].revents != 0 && read_errors() == Found::text;
        return has_output || has_errors;
    }

    void close_input() noexcept {
        const std::lock_guard writing(writing_);
        input_.close();
    }

    ExitStatus end() noexcept {
        const std::lock_guard ending(ending_);
        if (!reader_->joinable()) return *status_;
        is_ending_ = true;  // a write that waits returns
        close_input();
        if (!wait_until_closed(options_.close_timeout)) {
            ::kill(-id_, SIGTERM);
            wait_until_closed(options_.terminate_timeout);
        }
        ::kill(-id_, SIGKILL);  // also those of the group that outlive it
        const char stop = 0;
        static_cast<void>(::write(wake_.write.get(), &stop, 1));
        reader_->join();
        reap();
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
    [[nodiscard]] int id() const noexcept { return static_cast<int>(id_); }

private:
    /// Returns whether a text has a zero byte, where the system would cut it off, or a variable has no proper name.
    [[nodiscard]] bool has_bad_text() const {
        const auto has_zero = [](const std::string& text) { return text.find('\0') != std::string::npos; };
        return std::ranges::any_of(options_.command, has_zero) || has_zero(options_.folder.string()) ||
               std::ranges::any_of(options_.environment, [&](const auto& one) {
                   return one.first.empty() || one.first.find('=') != std::string::npos || has_zero(one.first) ||
                          has_zero(one.second);
               });
    }
    [[noreturn]] void throw_ended() const {
        const std::optional<ExitStatus> status = exit_status();
        throw ProcessError(concat({"'", options_.command.front(), "' ",
                                   status ? "has ended with " + to_string(*status) : "no longer reads its input"}));
    }
    /// Waits a moment for the child to read, so that stops and deadlines are noticed.
    void wait_for_input() const {
        pollfd one{input_.get(), POLLOUT, 0};
        static_cast<void>(::poll(&one, 1, 10));
        if (is_ending_ || exit_status()) throw_ended();
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
        while (!is_over && (output_.is_open() || errors_.is_open() || !exit_status())) {
            const bool has_exited = exit_status().has_value();
            // A descriptor below 0 is not looked at.
            std::array<pollfd, 4> all{pollfd{output_.get(), POLLIN, 0}, pollfd{errors_.get(), POLLIN, 0},
                                      pollfd{wake_.read.get(), POLLIN, 0},
                                      pollfd{has_exited ? -1 : ended_.get(), POLLIN, 0}};
            constexpr int look_again = 50;  // milliseconds, where the system does not tell that a process has ended
            constexpr int held_open = 500;  // by a process that the child has started
            const bool waits = has_exited ? is_announced_ : ended_.is_open();
            const int found = ::poll(all.data(), all.size(), waits ? -1 : has_exited ? held_open : look_again);
            is_over = all[2].revents != 0 || rest();
            if (!ended_.is_open() || all[3].revents != 0) look_for_end();
            const std::lock_guard reading(reading_);
            if (all[0].revents != 0 && read_output() == Found::end) output_.close();
            if (all[1].revents != 0 && read_errors() == Found::end) errors_.close();
            if (has_exited && found == 0) announce_end();
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
    /// Waits while another thread reads. Returns whether the process must be ended.
    bool rest() const noexcept {
        for (;;) {
            const auto left = lent_until_.load() - std::chrono::steady_clock::now();
            if (left <= std::chrono::nanoseconds(0)) return false;
            pollfd one{wake_.read.get(), POLLIN, 0};
            if (::poll(&one, 1, 1 + static_cast<int>(left / std::chrono::milliseconds(1))) > 0) return true;
        }
    }
    void announce_end() noexcept {
        if (!std::exchange(is_announced_, true)) options_.on_end();
    }

    enum class Found { text, nothing, end };

    /// Passes on what there is, at most 1 MiB.
    template <class Sink>
    static Found read_some(const Descriptor& from, const Sink& sink) noexcept {
        std::array<char, 16 * 1024> buffer{};
        Found found = Found::nothing;
        for (int i = 0; i < 64 && from.is_open(); ++i) {
            const ssize_t size = ::read(from.get(), buffer.data(), buffer.size());
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
    Found read_output() noexcept { return read_some(output_, options_.on_output); }
    Found read_errors() noexcept {
        return read_some(errors_, [this](std::string_view text) { keep(text); });
    }
    void keep(std::string_view text) {
        const std::lock_guard lock(mutex_);
        said_ += text;
        if (said_.size() > options_.max_errors) said_.erase(0, said_.size() - options_.max_errors);
    }

    /// Notes that the process has ended, but leaves it to `reap`: until then nothing else has its number, which is that
    /// of its group.
    void look_for_end() noexcept {
        if (exit_status()) return;
        siginfo_t info{};
        if (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
            return set_status({-1, 0});  // the program ignores SIGCHLD
        if (info.si_pid == 0) return;
        set_status(info.si_code == CLD_EXITED ? ExitStatus{info.si_status, 0} : ExitStatus{0, info.si_status});
    }
    void set_status(ExitStatus status) noexcept {
        const std::lock_guard lock(mutex_);
        status_ = status;
    }
    /// Waits for the end of a process that was sent SIGKILL.
    void wait_for_end() noexcept {
        while (!exit_status()) {
            siginfo_t info{};
            static_cast<void>(::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOWAIT));
            look_for_end();
        }
    }
    void reap() const noexcept {
        while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }

    const ProcessOptions options_;
    const pid_t owner_ = ::getpid();
    pid_t id_ = -1;
    Descriptor input_{};  // guarded by `writing_`
    Descriptor output_{};
    Descriptor errors_{};
    Descriptor ended_{};  // readable when the process has ended
    Pipe wake_{};
    std::mutex writing_{};
    std::mutex ending_{};
    std::mutex reading_{};  // held by the thread that reads the outputs
    std::atomic<std::chrono::steady_clock::time_point> lent_until_{};
    std::atomic<bool> is_ending_{false};

    mutable std::mutex mutex_{};
    std::condition_variable closed_{};
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
#endif
