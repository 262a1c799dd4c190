// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/history/history.hpp"
#include "acta/interop/atif/check.hpp"
#include "acta/interop/atif/records.hpp"
#include "acta/version.hpp"

// Histories as ATIF documents (Agent Trajectory Interchange Format; RFC 0001 of the Harbor project), and back.
namespace acta::inline ACTA_ABI::atif {

/// The versions that can be written. Every version from 1.0 on can be read.
enum class Version { v1_4 = 4, v1_5, v1_6, v1_7, v1_8 };

/// The contents of a document besides the history.
struct Options {
    Version version = Version::v1_7;           ///< Decides which fields are written.
    std::string session_id{"acta"};            ///< Names the run; should be unique.
    std::string agent_name{"acta"};            ///< Written as `agent.name`.
    std::string agent_version{acta::version};  ///< Written as `agent.version`.
    std::optional<std::string> model_name{};   ///< Written as `agent.model_name`, which is omitted if this is empty.
    std::vector<ToolDefinition> tools{};       ///< Written from ATIF 1.5 on.
    std::optional<std::string> notes{};        ///< Remarks in free text, written as `notes`.
};

/// Writes a history as an ATIF document: each episode is a step of the agent, with its calls, their results and its
/// metrics; the conversation and pending feedback are steps of the system, the user or, without calls, the agent.
/// Errors are marked with `extra.is_error` from ATIF 1.7 on. Status, error details, summaries and everything else
/// without a place in ATIF are in `extra.acta`, which every version allows, so that `to_history` returns the same
/// history. Linear. Throws `EncodeError` if outputs or arguments are not UTF-8.
///
/// @code{.cpp}
/// acta::EpisodicActionHistory<> history;
/// history.register_action({.thoughts = "Look.", .use_tool = {"look", {{"at", "sea"}}}});
/// history.register_result(acta::ActionSuccessResult{.outputs = "waves"});
/// const acta::atif::Document document = acta::atif::to_document(history, {.session_id = "run 7"});
/// assert(acta::atif::check(document).empty());
/// assert(acta::atif::to_history(document) == history);
/// @endcode
template <Proposal P>
[[nodiscard]] Document to_document(const EpisodicActionHistory<P>& history, const Options& options = {});

/// Reads the history in an ATIF document; from one written by `to_document` it returns the original history. In
/// documents of other programs each step of the agent with calls is an episode: its message, or else its reasoning, is
/// the thoughts, and the reasoning is in `raw_message`; observations are successes, or errors if `extra.is_error` is
/// true; a call without a result is unfinished. All other steps are the conversation: prompts, messages of the user,
/// answers of the agent without a call, and the observations of such steps; images and recordings stay parts, whose
/// paths are those of the document. Log probabilities, token ids, trajectories of subagents and other extras are not
/// kept. Throws `ValidationError`, with the location of each issue, if the document breaks the rules of the format
/// (`check`) or its `extra.acta` is broken.
///
/// @code{.cpp}
/// const auto document = acta::parse<acta::atif::Document>(R"({"schema_version": "ATIF-v1.7",
///     "agent": {"name": "sailor", "version": "1"}, "steps": [
///         {"step_id": 1, "source": "user", "message": "How deep is it?"},
///         {"step_id": 2, "source": "agent", "message": "I measure.",
///          "tool_calls": [{"tool_call_id": "d", "function_name": "depth", "arguments": {}}],
///          "observation": {"results": [{"source_call_id": "d", "content": "4 m"}]}}]})");
/// const acta::EpisodicActionHistory<> run = acta::atif::to_history(document);
/// assert(run.size() == 1);
/// assert(run.messages().front().message.content == "How deep is it?");
/// @endcode
template <Proposal P = ActionProposal<>>
[[nodiscard]] EpisodicActionHistory<P> to_history(const Document& document);

}  // namespace acta::inline ACTA_ABI::atif

#include "acta/interop/atif/detail/history.hpp"
#ifndef ACTA_COMPILED
#include "acta/interop/atif/detail/read_steps.inl.hpp"
#include "acta/interop/atif/detail/write_steps.inl.hpp"
#endif
