// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/describe/describe.hpp"
#include "acta/history/history.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/json/issue.hpp"
#include "acta/json/json.hpp"

// Histories of AutoGPT's agents: its state files (`state.json`), and their contents.
namespace acta::inline ACTA_ABI {

namespace autogpt {

/// The thoughts of AutoGPT's one-shot agents, all versions together: the first ones have no `observations`, the newest
/// no `text` and `speak`.
///
/// @code{.cpp}
/// acta::autogpt::AssistantThoughts thoughts;
/// assert(thoughts.summary().empty());
/// thoughts.reasoning = "The tide table is in docs.";
/// assert(thoughts.summary() == "The tide table is in docs.");
/// @endcode
struct AssistantThoughts {
    std::string observations{};       ///< The findings of the last action.
    std::string text{};               ///< The thoughts themselves.
    std::string reasoning{};          ///< Why the chosen action is the right one.
    std::string self_criticism{};     ///< Doubts about it; `criticism` in older versions.
    std::vector<std::string> plan{};  ///< The next steps, each in a few words.
    std::string speak{};              ///< A summary to be said to the user.

    /// Returns the text, as in AutoGPT; in versions without one the reasoning, else the observations.
    [[nodiscard]] std::string summary() const {
        if (!text.empty()) return text;
        return reasoning.empty() ? observations : reasoning;
    }

    friend bool operator==(const AssistantThoughts&, const AssistantThoughts&) = default;
};

}  // namespace autogpt

template <>
struct Describe<autogpt::AssistantThoughts> {
    using Self = autogpt::AssistantThoughts;
    static constexpr auto fields =
        acta::fields(defaulted("observations", &Self::observations, "What the last action showed, if there was one"),
                     defaulted("text", &Self::text, "The thoughts"),
                     defaulted("reasoning", &Self::reasoning, "Why this action is the right one"),
                     defaulted("self_criticism", &Self::self_criticism, "What could be wrong with this"),
                     defaulted("plan", &Self::plan, "The next steps in a few words each"),
                     defaulted("speak", &Self::speak, "A summary to say to the user"));
};

namespace interop_detail {

[[nodiscard]] Json autogpt_history(Json record, const std::vector<std::string>& texts);

}  // namespace interop_detail

/// Runs of AutoGPT.
namespace autogpt {

/// A proposal of AutoGPT's one-shot agents.
using Proposal = ActionProposal<AssistantThoughts>;

/// A run of AutoGPT.
struct Run {
    /// The episodes that were read, with AutoGPT's thoughts; see `plain_history`.
    EpisodicActionHistory<Proposal> history{};
    JsonObject state{};         ///< Everything else in the state file, unchanged; empty if there is only a history.
    std::string history_key{};  ///< The key of the history in the state file; empty if there is none.
    TrajectoryReport report{};  ///< Content that was read as something else, or has no place in acta.

    friend bool operator==(const Run&, const Run&) = default;
};

/// Returns whether a document is a state file, a history or a list of episodes of AutoGPT. A history whose thoughts are
/// text may be acta's or AutoGPT's; for this it returns false.
[[nodiscard]] bool is_run(const Json& document);

/// Reads a state file, a history or a list of episodes of any AutoGPT since its one-shot agents. Older forms become
/// today's: the actions `{name, args, reasoning}` and `command: {name, args}`, `use_tool` with `args`, arguments as
/// text, `plan` as a Markdown list, `criticism`, `function_call` in the raw message, errors without details,
/// `use_tools: null`. The outputs of parallel tools, which AutoGPT stores by tool name with a list `_errors`, become a
/// result for each call, as far as the names are unique. `report` lists the changes and omissions. Linear. Throws
/// `ValidationError`, with the location of each issue.
///
/// @code{.cpp}
/// const acta::autogpt::Run run = acta::autogpt::parse(R"({"task": "Find the tides.", "history": {"episodes": [
///     {"action": {"name": "search", "args": {"query": "tides"}, "reasoning": "It may be online."},
///      "result": {"outputs": "3 results", "status": "success"}}], "cursor": 1}})");
/// assert(acta::to_string(run.history[0]) == "Executed `search(query='tides')`: 3 results");
/// assert(run.history[0].action.thoughts.summary() == "It may be online.");
/// assert(run.history_key == "history");
/// @endcode
[[nodiscard]] Run parse(std::string_view text, const ParseOptions& options = {});

/// Reads the same from a value.
[[nodiscard]] Run read(Json document);

/// Writes a history in a form that AutoGPT's own models accept, those of 2024 and today's: thoughts have every field
/// required by any version, `use_tool` is the first of `use_tools`, and the results of parallel calls are outputs by
/// tool name with a list `_errors`, if the names are unique. Data that only acta has (results by call, metrics) is kept
/// in keys that AutoGPT ignores. Thoughts that are not `AssistantThoughts` become its `text` and `reasoning`. Linear.
///
/// @code{.cpp}
/// acta::EpisodicActionHistory<acta::autogpt::Proposal> history;
/// acta::autogpt::Proposal proposal;
/// proposal.thoughts.text = "Look.";
/// proposal.use_tool = {"look", {{"at", "sea"}}};
/// history.register_action(proposal);
/// const acta::Json document = acta::autogpt::to_document(history);
/// assert(document["episodes"][0]["action"]["thoughts"]["text"] == "Look.");
/// assert(acta::autogpt::read(document).history == history);
/// @endcode
template <acta::Proposal P>
[[nodiscard]] Json to_document(const EpisodicActionHistory<P>& history) {
    std::vector<std::string> texts;
    texts.reserve(history.size());
    for (std::size_t i = 0; i < history.size(); ++i) texts.push_back(thoughts_text(history[i].action.thoughts));
    return interop_detail::autogpt_history(to_json_value(history), texts);
}
/// The same for a history that other threads may use, under its lock.
template <acta::Proposal P>
[[nodiscard]] Json to_document(const SharedHistory<P>& history) {
    return to_document(*history.lock());
}

/// Returns the state file of a run, with the history in its place; for a run without one, the history.
///
/// @code{.cpp}
/// acta::autogpt::Run run;
/// run.state.emplace("task", "Find the tides.");
/// run.history_key = "history";
/// assert(acta::autogpt::to_document(run)["history"]["cursor"] == 0);
/// @endcode
[[nodiscard]] Json to_document(const Run& run);

/// Returns the run as a history with thoughts as text, from which every other format can be written.
[[nodiscard]] EpisodicActionHistory<> plain_history(const EpisodicActionHistory<Proposal>& history);

}  // namespace autogpt

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/interop/autogpt/detail/autogpt.inl.hpp"
#endif
