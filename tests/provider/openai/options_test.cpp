// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "acta/provider/openai/chat_model.hpp"

namespace {

namespace openai = acta::openai;

/// `OPENAI_API_KEY` for the length of a test.
class EnvironmentKey {
public:
    explicit EnvironmentKey(const char* value) {
        if (const char* const old = std::getenv(name)) old_ = old;
        ::setenv(name, value, 1);
    }
    EnvironmentKey(const EnvironmentKey&) = delete;
    EnvironmentKey& operator=(const EnvironmentKey&) = delete;
    ~EnvironmentKey() {
        if (old_)
            ::setenv(name, old_->c_str(), 1);
        else
            ::unsetenv(name);
    }

private:
    static constexpr const char* name = "OPENAI_API_KEY";
    std::optional<std::string> old_{};
};

std::string fault(const openai::Options& options) {
    try {
        const openai::ChatModel model(options);
        return "taken";
    } catch (const acta::ChatModelError& error) {
        CHECK(error.fault() == acta::ChatModelFault::configuration);
        CHECK(error.attempts() == 0);
        return error.what();
    }
}

std::string url(const std::string& base) { return openai::ChatModel({.base_url = base, .api_key = ""}).url(); }

acta::http::Request request(const openai::Options& options) {
    const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("?")};
    return openai::ChatCodec(options).request(messages);
}

bool sends(const openai::Options& options, const std::string& line) {
    const std::vector<std::string> headers = request(options).headers;
    return std::find(headers.begin(), headers.end(), line) != headers.end();
}

}  // namespace

TEST_CASE("there must be messages to send") {
    const openai::ChatModel model({.base_url = "http://127.0.0.1:1/v1", .api_key = ""});
    try {
        static_cast<void>(model.complete(std::span<const acta::ChatMessage>()));
        FAIL("sent");
    } catch (const acta::ChatModelError& error) {
        CHECK(error.fault() == acta::ChatModelFault::configuration);
    }
}

TEST_CASE("the base URL leads to the chat completions below it") {
    CHECK(openai::ChatModel({.api_key = ""}).url() == "https://api.openai.com/v1/chat/completions");
    CHECK(url("http://localhost:8080/v1") == "http://localhost:8080/v1/chat/completions");
    CHECK(url("http://localhost:8080/v1//") == "http://localhost:8080/v1/chat/completions");
    CHECK(url("http://localhost:8080") == "http://localhost:8080/chat/completions");
    CHECK(url("https://h/v1/chat/completions/") == "https://h/v1/chat/completions");
    CHECK(url("https://h/openai/deployments/d#part") == "https://h/openai/deployments/d/chat/completions");
    // A query goes along, unseen.
    const openai::Options azure{.base_url = "https://h/d?api-version=2024&key=hidden", .api_key = ""};
    CHECK(request(azure).url == "https://h/d/chat/completions?api-version=2024&key=hidden");
    CHECK(openai::ChatModel(azure).url() == "https://h/d/chat/completions");
}

TEST_CASE("a URL with a password is refused") {
    const std::string with_password = fault({.base_url = "https://me:secret-word@h/v1", .api_key = ""});
    CHECK_THAT(with_password, contains_text("password"));
    CHECK(with_password.find("secret-word") == std::string::npos);
}

TEST_CASE("the key comes from the options, or from the environment") {
    const EnvironmentKey key("sk-environment");
    CHECK(sends({}, "Authorization: Bearer sk-environment"));
    CHECK(sends({.base_url = "http://127.0.0.1:1/v1"}, "Authorization: Bearer sk-environment"));
    CHECK(sends({.api_key = "sk-own"}, "Authorization: Bearer sk-own"));
    CHECK(sends({.base_url = "http://gpu.example/v1", .api_key = "sk-own"}, "Authorization: Bearer sk-own"));
    CHECK_FALSE(sends({.api_key = ""}, "Authorization: Bearer sk-environment"));
    CHECK_FALSE(sends({.headers = {{"authorization", "Basic eDp5"}}}, "Authorization: Bearer sk-environment"));
    CHECK(sends({.headers = {{"authorization", "Basic eDp5"}}}, "authorization: Basic eDp5"));
    // It may not be meant for whoever listens there.
    const std::string refused = fault({.base_url = "http://gpu.example/v1"});
    CHECK_THAT(refused, contains_text("OPENAI_API_KEY"));
    CHECK(refused.find("sk-environment") == std::string::npos);
    CHECK(fault({.base_url = "http://gpu.example/v1", .api_key = ""}) == "taken");
    for (const char* const none : {"", static_cast<const char*>(nullptr)}) {
        const EnvironmentKey no_key("");
        if (none == nullptr) ::unsetenv("OPENAI_API_KEY");
        CHECK(fault({.base_url = "http://gpu.example/v1"}) == "taken");
    }
    // Nor for a proxy, over plain http.
    const auto through = [](const char* base, const char* proxy) {
        return openai::Options{.base_url = base, .proxy = proxy};
    };
    CHECK(sends(through("http://127.0.0.1:1/v1", ""), "Authorization: Bearer sk-environment"));
    CHECK(sends(through("https://gpu.example/v1", "http://p:1"), "Authorization: Bearer sk-environment"));
    CHECK_THAT(fault(through("http://127.0.0.1:1/v1", "http://p:1")), contains_text("over plain http and a proxy"));
    CHECK_THAT(fault(through("http://gpu.example/v1", "")), contains_text("over plain http:"));
    // A proxy of the environment would read a key that goes over plain http.
    CHECK(request({.base_url = "http://gpu.example/v1", .api_key = "sk-own"}).proxy == "");
    CHECK(request({.base_url = "http://h", .api_key = "", .headers = {{"X-Api-Key", "sk-own"}}}).proxy == "");
    CHECK(request({.base_url = "http://h", .api_key = "sk-own", .proxy = "http://p:1"}).proxy == "http://p:1");
    for (const openai::Options& options : {openai::Options{.base_url = "https://h", .api_key = "sk-own"},
                                           openai::Options{.base_url = "http://h", .api_key = ""}})
        CHECK_FALSE(request(options).proxy);
}

TEST_CASE("only a loopback address or a name below localhost is this machine") {
    const EnvironmentKey key("sk-environment");
    for (const char* base :
         {"http://127.0.0.1/v1", "http://127.255.0.9:8080", "http://127.1", "http://localhost:1", "http://LOCALHOST.",
          "http://a.localhost", "http://[::1]:8080/v1", "http://[0:0:0:0:0:0:0:1]", "http://[::ffff:127.0.0.1]"}) {
        INFO(base);
        CHECK(sends({.base_url = base}, "Authorization: Bearer sk-environment"));
    }
    for (const char* base :
         {"http://127.0.0.1.example.com/v1", "http://127.0.0.1x", "http://127.example", "http://localhost.example.com",
          "http://notlocalhost", "http://128.0.0.1", "http://[::2]", "http://[::ffff:10.0.0.1]", "http://0.0.0.0"}) {
        INFO(base);
        CHECK_THAT(fault({.base_url = base}), contains_text("OPENAI_API_KEY"));
    }
}

TEST_CASE("keys and headers that would be more than one line are refused unseen") {
    for (const std::string& bad : {std::string("sk-secret\r\nX-Evil: 1"), std::string("sk-secret\n"),
                                   std::string("sk-secret\0", 10), std::string("sk-secret key")}) {
        const std::string why = fault({.api_key = bad});
        CHECK_THAT(why, starts_with_text("the API key has a blank, a line break or another character at byte 9"));
        CHECK(why.find("sk-secret") == std::string::npos);
    }
    const EnvironmentKey key("sk-secret\n");
    CHECK_THAT(fault({}), contains_text("at byte 9"));
    const std::string value = fault({.api_key = "", .headers = {{"X-Token", "hidden\r\nHost: evil"}}});
    CHECK_THAT(value, contains_text("the header X-Token"));
    CHECK(value.find("hidden") == std::string::npos);
    CHECK(fault({.api_key = "", .organization = "a\nb"}) != "taken");
    CHECK(fault({.api_key = "", .headers = {{"X Y", "a"}}}) != "taken");
    CHECK(fault({.api_key = "", .headers = {{"", "a"}}}) != "taken");
    CHECK(fault({.api_key = "", .headers = {{"Content-Length", "1"}}}) ==
          "the header Content-Length is set by the client itself");
    for (const char* const own : {"content-length", "Transfer-Encoding", "Content-Type", "HOST", "Expect"})
        CHECK(fault({.api_key = "", .headers = {{own, "1"}}}) ==
              "the header " + std::string(own) + " is set by the client itself");
    for (const char* const bad : {"sk-secret\x7F", "sk-secret\x80", "sk-secret\x1F", "sk-secret\t"})
        CHECK_THAT(fault({.api_key = bad}), contains_text("at byte 9 "));
    CHECK(sends({.api_key = "!sk~"}, "Authorization: Bearer !sk~"));
    for (const char* const bad : {"v\x7F", "v\x1F", "v\n"})
        CHECK_THAT(fault({.api_key = "", .headers = {{"X-A", bad}}}),
                   contains_text("header X-A") && contains_text("at byte 1,"));
    for (const char* const name : {"X:", "X\t", "X\xC3\xA9", "(X)", "X/Y"})
        CHECK_THAT(fault({.api_key = "", .headers = {{name, "v"}}}), contains_text("the name of a header"));
    CHECK(sends({.api_key = "", .headers = {{"X-a_1!", "v\tw \xC3\xA9~"}}}, "X-a_1!: v\tw \xC3\xA9~"));
    for (const char* const blank : {"", " ", "\t "}) CHECK(sends({.api_key = "", .headers = {{"X-A", blank}}}, "X-A;"));
}

TEST_CASE("options that mean nothing are refused") {
    CHECK(fault({.api_key = "", .timeout = std::chrono::milliseconds(0)}) != "taken");
    CHECK(fault({.api_key = "", .timeout = std::chrono::milliseconds::min()}) != "taken");
    CHECK(fault({.api_key = "", .timeout = std::chrono::milliseconds::max()}) == "taken");
    CHECK(fault({.api_key = "", .connect_timeout = std::chrono::milliseconds(-1)}) != "taken");
    CHECK(fault({.api_key = "", .retry = {.max_attempts = 0}}) != "taken");
    CHECK(fault({.api_key = "", .extra = {{"stream", true}}}) != "taken");
    for (const char* const own : {"messages", "input", "stream"})
        CHECK(fault({.api_key = "", .extra = {{own, nullptr}}}) ==
              "openai::Options::extra cannot have '" + std::string(own) + "'");
    CHECK(fault({.api_key = "", .extra = {{"streams", true}}}) == "taken");
    CHECK(fault({.api_key = "", .connect_timeout = std::chrono::milliseconds(0)}) != "taken");
    CHECK(fault({.api_key = "",
                 .connect_timeout = std::chrono::milliseconds(1),
                 .timeout = std::chrono::milliseconds(1),
                 .retry = {.max_attempts = 1}}) == "taken");
}

#else

TEST_CASE("options of a model are checked with libcurl") { ACTA_SKIP("libcurl is not there"); }

#endif
