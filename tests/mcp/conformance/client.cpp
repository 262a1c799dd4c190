// SPDX-License-Identifier: MIT
// What the client's scenarios of the Model Context Protocol's conformance suite want to see (run.py). The suite gives
// the scenario in the environment, and the URL of its server as the last argument.
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/mcp/client.hpp"
#include "acta/mcp/http.hpp"

namespace {

namespace mcp = acta::mcp;
using acta::Json;
using acta::JsonObject;

std::string environment(const char* name) { return acta::http::environment(name).value_or(""); }

/// Calls a tool, and shows an error, which several scenarios want.
void call(const mcp::Client& client, const std::string& tool, JsonObject arguments = {}) {
    try {
        static_cast<void>(client.call_tool(tool, std::move(arguments)));
    } catch (const acta::Error& error) {
        std::cerr << tool << ": " << error.what() << "\n";
    }
}

const std::map<std::string, std::function<void(const mcp::Client&)>> scenarios{
    {"tools_call",
     [](const mcp::Client& client) {
         call(client, "add_numbers", {{"a", 2}, {"b", 3}});
     }},
    {"sep-2322-client-request-state",
     [](const mcp::Client& client) {
         for (const char* const tool :
              {"test_mrtr_echo_state", "test_mrtr_unrelated", "test_mrtr_no_state", "test_mrtr_no_result_type"})
             call(client, tool);
     }},
    {"http-standard-headers",
     [](const mcp::Client& client) {
         call(client, client.list_tools().at(0).name);
         static_cast<void>(client.read_resource(client.resources().at(0).uri));
         static_cast<void>(client.get_prompt(client.prompts().at(0).name));
     }},
    {"http-custom-headers",
     [](const mcp::Client& client) {
         const Json context = acta::parse<Json>(environment("MCP_CONFORMANCE_CONTEXT"));
         for (const Json& one : context.at("toolCalls"))
             call(client, one.at("name").get<std::string>(), one.at("arguments").get<JsonObject>());
     }},
    {"http-invalid-tool-headers",
     [](const mcp::Client& client) {
         for (const mcp::Tool& tool : client.list_tools()) call(client, tool.name, {{"region", "us-west1"}});
     }},
    {"elicitation-sep1034-client-defaults",
     [](const mcp::Client& client) { call(client, "test_client_elicitation_defaults"); }},
    {"sse-retry", [](const mcp::Client& client) { call(client, "test_reconnection"); }},
    {"json-schema-2020-12-preservation",
     [](const mcp::Client& client) {
         for (const mcp::Tool& tool : client.list_tools())
             if (tool.name != "json_schema_echo")
                 call(client, "json_schema_echo", {{"schema", Json(tool.input_schema)}});
     }},
};

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 2) return 2;
    mcp::ClientOptions options{.version = environment("MCP_CONFORMANCE_PROTOCOL_VERSION")};
    options.on_input = [](const mcp::InputRequest& request) {
        mcp::InputAnswer answer{.action = mcp::InputAnswer::Action::accept};
        const Json schema(request.requested_schema);
        if (schema.contains("properties") && schema["properties"].contains("confirmed"))
            answer.content = {{"confirmed", true}};
        return answer;
    };
    const mcp::Client client = mcp::Client::http(argv[argc - 1], options);
    static_cast<void>(client.list_tools());
    const auto found = scenarios.find(environment("MCP_CONFORMANCE_SCENARIO"));
    if (found != scenarios.end()) found->second(client);
} catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
}
