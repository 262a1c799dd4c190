// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/skill/execute.hpp"

namespace acta::inline ACTA_ABI::agent_detail {

ACTA_INLINE RunResult drive(ChatModelRef model, AgentRun run) {
    const auto observed_model = observed(model, run.options().observer);
    while (true) {
        const AgentStep& step = run.next();
        if (const auto* const request = std::get_if<AskModel>(&step)) {
            std::optional<ChatCompletion> completion;
            try {
                completion = observed_model(request->messages, request->options);
            } catch (...) {
                run.fail(std::current_exception());
            }
            if (completion) run.give(*std::move(completion));
        } else if (const auto* const calls = std::get_if<RunCalls>(&step)) {
            skill_extension::run_parallel(calls->calls.size(), run.options().max_parallel, [&](std::size_t i) {
                run.give(calls->calls[i].call.id, run.call(calls->calls[i]));
            });
        } else {
            return run.leave();
        }
    }
}

ACTA_INLINE RunResult drive_typed(ChatModelRef model, const SkillRegistry& skills, LockableHistory history,
                                  RunOptions options, const AnswerType& type) {
    const std::string schema = dump(type.schema);
    if (options.native_calls) {
        if (!options.chat.response_schema) options.chat.response_schema = type.schema;
    } else {
        if (!options.instructions.empty()) options.instructions += "\n\n";
        options.instructions += "Answer with JSON alone, of this schema: " + schema;
    }
    const auto accept = std::move(options.on_answer);
    options.on_answer = [&](const AssistantChatMessage& answer) -> std::optional<std::string> {
        type.forget();
        try {
            ChatCompletion completion;
            completion.message.content = answer.content;
            type.read(chat_extension::answer_json(completion));
        } catch (const ValidationError& error) {
            return "That answer cannot be used: " + std::string(base::what_of(error)) +
                   "\nAnswer again, with JSON alone, of this schema: " + schema;
        }
        std::optional<std::string> refusal = accept ? accept(answer) : std::nullopt;
        if (refusal) type.forget();
        return refusal;
    };
    RunResult result = drive(model, AgentRun(skills, std::move(history), std::move(options)));
    if (result.end != RunEnd::answered) type.forget();
    return result;
}

}  // namespace acta::inline ACTA_ABI::agent_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE RunTimeTool agent_tool(std::string name, std::string description, AnyChatModel model, SkillRegistry skills,
                                   RunOptions options) {
    RunTimeTool out;
    out.definition.name = std::move(name);
    out.definition.description = std::move(description);
    out.definition.parameters = parse<Json>(
        R"({"type": "object", "properties": {"task": {"type": "string", "description": "What to do, with everything that is needed to know for it."}}, "required": ["task"], "additionalProperties": false})");
    out.function = [model = std::move(model), skills = std::move(skills), options = std::move(options)](
                       const JsonObject& arguments, SkillContext& context) {
        EpisodicActionHistory<> history;
        history.register_message(ChatMessage::user(arguments.at("task").get<std::string>()));
        RunOptions own = options;
        own.until.stop = context.stop_token();
        if (context.deadline()) own.until = own.until.not_after(*context.deadline());
        auto* const outer = static_cast<agent_detail::RunState*>(context.outer_run());
        if (outer != nullptr) outer->pass_on(own, context.tool_call_id());
        if (own.approve) {
            own.approve = [ask = std::move(own.approve)](const AssistantToolCall& call) {
                Approval approval = ask(call);
                if (!approval.undecided) return approval;
                return Approval::no("No decision on this is possible at the moment.");
            };
        }
        const ErrorOptions errors = own.call.errors;
        const RunResult run = agent_detail::drive(model, AgentRun(skills, history, std::move(own)));
        if (outer != nullptr) outer->add_sub_run(context.tool_call_id(), to_json_value(history));
        if (run.end == RunEnd::answered) return skill_extension::succeeded(run.answer);
        const std::string said = run.answer.empty() ? "" : " It said: " + run.answer;
        return skill_extension::failed("AgentFailed", "the agent did not answer: " + to_string(run) + "." + said,
                                       errors);
    };
    return out;
}

}  // namespace acta::inline ACTA_ABI
