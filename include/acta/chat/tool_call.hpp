// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <string>

#include "acta/describe/describe.hpp"
#include "acta/pysyntax/function_call.hpp"

namespace acta::inline ACTA_ABI {

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
