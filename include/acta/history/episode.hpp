// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "acta/action/proposal.hpp"
#include "acta/action/result.hpp"
#include "acta/base/boxed.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/history/metrics.hpp"

namespace acta::inline ACTA_ABI {

/// Returns the step in full, as Markdown for a prompt: its calls, why it was proposed, its status and what came of it.
/// `tool_results` are those of parallel calls and stand in place of `result` if there are any. The text is the
/// reference's (docs/reference/history.md, "Episodes and history").
[[nodiscard]] std::string format_step(std::span<const AssistantFunctionCall> calls, const std::string& thoughts,
                                      const std::optional<ActionResult>& result,
                                      std::span<const ToolResult> tool_results);

/// Returns `text` with `width` blanks before each of its lines, including empty ones.
[[nodiscard]] std::string indent_text(std::string_view text, std::size_t width = 4);

/// Returns the result of a step from those of its parallel calls: the first that is not a success, else a success whose
/// outputs are the list of theirs, in order.
[[nodiscard]] ActionResult joined_result(std::span<const ToolResult> results);

namespace history_detail {

/// Returns whether two results are equal, as `==` does, but faster for successes, which most steps have.
[[nodiscard]] bool equal_results(const std::optional<ActionResult>& a, const std::optional<ActionResult>& b);

}  // namespace history_detail

/// One step of an agent: what it proposed, and what came of it. An aggregate that anyone may read and build;
/// `EpisodicActionHistory` keeps the order in which it is filled.
template <class P>
struct Episode {
    static_assert(
        Proposal<P>,
        "acta: a proposal is acta::ActionProposal<Thoughts>, or a described struct with members `thoughts` and "
        "`acta::AssistantFunctionCall use_tool`");
    static_assert((require_thoughts<decltype(P::thoughts)>(), true));

    /// What the agent proposed.
    P action{};
    std::optional<ActionResult> result{};  ///< Empty while the step has not finished.
    /// The step in a line, made by a compression; empty without one.
    std::optional<std::string> summary{};
    /// The ids of the calls in the order of `get_tools`, if they are not those of the raw message. A history sets them
    /// for parallel calls, so that results keep their calls wherever the step goes. Read them with `call_ids`.
    std::vector<std::string> tool_call_ids{};
    std::vector<ToolResult> tool_results{};  ///< Of parallel calls, in the order of the calls.
    /// What the step took, if known.
    Boxed<StepMetrics> metrics{};

    /// Returns the step in full, as Markdown for a prompt (`format_step`).
    [[nodiscard]] std::string format() const {
        return format_step(get_tools(action), thoughts_text(action.thoughts), result, tool_results);
    }
    /// Returns `did_not_finish` while there is no result.
    [[nodiscard]] ResultStatus status() const noexcept { return acta::status(result); }

    /// Whether all members are equal.
    friend bool operator==(const Episode& a, const Episode& b)
        requires std::equality_comparable<P>
    {
        return a.action == b.action && history_detail::equal_results(a.result, b.result) && a.summary == b.summary &&
               a.tool_call_ids.size() == b.tool_call_ids.size() && a.tool_results.size() == b.tool_results.size() &&
               a.metrics.has_value() == b.metrics.has_value() &&
               (a.tool_call_ids.empty() || a.tool_call_ids == b.tool_call_ids) &&
               (a.tool_results.empty() || a.tool_results == b.tool_results) && (!a.metrics || *a.metrics == *b.metrics);
    }
    /// Prints `to_string`.
    friend std::ostream& operator<<(std::ostream& out, const Episode& episode) { return out << to_string(episode); }
};

namespace history_detail {
/// Appends a step in one line: its calls, and what came of them.
void append_line(std::string& out, std::span<const AssistantFunctionCall> calls,
                 const std::optional<ActionResult>& result);
[[nodiscard]] std::vector<std::string> step_call_ids(std::vector<std::string> of_action,
                                                     const std::vector<std::string>& stored,
                                                     std::span<const ToolResult> results);
[[nodiscard]] bool are_of_message(const std::vector<std::string>& ids, const AssistantChatMessage* message);
}  // namespace history_detail

/// Returns the step in one line: its calls, and what came of them.
template <class P>
[[nodiscard]] std::string to_string(const Episode<P>& episode) {
    std::string line;
    history_detail::append_line(line, get_tools(episode.action), episode.result);
    return line;
}

/// Returns the ids of a step's calls, in the order of `get_tools`, one for each call and all different: those that the
/// step has (`Episode::tool_call_ids`), else those of its proposal. They do not depend on where the step stands in
/// which history. Results of older documents, which have ids of a different form, keep theirs.
template <class P>
[[nodiscard]] std::vector<std::string> call_ids(const Episode<P>& episode) {
    return history_detail::step_call_ids(call_ids(episode.action), episode.tool_call_ids, episode.tool_results);
}

template <class P>
struct Describe<Episode<P>> {
    using Self = Episode<P>;
    static std::string name() { return "Episode[" + introspection::type_title<P>() + "]"; }
    static constexpr auto fields =
        acta::fields(required("action", &Self::action), required("result", &Self::result),
                     defaulted("summary", &Self::summary), omit_if_empty("tool_call_ids", &Self::tool_call_ids),
                     omit_if_empty("tool_results", &Self::tool_results), omit_if_empty("metrics", &Self::metrics));
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/history/detail/episode.inl.hpp"
#endif
