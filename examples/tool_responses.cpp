// SPDX-License-Identifier: MIT
// A client reads a stream of tool replies, one JSON a line, and reacts to each kind.
//
//     tool_responses                 the replies below
//     tool_responses - < replies     replies from standard input; lines are {"call": …, "tool": …, "reply": {…}}
//
// It ends with an action history made from the replies, as an agent keeps it.
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "acta/describe/describe.hpp"
#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "acta/tool_response/tool_response.hpp"

namespace {

constexpr std::string_view sample = R"stream(
{"call": "c1", "tool": "find_agent", "reply": {"type": "agents_found", "message": "Found 1 agent.", "session_id": "s1", "agents": [{"id": "ann/tides", "name": "Tide tables", "description": "Tells the tides of a harbour.", "source": "marketplace", "rating": 4.5}], "count": 1}}
{"call": "c2", "tool": "run_agent", "reply": {"type": "setup_requirements", "message": "Connect an account first.", "setup_info": {"agent_id": "g-17", "agent_name": "Tide tables", "requirements": {"credentials": [{"id": "noaa_key", "provider": "noaa", "type": "api_key"}], "inputs": [{"name": "harbour", "required": true, "description": "Which harbour."}], "execution_modes": ["manual"]}, "user_readiness": {"missing_credentials": {"noaa_key": {"id": "noaa_key", "title": "NOAA Key", "provider": "noaa", "type": "api_key"}}}}, "graph_id": "g-17", "graph_version": 3}}
{"call": "c3", "tool": "run_agent", "reply": {"type": "agent_output", "message": "Done.", "agent_name": "Tide tables", "agent_id": "g-17", "execution": {"execution_id": "e1", "status": "COMPLETED", "started_at": "2024-05-01T10:00:00+02:00", "ended_at": "2024-05-01T08:01:30Z", "outputs": {"high": ["04:12", "16:40"]}}, "total_executions": 1}}
{"call": "c4", "tool": "create_agent", "reply": {"type": "operation_started", "message": "Working on it.", "operation_id": "o1", "tool_name": "create_agent", "task_id": "task/1"}}
{"call": "c4", "tool": "create_agent", "reply": {"type": "operation_in_progress", "message": "Still working on it.", "tool_call_id": "c4"}}
{"call": "c4", "tool": "create_agent", "reply": {"type": "agent_saved", "message": "Saved.", "agent_id": "g-18", "agent_name": "Storm warner", "library_agent_id": "l-5", "library_agent_link": "/library/l-5", "agent_page_link": "/build?flowID=g-18"}}
{"call": "c5", "tool": "run_block", "reply": {"type": "block_output", "message": "The block failed.", "block_id": "b1", "block_name": "Fetch", "outputs": {}, "success": false}}
{"call": "c6", "tool": "create_agent", "reply": {"type": "error", "message": "That cannot be done.", "error": "unachievable_goal", "details": {"reason": "No block can fly.", "suggested_goal": "Book a flight."}}}
{"call": "c7", "tool": "clone_agent", "reply": {"type": "agent_cloned", "message": "Cloned by a newer server.", "copy_of": "g-17"}}
{"call": "c8", "tool": "find_agent", "reply": {"type": "agents_found", "message": "Broken.", "agents": [{"id": 5, "name": "No id"}], "count": "many"}}
{"call": "c9", "tool": "find_agent", "reply": {"message": "No type."}}
this is not JSON
)stream";

/// A line of the stream: which call of which tool the reply answers.
struct Line {
    std::string call{};
    std::string tool{};
    acta::JsonObject reply{};
};

}  // namespace

template <>
struct acta::Describe<Line> {
    static constexpr auto fields =
        acta::fields(acta::required("call", &Line::call), acta::required("tool", &Line::tool),
                     acta::required("reply", &Line::reply));
};

namespace {

void show(const acta::AgentsFoundResponse& found) {
    for (const acta::AgentInfo& agent : found.agents) {
        std::cout << "  " << agent.name << " (" << agent.source << "): " << agent.description;
        if (agent.rating) std::cout << " Rated " << *agent.rating << ".";
        std::cout << "\n";
    }
}

void show(const acta::SetupRequirementsResponse& setup) {
    std::cout << "  needed by " << setup.setup_info.agent_name << ": " << acta::dump(setup.setup_info.requirements)
              << "\n";
    for (const auto& [name, credential] : setup.setup_info.user_readiness.missing_credentials)
        std::cout << "  missing credential " << name << ": " << acta::dump(credential) << "\n";
}

void show(const acta::AgentOutputResponse& output) {
    if (!output.execution) return;
    const acta::ExecutionOutputInfo& run = *output.execution;
    std::cout << "  run " << run.execution_id << " is " << run.status;
    if (run.started_at && run.ended_at && run.started_at->instant() && run.ended_at->instant()) {
        const auto took = *run.ended_at->instant() - *run.started_at->instant();
        std::cout << " after " << std::chrono::duration_cast<std::chrono::seconds>(took).count() << " s";
    }
    std::cout << "\n";
    for (const auto& [name, values] : run.outputs) {
        for (const acta::Json& value : values) std::cout << "  " << name << ": " << acta::python_str(value) << "\n";
    }
}

void show(const acta::ErrorResponse& error) {
    if (!error.details) return;
    const auto goal = error.details->find("suggested_goal");
    if (goal != error.details->end()) std::cout << "  try instead: " << acta::python_str(goal->second) << "\n";
}

void show(const acta::UnknownResponse& unknown) {
    std::cout << "  not known to this client, kept as it came: " << acta::dump(unknown) << "\n";
}

class Client {
public:
    void read(const std::string& text) {
        acta::ToolResponse reply;
        Line line;
        try {
            line = acta::parse<Line>(text);
            reply = acta::validate_tool_response(acta::Json(line.reply));
        } catch (const acta::ValidationError& error) {
            ++broken_;
            std::cout << "! " << line.call << (line.call.empty() ? "" : " ") << error.what() << "\n";
            return;
        }
        std::cout << (acta::is_error(reply) ? "- " : "+ ") << line.call << " " << acta::response_type_name(reply)
                  << ": " << acta::message(reply) << "\n";
        acta::match(reply, [](const auto& one) {
            if constexpr (requires { show(one); }) show(one);
        });
        if (!is_stage(reply)) keep(line, reply);
    }

    void finish() const {
        std::cout << "\n" << broken_ << " lines could not be read. What was done:\n\n" << history_.fmt_list() << "\n";
    }

private:
    /// Returns whether the reply is a stage of a call that is still running, and not its result.
    static bool is_stage(const acta::ToolResponse& reply) {
        using Type = acta::ResponseType;
        const std::optional<Type> type = acta::response_type(reply);
        return type == Type::operation_started || type == Type::operation_pending ||
               type == Type::operation_in_progress;
    }

    void keep(const Line& line, const acta::ToolResponse& reply) {
        history_.register_action({.thoughts = "", .use_tool = {line.tool, {}}});
        const std::string said(acta::message(reply));
        if (acta::is_error(reply))
            history_.register_result(acta::ActionErrorResult{.reason = said});
        else
            history_.register_result(acta::ActionSuccessResult{.outputs = said});
    }

    acta::EpisodicActionHistory<acta::ActionProposal<>> history_{};
    std::size_t broken_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    std::istringstream samples{std::string(sample)};
    const bool from_input = argc == 2 && std::string_view(argv[1]) == "-";
    if (argc > 1 && !from_input) {
        std::cerr << "usage: tool_responses [-]\n";
        return 2;
    }
    std::istream& in = from_input ? std::cin : samples;
    Client client;
    for (std::string line; std::getline(in, line);) {
        if (line.find_first_not_of(" \t\r") != std::string::npos) client.read(line);
    }
    client.finish();
    return 0;
}
