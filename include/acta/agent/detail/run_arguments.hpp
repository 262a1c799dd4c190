// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "acta/agent/agent_run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/history/history_view.hpp"
#include "acta/skill/registry.hpp"

// Advice for calls of `run_agent` that cannot work, in place of the compiler's reasons against each overload.
namespace acta::inline ACTA_ABI::agent_detail {

template <class P>
inline constexpr bool has_text_and_calls = false;
template <ProposalWithParallelCalls P>
inline constexpr bool has_text_and_calls<P> =
    std::constructible_from<std::remove_cvref_t<decltype(P::thoughts)>, const std::string&>;

template <class P>
std::bool_constant<has_text_and_calls<P>> has_runnable_steps(const EpisodicActionHistory<P>&);
template <class P>
std::bool_constant<has_text_and_calls<P>> has_runnable_steps(const SharedHistory<P>&);

/// What an argument is, in its place or not.
enum class RunArgument { model, skills, history, options, constant_history, other_history, text, unknown };

template <class A>
consteval RunArgument run_argument() {
    using Plain = std::remove_cvref_t<A>;
    if constexpr (requires(const Plain& history) { has_runnable_steps(history); }) {
        if constexpr (!decltype(has_runnable_steps(std::declval<const Plain&>()))::value)
            return RunArgument::other_history;
        else
            return std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>>
                       ? RunArgument::history
                       : RunArgument::constant_history;
    } else if constexpr (std::convertible_to<A, const SkillRegistry&>) {
        return RunArgument::skills;
    } else if constexpr (std::convertible_to<A, const RunOptions&>) {
        return RunArgument::options;
    } else if constexpr (ChatModel<A>) {
        return RunArgument::model;
    } else {
        return std::convertible_to<A, std::string_view> ? RunArgument::text : RunArgument::unknown;
    }
}

/// What is wrong with a call of `run_agent`.
enum class RunMistake { none, order, no_model, constant_history, other_history, no_history };

template <class... A>
consteval RunMistake run_mistake() {
    if constexpr (sizeof...(A) != 4) {
        return RunMistake::order;
    } else {
        constexpr RunArgument wanted[] = {RunArgument::model, RunArgument::skills, RunArgument::history,
                                          RunArgument::options};
        constexpr RunArgument given[] = {run_argument<A>()...};
        RunMistake mistake = RunMistake::none;
        for (std::size_t i = 0; i < 4; ++i) {
            const bool is_text = given[i] == RunArgument::text || given[i] == RunArgument::unknown;
            if (given[i] == wanted[i]) continue;
            if (i == 2 && given[i] == RunArgument::constant_history)
                mistake = RunMistake::constant_history;
            else if (i == 2 && given[i] == RunArgument::other_history)
                mistake = RunMistake::other_history;
            else if (i == 2 && is_text)
                mistake = RunMistake::no_history;
            else if (i == 0 && is_text)
                mistake = RunMistake::no_model;
            else
                return RunMistake::order;
        }
        return mistake;
    }
}

template <class... A>
concept NotRun = run_mistake<A...>() != RunMistake::none;

/// Ends the compilation with advice.
template <class First, class... Others>
consteval void explain_run() {
    constexpr RunMistake mistake = run_mistake<First, Others...>();
    if constexpr (mistake == RunMistake::no_model) chat_extension::require_chat_model<First>();
    // One name for each condition, since the compiler repeats the condition.
    constexpr bool is_in_order = mistake != RunMistake::order;
    static_assert(is_in_order,
                  "acta: the arguments are run_agent(model, skills, history, options), the options if there are any; "
                  "a run without skills has acta::SkillRegistry()");
    constexpr bool can_be_changed = mistake != RunMistake::constant_history;
    static_assert(can_be_changed, "acta: a run is written to the history: keep it in a variable that is not const");
    constexpr bool can_be_run = mistake != RunMistake::other_history;
    static_assert(can_be_run,
                  "acta: the proposals of a run have several calls, and thoughts made of a text, as those of "
                  "acta::EpisodicActionHistory<> have");
    constexpr bool is_history = mistake != RunMistake::no_history;
    static_assert(
        is_history,
        "acta: register the question as a message: "
        "acta::EpisodicActionHistory<> history; history.register_message(acta::ChatMessage::user(question));");
}

}  // namespace acta::inline ACTA_ABI::agent_detail
