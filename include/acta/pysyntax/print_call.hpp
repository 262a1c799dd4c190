// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "acta/base/json_value.hpp"
#include "acta/pysyntax/repr.hpp"

namespace acta::inline ACTA_ABI {

/// Appends `name(key=<repr>, …)`; see `print_call`.
inline void append_call(std::string& out, std::string_view name, const JsonObject& arguments) {
    out.append(name).append("(");
    bool first = true;
    for (const auto& [key, value] : arguments) {
        if (!first) out += ", ";
        first = false;
        out.append(key).append("=");
        append_python_repr(out, value);
    }
    out += ')';
}

/// Returns the call in Python's syntax, `name(key=<repr>, …)`. Name and keys are written as they are. If the name is
/// an identifier, perhaps with dots and hyphens inside, the keys are distinct identifiers and the numbers finite,
/// `parse_call` returns the same call. Linear in the size of the arguments.
///
/// @code{.cpp}
/// std::string text = acta::print_call("search", {{"query", "it's low tide"}, {"limit", 3}});
/// // search(query="it's low tide", limit=3)
/// @endcode
[[nodiscard]] inline std::string print_call(std::string_view name, const JsonObject& arguments) {
    std::string out;
    append_call(out, name, arguments);
    return out;
}

}  // namespace acta::inline ACTA_ABI
