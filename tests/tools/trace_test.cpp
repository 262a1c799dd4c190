// SPDX-License-Identifier: MIT
#include <acta/json/json.hpp>
#include <cstddef>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "command.hpp"
#include "support/catch.hpp"

#if defined(TOOLS_HAVE_SQLITE)
#include <acta/store/sqlite/store.hpp>
#include <acta/store/stored_history.hpp>
#endif
#if defined(TOOLS_HAVE_CLIENT)
#include "provider/http/socket_server.hpp"
#endif

using acta::Json;
using command::word;

namespace {

/// The spans of a body.
Json spans_of(const std::string& body) {
    return acta::parse<Json>(body).at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans");
}

std::string service_of(const std::string& body) {
    const Json resource = acta::parse<Json>(body).at("resourceSpans").at(0).at("resource");
    return resource.at("attributes").at(0).at("value").at("stringValue").get<std::string>();
}

/// A run whose error has a key in it.
std::string run_with_key(const TempFolder& folder) {
    acta::EpisodicActionHistory<> history = command::three_days();
    history.register_action({.use_tool = {"tides", {{"day", "thursday"}}}});
    history.register_result(acta::ActionErrorResult{"denied to sk-proj-0123456789abcdefghijklmnop"});
    acta::save(history, folder / "run.json");
    return word(folder / "run.json");
}

}  // namespace

TEST_CASE("A run is written as spans") {
    const TempFolder folder;
    const auto out = command::acta("trace " + command::sample() + " --to - --agent pilot --provider openai");
    CHECK(out.code == 0);
    CHECK(out.err.empty());
    const Json spans = spans_of(out.out);
    CHECK(spans.size() == 12);
    CHECK(spans.back().at("name") == "invoke_agent pilot");
    CHECK(std::string(spans.front().at("startTimeUnixNano")).starts_with("1772"));  // of the record
    CHECK_THAT(out.out, contains_text(R"({"key":"gen_ai.provider.name","value":{"stringValue":"openai"}})"));
    CHECK(service_of(out.out) == "acta");

    const std::string file = word(folder / "spans.json");
    const std::string again = command::sample() + " --agent pilot --provider openai --to " + file;
    CHECK(command::acta("trace " + again).code == 0);
    CHECK(read_file(folder / "spans.json") == out.out);
    const auto named = command::shell("export OTEL_SERVICE_NAME=harbour; '" + paths::build() + "/tools/acta' trace " +
                                      command::sample() + " --to -");
    CHECK(service_of(named.out) == "harbour");
}

TEST_CASE("Spans have contents only if they are asked for, and keys are hidden in them") {
    const TempFolder folder;
    const std::string run = run_with_key(folder);
    const auto without = command::acta("trace " + run + " --to -");
    CHECK(without.code == 0);
    CHECK(without.out.find("high tide") == std::string::npos);
    CHECK(without.out.find("thursday") == std::string::npos);
    CHECK(without.out.find("denied") == std::string::npos);
    const auto with = command::acta("trace " + run + " --to - --content");
    CHECK(with.code == 0);
    for (const char* const text : {"high tide", "thursday", "denied to", "12:00"})
        CHECK_THAT(with.out, contains_text(text));
    CHECK(with.out.find("sk-proj") == std::string::npos);
}

TEST_CASE("A run without times has those of now, and files with the same beginning have other identifiers") {
    const TempFolder folder;
    acta::EpisodicActionHistory<> history = command::three_days();
    acta::save(history, folder / "first.json");
    command::add_step(history, "friday");
    acta::save(history, folder / "second.json");
    const auto first = command::acta("trace " + word(folder / "first.json") + " --to -");
    CHECK_THAT(first.err, contains_text("the run has no times"));
    std::set<std::string> traces;
    for (const Json& span : spans_of(first.out)) {
        CHECK(std::string(span.at("startTimeUnixNano")).size() == 19);
        CHECK(span.at("startTimeUnixNano") == span.at("endTimeUnixNano"));
        traces.insert(span.at("traceId"));
    }
    CHECK(traces.size() == 1);
    const auto again = command::acta("trace - --to - <" + word(folder / "first.json"));
    CHECK(spans_of(again.out).at(0).at("spanId") == spans_of(first.out).at(0).at("spanId"));
    const auto second = command::acta("trace " + word(folder / "second.json") + " --to -");
    CHECK_FALSE(traces.contains(spans_of(second.out).at(0).at("traceId")));
}

TEST_CASE("What cannot be traced is an error that says why") {
    const TempFolder folder;
    const std::string run = word(folder / "run.json");
    acta::save(command::three_days(), folder / "run.json");
    const auto check = [](const command::Outcome& outcome, int code, const char* message) {
        CHECK(outcome.code == code);
        CHECK(outcome.out.empty());
        CHECK_THAT(outcome.err, contains_text(message));
    };
    check(command::acta("trace " + run), 2, "--to is required");
    check(command::acta("trace " + run + " --to " + run), 2, "is the run that is read");
    check(command::acta("trace " + run + " --to grpc://localhost:4317"), 2, "must begin with http:// or https://");
    check(command::acta("trace " + word(folder / "none") + " --to -"), 3, "none");
    check(command::acta("trace " + run + " --to " + word(folder / "no/where")), 4, "No such file or directory");
    write_file(folder / "question.json", R"([{"role": "user", "content": "When?"}])");
    check(command::acta("trace " + word(folder / "question.json") + " --to -"), 3, "no answer of a model");
#if !defined(TOOLS_HAVE_CLIENT)
    check(command::acta("trace " + run + " --to http://localhost:4318"), 4, "needs libcurl");
#endif
}

#if defined(TOOLS_HAVE_SQLITE)
TEST_CASE("A history in a store is traced, and has the same identifiers when it has grown") {
    const TempFolder folder;
    acta::sqlite::Store store(folder / "runs.db");
    auto run = acta::StoredHistory<>::create(store, "task-42");
    command::add_step(run, "monday");
    const auto trace = [&] {
        return spans_of(command::acta("trace " + word(folder / "runs.db") + " task-42 --to -").out);
    };
    const Json first = trace();
    command::add_step(run, "tuesday");
    const Json second = trace();
    CHECK(first.size() == 3);
    CHECK(second.size() == 5);
    CHECK(first.at(0).at("spanId") == second.at(0).at("spanId"));
}
#endif

#if defined(TOOLS_HAVE_CLIENT)
namespace {

/// A collector that answers each request in the same way.
class Collector {
public:
    explicit Collector(std::string status, std::string body = "{}") {
        server_.emplace([this, status, body](faulty::Connection& connection) {
            for (faulty::Request request; !(request = connection.read()).head.empty();) {
                {
                    const std::lock_guard lock(mutex_);
                    requests_.push_back(request);
                }
                connection.answer(status, body);
            }
        });
    }
    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }
    std::vector<faulty::Request> requests() {
        const std::lock_guard lock(mutex_);
        return requests_;
    }

private:
    std::mutex mutex_{};
    std::vector<faulty::Request> requests_{};
    std::optional<faulty::Server> server_{};
};

command::Outcome trace_to(const std::string& url, const std::string& headers = "") {
    return command::shell("export OTEL_EXPORTER_OTLP_HEADERS='" + headers + "'; '" + paths::build() +
                          "/tools/acta' trace " + command::sample() + " --to " + url);
}

}  // namespace

TEST_CASE("A run is sent to a collector, with the headers of the environment") {
    Collector collector("200 OK");
    const auto sent = trace_to(collector.url(), "Authorization=Basic%20cHVibGljOnNlY3JldA==, x-version = 4 ,");
    CHECK(sent.code == 0);
    CHECK(sent.out.empty());
    CHECK(sent.err.empty());
    REQUIRE(collector.requests().size() == 1);
    const faulty::Request request = collector.requests().front();
    CHECK(request.head.starts_with("POST /v1/traces "));
    CHECK_THAT(request.head, contains_text("\r\nAuthorization: Basic cHVibGljOnNlY3JldA==\r\n"));
    CHECK_THAT(request.head, contains_text("\r\nx-version: 4\r\n"));
    CHECK_THAT(request.head, contains_text("\r\nContent-Type: application/json\r\n"));
    CHECK(spans_of(request.body).size() == 12);

    CHECK(trace_to(collector.url() + "/otlp/v1/traces").code == 0);
    CHECK(collector.requests().back().head.starts_with("POST /otlp/v1/traces "));
}

TEST_CASE("A long run is sent in several requests") {
    const TempFolder folder;
    acta::EpisodicActionHistory<> history;
    for (int i = 0; i < 1500; ++i) command::add_step(history, std::to_string(i));
    acta::save(history, folder / "run.json");
    Collector collector("200 OK");
    CHECK(command::acta("trace " + word(folder / "run.json") + " --to " + collector.url()).code == 0);
    std::size_t spans = 0;
    for (const faulty::Request& request : collector.requests()) spans += spans_of(request.body).size();
    CHECK(spans == 3001);
    CHECK(collector.requests().size() == 6);
}

TEST_CASE("A collector that refuses, or takes not all, is an error") {
    const std::string key = "dd0123456789abcdef";
    Collector refusing("403 Forbidden", R"({"message": "no access with dd0123456789abcdef"})");
    const auto refused = trace_to(refusing.url(), "dd-api-key=" + key);
    CHECK(refused.code == 4);
    CHECK_THAT(refused.err, contains_text("cannot send 12 of 12 spans to 'http://127.0.0.1:"));
    CHECK_THAT(refused.err, contains_text("the collector answered with 403: no access with ***"));
    CHECK(refusing.requests().size() == 1);

    Collector choosy("200 OK", R"({"partialSuccess": {"rejectedSpans": "5", "errorMessage": "too old"}})");
    const auto partial = trace_to(choosy.url());
    CHECK(partial.code == 4);
    CHECK_THAT(partial.err, contains_text("cannot send 5 of 12 spans"));
    CHECK_THAT(partial.err, contains_text("too old"));
}

TEST_CASE("A collector that is not there is an error") {
    const auto [listener, port] = faulty::listen_on_loopback();
    ::close(listener);
    const auto absent = trace_to("http://127.0.0.1:" + std::to_string(port));
    CHECK(absent.code == 4);
    CHECK_THAT(absent.err, contains_text("Failed to connect"));
}

TEST_CASE("Headers that cannot be read are an error that does not quote them") {
    for (const char* const headers : {"a=b,secret", "a=b,se cret=1", "a=b,key=secret%0Ax", "a=b,=secret"}) {
        CAPTURE(headers);
        const auto wrong = trace_to("http://127.0.0.1:9", headers);
        CHECK(wrong.code == 2);
        CHECK_THAT(wrong.err, contains_text("OTEL_EXPORTER_OTLP_HEADERS: entry 2 is not a header"));
        CHECK(wrong.err.find("secret") == std::string::npos);
    }
}
#endif
