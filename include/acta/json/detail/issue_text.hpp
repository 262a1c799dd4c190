// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "acta/version.hpp"

// Paths as text. Without issue.hpp, whose definitions need this.
namespace acta::inline ACTA_ABI::json_detail {

/// Appends a key with `~` and `/` escaped, as a JSON pointer has it.
[[gnu::cold]] inline void append_pointer_key(std::string& out, std::string_view key) {
    for (const char c : key) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
}

/// `steps.0.name`, as pydantic prints a path.
[[gnu::cold]] inline std::string loc_as_dots(const std::vector<std::variant<std::string, std::size_t>>& loc) {
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

}  // namespace acta::inline ACTA_ABI::json_detail
