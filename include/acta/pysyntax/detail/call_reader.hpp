// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/pysyntax/call_options.hpp"
#include "acta/pysyntax/detail/collections.hpp"
#include "acta/pysyntax/detail/literal_reader.hpp"
#include "acta/pysyntax/detail/scanner.hpp"
#include "acta/pysyntax/detail/string_literal.hpp"

namespace acta::inline ACTA_ABI::pysyntax_detail {

/// Where the arguments of a call go, and their places, for errors that are found later.
struct LocatedArguments {
    JsonArray& positional;
    JsonObject& keywords;
    std::size_t& end;  ///< after the closing parenthesis
    std::vector<std::size_t>& positional_at;
    std::vector<std::size_t>& keyword_at;
};

/// Reads the arguments between the parentheses of a call.
class ArgumentsReader {
public:
    ArgumentsReader(Scanner& in, const CallOptions& options, const LocatedArguments& out) noexcept
        : in_(in), values_(in, options, 1), out_(out), keywords_(out.keywords) {}

    /// Reads from the opening parenthesis to the closing one.
    bool read() {
        const std::size_t opener = in_.position();
        in_.advance(1);
        while (true) {
            if (!values_.skip_blanks()) return false;
            if (in_.at_end()) return values_.fail_unclosed(opener);
            if (in_.peek() == ')') break;
            if (!argument() || !values_.skip_blanks()) return false;
            if (in_.peek() == ')') break;
            if (in_.peek() != ',') return values_.fail_after_value(opener, ')');
            in_.advance(1);
        }
        in_.advance(1);
        out_.end = in_.position();
        return true;
    }

private:
    bool argument() {
        const std::size_t begin = in_.position();
        const std::string_view key = in_.identifier();
        if (key.empty()) return positional(begin);
        if (!values_.skip_blanks()) return false;
        if (in_.peek() == '=' && in_.peek(1) != '=') return keyword(key, begin);
        const std::size_t reached = in_.position();
        in_.move_to(begin);
        if (positional(begin)) return true;
        // Not back to before a comment, or each of many calls in one would read it.
        in_.move_to(std::max(in_.position(), reached));
        return false;
    }

    bool keyword(std::string_view key, std::size_t begin) {
        in_.advance(1);
        if (keywords_.contains(key)) return in_.fail("the argument " + excerpt(key) + " is given twice", begin);
        Json value;
        bool ignored = true;
        if (!values_.skip_blanks() || !values_.value(value, ignored)) return false;
        keywords_.insert(std::string(key), std::move(value));
        out_.keyword_at.push_back(begin);
        return true;
    }

    bool positional(std::size_t begin) {
        bool ignored = true;
        if (!values_.value(out_.positional.emplace_back(), ignored)) return false;
        if (!out_.keywords.empty()) {
            return in_.fail("a positional argument follows a keyword argument", begin);
        }
        out_.positional_at.push_back(begin);
        return true;
    }

    Scanner& in_;
    LiteralReader values_;
    LocatedArguments out_;
    ObjectBuilder keywords_;
};

/// Returns the offset after the parenthesis that closes the one at `opener`, or npos. Strings are skipped, an
/// apostrophe is not one; other brackets do not matter, as in the interval [0, 1). `read_inside(i)` is asked at each
/// parenthesis inside and returns where to continue: `i` unless it read a call there.
template <class ReadInside>
[[nodiscard]] std::size_t find_call_end(Scanner& in, std::size_t opener, ReadInside read_inside) {
    const std::string_view text = in.text();
    std::size_t depth = 1;
    std::size_t scanned = 1;
    std::size_t end = std::string_view::npos;
    for (std::size_t i = opener + 1; i < text.size(); ++i) {
        ++scanned;
        const char c = text[i];
        if (c == '(') {
            const std::size_t next = read_inside(i);
            if (next == i) {
                ++depth;
            } else {
                i = next - 1;
            }
        } else if (c == ')') {
            if (--depth != 0) continue;
            end = i + 1;
            break;
        } else if (c == '\\') {
            ++i;  // a quote after it opens nothing
        } else if (c == '\'' || c == '"') {
            const std::string_view quote = quote_at(text, i);
            const StringEnd string = find_string_end(in, i + quote.size(), quote);
            if (string.closed) i = string.at + quote.size() - 1;
            if (!string.closed && quote.size() == 3) break;
        }
    }
    in.charge(scanned);
    return end;
}

}  // namespace acta::inline ACTA_ABI::pysyntax_detail
