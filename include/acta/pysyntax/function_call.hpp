// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <string>

#include "acta/base/json_value.hpp"
#include "acta/pysyntax/repr.hpp"

namespace acta::inline ACTA_ABI {

/// A call of a function that a model asks for: its name, and its arguments in the order of the model.
struct AssistantFunctionCall {
    /// The name of the function.
    std::string name{};
    /// The arguments by name, in the order of the model.
    JsonObject arguments{};

    /// Returns whether the names and the arguments are equal; the order of the arguments counts.
    friend bool operator==(const AssistantFunctionCall& a, const AssistantFunctionCall& b) {
        return a.name == b.name && base::equal(a.arguments, b.arguments);
    }
    /// Prints `to_string`.
    friend std::ostream& operator<<(std::ostream& out, const AssistantFunctionCall& call) {
        return out << print_call(call.name, call.arguments);
    }
};

/// Returns `name(key=<python repr>, ...)`, which `parse_call` reads back.
[[nodiscard]] inline std::string to_string(const AssistantFunctionCall& call) {
    return print_call(call.name, call.arguments);
}

}  // namespace acta::inline ACTA_ABI
