// SPDX-License-Identifier: MIT
#include "acta/mcp/client.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/mcp/result.hpp"
#include "acta/skill/registry.hpp"
#include "mcp/common.hpp"
#include "mcp/resources.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

// A client, and a server in Python (server.py) that can misbehave.
namespace {

namespace mcp = acta::mcp;
using acta::Json;
using acta::JsonObject;
using mcp_tests::eventually;
using mcp_tests::has;
using mcp_tests::Resources;
using mcp_tests::text_of;
using mcp_tests::thrown;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<std::string> command(const std::string& era = "2026", const std::string& start = "") {
    return {paths::python(), paths::source("tests/mcp/server.py"), era, start};
}
mcp::Client server(const std::string& era = "2026", mcp::ClientOptions options = {}, const std::string& start = "") {
    options.name = "sea";
    return mcp::Client::stdio(command(era, start), std::move(options));
}
std::string fault(const mcp::Client& client, const std::string& kind, mcp::CallOptions options = {}) {
    return text_of(client.call_tool("fault", {{"kind", kind}}, options));
}

class Warnings : public acta::Observer {
    void on_event(const acta::Event& event) override {
        const std::lock_guard lock(mutex_);
        for (const acta::EventField& field : event.fields) {
            if (field.name == "subject") subjects.push_back(std::get<std::string>(field.value));
        }
    }
    std::mutex mutex_{};

public:
    std::vector<std::string> subjects{};
};

}  // namespace

TEST_CASE("tools of a server of either era are listed and called") {
    const std::vector<std::pair<std::string, std::string>> eras{
        {"2026", "2026-07-28"}, {"both", "2026-07-28"}, {"2025", "2025-11-25"}, {"dies", "2025-11-25"}};
    for (const auto& [era, version] : eras) {
        INFO(era);
        Warnings warnings;
        const mcp::Client client = server(era, {.observer = &warnings});
        CHECK(client.name() == "sea");
        CHECK(client.server().version == version);
        CHECK(client.server().server.name == "test");
        CHECK(client.server().instructions == "Be brief.");
        std::string names;
        for (const mcp::Tool& tool : client.list_tools()) names += tool.name + " ";
        CHECK(names == "echo sum count ask visit fault crash ");
        CHECK(warnings.subjects == std::vector<std::string>{"", "task"});
        CHECK(text_of(client.call_tool("echo", {{"text", "tide"}, {"times", 2}})) == "tidetide");
        CHECK(client.call_tool("sum", {{"a", 1}, {"b", 2}}).structured_content == Json{{"sum", 3}});
    }
}

TEST_CASE("a server that does not answer the first question is restarted, and asked in the older way") {
    const mcp::Client client = server("silent", {.probe_timeout = milliseconds(300)});
    CHECK(client.server().version == "2025-11-25");
    CHECK(text_of(client.call_tool("echo", {{"text", "tide"}})) == "tide");
}

TEST_CASE("resources, prompts and completions are values") {
    for (const std::string era : {"2026", "2025"}) {
        INFO(era);
        const mcp::Client client = server(era);
        CHECK(client.resources() == std::vector<mcp::Resource>{{.uri = "file:///a", .name = "a", .size = 3}});
        CHECK(client.resource_templates().at(0).uri_template == "file:///{path}");
        CHECK(client.read_resource("file:///a").at(0).text == "abc");
        try {
            static_cast<void>(client.read_resource("file:///b"));
            FAIL("a resource that does not exist was read");
        } catch (const mcp::RequestError& error) {
            CHECK(error.error().code ==
                  (era == "2026" ? mcp::error_code::invalid_params : mcp::error_code::resource_not_found));
            CHECK(has(error.what(), "the server 'sea' answered resources/read with error -32"));
        }
        CHECK(client.prompts().at(0).arguments.at(0).required);
        const mcp::PromptResult prompt = client.get_prompt("greet", {{"who", "Ada"}});
        CHECK(std::get<mcp::TextContent>(prompt.messages.at(0).content).text == "Greet Ada");
        CHECK(client.complete({.prompt = "greet", .argument = "who", .value = "A"}).values ==
              std::vector<std::string>{"Ada"});
        CHECK(client.request("resources/list").contains("resources"));
    }
}

TEST_CASE("arguments and results are checked with the schemas of a tool") {
    const mcp::Client client = server();
    CHECK(thrown<acta::InvalidArguments>([&] {
              static_cast<void>(client.call_tool("echo", {{"times", 2}}));
          }) == "the arguments of echo do not fit: /text: Field required");
    CHECK(thrown<acta::InvalidArguments>([&] {
              static_cast<void>(client.call_tool("echo", {{"text", "a"}, {"times", "two"}}));
          }) == "the arguments of echo do not fit: /times: Input should be of the type \"integer\"");
    // The server gets a null that stands for a missing argument, as it was given.
    CHECK(text_of(client.call_tool("echo", {{"text", "a"}, {"times", nullptr}})) == R"({"text": "a", "times": null})");
    CHECK(thrown<mcp::ProtocolError>([&] {
              static_cast<void>(client.call_tool("sum", {{"a", 6}, {"b", 7}}));
          }) ==
          "the server 'sea' answered a call of sum with structured content that does not fit its schema: /sum: Input "
          "should be of the type \"number\"");
    CHECK(has(thrown<mcp::ProtocolError>([&] { fault(client, "no result"); }),
              "the server 'sea' answered a call of fault with a result that is not valid"));
    CHECK(has(thrown<mcp::ProtocolError>([&] { fault(client, "type"); }), "a result of the type \"later\""));
    CHECK(thrown<mcp::RequestError>([&] { fault(client, "error"); }) ==
          "the server 'sea' answered tools/call with error -32603: as asked");
    CHECK(thrown<mcp::RequestError>([&] { static_cast<void>(client.call_tool("sail")); }) ==
          "the server 'sea' answered tools/call with error -32602: Unknown tool: sail");
}

TEST_CASE("tools of a server are skills of a registry") {
    acta::SkillRegistry skills;
    {
        const mcp::Client client = server();
        skills.add(client.tools({.deny = {"crash", "fault", "v*t"}, .prefix = "sea_"}));
        skills.add(client.tools({.allow = {"*au*"}}));
        CHECK(client.tools({.allow = {"*"}}).size() == 7);
        CHECK(client.tools({.allow = {"e*o", "*m", "*x*"}}).size() == 2);
        CHECK(client.tools({.allow = {"sum"}, .deny = {"s*"}}).empty());
    }
    CHECK(skills.names() == std::vector<std::string>{"sea_echo", "sea_sum", "sea_count", "sea_ask", "fault"});
    CHECK(skills.at("sea_echo").description() == "Returns a text.");
    CHECK(skills.at("sea_echo").hints() == acta::SkillHints{.destructive = true});
    CHECK(acta::to_string(skills.call("sea_echo", {{"text", "tide"}})) == "tide");
    // A model writes null for what it leaves out.
    CHECK(acta::to_string(skills.call("sea_echo", {{"text", "tide"}, {"times", nullptr}})) == "tide");
    CHECK(acta::to_string(skills.call("sea_echo", {{"text", nullptr}})).find("do not fit") != std::string::npos);
    CHECK(skills.call("sea_sum", {{"a", 1}, {"b", 2}}) == acta::ActionResult(acta::ActionSuccessResult{{{"sum", 3}}}));
    CHECK(has(acta::to_string(skills.call("fault", {{"kind", "error"}})), "error -32603: as asked"));

    std::vector<acta::SkillProgress> progress;
    acta::SkillRunOptions options;
    options.on_progress = [&](const acta::SkillProgress& one) { progress.push_back(one); };
    CHECK(acta::to_string(skills.call("sea_count", {}, options)) == "counted");
    REQUIRE(progress.size() == 3);
    CHECK(progress[2] == acta::SkillProgress{.done = 2, .total = 3, .message = "step 2"});
}

TEST_CASE("what a server says about its tools counts if it is trusted") {
    acta::SkillRegistry skills;
    skills.add(server("2026", {.trust_hints = true}).tools());
    CHECK(skills.at("echo").hints() ==
          acta::SkillHints{.read_only = true, .idempotent = false, .destructive = false, .open_world = true});
    CHECK(skills.at("sum").hints() ==
          acta::SkillHints{.read_only = false, .idempotent = false, .destructive = false, .open_world = true});
    CHECK(skills.at("ask").hints() ==
          acta::SkillHints{.read_only = false, .idempotent = false, .destructive = true, .open_world = true});
}

TEST_CASE("a person answers what a server asks") {
    for (const std::string era : {"2026", "2025"}) {
        INFO(era);
        std::vector<std::string> questions;
        mcp::InputAnswer answer{mcp::InputAnswer::Action::accept, {{"name", "Ada"}}};
        const auto thread = std::this_thread::get_id();
        mcp::ClientOptions options{.request_timeout = seconds(5)};
        options.on_input = [&](const mcp::InputRequest& request) {
            CHECK(std::this_thread::get_id() == thread);
            questions.push_back(request.message);
            return answer;
        };
        const mcp::Client client = server(era, options);
        const std::string accepted = text_of(client.call_tool("ask"));
        if (era == "2026")
            CHECK(accepted == R"([{"who": {"action": "accept", "content": {"name": "Ada", "age": 30}}}, "s\u00e9 1"])");
        else
            CHECK(accepted == R"({"action": "accept", "content": {"name": "Ada", "age": 30}})");
        answer = {mcp::InputAnswer::Action::decline, {{"name", "Ada"}}};
        CHECK(has(text_of(client.call_tool("ask")), R"({"action": "decline"})"));
        answer = {mcp::InputAnswer::Action::accept, {{"name", "A"}}};
        CHECK(has(thrown<mcp::Error>([&] { static_cast<void>(client.call_tool("ask")); }),
                  "the answer does not fit the form: /name: "));
        CHECK(questions == std::vector<std::string>{"Who?", "Who?", "Who?"});
        CHECK(text_of(client.call_tool("echo", {{"text", "still here"}})) == "still here");
    }
}

TEST_CASE("a server learns that there is no person to ask") {
    CHECK(thrown<mcp::ProtocolError>([] { static_cast<void>(server().call_tool("ask")); }) ==
          "the server 'sea' asks for a person's input, and this client has no on_input");
    CHECK(has(text_of(server("2025").call_tool("ask")), "The client does not offer this method"));
    CHECK(has(fault(server("2025"), "sampling"), "-32601"));
    CHECK(has(fault(server("2026"), "sampling"), "-32601"));
}

TEST_CASE("the time in which a person is asked is not that of the request") {
    mcp::ClientOptions options{.request_timeout = milliseconds(1500)};
    options.on_input = [](const mcp::InputRequest&) {
        std::this_thread::sleep_for(milliseconds(1800));
        return mcp::InputAnswer{mcp::InputAnswer::Action::decline, {}};
    };
    CHECK(has(text_of(server("2025", options).call_tool("ask")), "decline"));
}

TEST_CASE("a URL is opened before a call is repeated") {
    std::string url;
    mcp::ClientOptions options;
    auto action = mcp::InputAnswer::Action::accept;
    options.on_input = [&](const mcp::InputRequest& request) {
        url = request.mode + " " + request.url;
        return mcp::InputAnswer{action, {}};
    };
    CHECK(text_of(server("2025", options).call_tool("visit")) == "welcome");
    CHECK(url == "url https://example.org/");
    action = mcp::InputAnswer::Action::decline;
    CHECK(thrown<mcp::Error>([&] { static_cast<void>(server("2025", options).call_tool("visit")); }) ==
          "the server 'sea' needs a URL to be opened first, which was declined");
}

TEST_CASE("changes are passed on until they are no longer of interest") {
    for (const std::string era : {"2026", "2025"}) {
        INFO(era);
        const mcp::Client client = server(era);
        std::vector<mcp::Change> changes;
        acta::stop_source stop;
        const mcp::Subscription what{.tools = true, .prompts = true, .uris = {"file:///a"}};
        CHECK(client.listen(what,
                            [&](const mcp::Change& change) {
                                changes.push_back(change);
                                if (changes.size() == 2) stop.request_stop();
                            },
                            {.stop = stop.get_token(), .deadline = acta::deadline_in(seconds(10))}));
        CHECK(changes ==
              std::vector<mcp::Change>{{mcp::Change::Kind::resource, "file:///a"}, {mcp::Change::Kind::tools, ""}});
        changes.clear();
        CHECK(client.listen({.prompts = true}, [&](const mcp::Change& change) { changes.push_back(change); },
                            {.deadline = acta::deadline_in(milliseconds(100))}));
        CHECK(changes.empty());
    }
}

TEST_CASE("what a server reports reaches the program") {
    std::atomic<int> reports{0};
    mcp::ClientOptions options{.log_level = "info"};
    options.on_log = [&](const mcp::LogMessage& message) {
        if (message.level == "info" && message.data == "logging/setLevel") ++reports;
    };
    const mcp::Client client = server("2025", options);
    static_cast<void>(client.server());
    CHECK(eventually([&] { return reports == 1; }));
}

TEST_CASE("several threads use one client at the same time") {
    const mcp::Client client = server();
    std::atomic<int> good{0};
    {
        std::vector<acta::jthread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&, i] {
                for (int k = 0; k < 25; ++k) {
                    const std::string said = std::to_string(i) + "-" + std::to_string(k);
                    if (text_of(client.call_tool("echo", {{"text", said}})) == said) ++good;
                }
            });
    }
    CHECK(good == 200);
}

TEST_CASE("a server that cannot be started is an error that says why") {
    const auto why = [](const mcp::Client& client) {
        return thrown<mcp::ConnectionError>([&] { static_cast<void>(client.server()); });
    };
    CHECK(why(mcp::Client::stdio({"/no/such/program"})) ==
          "the server 'program' was not started: Cannot start '/no/such/program': No such file or directory");
    CHECK(has(why(server("2026", {}, "exit")), "has ended (status 2); its error output: no such folder: /srv"));
    const mcp::ClientOptions soon{.start_timeout = milliseconds(400),
                                  .probe_timeout = milliseconds(200),
                                  .close_timeout = milliseconds(50),
                                  .terminate_timeout = milliseconds(500)};
    for (const std::string start : {"hang", "deaf"})
        CHECK(thrown<acta::Timeout>([&] { static_cast<void>(server("2026", soon, start).server()); }) ==
              "the server 'sea' did not answer initialize in time");
    CHECK(server("2026", {}, "garbage").server().version == "2026-07-28");
}

TEST_CASE("a fault of a server ends the call with an error that says what it wrote, and nothing is left") {
    static_cast<void>(server().server());  // whatever is made once in a process
    CHECK_FALSE(Resources::has_children());
    const Resources before;
    {
        mcp::ClientOptions options{
            .max_message_bytes = 1'000'000, .close_timeout = milliseconds(100), .terminate_timeout = milliseconds(500)};
        const mcp::Client client = server("2026", options);
        const auto ended = [&](const std::string& kind) {
            return thrown<mcp::ConnectionError>([&] { fault(client, kind); });
        };
        CHECK(has(ended("exit"), "has ended (status 3); its error output: out of tea"));
        CHECK(has(ended("kill"), "has ended (signal 9)"));
        CHECK(has(ended("long"), "wrote a line of more than 1000000 bytes"));
        const auto late = [&](const std::string& kind) {
            static_cast<void>(client.list_tools());  // connects, if the last call broke the connection
            return thrown<acta::Timeout>(
                [&] { fault(client, kind, {.until = {.deadline = acta::deadline_in(milliseconds(100))}}); });
        };
        CHECK(has(late("hang"), "the server 'sea' did not answer tools/call in time"));
        // It gets to know that.
        CHECK(eventually([&] { return has(late("hang"), "; its error output: cancelled "); }));
        CHECK(has(late("garbage"), "; it wrote what is not a message: Warning: this is not JSON"));
        CHECK(has(late("late"), "did not answer tools/call in time"));
        std::this_thread::sleep_for(milliseconds(800));  // its answer comes now
        for (const std::string kind : {"before", "unknown", "errors"}) CHECK(fault(client, kind) == "well");
        CHECK(fault(client, "twice") == "first");
        CHECK(fault(client, "ping") == "{}");
        int reports = 0;
        CHECK(fault(client, "flood", {.on_progress = [&](const acta::SkillProgress&) { ++reports; }}) == "well");
        CHECK(reports > 100);
        CHECK(text_of(client.call_tool("echo", {{"text", "tide"}})) == "tide");
        CHECK(Resources::has_children());
    }
    CHECK_FALSE(Resources::has_children());
    CHECK(Resources() == before);
}

TEST_CASE("an endless line takes no memory") {
    const mcp::Client client = server("2026", {.max_message_bytes = 1'000'000});
    static_cast<void>(client.list_tools());
    const std::size_t before = Resources::kilobytes();
    CHECK_THROWS_AS(fault(client, "long"), mcp::ConnectionError);
    CHECK(Resources::kilobytes() < before + 20'000);
}

TEST_CASE("the outcome of a call whose connection breaks is unknown, unless it may be repeated") {
    acta::SkillRegistry skills;
    skills.add(server().tools());
    const std::string said = acta::to_string(skills.call("fault", {{"kind", "exit"}}));
    CHECK(has(said, "out of tea. The outcome of the call is unknown."));
    // The next call starts the server again.
    CHECK(acta::to_string(skills.call("fault", {{"kind", "well"}})) == "well");
}

TEST_CASE("a stop ends a call at once") {
    const mcp::Client client = server();
    acta::stop_source stop;
    acta::jthread soon([&] {
        std::this_thread::sleep_for(milliseconds(200));
        stop.request_stop();
    });
    CHECK_THROWS_AS(fault(client, "hang", {.until = {.stop = stop.get_token()}}), acta::Cancelled);
    acta::stop_source stopped;
    stopped.request_stop();
    CHECK_THROWS_AS(fault(server(), "hang", {.until = {.stop = stopped.get_token()}}), acta::Cancelled);
    CHECK_THROWS_AS(fault(client, "hang", {.until = {.deadline = acta::deadline_in(milliseconds(100))}}),
                    acta::Timeout);
}

TEST_CASE("a connection that was closed is opened again by the next request") {
    mcp::Client client = server("2025");
    CHECK(text_of(client.call_tool("echo", {{"text", "a"}})) == "a");
    client.close();
    CHECK_FALSE(Resources::has_children());
    client.close();
    CHECK(text_of(client.call_tool("echo", {{"text", "b"}})) == "b");
}
