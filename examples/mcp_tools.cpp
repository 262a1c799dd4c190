// SPDX-License-Identifier: MIT

// An agent with the tools of all servers of an mcp.json:
//
//   mcp_tools mcp.json http://localhost:8080/v1 qwen3 "When is high water in Brest, and will it rain?"
//
// It asks before each call that may destroy something, which is what every tool of a server may, since the server's own
// words about it are not trusted.

#include <acta/acta.hpp>
#include <acta/agent/run.hpp>
#include <acta/mcp/http.hpp>
#include <acta/mcp/servers.hpp>
#include <acta/provider/openai/chat_model.hpp>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) try {
    if (argc != 5) {
        std::cerr << "use: mcp_tools MCP_JSON URL_OF_MODEL MODEL QUESTION\n";
        return 2;
    }
    std::vector<acta::mcp::Client> servers;
    for (const acta::mcp::ServerEntry& entry : acta::mcp::load_servers(argv[1]))
        if (!entry.disabled) servers.push_back(acta::mcp::connect(entry, {.transport = acta::http::send}));
    acta::SkillRegistry skills;
    skills.add(acta::mcp::tools(servers));

    acta::RunOptions options;
    options.approve = [&skills](const acta::AssistantToolCall& call) {
        if (!skills.at(call.function.name).hints().destructive.value_or(false)) return acta::Approval::yes();
        std::cout << acta::to_string(call.function) << "\nMay it? Say y, or what to do instead: " << std::flush;
        std::string said;
        std::getline(std::cin, said);
        return said == "y" ? acta::Approval::yes() : acta::Approval::no(said);
    };
    const acta::openai::ChatModel model({.base_url = argv[2], .model = argv[3]});
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user(argv[4]));
    const acta::RunResult run = acta::run_agent(model, skills, history, options);
    std::cout << run.answer << "\n";
    std::cerr << run << "\n";
    return run.answer.empty() ? 1 : 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
}
