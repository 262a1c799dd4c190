// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "acta/base/detail/process_parts.inl.hpp"
#include "acta/base/process.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"

#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

namespace acta::inline ACTA_ABI::base {

/// An open handle, closed when it goes.
class Handle {
public:
    explicit Handle(::HANDLE value = nullptr) noexcept : value_(value == INVALID_HANDLE_VALUE ? nullptr : value) {}
    Handle(Handle&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~Handle() { close(); }

    void close() noexcept {
        if (value_ != nullptr) ::CloseHandle(std::exchange(value_, nullptr));
    }
    [[nodiscard]] ::HANDLE get() const noexcept { return value_; }
    [[nodiscard]] bool is_open() const noexcept { return value_ != nullptr; }

private:
    ::HANDLE value_;
};

/// Throws a `ProcessError` about the last error of this thread.
[[noreturn]] ACTA_INLINE void throw_system_error(std::string_view action, std::string_view program) {
    throw_process_error(action, program, std::error_code(static_cast<int>(::GetLastError()), std::system_category()));
}

/// Returns a text of UTF-8 in the encoding of the system. Throws `ProcessError` about `program`.
ACTA_INLINE std::wstring wide(std::string_view program, const std::string& text) {
    if (text.empty()) return {};
    const int bytes = text.size() < INT_MAX ? static_cast<int>(text.size()) : 0;
    const int size = ::MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), bytes, nullptr, 0);
    if (size == 0)
        throw ProcessError(concat({"Cannot start '", utf8::replace_invalid(program), "': '",
                                   utf8::replace_invalid(utf8::prefix(text, 200)), "' is not valid UTF-8"}));
    std::wstring out(static_cast<std::size_t>(size), L'\0');
    ::MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), bytes, out.data(), size);
    return out;
}

/// The order of names that differ in more than case, in which the system wants the variables of a process.
struct BeforeWithoutCase {
    static int compare(std::wstring_view a, std::wstring_view b) noexcept {
        return ::CompareStringOrdinal(a.data(), static_cast<int>(a.size()), b.data(), static_cast<int>(b.size()), TRUE);
    }
    bool operator()(const std::wstring& a, const std::wstring& b) const noexcept {
        return compare(a, b) == CSTR_LESS_THAN;
    }
};
using Variables = std::map<std::wstring, std::wstring, BeforeWithoutCase>;

ACTA_INLINE Variables own_variables() {
    struct Free {
        void operator()(wchar_t* block) const noexcept { ::FreeEnvironmentStringsW(block); }
    };
    const std::unique_ptr<wchar_t, Free> block(::GetEnvironmentStringsW());
    Variables out;
    for (const wchar_t* one = block.get(); one != nullptr && *one != L'\0';) {
        const std::wstring_view variable(one);
        const std::size_t end = variable.find(L'=', 1);  // the folders of drives are variables such as "=C:"
        if (end != std::wstring_view::npos) out.emplace(variable.substr(0, end), variable.substr(end + 1));
        one += variable.size() + 1;
    }
    return out;
}

/// Returns the environment of a child, as CreateProcess takes it.
ACTA_INLINE std::wstring environment_block(const ProcessOptions& options, const Variables& own) {
    const std::string& program = options.command.front();
    Variables all;
    if (options.inherit_environment)
        all = own;
    else if (const auto root = own.find(L"SystemRoot"); root != own.end())
        all.insert(*root);  // without which libraries of the system fail, those for sockets among them
    for (const auto& [name, value] : options.environment)
        all.insert_or_assign(wide(program, name), wide(program, value));
    std::wstring out;
    for (const auto& [name, value] : all) out.append(name).append(1, L'=').append(value).append(1, L'\0');
    out.append(all.empty() ? 2 : 1, L'\0');
    return out;
}

/// Finds and quotes what CreateProcess starts: a program, or cmd.exe for a script.
class CommandLine {
public:
    explicit CommandLine(const ProcessOptions& options, const Variables& own) : program_(options.command.front()) {
        file_ = find_file(options, wide(program_, program_), own);
        const bool is_script = has_ending(file_, L".bat") || has_ending(file_, L".cmd");
        if (file_.find(L'"') != std::wstring::npos)
            throw_process_error("start", program_, std::make_error_code(std::errc::invalid_argument));
        if (is_script) {
            check_for_cmd(file_);
            // Without AutoRun and delayed expansion; /s removes the outer quotes, and no others.
            words_ = L"cmd.exe /d /e:on /v:off /s /c \"\"" + file_ + L"\"";
        } else {
            words_ = L"\"" + wide(program_, program_) + L"\"";  // which has no quote, or the file would have one
        }
        for (std::size_t i = 1; i < options.command.size(); ++i) {
            const std::wstring word = wide(program_, options.command[i]);
            words_ += L' ';
            if (is_script)
                append_for_cmd(word);
            else
                append(word, word.empty() || has_any(word, L" \t\n\v\""), L'\\');
        }
        if (is_script) {
            words_ += L'"';
            file_ = system_folder() + L"\\cmd.exe";
        }
        constexpr std::size_t most_for_cmd = 8191;
        constexpr std::size_t most = 32767;
        if (words_.size() >= (is_script ? most_for_cmd : most))
            throw_process_error("start", program_, std::make_error_code(std::errc::argument_list_too_long));
    }

    /// Returns the program's file.
    [[nodiscard]] const wchar_t* file() const noexcept { return file_.c_str(); }
    /// Returns its name and arguments, which CreateProcess may change.
    [[nodiscard]] wchar_t* words() noexcept { return words_.data(); }

private:
    static bool has_any(std::wstring_view text, std::wstring_view characters) {
        return text.find_first_of(characters) != std::wstring_view::npos;
    }
    static bool has_ending(std::wstring_view name, std::wstring_view ending) {
        return name.size() > ending.size() &&
               BeforeWithoutCase::compare(name.substr(name.size() - ending.size()), ending) == CSTR_EQUAL;
    }
    static std::wstring system_folder() {
        std::array<wchar_t, MAX_PATH> out{};
        return {out.data(), ::GetSystemDirectoryW(out.data(), MAX_PATH)};
    }
    static bool is_file(const std::wstring& name) noexcept {
        const ::DWORD attributes = ::GetFileAttributesW(name.c_str());
        return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
    }
    /// Returns the file of a name in a folder, with one of the endings of programs; empty if there is none.
    static std::wstring find_in(const std::filesystem::path& folder, const std::wstring& name) {
        constexpr std::array<std::wstring_view, 4> endings{L".com", L".exe", L".bat", L".cmd"};
        std::wstring file = (folder / name).make_preferred().wstring();
        if (std::ranges::any_of(endings, [&](std::wstring_view one) { return has_ending(name, one); }) && is_file(file))
            return file;
        for (const std::wstring_view one : endings)
            if (std::wstring whole = file + std::wstring(one); is_file(whole)) return whole;
        return {};
    }
    /// Returns the file of the program. A name with a folder is one below the folder that the process is started in, as
    /// on POSIX.
    std::wstring find_file(const ProcessOptions& options, std::wstring name, const Variables& own) const {
        // The system ignores these at the end of a name, which must not hide that it is a script.
        while (!name.empty() && (name.back() == L'.' || name.back() == L' ')) name.pop_back();
        if (has_any(name, L"/\\:")) {
            std::error_code ignored;
            const std::filesystem::path folder = options.folder.empty()
                                                     ? std::filesystem::current_path(ignored)
                                                     : std::filesystem::absolute(options.folder, ignored);
            std::wstring found = find_in(folder, name);
            return found.empty() ? (folder / name).wstring() : found;
        }
        const auto found_path = own.find(L"PATH");
        std::wstring_view folders = found_path == own.end() ? std::wstring_view() : found_path->second;
        while (!folders.empty() && !name.empty()) {
            std::wstring folder(folders.substr(0, folders.find(L';')));
            folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
            std::erase(folder, L'"');
            if (folder.empty()) continue;
            if (std::wstring found = find_in(folder, name); !found.empty()) return found;
        }
        throw_process_error("start", program_, std::make_error_code(std::errc::no_such_file_or_directory));
    }

    /// Appends a word by the rules of CommandLineToArgvW. A quote is preceded by `escape`, and so are, by themselves,
    /// backslashes before a quote.
    void append(std::wstring_view word, bool is_quoted, wchar_t escape) {
        if (is_quoted) words_ += L'"';
        std::size_t backslashes = 0;
        for (const wchar_t c : word) {
            if (c == L'"') words_.append(backslashes, L'\\').append(1, escape);
            backslashes = c == L'\\' ? backslashes + 1 : 0;
            words_ += c;
        }
        if (is_quoted) words_.append(backslashes, L'\\').append(1, L'"');
    }
    /// Appends a word for cmd.exe. Between quotes, only `%` and line breaks have a meaning for it, and a quote is
    /// doubled. A word that needs no quotes gets none, for scripts that compare their arguments.
    void append_for_cmd(std::wstring_view word) {
        check_for_cmd(word);
        constexpr std::wstring_view plain =
            L"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#$*+-./:?@\\_";
        const bool is_plain =
            !word.empty() && word.back() != L'\\' && word.find_first_not_of(plain) == std::wstring_view::npos;
        append(word, !is_plain, L'"');
    }
    void check_for_cmd(std::wstring_view word) const {
        if (has_any(word, L"%\r\n"))
            throw ProcessError(concat({"Cannot start '", program_,
                                       "': it is a script, and cmd.exe, which runs it, cannot safely be passed a "
                                       "percent sign or a line break"}));
    }

    const std::string& program_;
    std::wstring file_{};
    std::wstring words_{};
};

/// A pipe of which one end is for a child. That of this process is asynchronous, and no program inherits it.
struct Pipe {
    Handle own{};
    Handle child{};
};

ACTA_INLINE Pipe new_pipe(std::string_view program, bool child_reads) {
    constexpr ::DWORD size = 64 * 1024;
    constexpr int most_tries = 10;
    std::random_device random;
    Pipe out;
    std::wstring name;
    for (int i = 1; !out.own.is_open(); ++i) {
        name = L"\\\\.\\pipe\\acta." + std::to_wstring(::GetCurrentProcessId()) + L"." + std::to_wstring(random()) +
               L"." + std::to_wstring(random());
        out.own = Handle(::CreateNamedPipeW(
            name.c_str(),
            (child_reads ? PIPE_ACCESS_OUTBOUND : PIPE_ACCESS_INBOUND) | FILE_FLAG_OVERLAPPED |
                FILE_FLAG_FIRST_PIPE_INSTANCE,
            PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1, size, size, 0, nullptr));
        if (!out.own.is_open() && (i == most_tries || ::GetLastError() != ERROR_ACCESS_DENIED))
            throw_system_error("make a pipe for", program);
    }
    ::SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
    // Programs that use libuv also read and write the attributes.
    const ::DWORD access = child_reads ? GENERIC_READ | FILE_WRITE_ATTRIBUTES : GENERIC_WRITE | FILE_READ_ATTRIBUTES;
    out.child = Handle(::CreateFileW(name.c_str(), access, 0, &inherited, OPEN_EXISTING, 0, nullptr));
    if (!out.child.is_open()) throw_system_error("make a pipe for", program);
    return out;
}

ACTA_INLINE Handle new_event(std::string_view program) {
    Handle out(::CreateEventW(nullptr, TRUE, FALSE, nullptr));
    if (!out.is_open()) throw_system_error("start", program);
    return out;
}

/// An operation on a pipe that may take a while. Its event is set when it is finished.
class PendingIo {
public:
    PendingIo(const Handle& pipe, const Handle& event) noexcept : pipe_(pipe.get()) { io_.hEvent = event.get(); }
    PendingIo(const PendingIo&) = delete;
    PendingIo& operator=(const PendingIo&) = delete;
    ~PendingIo() { cancel(); }

    /// Begins one. Returns false if that has failed.
    template <class Operation>
    bool begin(const Operation& operation) noexcept {
        is_pending_ = operation(pipe_, &io_) || ::GetLastError() == ERROR_IO_PENDING;
        return is_pending_;
    }
    /// Returns its error, or 0 and the number of bytes; ERROR_IO_INCOMPLETE if it is not finished.
    ::DWORD result(::DWORD& bytes) noexcept {
        const ::DWORD error = ::GetOverlappedResult(pipe_, &io_, &bytes, FALSE) ? ERROR_SUCCESS : ::GetLastError();
        is_pending_ = error == ERROR_IO_INCOMPLETE;
        return error;
    }
    [[nodiscard]] bool is_pending() const noexcept { return is_pending_; }
    /// Cancels it, and returns when nothing uses its memory.
    void cancel() noexcept {
        if (!std::exchange(is_pending_, false)) return;
        ::DWORD bytes = 0;
        ::CancelIoEx(pipe_, &io_);
        ::GetOverlappedResult(pipe_, &io_, &bytes, TRUE);
    }

private:
    ::HANDLE pipe_;
    ::OVERLAPPED io_{};
    bool is_pending_ = false;
};

/// The end of a pipe that a process writes to. A read is always under way, so `event` is set when there is text, or at
/// the end.
class ProcessOutput {
public:
    ProcessOutput(Handle from, std::string_view program) : from_(std::move(from)), event_(new_event(program)) {
        if (!begin()) throw_system_error("start", program);
    }

    [[nodiscard]] bool is_open() const noexcept { return from_.is_open(); }
    [[nodiscard]] ::HANDLE event() const noexcept { return event_.get(); }
    void close() noexcept {
        io_.cancel();
        from_.close();
    }
    /// Passes on what there is, at most 1 MiB.
    template <class Sink>
    Found read(const Sink& sink) noexcept {
        Found found = Found::nothing;
        for (int i = 0; i < 64 && is_open(); ++i) {
            ::DWORD bytes = 0;
            const ::DWORD error = io_.is_pending() ? io_.result(bytes) : ERROR_BROKEN_PIPE;
            if (error == ERROR_IO_INCOMPLETE) break;
            if (error == ERROR_SUCCESS && bytes > 0) {  // a process can also write nothing
                sink(std::string_view(buffer_.data(), bytes));
                found = Found::text;
            }
            // It is cancelled when the thread that began it ends.
            if ((error != ERROR_SUCCESS && error != ERROR_OPERATION_ABORTED) || !begin()) {
                ::SetEvent(event_.get());  // also where the end was noticed at once
                return found == Found::text ? found : Found::end;
            }
        }
        return found;
    }

private:
    bool begin() noexcept {
        return io_.begin([this](::HANDLE from, ::OVERLAPPED* io) {
            return ::ReadFile(from, buffer_.data(), static_cast<::DWORD>(buffer_.size()), nullptr, io);
        });
    }

    std::vector<char> buffer_ = std::vector<char>(std::size_t{16} * 1024);
    Handle from_;
    Handle event_;
    PendingIo io_{from_, event_};
};

/// A process and its pipes, as the system has them. It and those that it starts are a job, the group that is ended.
class SystemProcess {
public:
    /// Starts a process. Throws `ProcessError`.
    explicit SystemProcess(const ProcessOptions& options)
        : SystemProcess(options, new_pipe(options.command.front(), true), new_pipe(options.command.front(), false),
                        new_pipe(options.command.front(), false)) {}

    ProcessOutput output;
    ProcessOutput errors;

    [[nodiscard]] int id() const noexcept { return static_cast<int>(id_); }
    /// Whether this process has started it, which it has on Windows.
    [[nodiscard]] static bool is_ours() noexcept { return true; }

    /// Writes to its input. Where that would block, calls `may_wait` about every 10 ms, and gives up if that is false.
    template <class MayWait>
    Written write(std::string_view text, const MayWait& may_wait) {
        constexpr ::DWORD tick = 10;
        constexpr std::size_t most_at_once = std::size_t{64} * 1024;
        while (!text.empty()) {
            if (!input_.is_open()) return Written::unread;
            PendingIo io(input_, written_);
            const bool has_begun = io.begin([&](::HANDLE to, ::OVERLAPPED* one) {
                return ::WriteFile(to, text.data(), static_cast<::DWORD>(std::min(text.size(), most_at_once)), nullptr,
                                   one);
            });
            if (!has_begun) return Written::unread;
            while (::WaitForSingleObject(written_.get(), tick) == WAIT_TIMEOUT)
                if (!may_wait()) return Written::part;
            ::DWORD bytes = 0;
            if (io.result(bytes) != ERROR_SUCCESS) return Written::unread;
            text.remove_prefix(bytes);
        }
        return Written::all;
    }
    void close_input() noexcept { input_.close(); }

    /// Waits for what is watched, at most this long, or for ever if negative.
    [[nodiscard]] ProcessEvents wait(const ProcessEvents& watched, int milliseconds) const noexcept {
        std::array<::HANDLE, 4> all{};
        ::DWORD count = 0;
        const auto watch = [&](bool is_watched, ::HANDLE one) {
            if (is_watched) all[count++] = one;
        };
        watch(watched.output && output.is_open(), output.event());
        watch(watched.errors && errors.is_open(), errors.event());
        watch(watched.end, process_.get());
        watch(watched.wake, wake_.get());
        const ::DWORD found = ::WaitForMultipleObjects(
            count, all.data(), FALSE, milliseconds < 0 ? INFINITE : static_cast<::DWORD>(milliseconds));
        const auto is_set = [](bool is_watched, ::HANDLE one) {
            return is_watched && ::WaitForSingleObject(one, 0) == WAIT_OBJECT_0;
        };
        if (found == WAIT_TIMEOUT) return {.timeout = true};
        return {.output = is_set(watched.output && output.is_open(), output.event()),
                .errors = is_set(watched.errors && errors.is_open(), errors.event()),
                .end = is_set(watched.end, process_.get()),
                .wake = is_set(watched.wake, wake_.get())};
    }
    /// Ends the waits, from now on.
    void wake() const noexcept { ::SetEvent(wake_.get()); }
    /// Whether `wait` notices the end of the process.
    [[nodiscard]] static bool tells_end() noexcept { return true; }
    /// Returns how the process has ended; nothing while it runs.
    [[nodiscard]] std::optional<ExitStatus> status() const noexcept {
        ::DWORD code = 0;
        if (::WaitForSingleObject(process_.get(), 0) == WAIT_TIMEOUT) return std::nullopt;
        return ExitStatus{::GetExitCodeProcess(process_.get(), &code) ? static_cast<int>(code) : -1, 0};
    }
    void wait_for_end() const noexcept { ::WaitForSingleObject(process_.get(), INFINITE); }

    /// Asks those of the group that share the console of this process to end.
    void terminate() const noexcept {
        if (shares_console_) ::GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, id_);
    }
    /// Ends the group.
    void kill() const noexcept {
        constexpr ::UINT code = 137;  // that of SIGKILL in a shell of POSIX
        ::TerminateJobObject(job_.get(), code);
    }
    /// Waits for the end of what was killed, which the system ends after the call, at most a second.
    void reap() const noexcept {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
        ::JOBOBJECT_BASIC_ACCOUNTING_INFORMATION job{};
        while (
            ::QueryInformationJobObject(job_.get(), JobObjectBasicAccountingInformation, &job, sizeof job, nullptr) &&
            job.ActiveProcesses > 0 && std::chrono::steady_clock::now() < end)
            ::Sleep(1);
    }

private:
    SystemProcess(const ProcessOptions& options, Pipe in, Pipe out, Pipe error_output)
        : output(std::move(out.own), options.command.front()),
          errors(std::move(error_output.own), options.command.front()),
          input_(std::move(in.own)) {
        const std::string& program = options.command.front();
        ::JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        if (!job_.is_open() ||
            !::SetInformationJobObject(job_.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits))
            throw_system_error("start", program);
        // It waits until it belongs to the job, as all that it starts then do.
        const Handle thread = start(options, {in.child.get(), out.child.get(), error_output.child.get()});
        if (!::AssignProcessToJobObject(job_.get(), process_.get()) ||
            ::ResumeThread(thread.get()) == static_cast<::DWORD>(-1)) {
            const ::DWORD error = ::GetLastError();
            ::TerminateProcess(process_.get(), 1);
            ::SetLastError(error);
            throw_system_error("start", program);
        }
    }
    /// Creates the process, suspended, which inherits these handles and no others. Returns its thread.
    Handle start(const ProcessOptions& options, std::array<::HANDLE, 3> inherited) {
        const Variables own = own_variables();
        CommandLine line(options, own);
        std::wstring environment = environment_block(options, own);
        ::SIZE_T size = 0;
        ::InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
        std::vector<std::max_align_t> memory(size / sizeof(std::max_align_t) + 1);
        ::STARTUPINFOEXW startup{};
        startup.StartupInfo.cb = sizeof startup;
        startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
        startup.StartupInfo.hStdInput = inherited[0];
        startup.StartupInfo.hStdOutput = inherited[1];
        startup.StartupInfo.hStdError = inherited[2];
        startup.lpAttributeList = reinterpret_cast<::LPPROC_THREAD_ATTRIBUTE_LIST>(memory.data());
        ::PROCESS_INFORMATION made{};
        bool is_made = ::InitializeProcThreadAttributeList(startup.lpAttributeList, 1, 0, &size) != 0;
        if (is_made) {
            is_made =
                ::UpdateProcThreadAttribute(startup.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                            static_cast<void*>(inherited.data()), sizeof inherited, nullptr, nullptr) &&
                ::CreateProcessW(line.file(), line.words(), nullptr, nullptr, TRUE,
                                 EXTENDED_STARTUPINFO_PRESENT | CREATE_UNICODE_ENVIRONMENT | CREATE_SUSPENDED |
                                     CREATE_NEW_PROCESS_GROUP | (shares_console_ ? 0 : CREATE_NO_WINDOW),
                                 environment.data(), options.folder.empty() ? nullptr : options.folder.c_str(),
                                 &startup.StartupInfo, &made);
            const ::DWORD error = ::GetLastError();
            ::DeleteProcThreadAttributeList(startup.lpAttributeList);
            ::SetLastError(error);
        }
        if (!is_made) throw_system_error("start", options.command.front());
        process_ = Handle(made.hProcess);
        id_ = made.dwProcessId;
        return Handle(made.hThread);
    }

    Handle input_;
    Handle written_ = new_event("a process");
    Handle wake_ = new_event("a process");
    Handle job_{::CreateJobObjectW(nullptr, nullptr)};
    Handle process_{};
    ::DWORD id_ = 0;
    // CTRL_BREAK reaches processes on the same console. Without one, the child must not open a window for its own.
    const bool shares_console_ = ::GetConsoleCP() != 0;
};

}  // namespace acta::inline ACTA_ABI::base
#endif
