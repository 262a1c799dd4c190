// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// Errors that servers report with and without a status.
namespace {

using acta::ChatModelError;
using acta::ChatModelFault;

const std::string errors_key = "sk-errors-do-not-show-0123456789";

const acta::openai::ChatCodec& errors_codec() {
    static const acta::openai::ChatCodec codec({.base_url = "http://h/v1", .api_key = errors_key});
    return codec;
}
ChatModelError whole(const std::string& body) { return codecs::failure(errors_codec(), body); }
ChatModelError event(const std::string& data) { return codecs::failure(errors_codec(), codecs::events({data})); }

}  // namespace

TEST_CASE("errors inside a success are classified by type, code and status") {
    for (const char* const error :
         {R"({"error":{"message":"x","type":"overloaded_error"}})", R"({"error":{"message":"x","code":"503"}})",
          R"({"error":{"message":"x","code":503}})", R"({"error":{"message":"x","code":502.0}})",
          R"({"error":{"message":"x","status":"UNAVAILABLE"}})", R"({"error":"x","status":500})",
          R"({"type":"error","error":{"type":"timeout_error","message":"x"}})", R"({"message":"x","status_code":429})",
          R"({"choices":[{"index":0,"delta":{},"error":{"code":502,"message":"x"},"finish_reason":"error"}]})",
          R"({"error":{"message":"x","code":200,"metadata":{"raw":{"error":{"type":"overloaded_error"}}}}})"}) {
        INFO(error);
        for (const ChatModelError& one : {whole(error), event(error)}) {
            CHECK(one.fault() == ChatModelFault::status);
            CHECK(one.is_transient());
            CHECK_THAT(one.what(), contains_text("the server says \"x"));
        }
    }
    for (const char* const error :
         {R"({"error":{"message":"x","type":"invalid_request_error"}})", R"({"error":{"message":"x","code":404}})",
          R"({"error":{"message":"x","code":"insufficient_quota","type":"insufficient_quota","status":429}})",
          R"({"error":"x"})", R"({"object":"error","message":"x","code":400})",
          R"([{"error":{"message":"x","code":403}}])"}) {
        INFO(error);
        for (const ChatModelError& one : {whole(error), event(error)}) {
            CHECK(one.fault() == ChatModelFault::status);
            CHECK_FALSE(one.is_transient());
            CHECK_THAT(one.what(), contains_text("the server says \"x"));
        }
    }
    CHECK(whole(R"({"error":{"message":"x","type":"overloaded_error"}})").status() == 529);
}

TEST_CASE("an error that says nothing is none") {
    for (const char* const error : {"null", "\"\"", "{}", "[]", "false", "0", R"({"message":"","code":null})"}) {
        INFO(error);
        const std::string member = std::string(",\"error\":") + error;
        CHECK(codecs::read(errors_codec(), R"({"choices":[{"message":{"content":"x"}}])" + member + "}")
                  .completion.message.content == "x");
        CHECK(codecs::shown(errors_codec(),
                            codecs::events({R"({"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}])" +
                                            member + "}"})) == "x");
    }
}

TEST_CASE("an error that says little is one") {
    for (const char* const error : {"1", "true", "\"x\"", "[1]", R"({"code":1})"}) {
        INFO(error);
        const std::string body = R"({"choices":[{"message":{"content":"x"}}],"error":)" + std::string(error) + "}";
        CHECK(codecs::failure(errors_codec(), body).fault() == ChatModelFault::status);
    }
}

TEST_CASE("a response that failed is an error in a stream") {
    const acta::openai::ResponsesCodec codec({.api_key = errors_key});
    const ChatModelError error = codecs::failure(
        codec, codecs::events({R"({"type":"response.failed","response":{"status":"failed",)"
                               R"("error":{"code":"context_length_exceeded","message":"too many tokens"}}})"}));
    CHECK(error.fault() == ChatModelFault::context_too_long);
    CHECK(std::string(error.what()) == "the server says \"too many tokens\"");
}

TEST_CASE("an event called error is one, whatever its data is") {
    const auto fault = [](const std::string& data) {
        return codecs::failure(errors_codec(), "event: error\ndata: " + data + "\n\n");
    };
    CHECK_THAT(fault("out of memory").what(), contains_text("the server says \"out of memory\""));
    CHECK_THAT(fault(R"({"message":"out of memory","code":500})").what(), contains_text("\"out of memory\""));
    CHECK(fault(R"({"message":"out of memory","code":500})").is_transient());
    CHECK_THAT(fault(R"({"detail":[{"loc":["body","model"],"msg":"wrong"}]})").what(),
               contains_text("\"[\"body\",\"model\"]: wrong\""));
    for (const char* const before : {"data: ", "event: error\ndata: "})
        CHECK(codecs::failure(errors_codec(), std::string(before) + R"({"error":{"message":"x","code":"c"}})" + "\n\n",
                              400)
                  .code() == "c");
    CHECK_THAT(fault(R"({"x":1})").what(), contains_text(R"({"x":1})"));
}

TEST_CASE("a reply that makes no sense is told in one line, without the key") {
    for (const std::string& body :
         {std::string("<html>\n") + errors_key, std::string("{\"a\":\n1}"), std::string("[1,\n2]"),
          std::string("\"x\""), std::string("data: {\"choices\":\ndata: 3}\n\n"), std::string("data: {\n\n"),
          std::string("\x1F\x8B\x08"), std::string(),
          R"({"choices":[{"message":{"content":")" + errors_key + R"(","tool_calls":[3]}}]})"}) {
        INFO(body);
        const ChatModelError error = codecs::failure(errors_codec(), body);
        const std::string what = error.what();
        CHECK(error.fault() == ChatModelFault::reply);
        CHECK(what.find('\n') == std::string::npos);
        CHECK(what.find(errors_key) == std::string::npos);
    }
}

TEST_CASE("texts of servers in errors have no control, no direction and no secret of the query") {
    const acta::openai::ChatCodec codec(
        {.base_url = "https://h/v1?code=query-secret", .model = "m", .api_key = errors_key});
    acta::ChatReplyReader reader = codec.reader(codecs::question());
    reader.begin(
        308, std::vector<std::pair<std::string, std::string>>{{"location", "https://h/v2?code=query-secret\x1b[2J"}});
    std::string said;
    try {
        static_cast<void>(reader.finish());
    } catch (const ChatModelError& error) {
        said = error.what();
    }
    CHECK_THAT(said, contains_text("it redirects to \"https://h/v2?***"));
    CHECK(said.find('\x1b') == std::string::npos);
    const ChatModelError error = codecs::failure(
        errors_codec(), "{\"error\":{\"message\":\"a\\u009b31m\\u202eb\\u2028c\\u200bd\\u001b[0m \\u0073" +
                            errors_key.substr(1) + "\"}}");
    said = error.what();
    CHECK_THAT(said, contains_text("a 31m b c d [0m ***"));
}

TEST_CASE("texts of servers in errors, and the lists and levels that are read, have bounds") {
    const auto said = [](const std::string& body, int status = 400) {
        return std::string(codecs::failure(errors_codec(), body, status).what());
    };
    // Below a bound, at it and above it: what is shown of that many.
    const auto below_at_above = [](std::size_t limit, const auto& shown, const auto& expected) {
        for (const std::size_t n : {limit - 1, limit, limit + 1}) {
            CAPTURE(limit, n);
            CHECK(shown(n) == expected(std::min(n, limit), n > limit));
        }
    };
    const auto letters = [](std::size_t n) { return std::string(n, 'x'); };
    below_at_above(
        1000, [&](std::size_t n) { return said("{\"error\":\"" + letters(n) + "\"}"); },
        [&](std::size_t n, bool is_cut) { return "status 400, \"" + letters(n) + (is_cut ? "...\"" : "\""); });
    below_at_above(
        200, [&](std::size_t n) { return said(letters(n)); },
        [&](std::size_t n, bool) { return "status 400, \"" + letters(n) + "\""; });
    below_at_above(
        5,
        [&](std::size_t n) {
            return said(acta::Json{{"errors", std::vector<std::string>(n, "x")}}.dump());
        },
        [&](std::size_t n, bool) {
            std::string all = "x";
            for (std::size_t i = 1; i < n; ++i) all += "; x";
            return "status 400, \"" + all + "\"";
        });
    below_at_above(
        3,
        [&](std::size_t n) {
            acta::Json report{{"message", "x"}};
            for (std::size_t i = 0; i < n; ++i)
                report = {{"message", "x"}, {"metadata", {{"raw", {{"error", std::move(report)}}}}}};
            return said(acta::Json{{"error", std::move(report)}}.dump());
        },
        [&](std::size_t n, bool) {
            std::string all = "x";
            for (std::size_t i = 0; i < n; ++i) all += ": x";
            return "status 400, \"" + all + "\"";
        });
    // The members of a message, and of a call, of a stream.
    for (const char* const around : {R"({"choices":[{"delta":{@}}]})",
                                     R"({"choices":[{"delta":{"tool_calls":[{@}]}}]})", R"({"choices":[{@}]})"}) {
        for (const int n : {200, 201}) {
            std::string members;
            for (int i = 0; i < n; ++i) members += (i == 0 ? "\"m" : ",\"m") + std::to_string(i) + "\":1";
            std::string event = around;
            event.replace(event.find('@'), 1, members);
            CAPTURE(around, n);
            const std::string stream = codecs::events({event, "[DONE]"});
            if (n == 200)
                CHECK_NOTHROW(codecs::read(errors_codec(), stream));
            else
                CHECK_THROWS_WITH(codecs::read(errors_codec(), stream), contains_text("more than 200 fields"));
        }
    }
    // A secret is hidden before a text is cut.
    for (const std::string& body : {letters(190) + errors_key, "{\"error\":\"" + letters(990) + errors_key + "\"}"}) {
        CHECK_THAT(said(body), contains_text("xxx***"));
        CHECK(said(body).find("sk-") == std::string::npos);
    }
}
