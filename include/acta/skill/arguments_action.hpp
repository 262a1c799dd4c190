// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/observe/observer.hpp"
#include "acta/skill/context.hpp"
#include "acta/skill/declaration.hpp"
#include "acta/skill/registry.hpp"

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

/// One request of a model for arguments.
struct ArgumentsAttempt {
    AssistantChatMessage message{};  ///< The answer; empty if there was none.
    /// The tokens, if the model states them.
    std::optional<TokenUsage> usage{};
    std::optional<ErrorInfo> error{};  ///< Why the answer could not be used.

    friend bool operator==(const ArgumentsAttempt&, const ArgumentsAttempt&) = default;
};

/// The outcome of asking a model for arguments.
struct ParsedArguments {
    std::optional<JsonObject> arguments{};     ///< Empty if every attempt failed.
    std::string reply{};                       ///< The last answer, with its tool calls printed.
    std::vector<ArgumentsAttempt> attempts{};  ///< All of them, in order.
    std::optional<ErrorInfo> error{};          ///< That of the last attempt, if there are no arguments.

    friend bool operator==(const ParsedArguments&, const ParsedArguments&) = default;
};

/// Asks a model for the arguments with which a call of a skill does something asked for in plain words.
///
/// @code{.cpp}
/// acta::Skill skill;
/// skill.name = "search";
/// skill.parameters.emplace().emplace("query", acta::Skill::Parameter{.type = "string"});
/// const auto model = [](std::span<const acta::ChatMessage>, const acta::ChatOptions&) {
///     acta::ChatCompletion completion;   // from a client, such as acta::openai::ChatModel
///     completion.message.content = "search(query='tides')";
///     return completion;
/// };
///
/// acta::ArgumentsParsingAction action;
/// action.skill = skill;
/// action.ask = "Find out about tides.";
/// acta::ParsedArguments parsed = action.run(model);
/// if (parsed.arguments) std::string text = acta::dump(*parsed.arguments);   // {"query":"tides"}
/// @endcode
struct ArgumentsParsingAction {
    /// The skill to call.
    Skill skill{};
    /// The purpose of the call, in plain words.
    std::string ask{};
    /// The form in which the model states the arguments.
    ArgumentsMode mode = ArgumentsMode::any;
    std::size_t max_attempts = 3;  ///< How often the model is asked at most; 0 is taken as 1.
    /// Instructions before the question.
    std::vector<std::string> system_messages{"You are a function parser.",
                                             "You can convert spoken words into function parameters."};
    /// Makes the question; if empty, `arguments_prompt` or the question for the mode is used.
    std::function<std::string(const Skill& skill, std::string_view ask)> make_prompt{};
    /// Makes the question after an unusable answer; if empty, the built-in one is used.
    std::function<std::string(const Skill& skill, std::string_view error)> make_retry_prompt{};
    /// A further check of arguments that could be read: if it throws, the model is asked again.
    std::function<void(const JsonObject& arguments)> check{};
    ChatOptions options{};  ///< Options of the requests; tools and schema are replaced by those of the mode.
    /// How exceptions become records.
    ErrorOptions errors{};
    Observer* observer = nullptr;  ///< Gets one event for the whole (`ask`), unless it is null.

    /// Returns the first question.
    [[nodiscard]] std::string prompt() const;

    /// Asks, and asks again with the error if the answer cannot be used. Failures are part of the result and never
    /// thrown; an exception of the model ends the attempts.
    template <ChatModel Model>
    [[nodiscard]] ParsedArguments run(Model&& model) const {
        return ask_model(ChatModelRef(model), nullptr);
    }
    /// As above, and asks again if the registered function does not take the arguments.
    template <ChatModel Model>
    [[nodiscard]] ParsedArguments run(Model&& model, const SkillRegistry& registry) const {
        return ask_model(ChatModelRef(model), &registry);
    }

private:
    [[nodiscard]] std::vector<ChatMessage> first_messages() const;
    [[nodiscard]] ChatOptions mode_options() const;
    [[nodiscard]] std::string retry_prompt(const ErrorInfo& error) const;
    [[nodiscard]] JsonObject checked_arguments(const AssistantChatMessage& message,
                                               const SkillRegistry* registry) const;
    [[nodiscard]] ParsedArguments ask_model(const ChatModelRef& model, const SkillRegistry* registry) const;
};

/// The reference's spelling of `ArgumentsParsingAction`.
using ArgumentsParingAction = ArgumentsParsingAction;

/// A call of a skill, ready to be run. Only the name of the skill matters.
///
/// @code{.cpp}
/// acta::SkillRegistry skills;
/// skills.add("double", "Doubles a number.", [](int n) { return 2 * n; }, "n");
/// acta::SkillAction action;
/// action.skill.name = "double";
/// action.arguments = {{"n", 21}};
/// acta::ActionResult result = action.run(skills);   // 42
/// @endcode
struct SkillAction {
    /// The skill; its name is enough.
    Skill skill{};
    /// The arguments of the call.
    JsonObject arguments{};

    /// Calls the function of this name. Every failure is returned as a result; see `SkillRegistry::call`.
    [[nodiscard]] ActionResult run(const SkillRegistry& registry, const SkillRunOptions& options = {}) const noexcept;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/skill/detail/arguments_action.inl.hpp"
#endif
