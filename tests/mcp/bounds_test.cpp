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
#include "support/catch.hpp"

// What is just below, at and just above a limit of a client (docs/limits.md), with a transport that answers at once.
namespace {

namespace mcp = acta::mcp;
using acta::Json;
using acta::JsonObject;

class Scripted : public mcp::Transport {
public:
    using Answer = std::function<Json(const mcp::Request&)>;
    explicit Scripted(Answer answer) : answer_(std::move(answer)) {}

    void open(mcp::OnMessage) override {}
    mcp::Response exchange(const mcp::Outgoing& out, const mcp::Patience&, const mcp::OnMessage&) override {
        const auto& request = std::get<mcp::Request>(out.message);
        if (request.method == "server/discover")
            return {request.id, Json{{"supportedVersions", Json::array({"2026-07-28"})},
                                     {"capabilities", Json{{"tools", Json::object()}}}}};
        return {request.id, answer_(request)};
    }
    void send(const mcp::Outgoing&, const mcp::Patience&) override {}
    void listen(const std::vector<std::string>&, const acta::Until&, const std::function<void()>&,
                const mcp::OnMessage&) override {}
    [[nodiscard]] bool is_process() const noexcept override { return true; }
    [[nodiscard]] bool is_open() const override { return true; }
    void close() noexcept override {}

private:
    Answer answer_;
};

mcp::Client client(Scripted::Answer answer, mcp::ClientOptions options = {}) {
    return mcp::Client(std::make_unique<Scripted>(std::move(answer)), std::move(options));
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
}
