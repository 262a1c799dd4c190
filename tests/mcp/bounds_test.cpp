// SPDX-License-Identifier: MIT
#include "support/bounds.hpp"

#include <functional>
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

// What is just below, at and just above a limit of a client (docs/limits.md), with a transport that answers at once.
namespace {

namespace mcp = acta::mcp;
using acta::Json;
using acta::JsonObject;

mcp::Client client(const std::function<Json(const mcp::Request&)>& answer, mcp::ClientOptions options = {}) {
    return mcp_tests::ScriptedClient(
               [answer](const mcp::Request& request, const mcp::OnMessage&) { return answer(request); },
               std::move(options))
        .client;
}
Json tool(std::size_t number) { return {{"name", "t" + std::to_string(number)}, {"inputSchema", Json::object()}}; }

}  // namespace

TEST_CASE("a server has as many tools as a client takes") {
    below_at_above("tools of an MCP server, the first ones", mcp::ClientOptions().max_tools, [](std::size_t count) {
        const mcp::Client one = client([&](const mcp::Request&) {
            Json all = Json::array();
            for (std::size_t i = 0; i < count; ++i) all.push_back(tool(i));
            return Json{{"tools", all}};
        });
        return one.list_tools().size() == count;
    });
}

TEST_CASE("a list ends after as many pages as it may have") {
    below_at_above("pages of a list of an MCP server", 1000, [](std::size_t count) {
        std::size_t page = 0;
        const mcp::Client one = client([&](const mcp::Request&) {
            Json out{{"tools", Json::array({tool(page)})}};
            if (++page < count) out["nextCursor"] = "";
            return out;
        });
        return mcp_tests::thrown<mcp::ProtocolError>([&] { static_cast<void>(one.list_tools()); }) == "nothing";
    });
}

TEST_CASE("the pages of a list have as many bytes as a message may have") {
    const std::size_t limit = 2000;
    below_at_above("message of an MCP server, and all pages of a list", limit, [&](std::size_t bytes) {
        int page = 0;
        const mcp::Client one = client(
            [&](const mcp::Request&) {
                Json out{{"tools", Json::array()}, {"pad", ""}};
                if (++page == 1) out["nextCursor"] = "";
                const std::size_t half = page == 1 ? limit / 2 : bytes - limit / 2;
                out["pad"] = std::string(half - acta::dump(out).size(), 'x');
                return out;
            },
            {.max_message_bytes = limit});
        return mcp_tests::thrown<mcp::ProtocolError>([&] { static_cast<void>(one.list_tools()); }) == "nothing";
    });
}

TEST_CASE("a server asks a person as often as it may") {
    below_at_above("rounds of a request to an MCP server in which a person is asked", 8, [](std::size_t rounds) {
        std::size_t asked = 0;
        std::vector<Json> states;
        mcp::ClientOptions options;
        options.on_input = [](const mcp::InputRequest&) {
            return mcp::InputAnswer{mcp::InputAnswer::Action::accept, {}};
        };
        const mcp::Client one = client(
            [&](const mcp::Request& request) {
                if (request.method != "tools/call") return Json{{"tools", Json::array({tool(0)})}};
                states.push_back(request.params.count("requestState") != 0 ? request.params.at("requestState")
                                                                           : Json());
                if (asked++ == rounds) return Json{{"content", Json::array()}};
                return Json{
                    {"resultType", "input_required"},
                    {"requestState", std::to_string(asked)},
                    {"inputRequests", {{"k", {{"method", "elicitation/create"}, {"params", {{"message", "Who?"}}}}}}}};
            },
            options);
        const std::string error =
            mcp_tests::thrown<mcp::ProtocolError>([&] { static_cast<void>(one.call_tool("t0")); });
        for (std::size_t i = 1; i < states.size(); ++i) CHECK(states[i] == std::to_string(i));
        return error == "nothing";
    });
}

TEST_CASE("a client keeps as many results as it may") {
    below_at_above("lists and resources that a client of MCP keeps, as ttlMs allows", 64, [](std::size_t count) {
        std::size_t requests = 0;
        const mcp::Client one = client([&](const mcp::Request&) {
            ++requests;
            return Json{{"contents", Json::array()}, {"ttlMs", 3'600'000}};
        });
        for (int round = 0; round < 2; ++round)
            for (std::size_t i = 0; i < count; ++i)
                static_cast<void>(one.read_resource("file:///" + std::to_string(i)));
        return requests == count;
    });
    below_at_above(std::size_t{1024} * 1024, [](std::size_t bytes) {
        std::size_t requests = 0;
        const mcp::Client one = client([&](const mcp::Request&) {
            ++requests;
            Json out{{"contents", Json::array()}, {"ttlMs", 3'600'000}, {"pad", ""}};
            out["pad"] = std::string(bytes - acta::dump(out).size(), 'x');
            return out;
        });
        for (int round = 0; round < 2; ++round) static_cast<void>(one.read_resource("file:///a"));
        return requests == 1;
    });
}

TEST_CASE("as many changes of a session wait as may") {
    below_at_above("changes that wait for mcp::Client::listen in a session", 1000, [](std::size_t count) {
        const mcp::Message change = mcp::Notification{"notifications/tools/list_changed", {}};
        const mcp_tests::ScriptedClient one(
            [&](const mcp::Request& request, const mcp::OnMessage& on_message) {
                CHECK(request.method == "resources/subscribe");
                for (std::size_t i = 0; i < count; ++i) on_message(change);
                return Json::object();
            },
            {.version = "2025-11-25"});
        std::size_t heard = 0;
        acta::stop_source stop;
        CHECK(one.client.listen({.tools = true, .uris = {"file:///a"}},
                                [&](const mcp::Change&) {
                                    ++heard;
                                    stop.request_stop();  // after those that wait already
                                },
                                {.stop = stop.get_token()}));
        return heard == count;
    });
}
