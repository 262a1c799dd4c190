// SPDX-License-Identifier: MIT
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/mcp/client.hpp"
#include "mcp/common.hpp"
#include "mcp/scripted.hpp"
#include "support/catch.hpp"

// What a client makes of single messages of a server, with a transport that answers at once.
namespace {

namespace mcp = acta::mcp;
using acta::Json;
using acta::JsonObject;
using mcp_tests::has;
using mcp_tests::ScriptedClient;
using mcp_tests::ScriptedTransport;
using mcp_tests::thrown;

mcp::Notification notification(const std::string& method, const std::string& params = "{}") {
    return {method, acta::parse<JsonObject>(params)};
}
const auto nothing = [](const mcp::Request&, const mcp::OnMessage&) { return Json::object(); };

/// The events of an observer: the subject, and the beginning of the reason.
class Noted : public acta::Observer {
public:
    std::string all{};

private:
    void on_event(const acta::Event& event) override {
        CHECK(event.name == "mcp_warning");
        for (const acta::EventField& field : event.fields)
            if (field.name == "subject" || field.name == "error")
                all += std::get<std::string>(field.value).substr(0, 40) + (field.name == "subject" ? ": " : "\n");
    }
};

}  // namespace

TEST_CASE("a pattern of names has stars for any text") {
    struct Row {
        std::string pattern;
        std::vector<std::string> good;
        std::vector<std::string> bad;
    };
    const std::vector<Row> rows{
        {"a", {"a"}, {"b", "aa", "ba", ""}},
        {"*", {"", "a", "ab"}, {}},
        {"a*", {"a", "ab", "aa"}, {"", "b", "ba"}},
        {"*a", {"a", "ba", "aba"}, {"", "b", "ab"}},
        {"a*b", {"ab", "acb", "abab"}, {"a", "b", "abc", "cab", "ba"}},
        {"aa*a", {"aaa", "aaba"}, {"aa"}},
        {"*a*", {"a", "bab", "ab", "ba"}, {"", "b"}},
        {"a*bc*d", {"abcd", "axbcyd", "abcbcd"}, {"abd", "acbd", "abc", "abcde"}},
        {"a*b*b", {"abb", "abxb"}, {"ab", "abx"}},
        {"*ab*b", {"abb", "xabxb"}, {"ab", "xab"}},
        {"a**b", {"ab", "axb"}, {"a"}},
    };
    for (const Row& row : rows) {
        const auto fits = [&](const std::string& name) {
            const ScriptedClient one([&](const mcp::Request&, const mcp::OnMessage&) {
                return Json{{"tools", Json::array({{{"name", name}, {"inputSchema", Json::object()}}})}};
            });
            const std::size_t denied = one.client.tools({.deny = {"-", row.pattern}}).size();
            CHECK(one.client.tools({.allow = {"-", row.pattern}}).size() + denied == 1);
            return denied == 0;
        };
        for (const std::string& name : row.good) {
            INFO(row.pattern << " " << name);
            CHECK(fits(name));
        }
        for (const std::string& name : row.bad) {
            INFO(row.pattern << " " << name);
            CHECK_FALSE(fits(name));
        }
    }
}

TEST_CASE("reports of a server are passed on, and warned about if they are none") {
    Noted noted;
    std::string logged;
    mcp::ClientOptions options{.observer = &noted};
    options.on_log = [&](const mcp::LogMessage& one) {
        logged += one.level + acta::dump(one.data) + one.logger + "\n";
    };
    const ScriptedClient one(
        [](const mcp::Request&, const mcp::OnMessage& on_message) {
            on_message(notification("notifications/message", R"({"level": "info", "data": [1], "logger": "l"})"));
            on_message(notification("notifications/message", R"({"level": "info"})"));
            on_message(notification("notifications/other", R"({"level": "info", "data": 2})"));
            return Json::object();
        },
        options);
    static_cast<void>(one.client.request("x"));
    CHECK(logged == "info[1]l\n");
    CHECK_THAT(noted.all, starts_with_text("notifications/message: "));
    CHECK(has(noted.all, "\n"));
    one.transport.notice(notification("notifications/message", R"({"level": "error", "data": null})"));
    CHECK(logged == "info[1]l\nerrornull\n");
    one.transport.notice(mcp::Request{1, "notifications/message", {{"level", "error"}, {"data", 1}}});
    CHECK(logged == "info[1]l\nerrornull\n");
    // Without a function that takes them they are read by nobody.
    noted.all.clear();
    const ScriptedClient other(nothing, {.observer = &noted});
    static_cast<void>(other.client.request("x"));
    other.transport.notice(notification("notifications/message"));
    CHECK(noted.all.empty());
}

TEST_CASE("progress is passed on as far as it is said") {
    std::vector<acta::SkillProgress> heard;
    const ScriptedClient one([](const mcp::Request& request, const mcp::OnMessage& on_message) {
        CHECK(request.params.at("_meta").contains("progressToken"));
        for (const char* const params :
             {R"({"progress": 1})", R"({"progress": 1.5, "total": 3, "message": "m"})", "{}", R"({"progress": "1"})",
              R"({"progress": 2, "total": "3", "message": 4})", R"({"progress": 0, "total": null})"})
            on_message(notification("notifications/progress", params));
        return Json::object();
    });
    static_cast<void>(
        one.client.request("x", {}, {.on_progress = [&](const acta::SkillProgress& of) { heard.push_back(of); }}));
    CHECK(heard == std::vector<acta::SkillProgress>{
                       {.done = 1}, {.done = 1.5, .total = 3, .message = "m"}, {.done = 2}, {.done = 0}});
}

TEST_CASE("what has changed is asked for again, and nothing else") {
    struct Row {
        std::string notification;
        std::string asked;  // what is asked for a second time
    };
    for (const Row& row :
         {Row{"notifications/tools/list_changed", "tools/list "},
          Row{"notifications/prompts/list_changed", "prompts/list "},
          Row{"notifications/resources/list_changed", "resources/list resources/templates/list resources/read "},
          Row{"notifications/resources/updated", "resources/read "}, Row{"notifications/other", ""}}) {
        INFO(row.notification);
        std::string asked;
        const ScriptedClient one([&](const mcp::Request& request, const mcp::OnMessage&) {
            asked += request.method + " ";
            return Json{{"ttlMs", 3'600'000}};
        });
        const auto ask = [&] {
            asked.clear();
            static_cast<void>(one.client.list_tools());
            static_cast<void>(one.client.prompts());
            static_cast<void>(one.client.resources());
            static_cast<void>(one.client.resource_templates());
            static_cast<void>(one.client.read_resource("file:///a"));
        };
        ask();
        CHECK(asked == "tools/list prompts/list resources/list resources/templates/list resources/read ");
        ask();
        CHECK(asked.empty());
        one.transport.notice(notification(row.notification, R"({"uri": "file:///a"})"));
        ask();
        CHECK(asked == row.asked);
    }
}

TEST_CASE("a session tells those who listen what they want to know") {
    const std::vector<std::pair<std::string, mcp::Change>> changes{
        {"notifications/tools/list_changed", {mcp::Change::Kind::tools, ""}},
        {"notifications/prompts/list_changed", {mcp::Change::Kind::prompts, ""}},
        {"notifications/resources/list_changed", {mcp::Change::Kind::resources, ""}},
        {"notifications/resources/updated", {mcp::Change::Kind::resource, "file:///a"}},
    };
    const std::vector<mcp::Subscription> wanted{{.tools = true, .uris = {"-"}},
                                                {.prompts = true, .uris = {"-"}},
                                                {.resources = true, .uris = {"-"}},
                                                {.uris = {"-", "file:///a"}}};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        for (const std::string version : {"2025-11-25", "2026-07-28"}) {
            INFO(i << " " << version);
            std::vector<mcp::Change> heard;
            acta::stop_source stop;
            const ScriptedClient one(
                [&](const mcp::Request& request, const mcp::OnMessage& on_message) {
                    if (request.method == "subscriptions/listen") {
                        const auto& what = request.params.at("notifications");
                        CHECK(what.size() == (i == 3 ? 1 : 2));
                        CHECK(what.contains("toolsListChanged") == (i == 0));
                        CHECK(what.contains("promptsListChanged") == (i == 1));
                        CHECK(what.contains("resourcesListChanged") == (i == 2));
                    }
                    for (const auto& [method, change] : changes)
                        on_message(notification(method, R"({"uri": "file:///a"})"));
                    on_message(notification("notifications/resources/updated", R"({"uri": "file:///b"})"));
                    on_message(notification("notifications/other"));
                    return Json::object();
                },
                {.version = version});
            CHECK(one.client.listen(wanted[i],
                                    [&](const mcp::Change& change) {
                                        heard.push_back(change);
                                        stop.request_stop();
                                    },
                                    {.stop = stop.get_token()}));
            for (const mcp::Change& one_heard : heard) CHECK(one_heard == changes[i].second);
            CHECK_FALSE(heard.empty());
        }
    }
}

TEST_CASE("a server of 2026 that has no changes to tell says so") {
    int code = mcp::error_code::method_not_found;
    const ScriptedClient one([&](const mcp::Request&, const mcp::OnMessage&) {
        return mcp::ErrorObject{code, "no", std::nullopt};
    });
    CHECK_FALSE(one.client.listen({.tools = true}, {}, {}));
    code = mcp::error_code::internal_error;
    CHECK_THROWS_AS(one.client.listen({.tools = true}, {}, {}), mcp::RequestError);
}

TEST_CASE("a question of a server is answered, whatever becomes of it") {
    const mcp::Request question{"q", "elicitation/create",
                                acta::parse<JsonObject>(R"({"message": "?", "requestedSchema": {"required": ["n"]}})")};
    mcp::InputAnswer said{mcp::InputAnswer::Action::accept, {{"n", 1}}};
    bool is_broken = false;
    mcp::ClientOptions options{.version = "2025-11-25"};
    options.on_input = [&](const mcp::InputRequest&) {
        if (is_broken) throw std::runtime_error("no terminal");
        return said;
    };
    const ScriptedClient one(
        [&](const mcp::Request&, const mcp::OnMessage& on_message) {
            on_message(question);
            return Json::object();
        },
        options);
    const auto answer = [&] {
        one.transport.sent.clear();
        const std::string error = thrown<std::exception>([&] { static_cast<void>(one.client.request("x")); });
        REQUIRE(one.transport.sent.size() == 1);
        return mcp::to_text(one.transport.sent[0]) + " " + error;
    };
    static_cast<void>(one.client.server());
    const std::string head = R"({"jsonrpc":"2.0","id":"q","result":{"action":)";
    CHECK(answer() == head + R"("accept","content":{"n":1}}} nothing)");
    said.content = {};
    CHECK(answer() == head + R"("cancel"}} the answer does not fit the form: /n: Field required)");
    is_broken = true;
    CHECK(answer() == head + R"("cancel"}} no terminal)");
}

TEST_CASE("a result without the structured content of its schema is refused, unless it is an error") {
    Json result{{"content", Json::array()}};
    const ScriptedClient one([&](const mcp::Request& request, const mcp::OnMessage&) {
        if (request.method == "tools/call") return result;
        return acta::parse<Json>(R"({"tools": [{"name": "t", "inputSchema": {}, "outputSchema": {"type": "integer"}},
                                               {"name": "free", "inputSchema": {}}]})");
    });
    const auto why = [&](const std::string& name) {
        return thrown<mcp::ProtocolError>([&] { static_cast<void>(one.client.call_tool(name)); });
    };
    CHECK(why("t") == "the server '' answered a call of t without the structured content that its schema describes");
    CHECK(why("free") == "nothing");
    CHECK(why("unknown") == "nothing");
    result["structuredContent"] = 1;
    CHECK(why("t") == "nothing");
    result = Json{{"content", Json::array()}, {"isError", true}};
    CHECK(why("t") == "nothing");
}

TEST_CASE("an answer that is not valid is an error that says to what") {
    Json result;
    const ScriptedClient one([&](const mcp::Request&, const mcp::OnMessage&) { return result; });
    const auto why = [&](const std::function<void()>& ask) { return thrown<mcp::ProtocolError>(ask); };
    const auto read = [&] { static_cast<void>(one.client.read_resource("a:b")); };
    const auto get = [&] { static_cast<void>(one.client.get_prompt("p")); };
    const auto complete = [&] { static_cast<void>(one.client.complete({.prompt = "p", .argument = "a"})); };
    const auto call = [&] { static_cast<void>(one.client.call_tool("t")); };
    result = {{"contents", 7}, {"messages", 7}, {"completion", {{"values", 7}}}, {"content", 7}};
    CHECK_THAT(why(read), starts_with_text("the server '' answered resources/read with: "));
    CHECK_THAT(why(get), starts_with_text("the server '' answered prompts/get with: "));
    CHECK_THAT(why(complete), starts_with_text("the server '' answered completion/complete with: "));
    CHECK_THAT(why(call), starts_with_text("the server '' answered a call of t with a result that is not valid: "));
    result = Json::object();
    CHECK(why(read) == "nothing");
    CHECK_THAT(why(get), starts_with_text("the server '' answered prompts/get with: "));
    CHECK_THAT(why(complete), starts_with_text("the server '' answered completion/complete with: "));
    CHECK(why(call) == "nothing");
}

TEST_CASE("a completion is asked for as its server knows it") {
    std::string asked;
    const ScriptedClient one([&](const mcp::Request& request, const mcp::OnMessage&) {
        JsonObject params = request.params;
        params.erase("_meta");
        asked = acta::dump(params);
        return acta::parse<Json>(R"({"completion": {"values": []}})");
    });
    static_cast<void>(one.client.complete({.prompt = "p", .argument = "a", .value = "v"}));
    CHECK(asked == R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"v"}})");
    static_cast<void>(
        one.client.complete({.uri_template = "x:{a}", .argument = "a", .value = "v", .context = {{"b", "c"}}}));
    CHECK(asked == R"({"ref":{"type":"ref/resource","uri":"x:{a}"},"argument":{"name":"a","value":"v"},)"
                   R"("context":{"arguments":{"b":"c"}}})");
}

TEST_CASE("a client has the name of its program or host, unless it gets one") {
    const acta::http::Transport none = [](const acta::http::Request&, const acta::http::Sink&) {
        return acta::http::Reply();
    };
    CHECK(mcp::Client::stdio({"/usr/bin/tides", "x"}).name() == "tides");
    CHECK(mcp::Client::stdio({"tides"}, {.name = "sea"}).name() == "sea");
    CHECK(mcp::Client::over_http("https://example.org:8080/mcp", {.transport = none}).name() == "example.org");
    CHECK(mcp::Client::over_http("https://example.org/", {.name = "sea", .transport = none}).name() == "sea");
    CHECK_THAT(thrown<mcp::ConnectionError>(
                   [&] { static_cast<void>(mcp::Client::over_http("example.org", {.transport = none})); }),
               starts_with_text("the server '' has a URL that is not valid"));
}

TEST_CASE("each page of a list is asked for by the cursor of the one before") {
    std::vector<Json> cursors;
    Noted noted;
    const ScriptedClient one(
        [&](const mcp::Request& request, const mcp::OnMessage&) {
            cursors.push_back(request.params.count("cursor") == 0 ? Json() : request.params.at("cursor"));
            Json out{
                {"tools", Json::array({{{"name", std::to_string(cursors.size())}, {"inputSchema", Json::object()}}})}};
            if (cursors.size() < 4) out["nextCursor"] = "after " + std::to_string(cursors.size());
            return out;
        },
        {.observer = &noted, .max_tools = 3});
    CHECK(one.client.list_tools().size() == 3);
    CHECK(Json(cursors) == Json{nullptr, "after 1", "after 2", "after 3"});
    CHECK(noted.all == "the list: there are more than 3\n");
}

TEST_CASE("a server that has ended is asked for its revision again, and one that is listened to is missed") {
    ScriptedClient one(nothing);
    one.transport.is_2026 = false;
    CHECK(one.client.server().version == "2025-11-25");
    one.transport.is_connected = false;
    one.transport.is_2026 = true;
    CHECK(one.client.server().version == "2026-07-28");
    ScriptedTransport* transport = nullptr;
    const ScriptedClient ending(
        [&](const mcp::Request&, const mcp::OnMessage&) {
            transport->is_connected = false;
            return Json::object();
        },
        {.version = "2025-11-25"});
    transport = &ending.transport;
    CHECK(thrown<mcp::ConnectionError>([&] { ending.client.listen({.uris = {"a:b"}}, {}, {}); }) ==
          "the server '' has ended");
}
