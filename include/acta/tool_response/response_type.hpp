// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "acta/describe/describe.hpp"

// The replies of the platform's tools. Every reply begins with the same three keys: `type` identifies the reply,
// `message` says in words what happened, `session_id` names the chat session it belongs to.
//
// Ids mean the same in every reply:
//
//   agent_id          The agent that the reply is about, as requested from the tool. An agent is what a person sees:
//                     a name, a description, an owner. In replies of the block tools it is the
//                     block.
//   graph_id          The graph of blocks and links that runs when the agent runs. Changing a graph makes a new
//                     version: `graph_version` names it, and a missing one means the newest.
//   library_agent_id  The entry of one user's library: which graph this user runs, in which version, with which
//                     settings. Two users who added the same agent have two of them. `library_agent_link` is its page.
//   execution_id      One run of a graph.
//   operation_id      One long-running call of a tool (it makes an agent, say), not a run of a graph.
//   task_id           The event stream of such a call; reconnect.hpp has the path for reconnecting.
//   tool_call_id      The model's request that asked for the tool.
//   session_id        The chat session.
namespace acta::inline ACTA_ABI {

/// The type of a reply.
enum class ResponseType {
    agents_found,             ///< A search found agents.
    agent_details,            ///< Details of one agent.
    setup_requirements,       ///< An agent's requirements for a run, and which of them the user meets.
    execution_started,        ///< A run of an agent was started, or put on the schedule.
    need_login,               ///< The user must log in first.
    error,                    ///< The tool failed.
    no_results,               ///< A search found nothing.
    agent_output,             ///< The outputs of a run of an agent.
    understanding_updated,    ///< The knowledge of the user's business was extended.
    agent_preview,            ///< An agent was generated and can be previewed; it is not saved.
    agent_saved,              ///< An agent was saved to the user's library.
    clarification_needed,     ///< The user must answer questions first.
    block_list,               ///< Blocks that a search found.
    block_output,             ///< The outputs of a run of one block.
    doc_search_results,       ///< Pages of the documentation that a search found.
    doc_page,                 ///< One page of the documentation.
    workspace_file_list,      ///< The files of the workspace.
    workspace_file_content,   ///< The content of a file of the workspace.
    workspace_file_metadata,  ///< Metadata of a file of the workspace and where to download it.
    workspace_file_written,   ///< A file was written to the workspace.
    workspace_file_deleted,   ///< A file of the workspace was deleted, or could not be.
    operation_started,        ///< A long-running call continues in the background.
    operation_pending,        ///< Placeholder for the result of such a call in the history.
    operation_in_progress,    ///< The same call was made again while the first one was still running.
    input_validation_error    ///< The given inputs do not fit the agent.
};

template <>
struct Describe<ResponseType> {
    static constexpr std::string_view doc = "Types of tool responses.";
    static constexpr auto values =
        acta::values<ResponseType>({{"agents_found", ResponseType::agents_found},
                                    {"agent_details", ResponseType::agent_details},
                                    {"setup_requirements", ResponseType::setup_requirements},
                                    {"execution_started", ResponseType::execution_started},
                                    {"need_login", ResponseType::need_login},
                                    {"error", ResponseType::error},
                                    {"no_results", ResponseType::no_results},
                                    {"agent_output", ResponseType::agent_output},
                                    {"understanding_updated", ResponseType::understanding_updated},
                                    {"agent_preview", ResponseType::agent_preview},
                                    {"agent_saved", ResponseType::agent_saved},
                                    {"clarification_needed", ResponseType::clarification_needed},
                                    {"block_list", ResponseType::block_list},
                                    {"block_output", ResponseType::block_output},
                                    {"doc_search_results", ResponseType::doc_search_results},
                                    {"doc_page", ResponseType::doc_page},
                                    {"workspace_file_list", ResponseType::workspace_file_list},
                                    {"workspace_file_content", ResponseType::workspace_file_content},
                                    {"workspace_file_metadata", ResponseType::workspace_file_metadata},
                                    {"workspace_file_written", ResponseType::workspace_file_written},
                                    {"workspace_file_deleted", ResponseType::workspace_file_deleted},
                                    {"operation_started", ResponseType::operation_started},
                                    {"operation_pending", ResponseType::operation_pending},
                                    {"operation_in_progress", ResponseType::operation_in_progress},
                                    {"input_validation_error", ResponseType::input_validation_error}});
};

/// Returns the name of the type in JSON.
[[nodiscard]] constexpr std::string_view to_string(ResponseType type) noexcept {
    for (const auto& item : Describe<ResponseType>::values) {
        if (item.value == type) return item.name;
    }
    return {};
}
/// Writes the name as in JSON.
inline std::ostream& operator<<(std::ostream& out, ResponseType type) { return out << to_string(type); }

/// Returns the type with this name, or nothing if it is not one of the platform's.
[[nodiscard]] constexpr std::optional<ResponseType> find_response_type(std::string_view name) noexcept {
    for (const auto& item : Describe<ResponseType>::values) {
        if (item.name == name) return item.value;
    }
    return std::nullopt;
}

/// Describes the common fields of all replies, for the start of a reply's own fields: `type` is fixed, `message` is
/// required, `session_id` may be null.
template <class T>
constexpr auto response_fields(ResponseType type) {
    return acta::fields(literal("type", type), required("message", &T::message),
                        defaulted("session_id", &T::session_id));
}
/// The same for a reply of your own, whose type is a text.
template <class T>
constexpr auto response_fields(std::string_view type) {
    return acta::fields(literal("type", type), required("message", &T::message),
                        defaulted("session_id", &T::session_id));
}

}  // namespace acta::inline ACTA_ABI
