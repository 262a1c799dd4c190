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
namespace acta::inline v0 {

/// The names of a skill's parameters in order, to which positional arguments are bound.
[[nodiscard]] std::vector<std::string> parameter_names(const Skill& skill);

/// The JSON Schema of the arguments of a skill's call: the types and descriptions of the parameters, all else that the
/// declaration says of them (`enum`, `default`), and which of them are `required`.
[[nodiscard]] JsonObject call_schema(const Skill& skill);

/// The skill as a tool that a model may call.
[[nodiscard]] ToolDefinition tool_definition(const Skill& skill);

/// The arguments of the first call of `skill` in `text`, with positional ones bound by the order of its parameters.
/// Empty where the text does not call it. Throws `CallSyntaxError`.
///
/// @code{.cpp}
/// acta::Skill skill;
/// skill.name = "search";
/// skill.parameters.emplace().emplace("query", acta::Skill::Parameter{.type = "string"});
/// auto arguments = acta::parse_arguments(skill, "I would call search('tides').");   // {"query": "tides"}
/// @endcode
[[nodiscard]] std::optional<JsonObject> parse_arguments(const Skill& skill, std::string_view text,
                                                        const CallOptions& options = {});

/// The question for a model that makes it answer with a call of `skill` that does what `ask` says.
[[nodiscard]] std::string arguments_prompt(const Skill& skill, std::string_view ask);

}  // namespace acta::inline v0

#ifndef ACTA_COMPILED
#include "acta/skill/detail/arguments.inl.hpp"
#endif
