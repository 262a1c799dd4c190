// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/json/issue.hpp"

namespace acta::inline ACTA_ABI {

namespace json_detail {

[[gnu::cold]] ACTA_INLINE void append_pointer_key(std::string& out, std::string_view key) {
    for (const char c : key) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
}

[[gnu::cold]] ACTA_INLINE std::string loc_as_dots(const std::vector<LocElement>& loc) {
    std::string out;
    for (const auto& element : loc) {
        if (!out.empty()) out += '.';
        if (const auto* key = std::get_if<std::string>(&element))
            out += *key;
        else
            out += std::to_string(std::get<std::size_t>(element));
    }
    return out;
}

/// The start of a value in one line. A line break in JSON is outside of its texts, and so is the indentation after it.
[[gnu::cold]] ACTA_INLINE std::string input_line(std::string_view input) {
    std::string out;
    for (std::size_t at = 0; at < input.size(); ++at) {
        out += input[at];
        if (input[at] != '\n' && input[at] != '\r') continue;
        out.back() = ' ';
        at = std::min(input.find_first_not_of(" \t\r\n", at), input.size()) - 1;
    }
    return unicode::one_line(out);
}

/// One line for the place of an issue and one for its description, whatever they contain.
[[gnu::cold]] ACTA_INLINE std::string validation_text(const std::string& title, const std::vector<Issue>& issues,
                                                      bool truncated) {
    std::string out = std::to_string(issues.size());
    out += issues.size() == 1 ? " validation error for " : " validation errors for ";
    out += unicode::one_line(title);
    for (const Issue& issue : issues) {
        out += '\n';
        if (!issue.loc.empty()) base::append(out, {unicode::one_line(loc_as_dots(issue.loc)), "\n"});
        base::append(out, {"  ", unicode::one_line(issue.message), " [type=", issue.type});
        if (!issue.input.empty()) base::append(out, {", input=", input_line(issue.input)});
        if (issue.line != 0 && issue.type != "json_invalid")
            base::append(out, {", line ", std::to_string(issue.line), " column ", std::to_string(issue.column)});
        out += ']';
    }
    if (truncated) out += "\n  (reading stopped here: the limit of issues was reached)";
    return out;
}

}  // namespace json_detail

[[gnu::cold]] ACTA_INLINE std::string Issue::pointer() const {
    std::string out;
    for (const LocElement& element : loc) {
        out += '/';
        if (const auto* key = std::get_if<std::string>(&element))
            json_detail::append_pointer_key(out, *key);
        else
            out += std::to_string(std::get<std::size_t>(element));
    }
    return out;
}

[[gnu::cold]] ACTA_INLINE ValidationError::ValidationError(std::string title, std::vector<Issue> issues, bool truncated)
    : Error(json_detail::validation_text(title, issues, truncated)),
      title_(std::move(title)),
      issues_(std::move(issues)),
      truncated_(truncated) {}

}  // namespace acta::inline ACTA_ABI
