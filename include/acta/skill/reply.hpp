// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acta/chat/message.hpp"
#include "acta/skill/context.hpp"
#include "acta/skill/declaration.hpp"

// Reads the arguments of a skill's call from a model's answer, in whichever form it has them.
namespace acta::inline ACTA_ABI {

/// A reply has no readable call of the skill.
class UnreadableReply : public SkillError {
public:
    using SkillError::SkillError;
};

/// The forms in which a model states arguments.
enum class ArgumentsMode {
    any,         ///< Any of them; the question is the reference's, with call syntax in the examples.
    tool_call,   ///< A native tool call.
    json,        ///< A JSON object.
    call_syntax  ///< `search(query="tides")`.
};

/// Returns the arguments in a reply, in the form that `mode` asks for. Throws `UnreadableReply`, or `CallSyntaxError`
/// with the position of the fault. Linear in the size of the reply.
///
/// @code{.cpp}
/// acta::Skill skill;
/// skill.name = "search";
/// acta::AssistantChatMessage reply{.content = "Here it is: {\"query\": \"tides\"}"};
/// acta::JsonObject arguments = acta::read_reply(skill, reply, acta::ArgumentsMode::json);
/// @endcode
[[nodiscard]] JsonObject read_reply(const Skill& skill, const AssistantChatMessage& message,
                                    ArgumentsMode mode = ArgumentsMode::any);

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/skill/detail/reply.inl.hpp"
#endif
