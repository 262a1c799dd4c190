// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "acta/action/result.hpp"
#include "acta/base/utf8.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/prompt/options.hpp"

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
        if (truncated.error) {
            truncated.error->repr = hide_binary(std::move(truncated.error->repr));
            changed = limit_text(truncated.error->repr, limit, omission) || changed;
        }
        // Not by a conversion, which would ask whether an error is JSON; nlohmann.hpp may declare that later.
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

}  // namespace acta::inline ACTA_ABI::prompt_detail
