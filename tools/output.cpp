// SPDX-License-Identifier: MIT
#include "output.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <acta/base/error.hpp>
#include <acta/base/file.hpp>
#include <acta/base/unicode.hpp>
#include <acta/view/terminal.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace tools {
namespace {

[[noreturn]] void fail_to_write(const std::string& what, int error) {
    throw Failure(Exit::output, "cannot write " + what + ": " + std::generic_category().message(error));
}

void write_all(int fd, std::string_view text, const std::string& what) {
    while (!text.empty()) {
        const ::ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EPIPE) throw ReaderGone();
        if (written < 0) fail_to_write(what, errno);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

// Nothing here changes the environment.
std::optional<std::string> find_variable(const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string variable(const char* name) { return find_variable(name).value_or(std::string()); }

bool is_in_path(const std::string& program) {
    const std::string path = variable("PATH");
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        if (::access((path.substr(begin, end - begin) + "/" + program).c_str(), X_OK) == 0) return true;
        begin = end + 1;
    }
    return false;
}

std::string pager_command() {
    const std::optional<std::string> pager = find_variable("PAGER");
    if (pager) return *pager == "cat" ? std::string() : *pager;
    return is_in_path("less") ? "less" : "";
}

void append_escape(std::string& out, char32_t code) {
    constexpr std::string_view hex = "0123456789abcdef";
    const auto unit = [&](std::uint32_t value) {
        out += "\\u";
        for (int shift = 12; shift >= 0; shift -= 4) out += hex[(value >> shift) & 0xFU];
    };
    if (code < 0x10000) return unit(static_cast<std::uint32_t>(code));
    const std::uint32_t rest = static_cast<std::uint32_t>(code) - 0x10000;
    unit(0xD800 + (rest >> 10));
    unit(0xDC00 + (rest & 0x3FFU));
}

bool is_device(const std::string& path) {
    struct ::stat info {};
    return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

}  // namespace

std::string without_passwords(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        constexpr std::string_view key = "password=";
        const std::size_t scheme = text.find("://");
        const std::size_t word = text.find(key);
        if (scheme == std::string_view::npos && word == std::string_view::npos) break;
        if (word < scheme) {
            out.append(text.substr(0, word + key.size())).append("***");
            text.remove_prefix(word + key.size());
            const bool quoted = text.starts_with('\'');
            const std::size_t end = quoted ? text.find('\'', 1) : text.find_first_of(" \t\n'\"&#");
            text.remove_prefix(std::min(text.size(), quoted && end != std::string_view::npos ? end + 1 : end));
            continue;
        }
        out.append(text.substr(0, scheme + 3));
        text.remove_prefix(scheme + 3);
        // The password may have a slash, a blank or an @ in it that should have been escaped: up to the last @.
        const std::string_view authority = text.substr(0, std::min(text.find("://"), text.find('\n')));
        const std::size_t at = authority.rfind('@');
        if (at == std::string_view::npos) continue;
        const std::size_t colon = authority.find(':');
        if (colon < at)
            out.append(authority.substr(0, colon)).append(":***");
        else
            out.append(authority.substr(0, at));
        text.remove_prefix(at);
    }
    return out.append(text);
}

std::string safe_json(std::string_view json) {
    std::string out;
    out.reserve(json.size());
    const char* const end = json.data() + json.size();
    for (const char* p = json.data(); p != end;) {
        const std::size_t length = std::max<std::size_t>(acta::utf8::sequence_length(p, end), 1);
        const std::string_view one(p, length);
        p += length;
        if ((length == 1 && one[0] != '\x7f') || acta::terminal_text(one) == one)
            out += one;
        else
            append_escape(out, acta::utf8::code_point(p - length, length));
    }
    return out;
}

void complain(std::string_view message) {
    const std::string line = "acta: " + acta::terminal_text(without_passwords(message)) + "\n";
    try {
        write_all(STDERR_FILENO, line, "standard error");
    } catch (...) {  // it cannot be reported
    }
}

bool output_is_terminal() { return ::isatty(STDOUT_FILENO) != 0; }

bool wants_colour(const std::string& when) {
    if (when != "auto") return when == "always";
    const std::string terminal = variable("TERM");
    return output_is_terminal() && variable("NO_COLOR").empty() && !terminal.empty() && terminal != "dumb";
}

std::size_t terminal_width() {
    constexpr std::size_t usual = 80;
    struct ::winsize size {};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    const std::string stated = variable("COLUMNS");
    std::size_t columns = 0;
    const auto [end, error] = std::from_chars(stated.data(), stated.data() + stated.size(), columns);
    return error == std::errc() && end == stated.data() + stated.size() && columns > 0 ? columns : usual;
}

Output::Output(bool page) {
    if (!page || !output_is_terminal()) return;
    const std::string pager = pager_command();
    if (!pager.empty()) start_pager(pager);
}

Output::~Output() {
    try {
        wait_for_pager();
    } catch (...) {
    }
}

void Output::start_pager(const std::string& pager) {
    int ends[2];
    if (::pipe(ends) != 0) return;  // then without one
    const ::pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGPIPE, SIG_DFL);
        ::dup2(ends[0], STDIN_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        // Of this process alone: colours, and no pause for less than a page.
        ::setenv("LESS", "FRX", 0);  // NOLINT(concurrency-mt-unsafe)
        ::execl("/bin/sh", "sh", "-c", pager.c_str(), static_cast<char*>(nullptr));
        ::_exit(127);
    }
    ::close(ends[0]);
    if (child < 0) {
        ::close(ends[1]);
        return;
    }
    ::signal(SIGINT, SIG_IGN);  // the pager's business
    fd_ = ends[1];
    pager_ = child;
}

void Output::wait_for_pager() {
    if (pager_ < 0) return;
    ::close(std::exchange(fd_, STDOUT_FILENO));
    int status = 0;
    while (::waitpid(pager_, &status, 0) < 0 && errno == EINTR) {
    }
    pager_ = -1;
    constexpr int not_found = 127;
    if (WIFEXITED(status) && WEXITSTATUS(status) == not_found)
        throw Failure(Exit::output, "the pager '" + pager_command() + "' cannot be run: set PAGER, or use --no-pager");
}

void Output::write(std::string_view text) {
    constexpr std::size_t enough = std::size_t{64} * 1024;
    buffer_ += text;
    if (buffer_.size() >= enough) flush();
}

void Output::flush() {
    try {
        write_all(fd_, std::exchange(buffer_, {}), "standard output");
    } catch (const ReaderGone&) {
        wait_for_pager();
        throw;
    }
}

void Output::finish() {
    flush();
    wait_for_pager();
}

void write_result(const std::string& path, const std::function<void(const Sink&)>& write) {
    if (path.empty() || path == "-") {
        Output out;
        write([&](std::string_view text) { out.write(text); });
        return out.finish();
    }
    if (is_device(path)) {
        const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (fd < 0) fail_to_write("'" + path + "'", errno);
        try {
            write([&](std::string_view text) { write_all(fd, text, "'" + path + "'"); });
        } catch (...) {
            ::close(fd);
            throw;
        }
        if (::close(fd) != 0) fail_to_write("'" + path + "'", errno);
        return;
    }
    try {
        acta::base::ReplacementFile file(path);
        write([&](std::string_view text) { file.write(text); });
        file.commit();
    } catch (const acta::FileError& error) {
        throw Failure(Exit::output, error.what());
    }
}

Progress::Progress(std::string what) : what_(std::move(what)) {
    if (::isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { run(); });
}

Progress::~Progress() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        end_ = true;
    }
    ended_.notify_all();
    thread_.join();
}

void Progress::run() {
    std::unique_lock lock(mutex_);
    int seconds = 0;
    while (!ended_.wait_for(lock, std::chrono::seconds(1), [this] { return end_; })) {
        const std::string line =
            "\r" + acta::terminal_text(without_passwords(what_)) + " \u2026 " + std::to_string(++seconds) + " s";
        static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
    }
    constexpr std::string_view clear = "\r\x1b[K";
    if (seconds > 0) static_cast<void>(!::write(STDERR_FILENO, clear.data(), clear.size()));
}

}  // namespace tools
