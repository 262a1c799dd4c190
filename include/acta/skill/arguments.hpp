// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/skill/declaration.hpp"

// From a declared skill to the question that a model is asked, and from its answer to arguments.
namespace acta::inline ACTA_ABI {

/// Returns the names of a skill's parameters in order, to which positional arguments are bound.
[[nodiscard]] std::vector<std::string> parameter_names(const Skill& skill);

/// Returns the JSON Schema of the arguments of a skill's call: types and descriptions of the parameters, the other keys
/// of their declaration (`enum`, `default`), and the list of those that are `required`.
[[nodiscard]] JsonObject call_schema(const Skill& skill);

/// Returns the skill as a tool that a model may call.
[[nodiscard]] ToolDefinition tool_definition(const Skill& skill);

/// Returns the arguments of the first call of `skill` in `text`, with positional ones bound by the order of its
/// parameters; empty if the text does not call it. Throws `CallSyntaxError`.
///
/// @code{.cpp}
/// acta::Skill skill;
/// skill.name = "search";
/// skill.parameters.emplace().emplace("query", acta::Skill::Parameter{.type = "string"});
/// auto arguments = acta::parse_arguments(skill, "I would call search('tides').");   // {"query": "tides"}
/// @endcode
[[nodiscard]] std::optional<JsonObject> parse_arguments(const Skill& skill, std::string_view text,
                                                        const CallOptions& options = {});

/// Returns the question that makes a model answer with a call of `skill` that does what `ask` says.
[[nodiscard]] std::string arguments_prompt(const Skill& skill, std::string_view ask);

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/skill/detail/arguments.inl.hpp"
#endif
