// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

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

[[gnu::cold]] ACTA_INLINE std::string validation_text(const std::string& title, const std::vector<Issue>& issues,
                                                      bool truncated) {
    std::string out = std::to_string(issues.size());
    out += issues.size() == 1 ? " validation error for " : " validation errors for ";
    out += title;
    for (const Issue& issue : issues) {
        out += '\n';
        if (!issue.loc.empty()) base::append(out, {loc_as_dots(issue.loc), "\n"});
        base::append(out, {"  ", issue.message, " [type=", issue.type});
        if (!issue.input.empty()) base::append(out, {", input=", issue.input});
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
