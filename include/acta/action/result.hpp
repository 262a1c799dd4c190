// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "acta/action/error_info.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/overloaded.hpp"
#include "acta/json/document.hpp"

namespace acta::inline ACTA_ABI {

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
    /// The exception behind it, if there was one.
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

/// Returns whether the action succeeded.
template <ActionResultValue Result>
[[nodiscard]] bool is_success(const Result& result) noexcept {
    return std::holds_alternative<ActionSuccessResult>(result);
}
/// Returns whether the action failed.
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

/// Returns the status of a result.
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

/// Returns the outputs: text as it is and everything else as Python prints it, with placeholders for binary content
/// (`shown_text`); `fenced` if that has several lines.
[[nodiscard]] std::string to_string(const ActionSuccessResult& result);
/// Returns `Action failed: '<reason>'`, with placeholders for binary content.
[[nodiscard]] std::string to_string(const ActionErrorResult& result);
/// Returns `The user interrupted the action with the following feedback: "<feedback>"`, with placeholders for binary
/// content.
[[nodiscard]] std::string to_string(const ActionInterruptedByHuman& result);
/// Returns the text of the current alternative.
template <ActionResultValue Result>
[[nodiscard]] std::string to_string(const Result& result) {
    return std::visit([](const auto& one) { return to_string(one); }, result);
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

template <>
struct Describe<ToolResult> {
    static constexpr auto fields =
        acta::fields(required("tool_call_id", &ToolResult::tool_call_id), required("result", &ToolResult::result));
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/action/detail/result.inl.hpp"
#endif

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI {
extern template struct codec::Document<AssistantFunctionCall>;
extern template struct codec::Document<ActionProposal<>>;
extern template struct codec::Document<ActionResult>;
}  // namespace acta::inline ACTA_ABI
#endif
