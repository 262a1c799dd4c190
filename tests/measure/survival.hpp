// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "acta/compress/compress.hpp"
#include "acta/text/tokens.hpp"
#include "support/swe_agent.hpp"

// What of a step is still in its summary. What counts as a file name, a number or an error line is said here anew, and
// not asked of the summarizer that is measured.
namespace acta_measure {

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A line break that Python's spelling of an argument escapes is also one here.
inline std::string unescaped(std::string text) {
    for (const std::string_view escape : {"\\n", "\\r", "\\t"}) {
        for (std::size_t at = text.find(escape); at != std::string::npos; at = text.find(escape, at)) {
            text.replace(at, 2, "\n");
        }
    }
    return text;
}

inline std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// White space collapsed, none at the ends.
inline std::string collapsed(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!blank)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

/// The names of files with one of the usual extensions, without their folders.
inline std::set<std::string> file_names(std::string_view text) {
    static const std::set<std::string, std::less<>> extensions = {
        "py",  "rst", "md", "txt", "cfg", "toml", "ini", "yml",  "yaml", "json", "c",    "h",  "cpp",
        "hpp", "js",  "ts", "sh",  "log", "csv",  "pdf", "html", "css",  "xml",  "java", "go", "rs"};
    std::set<std::string> names;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '_' ||
                                     text[end] == '.' || text[end] == '-')) {
            ++end;
        }
        std::string_view word = text.substr(at, end - at);
        while (!word.empty() && word.back() == '.') word.remove_suffix(1);
        const std::size_t dot = word.rfind('.');
        if (dot != std::string_view::npos && dot > 0 && extensions.contains(word.substr(dot + 1))) names.emplace(word);
        at = end + 1;
    }
    return names;
}

/// Numbers that are no part of a word: `7`, `8.2`.
inline std::set<std::string> numbers(std::string_view text) {
    std::set<std::string> found;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '_' ||
                                     (text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1])))) {
            ++end;
        }
        const std::string_view word = text.substr(at, end - at);
        const auto of_number = [](char c) { return is_digit(c) || c == '.'; };
        if (!word.empty() && is_digit(word.front()) && std::all_of(word.begin(), word.end(), of_number)) {
            found.emplace(word);
        }
        at = end + 1;
    }
    return found;
}

/// `1474:        base_unit = …`
inline bool is_listed(std::string_view line) {
    std::size_t at = 0;
    while (at < line.size() && line[at] == ' ') ++at;
    const std::size_t first = at;
    while (at < line.size() && is_digit(line[at])) ++at;
    return at > first && at < line.size() && line[at] == ':';
}

/// The text without the numbers of the lines that a file viewer shows.
inline std::string without_line_numbers(std::string_view text) {
    std::string out;
    for (const std::string& line : lines_of(text)) out += (is_listed(line) ? line.substr(line.find(':')) : line) + "\n";
    return out;
}

/// The lines that speak of an error, the code of listings left out.
inline std::set<std::string> error_lines(std::string_view text) {
    std::set<std::string> found;
    for (const std::string& line : lines_of(text)) {
        std::string lower = line;
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
        const auto has = [&lower](std::string_view word) { return lower.find(word) != std::string::npos; };
        if (!is_listed(line) && (has("error") || has("exception") || has("traceback") || has("failed"))) {
            found.insert(collapsed(line));
        }
    }
    return found;
}

/// How many there were, and how many are left.
struct Share {
    std::size_t all = 0;
    std::size_t kept = 0;

    [[nodiscard]] double percent() const {
        return all == 0 ? 100.0 : 100.0 * static_cast<double>(kept) / static_cast<double>(all);
    }
    void add(const std::set<std::string>& of_step, const std::function<bool(const std::string&)>& is_kept) {
        all += of_step.size();
        kept += static_cast<std::size_t>(std::count_if(of_step.begin(), of_step.end(), is_kept));
    }
};

struct Survival {
    Share files{};
    Share numbers{};      ///< without the line numbers of listings
    Share all_numbers{};  ///< with them
    Share errors{};       ///< whole lines of results
    Share tokens{};       ///< of the steps and of their summaries

    /// Takes the text of a step and its summary.
    void add(const std::string& step, const std::string& summary) {
        const std::string text = unescaped(step);
        const std::string left = unescaped(summary);
        const auto among = [](std::set<std::string> set) {
            return [set = std::move(set)](const std::string& one) { return set.contains(one); };
        };
        files.add(file_names(text), among(file_names(left)));
        numbers.add(acta_measure::numbers(without_line_numbers(text)), among(acta_measure::numbers(left)));
        all_numbers.add(acta_measure::numbers(text), among(acta_measure::numbers(left)));
        const std::string line = collapsed(summary);
        const std::size_t result = step.find("\n- **Status:**");
        errors.add(error_lines(std::string_view(step).substr(std::min(result, step.size()))),
                   [&line](const std::string& error) { return line.find(error) != std::string::npos; });
        const acta::EstimateTokens count;
        tokens.all += count(step);
        tokens.kept += count(summary);
    }
};

/// What survives of all steps of histories.
inline Survival survival(const std::vector<acta::EpisodicActionHistory<>>& histories,
                         const std::function<std::string(const acta::Episode<>&)>& summarize) {
    Survival out;
    for (const auto& history : histories) {
        for (const auto& episode : history.episodes()) out.add(episode.format(), summarize(episode));
    }
    return out;
}

/// The baseline: the first `max_tokens` of a text, in one line.
inline std::string first_tokens(const std::string& text, std::size_t max_tokens) {
    const acta::EstimateTokens count;
    const std::string line = collapsed(text);
    std::size_t low = 0;
    for (std::size_t high = line.size() + 1; low + 1 < high;) {
        const std::size_t middle = low + (high - low) / 2;
        (count(std::string_view(line).substr(0, middle)) <= max_tokens ? low : high) = middle;
    }
    return std::string(acta::utf8::prefix(line, low));
}

}  // namespace acta_measure
