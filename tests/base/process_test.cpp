// SPDX-License-Identifier: MIT
#include "acta/base/process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "base/child_output.hpp"
#include "support/catch.hpp"
#include "support/temp_folder.hpp"

namespace {

using acta::ChildProcess;
using acta::ExitStatus;
using acta::ProcessOptions;
using std::chrono::milliseconds;
using std::chrono::seconds;

class Output : public ChildOutput {
public:
    [[nodiscard]] ProcessOptions of_script(const std::string& script) { return of({"/bin/sh", "-c", script}); }
};

/// Returns what a script writes until it ends by itself.
std::string output_of(ProcessOptions options, Output& output) {
    ChildProcess process(std::move(options));
    CHECK(Output::eventually([&] { return output.ends == 1; }));
    return output.text();
}
std::string output_of(const std::string& script) {
    Output output;
    return output_of(output.of_script(script), output);
}

/// Whether a process exists and is more than an entry that nobody has asked about.
bool is_alive(int id) {
    std::ifstream file("/proc/" + std::to_string(id) + "/stat");
    std::string line;
    if (!std::getline(file, line)) return ::kill(id, 0) == 0 && !std::filesystem::exists("/proc/self");
    return line[line.rfind(')') + 2] != 'Z';
}

std::size_t entries(const char* folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

}  // namespace

TEST_CASE("what is written to a process comes back from it, however much it is") {
    Output output;
    ChildProcess cat(output.of({"cat"}));
    std::string text;
    for (int i = 0; text.size() < 3'000'000; ++i) text += std::to_string(i) + "\n";
    CHECK(cat.write(text));
    CHECK_FALSE(cat.exit_status());
    CHECK(cat.end() == ExitStatus{0, 0});
    CHECK(output.text() == text);
    CHECK(output.ends == 1);
    CHECK(cat.exit_status() == ExitStatus{0, 0});
    CHECK(cat.end() == ExitStatus{0, 0});
}

TEST_CASE("a process gets its arguments as they are, without a shell") {
    Output output;
    CHECK(output_of(output.of({"/usr/bin/printf", "%s|", "a b", "$HOME", "*", "", "\"'\\"}), output) ==
          "a b|$HOME|*||\"'\\|");
}

TEST_CASE("a process has the environment that its options say") {
    ::setenv("ACTA_TEST_A", "outer", 1);
    ::setenv("ACTA_TEST_B", "outer", 1);
    Output output;
    ProcessOptions options = output.of_script("echo $ACTA_TEST_A-$ACTA_TEST_B-$ACTA_TEST_C");
    options.environment = {{"ACTA_TEST_B", "inner"}, {"ACTA_TEST_C", "new = 1"}};
    CHECK(output_of(options, output) == "outer-inner-new = 1\n");
    Output alone;
    ProcessOptions only = alone.of({"/usr/bin/env"});
    only.environment = {{"ACTA_TEST_B", "inner"}};
    only.inherit_environment = false;
    CHECK(output_of(only, alone) == "ACTA_TEST_B=inner\n");
    Output both;  // each variable once
    ProcessOptions all = both.of({"/usr/bin/env"});
    all.environment = {{"ACTA_TEST_B", "inner"}, {"ACTA_TEST_", "none"}};
    const std::string variables = "\n" + output_of(all, both);
    CHECK_THAT(variables, contains_text("\nACTA_TEST_A=outer\n"));
    CHECK_THAT(variables, contains_text("\nACTA_TEST_B=inner\n"));
    CHECK_THAT(variables, !contains_text("\nACTA_TEST_B=outer\n"));
    ::unsetenv("ACTA_TEST_A");
    ::unsetenv("ACTA_TEST_B");
}

TEST_CASE("a process starts in its folder") {
    const TempFolder folder;
    Output output;
    ProcessOptions options = output.of({"pwd", "-P"});
    options.folder = folder.path();
    CHECK(output_of(options, output) == std::filesystem::canonical(folder.path()).string() + "\n");
}

TEST_CASE("a process that cannot be started is an error with its name") {
    Output output;
    const TempFolder folder;
    write_file(folder / "text", "not a program");
    CHECK(start_error_of({}) == "Cannot start a process: its command is empty");
    CHECK(start_error_of({.command = {""}}) == "Cannot start a process: its command is empty");
    CHECK(start_error_of({.command = {"acta-no-such-program"}}) ==
          "Cannot start 'acta-no-such-program': No such file or directory");
    CHECK_THAT(start_error_of({.command = {(folder / "text").string()}}), contains_text("Permission denied"));
    const std::string zero("a\0b", 3);
    CHECK(start_error_of({.command = {"true", zero}}) == "Cannot start 'true': Invalid argument");
    CHECK(start_error_of({.command = {"true"}, .folder = zero}) == "Cannot start 'true': Invalid argument");
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, std::string>>{{"", "a"}, {"a=b", "c"}, {zero, "a"}, {"a", zero}})
        CHECK(start_error_of({.command = {"true"}, .environment = {{name, value}}}) ==
              "Cannot start 'true': Invalid argument");
    CHECK_THAT(start_error_of({.command = {"true"}, .folder = folder / "none"}),
               contains_text("/none': Not a directory"));
}

TEST_CASE("a process says how it has ended") {
    const auto status_of = [](const std::string& script) {
        ChildProcess process({.command = {"/bin/sh", "-c", script}});
        CHECK(Output::eventually([&] { return process.exit_status().has_value(); }));
        return process.end();
    };
    CHECK(status_of("exit 0") == ExitStatus{0, 0});
    CHECK(status_of("exit 7") == ExitStatus{7, 0});
    CHECK(status_of("kill -9 $$") == ExitStatus{0, 9});
    CHECK(to_string(ExitStatus{7, 0}) == "status 7");
    CHECK(to_string(ExitStatus{0, 9}) == "signal 9");
    // Where the program ignores the ends of its children, the system does not say.
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    CHECK(status_of("exit 7") == ExitStatus{-1, 0});
    std::signal(SIGCHLD, before);
}

TEST_CASE("the end of a process's error output is kept, and never blocks it") {
    ChildProcess process({.command = {"/bin/sh", "-c", "seq 1 200000 >&2; echo last >&2"}, .max_errors = 19});
    CHECK(Output::eventually([&] { return process.exit_status().has_value(); }));
    process.end();
    CHECK(process.errors() == "199999\n200000\nlast\n");
}

TEST_CASE("a process inherits no descriptor but its standard streams") {
    const int open = ::open("/dev/null", O_RDONLY);  // without FD_CLOEXEC
    REQUIRE(::fcntl(open, F_GETFD) == 0);
    const int high = ::fcntl(open, F_DUPFD, 200);
    // `ls` has one of its own, for the folder.
    CHECK(output_of("ls /proc/self/fd") == "0\n1\n2\n3\n");
    ::close(open);
    ::close(high);
}

TEST_CASE("a process has no signal blocked or ignored by its parent") {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const auto ignored = std::signal(SIGINT, SIG_IGN);
    std::istringstream masks(output_of("sed -n 's/^Sig[BI][lg][kn]:.*\\(........\\)$/\\1/p' /proc/self/status"));
    std::signal(SIGINT, ignored);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    int lines = 0;
    for (std::string one; std::getline(masks, one); ++lines)
        CHECK((std::stoul(one, nullptr, 16) & 0x7FFFFFFFU) == 0);  // above are those that the C library itself uses
    CHECK(lines == 2);
}

TEST_CASE("a write to a process that does not read ends with its deadline or a stop") {
    ChildProcess process({.command = {"sleep", "1000"}, .close_timeout = milliseconds(20)});
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
    CHECK(process.end() == ExitStatus{0, SIGTERM});
    writer.join();
    CHECK_THAT(error, contains_text("'sleep' "));
}

TEST_CASE("a write to a process that has ended is an error that says how") {
    ChildProcess process({.command = {"/bin/sh", "-c", "exit 3"}});
    REQUIRE(Output::eventually([&] { return process.exit_status().has_value(); }));
    CHECK_THROWS_WITH(process.write("a"), "'/bin/sh' has ended with status 3");
    process.end();
    CHECK_THROWS_WITH(process.write("a"), "'/bin/sh' has ended with status 3");
    CHECK(process.write(""));
    ChildProcess closed({.command = {"/bin/sh", "-c", "exec 0<&-; sleep 1000"}, .close_timeout = milliseconds(20)});
    const auto fails = [&] {
        try {
            return !closed.write("a");
        } catch (const acta::ProcessError& error) {
            return std::string(error.what()) == "'/bin/sh' no longer reads its input";
        }
    };
    CHECK(Output::eventually(fails));
    sigset_t pending;
    sigpending(&pending);
    CHECK(sigismember(&pending, SIGPIPE) == 0);
}

TEST_CASE("a process is asked to end, and then ended, with all that it has started") {
    struct Row {
        const char* script;
        ExitStatus status;
    };
    for (const Row& row : {Row{"read line; exit 4", {4, 0}},  // whose input is closed
                           Row{"trap 'exit 5' TERM; while :; do sleep 0.01; done", {5, 0}},
                           Row{"trap '' TERM; while :; do sleep 0.01; done", {0, SIGKILL}}}) {
        INFO(row.script);
        Output output;
        ProcessOptions options =
            output.of_script(std::string("sleep 1000 >/dev/null 2>&1 & echo $! started; ") + row.script);
        options.close_timeout = milliseconds(100);
        options.terminate_timeout = milliseconds(100);
        ChildProcess process(options);
        REQUIRE(output.has("started"));
        const int other = std::stoi(output.text());
        CHECK(is_alive(other));
        CHECK(process.end() == row.status);
        CHECK_FALSE(is_alive(process.id()));
        CHECK(Output::eventually([&] { return !is_alive(other); }));
        CHECK(output.ends == 1);
    }
}

TEST_CASE("the end of a process is noticed where another one holds its output open") {
    Output output;
    ProcessOptions options = output.of_script("sleep 1000 & echo $!");
    options.close_timeout = milliseconds(50);
    ChildProcess process(options);
    CHECK(Output::eventually([&] { return output.ends == 1; }));
    CHECK(process.exit_status() == ExitStatus{0, 0});
    const int other = std::stoi(output.text());
    CHECK(is_alive(other));
    process.end();
    CHECK(Output::eventually([&] { return !is_alive(other); }));
    CHECK(output.ends == 1);
}

TEST_CASE("a process that has left the group is not waited for") {
    Output output;
    ProcessOptions options = output.of_script("setsid sleep 1000 & echo $! started; read line");
    options.close_timeout = milliseconds(20);
    options.terminate_timeout = milliseconds(20);
    ChildProcess process(options);
    REQUIRE(output.has("started"));
    const int other = std::stoi(output.text());
    // It is a child of its own once it has a session of its own.
    CHECK(Output::eventually([&] { return ::getsid(other) == other; }));
    process.end();
    CHECK(output.ends == 1);
    CHECK(is_alive(other));
    CHECK(::kill(other, SIGKILL) == 0);
}

TEST_CASE("processes leave no descriptor, thread or entry in the system's table") {
    const auto run = [] {
        Output output;
        ChildProcess process(output.of({"cat"}));
        process.write("a");
        CHECK(output.has("a"));
        CHECK(start_error_of({.command = {"acta-no-such-program"}}) != "");
        return process.id();
    };
    run();
    const std::size_t descriptors = entries("/proc/self/fd");
    const std::size_t threads = entries("/proc/self/task");
    for (int i = 0; i < 10; ++i) {
        const int id = run();
        CHECK_FALSE(std::filesystem::exists("/proc/" + std::to_string(id)));
    }
    CHECK(entries("/proc/self/fd") == descriptors);
    CHECK(entries("/proc/self/task") == threads);
}

TEST_CASE("several threads write whole texts to a process") {
    Output output;
    ChildProcess process(output.of({"cat"}));
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

TEST_CASE("a copy of the program that fork has made leaves its processes alone") {
    Output output;
    auto process = std::make_unique<ChildProcess>(output.of({"cat"}));
    const pid_t child = ::fork();
    if (child == 0) {
        process.reset();
        ::_exit(0);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    process->write("still there");
    CHECK(output.has("still there"));
    CHECK(process->end() == ExitStatus{0, 0});
}

TEST_CASE("what a process writes can be read in the thread that waits for it") {
    std::mutex mutex;
    std::string out;
    std::thread::id reader;
    acta::ProcessOptions options{.command = {"cat"}};
    options.on_output = [&](std::string_view text) {
        const std::lock_guard lock(mutex);
        out += text;
        reader = std::this_thread::get_id();
    };
    acta::ChildProcess cat(options);
    std::size_t sent = 0;
    bool was_here = false;
    // The process's own thread may be faster, until it leaves the reading to this one.
    for (int i = 0; i < 2000 && !was_here; ++i) {
        REQUIRE(cat.write("tides\n"));
        sent += 6;
        for (;;) {
            static_cast<void>(cat.read(std::chrono::milliseconds(20)));
            const std::lock_guard lock(mutex);
            was_here = was_here || reader == std::this_thread::get_id();
            if (out.size() == sent) break;
        }
    }
    CHECK(was_here);
    // What comes when no thread waits is read all the same.
    REQUIRE(cat.write("later\n"));
    CHECK(Output::eventually([&] {
        const std::lock_guard lock(mutex);
        return out.size() == sent + 6;
    }));
    CHECK_FALSE(cat.read(std::chrono::milliseconds(1)));
    CHECK(cat.end() == acta::ExitStatus{});
    CHECK_FALSE(cat.read(std::chrono::milliseconds(1)));
}

TEST_CASE("a process that a thread may read for an hour is read again, or ended, as soon as that is wanted") {
    std::atomic<std::size_t> received{0};
    ProcessOptions options{.command = {"cat"}, .on_output = [&](std::string_view text) { received += text.size(); }};
    options.close_timeout = std::chrono::hours(24);  // without that, the end would take an hour
    ChildProcess cat(options);
    std::size_t sent = 0;
    const auto read_for_an_hour = [&] {
        std::atomic<bool> has_read{false};
        std::thread writer([&] {
            for (; !has_read && cat.write("tides\n"); sent += 6)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        });
        while (!cat.read(std::chrono::hours(1))) {
        }
        has_read = true;
        writer.join();
    };
    const auto send = [&] {
        REQUIRE(cat.write("later\n"));
        sent += 6;
    };
    read_for_an_hour();
    send();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so that the thread of the process waits by now
    static_cast<void>(cat.read(std::chrono::milliseconds(1)));
    send();
    CHECK(Output::eventually([&] { return received == sent; }));
    read_for_an_hour();
    CHECK(cat.end() == acta::ExitStatus{});
}

TEST_CASE("what comes soon after a read is left to the thread that has read") {
    Output output;
    ProcessOptions options = output.of_script("while read line; do sleep 0.05; echo $line; done");
    options.close_timeout = options.terminate_timeout = milliseconds(20);
    ChildProcess process(options);
    std::size_t sent = 0;
    do {  // until this thread has read it, and not that of the process
        REQUIRE(process.write("a\n"));
        sent += 2;
    } while (!process.read(seconds(5)) && sent < 20);
    REQUIRE(sent < 20);
    REQUIRE(process.write("b\n"));
    std::this_thread::sleep_for(milliseconds(150));
    CHECK(output.text().size() == sent);
    CHECK(process.read(seconds(5)));
    CHECK(output.text().size() == sent + 2);
}

TEST_CASE("the end of a process does not wait for a thread that reads") {
    Output output;
    // A process that has left the group holds the output open.
    ProcessOptions options = output.of_script("setsid sleep 300 & echo $!; exec cat");
    ChildProcess process(options);
    REQUIRE(output.has("\n"));
    const auto left = static_cast<pid_t>(std::stol(output.text()));
    std::atomic<int> reads{0};
    std::thread reader([&] {
        for (++reads; process.read(std::chrono::hours(1)); ++reads) {
        }
    });
    while (reads == 0) std::this_thread::yield();
    process.end();
    reader.join();
    CHECK_FALSE(process.read(std::chrono::hours(-1)));
    ::kill(left, SIGKILL);
}
