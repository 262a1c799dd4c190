// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/base/unicode.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/chat/message.hpp"
#include "acta/prompt/prompt.hpp"

// Truncating texts that do not fit into a prompt, with a note that says how much was omitted.
namespace acta::inline ACTA_ABI::prompt_detail {

/// Returns where the first `count` characters end.
inline std::size_t end_of_head(std::string_view text, std::size_t count) noexcept {
    std::size_t i = 0;
    for (; i < text.size(); ++i) {
        if (utf8::is_continuation(text[i])) continue;
        if (count == 0) break;
        --count;
    }
    return i;
}

/// Returns where the last `count` characters begin.
inline std::size_t begin_of_tail(std::string_view text, std::size_t count) noexcept {
    std::size_t i = text.size();
    while (count > 0 && i > 0) {
        if (!utf8::is_continuation(text[--i])) --count;
    }
    return i;
}

struct TruncatedText {
    std::string text{};
    std::string_view left_out{};  // a view into the original text
};

/// Returns `text` with all but its first `head` and last `tail` characters replaced by a note; nothing if it is no
/// longer than that, or if the note would be longer than the text it replaces.
inline std::optional<TruncatedText> truncate(std::string_view text, std::size_t head, std::size_t tail) {
    if (text.size() <= head || text.size() - head <= tail) return std::nullopt;
    const std::size_t from = end_of_head(text, head);
    const std::size_t to = begin_of_tail(text, tail);
    if (to <= from) return std::nullopt;
    TruncatedText out;
    out.left_out = text.substr(from, to - from);
    std::string note = "... (" + std::to_string(utf8::count_code_points(out.left_out)) + " characters left out)";
    if (tail != 0) note += " ...";
    if (out.left_out.size() <= note.size()) return std::nullopt;
    out.text.append(text.substr(0, from)).append(note).append(text.substr(to));
    return out;
}

/// Counts the content omitted from a prompt while it is built.
struct Omission {
    const AnyTokenCounter& count_tokens;
    PromptReport& report;

    void note_cut(std::string_view left_out) const {
        ++report.cut_texts;
        report.omitted.characters += utf8::count_code_points(left_out);
        report.omitted.tokens += count_tokens(left_out);
    }
};

/// Truncates `text` in place to an `OutputLimit`.
inline bool limit_text(std::string& text, const OutputLimit& limit, const Omission& omission) {
    const std::size_t tail = std::min(limit.tail, limit.characters);
    std::optional<TruncatedText> cut = truncate(text, limit.characters - tail, tail);
    if (!cut) return false;
    omission.note_cut(cut->left_out);  // a view into `text`, which changes next
    text = std::move(cut->text);
    return true;
}

/// Returns the result with its texts truncated; nothing if they are short enough. A person's words are never truncated.
inline std::optional<ActionResult> limited_result(const ActionResult& result, const OutputLimit& limit,
                                                  const Omission& omission) {
    if (const auto* const success = std::get_if<ActionSuccessResult>(&result)) {
        if (const auto* const text = success->outputs.get_ptr<const std::string*>()) {
            if (text->size() <= limit.characters) return std::nullopt;
        }
        std::string text = shown_text(success->outputs);
        if (!limit_text(text, limit, omission)) return std::nullopt;
        ActionSuccessResult truncated;
        truncated.outputs = std::move(text);
        return ActionResult(std::in_place_type<ActionSuccessResult>, std::move(truncated));
    }
    if (const auto* const error = std::get_if<ActionErrorResult>(&result)) {
        ActionErrorResult truncated{hide_binary(error->reason), error->error};
        bool changed = limit_text(truncated.reason, limit, omission);
        if (auto shortened = changed ? action_extension::shortened(*error) : std::nullopt) {
            truncated.error = action_extension::lengthened(truncated.reason, *std::move(shortened));
        } else if (truncated.error) {
            truncated.error->repr = hide_binary(std::move(truncated.error->repr));
            changed = limit_text(truncated.error->repr, limit, omission) || changed;
        }
        // Not by a conversion, which would ask whether an error is JSON; json.hpp may declare that later.
        if (changed) return ActionResult(std::in_place_type<ActionErrorResult>, std::move(truncated));
    }
    return std::nullopt;
}

/// Truncates `text`, which has `tokens` tokens, to at most `max_tokens`: two thirds from its beginning, the rest from
/// its end. Returns the tokens it has afterwards; 0, with an empty text, if not even the note fits. Depends only on its
/// arguments, so that the same step is truncated alike in every prompt.
inline std::size_t fit_text(std::string& text, std::size_t tokens, std::size_t max_tokens, const Omission& omission) {
    if (tokens <= max_tokens) return tokens;
    const double density = static_cast<double>(utf8::count_code_points(text)) / static_cast<double>(tokens);
    double wanted = density * static_cast<double>(max_tokens);
    constexpr double shortest = 12;
    for (; wanted >= shortest; wanted *= 0.8) {
        const auto characters = static_cast<std::size_t>(wanted);
        const std::size_t tail = characters / 3;
        std::optional<TruncatedText> cut = truncate(text, characters - tail, tail);
        if (!cut) continue;
        const std::size_t left = omission.count_tokens(cut->text);
        if (left > max_tokens) continue;
        omission.note_cut(cut->left_out);
        text = std::move(cut->text);
        return left;
    }
    text.clear();
    return 0;
}

// The result of a call as the text that a model reads, made so that it can be read back: OpenAI's tool messages have
// only text, without a flag for errors. docs/reference/prompt.md, "A history as messages", lists the forms.

/// The content of an answer to a call.
struct ReadAnswer {
    enum class Kind {
        result,     ///< The call's own result.
        nothing,    ///< There is none.
        elsewhere,  ///< Another call of the step has the result of all.
        whole       ///< The result of all calls of the step.
    };
    Kind kind = Kind::result;
    ActionResult result{};
    bool feedback_follows = false;
};

/// Reads the output of `result_message`, and any other text as the output, or as the reason if it is an error. JSON is
/// read as a value if it is written as acta would write that value, so that every text comes back unchanged. Parts
/// become a list of outputs, unless they are one text.
[[nodiscard]] ReadAnswer read_answer(const ChatMessage& tool);

/// Returns whether a result's feedback is the user's next message.
[[nodiscard]] bool feedback_follows(const ActionResult& result);

/// Returns the answer to the call with this id. Outputs that are content parts in the form of any API, or the result of
/// an MCP tool with an image or a recording, become parts; other binary content is a placeholder. Throws `EncodeError`
/// if outputs are not UTF-8.
[[nodiscard]] ChatMessage result_message(std::string id, const ActionResult& result);
/// Returns the answer to a call whose own result is not known: `whole` is the result of all calls of the step, null if
/// it is open. Only the first such answer contains the result.
[[nodiscard]] ChatMessage whole_result_message(std::string id, const ActionResult* whole, bool first);

// A step as messages for models with native tool calls: the assistant's, and the answer to each of its calls.

/// Returns the messages of step `i` in full. Each call is answered exactly once, whether or not its result is known;
/// feedback of an interruption is a user message. A step that calls nothing consists of its words, with its result as a
/// user message. Throws `EncodeError` if outputs are not UTF-8.
[[nodiscard]] std::vector<ChatMessage> native_step(const HistoryView& history, std::size_t i);

/// Makes repeated ids distinct.
class CallIds {
public:
    /// Renames calls and answers of a step alike. Logarithmic in the number of ids.
    void make_unique(std::vector<ChatMessage>& step);
    /// Adds the ids of a message that has been made unique.
    void add(const ChatMessage& message);

private:
    [[nodiscard]] std::string next(const std::string& wanted);

    std::set<std::string, std::less<>> used_{};
    std::map<std::string, std::size_t, std::less<>> repeats_{};
};

/// Messages count by all of their texts; a part that is not text counts as `tokens_of_binary`.
inline constexpr std::size_t tokens_of_binary = 1000;
[[nodiscard]] PromptCount count_message(const ChatMessage& message, const AnyTokenCounter& count_tokens);
[[nodiscard]] PromptCount count_messages(const std::vector<ChatMessage>& messages, const AnyTokenCounter& count_tokens);

/// Truncates outputs and the texts in arguments to a limit.
void limit_messages(std::vector<ChatMessage>& step, const OutputLimit& limit, const Omission& omission);

/// Truncates a message to at most `budget` tokens; names of calls and the data that a provider wants back stay.
void fit_message(ChatMessage& message, std::size_t budget, const Omission& omission);
/// The same for the messages of a step: the first may take half of the budget, the answers share the rest.
void fit_messages(std::vector<ChatMessage>& step, std::size_t budget, const Omission& omission);

}  // namespace acta::inline ACTA_ABI::prompt_detail
