// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/mcp/serve.hpp"
#include "acta/mcp/stdio_transport.hpp"
#include "mcp/common.hpp"
#include "mcp/pipes.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/temp_folder.hpp"

// The transport over the standard streams of a process, here a few lines of a shell each time.
namespace {

namespace mcp = acta::mcp;
using acta::Json;
using mcp_tests::thrown;

const auto ignore = [](const mcp::Message&) {};

class Child {
public:
    Child(std::size_t max_bytes, const std::string& script, const std::vector<std::string>& arguments = {},
          const mcp::OnMessage& on_notice = ignore)
        : transport_(options(script, arguments), "sea", max_bytes) {
        transport_.open(on_notice);
    }
    Json result(std::int64_t id, const mcp::OnMessage& on_message = ignore) {
        const mcp::Response response =
            transport_.exchange({.message = mcp::Request{id, "x", {}}},
                                {.until = {.deadline = acta::deadline_in(std::chrono::seconds(20))}}, on_message);
        return std::get<Json>(response.outcome);
    }
    std::string fault() {
        return thrown<mcp::ConnectionError>([&] { static_cast<void>(result(1)); });
    }

private:
    static acta::ProcessOptions options(const std::string& script, const std::vector<std::string>& arguments) {
        acta::ProcessOptions out;
        out.command = {"/bin/sh", "-c", script, "sh"};
        out.command.insert(out.command.end(), arguments.begin(), arguments.end());
        return out;
    }
    mcp::StdioTransport transport_;
};

}  // namespace

TEST_CASE("as many pings of a process wait to be answered as may") {
    below_at_above(100, [](std::size_t count) {
        const TempFolder folder;
        const std::filesystem::path file = folder / "read";
        Child child(1'000'000, R"~(
ping() { printf '{"jsonrpc": "2.0", "id": "%s", "method": "ping"}\n' "$1"; }
read -r request
ping "$(printf %0100000d 0)"
first=$(dd bs=1 count=1 2>/dev/null)  # the answer is being written, and takes more than the pipe does
n=0; while [ $n -lt $1 ]; do ping "one of many"; n=$((n + 1)); done
printf '{"jsonrpc": "2.0", "method": "all"}\n'
until [ -e "$2" ]; do sleep 0.01; done
read -r rest; read -r next  # so that one more may wait
ping last
n=1
while read -r line; do case "$line" in *last*) break;; esac; n=$((n + 1)); done
printf '{"jsonrpc": "2.0", "id": 1, "result": %d}\n' $n
read -r end
)~",
                    {std::to_string(count), file.string()}, [&](const mcp::Message&) { write_file(file, ""); });
        return child.result(1) == count;
    });
}

TEST_CASE("messages about a request wait to be passed on, as many bytes as a message may have") {
    below_at_above(10, [](std::size_t count) {
        Child child(10'000, R"~(
say() { printf "{\"jsonrpc\": \"2.0\", $1}\n" $2; }
progress() { say '"method": "notifications/progress", "params": {"progressToken": %-915d}' $1; }
id=2
while read -r line; do
    if [ $((id % 2)) = 0 ]; then
        progress $id
    else
        n=0; while [ $n -lt $1 ]; do progress $((id - 1)); n=$((n + 1)); done
        for one in $id $((id - 1)); do say '"id": %d, "result": {}' $one; done
    fi
    id=$((id + 1))
done
)~",
                    {std::to_string(count)});
        // During the first one, all others arrive. What a call that fails leaves does not count for the next one.
        const auto heard = [&](std::int64_t id, bool fails) {
            std::size_t out = 0;
            const auto hear = [&](const mcp::Message&) {
                if (++out != 1) return;
                static_cast<void>(child.result(id + 1));
                if (fails) throw std::runtime_error("as asked");
            };
            const std::string error = thrown<std::runtime_error>([&] { static_cast<void>(child.result(id, hear)); });
            CHECK(error == (fails ? "as asked" : "nothing"));
            return out;
        };
        CHECK(heard(2, true) == 1);
        const std::size_t all = heard(4, false);
        CHECK(heard(6, false) == all);
        return all == 1 + count;
    });
}

TEST_CASE("a line of a process is as long as it may be") {
    below_at_above(1000, [](std::size_t bytes) {
        Child child(1000,
                    R"~(read -r request; printf "%-$1s\n" '{"jsonrpc": "2.0", "id": 1, "result": {}}'; read -r end)~",
                    {std::to_string(bytes)});
        const std::string fault = child.fault();
        if (fault != "nothing") CHECK_THAT(fault, contains_text(" wrote a line of more than 1000 bytes"));
        return fault == "nothing";
    });
}

TEST_CASE("an error of a process says what it wrote last") {
    const std::string head = "the server 'sea' (/bin/sh) has ended (status 3)";
    const std::vector<std::pair<std::string, std::string>> rows{
        {"", ""},
        {R"(printf ' a b \r\n \n' >&2)", "; its error output:  a b"},
        {R"(printf ' \r\n' >&2)", ""},
        {R"(printf '%0300d\n' 0)", "; it wrote what is not a message: " + std::string(200, '0')},
        {R"(printf ' \t\r\n')", ""},
        {R"(printf 'a\377' >&2)", "; its error output: a\xEF\xBF\xBD"},
        {R"(printf '{"jsonrpc": "2.0", "error": {"code": -7, "message": "%0300d"}}\n' 0)",
         "; it wrote what is not a message: error -7: " + std::string(200, '0')},
        {R"(printf 'first\nlast\n'; printf e >&2)", "; it wrote what is not a message: last; its error output: e"},
    };
    for (const auto& [script, words] : rows) {
        INFO(script);
        Child child(1000, "read -r request\n" + script + "\nexit 3");
        CHECK(child.fault() == head + words);
    }
}

TEST_CASE("a process ends before another one is started") {
    const TempFolder folder;
    const std::filesystem::path program = folder / "cat";
    std::filesystem::create_symlink("/bin/cat", program);
    acta::ProcessOptions options;
    options.command = {program.string()};
    mcp::StdioTransport transport(options, "sea", 1000);
    const auto send = [&] {
        return thrown<mcp::ConnectionError>([&] { transport.send({.message = mcp::Notification{"m", {}}}, {}); });
    };
    CHECK_FALSE(transport.is_open());
    CHECK(send() == "the server 'sea' is not started");
    transport.open(ignore);
    CHECK(transport.is_open());
    CHECK(send() == "nothing");
    transport.open(ignore);
    CHECK(transport.is_open());
    std::filesystem::remove(program);
    CHECK_THAT(thrown<mcp::ConnectionError>([&] { transport.open(ignore); }),
               starts_with_text("the server 'sea' was not started: "));
    CHECK_FALSE(transport.is_open());
    CHECK(transport.last_words().empty());
}

TEST_CASE("a server over standard streams leaves the signals of its program as they were") {
    void (*const mine)(int) = [](int) {};
    void (*const before)(int) = std::signal(SIGPIPE, mine);
    {
        mcp_tests::TestPipe in;
        const mcp_tests::TestPipe out;
        in.close_write_end();
        mcp::serve_stdio(mcp::Server(), {.input = in.read_end(), .output = out.write_end()});
    }
    CHECK(std::signal(SIGPIPE, before) == mine);
    CHECK_THROWS_AS(mcp::serve_stdio(mcp::Server(), {.output = -1}), acta::FileError);
}
