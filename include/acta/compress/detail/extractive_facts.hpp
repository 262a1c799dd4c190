// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/base/unicode.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/compress/compress.hpp"
#include "acta/compress/detail/summary_text.hpp"
#include "acta/pysyntax/repr.hpp"

// What `ExtractiveSummarizer` judges a text by: its words, and whether it reports an error. All linear, and the same on
// every machine.
namespace acta::inline ACTA_ABI::compress_detail {

/// Scripts written without blanks between words: Han, kana and their neighbours (U+2E80 to U+9FFF, and beyond).
[[nodiscard]] constexpr bool is_ideographic(char32_t c) noexcept {
    return (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF00 && c <= 0xFFEF) ||
           (c >= 0x20000 && c <= 0x3FFFF);
}

/// FNV-1a, 64 bits.
struct Hash {
    std::uint64_t value = 0xCBF29CE484222325U;
    constexpr void add(std::uint32_t unit) noexcept { value = (value ^ unit) * 0x100000001B3U; }
};

/// The words of a text as sorted hashes, each once, the first `max_words` of them. ASCII case is folded. Scripts
/// without blanks contribute pairs of neighbouring characters instead.
[[nodiscard]] inline std::vector<std::uint64_t> words_of(std::string_view text, std::size_t max_words) {
    std::vector<std::uint64_t> words;
    Hash word;
    bool in_word = false;
    char32_t before = 0;  // the ideograph before
    const auto end_word = [&] {
        if (std::exchange(in_word, false)) words.push_back(word.value);
        word = {};
    };
    for (std::size_t at = 0; at < text.size() && words.size() < max_words;) {
        if (const std::size_t end = control_sequence_end(text, at); end != at) {
            at = end;
            continue;
        }
        const unicode::Char c = unicode::char_at(text, at);
        at += c.length;
        const bool part = unicode::is_letter(c.cls) || c.cls == unicode::CharClass::number ||
                          c.cls == unicode::CharClass::mark || c.code == '_';
        if (part && is_ideographic(c.code)) {
            if (before == 0) end_word();
            if (before != 0) {
                Hash pair;
                pair.add(before);
                pair.add(c.code);
                words.push_back(pair.value);
            }
            before = c.code;
        } else {
            before = 0;
            if (part) {
                word.add(c.code < 0x80 ? static_cast<std::uint32_t>(ascii::to_lower(static_cast<char>(c.code)))
                                       : c.code);
                in_word = true;
            } else {
                end_word();
            }
        }
    }
    if (words.size() < max_words) end_word();
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
}

/// How many hashes two sorted lists share.
[[nodiscard]] inline std::size_t shared_words(const std::vector<std::uint64_t>& a,
                                              const std::vector<std::uint64_t>& b) {
    std::size_t shared = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i] == b[j])
            ++shared, ++i, ++j;
        else if (a[i] < b[j])
            ++i;
        else
            ++j;
    }
    return shared;
}

/// How plainly a sentence reports an error.
enum class ErrorSign : std::uint8_t {
    none,
    mention,  ///< It has a word of failure in it.
    report,   ///< It begins with one, or names an error and says which: `KeyError: 'x'`.
};

// Sorted; lower case.
inline constexpr std::array<std::string_view, 27> error_words = {
    "abort",  "aborted",   "assertion", "cannot",   "conflict", "crash",     "crashed", "denied",    "error",
    "errors", "exception", "fail",      "failed",   "failing",  "failure",   "fatal",   "invalid",   "killed",
    "panic",  "panicked",  "refused",   "segfault", "timeout",  "traceback", "unable",  "undefined", "unexpected"};

inline constexpr std::array<std::string_view, 12> error_stems = {
    "\xE9\x94\x99\xE8\xAF\xAF",
    "\xE5\xA4\xB1\xE8\xB4\xA5",
    "\xE5\xBC\x82\xE5\xB8\xB8",  // Chinese: error, fail, exception
    "\xE9\x8C\xAF\xE8\xAA\xA4",
    "\xE3\x82\xA8\xE3\x83\xA9\xE3\x83\xBC",
    "\xE5\xA4\xB1\xE6\x95\x97",
    "\xE4\xBE\x8B\xE5\xA4\x96",  // Japanese: error, failure, exception
    "\xEC\x98\xA4\xEB\xA5\x98",
    "\xEC\x8B\xA4\xED\x8C\xA8",  // Korean: error, failure
    "\xD1\x88\xD0\xB8\xD0\xB1\xD0\xBA",
    "\xD1\x81\xD0\xBA\xD0\xBB\xD1\x8E\xD1\x87\xD0\xB5\xD0\xBD",
    "\xD0\xB5 \xD1\x83\xD0\xB4\xD0\xB0\xD0\xBB\xD0\xBE\xD1\x81\xD1\x8C"};  // Russian: error, exception, did not succeed

[[nodiscard]] inline bool names_error(std::string_view word) noexcept {
    return word.ends_with("Error") || word.ends_with("Exception");
}

[[nodiscard]] inline bool is_error_word(std::string_view word) noexcept {
    if (names_error(word)) return true;
    std::array<char, 12> lower{};
    if (word.size() > lower.size() || word.size() < 4) return false;
    std::transform(word.begin(), word.end(), lower.begin(), ascii::to_lower);
    return std::binary_search(error_words.begin(), error_words.end(), std::string_view(lower.data(), word.size()));
}

/// Looks for words of failure in English, Chinese, Japanese, Korean and Russian.
[[nodiscard]] inline ErrorSign error_sign(std::string_view sentence) noexcept {
    ErrorSign sign = ErrorSign::none;
    bool first = true;
    bool ascii = true;
    for (std::size_t at = 0; at < sentence.size();) {
        if (const std::size_t end = control_sequence_end(sentence, at); end != at) {
            at = end;
            continue;
        }
        if (!ascii::is_alpha(sentence[at])) {
            ascii = ascii && static_cast<unsigned char>(sentence[at]) < 0x80;
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < sentence.size() && ascii::is_alpha(sentence[end])) ++end;
        const std::string_view word = sentence.substr(at, end - at);
        if (is_error_word(word)) {
            const bool tells = end < sentence.size() && sentence[end] == ':';
            if ((first || tells) && word != "Exception") return ErrorSign::report;
            sign = ErrorSign::mention;
        }
        first = false;
        at = end;
    }
    if (ascii) return sign;
    const bool stem = std::any_of(error_stems.begin(), error_stems.end(), [sentence](std::string_view s) {
        return sentence.find(s) != std::string_view::npos;
    });
    return stem ? ErrorSign::report : sign;
}

// The facts of a text: paths, URLs, numbers, identifiers. Found by their looks alone, in one pass.

enum class FactKind : std::uint8_t { none, line_number, identifier, number, path, url };

struct Fact {
    std::string_view text{};
    FactKind kind = FactKind::none;
};

/// What a token is made of.
struct TokenLooks {
    std::size_t letters = 0;
    std::size_t digits = 0;
    std::size_t slashes = 0;
    std::size_t backslashes = 0;
    std::size_t dots = 0;
    std::size_t underscores = 0;
    bool camel = false;  // a capital after a small letter

    explicit TokenLooks(std::string_view token) noexcept {
        for (std::size_t i = 0; i < token.size(); ++i) {
            const char c = token[i];
            if (ascii::is_digit(c))
                ++digits;
            else if (ascii::is_alpha(c) || static_cast<unsigned char>(c) >= 0x80)
                ++letters;
            else if (c == '/')
                ++slashes;
            else if (c == '\\')
                ++backslashes;
            else if (c == '.')
                ++dots;
            else if (c == '_')
                ++underscores;
            camel = camel || (i > 0 && ascii::is_upper(c) && token[i - 1] >= 'a' && token[i - 1] <= 'z');
        }
    }
};

/// `name.ext`, where the extension has at most four characters, one of them a letter, all of one case.
[[nodiscard]] inline bool has_extension(std::string_view token) noexcept {
    const std::size_t dot = token.rfind('.');
    if (dot == std::string_view::npos || token.size() - dot > 5) return false;
    if (dot == 1 && token.size() == 3) return false;  // e.g, i.e, U.S
    std::size_t lower = 0;
    std::size_t upper = 0;
    for (const char c : token.substr(dot + 1)) {
        if (!ascii::is_digit(c) && !ascii::is_alpha(c)) return false;
        if (ascii::is_upper(c))
            ++upper;
        else if (!ascii::is_digit(c))
            ++lower;
    }
    return (lower == 0) != (upper == 0);
}

/// A member of an object in code: `self.name`.
[[nodiscard]] inline bool is_member(std::string_view token) noexcept {
    return token.starts_with("self.") || token.starts_with("this.") || token.starts_with("cls.");
}

/// `call`: a bracket follows, as after the name of a function.
[[nodiscard]] inline FactKind kind_of(std::string_view token, bool call) noexcept {
    const TokenLooks looks(token);
    if (looks.letters + looks.digits == 0) return FactKind::none;
    if (looks.letters == 0) return FactKind::number;
    const char first = token.front() == '-' && token.size() > 1 ? token[1] : token.front();
    if (looks.slashes > 0) {
        const bool rooted = token.front() == '/' || token.front() == '.' || token.front() == '~';
        const bool path = rooted || looks.slashes > 1 || looks.dots + looks.underscores > 0 || token.back() == '/';
        if (!path && token.size() <= 3) return FactKind::none;  // n/a
        return path ? FactKind::path : FactKind::identifier;
    }
    if (looks.backslashes > 0) return FactKind::path;
    if (ascii::is_digit(first) && looks.letters <= 4) return FactKind::number;  // 10ms, 3.10rc1
    if (token.front() == '.' && call) return FactKind::none;                    // "".join(
    if (!call && !is_member(token) && has_extension(token)) return FactKind::path;
    if (looks.dots > 0 && token.front() != '.') return token.size() > 4 ? FactKind::identifier : FactKind::none;
    if (looks.underscores > 0 || looks.camel || looks.digits > 0) return FactKind::identifier;
    return FactKind::none;
}

/// Whether a sentence is a line of a listing that numbers its lines: `7: text`, `7| text`, `7<tab>text`.
[[nodiscard]] inline bool is_listed_line(std::string_view sentence) noexcept {
    std::size_t at = 0;
    while (at < sentence.size() && ascii::is_digit(sentence[at])) ++at;
    return at > 0 && at < 10 && at < sentence.size() &&
           (sentence[at] == ':' || sentence[at] == '|' || sentence[at] == '\t');
}

/// Finds the facts of a text, one after another.
class FactScanner {
public:
    /// `escapes`: whether a backslash begins an escape, as in Python's spelling of a text, and is not part of a path.
    FactScanner(std::string_view text, bool escapes) : text_(text), escapes_(escapes) {}

    /// The next fact; `none` at the end.
    [[nodiscard]] Fact next() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (escapes_ && c == '\\') {
                at_ += 2;
            } else if (const std::size_t end = control_sequence_end(text_, at_); end != at_) {
                at_ = end;
            } else if (const std::size_t length = token_char(at_); length != 0) {
                if (const Fact fact = token(); fact.kind != FactKind::none) return fact;
            } else {
                if (c == '\n' || c == '\r')
                    line_start_ = true;
                else if (c != ' ' && c != '\t')
                    line_start_ = false;
                ++at_;
            }
        }
        return {};
    }

private:
    // The length of the character at `at` if it can be part of a token, else 0.
    [[nodiscard]] std::size_t token_char(std::size_t at) const noexcept {
        const char c = text_[at];
        if (ascii::is_alpha(c) || ascii::is_digit(c) || c == '_' || c == '.' || c == '/' || c == '-') return 1;
        if (c == '\\') return escapes_ ? 0 : 1;
        if (c == '~') return at + 1 < text_.size() && text_[at + 1] == '/' ? 1 : 0;
        if (c == '%') return at > 0 && ascii::is_digit(text_[at - 1]) ? 1 : 0;
        if (c == '@') return 1;
        if (static_cast<unsigned char>(c) < 0x80) return 0;
        const unicode::Char wide = unicode::char_at(text_, at);
        return unicode::is_letter(wide.cls) && !is_ideographic(wide.code) ? wide.length : 0;
    }

    [[nodiscard]] bool digit_at(std::size_t at) const noexcept {
        return at < text_.size() && ascii::is_digit(text_[at]);
    }

    // A colon is part of `12:30` and `main.cpp:7`, and not of `key:7`.
    [[nodiscard]] bool colon_joins(std::size_t begin, std::size_t at) const noexcept {
        if (text_[at] != ':' || !digit_at(at + 1) || at == begin) return false;
        const std::string_view before = text_.substr(begin, at - begin);
        return ascii::is_digit(before.back()) || before.find('.') != std::string_view::npos;
    }

    [[nodiscard]] Fact token() {
        const std::size_t begin = at_;
        const bool line_start = std::exchange(line_start_, false);
        std::size_t end = begin;
        while (end < text_.size()) {
            if (const std::size_t length = token_char(end); length != 0)
                end += length;
            else if (colon_joins(begin, end))
                ++end;
            else
                break;
        }
        if (text_.substr(end, 3) == "://" || (text_.substr(end, 2) == ":\\" && !escapes_ && end == begin + 1)) {
            const bool url = text_[end + 1] == '/';
            at_ = address_end(end);
            return {trimmed(text_.substr(begin, at_ - begin)), url ? FactKind::url : FactKind::path};
        }
        at_ = end;
        const std::string_view found = trimmed(text_.substr(begin, end - begin));
        if (found.empty() || found.size() > 256) return {};
        FactKind kind = kind_of(found, end < text_.size() && text_[end] == '(');
        const bool marked = end < text_.size() && (text_[end] == ':' || text_[end] == '|' || text_[end] == '\t');
        if (kind == FactKind::number && line_start && marked && found.size() <= 9 &&
            std::all_of(found.begin(), found.end(), ascii::is_digit)) {
            kind = FactKind::line_number;
        }
        return {found, kind};
    }

    [[nodiscard]] std::size_t address_end(std::size_t at) const noexcept {
        constexpr std::string_view ends = " \t\r\n\"'`<>(){}[]|,;";
        while (at < text_.size() && ends.find(text_[at]) == std::string_view::npos) {
            if (escapes_ && text_[at] == '\\') break;
            if (static_cast<unsigned char>(text_[at]) < 0x80) {
                ++at;
                continue;
            }
            const unicode::Char wide = unicode::char_at(text_, at);
            if (!unicode::is_letter(wide.cls) || is_ideographic(wide.code)) break;
            at += wide.length;
        }
        return at;
    }

    // Without the punctuation of prose around it; a minus before a digit stays.
    [[nodiscard]] static std::string_view trimmed(std::string_view token) noexcept {
        constexpr std::string_view at_end = ".-@:!?\\";
        while (!token.empty() && at_end.find(token.back()) != std::string_view::npos) token.remove_suffix(1);
        while (token.size() > 1 && (token.front() == '-' || token.front() == '@') && !ascii::is_digit(token[1])) {
            token.remove_prefix(1);
        }
        return token;
    }

    std::string_view text_;
    bool escapes_;
    std::size_t at_ = 0;
    bool line_start_ = true;
};

/// Where a fact was found. What a step found out counts more than why it was taken.
enum class Origin : std::uint8_t { reasoning, call, body };

/// The distinct facts of a text, a bounded number of each kind whatever its length. Views into the text.
class FactTable {
public:
    struct Entry {
        Fact fact{};
        std::size_t count = 0;
        Origin origin = Origin::body;
        bool topical = false;  // found in more than one place: the call, the reasoning, the body
    };

    /// Adds the facts of `text`, without its numbers if `skip_numbers`; returns how many facts there were, line numbers
    /// not counted.
    std::size_t add(std::string_view text, Origin origin, bool skip_numbers = false) {
        std::size_t found = 0;
        FactScanner scanner(text, origin == Origin::call);
        for (Fact fact = scanner.next(); fact.kind != FactKind::none; fact = scanner.next()) {
            if (fact.kind == FactKind::line_number) {
                add_line(fact.text);
            } else {
                ++found;
                if (!skip_numbers || fact.kind != FactKind::number) add(fact, origin);
            }
        }
        return found;
    }

    [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }

    /// The listings of numbered lines in it, as `lines 7-42`.
    [[nodiscard]] std::vector<std::string> listings() const {
        std::vector<std::string> out;
        for (const auto& [first, last] : runs_) {
            if (last > first) out.push_back("lines " + std::to_string(first) + "-" + std::to_string(last));
        }
        return out;
    }

private:
    static constexpr std::size_t max_of_kind = 384;
    static constexpr std::size_t max_runs = 8;

    void add(const Fact& fact, Origin origin) {
        if (const auto known = index_.find(fact.text); known != index_.end()) {
            Entry& entry = entries_[known->second];
            ++entry.count;
            entry.topical = entry.topical || entry.origin != origin;
            entry.origin = std::max(entry.origin, origin);
            return;
        }
        if (std::size_t& of_kind = counts_[static_cast<std::size_t>(fact.kind)]; of_kind < max_of_kind) {
            ++of_kind;
            index_.emplace(fact.text, entries_.size());
            entries_.push_back({fact, 1, origin, false});
        }
    }

    void add_line(std::string_view digits) {
        std::uint32_t line = 0;
        for (const char c : digits) line = line * 10 + static_cast<std::uint32_t>(c - '0');
        if (!runs_.empty() && line == runs_.back().second + 1)
            runs_.back().second = line;
        else if (runs_.size() < max_runs)
            runs_.emplace_back(line, line);
    }

    std::vector<Entry> entries_;
    std::unordered_map<std::string_view, std::size_t> index_;
    std::array<std::size_t, 6> counts_{};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> runs_;
};

// The parts of a step as texts, and its calls in few words.

/// The outcome of a step, or of one of its calls.
struct BodyPart {
    std::string_view label{};  ///< The id of the call, where there are several.
    std::string_view text{};
};

/// A step as texts, with placeholders for binary content. Views point into the texts that are kept here: it is neither
/// copied nor moved.
class StepText {
public:
    StepText() = default;
    StepText(const StepText&) = delete;
    StepText& operator=(const StepText&) = delete;
    ~StepText() = default;

    std::string_view calls{};  ///< As acta prints them.
    std::string_view thoughts{};
    std::string_view status{};
    std::vector<BodyPart> body{};  ///< Output, reason and error, feedback or results of calls.
    bool failed = false;           ///< Whether all of the body says what went wrong, or is what a person said.

    void read(const SummaryStep& step) {
        std::string printed;
        for (const AssistantFunctionCall& call : step.calls) {
            if (!printed.empty()) printed += '\n';
            append_shown_call(printed, call.name, call.arguments);
        }
        calls = keep(std::move(printed));
        thoughts = keep(hide_binary(step.thoughts));
        status = to_string(acta::status(step.result));
        if (!step.tool_results.empty())
            read_results(step.tool_results);
        else if (step.result)
            read_result(*step.result);
    }

private:
    std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

    void read_result(const ActionResult& result) {
        if (const auto* const success = std::get_if<ActionSuccessResult>(&result)) {
            body.push_back({{}, keep(shown_text(success->outputs))});
            return;
        }
        failed = true;
        if (const auto* const human = std::get_if<ActionInterruptedByHuman>(&result)) {
            body.push_back({{}, keep(hide_binary(human->feedback))});
            return;
        }
        const auto& error = std::get<ActionErrorResult>(result);
        const std::string_view repr = error.error ? keep(hide_binary(error.error->repr)) : std::string_view();
        const std::string_view reason = keep(hide_binary(error.reason));
        // The message of an exception is usually in its repr.
        if (repr.find(reason) == std::string_view::npos) body.push_back({{}, reason});
        if (!repr.empty()) body.push_back({{}, repr});
    }

    void read_results(const std::vector<ToolResult>& results) {
        for (const ToolResult& one : results) {
            const std::string_view label = results.size() > 1 ? std::string_view(one.tool_call_id) : std::string_view();
            const auto* const success = std::get_if<ActionSuccessResult>(&one.result);
            body.push_back({label, keep(success != nullptr ? shown_text(success->outputs) : to_string(one.result))});
        }
    }

    std::deque<std::string> kept_{};  // a deque, so that views into its texts stay valid
};

/// How much of the calls is shown.
struct CallLimits {
    std::size_t calls = 4;
    std::size_t arguments = 8;
    std::size_t value_bytes = 120;
};

/// A call with its arguments as Python spells them.
struct CallText {
    std::string_view name{};
    std::vector<std::pair<std::string, std::string>> arguments{};
};

/// The first calls of a step, as many as are ever shown. Of a long text only the beginning is spelled out.
[[nodiscard]] inline std::vector<CallText> call_texts(const std::vector<AssistantFunctionCall>& calls) {
    constexpr std::size_t longest_value = 4096;
    std::vector<CallText> out;
    for (const AssistantFunctionCall& call : calls) {
        if (out.size() == CallLimits{}.calls) break;
        CallText& text = out.emplace_back();
        text.name = call.name;
        const std::optional<JsonObject> shown = without_binary(call.arguments);
        for (const auto& [name, value] : shown ? *shown : call.arguments) {
            const auto* const long_text = value.template get_ptr<const std::string*>();
            const bool cut = long_text != nullptr && long_text->size() > longest_value;
            text.arguments.emplace_back(
                name, cut ? python_repr(utf8::prefix(*long_text, longest_value)) : python_repr(value));
        }
    }
    return out;
}

/// The argument that says most about the purpose of a call: one with a telling name, else the first.
[[nodiscard]] inline std::size_t main_argument(const CallText& call) {
    constexpr std::array<std::string_view, 16> names = {
        "path", "file", "file_name", "filename", "file_path", "url",  "query", "command",
        "cmd",  "code", "search",    "name",     "input",     "text", "id",    "directory"};
    for (const std::string_view name : names) {
        for (std::size_t i = 0; i < call.arguments.size(); ++i) {
            if (call.arguments[i].first == name) return i;
        }
    }
    return 0;
}

/// A value in little more than `max_bytes` bytes; a quoted one stays quoted.
[[nodiscard]] inline std::string short_value(std::string_view value, std::size_t max_bytes) {
    if (value.size() <= max_bytes) return one_line(value);
    std::string out = shorten(one_line(utf8::prefix(value, max_bytes * 2)), max_bytes);
    if (value.front() == '\'' || value.front() == '"') out += value.front();
    return out;
}

[[nodiscard]] inline std::string short_call(const CallText& call, const CallLimits& limits) {
    std::string out = shorten(one_line(utf8::prefix(call.name, 256)), 64);
    out += '(';
    const std::size_t main = main_argument(call);
    std::size_t shown = 0;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        // The main argument is always among those shown, whatever its position.
        const std::size_t left = limits.arguments - shown;
        if (left == 0 || (left == 1 && main > i)) continue;
        if (shown++ > 0) out += ", ";
        out += shorten(one_line(utf8::prefix(call.arguments[i].first, 128)), 32);
        out += '=';
        out += short_value(call.arguments[i].second, limits.value_bytes);
    }
    if (shown < call.arguments.size()) out += shown > 0 ? ", \xE2\x80\xA6" : ellipsis;
    return out + ')';
}

/// The calls of a step in few words: the first of `all`, and how many more there are.
[[nodiscard]] inline std::string short_calls(const std::vector<CallText>& calls, std::size_t all,
                                             const CallLimits& limits) {
    std::string out;
    const std::size_t shown = std::min(calls.size(), limits.calls);
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) out += ", ";
        out += short_call(calls[i], limits);
    }
    if (all > shown) out += " and " + std::to_string(all - shown) + " more";
    return out;
}

}  // namespace acta::inline ACTA_ABI::compress_detail
