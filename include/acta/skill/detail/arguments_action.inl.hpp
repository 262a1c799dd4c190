// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>
#include <variant>

#include "acta/json/dump.hpp"
#include "acta/observe/scoped_event.hpp"
#include "acta/skill/arguments_action.hpp"
#include "acta/skill/detail/run_skill.hpp"

namespace acta::inline ACTA_ABI {

namespace skill_detail {

/// The question: the reference's, or one that suits the mode.
ACTA_INLINE std::string prompt_for(const Skill& skill, std::string_view ask, ArgumentsMode mode) {
    if (mode == ArgumentsMode::tool_call)
        return "Call the function `" + skill.name + "` so that it does this: " + std::string(ask);
    if (mode != ArgumentsMode::json) return arguments_prompt(skill, ask);
    std::string out = "The function `" + skill.name + "` takes one JSON object of this schema:\n";
    out += dump(call_schema(skill), DumpOptions{.invalid_utf8 = InvalidUtf8::replace});
    out += "\nAnswer with the object alone for which the function does this: ";
    return out.append(ask);
}

/// The model's answer as text, for the record and for the next question.
ACTA_INLINE std::string reply_text(const AssistantChatMessage& message) {
    std::string out = message.content;
    if (!message.tool_calls) return out;
    for (const AssistantToolCall& call : *message.tool_calls) {
        if (!out.empty()) out += '\n';
        out += to_string(call.function);
    }
    return out;
}

ACTA_INLINE ErrorInfo current_error(const ErrorOptions& options) {
    return *std::get<ActionErrorResult>(failure_of_current_exception(options)).error;
}

}  // namespace skill_detail

ACTA_INLINE std::string ArgumentsParsingAction::prompt() const {
    return make_prompt ? make_prompt(skill, ask) : skill_detail::prompt_for(skill, ask, mode);
}

ACTA_INLINE std::vector<ChatMessage> ArgumentsParsingAction::first_messages() const {
    std::vector<ChatMessage> messages;
    messages.reserve(system_messages.size() + 1);
    for (const std::string& text : system_messages) messages.push_back(ChatMessage::system(text));
    messages.push_back(ChatMessage::user(prompt()));
    return messages;
}

ACTA_INLINE ChatOptions ArgumentsParsingAction::mode_options() const {
    ChatOptions out = options;
    if (mode == ArgumentsMode::tool_call) {
        out.tools = {tool_definition(skill)};
        out.tool_choice = ToolChoice::required;
    } else if (mode == ArgumentsMode::json) {
        out.response_schema = call_schema(skill);
    }
    return out;
}

ACTA_INLINE std::string ArgumentsParsingAction::retry_prompt(const ErrorInfo& error) const {
    if (make_retry_prompt) return make_retry_prompt(skill, error.message);
    const std::string form = mode == ArgumentsMode::json        ? "the JSON object alone."
                             : mode == ArgumentsMode::tool_call ? "a call of the function `" + skill.name + "`."
                                                                : "the call of `" + skill.name + "` alone.";
    return "That could not be used: " + error.message + "\nAnswer again, with " + form;
}

ACTA_INLINE JsonObject ArgumentsParsingAction::checked_arguments(const AssistantChatMessage& message,
                                                                 const SkillRegistry* registry) const {
    JsonObject arguments = read_reply(skill, message, mode);
    if (registry != nullptr) registry->check_arguments(skill.name, arguments);
    if (check) check(arguments);
    return arguments;
}

ACTA_INLINE ParsedArguments ArgumentsParsingAction::ask_model(const ChatModelRef& model,
                                                              const SkillRegistry* registry) const {
    ParsedArguments out;
    ScopedEvent watch(observer, event_names::ask);
    const SkillContext limits(options.stop, options.deadline);
    std::vector<ChatMessage> messages;
    ChatOptions asked;
    for (std::size_t i = 0; i < std::max<std::size_t>(max_attempts, 1); ++i) {
        ArgumentsAttempt attempt;
        bool answered = false;
        try {
            limits.check();
            if (i == 0) {
                if (registry != nullptr) static_cast<void>(registry->at(skill.name));
                messages = first_messages();
                asked = mode_options();
            }
            ChatCompletion completion = model(messages, asked);
            attempt.message = std::move(completion.message);
            attempt.usage = completion.usage;
            out.reply = skill_detail::reply_text(attempt.message);
            answered = true;
            out.arguments = checked_arguments(attempt.message, registry);
        } catch (...) {
            attempt.error = skill_detail::current_error(errors);
        }
        out.error = attempt.error;
        out.attempts.push_back(std::move(attempt));
        if (out.arguments || !answered) break;
        messages.push_back(ChatMessage::assistant(out.reply));
        messages.push_back(ChatMessage::user(retry_prompt(*out.error)));
    }
    if (watch) {
        watch.add({{"skill", skill.name}, {"attempts", out.attempts.size()}});
        if (out.error) watch.fail(out.error->message);
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI
