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
    CHECK(fault("out of memory").status() == fault(R"({"message":"out of memory"})").status());
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

TEST_CASE("the message of an error is found in each of its places, and so are its code, type and status") {
    const auto said = [](const std::string& body, int status = 400) {
        const ChatModelError error = codecs::failure(errors_codec(), body, status);
        const std::string what = error.what();
        const std::size_t begin = what.find('"');
        const std::string message =
            begin == std::string::npos ? "" : what.substr(begin + 1, what.rfind('"') - begin - 1);
        return message + "|" + error.type() + "|" + error.code();
    };
    const std::vector<std::pair<std::string, std::string>> rows{
        {R"({"error":{"message":"a","detail":"b"}})", "a||"},
        {R"({"error":{"message":"","detail":"b"}})", "b||"},
        {R"({"error":{"message":3,"error_msg":"b"}})", "b||"},
        {R"({"error_message":"a"})", "a||"},
        {R"({"msg":"a"})", "a||"},
        {R"({"details":["a"]})", "a||"},
        {R"({"errors":[{"message":"a"},{"msg":"b"},{"detail":"c"},3,null]})", "a; b; c||"},
        {R"({"errors":{"message":["a",["b"]]}})", "a; b||"},
        {R"({"detail":[{"loc":["a"]},{"loc":["b",1],"msg":"c"},{"loc":"d","msg":"e"},{"loc":null,"msg":"f"}]})",
         R"(["b",1]: c; e; f||)"},
        {R"({"error":"a","message":"b"})", "a||"},
        {R"({"error":"","message":"b"})", "b||"},
        {R"({"error":{},"message":"b"})", "b||"},
        {R"({"error":null,"message":"b"})", "b||"},
        {R"({"error":{"message":"a","code":"","error_code":7}})", "a||7"},
        {R"({"error":{"message":"a","code":"c","error_code":7}})", "a||c"},
        {R"({"error":{"message":"a","type":"","error_type":"t","status":"s"}})", "a|t|"},
        {R"({"error":{"message":"a","type":3,"status":"s"}})", "a|s|"},
        {R"({"message":"a","status":"failed"})", "a||"},
        {R"({"message":"a","type":"error"})", "a||"},
        {R"({"type":"error","error":{"message":"a","type":"error"}})", "a|error|"},
        {R"([{"error":{"message":"a"}},{"error":{"message":"b"}}])", "a||"},
        // What is behind a gateway.
        {R"({"error":{"message":"a","metadata":{"raw":"b"}}})", "a: b||"},
        {R"({"error":{"message":"a","metadata":{"raw":"{\"error\":{\"message\":\"b\",\"code\":\"c\",\"type\":\"t\"}}"}}})",
         "a: b|t|c"},
        {R"({"error":{"message":"a","code":"x","type":"y","metadata":{"raw":{"message":"b","code":"c","type":"t"}}}})",
         "a: b|y|c"},
        {R"({"error":{"message":"a","code":"not_found","metadata":{"raw":{"message":"b","code":"c"}}}})",
         "a: b||not_found"},
        {R"({"error":{"message":"a","code":"x","metadata":{"raw":{"message":"b"}}}})", "a: b||x"},
        {R"({"error":{"message":"","error":{"message":"b","type":"t"}}})", "b|t|"},
        {R"({"error":{"message":"a","error":"b"}})", "a: b||"},
        {R"({"error":{"message":"a","metadata":{}}})", "a||"},
        {R"({"error":{"message":"a","metadata":null,"error":{"message":"b"}}})", "a: b||"},
        {R"({"error":{"message":"a","metadata":{"raw":{"x":1}}}})", "a||"},
    };
    for (const auto& [body, wanted] : rows) {
        CAPTURE(body);
        CHECK(said(body) == wanted);
    }
    const auto status = [](const std::string& body) { return whole(body).status(); };
    CHECK(status(R"({"error":{"message":"a","code":400}})") == 400);
    CHECK(status(R"({"error":{"message":"a","code":599}})") == 599);
    CHECK(status(R"({"error":{"message":"a","code":399}})") == 0);
    CHECK(status(R"({"error":{"message":"a","code":600}})") == 0);
    CHECK(status(R"({"error":{"message":"a","code":1,"status_code":"404"},"status":500})") == 404);
    CHECK(status(R"({"error":{"message":"a","http_status":404}})") == 404);
    CHECK(status(R"({"error":{"message":"a"},"error_code":404})") == 404);
    CHECK(status(R"({"error":{"message":"a","type":"api_error","code":"not_found"}})") == 500);
    CHECK(status(R"({"error":{"message":"a","code":"x","metadata":{"raw":{"message":"b","code":502}}}})") == 502);
    CHECK(status(R"({"error":{"message":"a","code":501,"metadata":{"raw":{"message":"b","code":502}}}})") == 501);
}

TEST_CASE("a report inside a success is an error if something says so") {
    const auto is_error = [](const std::string& body) {
        return codecs::failure(errors_codec(), body).fault() == ChatModelFault::status;
    };
    for (const char* const body :
         {R"({"type":"error"})", R"({"object":"error"})", R"({"status":"failed"})", R"({"error":"x"})",
          R"({"object":"error","choices":[]})", R"([{"object":"error"}])", R"({"message":"x","code":500})",
          R"({"choices":[{"error":"x"}]})", R"({"choices":[{"message":{"content":"a"},"error":{"code":1}}]})"}) {
        CAPTURE(body);
        CHECK(is_error(body));
    }
    for (const char* const body :
         {R"({"type":"errors"})", R"({"object":"x"})", R"({"status":"x"})", R"({"error":[null,{"a":""}]})", "[]",
          R"([{"object":"error"},{"object":"error"}])", R"({"message":"x","code":399})", R"({"code":500})",
          R"({"message":"x"})", R"({"message":"x","code":500,"choices":[]})",
          R"({"message":"x","code":500,"output":0})", R"({"message":"x","code":500,"content":""})",
          R"({"message":"x","code":500,"type":"y"})", R"({"message":"x","code":500,"response":{}})",
          R"({"message":"x","code":500,"usage":{}})", R"({"choices":[{"error":null}]})", R"({"choices":["error"]})",
          R"({"choices":[{},{"error":"x"}]})", R"({"choices":{"error":"x"}})"}) {
        CAPTURE(body);
        CHECK_FALSE(is_error(body));
    }
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
