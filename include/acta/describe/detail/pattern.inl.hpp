// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/describe/pattern.hpp"

// A regular expression as a list of nodes, and all of its states followed at once (Thompson's construction, as in RE2):
// the work for a character is bounded by the number of nodes, whatever the expression and the text.
namespace acta::inline ACTA_ABI::describe_detail {

/// The code points that one place of a pattern accepts.
class CharSet {
public:
    struct Interval {
        char32_t first;
        char32_t last;
    };

    void add(char32_t one) { add(one, one); }
    void add(char32_t first, char32_t last) { intervals_.push_back({first, last}); }
    void add(const CharSet& other) {
        intervals_.insert(intervals_.end(), other.intervals_.begin(), other.intervals_.end());
    }
    /// Sorts and joins what was added; `complement` replaces it by all other code points.
    void finish(bool complement) {
        std::sort(intervals_.begin(), intervals_.end(),
                  [](const Interval& a, const Interval& b) { return a.first < b.first; });
        std::vector<Interval> joined;
        char32_t next = 0;  // the first code point that is not covered, for the complement
        for (const Interval& one : intervals_) {
            if (complement) {
                if (one.first > next) joined.push_back({next, one.first - 1});
                next = std::max<char32_t>(next, one.last + 1);
            } else if (!joined.empty() && one.first <= joined.back().last) {
                joined.back().last = std::max(joined.back().last, one.last);
            } else {
                joined.push_back(one);
            }
        }
        if (complement && next <= last_code_point) joined.push_back({next, last_code_point});
        intervals_ = std::move(joined);
        for (const Interval& one : intervals_) {
            for (char32_t c = one.first; c <= one.last && c < ascii_.size(); ++c) ascii_.set(c);
        }
    }
    [[nodiscard]] bool contains(char32_t c) const {
        if (c < ascii_.size()) return ascii_[c];
        const auto after = std::upper_bound(intervals_.begin(), intervals_.end(), c,
                                            [](char32_t value, const Interval& one) { return value < one.first; });
        return after != intervals_.begin() && c <= std::prev(after)->last;
    }
    [[nodiscard]] std::size_t size() const noexcept { return intervals_.size(); }

private:
    static constexpr char32_t last_code_point = 0x10FFFF;
    std::vector<Interval> intervals_{};
    std::bitset<128> ascii_{};
};

/// One state. Jumps are relative to it, so that a part of a pattern can be moved and copied.
struct PatternNode {
    enum class Kind : std::uint8_t { characters, fork, jump, begin, end, word_edge, inside, match };
    Kind kind = Kind::match;
    std::size_t set = 0;       // of `characters`, the index of the set
    std::ptrdiff_t first = 1;  // of `fork` and `jump`
    std::ptrdiff_t second = 1;
};

struct CompiledPattern {
    std::vector<PatternNode> nodes{};
    std::vector<CharSet> sets{};
};

inline constexpr std::size_t max_pattern_nodes = 10'000;
inline constexpr std::size_t max_pattern_count = 1'000;
inline constexpr std::size_t max_pattern_depth = 100;

[[nodiscard]] constexpr bool is_word(char32_t c) noexcept {
    return c < 0x80 && (ascii::is_alnum(static_cast<char>(c)) || c == '_');
}

/// Reads a pattern: the grammar of ECMA-262 without what cannot be matched in linear time.
class PatternReader {
public:
    explicit PatternReader(std::string_view text) : text_(text) {}

    [[nodiscard]] CompiledPattern read() {
        if (!utf8::is_valid(text_)) fail("it is not valid UTF-8");
        read_alternatives();
        if (!at_end()) fail("a ')' has no '('");
        add({PatternNode::Kind::match});
        return std::move(out_);
    }

private:
    using Kind = PatternNode::Kind;

    [[noreturn]] void fail(std::string_view why) const {
        throw SchemaError(
            base::concat({"'", text_, "' cannot be used as a pattern: ", why, " (at byte ", std::to_string(at_), ")"}),
            {});
    }
    [[nodiscard]] bool at_end() const noexcept { return at_ == text_.size(); }
    [[nodiscard]] bool next_is(char c) const noexcept { return !at_end() && text_[at_] == c; }
    bool take(std::string_view what) noexcept {
        if (!text_.substr(at_).starts_with(what)) return false;
        at_ += what.size();
        return true;
    }
    char32_t take_character() {
        if (at_end()) fail("it ends too early");
        const char* const p = text_.data() + at_;
        const std::size_t length = utf8::sequence_length(p, text_.data() + text_.size());
        at_ += length;
        return utf8::code_point(p, length);
    }

    void check_size() const {
        if (out_.nodes.size() > max_pattern_nodes)
            fail("it is too long, with its repetitions: more than " + std::to_string(max_pattern_nodes) + " states");
    }
    void add(PatternNode node) {
        out_.nodes.push_back(node);
        check_size();
    }
    void insert(std::size_t where, PatternNode node) {
        out_.nodes.insert(out_.nodes.begin() + static_cast<std::ptrdiff_t>(where), node);
        check_size();
    }
    void add_set(CharSet set, bool complement) {
        set.finish(complement);
        out_.sets.push_back(std::move(set));
        add({Kind::characters, out_.sets.size() - 1});
    }
    [[nodiscard]] std::ptrdiff_t length_from(std::size_t start) const noexcept {
        return static_cast<std::ptrdiff_t>(out_.nodes.size() - start);
    }

    void read_alternatives() {
        std::vector<std::size_t> jumps;  // from the ends of alternatives to the end of all
        std::size_t start = out_.nodes.size();
        read_sequence();
        while (take("|")) {
            insert(start, {Kind::fork, 0, 1, length_from(start) + 2});
            jumps.push_back(out_.nodes.size());
            add({Kind::jump});
            start = out_.nodes.size();
            read_sequence();
        }
        for (const std::size_t jump : jumps) out_.nodes[jump].first = length_from(jump);
    }

    void read_sequence() {
        while (!at_end() && text_[at_] != '|' && text_[at_] != ')') {
            const std::size_t start = out_.nodes.size();
            if (read_assertion()) {
                if (!at_end() && std::string_view("*+?{").find(text_[at_]) != std::string_view::npos)
                    fail("an assertion cannot be repeated");
                continue;
            }
            read_atom();
            read_quantifier(start);
        }
    }

    bool read_assertion() {
        if (take("^"))
            add({Kind::begin});
        else if (take("$"))
            add({Kind::end});
        else if (take("\\b"))
            add({Kind::word_edge});
        else if (take("\\B"))
            add({Kind::inside});
        else
            return false;
        return true;
    }

    void read_atom() {
        if (take("(")) return read_group();
        if (take("[")) return read_class();
        CharSet set;
        if (take(".")) {
            set.add('\n');
            set.add('\r');
            set.add(0x2028, 0x2029);
            return add_set(std::move(set), true);
        }
        if (next_is('*') || next_is('+') || next_is('?')) fail("there is nothing to repeat");
        if (next_is('{')) fail("write '\\{' for a brace");
        if (take("\\")) {
            if (!at_end() && text_[at_] != '0' && (ascii::is_digit(text_[at_]) || text_[at_] == 'k'))
                fail("back-references are not supported: they cannot be matched in linear time");
            if (const std::optional<CharSet> several = read_class_escape())
                set = *several;
            else
                set.add(read_escape());
        } else {
            set.add(take_character());
        }
        add_set(std::move(set), false);
    }

    void read_group() {
        if (take("?")) {
            if (next_is('=') || next_is('!') || take("<=") || take("<!"))
                fail("look-around is not supported: it cannot be matched in linear time");
            if (take("<")) {  // a named group; names have no use here
                while (!next_is('>')) take_character();
                take(">");
            } else if (!take(":")) {
                fail("unknown kind of group");
            }
        }
        if (++depth_ > max_pattern_depth)
            fail("groups are nested deeper than " + std::to_string(max_pattern_depth) + " levels");
        read_alternatives();
        --depth_;
        if (!take(")")) fail("a '(' has no ')'");
    }

    struct Count {
        std::size_t min;
        std::optional<std::size_t> max;
    };

    /// Reads `*`, `+`, `?` or `{n,m}`, and repeats the nodes from `start` on.
    void read_quantifier(std::size_t start) {
        Count count{};
        if (take("*"))
            count = {0, std::nullopt};
        else if (take("+"))
            count = {1, std::nullopt};
        else if (take("?"))
            count = {0, 1};
        else if (take("{"))
            count = read_count();
        else
            return;
        take("?");  // lazy: the same texts contain a match
        if (!at_end() && std::string_view("*+?{").find(text_[at_]) != std::string_view::npos)
            fail("a repetition cannot be repeated without a group");
        repeat(start, count);
    }

    Count read_count() {
        Count count{read_number(), std::nullopt};
        if (!take(","))
            count.max = count.min;
        else if (!next_is('}'))
            count.max = read_number();
        if (!take("}")) fail("'{' begins a repetition, as in '{2,5}'; write '\\{' for a brace");
        if (count.max && *count.max < count.min) fail("the bounds of the repetition are in the wrong order");
        return count;
    }

    std::size_t read_number() {
        std::size_t value = 0;
        const std::size_t start = at_;
        for (; !at_end() && ascii::is_digit(text_[at_]); ++at_) {
            value = value * 10 + static_cast<std::size_t>(text_[at_] - '0');
            if (value > max_pattern_count)
                fail("more than " + std::to_string(max_pattern_count) + " repetitions are not supported");
        }
        if (at_ == start) fail("'{' begins a repetition, as in '{2,5}'; write '\\{' for a brace");
        return value;
    }

    void repeat(std::size_t start, const Count& count) {
        const auto from = out_.nodes.begin() + static_cast<std::ptrdiff_t>(start);
        const std::vector<PatternNode> part(from, out_.nodes.end());
        const auto length = static_cast<std::ptrdiff_t>(part.size());
        out_.nodes.erase(from, out_.nodes.end());
        if (part.empty()) return;
        const auto add_part = [&] {
            out_.nodes.insert(out_.nodes.end(), part.begin(), part.end());
            check_size();
        };
        for (std::size_t i = 0; i < count.min; ++i) add_part();
        if (!count.max) {
            add({Kind::fork, 0, 1, length + 2});
            add_part();
            add({Kind::jump, 0, -length - 1});
            return;
        }
        for (std::size_t left = *count.max - count.min; left > 0; --left) {
            add({Kind::fork, 0, 1, static_cast<std::ptrdiff_t>(left) * (length + 1)});
            add_part();
        }
    }

    void read_class() {
        const bool complement = take("^");
        CharSet set;
        while (!take("]")) {
            if (take("[:")) {
                set.add(read_posix_class());
                continue;
            }
            const std::optional<char32_t> first = read_class_character(set);
            if (!next_is('-') || text_.substr(at_).starts_with("-]")) {
                if (first) set.add(*first);
                continue;
            }
            ++at_;
            const std::optional<char32_t> last = read_class_character(set);
            if (!first || !last) fail("a range needs one character on each side");
            if (*last < *first) fail("the bounds of a range are in the wrong order");
            set.add(*first, *last);
        }
        class_size_ += set.size();
        if (class_size_ > max_pattern_nodes) fail("its classes have too many characters");
        add_set(std::move(set), complement);
    }

    /// Reads one character of a class; or several, which are added to `set`.
    std::optional<char32_t> read_class_character(CharSet& set) {
        if (!take("\\")) return take_character();
        if (take("b")) return U'\b';
        if (take("-")) return U'-';
        if (const std::optional<CharSet> several = read_class_escape()) {
            set.add(*several);
            return std::nullopt;
        }
        return read_escape();
    }

    /// Reads `d`, `s`, `w` or the complement of one, after a backslash.
    std::optional<CharSet> read_class_escape() {
        if (at_end()) fail("it ends with a backslash");
        CharSet set;
        switch (ascii::to_lower(text_[at_])) {
            case 'd': set.add('0', '9'); break;
            case 'w': set.add(named("word")); break;
            case 's':
                set.add('\t', '\r');
                set.add(' ');
                for (const char32_t c : std::u32string_view(U"\u00A0\u1680\u2028\u2029\u202F\u205F\u3000\uFEFF"))
                    set.add(c);
                set.add(0x2000, 0x200A);
                break;
            default: return std::nullopt;
        }
        set.finish(ascii::is_upper(text_[at_++]));
        return set;
    }

    /// Reads what stands for one character, after a backslash.
    char32_t read_escape() {
        const char32_t c = take_character();
        switch (c) {
            case 't': return '\t';
            case 'n': return '\n';
            case 'v': return '\v';
            case 'f': return '\f';
            case 'r': return '\r';
            case '0':
                if (!at_end() && ascii::is_digit(text_[at_])) fail("octal escapes are not supported");
                return 0;
            case 'c':
                if (at_end() || !ascii::is_alpha(text_[at_])) fail("'\\c' needs a letter");
                return static_cast<char32_t>(text_[at_++] % 32);
            case 'x': return read_hex(2);
            case 'u': return read_unicode();
            default: break;
        }
        if (is_word(c) && c != '_') fail("unknown escape");
        return c;
    }

    char32_t read_hex(std::size_t digits) {
        char32_t value = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            const int digit = at_end() ? -1 : ascii::hex_value(text_[at_]);
            if (digit < 0) fail("an escape needs " + std::to_string(digits) + " hexadecimal digits");
            value = value * 16 + static_cast<char32_t>(digit);
            ++at_;
        }
        return value;
    }

    char32_t read_unicode() {
        char32_t value = 0;
        if (take("{")) {
            while (!take("}")) {
                value = value * 16 + read_hex(1);
                if (value > 0x10FFFF) fail("the code point is too large");
            }
            return value;
        }
        value = read_hex(4);
        if (value < 0xD800 || value > 0xDBFF || !take("\\u")) return value;
        const char32_t low = read_hex(4);
        if (low < 0xDC00 || low > 0xDFFF) fail("half of a surrogate pair");
        return 0x10000 + ((value - 0xD800) << 10U) + (low - 0xDC00);
    }

    /// Returns a class of POSIX, which std::regex knows too, in the C locale.
    CharSet named(std::string_view name) const {
        struct Named {
            std::string_view name;
            std::string_view ranges;  // pairs of first and last
        };
        static constexpr Named classes[] = {
            {"alpha", "AZaz"},     {"digit", "09"},
            {"alnum", "09AZaz"},   {"upper", "AZ"},
            {"lower", "az"},       {"word", "09AZ__az"},
            {"xdigit", "09AFaf"},  {"space", "\t\r  "},
            {"blank", "\t\t  "},   {"cntrl", "\1\37\177\177"},
            {"punct", "!/:@[`{~"}, {"graph", "!~"},
            {"print", " ~"},
        };
        CharSet set;
        for (const Named& one : classes) {
            if (one.name != name) continue;
            for (std::size_t i = 0; i < one.ranges.size(); i += 2)
                set.add(static_cast<char32_t>(one.ranges[i]), static_cast<char32_t>(one.ranges[i + 1]));
            return set;
        }
        fail("unknown class of characters");
    }

    CharSet read_posix_class() {
        const std::size_t end = text_.find(":]", at_);
        if (end == std::string_view::npos) fail("'[:' has no ':]'");
        const CharSet set = named(text_.substr(at_, end - at_));
        at_ = end + 2;
        return set;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    std::size_t class_size_ = 0;
    CompiledPattern out_{};
};

/// The states that are reached at one place of a text, each once.
class PatternStates {
public:
    PatternStates(const CompiledPattern& pattern, std::size_t size) : pattern_(pattern), seen_at_(size, 0) {}

    /// Adds a state and those that follow from it without a character. Returns whether a match is among them.
    bool add(std::size_t state, std::size_t place, bool at_begin, bool at_end, bool word_before, bool word_after) {
        pending_.assign(1, state);
        while (!pending_.empty()) {
            const std::size_t at = pending_.back();
            pending_.pop_back();
            if (seen_at_[at] == place) continue;
            seen_at_[at] = place;
            ++steps;
            const PatternNode& node = pattern_.nodes[at];
            const auto go = [&](std::ptrdiff_t by) {
                pending_.push_back(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + by));
            };
            switch (node.kind) {
                case PatternNode::Kind::match: return true;
                case PatternNode::Kind::characters: reached.push_back(at); break;
                case PatternNode::Kind::fork: go(node.second); [[fallthrough]];
                case PatternNode::Kind::jump: go(node.first); break;
                case PatternNode::Kind::begin:
                    if (at_begin) go(1);
                    break;
                case PatternNode::Kind::end:
                    if (at_end) go(1);
                    break;
                case PatternNode::Kind::word_edge:
                    if (word_before != word_after) go(1);
                    break;
                case PatternNode::Kind::inside:
                    if (word_before == word_after) go(1);
                    break;
            }
        }
        return false;
    }

    std::vector<std::size_t> reached{};
    std::size_t steps = 0;

private:
    const CompiledPattern& pattern_;
    std::vector<std::size_t> seen_at_;  // the place at which each state was seen last, counted from 1
    std::vector<std::size_t> pending_{};
};

/// Returns the matcher of a pattern, made once per program. Thread-safe.
[[nodiscard]] ACTA_INLINE const describe_extension::PatternMatcher& kept_matcher(std::string_view pattern) {
    static std::mutex mutex;
    static std::map<std::string, describe_extension::PatternMatcher, std::less<>> kept;
    const std::lock_guard lock(mutex);
    const auto found = kept.find(pattern);
    if (found != kept.end()) return found->second;
    return kept.emplace(std::string(pattern), describe_extension::PatternMatcher(pattern)).first->second;
}

ACTA_INLINE void check_pattern(std::string_view pattern) { static_cast<void>(kept_matcher(pattern)); }

ACTA_INLINE bool contains_match(std::string_view text, std::string_view pattern, const std::function<void()>* check) {
    return kept_matcher(pattern).matches(text, check);
}

}  // namespace acta::inline ACTA_ABI::describe_detail

namespace acta::inline ACTA_ABI::describe_extension {

ACTA_INLINE PatternMatcher::PatternMatcher(std::string_view pattern)
    : compiled_(std::make_shared<describe_detail::CompiledPattern>(describe_detail::PatternReader(pattern).read())) {}

ACTA_INLINE bool PatternMatcher::matches(std::string_view text, const std::function<void()>* check) const {
    using describe_detail::CompiledPattern, describe_detail::PatternNode, describe_detail::PatternStates;
    constexpr std::size_t steps_between_checks = 1000;
    const CompiledPattern& compiled = *compiled_;
    PatternStates states(compiled, compiled.nodes.size());
    std::vector<std::size_t> before;
    const char* const end = text.data() + text.size();
    bool word_before = false;
    char32_t last = 0;
    std::size_t place = 1;
    for (const char* p = text.data();; ++place) {
        const bool at_begin = place == 1;
        const bool at_end = p == end;
        // A byte that is not UTF-8 is a character of its own.
        const std::size_t length = at_end ? 0 : std::max<std::size_t>(utf8::sequence_length(p, end), 1);
        const char32_t c = at_end ? 0 : utf8::sequence_length(p, end) == 0 ? 0xFFFD : utf8::code_point(p, length);
        const bool word_after = !at_end && describe_detail::is_word(c);
        states.reached.swap(before);
        states.reached.clear();
        for (const std::size_t state : before) {
            const PatternNode& node = compiled.nodes[state];
            if (compiled.sets[node.set].contains(last) &&
                states.add(state + 1, place, at_begin, at_end, word_before, word_after))
                return true;
        }
        if (states.add(0, place, at_begin, at_end, word_before, word_after)) return true;
        if (at_end) return false;
        states.steps += before.size();
        if (check != nullptr && states.steps > steps_between_checks) {
            states.steps = 0;
            if (*check) (*check)();
        }
        last = c;
        word_before = word_after;
        p += length;
    }
}

}  // namespace acta::inline ACTA_ABI::describe_extension
