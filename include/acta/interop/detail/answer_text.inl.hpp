// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "acta/chat/binary_placeholder.hpp"
#include "acta/interop/detail/answer_text.hpp"
#include "acta/json/dump.hpp"
#include "acta/json/parse.hpp"

namespace acta::inline v0::interop_detail {

namespace message_text {
inline constexpr std::string_view did_not_finish = "The action did not finish; it has no result.";
inline constexpr std::string_view elsewhere = "See the result of the step as a whole.";
inline constexpr std::string_view whole = "Result of the step as a whole: ";
inline constexpr std::string_view interrupted = "The user interrupted the action; their feedback follows.";
inline constexpr std::string_view summary[] = {"Summary of the step: ", "Summary of the step, which failed: ",
                                               "Summary of the step, which the user interrupted: "};
inline constexpr std::string_view failed = "Action failed: '";
inline constexpr std::string_view error_details = "'\nError: ";
inline constexpr std::string_view feedback = "The user interrupted the action with the following feedback: \"";
}  // namespace message_text

/// Whether a text begins and ends as JSON does. Most texts do not, and need not be parsed to find out.
[[nodiscard]] ACTA_INLINE bool looks_like_json(std::string_view text) noexcept {
    if (text.empty()) return false;
    switch (text.front()) {
        case '{': return text.back() == '}';
        case '[': return text.back() == ']';
        case '"': return text.size() > 1 && text.back() == '"';
        case 't': return text == "true";
        case 'f': return text == "false";
        case 'n': return text == "null";
        default: return text.find_first_not_of("+-.0123456789Ee") == std::string_view::npos;
    }
}

/// The value of a JSON text, if the text is exactly what acta would write for that value.
[[nodiscard]] ACTA_INLINE std::optional<Json> canonical_json(std::string_view text) {
    if (!looks_like_json(text)) return std::nullopt;
    try {
        Json value = parse<Json>(text);
        if (dump(value) == text) return value;
    } catch (const Error&) {
    }
    return std::nullopt;
}

/// Named in full: a plain conversion would ask whether the error is JSON, which a description may still come for.
[[nodiscard]] ACTA_INLINE ActionResult failure_result(ActionErrorResult error) {
    return ActionResult(std::in_place_type<ActionErrorResult>, std::move(error));
}

ACTA_INLINE ActionResult text_result(std::size_t status, std::string text) {
    if (status == 0) {
        ActionSuccessResult success;
        success.outputs = std::move(text);
        return success;
    }
    if (status == 1) return failure_result({std::move(text), {}});
    return ActionResult(std::in_place_type<ActionInterruptedByHuman>, ActionInterruptedByHuman{std::move(text)});
}

/// Reads `Action failed: '...'`, with an `ErrorInfo` in a second line or without.
[[nodiscard]] ACTA_INLINE std::optional<ActionErrorResult> read_failure(std::string_view text) {
    const std::string_view start = message_text::failed;
    if (!text.starts_with(start)) return std::nullopt;
    text.remove_prefix(start.size());
    ActionErrorResult result;
    if (text.ends_with('\'')) {
        result.reason = text.substr(0, text.size() - 1);
        return result;
    }
    const std::size_t line = text.rfind(message_text::error_details);
    if (line == std::string_view::npos) return std::nullopt;
    const std::string_view details = text.substr(line + message_text::error_details.size());
    try {
        result.error = parse<ErrorInfo>(details);
        if (dump(*result.error) != details) return std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
    result.reason = text.substr(0, line);
    return result;
}

ACTA_INLINE std::optional<ReadAnswer> read_special(std::string_view text, bool is_error) {
    using Is = ReadAnswer::Kind;
    if (text == message_text::did_not_finish) return ReadAnswer{Is::nothing, {}, false};
    if (text == message_text::elsewhere) return ReadAnswer{Is::elsewhere, {}, false};
    if (text == message_text::interrupted) return ReadAnswer{Is::result, text_result(2, {}), true};
    if (text.starts_with(message_text::whole)) {
        text.remove_prefix(message_text::whole.size());
        ReadAnswer inner = text.starts_with(message_text::whole) ? ReadAnswer{} : read_answer(text, is_error);
        if (inner.kind != Is::result || text.starts_with(message_text::whole))
            inner.result = text_result(is_error ? 1 : 0, std::string(text));
        inner.kind = Is::whole;
        return inner;
    }
    for (std::size_t i = 0; i < std::size(message_text::summary); ++i) {
        const std::string_view start = message_text::summary[i];
        if (text.starts_with(start))
            return ReadAnswer{Is::summary, text_result(i, std::string(text.substr(start.size()))), false};
    }
    if (text.starts_with(message_text::feedback) && text.size() > message_text::feedback.size() && text.back() == '"') {
        text.remove_prefix(message_text::feedback.size());
        return ReadAnswer{Is::result, text_result(2, std::string(text.substr(0, text.size() - 1))), false};
    }
    if (auto failure = read_failure(text)) return ReadAnswer{Is::result, failure_result(*std::move(failure)), false};
    return std::nullopt;
}

/// Whether an output must be quoted because without quotes it would be read as something else.
[[nodiscard]] ACTA_INLINE bool needs_quotes(std::string_view text) {
    if (read_special(text, false)) return true;
    const std::optional<Json> value = canonical_json(text);
    if (!value) return false;
    // Each level of quotes makes the text longer, so this ends soon.
    return !value->is_string() || needs_quotes(value->get_ref<const std::string&>());
}

ACTA_INLINE ReadAnswer read_answer(std::string_view text, bool is_error) {
    if (auto special = read_special(text, is_error)) return *std::move(special);
    if (is_error) return {ReadAnswer::Kind::result, text_result(1, std::string(text)), false};
    ReadAnswer answer;
    ActionSuccessResult success;
    std::optional<Json> value = canonical_json(text);
    if (value && (!value->is_string() || needs_quotes(value->get_ref<const std::string&>())))
        success.outputs = *std::move(value);
    else
        success.outputs = std::string(text);
    answer.result = std::move(success);
    return answer;
}

ACTA_INLINE bool feedback_follows(const ActionResult& result) {
    const auto* const interrupted = std::get_if<ActionInterruptedByHuman>(&result);
    return interrupted != nullptr && interrupted->feedback.find_first_not_of(" \t\r\n\f\v") != std::string::npos;
}

[[nodiscard]] ACTA_INLINE std::string error_text(const ActionErrorResult& error, bool flagged) {
    const bool plain = !error.error && error.reason.find_first_not_of(" \t\r\n\f\v") != std::string::npos;
    if (flagged && plain && !read_special(error.reason, true)) return error.reason;
    std::string text = to_string(error);
    if (error.error) {
        const Json details = to_json_value(*error.error);
        const std::optional<Json> shown = without_binary(details);
        text.append(message_text::error_details.substr(1)).append(dump(shown ? *shown : details));
    }
    return text;
}

ACTA_INLINE std::string answer_text(const ActionResult& result, bool flagged) {
    if (const auto* const success = std::get_if<ActionSuccessResult>(&result)) {
        const std::optional<Json> shown = without_binary(success->outputs);
        const Json& outputs = shown ? *shown : success->outputs;
        const std::string* const text = outputs.get_ptr<const std::string*>();
        return text == nullptr || needs_quotes(*text) ? dump(outputs) : *text;
    }
    if (const auto* const error = std::get_if<ActionErrorResult>(&result)) return error_text(*error, flagged);
    if (feedback_follows(result)) return std::string(message_text::interrupted);
    return to_string(result);
}

}  // namespace acta::inline v0::interop_detail
