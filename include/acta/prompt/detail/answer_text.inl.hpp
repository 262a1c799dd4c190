// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/ascii.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/chat/content_part.hpp"
#include "acta/chat/extension.hpp"
#include "acta/json/dump.hpp"
#include "acta/json/parse.hpp"
#include "acta/prompt/detail/answer_text.hpp"

namespace acta::inline ACTA_ABI::prompt_detail {

namespace answer_words = chat_extension::answer_words;

/// Returns whether a text begins and ends as JSON does. Most texts do not, which saves parsing them.
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

/// Returns the value of a JSON text, if acta would write that value exactly as this text.
[[nodiscard]] ACTA_INLINE std::optional<Json> canonical_json(std::string_view text) {
    if (!looks_like_json(text)) return std::nullopt;
    try {
        Json value = parse<Json>(text);
        if (dump(value) == text) return value;
    } catch (const Error&) {
    }
    return std::nullopt;
}

[[nodiscard]] ACTA_INLINE ReadAnswer read_text_answer(std::string_view text, bool is_error);

/// Explicit: a plain conversion would ask whether the error is JSON, whose description may only come later.
[[nodiscard]] ACTA_INLINE ActionResult failure_result(ActionErrorResult error) {
    return ActionResult(std::in_place_type<ActionErrorResult>, std::move(error));
}

[[nodiscard]] ACTA_INLINE ActionResult success_result(Json outputs) {
    ActionSuccessResult success;
    success.outputs = std::move(outputs);
    return success;
}
[[nodiscard]] ACTA_INLINE ActionResult interrupted_result(std::string_view feedback) {
    return ActionResult(std::in_place_type<ActionInterruptedByHuman>, ActionInterruptedByHuman{std::string(feedback)});
}

/// Reads `Action failed: '...'`, with an `ErrorInfo` in a second line or without.
[[nodiscard]] ACTA_INLINE std::optional<ActionErrorResult> read_failure(std::string_view text) {
    const std::string_view start = answer_words::failed;
    if (!text.starts_with(start)) return std::nullopt;
    text.remove_prefix(start.size());
    ActionErrorResult result;
    if (text.ends_with('\'')) {
        result.reason = text.substr(0, text.size() - 1);
        return result;
    }
    const std::size_t line = text.rfind(answer_words::error_details);
    if (line == std::string_view::npos) return std::nullopt;
    const std::string_view details = text.substr(line + answer_words::error_details.size());
    try {
        result.error = parse<ErrorInfo>(details);
        if (dump(*result.error) != details) return std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
    result.reason = text.substr(0, line);
    return result;
}

/// Reads a text in one of the special forms; nothing if it is a plain output.
[[nodiscard]] ACTA_INLINE std::optional<ReadAnswer> read_special(std::string_view text, bool is_error) {
    using Is = ReadAnswer::Kind;
    if (text == answer_words::did_not_finish) return ReadAnswer{Is::nothing, {}, false};
    if (text == answer_words::elsewhere) return ReadAnswer{Is::elsewhere, {}, false};
    if (text == answer_words::interrupted) return ReadAnswer{Is::result, interrupted_result({}), true};
    if (text.starts_with(answer_words::whole)) {
        text.remove_prefix(answer_words::whole.size());
        ReadAnswer inner = text.starts_with(answer_words::whole) ? ReadAnswer{} : read_text_answer(text, is_error);
        if (inner.kind != Is::result || text.starts_with(answer_words::whole))
            inner.result = is_error ? failure_result({std::string(text), {}}) : success_result(base::text_json(text));
        inner.kind = Is::whole;
        return inner;
    }
    if (text.starts_with(answer_words::feedback) && text.size() > answer_words::feedback.size() && text.back() == '"') {
        text.remove_prefix(answer_words::feedback.size());
        return ReadAnswer{Is::result, interrupted_result(text.substr(0, text.size() - 1)), false};
    }
    if (auto failure = read_failure(text)) return ReadAnswer{Is::result, failure_result(*std::move(failure)), false};
    return std::nullopt;
}

/// Returns whether an output must be quoted because it would otherwise be read as something else.
[[nodiscard]] ACTA_INLINE bool needs_quotes(std::string_view text) {
    if (read_special(text, false)) return true;
    const std::optional<Json> value = canonical_json(text);
    if (!value) return false;
    // Each level of quotes lengthens the text, so this ends soon.
    return !value->is_string() || needs_quotes(value->get_ref<const std::string&>());
}

ACTA_INLINE ReadAnswer read_text_answer(std::string_view text, bool is_error) {
    if (auto special = read_special(text, is_error)) return *std::move(special);
    ReadAnswer answer;
    if (is_error) {
        answer.result = failure_result({std::string(text), {}});
        return answer;
    }
    std::optional<Json> value = canonical_json(text);
    const bool is_value = value && (!value->is_string() || needs_quotes(value->get_ref<const std::string&>()));
    answer.result = success_result(is_value ? *std::move(value) : base::text_json(text));
    return answer;
}

/// Returns whether a part is text and nothing else.
[[nodiscard]] ACTA_INLINE bool is_plain_text(const ContentPart& part) {
    return part.type == "text" && part.extra.empty();
}

ACTA_INLINE ReadAnswer read_answer(const ChatMessage& tool) {
    if (tool.is_error || tool.parts.empty() || (tool.parts.size() == 1 && is_plain_text(tool.parts.front())))
        return read_text_answer(tool.content, tool.is_error);
    ReadAnswer answer;
    answer.result = success_result(to_json_value(tool.parts));
    return answer;
}

ACTA_INLINE bool feedback_follows(const ActionResult& result) {
    const auto* const interrupted = std::get_if<ActionInterruptedByHuman>(&result);
    return interrupted != nullptr && !ascii::is_blank(interrupted->feedback);
}

// Writing ------------------------------------------------------------------------------------------------------

[[nodiscard]] ACTA_INLINE std::string error_text(const ActionErrorResult& error) {
    std::string text = to_string(error);
    if (!error.error) return text;
    const Json details = to_json_value(*error.error);
    const std::optional<Json> shown = without_binary(details);
    return text.append(answer_words::error_details.substr(1)).append(dump(shown ? *shown : details));
}

[[nodiscard]] ACTA_INLINE std::string answer_text(const ActionResult& result) {
    if (const auto* const success = std::get_if<ActionSuccessResult>(&result)) {
        const std::optional<Json> shown = without_binary(success->outputs);
        const Json& outputs = shown ? *shown : success->outputs;
        const std::string* const text = outputs.get_ptr<const std::string*>();
        return text == nullptr || needs_quotes(*text) ? dump(outputs) : *text;
    }
    if (const auto* const error = std::get_if<ActionErrorResult>(&result)) return error_text(*error);
    if (feedback_follows(result)) return std::string(answer_words::interrupted);
    return to_string(result);
}

[[nodiscard]] ACTA_INLINE bool is_media(const ContentPart& part) {
    const bool has_content = !part.data.empty() || !part.url.empty() || !part.text.empty() || !part.extra.empty();
    return (part.type == "image" || part.type == "audio" || part.type == "file") && has_content;
}

/// Returns the list as parts; none if one of its elements is something else.
[[nodiscard]] ACTA_INLINE std::vector<ContentPart> content_parts(const Json& list) {
    std::vector<ContentPart> parts;
    for (const Json& one : list) {
        const Json::object_t* const object = one.get_ptr<const Json::object_t*>();
        const Json* const type = object == nullptr ? nullptr : base::find_key(*object, "type");
        if (type == nullptr || !type->is_string()) return {};
        parts.push_back(Describe<ContentPart>::from_representation(JsonObject(*object)));
    }
    return parts;
}

/// Returns outputs as the parts of a message; none if they are anything else.
[[nodiscard]] ACTA_INLINE std::vector<ContentPart> output_parts(const Json& outputs) {
    if (outputs.is_array()) {
        std::vector<ContentPart> parts = content_parts(outputs);
        const bool all = std::all_of(parts.begin(), parts.end(),
                                     [](const auto& one) { return is_plain_text(one) || is_media(one); });
        const bool more = parts.size() > 1 || std::any_of(parts.begin(), parts.end(), is_media);
        return all && more ? std::move(parts) : std::vector<ContentPart>();
    }
    // The result of an MCP tool that was kept whole.
    const Json::object_t* const object = outputs.get_ptr<const Json::object_t*>();
    const Json* const content = object == nullptr ? nullptr : base::find_key(*object, "content");
    if (content == nullptr || !content->is_array() || base::find_key(*object, "isError") == nullptr) return {};
    std::vector<ContentPart> parts = content_parts(*content);
    if (!std::any_of(parts.begin(), parts.end(), is_media)) return {};
    for (ContentPart& part : parts) {
        if (part.type != "text" && !is_media(part)) part = {.text = to_string(part)};
    }
    return parts;
}

/// Returns whether the flag of a message says everything about a failure.
[[nodiscard]] ACTA_INLINE bool is_plain_failure(const ActionResult& result) {
    const auto* const error = std::get_if<ActionErrorResult>(&result);
    return error != nullptr && !error->error && !ascii::is_blank(error->reason) &&
           !chat_extension::has_answer_words(error->reason);
}

ACTA_INLINE ChatMessage result_message(std::string id, const ActionResult& result) {
    if (is_plain_failure(result))
        return ChatMessage::tool(std::move(id), hide_binary(std::get<ActionErrorResult>(result).reason), true);
    ChatMessage out = ChatMessage::tool(std::move(id), {}, !is_success(result));
    if (const auto* const success = std::get_if<ActionSuccessResult>(&result))
        out.parts = output_parts(success->outputs);
    out.content = out.parts.empty() ? answer_text(result) : parts_text(out.parts);
    return out;
}

ACTA_INLINE ChatMessage whole_result_message(std::string id, const ActionResult* whole, bool first) {
    if (whole == nullptr) return ChatMessage::tool(std::move(id), std::string(answer_words::did_not_finish), true);
    const std::string text =
        first ? std::string(answer_words::whole) + answer_text(*whole) : std::string(answer_words::elsewhere);
    return ChatMessage::tool(std::move(id), text, !is_success(*whole));
}

}  // namespace acta::inline ACTA_ABI::prompt_detail
