// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/chat/message.hpp"
#include "acta/describe/introspection.hpp"

namespace acta::inline ACTA_ABI {

/// Structured thoughts that can state themselves in a line or two.
template <class T>
concept ModelWithSummary = Described<T> && requires(const T& thoughts) {
    { thoughts.summary() } -> std::convertible_to<std::string>;
};

/// Whether a type can be the thoughts of a proposal: text, a model with a summary, any JSON, or a variant of these.
template <class T>
inline constexpr bool is_thoughts = std::same_as<T, std::string> || std::same_as<T, Json> || ModelWithSummary<T>;
template <class... T>
inline constexpr bool is_thoughts<std::variant<T...>> = (is_thoughts<T> && ...);

/// Ends the compilation with advice if a type cannot be thoughts.
template <class Thoughts>
consteval void require_thoughts() {
    static_assert(
        is_thoughts<Thoughts>,
        "acta: thoughts are std::string, acta::Json, a described type with `std::string summary() const`, or a "
        "std::variant of these");
}

/// Returns the thoughts as text: text as it is, JSON as Python prints it, a model's `summary()`.
template <class Thoughts>
[[nodiscard]] std::string thoughts_text(const Thoughts& thoughts) {
    require_thoughts<Thoughts>();
    if constexpr (std::same_as<Thoughts, std::string>)
        return thoughts;
    else if constexpr (std::same_as<Thoughts, Json>)
        return python_str(thoughts);
    else if constexpr (introspection::is_variant<Thoughts>)
        return std::visit([](const auto& one) { return thoughts_text(one); }, thoughts);
    else
        return thoughts.summary();
}

/// What an agent wants to do next, and why. To add fields, write a struct of your own with members `thoughts` and
/// `use_tool` (and `use_tools`, `raw_message` if wanted), or derive from this one.
///
/// @code{.cpp}
/// acta::ActionProposal<> proposal;
/// proposal.thoughts = "Find the figures.";
/// proposal.use_tool = {"web_search", {{"query", "tides"}}};
/// std::string call = acta::to_string(proposal.use_tool);   // web_search(query='tides')
/// @endcode
template <class Thoughts>
struct ActionProposal {
    /// Why the agent wants to do it.
    Thoughts thoughts{};
    /// The call; with several calls the first of them.
    AssistantFunctionCall use_tool{};
    /// Parallel calls, the first of which is also `use_tool` (`set_calls`). Empty if `use_tool` is the only one.
    std::vector<AssistantFunctionCall> use_tools{};
    std::optional<AssistantChatMessage> raw_message{};  ///< The model's message; in no schema.

    /// Returns `use_tools` if there are any, else `use_tool` alone. A view into this proposal.
    [[nodiscard]] std::span<const AssistantFunctionCall> get_tools() const& noexcept {
        if (use_tools.empty()) return {&use_tool, 1};
        return use_tools;
    }
    std::span<const AssistantFunctionCall> get_tools() const&& = delete;  // the view would dangle

    friend bool operator==(const ActionProposal&, const ActionProposal&) = default;
};

/// Calls that are made at the same time.
using ParallelCalls = std::vector<AssistantFunctionCall>;

// Text deduces `ActionProposal<std::string>`. With designated initialisers this needs a compiler that deduces for
// aggregates (g++ 12, clang 17); elsewhere write `ActionProposal<>`.
template <class T>
ActionProposal(T, AssistantFunctionCall = {}, ParallelCalls = {}, std::optional<AssistantChatMessage> = {})
    -> ActionProposal<T>;
template <class T>
ActionProposal(T, AssistantFunctionCall, std::optional<AssistantChatMessage>) -> ActionProposal<T>;
ActionProposal(const char*, AssistantFunctionCall = {}, ParallelCalls = {}, std::optional<AssistantChatMessage> = {})
    -> ActionProposal<std::string>;
ActionProposal(const char*, AssistantFunctionCall, std::optional<AssistantChatMessage>) -> ActionProposal<std::string>;

/// A proposal of action: `ActionProposal`, or a described struct with the same `thoughts` and `use_tool`.
template <class P>
concept Proposal = Described<P> && requires(const P& proposal) {
    proposal.thoughts;
    { proposal.use_tool } -> std::convertible_to<const AssistantFunctionCall&>;
};

/// A proposal that may have several calls at once.
template <class P>
concept ProposalWithParallelCalls = Proposal<P> && requires(const P& proposal) {
    { proposal.use_tools } -> std::convertible_to<const std::vector<AssistantFunctionCall>&>;
};

/// A proposal that keeps the model's message.
template <class P>
concept ProposalWithRawMessage = Proposal<P> && requires(const P& proposal) {
    { proposal.raw_message } -> std::convertible_to<const std::optional<AssistantChatMessage>&>;
};

/// Returns the calls of any proposal: `use_tools` if it has any, else `use_tool` alone. A view into the proposal.
template <Proposal P>
[[nodiscard]] std::span<const AssistantFunctionCall> get_tools(const P& proposal) noexcept {
    if constexpr (ProposalWithParallelCalls<P>) {
        if (!proposal.use_tools.empty()) return proposal.use_tools;
    }
    return {&proposal.use_tool, 1};
}

/// Returns whether a proposal calls anything. A model that only talks proposes a call without a name.
template <Proposal P>
[[nodiscard]] bool has_tool_call(const P& proposal) noexcept {
    const auto calls = get_tools(proposal);
    return calls.size() != 1 || !calls.front().name.empty();
}

/// Returns the message that the model answered, or null if the proposal keeps none.
template <Proposal P>
[[nodiscard]] const AssistantChatMessage* find_raw_message(const P& proposal) noexcept {
    if constexpr (ProposalWithRawMessage<P>) {
        if (proposal.raw_message) return &*proposal.raw_message;
    }
    return nullptr;
}

/// Makes `calls` those of a proposal: the first is `use_tool`, and several are also `use_tools`.
template <ProposalWithParallelCalls P>
void set_calls(P& proposal, std::vector<AssistantFunctionCall> calls) {
    proposal.use_tool = calls.empty() ? AssistantFunctionCall() : AssistantFunctionCall(calls.front());
    if (calls.size() < 2) calls.clear();
    proposal.use_tools = std::move(calls);
}

/// A model's message as a proposal: its text as thoughts, its calls as `use_tool` and `use_tools`, the whole as
/// `raw_message` if the proposal keeps one. Without any call `use_tool` has an empty name (`has_tool_call`). `P` is any
/// proposal with parallel calls whose thoughts can be made from text.
///
/// @code{.cpp}
/// acta::AssistantChatMessage message;
/// message.content = "Look.";
/// message.tool_calls = {{"c1", {"search", {{"query", "tides"}}}}};
/// const acta::ActionProposal<> proposal = acta::proposal_from(message);
/// assert(acta::to_string(proposal.use_tool) == "search(query='tides')");
/// @endcode
template <ProposalWithParallelCalls P = ActionProposal<>>
    requires std::constructible_from<std::remove_cvref_t<decltype(P::thoughts)>, const std::string&>
[[nodiscard]] P proposal_from(AssistantChatMessage message) {
    P proposal;
    proposal.thoughts = std::remove_cvref_t<decltype(P::thoughts)>(message.content);
    std::vector<AssistantFunctionCall> calls;
    if (message.tool_calls) {
        for (const AssistantToolCall& call : *message.tool_calls) calls.push_back(call.function);
    }
    set_calls(proposal, std::move(calls));
    if constexpr (ProposalWithRawMessage<P>) proposal.raw_message = std::move(message);
    return proposal;
}

/// Returns the ids of `calls` calls that were proposed with `message`, which may be null: those of the message if it
/// has one for each call, all different and none empty; else `call_0`, `call_1`, ...
[[nodiscard]] std::vector<std::string> call_ids(std::size_t calls, const AssistantChatMessage* message);

/// Returns the ids of a proposal's calls, in the order of `get_tools`, under which `execute` returns their results and
/// a history takes them. They depend on nothing but the proposal. See `call_ids(const Episode<P>&)` for those of a
/// step.
///
/// @code{.cpp}
/// acta::ActionProposal<> proposal;
/// proposal.use_tool = {"search", {{"query", "tides"}}};
/// std::vector<std::string> ids = acta::call_ids(proposal);  // {"call_0"}
/// @endcode
template <Proposal P>
[[nodiscard]] std::vector<std::string> call_ids(const P& proposal) {
    return call_ids(get_tools(proposal).size(), find_raw_message(proposal));
}

template <class Thoughts>
struct Describe<ActionProposal<Thoughts>> {
    using Self = ActionProposal<Thoughts>;
    static std::string name() {
        if constexpr (std::same_as<Thoughts, std::string>)
            return "ActionProposal";
        else
            return "ActionProposal[" + introspection::type_title<Thoughts>() + "]";
    }
    static constexpr auto fields =
        acta::fields(required("thoughts", &Self::thoughts), required("use_tool", &Self::use_tool),
                     omit_if_empty("use_tools", &Self::use_tools), omit_if_empty("raw_message", &Self::raw_message));
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/action/detail/proposal.inl.hpp"
#endif
