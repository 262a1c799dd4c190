// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/workers.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/history/history.hpp"
#include "acta/skill/context.hpp"
#include "acta/skill/execute.hpp"

namespace acta::inline ACTA_ABI::agent_detail {

ACTA_INLINE RunResult drive(ChatModelRef model, AgentRun run) {
    const auto observed_model = observed(model, run.options().observer);
    RunState& state = *run.state_;
    state.begin_with_steps();
    base::Workers workers;
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
            const auto overlaps = [&](std::size_t i) { return calls->calls[i].overlaps; };
            const auto work = [&](std::size_t i) { state.run_call(calls->calls[i]); };
            skill_extension::run_calls(workers, calls->calls.size(), run.options().max_parallel, overlaps, work);
        } else {
            return run.leave();
        }
    }
}

ACTA_INLINE RunResult drive(ChatModelRef model, const SkillRegistry& skills, LockableHistory history,
                            const RunOptions& options) {
    return drive(std::move(model), AgentRun(skills, std::move(history), options));
}

ACTA_INLINE RunResult drive_typed(ChatModelRef model, const SkillRegistry& skills, LockableHistory history,
                                  const RunOptions& given, const AnswerType& type) {
    RunOptions options = given;
    if (!type.not_strict.empty() && options.on_event) options.on_event(SchemaNotStrict{type.not_strict});
    if (!options.native_calls) options.chat.schema_in_text = true;
    chat_extension::TypedQuestion question(type.schema, options.chat);
    if (!question.instruction().empty()) {
        if (!options.instructions.empty()) options.instructions += "\n\n";
        options.instructions += question.instruction();
    }
    const auto accept = options.on_answer;
    AnswerCheck check = [&](const AssistantChatMessage& answer) -> std::optional<AnswerRefusal> {
        type.forget();
        try {
            ChatCompletion completion;
            completion.message.content = answer.content;
            type.read(chat_extension::answer_json(completion));
        } catch (const ValidationError& error) {
            std::string faults = chat_extension::faults_of(error);
            std::string letter = question.refusal(faults);
            return AnswerRefusal{std::move(faults), std::move(letter)};
        }
        const std::optional<std::string> refusal = accept ? accept(answer) : std::nullopt;
        if (!refusal) return std::nullopt;
        type.forget();
        return AnswerRefusal{*refusal, *refusal};
    };
    RunResult result = drive(
        model, AgentRun(std::make_unique<RunState>(skills, std::move(history), std::move(options), std::move(check))));
    if (result.end != RunEnd::answered) type.forget();
    return result;
}

}  // namespace acta::inline ACTA_ABI::agent_detail

namespace acta::inline ACTA_ABI {

namespace agent_detail {

/// Replaces a function by one that locks the mutex while it is called.
template <class Result, class... Arguments>
void serialize(std::function<Result(Arguments...)>& function, const std::shared_ptr<std::recursive_mutex>& mutex) {
    if (!function) return;
    function = [mutex, inner = std::move(function)](Arguments... arguments) -> Result {
        const std::lock_guard lock(*mutex);
        return inner(arguments...);
    };
}

/// Makes options for several runs at a time: no two of their functions are called at once.
ACTA_INLINE void serialize(RunOptions& options) {
    const auto mutex = std::make_shared<std::recursive_mutex>();
    const auto each = [&mutex](auto&... functions) { (serialize(functions, mutex), ...); };
    each(options.price, options.prepare, options.on_answer, options.approve, options.rerun, options.on_event,
         options.on_text, options.chat.on_text, options.chat.on_event);
}

/// Runs an agent that is a tool, and keeps its history with the call of the run around it, also if it fails.
ACTA_INLINE RunResult drive_inner(const AnyChatModel& model, const SkillRegistry& skills,
                                  EpisodicActionHistory<>& history, RunOptions options, SkillContext& context) {
    auto* const outer = RunState::of(context.outer_run());
    stop_source ending;
    const auto end = [&ending] { ending.request_stop(); };
    const stop_callback at_stop(context.stop_token(), end);
    const stop_callback at_end(outer == nullptr ? stop_token() : outer->ending(), end);
    options.until.stop = ending.get_token();
    if (context.deadline()) options.until = options.until.not_after(*context.deadline());
    if (outer != nullptr) outer->pass_on(options, context.tool_call_id());
    if (options.approve) {
        options.approve = [ask = std::move(options.approve)](const AssistantToolCall& call) {
            Approval approval = ask(call);
            if (!approval.undecided) return approval;
            return Approval::no("No decision on this is possible at the moment.");
        };
    }
    const auto keep = [&] {
        if (outer != nullptr) outer->add_sub_run(context.tool_call_id(), to_json_value(history));
    };
    std::optional<RunResult> result;
    try {
        result = drive(model, AgentRun(skills, history, std::move(options)));
    } catch (...) {
        keep();  // its calls had their effects
        throw;
    }
    keep();
    return *std::move(result);
}

}  // namespace agent_detail

ACTA_INLINE RunTimeTool agent_tool(std::string name, std::string description, AnyChatModel model, SkillRegistry skills,
                                   RunOptions options) {
    RunTimeTool out;
    out.definition.name = std::move(name);
    out.definition.description = std::move(description);
    out.definition.parameters = parse<Json>(
        R"({"type": "object", "properties": {"task": {"type": "string", "description": "What to do, with everything that is needed to know for it."}}, "required": ["task"], "additionalProperties": false})");
    agent_detail::serialize(options);  // calls of the tool may run at the same time
    const std::vector<std::string> names = skills.names();
    if (std::ranges::all_of(names, [&](const auto& one) { return skills.at(one).hints().read_only == true; }))
        out.hints.read_only = true;
    out.function = [model = std::move(model), skills = std::move(skills), options = std::move(options)](
                       const JsonObject& arguments, SkillContext& context) {
        EpisodicActionHistory<> history;
        history.register_message(ChatMessage::user(arguments.at("task").get<std::string>()));
        const RunResult run = agent_detail::drive_inner(model, skills, history, options, context);
        if (run.end == RunEnd::answered) return skill_extension::succeeded(run.answer);
        const std::string said = run.answer.empty() ? "" : " It said: " + run.answer;
        return skill_extension::failed("AgentFailed", "the agent did not answer: " + to_string(run) + "." + said,
                                       options.call.errors);
    };
    return out;
}

}  // namespace acta::inline ACTA_ABI
