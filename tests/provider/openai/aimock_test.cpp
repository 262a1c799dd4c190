// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/compress/chat_summarizer.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/http/curl_multi.hpp"
#include "acta/provider/openai/chat_model.hpp"
#include "acta/provider/openai/codec.hpp"
#include "acta/skill/arguments_action.hpp"
#include "aimock.hpp"

namespace weather {

struct Report {
    std::string city{};
    std::int64_t degrees = 0;
    std::optional<std::string> note{};
};

}  // namespace weather

template <>
struct acta::Describe<weather::Report> {
    static constexpr auto fields = acta::fields(acta::required("city", &weather::Report::city),
                                                acta::required("degrees", &weather::Report::degrees),
                                                acta::defaulted("note", &weather::Report::note));
};

namespace {

using acta::ChatModelError;
using acta::ChatModelFault;
using acta::Json;
namespace openai = acta::openai;
using std::chrono::milliseconds;

const std::string key = "sk-aimock-0123456789abcdef";

const char* const fixtures = R"({"fixtures": [
    {"match": {"systemMessage": "enclosed in triple quotes"}, "response": {"content": "The tide is\nhigh at six."}},
    {"match": {"userMessage": "weather", "hasToolResult": false},
     "response": {"content": "I look.", "toolCalls": [
        {"id": "call_a", "name": "get_weather", "arguments": {"city": "Oslo", "days": 2}},
        {"id": "call_b", "name": "get_weather", "arguments": {"city": "Bergen"}}]}},
    {"match": {"userMessage": "weather", "toolCallId": "call_b"}, "response": {"content": "Rain in both."}},
    {"match": {"userMessage": "report", "responseFormat": "json_schema"},
     "response": {"content": {"city": "Oslo", "degrees": -3}}},
    {"match": {"userMessage": "fenced", "responseFormat": "json_schema"},
     "response": {"content": "```json\n{\"city\": \"Bergen\", \"degrees\": 7, \"note\": \"wet\"}\n```"}},
    {"match": {"userMessage": "misfit"}, "response": {"content": {"city": 5}}},
    {"match": {"userMessage": "too long"}, "response": {"content": "{\"city\": \"Os", "finishReason": "length"}}
]})";

/// The server of all these tests; or why there is none.
class Mock {
public:
    Mock() : problem_(aimock::problem()) {
        if (!problem_) server_ = std::make_unique<aimock::Server>(Json::parse(fixtures), key);
    }
    [[nodiscard]] const std::optional<std::string>& problem() const noexcept { return problem_; }
    [[nodiscard]] openai::Options options(int attempts = 1) const {
        return {.base_url = server_->url(),
                .model = "gpt-4",
                .api_key = key,
                .retry = {.max_attempts = attempts, .first_delay = milliseconds(1)}};
    }
    [[nodiscard]] openai::ChatModel model(int attempts = 1) const { return openai::ChatModel(options(attempts)); }
    [[nodiscard]] std::string root() const { return server_->root(); }

private:
    std::optional<std::string> problem_;
    std::unique_ptr<aimock::Server> server_{};
};

std::optional<ChatModelError> failure(const openai::ChatModel& model, const std::string& question) {
    try {
        static_cast<void>(model.complete(question));
    } catch (const ChatModelError& error) {
        CHECK(std::string(error.what()).find(key) == std::string::npos);
        return error;
    }
    FAIL("answered");
    return std::nullopt;
}

}  // namespace

TEST_CASE("aimock: an answer of a described type") {
    const Mock mock;
    if (mock.problem()) ACTA_SKIP(*mock.problem());
    const openai::ChatModel model = mock.model();
    const auto report = acta::ask<weather::Report>(model, "report");
    CHECK(report.city == "Oslo");
    CHECK(report.degrees == -3);
    CHECK(acta::ask<weather::Report>(model, "fenced").note == "wet");
    CHECK_THROWS_AS(acta::ask<weather::Report>(model, "misfit", {}, 1), acta::ValidationError);
    try {
        static_cast<void>(acta::ask<weather::Report>(model, "too long"));
        FAIL("read");
    } catch (const ChatModelError& error) {
        CHECK_THAT(error.what(), contains_text("it was truncated at the token limit"));
    }
}

TEST_CASE("aimock: a skill's arguments from a native tool call") {
    const Mock mock;
    if (mock.problem()) ACTA_SKIP(*mock.problem());
    acta::ArgumentsParsingAction action{.skill = {.name = "get_weather"}, .ask = "the weather in Oslo"};
    action.mode = acta::ArgumentsMode::tool_call;
    const acta::ParsedArguments parsed = action.run(mock.model());
    REQUIRE(parsed.arguments);
    CHECK(acta::dump(*parsed.arguments) == R"({"city":"Oslo","days":2})");
}

TEST_CASE("aimock: a summary") {
    const Mock mock;
    if (mock.problem()) ACTA_SKIP(*mock.problem());
    const acta::ChatSummarizer summarizer(mock.model(), {.retry = {.max_attempts = 1}});
    CHECK(summarizer("It was found that the tide is high at six, and low at twelve.", {.one_line = true}) ==
          "The tide is high at six.");
}

// Not aimock, but node as well: a server whose certificate is its own.
TEST_CASE("a server has to prove who it is") {
    if (std::system("command -v node >/dev/null 2>&1 && command -v openssl >/dev/null 2>&1") != 0)
        ACTA_SKIP("there is no node, or no openssl");
    const TempFolder folder;
    const std::string cert = (folder / "cert.pem").string();
    const std::string private_key = (folder / "key.pem").string();
    REQUIRE(std::system(("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "
                         "/CN=localhost -addext "
                         "subjectAltName=DNS:localhost -keyout '" +
                         private_key + "' -out '" + cert + "' >/dev/null 2>&1")
                            .c_str()) == 0);
    write_file(folder / "server.cjs", R"(const fs = require("fs");
const server = require("https").createServer(
    {key: fs.readFileSync(process.argv[2]), cert: fs.readFileSync(process.argv[3]),
     requestCert: process.argv[4] === "clients", rejectUnauthorized: true},
    (request, response) => response.end('{"choices":[{"message":{"content":"it is me"}}]}'));
server.listen(0, "127.0.0.1", () => console.log("port " + server.address().port));
)");
    const std::string log = (folder / "log").string();
    const aimock::Background program("node '" + (folder / "server.cjs").string() + "' '" + private_key + "' '" + cert +
                                     "' >'" + log + "' 2>&1");
    const std::string port = aimock::wait_for(log, "port ");
    ::setenv("no_proxy", "127.0.0.1,localhost", 1);
    openai::Options options{.base_url = "https://localhost:" + port, .api_key = key};
    CHECK(failure(openai::ChatModel(options), "who?")->fault() == ChatModelFault::security);
    options.ca_file = cert;
    CHECK(openai::ChatModel(options).complete("who?").completion.message.content == "it is me");
    acta::http::CurlMulti http;
    const openai::ChatCodec codec(options);
    const std::vector<acta::ChatMessage> question{acta::ChatMessage::user("who?")};
    std::string answer;
    http.start(
        codec.request(question), codec.reader(question),
        [&](const std::exception_ptr&, const acta::ChatReply& reply) { answer = reply.completion.message.content; });
    while (http.step(std::chrono::seconds(5)) > 0) {
    }
    CHECK(answer == "it is me");
    options.base_url = "https://127.0.0.1:" + port;  // which the certificate does not name
    const auto other = failure(openai::ChatModel(options), "who?");
    CHECK(other->fault() == ChatModelFault::security);
    CHECK(other->attempts() == 1);
    options.ca_file = (folder / "none.pem").string();
    CHECK(failure(openai::ChatModel(options), "who?")->fault() == ChatModelFault::configuration);

    // A server that wants to know who we are closes the connection after the handshake, with an alert, which the end of
    // the connection may overtake.
    const std::string strict_log = (folder / "strict_log").string();
    const aimock::Background strict("node '" + (folder / "server.cjs").string() + "' '" + private_key + "' '" + cert +
                                    "' clients >'" + strict_log + "' 2>&1");
    options.base_url = "https://localhost:" + aimock::wait_for(strict_log, "port ");
    options.ca_file = cert;
    const auto refused = failure(openai::ChatModel(options), std::string(4'000'000, 'x'));
    INFO(refused->what());
    CHECK((refused->fault() == ChatModelFault::security || refused->fault() == ChatModelFault::connection));
    CHECK((std::string_view(refused->what()).find("TLS") != std::string_view::npos ||
           std::string_view(refused->what()).find("certificate") != std::string_view::npos));
}

#else

TEST_CASE("a model is tested against aimock with libcurl") { ACTA_SKIP("libcurl is not there"); }

#endif
