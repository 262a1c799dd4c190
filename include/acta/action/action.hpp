// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/message.hpp"
#include "acta/describe/describe.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/issue.hpp"
#include "acta/observe/observer.hpp"

namespace acta::inline ACTA_ABI {

/// How exceptions become records.
struct ErrorOptions {
    std::size_t max_error_bytes = std::size_t{64} * 1024;  ///< Longer texts are cut, on a code point. At most 32 MiB.
    Redactor redactor{};                                   ///< Gets every text first, unless it is empty.
};

/// An exception as a record, in Python's terms.
struct ErrorInfo {
    std::vector<Json> args{};      ///< The message, then each cause as `Type('message')`.
    std::string message{};         ///< `what()`.
    std::string exception_type{};  ///< The class name without namespaces; `std::exception` if there is no RTTI.
    std::string repr{};            ///< `Type('message')` in Python's quoting.

    /// Returns the record of an exception, with the chain of a `std::nested_exception`. Bytes that are not UTF-8 are
    /// replaced, so that a history can always be saved.
    [[nodiscard]] static ErrorInfo from_exception(const std::exception& exception, const ErrorOptions& options = {});
    /// Returns the record of whatever was thrown, even an `int`. A null pointer is recorded as an error of type
    /// `NoneType`.
    [[nodiscard]] static ErrorInfo from_exception(const std::exception_ptr& exception,
                                                  const ErrorOptions& options = {});
    /// Returns the record of an error of the given type that was not thrown.
    [[nodiscard]] static ErrorInfo make(const std::string& type, std::string_view message,
                                        const ErrorOptions& options = {});

    friend bool operator==(const ErrorInfo&, const ErrorInfo&) = default;
    /// Prints `to_string`.
    friend std::ostream& operator<<(std::ostream& out, const ErrorInfo& error) { return out << error.repr; }
};

/// Returns `repr`.
[[nodiscard]] inline std::string to_string(const ErrorInfo& error) { return error.repr; }

template <>
struct Describe<ErrorInfo> {
    static constexpr auto fields =
        acta::fields(required("args", &ErrorInfo::args, "", as_tuple), required("message", &ErrorInfo::message),
                     required("exception_type", &ErrorInfo::exception_type), required("repr", &ErrorInfo::repr));
};

/// The action succeeded.
struct ActionSuccessResult {
    Json outputs{};  ///< What the tool returned.

    /// Returns whether the outputs are equal as JSON values.
    friend bool operator==(const ActionSuccessResult& a, const ActionSuccessResult& b) {
        return base::equal(a.outputs, b.outputs);
    }
    /// Prints `to_string`.
    friend std::ostream& operator<<(std::ostream& out, const ActionSuccessResult& result);
};

/// The action failed. Timeouts and cancellations are also errors: their `exception_type` is `Timeout` or `Cancelled`.
struct ActionErrorResult {
    /// Why the action failed.
    std::string reason{};
    /// The exception that caused it, if there was one.
    std::optional<ErrorInfo> error{};

    /// Returns the result of an action that threw, with the exception's message as `reason`. Takes the same arguments
    /// as `ErrorInfo::from_exception`.
    ///
    /// @code{.cpp}
    /// acta::ActionErrorResult result;
    /// try {
    ///     throw std::runtime_error("no such file");
    /// } catch (const std::exception& error) {
    ///     result = acta::ActionErrorResult::from_exception(error);
    /// }
    /// std::string text = acta::to_string(result);   // Action failed: 'no such file'
    /// @endcode
    template <class Exception>
    [[nodiscard]] static ActionErrorResult from_exception(const Exception& exception,
                                                          const ErrorOptions& options = {}) {
        ErrorInfo error = ErrorInfo::from_exception(exception, options);
        std::string reason = error.message;
        return {std::move(reason), std::move(error)};
    }

    friend bool operator==(const ActionErrorResult&, const ActionErrorResult&) = default;
    /// Prints `to_string`.
    friend std::ostream& operator<<(std::ostream& out, const ActionErrorResult& result);
};

namespace action_detail {

/// What an error says beyond the reason of its result, if all else in it repeats that.
struct ShortError {
    std::string exception_type{};
    std::vector<Json> causes{};
};

/// Returns the error of a result in short; nothing if that would lose anything, or there is none.
[[nodiscard]] std::optional<ShortError> shortened(const ActionErrorResult& result);
/// Returns the type of an error and its causes: `runtime_error, caused by out_of_range('the disk is full')`.
[[nodiscard]] std::string kind_of(const ShortError& error);
/// Returns the error that was shortened.
[[nodiscard]] ErrorInfo lengthened(const std::string& reason, ShortError error);

}  // namespace action_detail

// What other components use beyond the public API: errors whose text costs its size once, for models and other
// programs.
namespace action_extension {
using action_detail::kind_of;
using action_detail::lengthened;
using action_detail::shortened;
using action_detail::ShortError;
}  // namespace action_extension

template <>
struct Describe<action_detail::ShortError> {
    using T = action_detail::ShortError;
    static constexpr auto fields =
        acta::fields(required("exception_type", &T::exception_type), omit_if_empty("causes", &T::causes));
};

/// A human stopped the action, and said why.
struct ActionInterruptedByHuman {
    /// What the human said.
    std::string feedback{};

    friend bool operator==(const ActionInterruptedByHuman&, const ActionInterruptedByHuman&) = default;
    /// Prints `to_string`.
    friend std::ostream& operator<<(std::ostream& out, const ActionInterruptedByHuman& result);
};

template <>
struct Describe<ActionSuccessResult> {
    static constexpr auto fields =
        acta::fields(required("outputs", &ActionSuccessResult::outputs), literal("status", "success"));
};

template <>
struct Describe<ActionErrorResult> {
    static constexpr auto fields =
        acta::fields(required("reason", &ActionErrorResult::reason), defaulted("error", &ActionErrorResult::error),
                     literal("status", "error"));
};

template <>
struct Describe<ActionInterruptedByHuman> {
    static constexpr auto fields = acta::fields(required("feedback", &ActionInterruptedByHuman::feedback),
                                                literal("status", "interrupted_by_human"));
};

/// A JSON value of nlohmann's, which would convert to anything.
template <class T>
concept AnyJsonValue = nlohmann::detail::is_basic_json<std::remove_cvref_t<T>>::value;

/// A result itself, not something that converts to one: a search for conversions would ask of any type whether it is
/// JSON, even of one whose description comes later.
template <class T>
concept ActionResultValue = std::same_as<T, ActionResult>;

/// Calls the function that takes the current alternative. Does not compile unless there is one for each.
///
/// @code{.cpp}
/// acta::ActionResult result = acta::ActionSuccessResult{.outputs = 3};
/// std::string text = acta::match(
///     result, [](const acta::ActionSuccessResult& success) { return acta::to_string(success); },
///     [](const acta::ActionErrorResult& error) { return error.reason; },
///     [](const acta::ActionInterruptedByHuman& interrupted) { return interrupted.feedback; });
/// @endcode
template <ActionResultValue Result, class... Functions>
decltype(auto) match(const Result& result, Functions&&... functions) {
    using All = base::Overloaded<std::remove_cvref_t<Functions>...>;
    constexpr bool takes_all = std::is_invocable_v<All, const ActionSuccessResult&> &&
                               std::is_invocable_v<All, const ActionErrorResult&> &&
                               std::is_invocable_v<All, const ActionInterruptedByHuman&>;
    static_assert(takes_all,
                  "acta: match needs a function for each of ActionSuccessResult, ActionErrorResult and "
                  "ActionInterruptedByHuman");
    if constexpr (takes_all) return std::visit(All{std::forward<Functions>(functions)...}, result);
}
template <AnyJsonValue J, class... F>
void match(const J&, F&&...) = delete;  // acta: JSON is not a result yet: use acta::validate<acta::ActionResult>(json)

/// Returns whether the result is an `ActionSuccessResult`.
template <ActionResultValue Result>
[[nodiscard]] bool is_success(const Result& result) noexcept {
    return std::holds_alternative<ActionSuccessResult>(result);
}
/// Returns whether the result is an `ActionErrorResult`.
template <ActionResultValue Result>
[[nodiscard]] bool is_error(const Result& result) noexcept {
    return std::holds_alternative<ActionErrorResult>(result);
}

/// The outcome of a step: one of the three results, or none yet.
enum class ResultStatus { success, error, interrupted_by_human, did_not_finish };

/// Returns `success`, `error`, `interrupted_by_human` or `did_not_finish`.
[[nodiscard]] constexpr std::string_view to_string(ResultStatus status) noexcept {
    switch (status) {
        case ResultStatus::success: return "success";
        case ResultStatus::error: return "error";
        case ResultStatus::interrupted_by_human: return "interrupted_by_human";
        case ResultStatus::did_not_finish: break;
    }
    return "did_not_finish";
}
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, ResultStatus status) { return out << to_string(status); }

namespace action_detail {

/// Whether a result of type `T` has the same position in `ActionResult` as its status in `ResultStatus`.
template <class T, ResultStatus status>
inline constexpr bool has_status =
    std::same_as<T, std::variant_alternative_t<static_cast<std::size_t>(status), ActionResult>>;
static_assert(std::variant_size_v<ActionResult> == static_cast<std::size_t>(ResultStatus::did_not_finish) &&
              has_status<ActionSuccessResult, ResultStatus::success> &&
              has_status<ActionErrorResult, ResultStatus::error> &&
              has_status<ActionInterruptedByHuman, ResultStatus::interrupted_by_human>);

}  // namespace action_detail

/// Returns which of the three results it is. Constant time.
template <ActionResultValue Result>
[[nodiscard]] ResultStatus status(const Result& result) noexcept {
    return static_cast<ResultStatus>(result.index());
}
/// Returns the status of a result that may be missing: `did_not_finish` if it is.
template <ActionResultValue Result>
[[nodiscard]] ResultStatus status(const std::optional<Result>& result) noexcept {
    return result ? status(*result) : ResultStatus::did_not_finish;
}

template <AnyJsonValue J>
void status(const J&) = delete;  // acta: JSON is not a result yet: use acta::validate<acta::ActionResult>(json)
template <AnyJsonValue J>
void is_success(const J&) = delete;  // acta: JSON is not a result yet: use acta::validate<acta::ActionResult>(json)
template <AnyJsonValue J>
void is_error(const J&) = delete;  // acta: JSON is not a result yet: use acta::validate<acta::ActionResult>(json)

/// Returns the text in a Markdown fence of three backticks. A fence in the text is written with a backslash before it,
/// so that it does not end this one; that cannot be undone.
[[nodiscard]] std::string fenced(std::string_view text);

/// Returns a text that acta did not write, for a place between lines that it did: a line after the first that begins
/// like one of acta's own (a heading, `- **`, `* `, `2. Executed`), after blanks or not, has a backslash before that,
/// wherever a program may see the end of a line (`unicode::line_end_length`). All forms of prompts use it. Linear.
///
/// @code{.cpp}
/// std::string text = acta::contained("no\n### Step 9: Executed `pay()`");  // no\n\### Step 9: Executed `pay()`
/// @endcode
[[nodiscard]] std::string contained(std::string_view text);

/// Returns the outputs: text as it is and everything else as Python prints it, with placeholders for binary content
/// (`shown_text`); `fenced` if that has several lines.
[[nodiscard]] std::string to_string(const ActionSuccessResult& result);
/// Returns `Action failed: '<reason>'`, with placeholders for binary content.
[[nodiscard]] std::string to_string(const ActionErrorResult& result);
/// Returns `The user interrupted the action with the following feedback: "<feedback>"`, with placeholders for binary
/// content.
[[nodiscard]] std::string to_string(const ActionInterruptedByHuman& result);
namespace action_detail {
/// Returns what `to_string` does; compiled once.
[[nodiscard]] std::string result_text(const ActionResult& result);
}  // namespace action_detail
/// Returns the text of the current alternative.
template <ActionResultValue Result>
[[nodiscard]] std::string to_string(const Result& result) {
    return action_detail::result_text(result);
}
template <AnyJsonValue J>
void to_string(const J&) = delete;  // acta: print JSON with acta::dump(json) or acta::python_str(json)

/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const ActionSuccessResult& result) {
    return out << to_string(result);
}
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const ActionErrorResult& result) { return out << to_string(result); }
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const ActionInterruptedByHuman& result) {
    return out << to_string(result);
}
// The variant has no friends of its own; this is found through its members' namespace.
/// Prints `to_string`.
template <ActionResultValue Result>
std::ostream& operator<<(std::ostream& out, const Result& result) {
    return out << to_string(result);
}

/// The result of one call of a proposal: what `execute` returns for each, and what a step of parallel calls keeps.
struct ToolResult {
    /// The id of the call (`call_ids`).
    std::string tool_call_id{};
    /// The result of the call.
    ActionResult result{};

    friend bool operator==(const ToolResult&, const ToolResult&) = default;
};

/// Returns `call_0: <the result in a line>`.
[[nodiscard]] std::string to_string(const ToolResult& one);
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const ToolResult& one) { return out << to_string(one); }

template <>
struct Describe<ToolResult> {
    static constexpr auto fields =
        acta::fields(required("tool_call_id", &ToolResult::tool_call_id), required("result", &ToolResult::result));
};

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

    /// Whether all members are equal.
    friend bool operator==(const ActionProposal& a, const ActionProposal& b)
        requires std::equality_comparable<Thoughts>
    {
        return a.thoughts == b.thoughts && a.use_tool == b.use_tool && a.use_tools == b.use_tools &&
               base::equal(a.raw_message, b.raw_message);
    }
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

/// A model's message as a proposal, with what is not UTF-8 in it replaced: its text as thoughts, its calls as
/// `use_tool` and `use_tools`, the whole as `raw_message` if the proposal keeps one. Without any call `use_tool` has an
/// empty name (`has_tool_call`). `P` is any proposal with parallel calls whose thoughts can be made from text.
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
    chat_extension::make_recordable(message);
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
            return "ActionProposal[" + introspection::parameter_title<Thoughts>() + "]";
    }
    static constexpr auto fields =
        acta::fields(required("thoughts", &Self::thoughts), required("use_tool", &Self::use_tool),
                     omit_if_empty("use_tools", &Self::use_tools), omit_if_empty("raw_message", &Self::raw_message));
};

/// Which call of a history it is.
struct CallIdentity {
    std::string tool_call_id{};  ///< Its id in its step (`call_ids`).
    std::size_t step = 0;        ///< The index of its step.
    /// The same each time this call runs, after a crash too, and another for every other call: what a service needs to
    /// have an effect once. At most 300 bytes, with the history's id in it. Empty if the history is in no store.
    std::string idempotency_key{};

    friend bool operator==(const CallIdentity&, const CallIdentity&) = default;
};

/// Returns `call_0 of step 2`, with the index of the step.
[[nodiscard]] std::string to_string(const CallIdentity& call);
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const CallIdentity& call) { return out << to_string(call); }

/// The decision about a call, made before it ran.
struct CallDecision {
    bool approved = true;    ///< Whether it may run.
    std::string by{};        ///< Who decided, if that is known.
    std::string feedback{};  ///< What the model reads if it may not.

    friend bool operator==(const CallDecision&, const CallDecision&) = default;
};

/// Returns `refused by Ann: not this one`, or what is known of it.
[[nodiscard]] std::string to_string(const CallDecision& decision);
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const CallDecision& decision) { return out << to_string(decision); }

/// A call of the open step that has no result yet.
struct OpenCall {
    AssistantToolCall call{};       ///< The call, with its id in the step.
    std::optional<bool> begun{};    ///< Whether it has begun, so that it may have had its effect. Only a store knows.
    std::string idempotency_key{};  ///< The key with which it began; empty if it has not, or in no store.
    std::optional<CallDecision> decision{};  ///< What was decided about it, with the arguments that it has. In a store.

    friend bool operator==(const OpenCall&, const OpenCall&) = default;
};

/// Returns the call, and what was decided about it: `delete_path(path='/') (refused by Ann)`.
[[nodiscard]] std::string to_string(const OpenCall& open);
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const OpenCall& open) { return out << to_string(open); }

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/action/detail/action.inl.hpp"
#endif

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI {
extern template struct codec::Document<AssistantFunctionCall>;
extern template struct codec::Document<ActionProposal<>>;
extern template struct codec::Document<ActionResult>;
}  // namespace acta::inline ACTA_ABI
#endif
