// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "acta/action/action.hpp"
#include "acta/base/unicode.hpp"
#include "acta/compress/compress.hpp"
#include "acta/observe/observer.hpp"
#include "acta/pysyntax/repr.hpp"

// How a text is prepared for a summary.
namespace acta::inline ACTA_ABI::compress_detail {

inline constexpr std::string_view ellipsis = "\xE2\x80\xA6";

/// Whether a text has several lines: whether a line feed, a carriage return, U+0085, U+2028 or U+2029 is in it.
[[nodiscard]] inline bool has_line_break(std::string_view text) noexcept {
    return text.find_first_of("\n\r") != std::string_view::npos || text.find("\xC2\x85") != std::string_view::npos ||
           text.find("\xE2\x80\xA8") != std::string_view::npos || text.find("\xE2\x80\xA9") != std::string_view::npos;
}

/// The end of the terminal control sequence that starts at `at` (ECMA-48 5.4, `ESC [ … final`), or `at` if there is
/// none.
[[nodiscard]] constexpr std::size_t control_sequence_end(std::string_view text, std::size_t at) noexcept {
    if (text[at] != '\x1B' || at + 1 >= text.size() || text[at + 1] != '[') return at;
    std::size_t i = at + 2;
    while (i < text.size() && text[i] >= 0x20 && text[i] < 0x40) ++i;
    return i < text.size() && text[i] >= 0x40 && text[i] < 0x7F ? i + 1 : at;
}

/// The text in one printable line: each run of white space and control characters becomes one blank, none at the ends;
/// terminal colours are removed, and invalid UTF-8 becomes U+FFFD.
[[nodiscard]] inline std::string one_line(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    bool blank = false;
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t end = control_sequence_end(text, at); end != at) {
            at = end;
            continue;
        }
        const unicode::Char c = unicode::char_at(text, at);
        if (c.cls == unicode::CharClass::space || c.code < 0x20 || (c.code >= 0x7F && c.code < 0xA0)) {
            blank = true;
        } else {
            if (blank && !out.empty()) out += ' ';
            blank = false;
            utf8::append(out, c.code);
        }
        at += c.length;
    }
    return out;
}

/// At most `max_bytes` bytes of a text, then an ellipsis; cut between words if that costs little, and never inside a
/// UTF-8 sequence.
[[nodiscard]] inline std::string shorten(std::string_view text, std::size_t max_bytes) {
    if (text.size() <= max_bytes) return std::string(text);
    std::string_view kept = utf8::prefix(text, max_bytes);
    const std::size_t blank = kept.rfind(' ');
    if (blank != std::string_view::npos && blank >= kept.size() - kept.size() / 3) kept = kept.substr(0, blank);
    return std::string(kept) + std::string(ellipsis);
}

/// Whether a text has a letter or a number.
[[nodiscard]] inline bool has_word(std::string_view text) noexcept {
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t end = control_sequence_end(text, at); end != at) {
            at = end;
            continue;
        }
        const unicode::Char c = unicode::char_at(text, at);
        if (unicode::is_letter(c.cls) || c.cls == unicode::CharClass::number) return true;
        at += c.length;
    }
    return false;
}

/// Passes the values of a step through a redactor, each as it would be printed: a pattern such as `password='...'` must
/// also be found in an argument. A value that changes becomes a text.
class StepRedaction {
public:
    explicit StepRedaction(const Redactor& redactor) : redactor_(redactor) {}

    void apply(SummaryStep& step) const {
        for (AssistantFunctionCall& call : step.calls) {
            text(call.name);
            for (auto& [name, value] : call.arguments) argument(name, value);
        }
        text(step.thoughts);
        if (step.result) result(*step.result);
        for (ToolResult& one : step.tool_results) result(one.result);
    }

private:
    void text(std::string& value) const { value = redactor_(value); }

    void printed(Json& value) const {
        const std::string before = python_str(value);
        if (std::string after = redactor_(before); after != before) value = std::move(after);
    }

    void argument(const std::string& name, Json& value) const {
        printed(value);
        const std::string before = name + "=" + python_repr(value);
        const std::string after = redactor_(before);
        if (after == before) return;
        std::string_view left = after;
        if (left.starts_with(name + "=")) left.remove_prefix(name.size() + 1);
        const bool quoted = left.size() > 1 && (left.front() == '\'' || left.front() == '"') &&
                            left.front() == left.back() && value.is_string();
        value = std::string(quoted ? left.substr(1, left.size() - 2) : left);
    }

    void result(ActionResult& value) const {
        if (auto* const success = std::get_if<ActionSuccessResult>(&value)) {
            printed(success->outputs);
        } else if (auto* const error = std::get_if<ActionErrorResult>(&value)) {
            text(error->reason);
            if (!error->error) return;
            text(error->error->message);
            text(error->error->repr);
            for (Json& arg : error->error->args) printed(arg);
        } else {
            text(std::get<ActionInterruptedByHuman>(value).feedback);
        }
    }

    const Redactor& redactor_;
};

}  // namespace acta::inline ACTA_ABI::compress_detail
