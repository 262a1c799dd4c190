// SPDX-License-Identifier: MIT
// What the client of the Model Context Protocol takes, beside what it cannot do without: the same bytes over the same
// pipes, libcurl's own round trip, a parser alone, and valijson for the validator. All processes run on one processor,
// so that the elapsed time is that of both sides, and does not depend on how long an idle processor takes to wake up.
//
//     acta_bench_mcp [<rounds>]          prints a table; 5 rounds, of which the best counts
//     acta_bench_mcp profile <row>       runs acta's side of the row that has this in its name, for a profiler
//     acta_bench_mcp serve 2026|2025     is the server, on its standard streams
#include <curl/curl.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/mcp/http.hpp"
#include "acta/schema/validator.hpp"
#include "server.hpp"
#ifdef BENCH_HAS_VALIJSON
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#endif

namespace {

using Run = std::function<void()>;

std::string program;  // this one

/// One part of the table: acta's way and the other, each of which does the same `count` times.
struct Row {
    std::string name{};
    std::size_t count = 1;
    Run acta{};
    Run floor{};
    std::string floor_name{};
    std::string aim{};
};

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

std::string call_text(std::size_t id, bool is_modern) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
           R"(,"method":"tools/call","params":{"name":"read_log","arguments":{"table":"tides","rows":3})" +
           (is_modern ? R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                        R"("io.modelcontextprotocol/clientCapabilities":{},)"
                        R"("io.modelcontextprotocol/clientInfo":{"name":"acta","version":"0.1.0"}}}})"
                      : "}}");
}

/// The server behind pipes, and nothing else.
class Pipes {
public:
    explicit Pipes(bool is_modern) {
        int in[2];
        int out[2];
        if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) fail("no pipes");
        process_ = fork();
        if (process_ < 0) fail("no process");
        if (process_ == 0) {
            dup2(in[0], 0);
            dup2(out[1], 1);
            execl(program.c_str(), program.c_str(), "serve", is_modern ? "2026" : "2025", nullptr);
            _exit(1);
        }
        close(in[0]);
        close(out[1]);
        to_ = in[1];
        from_ = out[0];
    }
    Pipes(const Pipes&) = delete;
    Pipes& operator=(const Pipes&) = delete;
    ~Pipes() {
        close(to_);
        close(from_);
        waitpid(process_, nullptr, 0);
    }

    /// Writes a line and reads one, which is not looked at.
    const std::string& round(const std::string& line) {
        if (!bench::write_all(to_, line)) fail("the server does not read");
        reply_.clear();
        char buffer[65536];
        do {
            const ssize_t size = read(from_, buffer, sizeof buffer);
            if (size <= 0) fail("the server does not answer");
            reply_.append(buffer, static_cast<std::size_t>(size));
        } while (reply_.back() != '\n');
        return reply_;
    }
    void send(const std::string& line) { bench::write_all(to_, line); }

private:
    pid_t process_ = -1;
    int to_ = -1;
    int from_ = -1;
    std::string reply_{};
};

/// libcurl's round trip, over one connection.
class Curl {
public:
    explicit Curl(const std::string& url) : handle_(curl_easy_init()) {
        for (const char* const one :
             {"Content-Type: application/json", "Accept: application/json, text/event-stream",
              "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: read_log"})
            headers_ = curl_slist_append(headers_, one);
        curl_easy_setopt(handle_, CURLOPT_URL, url.c_str());
        curl_easy_setopt(handle_, CURLOPT_HTTPHEADER, headers_);
        curl_easy_setopt(handle_, CURLOPT_WRITEFUNCTION, &receive);
        curl_easy_setopt(handle_, CURLOPT_WRITEDATA, &reply_);
    }
    Curl(const Curl&) = delete;
    Curl& operator=(const Curl&) = delete;
    ~Curl() {
        curl_slist_free_all(headers_);
        curl_easy_cleanup(handle_);
    }

    void round(const std::string& body) {
        reply_.clear();
        curl_easy_setopt(handle_, CURLOPT_POSTFIELDS, body.data());
        curl_easy_setopt(handle_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
        if (curl_easy_perform(handle_) != CURLE_OK || reply_.empty()) fail("the server does not answer");
    }

private:
    static std::size_t receive(const char* data, std::size_t size, std::size_t count, void* reply) {
        static_cast<std::string*>(reply)->append(data, size * count);
        return size * count;
    }

    std::string reply_{};
    CURL* handle_;
    curl_slist* headers_ = nullptr;
};

acta::mcp::Client stdio_client(bool is_modern) {
    return acta::mcp::Client::stdio({program, "serve", is_modern ? "2026" : "2025"},
                                    {.version = is_modern ? "2026-07-28" : "2025-11-25"});
}

void call(const acta::mcp::Client& client) {
    const acta::mcp::CallToolResult result = client.call_tool("read_log", {{"table", "tides"}, {"rows", 3}});
    if (result.content.size() != 1) fail("another result");
}

void call_many(const acta::mcp::Client& client, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) call(client);
}

void add_calls(std::vector<Row>& rows, const bench::HttpPeer& peer) {
    constexpr std::size_t count = 2000;
    for (const bool is_modern : {true, false}) {
        const auto client = std::make_shared<acta::mcp::Client>(stdio_client(is_modern));
        const auto pipes = std::make_shared<Pipes>(is_modern);
        rows.push_back({std::string("a call over stdio, ") + (is_modern ? "2026-07-28" : "2025-11-25"), count,
                        [=] { call_many(*client, count); },
                        [=] {
                            for (std::size_t i = 0; i < count; ++i) pipes->round(call_text(i, is_modern) + "\n");
                        },
                        "`write` and `read` over the same pipes", "3"});
    }
    const auto client = std::make_shared<acta::mcp::Client>(acta::mcp::Client::http(peer.url()));
    const auto curl = std::make_shared<Curl>(peer.url());
    rows.push_back({"a call over HTTP, 2026-07-28", count, [=] { call_many(*client, count); },
                    [=] {
                        for (std::size_t i = 0; i < count; ++i) curl->round(call_text(i, true));
                    },
                    "libcurl's round trip", "1.5"});
}

void add_listing(std::vector<Row>& rows) {
    const auto client = std::make_shared<acta::mcp::Client>(stdio_client(true));
    const auto pipes = std::make_shared<Pipes>(true);
    const std::string list = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"
                             "\n";
    rows.push_back({std::to_string(bench::listed_tools) + " tools with schemas listed", 1,
                    [=] {
                        if (client->list_tools().size() != bench::listed_tools) fail("other tools");
                    },
                    [=] {
                        const auto read = nlohmann::json::parse(pipes->round(list));
                        if (read["result"]["tools"].size() != bench::listed_tools) fail("other tools");
                    },
                    "the same bytes, and nlohmann_json's `parse`", ""});
}

void add_starts(std::vector<Row>& rows) {
    rows.push_back({"from the start to the first call, over stdio, 2025-11-25", 1,
                    [] {
                        const acta::mcp::Client client = stdio_client(false);
                        static_cast<void>(client.request("tools/call", {{"name", "read_log"}}));
                    },
                    [] {
                        Pipes pipes(false);
                        pipes.round(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"
                                    "\n");
                        pipes.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                                   "\n");
                        pipes.round(call_text(2, false) + "\n");
                    },
                    "`fork`, `exec` and the same messages", ""});
}

#ifdef BENCH_HAS_VALIJSON
void add_validation(std::vector<Row>& rows) {
    constexpr std::size_t count = 20'000;
    const std::string text = R"({"type":"object","properties":{"table":{"type":"string","minLength":1},
        "rows":{"type":"integer","minimum":1,"maximum":1000},"order":{"enum":["up","down"]},
        "columns":{"type":"array","items":{"type":"string"},"maxItems":20},
        "between":{"type":"object","properties":{"from":{"type":"number"},"to":{"type":"number"}},"required":["from"],
        "additionalProperties":false}},"required":["table"],"additionalProperties":false,
        "$schema":"http://json-schema.org/draft-07/schema#"})";
    const std::string value = R"({"table":"tides","rows":3,"order":"up","columns":["port","height","time"],
        "between":{"from":1.5,"to":7}})";
    const auto ours = std::make_shared<acta::SchemaValidator>(acta::parse<acta::Json>(text));
    const auto arguments = std::make_shared<acta::Json>(acta::parse<acta::Json>(value));
    const auto theirs = std::make_shared<valijson::Schema>();
    const nlohmann::json document = nlohmann::json::parse(text);
    const valijson::adapters::NlohmannJsonAdapter adapter(document);
    valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(adapter, *theirs);
    const auto same = std::make_shared<nlohmann::json>(nlohmann::json::parse(value));
    rows.push_back({"arguments validated, draft-07", count,
                    [=] {
                        for (std::size_t i = 0; i < count; ++i)
                            if (!ours->issues(*arguments).empty()) fail("acta finds an issue");
                    },
                    [=] {
                        const valijson::adapters::NlohmannJsonAdapter target(*same);
                        for (std::size_t i = 0; i < count; ++i) {
                            valijson::Validator validator;
                            if (!validator.validate(*theirs, target, nullptr)) fail("valijson finds an issue");
                        }
                    },
                    "valijson", ""});
}
#endif

void use_one_processor() {
#if defined(__linux__)
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(std::max(sched_getcpu(), 0), &one);
    sched_setaffinity(0, sizeof one, &one);
#endif
}

double microseconds(const Row& row, const Run& run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
    return taken.count() / static_cast<double>(row.count);
}

void print_table(const std::vector<Row>& rows, std::size_t rounds) {
    std::cout.precision(3);
    std::cout << "| MCP, elapsed time | acta, µs | the other, µs | acta / the other | aim | the other |\n"
                 "|---|---|---|---|---|---|\n";
    for (const Row& row : rows) {
        double acta = std::numeric_limits<double>::max();
        double floor = acta;
        for (std::size_t i = 0; i < rounds; ++i) {
            floor = std::min(floor, microseconds(row, row.floor));
            acta = std::min(acta, microseconds(row, row.acta));
        }
        std::cout << "| " << row.name << " | " << acta << " | " << floor << " | " << acta / floor << " | " << row.aim
                  << " | " << row.floor_name << " |\n";
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const std::vector<std::string> arguments(argv + 1, argv + argc);
        if (arguments.size() == 2 && arguments[0] == "serve") {
            bench::serve_lines(arguments[1] == "2026");
            return 0;
        }
        program = std::filesystem::canonical("/proc/self/exe").string();
        use_one_processor();
        const bench::HttpPeer peer;
        std::vector<Row> rows;
        add_calls(rows, peer);
        add_listing(rows);
        add_starts(rows);
#ifdef BENCH_HAS_VALIJSON
        add_validation(rows);
#endif
        if (arguments.size() == 2 && arguments[0] == "profile") {
            for (const Row& row : rows) {
                if (row.name.find(arguments[1]) == std::string::npos) continue;
                for (int i = 0; i < 30; ++i) row.acta();
                return 0;
            }
            fail("no row has '" + arguments[1] + "' in its name");
        }
        print_table(rows, arguments.empty() ? 5 : std::stoul(arguments[0]));
    } catch (const std::exception& error) {
        std::cerr << "acta_bench_mcp: " << error.what() << '\n';
        return 1;
    }
}
