// SPDX-License-Identifier: MIT
#pragma once

// The questions that the agent can answer, each with its plan.

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plan.hpp"
#include "records.hpp"

namespace explore {

namespace detail {

inline std::string first_line(const std::string& text) {
    const std::size_t begin = text.find_first_not_of("# \t\r\n");
    return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

inline std::string counted(std::int64_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Reads the beginning of a file; false where that is what has to be done now.
inline bool look_at(Plan& plan, const std::string& path, const std::string& thoughts) {
    return plan.step(thoughts, {"read_file", {{"path", path}, {"lines", 5}}}) != nullptr;
}

/// A name without a suffix is a file or a folder: one has to try. After the first folder it is folders that are
/// expected.
inline bool look_at_names(Plan& plan, const Listing& listing) {
    constexpr int most = 4;
    bool folders = false;
    int looked = 0;
    for (const std::string& name : listing.names) {
        if (name.find('.') != std::string::npos || looked++ == most) continue;
        if (!folders) {
            const auto* read = plan.step("'" + name + "' has no suffix: a text, or a folder? I try to read it.",
                                         {"read_file", {{"path", name}, {"lines", 5}}});
            if (read == nullptr) return false;
            if (!failed_with(*read, "IsAFolder")) continue;
            folders = true;
        }
        if (plan.step("'" + name + "' is probably a folder.", {"list_files", {{"folder", name}}}) == nullptr)
            return false;
    }
    return true;
}

/// One file of each kind that tells nothing by its name, the rarest kinds first.
inline bool look_at_strange_kinds(Plan& plan, const SizeReport& sizes) {
    constexpr std::string_view known =
        " .build .c .cc .cfg .cmake .conf .cpp .cppm .css .csv .cxx .go .h .hh .hpp .html .in .ini .ixx .java .js "
        ".json "
        ".jsonl .lock .log .md .mjs .py .rs .rst .sh .sql .svg .toml .ts .tsv .txt .xml .yaml .yml ";
    constexpr int most = 3;
    std::vector<FileKind> kinds = sizes.kinds;
    std::ranges::stable_sort(kinds, {}, &FileKind::files);
    int looked = 0;
    for (const FileKind& kind : kinds) {
        if (kind.kind.empty() || known.find(" " + kind.kind + " ") != known.npos || looked++ == most) continue;
        if (!look_at(plan, kind.largest, "'" + kind.kind + "' is a kind that I do not know; I look into one."))
            return false;
    }
    return true;
}

inline std::string overview_text(const std::optional<SizeReport>& sizes, const std::optional<LineCount>& lines,
                                 const std::optional<Listing>& listing, const std::string& readme) {
    std::string out;
    if (sizes) out += counted(sizes->files, "file") + " with " + counted(sizes->bytes, "byte") + ".";
    if (lines) out += " " + counted(lines->files, "text") + " with " + counted(lines->lines, "line") + ".";
    if (sizes && !sizes->kinds.empty()) {
        const FileKind& most = sizes->kinds.front();
        out += " Most frequent: " + (most.kind.empty() ? "no suffix" : "'" + most.kind + "'") + " (" +
               counted(most.files, "file") + ").";
    }
    if (listing && !listing->names.empty()) {
        out += " At the top:";
        for (const std::string& name : listing->names) out += " " + name;
        out += ".";
    }
    if (!readme.empty()) out += " The README begins: " + readme;
    return out;
}

}  // namespace detail

inline void what_is_in_here(Plan& plan) {
    const auto* readme =
        plan.step("A README says what a folder is for.", {"read_file", {{"path", "README.md"}, {"lines", 5}}});
    if (readme == nullptr) return;
    const auto* names = plan.step("What lies at the top?", {"list_files", {{"folder", "."}}});
    if (names == nullptr) return;
    const auto listing = outputs<Listing>(*names);
    if (listing && !detail::look_at_names(plan, *listing)) return;
    const auto* sized = plan.step("Which kinds of file are there?", {"file_sizes", {{"folder", "."}}});
    if (sized == nullptr) return;
    const auto sizes = outputs<SizeReport>(*sized);
    if (sizes && !detail::look_at_strange_kinds(plan, *sizes)) return;
    const auto* counted = plan.step("How much is there to read?", {"count_lines", {{"path", "."}}});
    if (counted == nullptr) return;
    plan.answer(detail::overview_text(sizes, outputs<LineCount>(*counted), listing,
                                      detail::first_line(outputs<std::string>(*readme).value_or(""))));
}

inline void what_is_largest(Plan& plan) {
    const auto* sized = plan.step("I ask for sizes.", {"file_sizes", {{"folder", "."}}});
    if (sized == nullptr) return;
    const auto sizes = outputs<SizeReport>(*sized);
    if (!sizes) return plan.answer("I do not know the sizes.");
    std::string text;
    for (const SizedFile& file : sizes->largest) {
        const auto* counted =
            plan.step("It is large; is it text, and how long?", {"count_lines", {{"path", file.path}}});
        if (counted == nullptr) return;
        const auto lines = outputs<LineCount>(*counted);
        text += "\n  " + file.path + ": " + detail::counted(file.bytes, "byte");
        if (lines) text += ", " + detail::counted(lines->lines, "line");
        if (failed_with(*counted, "NotText")) text += ", no text";
    }
    plan.answer(text.empty() ? "There are no files." : "By size:" + text);
}

namespace detail {

/// How a definition begins in the languages of some kinds of file; the first kind is that of a file named after it.
struct Language {
    std::vector<std::string> kinds;
    std::vector<std::string> words;
};

/// The language of the most frequent kind that has one, and only those of its kinds that were seen.
inline Language language_of(const SizeReport& sizes) {
    const Language languages[] = {
        {{".cpp", ".hpp", ".h", ".cc", ".cxx", ".hh", ".c"}, {"class", "struct", "int", "void", "enum class", "using"}},
        {{".py"}, {"def", "class"}},
        {{".rs"}, {"fn", "struct", "enum", "trait"}},
        {{".go"}, {"func", "type"}},
        {{".js", ".mjs", ".ts"}, {"function", "class", "const"}},
        {{".java"}, {"class", "interface", "enum", "void"}}};
    const auto seen = [&sizes](const std::string& kind) {
        return std::ranges::count(sizes.kinds, kind, &FileKind::kind) != 0;
    };
    for (const FileKind& kind : sizes.kinds) {
        for (Language language : languages) {
            if (std::ranges::count(language.kinds, kind.kind) == 0) continue;
            std::erase_if(language.kinds, std::not_fn(seen));
            return language;
        }
    }
    return {{}, {"class", "struct", "def", "function"}};
}

/// The call that looks for these words.
inline acta::AssistantFunctionCall search_call(const std::string& words, const std::vector<std::string>& kinds) {
    acta::AssistantFunctionCall call{"search_text", {{"text", words}, {"whole_words", true}}};
    if (!kinds.empty()) call.arguments["kinds"] = kinds;
    return call;
}

/// The first match that is more than an announcement, else the first.
inline const TextMatch& best_match(const std::vector<TextMatch>& matches) {
    const auto found = std::ranges::find_if(matches, [](const TextMatch& match) { return !match.text.ends_with(';'); });
    return found == matches.end() ? matches.front() : *found;
}

}  // namespace detail

inline void where_is(Plan& plan, const std::string& name) {
    const auto* sized = plan.step("The kinds of file tell the language.", {"file_sizes", {{"folder", "."}}});
    if (sized == nullptr) return;
    const detail::Language language = detail::language_of(outputs<SizeReport>(*sized).value_or(SizeReport{}));
    const std::string guess = name + (language.kinds.empty() ? ".txt" : language.kinds.front());
    const auto* read = plan.step("Perhaps it has a file of its own.", {"read_file", {{"path", guess}, {"lines", 5}}});
    if (read == nullptr) return;
    for (const std::string& word : language.words) {
        const std::string wanted = word + " " + name;
        const auto* found =
            plan.step("A definition may begin with '" + wanted + "'.", detail::search_call(wanted, language.kinds));
        if (found == nullptr) return;
        const auto matches = outputs<TextMatches>(*found);
        if (!matches || matches->matches.empty()) continue;
        const TextMatch& best = detail::best_match(matches->matches);
        const auto* shown = plan.step("That looks like it; I read on from there.",
                                      {"read_file", {{"path", best.path}, {"first_line", best.line}, {"lines", 5}}});
        if (shown == nullptr) return;
        const auto others = static_cast<std::int64_t>(matches->matches.size()) - 1 + matches->more;
        return plan.answer("In " + best.path + ", line " + std::to_string(best.line) + ": " + best.text +
                           (others > 0 ? " (and " + detail::counted(others, "other place") + ")" : ""));
    }
    plan.answer("I found no definition of " + name + ".");
}

/// A question, and the plan that answers it.
struct Question {
    std::string text{};
    std::function<void(Plan&)> plan{};
};

/// The question that `text` asks, or nothing where no plan answers it.
inline std::optional<Question> find_question(const std::string& text) {
    constexpr std::string_view where = "where is ", defined = " defined";
    const std::string_view asked = text.ends_with('?') ? std::string_view(text).substr(0, text.size() - 1) : text;
    if (asked == "what is in here") return Question{text, what_is_in_here};
    if (asked == "what are the largest files") return Question{text, what_is_largest};
    if (asked.size() <= where.size() + defined.size() || !asked.starts_with(where) || !asked.ends_with(defined))
        return {};
    const std::string name(asked.substr(where.size(), asked.size() - where.size() - defined.size()));
    if (name.find_first_of(" \t\n/\\") != std::string::npos) return {};
    return Question{text, [name](Plan& plan) { where_is(plan, name); }};
}

}  // namespace explore
