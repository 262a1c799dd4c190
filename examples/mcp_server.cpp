// SPDX-License-Identifier: MIT

// A registry of C++ functions as a server of the Model Context Protocol: any program that speaks it can call them. It
// is started by that program, and speaks over its standard streams:
//
//   {"mcpServers": {"harbour": {"command": "/path/to/mcp_server"}}}

#include <acta/mcp/serve.hpp>
#include <acta/mcp/server.hpp>
#include <acta/skill/registry.hpp>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

const std::map<std::string, std::vector<double>> tides{{"Brest", {1.1, 6.4, 1.3, 6.2}},
                                                       {"Dover", {0.8, 6.9, 1.0, 6.7}}};

/// The heights of a day, of which a model knows nothing.
std::vector<double> heights(const std::string& port) {
    const auto found = tides.find(port);
    if (found == tides.end()) throw std::out_of_range("no table for " + port);
    return found->second;
}

/// Asks the person who uses the client, which not every client can do.
std::string book(const std::string& port, acta::SkillContext& context) {
    acta::mcp::ServerContext* const client = acta::mcp::ServerContext::of(context);
    if (client == nullptr || !client->client_offers("elicitation")) return "A berth can only be booked by a person.";
    const acta::mcp::InputAnswer answer = client->elicit("length", {.message = "How long is your boat, in metres?",
                                                                    .requested_schema = acta::parse<acta::JsonObject>(
                                                                        R"({"type": "object", "required": ["metres"],
                           "properties": {"metres": {"type": "number", "minimum": 1, "maximum": 40}}})")});
    if (answer.action != acta::mcp::InputAnswer::Action::accept) return "Nothing is booked.";
    return "A berth of " + acta::dump(answer.content.at("metres")) + " m in " + port + " is booked.";
}

}  // namespace

int main() {
    acta::SkillRegistry skills;
    skills.add("heights", "The heights of the tides of a day in a port, in metres.", {.read_only = true}, heights,
               acta::param("port", "The name of the port."));
    skills.add("book", "Books a berth for a boat.", book, acta::param("port", "The name of the port."));
    acta::mcp::Server server(skills, {.name = "harbour", .version = "1.0", .instructions = "Heights are in metres."});
    server.add_resource(
        {.uri = "harbour://ports", .name = "ports", .mime_type = "application/json"},
        [](const std::string& uri, const acta::JsonObject&, acta::mcp::ServerContext&) {
            return std::vector<acta::mcp::ResourceContents>{
                {.uri = uri, .text = R"(["Brest", "Dover"])", .extra = {{"mimeType", "application/json"}}}};
        });
    std::cerr << "serving\n";
    acta::mcp::serve_stdio(server);
}
