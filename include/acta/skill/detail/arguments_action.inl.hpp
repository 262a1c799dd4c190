// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/observe/observer.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/skill/arguments_action.hpp"
#include "acta/skill/declaration.hpp"
#include "acta/skill/detail/registry.inl.hpp"

namespace acta::inline ACTA_ABI {

namespace skill_detail {

/// Returns the position after the `}` that closes the `{` at `begin`, or npos. Skips braces in JSON strings.
ACTA_INLINE std::size_t object_end(std::string_view text, std::size_t begin) noexcept {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t i = begin; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return std::string_view::npos;
}

/// Returns the first JSON object in a text. Throws `UnreadableReply` if there are candidates but none can be read.
/// Linear, since no part of the text is scanned twice; gives up after a hundred candidates.
ACTA_INLINE std::optional<JsonObject> find_object(std::string_view text) {
    std::string fault;
    constexpr int max_candidates = 100;
    std::size_t begin = text.find('{');
    for (int tried = 0; begin != std::string_view::npos && tried < max_candidates; ++tried) {
        const std::size_t end = object_end(text, begin);
        if (end == std::string_view::npos) {
            if (fault.empty()) fault = "the JSON object is never closed";
            break;
        }
        try {
            return parse<JsonObject>(text.substr(begin, end - begin), {.keep_large_numbers = true});
        } catch (const ValidationError& error) {
            if (fault.empty()) fault = error.issues().empty() ? error.what() : error.issues().front().message;
        }
        begin = text.find('{', end);
    }
    if (!fault.empty()) throw UnreadableReply("the JSON object of the reply cannot be read: " + fault);
    return std::nullopt;
}

/// Unwraps arguments that a model wrote as `{"name": ..., "arguments": ...}`.
ACTA_INLINE JsonObject unwrapped(const Skill& skill, JsonObject object) {
    const auto name = object.find("name");
    if (name == object.end() || name->second != Json(skill.name)) return object;
    for (const char* const key : {"arguments", "parameters", "args"}) {
        const bool own = skill.parameters && skill.parameters->find(key) != skill.parameters->end();
        const auto found = object.find(key);
        if (own || found == object.end()) continue;
        Json& inner = found->second;
        if (inner.is_object()) return JsonObject(std::move(inner.get_ref<Json::object_t&>()));
        if (inner.is_string())
            return parse<JsonObject>(inner.get_ref<const std::string&>(), {.keep_large_numbers = true});
    }
    return object;
}

ACTA_INLINE std::optional<JsonObject> native_arguments(const Skill& skill, const AssistantChatMessage& message) {
    if (!message.tool_calls || message.tool_calls->empty()) return std::nullopt;
    for (const AssistantToolCall& call : *message.tool_calls) {
        if (call.function.name == skill.name) return call.function.arguments;
    }
    throw UnreadableReply("the reply calls " + message.tool_calls->front().function.name + ", not " + skill.name);
}

ACTA_INLINE std::optional<JsonObject> json_arguments(const Skill& skill, std::string_view text) {
    std::optional<JsonObject> object = find_object(text);
    if (object) object = unwrapped(skill, *std::move(object));
    return object;
}

/// Returns the place of the object with which a text begins, perhaps in a code fence; npos if it begins otherwise.
ACTA_INLINE std::size_t leading_object(std::string_view text) {
    std::size_t first = text.find_first_not_of(" \t\r\n`");
    if (first == std::string_view::npos) return first;
    if (text.substr(first).starts_with("json")) first = text.find_first_not_of(" \t\r\n", first + 4);
    return first != std::string_view::npos && text[first] == '{' ? first : std::string_view::npos;
}

/// Overwrites a part of a text with blanks, so that nothing is read there and the rest keeps its place.
ACTA_INLINE void blank(std::string& text, std::size_t begin, std::size_t end) {
    end = std::min(end, text.size());
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
}

/// Returns the text without calls of the skill: no object is taken from the arguments of one that cannot be read.
ACTA_INLINE std::string without_calls(const Skill& skill, std::string_view text) {
    std::string out(text);
    std::vector<UnreadCall> unread;
    CallOptions options;
    options.lenient = true;
    options.report = &unread;
    const std::string* const name = &skill.name;
    for (const ParsedCall& call : parse_calls(text, std::span(name, 1), options)) blank(out, call.begin, call.end);
    for (const UnreadCall& call : unread) blank(out, call.begin, call.end);
    return out;
}

/// Reads call syntax or a JSON object; the one at the beginning of the text is tried first, and its failure reported.
/// Neither is read from inside of the other one if that could not be read.
ACTA_INLINE std::optional<JsonObject> text_arguments(const Skill& skill, std::string_view text) {
    if (const std::size_t object = leading_object(text); object != std::string_view::npos) {
        try {
            if (auto found = json_arguments(skill, text)) return found;
        } catch (const Error&) {
            std::string rest(text);
            blank(rest, object, object_end(text, object));
            if (auto found = parse_arguments(skill, rest)) return found;
            throw;
        }
    }
    try {
        if (auto found = parse_arguments(skill, text)) return found;
    } catch (const CallSyntaxError&) {
        try {
            if (auto found = json_arguments(skill, without_calls(skill, text))) return found;
        } catch (const Error&) {
        }
        throw;
    }
    return json_arguments(skill, text);
}

}  // namespace skill_detail

ACTA_INLINE JsonObject read_reply(const Skill& skill, const AssistantChatMessage& message, ArgumentsMode mode) {
    std::optional<JsonObject> found;
    if (mode == ArgumentsMode::any || mode == ArgumentsMode::tool_call)
        found = skill_detail::native_arguments(skill, message);
    if (mode == ArgumentsMode::json) found = skill_detail::json_arguments(skill, message.content);
    if (mode == ArgumentsMode::call_syntax) found = parse_arguments(skill, message.content);
    if (!found && mode == ArgumentsMode::any) found = skill_detail::text_arguments(skill, message.content);
    if (!found) {
        const char* const form = mode == ArgumentsMode::json        ? " has no JSON object with the arguments of "
                                 : mode == ArgumentsMode::tool_call ? " has no tool call of "
                                                                    : " does not call ";
        throw UnreadableReply("the reply" + std::string(form) + skill.name);
    }
    return *std::move(found);
}

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
    return *std::get<ActionErrorResult>(outcome_of_current_exception(options).result).error;
}

}  // namespace skill_detail

ACTA_INLINE std::string ArgumentsParsingAction::prompt() const {
    return make_prompt ? make_prompt(skill, ask) : skill_detail::prompt_for(skill, ask, mode);
}

ACTA_INLINE std::vector<ChatMessage> ArgumentsParsingAction::first_messages() const {
    std::vector<ChatMessage> messages;
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
    const SkillContext limits(options.until);
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

ACTA_INLINE ActionResult SkillAction::run(const SkillRegistry& registry,
                                          const SkillRunOptions& options) const noexcept {
    try {
        return registry.call(skill.name, arguments, options);
    } catch (...) {  // no memory for a copy of the arguments
        return skill_detail::outcome_of_current_exception(options.errors).result;
    }
}

}  // namespace acta::inline ACTA_ABI
