// SPDX-License-Identifier: MIT
#include "acta/mcp/json_rpc.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/json/json.hpp"
#include "support/catch.hpp"

namespace {

using acta::Json;
using acta::mcp::ErrorObject;
using acta::mcp::Message;
using acta::mcp::Notification;
using acta::mcp::Request;
using acta::mcp::RequestId;
using acta::mcp::Response;

/// Returns the code, the text and the id of the error that a text is.
std::string error_of(const std::string& text) {
    try {
        static_cast<void>(acta::mcp::parse_message(text));
    } catch (const acta::mcp::MessageError& error) {
        const Response answer = error.answer();
        CHECK(std::get<ErrorObject>(answer.outcome).code == error.code());
        CHECK(std::get<ErrorObject>(answer.outcome).message == error.what());
        return std::to_string(error.code()) + " " + error.what() + " " +
               (answer.id ? acta::mcp::to_string(*answer.id) : "");
    }
    return "none";
}

}  // namespace

TEST_CASE("messages are read and written, each as its kind") {
    const std::vector<std::pair<const char*, Message>> rows = {
        {R"({"jsonrpc":"2.0","id":7,"method":"ping"})", Request{7, "ping", {}}},
        {R"({"jsonrpc":"2.0","id":"7","method":"tools/call","params":{"name":"sum","arguments":{"a":1}}})",
         Request{"7", "tools/call", {{"name", "sum"}, {"arguments", {{"a", 1}}}}}},
        {R"({"jsonrpc":"2.0","method":"notifications/initialized"})", Notification{"notifications/initialized", {}}},
        {R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})",
         Notification{"notifications/cancelled", {{"requestId", 7}}}},
        {R"({"jsonrpc":"2.0","id":-1,"result":{}})", Response{RequestId(-1), Json::object()}},
        {R"({"jsonrpc":"2.0","id":"","result":null})", Response{RequestId(""), Json()}},
        {R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":[1]}})",
         Response{RequestId(1), ErrorObject{-32602, "no", Json::array({1})}}},
        {R"({"jsonrpc":"2.0","id":1,"error":{"code":-2147483648,"message":""}})",
         Response{RequestId(1), ErrorObject{-2147483647 - 1, "", std::nullopt}}},
        {R"({"jsonrpc":"2.0","id":1,"error":{"code":2147483647,"message":""}})",
         Response{RequestId(1), ErrorObject{2147483647, "", std::nullopt}}},
        {R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"","data":null}})",
         Response{std::nullopt, ErrorObject{-32700, "", Json()}}},
        {R"({"jsonrpc":"2.0","id":9223372036854775807,"method":""})",
         Request{std::int64_t{9223372036854775807}, "", {}}},
    };
    for (const auto& [text, message] : rows) {
        INFO(text);
        CHECK(acta::mcp::parse_message(text) == message);
        CHECK(to_text(message) == text);
    }
}

TEST_CASE("what other programs write of a message is read") {
    const auto read = [](const std::string& text) { return to_text(acta::mcp::parse_message(text)); };
    CHECK(read(R"( {"id": 7.0, "method": "ping", "jsonrpc": "2.0", "params": null, "more": 1} )") ==
          R"({"jsonrpc":"2.0","id":7,"method":"ping"})");
    CHECK(read(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600}})") ==
          R"({"jsonrpc":"2.0","error":{"code":-32600,"message":""}})");
    CHECK(read(R"({"jsonrpc":"2.0","id":1,"result":{"a":1},"error":null})") ==
          R"({"jsonrpc":"2.0","id":1,"result":{"a":1}})");
    CHECK(read(R"({"jsonrpc":"2.0","id":1,"result":123456789012345678901})") ==
          R"({"jsonrpc":"2.0","id":1,"result":1.2345678901234568e+20})");
}

TEST_CASE("what is not a message is an error with the id that it has") {
    const std::string not_json = "-32700 the message is not JSON: ";
    for (const char* const text : {"", "{", "nonsense", R"({"jsonrpc":"2.0",})", "{} {}"})
        CHECK_THAT(error_of(text), contains_text(not_json));
    CHECK_THAT(error_of(std::string(200, '[') + std::string(200, ']')), contains_text(not_json));
    const std::vector<std::pair<const char*, const char*>> rows = {
        {"[]", "is a batch, which this version does not have "},
        {"1", "is not an object "},
        {"{}", "has no \"jsonrpc\": \"2.0\" "},
        {R"({"jsonrpc":"1.0","id":7,"method":"a"})", "has no \"jsonrpc\": \"2.0\" 7"},
        {R"({"jsonrpc":"2.0","id":"x"})", "has neither a method nor a result nor an error \"x\""},
        {R"({"jsonrpc":"2.0","id":7,"method":1})", "has a method that is not a text 7"},
        {R"({"jsonrpc":"2.0","id":7,"method":"a","params":[1]})", "has params that are not an object 7"},
        {R"({"jsonrpc":"2.0","id":null,"method":"a"})", "has an id that is neither a text nor an integer "},
        {R"({"jsonrpc":"2.0","id":1.5,"method":"a"})", "has an id that is neither a text nor an integer "},
        {R"({"jsonrpc":"2.0","id":[1],"result":1})", "has an id that is neither a text nor an integer "},
        {R"({"jsonrpc":"2.0","id":true,"result":1})", "has an id that is neither a text nor an integer "},
        {R"({"jsonrpc":"2.0","id":9223372036854775808,"method":"a"})",
         "has an id that is neither a text nor an integer "},
        {R"({"jsonrpc":"2.0","id":null,"result":1})", "has a result without the id of its request "},
        {R"({"jsonrpc":"2.0","result":1})", "has a result without the id of its request "},
        {R"({"jsonrpc":"2.0","id":7,"error":"no"})", "has an error without a code 7"},
        {R"({"jsonrpc":"2.0","id":7,"error":{"code":"1"}})", "has an error without a code 7"},
        {R"({"jsonrpc":"2.0","id":7,"error":{"code":1.5}})", "has an error without a code 7"},
        {R"({"jsonrpc":"2.0","id":7,"error":{"code":2147483648}})", "has an error without a code 7"},
        {R"({"jsonrpc":"2.0","id":7,"error":{"code":-2147483649}})", "has an error without a code 7"},
    };
    for (const auto& [text, what] : rows) {
        INFO(text);
        CHECK(error_of(text) == std::string("-32600 the message ") + what);
    }
}

TEST_CASE("a message of more bytes than it may have is refused") {
    const std::string text = R"({"jsonrpc":"2.0","method":"a"})";
    CHECK_NOTHROW(acta::mcp::parse_message(text, text.size()));
    CHECK_THROWS_AS(acta::mcp::parse_message(text, text.size() - 1), acta::mcp::MessageError);
}

TEST_CASE("a message is one line of UTF-8, whatever its texts are") {
    const std::string text = to_text(Request{"a\n\xFF", "b\r\n", {{"c", "\xE2\x80\xA8\xC3"}}});
    CHECK(text.find_first_of("\r\n") == std::string::npos);
    CHECK(std::get<Request>(acta::mcp::parse_message(text)) ==
          Request{"a\n\xEF\xBF\xBD", "b\r\n", {{"c", "\xE2\x80\xA8\xEF\xBF\xBD"}}});
    CHECK(acta::mcp::to_string(RequestId(7)) == "7");
    CHECK(acta::mcp::to_string(RequestId("7")) == "\"7\"");
}
