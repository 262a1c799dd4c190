// SPDX-License-Identifier: MIT
// The Model Context Protocol: each line is a message for a server and for a client; a question mark is a server that
// does not answer. A request is answered at most once, and nothing but documented errors is thrown.
#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "acta/mcp/protocol.hpp"
#include "acta/mcp/server.hpp"
#include "fuzz.hpp"

namespace {

namespace mcp = acta::mcp;
using acta::JsonObject;
using acta::SkillContext;

mcp::Server make_server() {
    acta::SkillRegistry skills;
    skills.add(
        "add", "Adds.", [](int a, int b) { return a + b; }, "a", "b");
    skills.add("ask", "Asks.", [](SkillContext& context) {
        mcp::ServerContext& client = *mcp::ServerContext::of(context);
        client.report_progress({.done = 1});
        client.log({.level = "info", .data = 1});
        const auto first = client.elicit("k", {.message = "?", .requested_schema = {{"type", "object"}}});
        return acta::dump(first) + acta::dump(acta::Json(client.ask({"r", "roots/list", {}})));
    });
    mcp::ServerOptions options{.state_key = "k", .ask_timeout = std::chrono::seconds(0), .page_size = 1};
    options.run.detach_on_timeout = false;
    mcp::Server out(skills, options);
    out.add_resource({.uri = "a", .name = "a"}, [](const std::string& uri, const JsonObject&, mcp::ServerContext&) {
        return std::vector<mcp::ResourceContents>{{uri, "text", {}, {}}};
    });
    out.add_resource_template({.uri_template = "x{a}y{+b}", .name = "t"},
                              [](const std::string& uri, const JsonObject& of, mcp::ServerContext& client) {
                                  static_cast<void>(client.elicit("t", {.message = "?"}));
                                  return std::vector<mcp::ResourceContents>{{uri, acta::dump(of), {}, {}}};
                              });
    out.add_prompt({.name = "p", .arguments = {{.name = "n", .required = true}}},
                   [](const JsonObject&, mcp::ServerContext& client) {
                       static_cast<void>(client.elicit("p", {.message = "?"}));
                       return mcp::PromptResult{};
                   });
    out.set_completion(
        [](const mcp::CompletionRequest& request) { return mcp::Completion{.values = {request.value}}; });
    return out;
}

/// Gives a server a message.
void serve(mcp::ServerSession& session, const mcp::Message& message) {
    acta::stop_source stop;
    int responses = 0;
    session.handle(
        message,
        [&](const mcp::Message& sent) {
            const std::string text = mcp::to_text(sent);
            fuzz::require(mcp::to_text(mcp::parse_message(text)) == text, "a message that is read as another", text);
            if (std::holds_alternative<mcp::Response>(sent)) ++responses;
            const auto* const note = std::get_if<mcp::Notification>(&sent);
            if (note != nullptr && note->method.ends_with("acknowledged")) stop.request_stop();
        },
        stop.get_token());
    const bool is_request = std::holds_alternative<mcp::Request>(message);
    const bool is_answered = responses == 1 || (is_request && responses == 0 && stop.stop_requested());
    fuzz::require(is_request ? is_answered : responses == 0, "a request is not answered once", mcp::to_text(message));
}

/// Gives a client a message as the answer to what it has sent, and as a request.
void receive(mcp::ClientProtocol& client, const mcp::Message& message) {
    try {
        if (const auto* const request = std::get_if<mcp::Request>(&message)) {
            if (!client.is_open()) return;
            const auto asked = client.asked(*request);
            if (const auto* const input = std::get_if<mcp::InputRequest>(&asked))
                static_cast<void>(mcp::ClientProtocol::answer(*input, {mcp::InputAnswer::Action::accept, {}}));
            mcp::Request again = *request;
            client.complete(again, true);
            static_cast<void>(client.headers(again, mcp::header_parameters(request->params)));
        } else if (const auto* const response = std::get_if<mcp::Response>(&message)) {
            if (!client.is_open()) {
                static_cast<void>(client.opening(mcp::RequestId(1)));
                return client.opened(*response);
            }
            auto result = client.result("tools/call", *response);
            if (const auto* const required = std::get_if<mcp::InputRequired>(&result)) {
                JsonObject params;
                mcp::ClientProtocol::add_input(params, *required,
                                               std::vector<mcp::InputAnswer>(required->requests.size()));
            }
        }
    } catch (const mcp::Error&) {  // documented
    }
}

void run(std::string_view text) {
    static const mcp::Server server = make_server();
    mcp::ServerSession session(server, [](const mcp::Message&) {});
    mcp::ClientProtocol client({.name = "fuzz", .has_input = true});
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line == "?") static_cast<void>(client.not_opened());
        try {
            const mcp::Message message = mcp::parse_message(line);
            serve(session, message);
            receive(client, message);
        } catch (const mcp::MessageError& error) {
            static_cast<void>(mcp::to_text(error.answer()));
        }
    }
}

}  // namespace

FUZZ_TARGET(run)
