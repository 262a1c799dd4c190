// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/chat/message.hpp"
#include "acta/json/json.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/skill/execute.hpp"
#include "acta/skill/registry.hpp"

// Models without native calls.
namespace acta::inline ACTA_ABI::agent_detail {

/// Returns the description of the tools, and how to call them.
[[nodiscard]] ACTA_INLINE std::string describe_tools(const SkillRegistry& skills) {
    std::string out =
        "You have tools. To use one, write its call in Python's syntax with literal values as keyword arguments, such "
        "as `search(query='tides', limit=3)`, and nothing after it; write calls of several tools as a list. You then "
        "get the results. Once you need no tool, answer in plain text without a call. The tools, with the JSON Schema "
        "of their arguments:";
    for (const ToolDefinition& tool : tools(skills))
        out += "\n\n- `" + tool.name + "`: " + tool.description + "\n  " + dump(tool.parameters);
    return out;
}

/// Finds out which calls in a text are meant to run: those that are alone on their lines, beside other calls, or in a
/// code block. Prose that mentions a call calls nothing.
class CallPlaces {
public:
    explicit CallPlaces(std::string_view text) : text_(text) {
        bool is_fenced = false;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            std::string_view line = text.substr(begin, end - begin);
            line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
            // ```search(q='x')``` on one line is not a code block, and treated like any other line.
            if (line.starts_with("```") && (is_fenced || line.find("```", 3) == std::string_view::npos)) {
                if (is_fenced)
                    blocks_.back().second = begin;
                else
                    blocks_.emplace_back(end, text.size());
                is_fenced = !is_fenced;
            }
            begin = end + 1;
        }
    }

    /// Returns whether nothing but code is before a call at `place`, from `from` or the beginning of its line on.
    [[nodiscard]] bool begins_line(std::size_t place, std::size_t from = 0) const {
        if (is_in_block(place)) return true;
        const std::size_t line = place == 0 ? 0 : text_.rfind('\n', place - 1) + 1;
        std::string_view before = text_.substr(std::max(line, from), place - std::max(line, from));
        for (const std::string_view code : {"functions.", "default_api.", "await ", "print(", "= ", "="}) {
            if (!before.ends_with(code)) continue;
            before.remove_suffix(code.size());
            if (code.starts_with('=')) {  // to a variable
                while (before.ends_with(' ')) before.remove_suffix(1);
                while (!before.empty() && (ascii::is_alnum(before.back()) || before.back() == '_'))
                    before.remove_suffix(1);
            }
        }
        return is_only_marks(before);
    }
    /// Returns whether nothing but marks is behind a call that ends at `place`, until `to` or the end of its line.
    [[nodiscard]] bool ends_line(std::size_t place, std::size_t to) const {
        return is_in_block(place - 1) ||
               is_only_marks(text_.substr(place, std::min(text_.find('\n', place), to) - place));
    }
    /// Returns whether one of these names is called, or seems to be, where it may.
    [[nodiscard]] bool begins_any(const std::vector<std::string>& names) const {
        return std::ranges::any_of(names, [this](const std::string& name) {
            for (std::size_t at = 0; (at = text_.find(name, at)) != std::string_view::npos; at += name.size()) {
                const std::size_t next = text_.find_first_not_of(" \t", at + name.size());
                if (next != std::string_view::npos && text_[next] == '(' && begins_line(at)) return true;
            }
            return false;
        });
    }

private:
    /// Blanks, the marks of lists and code, and tags.
    [[nodiscard]] static bool is_only_marks(std::string_view text) noexcept {
        bool in_tag = false;
        for (const char c : text) {
            if (c == '<') in_tag = true;
            if (!in_tag && std::string_view(" \t\r[](),;.`*-0123456789").find(c) == std::string_view::npos)
                return false;
            if (c == '>') in_tag = false;
        }
        return !in_tag;
    }
    [[nodiscard]] bool is_in_block(std::size_t place) const noexcept {
        return std::ranges::any_of(blocks_,
                                   [place](const auto& one) { return one.first <= place && place < one.second; });
    }

    std::string_view text_;
    std::vector<std::pair<std::size_t, std::size_t>> blocks_{};
};

/// Returns the calls in the text of an answer, with positional arguments bound to parameters. Throws `CallSyntaxError`.
[[nodiscard]] ACTA_INLINE std::vector<AssistantFunctionCall> calls_in_text(const std::string& text,
                                                                           const SkillRegistry& skills) {
    const CallPlaces places(text);
    std::vector<AssistantFunctionCall> out;
    if (!places.begins_any(skills.names())) return out;
    std::vector<ParsedCall> calls = parse_calls(text, skills);
    std::string unmentioned = text;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        ParsedCall& found = calls[i];
        const std::size_t before = i == 0 ? 0 : calls[i - 1].end;
        const std::size_t after = i + 1 == calls.size() ? text.size() : calls[i + 1].begin;
        if (!places.begins_line(found.begin, before) || !places.ends_line(found.end, after)) {
            std::fill_n(unmentioned.begin() + static_cast<std::ptrdiff_t>(found.begin), found.end - found.begin, ' ');
            continue;
        }
        if (!found.positional.empty()) {
            const std::string_view written = std::string_view(text).substr(found.begin, found.end - found.begin);
            if (auto bound = parse_arguments(skills.at(found.call.name), written))
                found.call.arguments = *std::move(bound);
        }
        out.push_back(std::move(found.call));
    }
    // Beside calls that are only mentioned, one that is meant may be unreadable: that is an error.
    if (out.empty() && !calls.empty() && CallPlaces(unmentioned).begins_any(skills.names()))
        static_cast<void>(parse_calls(unmentioned, skills));
    return out;
}

}  // namespace acta::inline ACTA_ABI::agent_detail
