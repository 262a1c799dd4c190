// SPDX-License-Identifier: MIT
#include "acta/mcp/protocol.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/json/json.hpp"
#include "mcp/common.hpp"
#include "support/catch.hpp"

namespace {

namespace mcp = acta::mcp;
using acta::Json;
using acta::JsonObject;
using mcp::ClientProtocol;
using mcp::ErrorObject;
using mcp::Response;
using mcp_tests::thrown;

JsonObject object(const std::string& text) { return acta::parse<JsonObject>(text); }
Response result(const std::string& text) { return {mcp::RequestId(1), acta::parse<Json>(text)}; }
Response error(int code, const std::string& data = "") {
    ErrorObject out{code, "no", std::nullopt};
    if (!data.empty()) out.data = acta::parse<Json>(data);
    return {mcp::RequestId(1), out};
}
const Response discovered = result(R"({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
    "instructions": "Be brief.", "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "s", "version": "2"}}})");
Response initialized(const std::string& version) {
    return result(R"({"protocolVersion": ")" + version +
                  R"(", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "2"}})");
}

ClientProtocol opened(const Response& answer, mcp::ClientDeclaration declaration = {}) {
    declaration.name = "sea";
    ClientProtocol out(std::move(declaration));
    out.opened(answer);
    return out;
}
ClientProtocol of_2026(bool has_input = false) { return opened(discovered, {.has_input = has_input}); }
ClientProtocol of_2025(const std::string& version = "2025-11-25", bool has_input = false) {
    return opened(initialized(version), {.has_input = has_input, .version = "2025-11-25"});
}

template <class Function>
std::string refusal(const Function& function) {
    return thrown<mcp::ProtocolError>(function);
}

std::string headers_of(const std::string& schema) {
    std::string out;
    for (const mcp::HeaderParameter& one : mcp::header_parameters(object(schema))) {
        out += one.name + "=";
        for (const std::string& name : one.path) out += "/" + name;
        out += " ";
    }
    return out;
}

}  // namespace

TEST_CASE("a text is the value of a header as it is, or in base64") {
    CHECK(mcp::header_value("us-west1") == "us-west1");
    CHECK(mcp::header_value("a b~!") == "a b~!");
    CHECK(mcp::header_value("") == "");
    CHECK(mcp::header_value("Hello, \xE4\xB8\x96\xE7\x95\x8C") == "=?base64?SGVsbG8sIOS4lueVjA==?=");
    CHECK(mcp::header_value(" padded ") == "=?base64?IHBhZGRlZCA=?=");
    CHECK(mcp::header_value(" a") == "=?base64?IGE=?=");
    CHECK(mcp::header_value("a ") == "=?base64?YSA=?=");
    CHECK(mcp::header_value("line1\nline2") == "=?base64?bGluZTEKbGluZTI=?=");
    CHECK(mcp::header_value("a\tb") == "=?base64?YQli?=");
    CHECK(mcp::header_value("\x7F") == "=?base64?fw==?=");
    CHECK(mcp::header_value("=?base64?literal?=") == "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
    CHECK(mcp::header_value("=?base64?literal") == "=?base64?literal");
    CHECK(mcp::header_value("\xFF\xFE\xFD") == "=?base64?//79?=");
}

TEST_CASE("parameters of a tool have the headers that its schema names") {
    CHECK(headers_of(R"({})") == "");
    CHECK(headers_of(R"({"properties": {"region": {"type": "string", "x-mcp-header": "Region"},
        "deep": {"properties": {"n": {"type": "integer", "x-mcp-header": "N"}}},
        "on": {"type": "boolean", "x-mcp-header": "on"}, "x-mcp-header": {"type": "string"}}})") ==
          "Region=/region N=/deep/n on=/on ");
    CHECK(headers_of(R"({"properties": {"a": {"default": {"x-mcp-header": 1}, "enum": [{"x-mcp-header": ""}],
        "const": {"x-mcp-header": 1}, "examples": [{"x-mcp-header": 1}]}}})") == "");
    CHECK(headers_of(R"({"properties": {"a": {"type": "string", "x-mcp-header": "aZ09!#$%&'*+-.^_`|~"}}})") ==
          "aZ09!#$%&'*+-.^_`|~=/a ");
}

TEST_CASE("a parameter whose header is not valid is refused, with the reason") {
    const auto why = [](const std::string& property) {
        return refusal([&] {
            headers_of(R"({"properties": {"first": {"type": "string", "x-mcp-header": "First"}, )" + property + "}}");
        });
    };
    for (const std::string_view name : {"", "a b", "a:b", "a\\tb", "a\\n", "\\u00e9", "a,b", "a/b"}) {
        INFO(name);
        CHECK(why(R"("p": {"type": "string", "x-mcp-header": ")" + std::string(name) + "\"}") ==
              "a parameter's x-mcp-header is not a name of a header");
    }
    for (const std::string_view value : {"null", "{}", "[\"A\"]", "1", "true"})
        CHECK(why(R"("p": {"type": "string", "x-mcp-header": )" + std::string(value) + "}") ==
              "a parameter's x-mcp-header is not a text");
    CHECK(why(R"("p": {"type": "string", "x-mcp-header": "fIRST"})") == "a parameter's x-mcp-header is there twice");
    for (const std::string_view type :
         {R"("number")", R"("object")", R"("array")", R"("null")", R"(["string", "null"])", R"("")"})
        CHECK(why(R"("p": {"x-mcp-header": "P", "type": )" + std::string(type) + "}") ==
              "a parameter's x-mcp-header is at a value that is not a text, an integer or a boolean");
    for (const std::string_view place : {R"("items": {"type": "string", "x-mcp-header": "P"})",
                                         R"("anyOf": [{"type": "string", "x-mcp-header": "P"}])",
                                         R"("not": {"properties": {"q": {"type": "string", "x-mcp-header": "P"}}})",
                                         R"("$defs": {"d": {"type": "string", "x-mcp-header": "P"}})",
                                         R"("additionalProperties": {"type": "string", "x-mcp-header": "P"})"})
        CHECK(why(R"("p": {)" + std::string(place) + "}") ==
              "a parameter's x-mcp-header is at a value that is not reached by properties alone");
    CHECK(refusal([] { headers_of(R"({"type": "string", "x-mcp-header": "P"})"); }) ==
          "a parameter's x-mcp-header is at a value that is not reached by properties alone");
}

TEST_CASE("an accepted form has its defaults, and fits its schema") {
    const JsonObject schema = object(R"({"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string", "minLength": 2}, "age": {"type": "integer", "default": 30, "maximum": 120},
        "mail": {"type": "string", "format": "email"}, "site": {"type": "string", "format": "uri"},
        "day": {"type": "string", "format": "date"}, "at": {"type": "string", "format": "date-time"},
        "port": {"type": "string", "oneOf": [{"const": "b", "title": "Brest"}, {"const": "d", "title": "Dover"}]},
        "old": {"type": "string", "enum": ["x", "y"], "enumNames": ["X", "Y"]},
        "many": {"type": "array", "maxItems": 2, "items": {"anyOf": [{"const": "p"}, {"const": "q"}]}}}})");
    CHECK(acta::dump(mcp::complete_form(schema, object(R"({"name": "Ada"})"))) == R"({"name":"Ada","age":30})");
    CHECK(acta::dump(mcp::complete_form(schema, object(R"({"age": 31, "name": "Ada"})"))) ==
          R"({"age":31,"name":"Ada"})");
    CHECK_NOTHROW(mcp::complete_form(
        schema, object(R"({"name": "Ada", "mail": "a@b", "site": "https://x/", "day": "2028-02-29", "port": "d",
                           "at": "2026-07-28T10:00:00.5+02:00", "old": "y", "many": ["p", "q"]})")));
    const auto why = [&](const std::string& members) {
        return thrown<mcp::Error>(
            [&] { static_cast<void>(mcp::complete_form(schema, object(R"({"name": "Ada", )" + members + "}"))); });
    };
    CHECK(thrown<mcp::Error>([&] { static_cast<void>(mcp::complete_form(schema, {})); }) ==
          "the answer does not fit the form: /name: Field required");
    CHECK(why(R"("age": 121)") == "the answer does not fit the form: /age: Input should be less than or equal to 120");
    for (const std::string_view one : {R"("port": "x")", R"("old": "z")", R"("many": ["p", "q", "p"])",
                                       R"("many": ["r"])", R"("mail": 1)", R"("age": "30")"})
        CHECK(why(std::string(one)).starts_with("the answer does not fit the form: /"));
    CHECK(why(R"("extra": "a")") == "nothing");
}

TEST_CASE("a text of a form has the format that its schema names") {
    struct Row {
        std::string format;
        std::vector<std::string> good;
        std::vector<std::string> bad;  // each wrong at one place
    };
    const std::vector<Row> rows{
        {"email", {"a@b", "a@b@c", "a.b+c@d.org"}, {"", "ab", "@b", "a@", "@", "a b@c", "a@b\tc", "a@b\n"}},
        {"uri",
         {"https://x/", "a:", "Z:b", "urn:x:y"},
         {"", "x/y", ":x", "1:x", "-a:b", "a:b c", "a:<b", "a:b>", "a:\"b"}},
        {"date",
         {"2028-02-29", "2026-12-31", "2000-01-01", "0000-01-01", "2026-09-30"},
         {"", "2027-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "2026-01-32", "26-01-01", "2026-01-01 ",
          "2026-01-0", "2026/01-01", "2026-01/01", "202x-01-01", "x026-01-01", "2026-x1-01", "2026-0x-01", "2026-01-x1",
          "2026-01-0x", "12026-01-01", "2026-1-001"}},
        {"date-time",
         {"2026-07-28T10:00:00Z", "2026-07-28t23:59:60z", "2028-02-29T00:00:00.5+02:00", "2026-07-28T10:00:00-23:59",
          "2026-07-28T10:00:00.123456789Z", "2026-07-28T10:00:00+00:00", "2026-07-28T19:09:29.0z"},
         {"",
          "2026-07-28",
          "2026-07-28T10:00:00",
          "2026-07-28T10:00Z00000",
          "2027-02-29T10:00:00Z",
          "2026-07-280T10:00:00Z",
          "2026-07-28 10:00:00Z",
          "2026-07-28T24:00:00Z",
          "2026-07-28Tx0:00:00Z",
          "2026-07-28T10.00:00Z",
          "2026-07-28T10:60:00Z",
          "2026-07-28T10:0x:00Z",
          "2026-07-28T10:00.00Z",
          "2026-07-28T10:00:61Z",
          "2026-07-28T10:00:0xZ",
          "2026-07-28T10:00:00.5",
          "2026-07-28T10:00:00.Z",
          "2026-07-28T10:00:00.x5Z",
          "2026-07-28T10:00:00,5Z",
          "2026-07-28T10:00:00X",
          "2026-07-28T10:00:00ZZ",
          "2026-07-28T10:00:00+2:00",
          "2026-07-28T10:00:00+02:0",
          "2026-07-28T10:00:00+02:000",
          "2026-07-28T10:00:00*02:00",
          "2026-07-28T10:00:00+x2:00",
          "2026-07-28T10:00:00+0x:00",
          "2026-07-28T10:00:00+02.00",
          "2026-07-28T10:00:00+02:x0",
          "2026-07-28T10:00:00+02:0x",
          "2026-07-28T10:00:00+24:00",
          "2026-07-28T10:00:00-00:60"}},
        {"of-tomorrow", {"", "anything"}, {}},
    };
    for (const Row& row : rows) {
        const JsonObject schema{{"properties", {{"a", {{"type", "string"}, {"format", row.format}}}}}};
        const auto why = [&](const std::string& value) {
            return thrown<mcp::Error>([&] { static_cast<void>(mcp::complete_form(schema, {{"a", value}})); });
        };
        for (const std::string& one : row.good) {
            INFO(row.format << " " << one);
            CHECK(why(one) == "nothing");
        }
        for (const std::string& one : row.bad) {
            INFO(row.format << " " << one);
            CHECK(why(one) ==
                  "the answer does not fit the form: /a: Input should have the format '" + row.format + "'");
        }
    }
}

TEST_CASE("a client finds out whether a server is stateless") {
    ClientProtocol client({.name = "sea", .client = {"c", "1"}, .has_input = true, .log_level = "info"});
    CHECK_FALSE(client.is_open());
    const mcp::Request first = client.opening(mcp::RequestId("a"));
    CHECK(acta::parse<Json>(mcp::to_text(first)) ==
          acta::parse<Json>(
              R"({"jsonrpc": "2.0", "id": "a", "method": "server/discover", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}, "url": {}}},
        "io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"},
        "io.modelcontextprotocol/logLevel": "info"}}})"));
    CHECK(client.headers(first) ==
          std::vector<std::string>{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: server/discover"});
    client.opened(discovered);
    CHECK(client.is_open());
    CHECK(client.is_stateless());
    CHECK(client.server().version == "2026-07-28");
    CHECK(client.server().server == mcp::Implementation{"s", "2", "", {}});
    CHECK(client.server().instructions == "Be brief.");
    CHECK(client.server().capabilities == object(R"({"tools": {}})"));
    CHECK_FALSE(client.after_opening());
}

TEST_CASE("a server that does not know what was asked is of an older revision") {
    for (const Response& answer : {error(-32601), error(-32602), error(-32000), result("{}"), result("[]"),
                                   result(R"({"supportedVersions": "2026-07-28"})")}) {
        ClientProtocol client = opened(answer);
        CHECK_FALSE(client.is_open());
        const mcp::Request next = client.opening(mcp::RequestId(2));
        CHECK(acta::parse<Json>(mcp::to_text(next)) ==
              acta::parse<Json>(
                  R"({"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "", "version": ""}}})"));
        CHECK(client.headers(next).empty());
        client.opened(initialized("2025-06-18"));
        CHECK(client.server().version == "2025-06-18");
        CHECK_FALSE(client.is_stateless());
        CHECK(client.after_opening() == mcp::Notification{"notifications/initialized", {}});
    }
    ClientProtocol silent({.name = "sea"});
    CHECK(silent.not_opened());
    CHECK(silent.opening(mcp::RequestId(1)).method == "initialize");
    CHECK_FALSE(silent.not_opened());
}

TEST_CASE("a server that refuses a revision is asked for the newest one that it names") {
    ClientProtocol same = opened(error(-32022, R"({"supported": ["2026-07-28", "2025-11-25"]})"));
    CHECK(same.opening(mcp::RequestId(1)).method == "server/discover");
    CHECK(refusal([&] { same.opened(error(-32022, R"({"supported": ["2026-07-28"]})")); }) ==
          "the server 'sea' does not speak a version that acta speaks; it names 2026-07-28");
    ClientProtocol older = opened(error(-32022, R"({"supported": ["2024-11-05", 1, "2025-06-18", "2031-01-01"]})"));
    CHECK(older.opening(mcp::RequestId(1)).params.at("protocolVersion") == "2025-06-18");
    ClientProtocol told = opened(result(R"({"supportedVersions": ["2030-01-01", "2025-03-26"]})"));
    CHECK(told.opening(mcp::RequestId(1)).params.at("protocolVersion") == "2025-03-26");
    for (const std::string data : {"", "{}", R"({"supported": "x"})", R"({"supported": ["1900-01-01"]})"})
        CHECK(refusal([&] {
                  opened(error(-32022, data));
              }).starts_with("the server 'sea' does not speak a version that acta speaks; it names "));
}

TEST_CASE("what a server says is shown in part where it is long") {
    const auto named = [](const std::vector<std::string>& all) {
        const Json data{{"supported", all}};
        const std::string out = refusal([&] { opened(error(-32022, acta::dump(data))); });
        return out.substr(out.find("; it names ") + 11);
    };
    const std::string a(199, 'a');
    CHECK(named({a, "b", "c"}) == a + ", b");
    CHECK(named({a + "a", "b"}) == a + "a");
    CHECK(named({}) == "none");
    const std::string part(40, 'y');
    CHECK(refusal([&] { of_2025(part + "yy"); }) ==
          "the server 'sea' answered initialize with the version '" + part + "', which acta does not speak");
    const auto why = [](const std::string& answer) {
        return refusal([&] { static_cast<void>(of_2026(true).result("tools/call", result(answer))); });
    };
    CHECK(why(R"({"resultType": ")" + part + "yy\"}") ==
          "the server 'sea' answered tools/call with a result of the type \"" + part.substr(1) +
              ", which it cannot have");
    CHECK(why(R"({"resultType": "input_required", "inputRequests": {"k": {"method": ")" + part + "yy\"}}}") ==
          "the server 'sea' asks for '" + part + "', which this client does not offer");
    CHECK(thrown<mcp::RequestError>([] {
              static_cast<void>(of_2026().result("x", {mcp::RequestId(1), ErrorObject{-5, "", std::nullopt}}));
          }) == "the server 'sea' answered x with error -5: no reason");
}

TEST_CASE("a client says how it can ask a person, in the way of the revision") {
    const auto declared = [](const std::string& version, bool has_input) {
        const JsonObject params =
            ClientProtocol({.has_input = has_input, .version = version}).opening(mcp::RequestId(1)).params;
        return acta::dump(version == "2026-07-28" ? params.at("_meta").at("io.modelcontextprotocol/clientCapabilities")
                                                  : params.at("capabilities"));
    };
    for (const std::string version : {"2026-07-28", "2025-11-25"}) {
        CHECK(declared(version, true) == R"({"elicitation":{"form":{},"url":{}}})");
        CHECK(declared(version, false) == "{}");
    }
    CHECK(declared("2025-06-18", true) == R"({"elicitation":{}})");
    CHECK(declared("2025-06-18", false) == "{}");
}

TEST_CASE("other errors of a stateless server open the connection too") {
    for (const int code : {-32020, -32021}) {
        const ClientProtocol client = opened(error(code));
        CHECK(client.is_open());
        CHECK(client.is_stateless());
    }
}

TEST_CASE("a client that speaks one revision takes no other") {
    const auto with = [](const std::string& version, const Response& answer) {
        return thrown<mcp::Error>([&] { opened(answer, {.version = version}); });
    };
    CHECK(with("2026-07-28", error(-32601)) == "the server 'sea' answered server/discover with error -32601: no");
    CHECK(with("2026-07-28", result("{}")) == "the server 'sea' does not say which versions it speaks");
    CHECK(with("2026-07-28", error(-32022, R"({"supported": ["2025-11-25"]})")) ==
          "the server 'sea' does not speak 2026-07-28; it names 2025-11-25");
    CHECK(ClientProtocol({.version = "2025-03-26"}).opening(mcp::RequestId(1)).params.at("protocolVersion") ==
          "2025-03-26");
    ClientProtocol fixed({.version = "2026-07-28"});
    CHECK_FALSE(fixed.not_opened());
}

TEST_CASE("a session begins with a revision that both sides speak, or not at all") {
    for (const std::string version : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"})
        CHECK(of_2025(version).server().version == version);
    for (const std::string version : {"2026-07-28", "2023-01-01", ""})
        CHECK(refusal([&] { of_2025(version); }) ==
              "the server 'sea' answered initialize with the version '" + version + "', which acta does not speak");
    CHECK(thrown<mcp::RequestError>([] { opened(error(-32602), {.version = "2025-11-25"}); }) ==
          "the server 'sea' answered initialize with error -32602: no");
    const ClientProtocol anonymous =
        opened(result(R"({"protocolVersion": "2025-11-25", "serverInfo": 7})"), {.version = "2025-11-25"});
    CHECK(anonymous.server().server.name.empty());
    CHECK(
        opened(result(R"({"protocolVersion": "2025-11-25"})"), {.version = "2025-11-25"}).server().server.name.empty());
    CHECK(of_2025().server().server == mcp::Implementation{"s", "2", "", {}});
    CHECK(of_2025().server().capabilities == object(R"({"tools": {}})"));
}

TEST_CASE("a request has what its revision wants") {
    mcp::Request request{mcp::RequestId(7), "tools/call",
                         object(R"({"name": "s\u00e9", "arguments": {"a": 1, "deep": {"on": true}, "none": null,
                                    "text": "", "real": 1.5, "large": 9007199254740992, "small": -9007199254740992,
                                    "largest": 9007199254740991, "smallest": -9007199254740991, "off": false}})")};
    mcp::Request modern = request;
    of_2026().complete(modern, true);
    CHECK(modern.params.at("_meta").at("progressToken") == 7);
    CHECK(modern.params.at("_meta").at("io.modelcontextprotocol/protocolVersion") == "2026-07-28");
    CHECK(modern.params.at("_meta").at("io.modelcontextprotocol/clientCapabilities") == Json::object());
    CHECK_FALSE(modern.params.at("_meta").contains("io.modelcontextprotocol/logLevel"));
    const std::vector<mcp::HeaderParameter> parameters{
        {"A", {"a"}},        {"On", {"deep", "on"}}, {"None", {"none"}},   {"Text", {"text"}},   {"Missing", {"x"}},
        {"Real", {"real"}},  {"Large", {"large"}},   {"Past", {"a", "b"}}, {"Small", {"small"}}, {"L", {"largest"}},
        {"S", {"smallest"}}, {"Off", {"off"}},       {"Deep", {"deep"}}};
    CHECK(of_2026().headers(modern, parameters) ==
          std::vector<std::string>{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call",
                                   "Mcp-Name: =?base64?c8Op?=", "Mcp-Param-A: 1", "Mcp-Param-On: true",
                                   "Mcp-Param-Text;", "Mcp-Param-L: 9007199254740991", "Mcp-Param-S: -9007199254740991",
                                   "Mcp-Param-Off: false"});
    CHECK(of_2026().headers(mcp::Response{mcp::RequestId(1), Json()}, parameters) ==
          std::vector<std::string>{"MCP-Protocol-Version: 2026-07-28"});
    CHECK(of_2026().headers(mcp::Request{mcp::RequestId(1), "prompts/list", {}}, parameters).size() == 2);
    mcp::Request older = request;
    of_2025().complete(older, false);
    CHECK(older == request);
    of_2025().complete(older, true);
    CHECK(acta::dump(older.params.at("_meta")) == R"({"progressToken":7})");
    CHECK(of_2025().headers(older, parameters) == std::vector<std::string>{"MCP-Protocol-Version: 2025-11-25"});
    CHECK(of_2025("2025-06-18").headers(older).size() == 1);
    CHECK(of_2025("2025-03-26").headers(older).empty());
    const mcp::Request read{mcp::RequestId(1), "resources/read", object(R"({"uri": "file:///a%20b"})")};
    CHECK(of_2026().headers(read).at(2) == "Mcp-Name: file:///a%20b");
    const mcp::Request prompt{mcp::RequestId(1), "prompts/get", object(R"({"name": "p"})")};
    CHECK(of_2026().headers(prompt).at(2) == "Mcp-Name: p");
    CHECK(of_2026().headers(mcp::Notification{"notifications/cancelled", {}}) ==
          std::vector<std::string>{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: notifications/cancelled"});
    request.params["_meta"] = {{"mine", 1}};
    of_2026().complete(request, false);
    CHECK(request.params.at("_meta").at("mine") == 1);
    CHECK_FALSE(request.params.at("_meta").contains("progressToken"));
    request.params["_meta"] = 7;
    of_2025().complete(request, true);
    CHECK(request.params.at("_meta") == Json{{"progressToken", 7}});
}

TEST_CASE("a result is complete, or asks for input") {
    const ClientProtocol client = of_2026(true);
    const auto complete = [&](const std::string& text) {
        return std::get<Json>(client.result("tools/call", result(text)));
    };
    CHECK(complete(R"({"content": []})") == Json{{"content", Json::array()}});
    CHECK(complete(R"({"resultType": "complete"})").contains("resultType"));
    const auto asked = std::get<mcp::InputRequired>(client.result("tools/call", result(R"({"resultType":
        "input_required", "requestState": "", "inputRequests": {
        "b": {"method": "elicitation/create", "params": {"message": "Who?", "requestedSchema": {"type": "object"}}},
        "a": {"method": "elicitation/create", "params": {"mode": "url", "message": "Go", "url": "https://x/"}}}})")));
    REQUIRE(asked.requests.size() == 2);
    CHECK(asked.requests[0].first == "b");
    CHECK(asked.requests[0].second.mode == "form");
    CHECK(asked.requests[1].second.url == "https://x/");
    CHECK(asked.state == "");
    CHECK(asked.is_answered);

    JsonObject params = object(R"({"name": "t", "inputResponses": {"old": 1}, "requestState": "old"})");
    ClientProtocol::add_input(params, asked,
                              {{mcp::InputAnswer::Action::accept, object(R"({"n": 1})")},
                               {mcp::InputAnswer::Action::accept, object(R"({"n": 1})")}});
    CHECK(acta::dump(params) ==
          R"({"name":"t","inputResponses":{"b":{"action":"accept","content":{"n":1}},"a":{"action":"accept"}},)"
          R"("requestState":""})");
    ClientProtocol::add_input(params, asked, {{mcp::InputAnswer::Action::cancel, {}}});  // those that there are
    CHECK(acta::dump(params) == R"({"name":"t","inputResponses":{"b":{"action":"cancel"}},"requestState":""})");
    mcp::InputRequired fewer = asked;
    fewer.requests.pop_back();
    ClientProtocol::add_input(params, fewer, std::vector<mcp::InputAnswer>(3));
    CHECK(params.at("inputResponses").size() == 1);
    ClientProtocol::add_input(params, {}, {});
    CHECK(acta::dump(params) == R"({"name":"t"})");
    CHECK(acta::dump(ClientProtocol::answer(asked.requests[0].second,
                                            {mcp::InputAnswer::Action::decline, object(R"({"n": 1})")})) ==
          R"({"action":"decline"})");
    CHECK(acta::dump(ClientProtocol::answer(asked.requests[0].second, {mcp::InputAnswer::Action::accept, {}})) ==
          R"({"action":"accept","content":{}})");
}

TEST_CASE("what is neither is an error that names the server") {
    const ClientProtocol client = of_2026(true);
    const auto why = [](const ClientProtocol& of, const std::string& method, const Response& answer) {
        return thrown<mcp::Error>([&] { static_cast<void>(of.result(method, answer)); });
    };
    const std::string asks = R"({"resultType": "input_required", "requestState": "s"})";
    CHECK(why(client, "tools/call", result("[1]")) ==
          "the server 'sea' answered tools/call with a result that is not an object");
    CHECK(why(client, "tools/call", result(R"({"resultType": "later"})")) ==
          "the server 'sea' answered tools/call with a result of the type \"later\", which it cannot have");
    CHECK(why(client, "tools/call", result(R"({"resultType": 7})")) ==
          "the server 'sea' answered tools/call with a result of the type 7, which it cannot have");
    CHECK(why(client, "tools/list", result(asks)) ==
          "the server 'sea' answered tools/list with a result of the type \"input_required\", which it cannot have");
    CHECK(why(client, "prompts/get", result(asks)) == "nothing");
    CHECK(why(client, "resources/read", result(asks)) == "nothing");
    CHECK(why(client, "tools/call", result(R"({"resultType": "input_required"})")) ==
          "the server 'sea' answered tools/call with a request for no input at all");
    CHECK(why(client, "tools/call", result(R"({"resultType": "input_required", "requestState": 7})")) ==
          "the server 'sea' answered tools/call with a request for no input at all");
    const auto request = [&](const ClientProtocol& of, const std::string& one) {
        return why(of, "tools/call",
                   result(R"({"resultType": "input_required", "inputRequests": {"k": )" + one + "}}"));
    };
    CHECK(request(client, R"({"method": "sampling/createMessage", "params": {}})") ==
          "the server 'sea' asks for 'sampling/createMessage', which this client does not offer");
    CHECK(request(client, R"({"method": "elicitation/create", "params": {"message": "?", "mode": "voice"}})") ==
          "the server 'sea' asks for input in an unknown mode 'voice'");
    CHECK(request(client, R"({"method": "elicitation/create"})")
              .starts_with("the server 'sea' asks for input in an unknown way: "));
    CHECK(request(of_2026(), R"({"method": "elicitation/create", "params": {"message": "?"}})") ==
          "the server 'sea' asks for a person's input, and this client has no on_input");
    CHECK(why(client, "tools/call", error(-32602)) == "the server 'sea' answered tools/call with error -32602: no");
    CHECK(std::holds_alternative<Json>(of_2025().result("tools/call", result(R"({"resultType": "later"})"))));
}

TEST_CASE("before 2026 an error may ask for a URL to be opened") {
    const std::string data = R"({"elicitations": [{"mode": "url", "message": "Log in", "url": "https://x/"}]})";
    const ClientProtocol client = of_2025("2025-11-25", true);
    const auto asked = std::get<mcp::InputRequired>(client.result("tools/call", error(-32042, data)));
    CHECK_FALSE(asked.is_answered);
    CHECK(asked.requests.at(0).second.url == "https://x/");
    JsonObject params = object(R"({"name": "t"})");
    ClientProtocol::add_input(params, asked, {{mcp::InputAnswer::Action::accept, {}}});
    CHECK(acta::dump(params) == R"({"name":"t"})");
    const auto code = [](const ClientProtocol& of, const Response& answer) {
        try {
            static_cast<void>(of.result("tools/call", answer));
        } catch (const mcp::RequestError& caught) {
            return caught.error().code;
        }
        return 0;
    };
    CHECK(code(client, error(-32042, R"({"elicitations": []})")) == -32042);
    CHECK(code(client, error(-32042)) == -32042);
    for (const std::string other : {"{}", R"({"elicitations": {"a": 1}})", R"({"elicitations": "x"})", "[]"})
        CHECK(code(client, error(-32042, other)) == -32042);
    CHECK(code(client, error(-32043, data)) == -32043);
    CHECK(code(of_2026(true), error(-32042, data)) == -32042);
}

TEST_CASE("requests of a server are answered, put to a person, or refused") {
    const mcp::Request ask{mcp::RequestId("q"), "elicitation/create", object(R"({"message": "Who?"})")};
    const auto code = [](const ClientProtocol& of, const mcp::Request& request) {
        const auto answer = of.asked(request);
        return std::get<ErrorObject>(std::get<Response>(answer).outcome).code;
    };
    CHECK(std::get<Response>(of_2025().asked({mcp::RequestId(3), "ping", {}})) ==
          Response{mcp::RequestId(3), Json::object()});
    CHECK(std::get<mcp::InputRequest>(of_2025("2025-06-18", true).asked(ask)).message == "Who?");
    CHECK(code(of_2025(), ask) == -32601);
    CHECK(code(of_2026(true), ask) == -32601);
    CHECK(code(of_2025("2025-11-25", true), {mcp::RequestId(1), "roots/list", {}}) == -32601);
    CHECK(code(of_2025("2025-11-25", true), {mcp::RequestId(1), "elicitation/create", {}}) == -32602);
    const auto modes = [&](const std::string& mode) {
        return of_2025("2025-11-25", true)
            .asked({mcp::RequestId(1), "elicitation/create", {{"message", "?"}, {"mode", mode}}})
            .index();
    };
    CHECK(modes("form") == 1);
    CHECK(modes("url") == 1);
    CHECK(modes("voice") == 0);
}
