// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/base/unicode.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/chat/extension.hpp"
#include "acta/chat/message.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/detail/step_text.hpp"
#include "acta/prompt/prompt.hpp"

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
    result.reason = text.substr(0, line);
    const auto read = [details]<class T>(std::in_place_type_t<T>) -> std::optional<T> {
        try {
            T error = parse<T>(details);
            if (dump(error) == details) return error;
        } catch (const Error&) {
        }
        return std::nullopt;
    };
    if (auto shortened = read(std::in_place_type<action_extension::ShortError>))
        result.error = action_extension::lengthened(result.reason, *std::move(shortened));
    else
        result.error = read(std::in_place_type<ErrorInfo>);
    return result.error ? std::optional(std::move(result)) : std::nullopt;
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
    const auto shortened = action_extension::shortened(error);
    const Json details = shortened ? to_json_value(*shortened) : to_json_value(*error.error);
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
    const bool is_sound = part.data.empty() || chat_extension::is_base64(part.data);  // an API refuses other data
    return (part.type == "image" || part.type == "audio" || part.type == "file") && has_content && is_sound;
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

/// Returns the model's message, with its calls.
[[nodiscard]] ACTA_INLINE ChatMessage said_in_step(const HistoryView& history, std::size_t i, const StepView& step) {
    ChatMessage said = step.raw_message != nullptr ? ChatMessage(*step.raw_message) : ChatMessage::assistant({});
    said.tool_calls.clear();
    std::string words = history.words(i);
    if (words != said.content) {  // the thoughts were changed after the model had said them
        said.content = std::move(words);
        said.parts.clear();
    }
    if (step.calls.size() == 1 && step.calls.front().name.empty()) return said;
    std::vector<std::string> ids = history.call_ids(i);
    for (std::size_t c = 0; c < step.calls.size(); ++c) said.tool_calls.push_back({std::move(ids[c]), step.calls[c]});
    return said;
}

ACTA_INLINE void append_feedback(std::vector<ChatMessage>& out, const std::vector<const ActionResult*>& shown) {
    for (const ActionResult* const result : shown) {
        if (feedback_follows(*result))
            out.push_back(ChatMessage::user(hide_binary(std::get<ActionInterruptedByHuman>(*result).feedback)));
    }
}

ACTA_INLINE std::vector<ChatMessage> native_step(const HistoryView& history, std::size_t i) {
    const StepView step = history.step(i);
    const ActionResult* const whole = *step.result ? &**step.result : nullptr;
    std::vector<ChatMessage> out;
    std::vector<const ActionResult*> shown;
    out.push_back(said_in_step(history, i, step));
    const std::vector<AssistantToolCall> calls = out.front().tool_calls;
    if (calls.empty()) {
        if (out.front().content.empty() && out.front().parts.empty()) out.clear();
        if (whole == nullptr) return out;
        out.push_back(ChatMessage::user(whole_result_message({}, whole, true).content));
        append_feedback(out, {whole});
        return out;
    }
    std::map<std::string_view, const ActionResult*> results;
    for (const ToolResult& one : step.results) results.emplace(one.tool_call_id, &one.result);
    bool whole_shown = false;
    for (const AssistantToolCall& call : calls) {
        const auto found = results.find(call.id);
        const ActionResult* const own = found != results.end() ? found->second : (calls.size() == 1 ? whole : nullptr);
        const ActionResult* const result = own != nullptr ? own : (whole_shown ? nullptr : whole);
        out.push_back(own != nullptr ? result_message(call.id, *own)
                                     : whole_result_message(call.id, whole, !whole_shown));
        whole_shown = whole_shown || own == nullptr;
        if (result != nullptr) shown.push_back(result);
    }
    append_feedback(out, shown);
    return out;
}

ACTA_INLINE std::string CallIds::next(const std::string& wanted) {
    const std::string base = wanted.empty() ? "call" : wanted;
    if (used_.insert(base).second) return base;
    std::size_t& count = repeats_[base];
    for (;;) {
        std::string id = base + "_" + std::to_string(++count + 1);
        if (used_.insert(id).second) return id;
    }
}

ACTA_INLINE void CallIds::add(const ChatMessage& message) {
    for (const AssistantToolCall& call : message.tool_calls) used_.insert(call.id);
}

ACTA_INLINE void CallIds::make_unique(std::vector<ChatMessage>& step) {
    if (step.empty()) return;
    std::vector<AssistantToolCall>& calls = step.front().tool_calls;
    for (std::size_t c = 0; c < calls.size(); ++c) {
        calls[c].id = next(calls[c].id);
        step[c + 1].tool_call_id = calls[c].id;
    }
}

// Budgets --------------------------------------------------------------------------------------------------------

template <class F>
void for_each_text(const ChatMessage& message, const F& count) {
    count(std::string_view(message.content));
    for (const AssistantToolCall& call : message.tool_calls) {
        count(std::string_view(call.function.name));
        count(std::string_view(dump(call.function.arguments)));
    }
    if (message.reasoning_content) count(std::string_view(*message.reasoning_content));
    if (!message.extra.empty()) count(std::string_view(dump(message.extra)));
}

ACTA_INLINE PromptCount count_message(const ChatMessage& message, const AnyTokenCounter& count_tokens) {
    PromptCount out;
    for_each_text(message, [&](std::string_view text) {
        out.characters += utf8::count_code_points(text);
        out.tokens += text.empty() ? 0 : count_tokens(text);
    });
    for (const ContentPart& part : message.parts) {
        if (part.type != "text") out.tokens += tokens_of_binary;
    }
    return out;
}

ACTA_INLINE PromptCount count_messages(const std::vector<ChatMessage>& messages, const AnyTokenCounter& count_tokens) {
    PromptCount out;
    for (const ChatMessage& message : messages) {
        const PromptCount one = count_message(message, count_tokens);
        out.characters += one.characters;
        out.tokens += one.tokens;
    }
    return out;
}

ACTA_INLINE void limit_texts(Json& value, const OutputLimit& limit, const Omission& omission) {
    if (auto* const text = value.get_ptr<std::string*>()) {
        limit_text(*text, limit, omission);
    } else if (value.is_structured()) {
        for (Json& one : value) limit_texts(one, limit, omission);
    }
}
ACTA_INLINE void limit_arguments(ChatMessage& message, const OutputLimit& limit, const Omission& omission) {
    for (AssistantToolCall& call : message.tool_calls) {
        for (auto& [name, argument] : call.function.arguments) limit_texts(argument, limit, omission);
    }
}

ACTA_INLINE void limit_messages(std::vector<ChatMessage>& step, const OutputLimit& limit, const Omission& omission) {
    for (ChatMessage& message : step) {
        limit_arguments(message, limit, omission);
        if (message.role != ChatRole::tool) continue;
        bool changed = false;
        for (ContentPart& part : message.parts)
            changed = (part.type == "text" && limit_text(part.text, limit, omission)) || changed;
        if (message.parts.empty())
            limit_text(message.content, limit, omission);
        else if (changed)
            message.content = parts_text(message.parts);
    }
}

/// Truncates the texts in arguments, all to the same length, until the calls take at most `budget` tokens.
ACTA_INLINE void fit_arguments(ChatMessage& message, std::size_t budget, const Omission& omission) {
    const auto tokens = [&omission](const ChatMessage& one) {
        std::size_t out = 0;
        for (const AssistantToolCall& call : one.tool_calls)
            out += omission.count_tokens(dump(call.function.arguments));
        return out;
    };
    if (message.tool_calls.empty() || tokens(message) <= budget) return;
    constexpr std::size_t longest = 1U << 16U;
    constexpr std::size_t shortest = 16;
    PromptReport unused;
    OutputLimit limit{longest};
    ChatMessage trial;
    for (;; limit.characters /= 2) {
        trial.tool_calls = message.tool_calls;
        limit_arguments(trial, limit, {omission.count_tokens, unused});
        if (limit.characters <= shortest || tokens(trial) <= budget) break;
    }
    limit_arguments(message, limit, omission);
}

ACTA_INLINE void fit_message(ChatMessage& message, std::size_t budget, const Omission& omission) {
    const auto tokens = [&] { return count_message(message, omission.count_tokens).tokens; };
    if (tokens() <= budget) return;
    message.parts.clear();
    fit_arguments(message, budget / 2, omission);
    if (message.reasoning_content)
        fit_text(*message.reasoning_content, omission.count_tokens(*message.reasoning_content), budget / 4, omission);
    if (!message.content.empty()) {
        const std::size_t content = omission.count_tokens(message.content);
        const std::size_t others = tokens() - content;
        fit_text(message.content, content, budget - std::min(budget, others), omission);
    }
    // An API may refuse an answer without text.
    if (message.content.empty() && message.role == ChatRole::tool) message.content = "(left out)";
}

ACTA_INLINE void fit_messages(std::vector<ChatMessage>& step, std::size_t budget, const Omission& omission) {
    std::size_t left = budget;
    for (std::size_t k = 0; k < step.size(); ++k) {
        const std::size_t count = step.size() - k;
        fit_message(step[k], k == 0 && count > 1 ? left / 2 : left / count, omission);
        left -= std::min(left, count_message(step[k], omission.count_tokens).tokens);
    }
}

// Where messages of the conversation are between the history.

/// In their order before and after the same step.
enum class PieceKind { instruction, hidden, message, step, rolling_summary };

/// The place of a piece in a prompt.
struct PiecePlace {
    std::size_t step = 0;  ///< Of a message the one that it precedes.
    PieceKind kind = PieceKind::step;
    std::size_t message = 0;  ///< Its index in the conversation.

    friend auto operator<=>(const PiecePlace&, const PiecePlace&) = default;
};

/// A step, a message or a note as it is shown: a line, or messages.
struct PieceContent {
    std::string text{};
    std::vector<ChatMessage> messages{};
    PromptCount count{};
    std::uint64_t number = 0;  ///< Of a series, if it keeps the content: no other one has it.

    [[nodiscard]] bool is_empty() const noexcept {
        if (messages.empty()) return text.empty();
        const ChatMessage& first = messages.front();
        return first.content.empty() && first.parts.empty() && first.tool_calls.empty();
    }
};

/// Such a content at its place in a prompt.
struct PromptPiece {
    PiecePlace place{};
    const PieceContent* content = nullptr;

    [[nodiscard]] std::size_t tokens() const noexcept { return content->count.tokens; }
    [[nodiscard]] PieceKind kind() const noexcept { return place.kind; }
    [[nodiscard]] bool is_said() const noexcept {
        return place.kind == PieceKind::instruction || place.kind == PieceKind::message;
    }
};

/// A number of steps and messages from the beginning.
struct ItemsBefore {
    std::size_t steps = 0;
    std::size_t said = 0;

    [[nodiscard]] std::size_t position() const noexcept { return steps + said; }
};

/// Steps and messages as one sequence.
class SaidOrder {
public:
    explicit SaidOrder(std::span<const ConversationMessage> said) : said_(said) {
        const auto role = [&](std::size_t m) { return said_[m].message.role; };
        while (instructions_ < said_.size() && role(instructions_) == ChatRole::system) ++instructions_;
        // The newest turn begins with the user's first message since an answer that something followed.
        std::size_t m = said_.size();
        while (m > instructions_ && role(m - 1) == ChatRole::assistant) --m;
        for (; m > instructions_ && role(m - 1) != ChatRole::assistant; --m) {
            if (role(m - 1) == ChatRole::user) turn_ = m - 1;
        }
        end_turn_ = turn_;
        while (end_turn_ < said_.size() && role(end_turn_) == ChatRole::user &&
               said_[end_turn_].before == said_[turn_].before)
            ++end_turn_;
    }

    /// Returns the messages that are always shown: instructions at the beginning, and those that began the newest turn.
    [[nodiscard]] std::vector<std::size_t> pinned() const {
        std::vector<std::size_t> out;
        for (std::size_t m = 0; m < instructions_; ++m) out.push_back(m);
        for (std::size_t m = turn_; m < end_turn_; ++m) out.push_back(m);
        return out;
    }
    [[nodiscard]] PiecePlace place(std::size_t m) const {
        return {said_[m].before, m < instructions_ ? PieceKind::instruction : PieceKind::message, m};
    }
    [[nodiscard]] bool is_pinned(std::size_t m) const noexcept {
        return m < instructions_ || (m >= turn_ && m < end_turn_);
    }
    /// Drops messages that are always shown from the end of the items.
    void skip_pinned(ItemsBefore& items) const noexcept {
        while (is_next(items) && is_pinned(items.said - 1)) --items.said;
    }
    /// Returns whether the last of the items is a message.
    [[nodiscard]] bool is_next(const ItemsBefore& items) const noexcept {
        return items.said > 0 && said_[items.said - 1].before >= items.steps;
    }
    /// Skips the steps after the last of the messages.
    void skip_steps(ItemsBefore& items) const noexcept {
        items.steps = std::min(items.steps, said_[items.said - 1].before);
    }
    [[nodiscard]] std::size_t position(const PiecePlace& place) const noexcept {
        if (place.kind == PieceKind::message) return place.step + place.message;
        const auto behind = std::ranges::upper_bound(said_, place.step, {}, &ConversationMessage::before);
        return place.step + static_cast<std::size_t>(behind - said_.begin());
    }
    /// Returns how many steps are among the first `position` items. Logarithmic.
    [[nodiscard]] std::size_t steps_before(std::size_t position) const noexcept {
        std::size_t low = 0;
        std::size_t high = said_.size();
        while (low < high) {  // the first message that is not among them
            const std::size_t middle = low + (high - low) / 2;
            if (said_[middle].before + middle < position)
                low = middle + 1;
            else
                high = middle;
        }
        return position - low;
    }

private:
    std::span<const ConversationMessage> said_;
    std::size_t instructions_ = 0;
    std::size_t turn_ = no_limit;
    std::size_t end_turn_ = no_limit;
};

// The steps of a history as the lines and messages of a prompt.

/// The outcome of a step, with long texts truncated. Copies only truncated texts.
class ShownResults {
public:
    ShownResults(const StepView& step, const OutputLimit* limit, const Omission& omission)
        : result_(step.result), results_(step.results) {
        if (limit == nullptr) return;
        if (!step.results.empty())
            truncate_calls(*limit, omission);
        else if (*step.result)
            truncate_result(*limit, omission);
    }
    ShownResults(const ShownResults&) = delete;
    ShownResults& operator=(const ShownResults&) = delete;
    ~ShownResults() = default;

    [[nodiscard]] const std::optional<ActionResult>& result() const { return *result_; }
    [[nodiscard]] std::span<const ToolResult> calls() const { return results_; }

private:
    void truncate_result(const OutputLimit& limit, const Omission& omission) {
        std::optional<ActionResult> shorter = limited_result(**result_, limit, omission);
        if (!shorter) return;
        own_result_.emplace(std::move(*shorter));
        result_ = &own_result_;
    }
    void truncate_calls(const OutputLimit& limit, const Omission& omission) {
        for (std::size_t i = 0; i < results_.size(); ++i) {
            std::optional<ActionResult> shorter = limited_result(results_[i].result, limit, omission);
            if (!shorter) continue;
            if (own_results_.empty()) {
                for (const ToolResult& one : results_) own_results_.push_back(one);
            }
            own_results_[i].result = std::move(*shorter);
        }
        if (!own_results_.empty()) results_ = own_results_;
    }

    const std::optional<ActionResult>* result_;
    std::span<const ToolResult> results_;
    std::optional<ActionResult> own_result_{};
    std::vector<ToolResult> own_results_{};
};

/// `* Step 3: <the step in full, indented by 2>`.
ACTA_INLINE std::string full_line(const HistoryView& history, std::size_t i, const OutputLimit* limit,
                                  const Omission& omission) {
    const StepView step = history.step(i);
    const ShownResults shown(step, limit, omission);
    const std::string text =
        indent_text(format_step(step.calls, history.thoughts(i), shown.result(), shown.calls(), true), 2);
    std::string line = "* Step " + std::to_string(i + 1) + ": ";
    return line.append(ascii::trim(text));
}

/// As `full_line`, or with the summary if the step has one.
ACTA_INLINE std::string older_line(const HistoryView& history, std::size_t i, const OutputLimit* limit,
                                   const Omission& omission) {
    const std::string* const summary = history.step(i).summary;
    if (summary == nullptr) return full_line(history, i, limit, omission);
    return "* Step " + std::to_string(i + 1) + ": " + indent_text(contained(*summary), 2).substr(2);
}

/// `* User: <what was said, indented by 2>`.
ACTA_INLINE std::string said_line(const ChatMessage& said) {
    std::string line = said.role == ChatRole::system ? "* System: "
                       : said.role == ChatRole::user ? "* User: "
                                                     : "* Assistant: ";
    return line.append(ascii::trim(indent_text(contained(hide_binary(said.content)), 2)));
}

// The words of the messages are the reference's (AutoGPT's ActionHistoryComponent), which returns results as user
// messages to models without native tool calls. A fence inside a fence is escaped, as in `to_string`.

/// Returns the model's words, with its calls if its own message does not show them.
ACTA_INLINE std::string assistant_text(const HistoryView& history, std::size_t i) {
    const StepView step = history.step(i);
    const AssistantChatMessage* const raw = step.raw_message;
    const bool has_words = raw != nullptr && !raw->content.empty();
    std::string out = hide_binary(has_words ? raw->content : history.thoughts(i));
    if (has_words && (!raw->tool_calls || raw->tool_calls->empty())) return out;
    const char* separator = out.empty() ? "" : "\n\n";
    for (const AssistantFunctionCall& call : step.calls) {
        if (call.name.empty()) continue;
        out += separator;
        append_shown_call(out, unicode::one_line(call.name), call.arguments);
        separator = "\n";
    }
    return out;
}

ACTA_INLINE std::string quoted_output(const std::string& text) {
    const bool fence = text.find('`') != std::string::npos || unicode::next_line(text) != std::string::npos;
    return fence ? fenced(text) : "`" + text + "`";
}

/// `tool` is empty if the model only said something; then there may be nothing to answer.
ACTA_INLINE std::string result_text(const std::string& tool, const ActionResult& result) {
    if (const auto* const success = std::get_if<ActionSuccessResult>(&result); success != nullptr && tool.empty())
        return success->outputs.is_null() ? std::string() : shown_text(success->outputs);
    if (const auto* const success = std::get_if<ActionSuccessResult>(&result))
        return tool + " returned: " + quoted_output(shown_text(success->outputs));
    if (const auto* const error = std::get_if<ActionErrorResult>(&result)) {
        std::string out = (tool.empty() ? tool : tool + " ") + "raised an error";
        if (const auto shortened = action_extension::shortened(*error))
            out += " (" + unicode::one_line(action_extension::kind_of(*shortened)) + ")";
        return out + ": " + fenced(hide_binary(error->reason));
    }
    return hide_binary(std::get<ActionInterruptedByHuman>(result).feedback);
}

/// Returns the outcome of step `i`, for the model; empty while it is open.
ACTA_INLINE std::string answer_text(const HistoryView& history, std::size_t i, const ShownResults& shown) {
    const StepView step = history.step(i);
    if (shown.calls().empty()) {
        if (!shown.result()) return {};
        return result_text(step.calls.empty() ? std::string() : unicode::one_line(step.calls.front().name),
                           *shown.result());
    }
    // A step that is still open may have only some of its results.
    const std::vector<std::string> ids = history.call_ids(i);
    auto next = ids.begin();  // results are in the order of the calls
    std::string out;
    for (const ToolResult& one : shown.calls()) {
        auto found = std::find(next, ids.end(), one.tool_call_id);
        if (found == ids.end()) found = std::find(ids.begin(), next, one.tool_call_id);
        const bool known = found != ids.end() && *found == one.tool_call_id;
        const auto at = static_cast<std::size_t>(found - ids.begin());
        if (known) next = found + 1;
        std::string name = unicode::one_line(one.tool_call_id);
        if (known)
            name = unicode::one_line(step.calls[at].name) + " (" + std::to_string(at + 1) + " of " +
                   std::to_string(ids.size()) + ")";
        if (!out.empty()) out += "\n\n";
        // Beside the results of other calls, words of several lines are in a fence, like reasons and outputs.
        const auto* const feedback = std::get_if<ActionInterruptedByHuman>(&one.result);
        if (feedback != nullptr && unicode::next_line(feedback->feedback) != std::string::npos)
            out += name + " was interrupted: " + fenced(hide_binary(feedback->feedback));
        else
            out += result_text(name, one.result);
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI::prompt_detail
