// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <string>

#include "acta/base/json_value.hpp"
#include "acta/describe/describe.hpp"
#include "acta/pysyntax/print_call.hpp"

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

/// A function call with the id under which its result is returned.
struct AssistantToolCall {
    /// The id under which the result is returned.
    std::string id{};
    /// The call.
    AssistantFunctionCall function{};

    friend bool operator==(const AssistantToolCall&, const AssistantToolCall&) = default;
    /// Prints `to_string`.
    friend std::ostream& operator<<(std::ostream& out, const AssistantToolCall& call) { return out << call.function; }
};

/// Returns the text of its function call.
[[nodiscard]] inline std::string to_string(const AssistantToolCall& call) { return to_string(call.function); }

template <>
struct Describe<AssistantFunctionCall> {
    static constexpr auto fields = acta::fields(required("name", &AssistantFunctionCall::name),
                                                required("arguments", &AssistantFunctionCall::arguments));
};

template <>
struct Describe<AssistantToolCall> {
    static constexpr auto fields =
        acta::fields(required("id", &AssistantToolCall::id), required_literal("type", "function"),
                     required("function", &AssistantToolCall::function));
};

}  // namespace acta::inline ACTA_ABI
