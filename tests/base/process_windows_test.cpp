// SPDX-License-Identifier: MIT
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <windows.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/process.hpp"
#include "base/child_output.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

namespace {

using acta::ChildProcess;
using acta::ExitStatus;
using acta::ProcessOptions;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Output = ChildOutput;

constexpr int killed = 137;

/// A command of the program child.cpp.
std::vector<std::string> child(std::vector<std::string> words) {
    words.insert(words.begin(), paths::build() + "/tests/acta_test_child");
    return words;
}

/// Returns what a process writes until it ends by itself.
std::string output_of(ProcessOptions options, Output& output) {
    ChildProcess process(std::move(options));
    CHECK(Output::eventually([&] { return output.ends == 1; }));
    return output.text();
}
std::string output_of(std::vector<std::string> command) {
    Output output;
    return output_of(output.of(std::move(command)), output);
}

bool is_alive(int id) {
    ::HANDLE process = ::OpenProcess(SYNCHRONIZE, FALSE, static_cast<::DWORD>(id));
    if (process == nullptr) return false;
    const bool out = ::WaitForSingleObject(process, 0) == WAIT_TIMEOUT;
    ::CloseHandle(process);
    return out;
}

bool is_wine() { return ::GetProcAddress(::GetModuleHandleA("ntdll.dll"), "wine_get_version") != nullptr; }

/// A console for this test, where the program has none.
class Console {
public:
    Console() : is_made_(::GetConsoleCP() == 0 && ::AllocConsole()) {}
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;
    ~Console() {
        if (is_made_) ::FreeConsole();
    }

private:
    bool is_made_;
};

/// Sets a variable of this process, and removes it.
class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) { ::SetEnvironmentVariableA(name, value); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    ~Variable() { ::SetEnvironmentVariableA(name_, nullptr); }

private:
    const char* name_;
};

std::string error_of_write(ChildProcess& process) {
    try {
        process.write("a");
    } catch (const acta::ProcessError& error) {
        return error.what();
    }
    return "";
}

std::string text_of(const std::u8string& text) { return {text.begin(), text.end()}; }

}  // namespace

TEST_CASE("what is written to a process of Windows comes back from it, however much it is") {
    Output output;
    ChildProcess echo(output.of(child({"echo"})));
    std::string text;
    for (int i = 0; text.size() < 3'000'000; ++i) text += std::to_string(i) + "\n";
    CHECK(echo.write(text));
    CHECK_FALSE(echo.exit_status());
    CHECK(echo.end() == ExitStatus{0, 0});
    CHECK(output.text() == text);
    CHECK(output.ends == 1);
    CHECK(echo.exit_status() == ExitStatus{0, 0});
    CHECK(echo.end() == ExitStatus{0, 0});
}

TEST_CASE("a process of Windows gets its arguments as they are") {
    std::vector<std::string> words{"a b",
                                   "",
                                   "%PATH%",
                                   "*",
                                   "\"",
                                   "\\",
                                   "\\\"",
                                   "a\\\\b",
                                   "\\\\",
                                   "a b\\\\",
                                   "\"a\"",
                                   "a\" b\\",
                                   "x\\\\\"y z",
                                   "\tt\n\r",
                                   "'&|<>^()!",
                                   "/?",
                                   text_of(u8"Höhe 潮汐 \U0001F30A")};
    std::string expected;
    for (const std::string& word : words) expected += word + "|";
    // Those of the C library, and of CommandLineToArgvW.
    for (const char* const task : {"arguments", "system arguments"}) {
        INFO(task);
        words.insert(words.begin(), task);
        CHECK(output_of(child(words)) == expected);
        words.erase(words.begin());
    }
}

TEST_CASE("a process of Windows has the environment that its options say") {
    const Variable a("ACTA_TEST_A", "outer");
    const Variable b("ACTA_TEST_B", "outer");
    const std::vector<std::string> command = child({"variables", "ACTA_TEST_A", "ACTA_TEST_B", "ACTA_TEST_C"});
    Output output;
    ProcessOptions options = output.of(command);
    const std::string sea = text_of(u8"= 潮汐");
    options.environment = {{"acta_Test_B", "inner"}, {"ACTA_TEST_C", sea}};  // in another case it is the same name
    CHECK(output_of(options, output) == "outer|inner|" + sea + "|");
    Output alone;
    ProcessOptions only = alone.of(command);
    only.environment = {{"ACTA_TEST_B", "inner"}};
    only.inherit_environment = false;
    CHECK(output_of(only, alone) == "none|inner|none|");
    Output empty;
    ProcessOptions none = empty.of(child({"variables", "ACTA_TEST_A", "SystemRoot"}));
    none.inherit_environment = false;
    const std::string text = output_of(none, empty);
    CHECK_THAT(text, starts_with_text("none|"));
    CHECK(text != "none|none|");  // the folder of Windows, without which little works
}

TEST_CASE("a process of Windows starts in its folder, where a name with a folder is looked for") {
    const TempFolder folder;
    const std::filesystem::path inner = folder / text_of(u8"a b");
    std::filesystem::create_directory(inner);
    std::filesystem::copy_file(child({})[0] + ".exe", inner / "own.exe");
    Output output;
    ProcessOptions options = output.of({"./own", "folder"});
    options.folder = inner;
    CHECK(std::filesystem::equivalent(output_of(options, output), inner));
}

TEST_CASE("a program of Windows without a folder is looked for in PATH") {
    const TempFolder folder;
    std::filesystem::create_directory(folder / "empty");
    std::filesystem::copy_file(child({})[0] + ".exe", folder / "acta-own-program.exe");
    std::vector<wchar_t> before(40'000);
    ::GetEnvironmentVariableW(L"PATH", before.data(), static_cast<::DWORD>(before.size()));
    const std::wstring path = L";" + (folder / "empty").wstring() + L";;\"" + folder.path().wstring() + L"\"";
    ::SetEnvironmentVariableW(L"PATH", path.c_str());
    for (const char* const name : {"acta-own-program", "acta-own-program.exe", "ACTA-own-program.EXE"})
        CHECK(output_of({name, "arguments", "a b"}) == "a b|");
    CHECK(start_error_of({.command = {"acta-own"}}) == "Cannot start 'acta-own': No such file or directory");
    ::SetEnvironmentVariableW(L"PATH", before.data());
}

TEST_CASE("a process of Windows that cannot be started is an error with its name") {
    const TempFolder folder;
    write_file(folder / "text.exe", "not a program");
    CHECK(start_error_of({}) == "Cannot start a process: its command is empty");
    CHECK(start_error_of({.command = {"acta-no-such-program"}}) ==
          "Cannot start 'acta-no-such-program': No such file or directory");
    CHECK(start_error_of({.command = {"C:\\none\\none"}}) ==
          "Cannot start 'C:\\none\\none': No such file or directory");
    CHECK(start_error_of({.command = {"..."}}) == "Cannot start '...': No such file or directory");
    CHECK(start_error_of({.command = {"./\""}}) == "Cannot start './\"': Invalid argument");
    CHECK_THAT(start_error_of({.command = {(folder / "text").string()}}), ends_with_text(": Exec format error"));
    const std::string program = child({})[0];
    CHECK_THAT(start_error_of({.command = child({std::string(40'000, 'a')})}),
               ends_with_text(": Argument list too long"));
    CHECK_THAT(start_error_of({.command = child({"a\xFFz"})}), ends_with_text(": 'a\uFFFDz' is not valid UTF-8"));
    CHECK_THAT(start_error_of({.command = {"\xFF"}}), contains_text("is not valid UTF-8"));
    CHECK_THAT(start_error_of({.command = child({"exit"}), .environment = {{"A", "\xFF"}}}),
               contains_text("is not valid UTF-8"));
    const std::string zero("a\0b", 3);
    CHECK_THAT(start_error_of({.command = child({zero})}), ends_with_text(": Invalid argument"));
    CHECK_THAT(start_error_of({.command = child({"exit"}), .folder = zero}), ends_with_text(": Invalid argument"));
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, std::string>>{{"", "a"}, {"a=b", "c"}, {zero, "a"}, {"a", zero}})
        CHECK_THAT(start_error_of({.command = child({"exit"}), .environment = {{name, value}}}),
                   ends_with_text(": Invalid argument"));
    CHECK_THAT(start_error_of({.command = child({"exit"}), .folder = folder / "none"}),
               ends_with_text("none': Not a directory"));
}

TEST_CASE("a process of Windows says how it has ended") {
    const auto status_of = [](std::vector<std::string> words) {
        ChildProcess process({.command = child(std::move(words))});
        CHECK(Output::eventually([&] { return process.exit_status().has_value(); }));
        return process.end();
    };
    CHECK(status_of({"exit", "0"}) == ExitStatus{0, 0});
    CHECK(status_of({"exit", "7"}) == ExitStatus{7, 0});
    CHECK(status_of({"exit", "259"}) == ExitStatus{259, 0});  // which Windows also says of one that runs
    CHECK(status_of({"crash"}) == ExitStatus{static_cast<int>(0xC0000005), 0});
}

TEST_CASE("the end of the error output of a process of Windows is kept, and never blocks it") {
    ChildProcess process({.command = child({"errors"}), .max_errors = 19});
    CHECK(Output::eventually([&] { return process.exit_status().has_value(); }));
    process.end();
    CHECK(process.errors() == "199999\n200000\nlast\n");
}

TEST_CASE("a process of Windows inherits no handle but its standard streams") {
    ::SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
    ::HANDLE event = ::CreateEventW(&inherited, TRUE, FALSE, nullptr);
    CHECK(output_of(child({"set", std::to_string(reinterpret_cast<std::uintptr_t>(event))})).empty());
    CHECK(::WaitForSingleObject(event, 0) == WAIT_TIMEOUT);
    ::CloseHandle(event);
}

TEST_CASE("a write to a process of Windows that does not read ends with its deadline or a stop") {
    ChildProcess process(
        {.command = child({"sleep"}), .close_timeout = milliseconds(20), .terminate_timeout = milliseconds(20)});
    const std::string much(1'000'000, 'a');
    CHECK_FALSE(process.write(much, {.deadline = acta::deadline_in(milliseconds(20))}));
    acta::stop_source stop;
    std::thread later([&] {
        std::this_thread::sleep_for(milliseconds(20));
        stop.request_stop();
    });
    CHECK_FALSE(process.write(much, {.stop = stop.get_token()}));
    later.join();
    // The end of the process ends one too.
    std::string error;
    std::thread writer([&] {
        try {
            static_cast<void>(process.write(much));
        } catch (const acta::ProcessError& caught) {
            error = caught.what();
        }
    });
    std::this_thread::sleep_for(milliseconds(20));
    CHECK_FALSE(process.write("a", {.deadline = acta::deadline_in(milliseconds(20))}));  // behind the other one
    process.end();
    writer.join();
    CHECK_THAT(error, contains_text("acta_test_child' "));
}

TEST_CASE("a write to a process of Windows that has ended is an error that says how") {
    ChildProcess process({.command = child({"exit", "3"})});
    REQUIRE(Output::eventually([&] { return process.exit_status().has_value(); }));
    const std::string words = "'" + child({})[0] + "' ";
    // In wine the console of a process also holds its input, for a moment longer.
    CHECK(Output::eventually([&] { return error_of_write(process) == words + "has ended with status 3"; }));
    process.end();
    CHECK_THROWS_WITH(process.write("a"), words + "has ended with status 3");
    CHECK(process.write(""));
}

TEST_CASE("a write to a process of Windows that has closed its input is an error") {
    if (is_wine() && ::GetConsoleCP() == 0) ACTA_SKIP("wine's console for a process holds its input open");
    Output output;
    ProcessOptions options = output.of(child({"closed"}));
    options.close_timeout = milliseconds(20);
    options.terminate_timeout = milliseconds(20);
    ChildProcess closed(options);
    REQUIRE(output.has("closed"));
    CHECK(error_of_write(closed) == "'" + child({})[0] + "' no longer reads its input");
}

TEST_CASE("a process of Windows is ended with all that it has started") {
    for (const auto& [way, code] : std::vector<std::pair<std::string, int>>{{"read", 4}, {"ignore", killed}}) {
        INFO(way);
        Output output;
        ProcessOptions options = output.of(child({"started", way}));
        options.close_timeout = milliseconds(200);
        options.terminate_timeout = milliseconds(100);
        ChildProcess process(options);
        REQUIRE(output.has("started"));
        const int other = std::stoi(output.text());
        CHECK(is_alive(other));
        const ExitStatus status = process.end();
        CHECK(status.code == code);
        CHECK(status.signal == 0);
        CHECK_FALSE(is_alive(process.id()));
        CHECK_FALSE(is_alive(other));
        CHECK(output.ends == 1);
    }
}

TEST_CASE("a process of Windows that shares the console is asked to end by CTRL_BREAK") {
    if (is_wine()) ACTA_SKIP("wine does not deliver CTRL_BREAK");
    const Console console;
    Output output;
    ProcessOptions options = output.of(child({"started", "break"}));
    options.close_timeout = milliseconds(20);
    options.terminate_timeout = seconds(20);
    ChildProcess process(options);
    REQUIRE(output.has("started"));
    CHECK(process.end().code == 5);
}

TEST_CASE("the end of a process of Windows is noticed where another one holds its output open") {
    Output output;
    ProcessOptions options = output.of(child({"started", "held"}));
    options.close_timeout = milliseconds(50);
    options.terminate_timeout = milliseconds(50);
    ChildProcess process(options);
    CHECK(Output::eventually([&] { return output.ends == 1; }));
    CHECK(process.exit_status() == ExitStatus{0, 0});
    const int other = std::stoi(output.text());
    CHECK(is_alive(other));
    process.end();
    CHECK_FALSE(is_alive(other));
    CHECK(output.ends == 1);
}

TEST_CASE("processes of Windows leave no handle or thread") {
    const auto run = [] {
        Output output;
        ChildProcess process(output.of(child({"echo"})));
        process.write("a");
        CHECK(output.has("a"));
        CHECK(start_error_of({.command = {"acta-no-such-program"}}) != "");
        CHECK(start_error_of({.command = {"C:\\none\\none"}}) != "");
    };
    const auto handles = [] {
        ::DWORD count = 0;
        ::GetProcessHandleCount(::GetCurrentProcess(), &count);
        return count;
    };
    run();
    run();
    const ::DWORD before = handles();
    for (int i = 0; i < 5; ++i) run();
    CHECK(handles() == before);
}

TEST_CASE("several threads write whole texts to a process of Windows") {
    Output output;
    ChildProcess process(output.of(child({"echo"})));
    std::vector<std::thread> threads;
    for (int n = 0; n < 4; ++n) {
        threads.emplace_back([&process, n] {
            const std::string line = std::string(100'000, static_cast<char>('a' + n)) + "\n";
            for (int i = 0; i < 5; ++i) process.write(line);
        });
    }
    for (std::thread& one : threads) one.join();
    process.end();
    std::istringstream lines(output.text());
    int whole = 0;
    for (std::string line; std::getline(lines, line); ++whole) CHECK(line == std::string(100'000, line.front()));
    CHECK(whole == 20);
}

TEST_CASE("what a process of Windows writes can be read in the thread that waits for it, which may end") {
    std::mutex mutex;
    std::string out;
    std::thread::id reader;
    ProcessOptions options{.command = child({"echo"})};
    options.on_output = [&](std::string_view text) {
        const std::lock_guard lock(mutex);
        out += text;
        reader = std::this_thread::get_id();
    };
    ChildProcess echo(options);
    std::size_t sent = 0;
    bool was_here = false;
    for (int i = 0; i < 2000 && !was_here; ++i) {
        REQUIRE(echo.write("tides\n"));
        sent += 6;
        std::thread([&] {  // which began the next read
            for (;;) {
                static_cast<void>(echo.read(milliseconds(20)));
                const std::lock_guard lock(mutex);
                was_here = was_here || reader == std::this_thread::get_id();
                if (out.size() == sent) break;
            }
        })
            .join();
    }
    CHECK(was_here);
    REQUIRE(echo.write("later\n"));
    CHECK(Output::eventually([&] {
        const std::lock_guard lock(mutex);
        return out.size() == sent + 6;
    }));
    CHECK_FALSE(echo.read(milliseconds(1)));
    CHECK(echo.end() == ExitStatus{});
    CHECK_FALSE(echo.read(milliseconds(1)));
}

TEST_CASE("a script of Windows is run with arguments that cmd.exe takes safely, and no others") {
    const TempFolder folder;
    // As the scripts of npm do.
    write_file(folder / "own tool.cmd",
               "@echo off\r\n\"" + std::filesystem::absolute(child({})[0]).string() + ".exe\" arguments %*\r\n");
    const std::string script = (folder / "own tool").string();
    CHECK(output_of({script, "plain", "a b", "-x=1", "", "&|<>^", "c:\\d e\\", "!a!", text_of(u8"潮汐")}) ==
          "plain|a b|-x=1||&|<>^|c:\\d e\\|!a!|" + text_of(u8"潮汐") + "|");
    CHECK(output_of({script, R"({"a": "b & c"})", "\\\"x"}) == R"({"a": "b & c"}|)"
                                                               R"(\"x|)");
    for (const char* const name : {".cmd", ".CMD", ".cmd.", ".cmd . ."})
        for (const char* const word : {"%PATH%", "a\nb", "a\rb"})
            CHECK_THAT(start_error_of({.command = {script + name, word}}), contains_text("cmd.exe"));
    write_file(folder / "100%.bat", "");
    CHECK_THAT(start_error_of({.command = {(folder / "100%").string()}}), contains_text("cmd.exe"));
    CHECK_THAT(start_error_of({.command = {script, std::string(9000, 'a')}}), contains_text("Argument list too long"));
}
