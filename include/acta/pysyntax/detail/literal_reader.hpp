// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/ascii.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utf8.hpp"
#include "acta/pysyntax/call_options.hpp"
#include "acta/pysyntax/detail/collections.hpp"
#include "acta/pysyntax/detail/number_literal.hpp"
#include "acta/pysyntax/detail/scanner.hpp"
#include "acta/pysyntax/detail/string_literal.hpp"

namespace acta::inline ACTA_ABI::pysyntax_detail {

/// Reads values. Nothing is evaluated: anything but a literal is refused where it begins.
class LiteralReader {
public:
    /// `open` brackets are around the values already and do not count towards the depth.
    LiteralReader(Scanner& in, const CallOptions& options, std::size_t open) noexcept
        : in_(in), open_(open), limit_(std::min<std::size_t>(options.max_depth, 500)), around_(open) {}

    bool skip_blanks() { return in_.skip_blanks(open_ != 0); }

    /// Reads the value at the position, which is not blank. Sets `hashable` to whether Python's set could hold it.
    bool value(Json& out, bool& hashable) {
        hashable = true;
        if (string_start(in_).kind != StringKind::none) return strings(out);
        const char c = in_.peek();
        if (ascii::is_digit(c) || (c == '.' && ascii::is_digit(in_.peek(1)))) return number(out, false);
        switch (c) {
            case '+':
            case '-': return signed_number(out);
            case '(': return parenthesis(out, hashable);
            case '[': return list(out, hashable);
            case '{': return braces(out, hashable);
            default: break;
        }
        if (in_.identifier_part_length() != 0) return word(out, hashable);
        return unexpected();
    }

    /// Explains why `closer` or a comma does not follow a value; `opener` is the offset of the bracket.
    bool fail_after_value(std::size_t opener, char closer) {
        if (in_.at_end()) return fail_unclosed(opener);
        const char c = in_.peek();
        if (c == ')' || c == ']' || c == '}') {
            return in_.fail(excerpt({&closer, 1}) + " is expected, not " + excerpt({&c, 1}), in_.position());
        }
        if (is_operator()) return fail_operator();
        const bool value_follows =
            string_start(in_).kind != StringKind::none || in_.identifier_part_length() != 0 || is_one_of(c, "([{");
        if (value_follows) return in_.fail("a comma is missing", in_.position());
        return unexpected();
    }

    /// Explains the text after a literal that should be alone.
    bool fail_after_literal() {
        return is_operator() ? fail_operator() : in_.fail("nothing may follow the literal", in_.position());
    }

    bool fail_unclosed(std::size_t opener) {
        return in_.fail(excerpt(in_.text().substr(opener, 1)) + " is never closed", opener);
    }

    /// Fails at a character that does not begin a value.
    bool unexpected() {
        const std::size_t at = in_.position();
        if (in_.at_end()) return in_.fail("a value is missing", at);
        const char c = in_.peek();
        if (is_one_of(c, ",)]}:=")) {
            return in_.fail("a value is missing before " + excerpt({&c, 1}), at);
        }
        if (c == '*') return in_.fail("unpacking with * or ** is not supported", at);
        if (c == '.') return in_.fail("'.' does not begin a literal", at);
        if (c == '\0') return in_.fail("a NUL byte", at);
        const char* const p = in_.text().data() + at;
        const std::size_t length = utf8::sequence_length(p, in_.text().data() + in_.text().size());
        if (length == 0) return in_.fail("a byte that is not UTF-8", at);
        if (!unicode::is_python_printable(utf8::code_point(p, length))) return in_.fail("an invisible character", at);
        return in_.fail(excerpt({p, length}) + " does not begin a literal", at);
    }

private:
    bool enter() {
        if (open_ - around_ == limit_) {
            return in_.fail("brackets nest deeper than " + std::to_string(limit_), in_.position());
        }
        ++open_;
        in_.advance(1);
        return true;
    }

    bool leave() noexcept {
        --open_;
        in_.advance(1);
        return true;
    }

    bool fail_operator() { return in_.fail("only literals are read, nothing is evaluated", in_.position()); }

    [[nodiscard]] bool is_operator() const {
        if (is_one_of(in_.peek(), "+-*/%|&^<>@=!.:")) return true;
        Scanner ahead = in_;
        const std::string_view word = ahead.identifier();
        for (const std::string_view known : {"if", "else", "and", "or", "not", "in", "is", "for", "async"}) {
            if (word == known) return true;
        }
        return false;
    }

    /// Reads one string, or several adjacent ones, which are one value.
    bool strings(Json& out) {
        std::string text;
        for (StringStart start = string_start(in_); start.kind != StringKind::none; start = string_start(in_)) {
            if (!read_string(in_, start, text) || !skip_blanks()) return false;
        }
        out = std::move(text);
        return true;
    }

    bool number(Json& out, bool negative) {
        const std::size_t begin = in_.position();
        Number number;
        if (!read_number(in_, number)) return false;
        if (number.is_float) {
            out = negative ? -number.real : number.real;
        } else if (!negative) {
            out = number.magnitude;
        } else if (number.magnitude <= std::uint64_t{1} << 63U) {
            out = static_cast<std::int64_t>(std::uint64_t{0} - number.magnitude);
        } else {
            return in_.fail(integer_range, begin);
        }
        return true;
    }

    /// A sign may precede only a number, but the number may be in parentheses: `-(1)`, not `--1`.
    bool signed_number(Json& out) {
        const bool negative = in_.peek() == '-';
        in_.advance(1);
        const std::size_t outside = open_;
        std::size_t opener = in_.position();
        if (!skip_blanks()) return false;
        while (in_.peek() == '(') {
            opener = in_.position();
            if (!enter() || !skip_blanks()) return false;
        }
        if (!ascii::is_digit(in_.peek()) && !(in_.peek() == '.' && ascii::is_digit(in_.peek(1)))) {
            return in_.fail("a sign may precede only a number", in_.position());
        }
        if (!number(out, negative)) return false;
        while (open_ != outside) {
            if (!skip_blanks()) return false;
            if (in_.peek() != ')') return fail_after_value(opener, ')');
            leave();
        }
        return true;
    }

    /// Reads up to the closing bracket. Sets `comma` to whether there was one, and `hashable` to whether all items are.
    bool sequence(char closer, JsonArray& items, bool& comma, bool& hashable) {
        const std::size_t opener = in_.position();
        if (!enter()) return false;
        while (true) {
            if (!skip_blanks()) return false;
            if (in_.at_end()) return fail_unclosed(opener);
            if (in_.peek() == closer) return leave();
            bool item_hashable = true;
            if (!value(items.emplace_back(), item_hashable) || !skip_blanks()) return false;
            hashable = hashable && item_hashable;
            if (in_.peek() == closer) return leave();
            if (in_.peek() != ',') return fail_after_value(opener, closer);
            comma = true;
            in_.advance(1);
        }
    }

    bool list(Json& out, bool& hashable) {
        bool ignored = false;
        out = Json::array();
        if (!sequence(']', out.get_ref<JsonArray&>(), ignored, ignored)) return false;
        hashable = false;
        return true;
    }

    /// Reads a tuple, or one value in parentheses.
    bool parenthesis(Json& out, bool& hashable) {
        bool comma = false;
        JsonArray items;
        if (!sequence(')', items, comma, hashable)) return false;
        if (items.size() == 1 && !comma) {
            out = std::move(items.front());
        } else {
            out = std::move(items);
        }
        return true;
    }

    /// Reads a dict or a set, depending on what follows the first item.
    bool braces(Json& out, bool& hashable) {
        const std::size_t opener = in_.position();
        if (!enter() || !skip_blanks()) return false;
        if (in_.peek() == '}') {
            out = Json::object();
            hashable = false;
            return leave();
        }
        if (in_.at_end()) return fail_unclosed(opener);
        std::size_t begin = in_.position();
        Json first;
        bool first_hashable = true;
        if (!value(first, first_hashable) || !skip_blanks()) return false;
        hashable = false;
        return in_.peek() == ':' ? dict(out, std::move(first), begin, opener)
                                 : set(out, std::move(first), first_hashable, begin, opener);
    }

    /// Continues at the colon after the first key.
    bool dict(Json& out, Json key, std::size_t begin, std::size_t opener) {
        out = Json::object();
        ObjectBuilder builder(out.get_ref<Json::object_t&>());
        bool ignored = true;
        while (true) {
            if (!key.is_string()) return in_.fail("a key must be a string", begin);
            if (in_.peek() != ':') return fail_missing_colon(opener);
            in_.advance(1);
            Json item;
            if (!skip_blanks() || !value(item, ignored) || !skip_blanks()) return false;
            builder.insert_or_replace(key.get_ref<const std::string&>(), std::move(item));
            if (in_.peek() == ',') {
                in_.advance(1);
                if (!skip_blanks()) return false;
            } else if (in_.peek() != '}') {
                return fail_after_value(opener, '}');
            }
            if (in_.peek() == '}') return leave();
            if (in_.at_end()) return fail_unclosed(opener);
            begin = in_.position();
            if (!value(key, ignored) || !skip_blanks()) return false;
        }
    }

    bool fail_missing_colon(std::size_t opener) {
        return in_.at_end() ? fail_unclosed(opener) : in_.fail("a colon is missing after the key", in_.position());
    }

    /// Continues after the first item.
    bool set(Json& out, Json item, bool hashable, std::size_t begin, std::size_t opener) {
        out = Json::array();
        SetBuilder builder(out.get_ref<JsonArray&>());
        while (true) {
            if (!hashable) return in_.fail("a set cannot hold a list, dict or set", begin);
            builder.insert(std::move(item));
            if (in_.peek() == ',') {
                in_.advance(1);
                if (!skip_blanks()) return false;
            } else if (in_.peek() != '}') {
                return fail_after_value(opener, '}');
            }
            if (in_.peek() == '}') return leave();
            if (in_.at_end()) return fail_unclosed(opener);
            begin = in_.position();
            item = nullptr;
            if (!value(item, hashable) || !skip_blanks()) return false;
        }
    }

    bool word(Json& out, bool& hashable) {
        const std::size_t begin = in_.position();
        const std::string_view name = in_.identifier();
        if (name == "None" || name == "null") {
            out = nullptr;
        } else if (name == "True" || name == "true") {
            out = true;
        } else if (name == "False" || name == "false") {
            out = false;
        } else {
            return name == "set" ? empty_set(out, hashable, begin) : fail_word(name, begin);
        }
        return true;
    }

    bool empty_set(Json& out, bool& hashable, std::size_t begin) {
        hashable = false;
        out = Json::array();
        if (!skip_blanks()) return false;
        if (in_.peek() != '(') return fail_word("set", begin);
        in_.advance(1);
        ++open_;
        const bool blanks = skip_blanks();
        --open_;
        if (!blanks) return false;
        if (in_.peek() != ')') return in_.fail("set() must be empty; write the items as {1, 2}", begin);
        in_.advance(1);
        return true;
    }

    bool fail_word(std::string_view name, std::size_t begin) {
        const bool prefix = in_.peek() == '\'' || in_.peek() == '"';
        if (prefix) return in_.fail(excerpt(name) + " is not a string prefix", begin);
        return in_.fail(excerpt(name) + " is a name, not a literal", begin);
    }

    Scanner& in_;
    std::size_t open_;
    std::size_t limit_;
    std::size_t around_;
};

}  // namespace acta::inline ACTA_ABI::pysyntax_detail
