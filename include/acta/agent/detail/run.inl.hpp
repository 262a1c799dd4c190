// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/base/error.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/skill/execute.hpp"

// Tools for models without native calls.
namespace acta::inline ACTA_ABI::agent_detail {

ACTA_INLINE std::string tools_in_words(const SkillRegistry& skills) {
    std::string out =
        "You have tools. To use one, write its call in Python's syntax with literal values as keyword arguments, such "
        "as `search(query='tides', limit=3)`, and nothing after it; calls of several tools stand in a list. You are "
        "then "
        "told the results. Once you need no tool, answer in plain text without a call. The tools, with the JSON Schema "
        "of their arguments:";
    for (const ToolDefinition& tool : tools(skills))
        out += "\n\n- `" + tool.name + "`: " + tool.description + "\n  " + dump(tool.parameters);
    return out;
}

ACTA_INLINE std::vector<AssistantFunctionCall> calls_in_text(const std::string& text, const SkillRegistry& skills) {
    std::vector<AssistantFunctionCall> out;
    for (ParsedCall& found : parse_calls(text, skills)) {
        if (!found.positional.empty()) {
            const std::string_view written = std::string_view(text).substr(found.begin, found.end - found.begin);
            if (auto bound = parse_arguments(skills.at(found.call.name), written))
                found.call.arguments = *std::move(bound);
        }
        out.push_back(std::move(found.call));
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI::agent_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::string_view to_string(RunEnd end) noexcept {
    switch (end) {
        case RunEnd::answered: return "answered";
        case RunEnd::max_steps: return "max_steps";
        case RunEnd::max_tokens: return "max_tokens";
        case RunEnd::max_cost: return "max_cost";
        case RunEnd::stopped: return "stopped";
        case RunEnd::stuck: return "stuck";
        case RunEnd::failed: break;
    }
    return "failed";
}

ACTA_INLINE std::string to_string(const RunResult& run) {
    std::string out(to_string(run.end));
    if (run.stuck) out += ": " + to_string(*run.stuck);
    if (run.error) out += ": " + run.error->message;
    return out;
}

namespace agent_detail {

using std::chrono::steady_clock;

/// Returns whether there is anything to work on.
[[nodiscard]] ACTA_INLINE bool has_task(HistoryEditor& editor) {
    const HistoryView history = editor.view();
    const auto is_task = [](const ConversationMessage& said) { return said.message.role != ChatRole::system; };
    return history.size() != 0 || !history.pending_feedback().empty() ||
           std::ranges::any_of(history.messages(), is_task);
}
/// Returns the answer with which the history ends.
[[nodiscard]] ACTA_INLINE std::optional<std::string> answer_of(HistoryEditor& history) {
    const ChatMessage* const answer = history.answer();
    return answer == nullptr ? std::nullopt : std::optional(answer->content);
}
/// Returns the calls of the open step that have no result; nothing if no step is open.
[[nodiscard]] ACTA_INLINE std::optional<std::vector<OpenCall>> open_calls_of(HistoryEditor& editor) {
    const HistoryView history = editor.view();
    if (history.cursor() == history.size() || *history.step(history.cursor()).result) return std::nullopt;
    return editor.open_calls();
}

ACTA_INLINE Loop::Loop(ChatModelRef model, const SkillRegistry& skills, LockableHistory history,
                       const RunOptions& options)
    : model_(model),
      skills_(skills),
      history_(std::move(history)),
      options_(options),
      budget_(options.budget),
      instructions_(options.instructions) {
    if (options.native_calls) {
        tools_ = tools(skills);
    } else if (!skills.empty()) {
        if (!instructions_.empty()) instructions_ += "\n\n";
        instructions_ += tools_in_words(skills);
    }
}

ACTA_INLINE RunResult Loop::run() {
    if (!edit(has_task))
        throw Error("the history has nothing to work on: register a message of the user before the run");
    if (const std::optional<std::string> answer = edit(answer_of)) {
        result_.answer = *answer;
        return std::move(result_);
    }
    if (!edit(open_calls_of) || finish_step(true)) {
        while (next_step()) {
        }
    }
    return std::move(result_);
}

ACTA_INLINE bool Loop::end(RunEnd why) noexcept {
    result_.end = why;
    return false;
}

ACTA_INLINE bool Loop::fail(ErrorInfo error) {
    result_.error = std::move(error);
    return end(RunEnd::failed);
}

ACTA_INLINE bool Loop::is_stopped() const {
    return options_.stop.stop_requested() || (options_.deadline && steady_clock::now() >= *options_.deadline);
}

ACTA_INLINE bool Loop::is_within_limits() {
    const std::int64_t tokens = base::saturated_sum(result_.usage.prompt_tokens, result_.usage.completion_tokens);
    if (is_stopped()) return end(RunEnd::stopped);
    if (result_.requests >= options_.max_steps) return end(RunEnd::max_steps);
    if (options_.max_tokens && tokens >= *options_.max_tokens) return end(RunEnd::max_tokens);
    if (options_.max_cost_usd && result_.cost_usd >= *options_.max_cost_usd) return end(RunEnd::max_cost);
    return true;
}

ACTA_INLINE bool Loop::next_step() {
    if (!is_within_limits()) return false;
    if (!edit([](HistoryEditor& history) { return history.take_pending_feedback(); }).empty()) changed();
    ChatCompletion completion;
    return ask(completion) && register_completion(std::move(completion));
}

// Asking the model ---------------------------------------------------------------------------------------------------

ACTA_INLINE bool Loop::ask(ChatCompletion& completion) {
    if (!metrics_.started_at) metrics_ = StepMetrics::start();
    for (bool shorter = false;; shorter = true) {
        std::size_t tokens = 0;
        try {
            completion = request(tokens);
        } catch (const ChatModelError& error) {
            rethrow();
            if (is_stopped()) return end(RunEnd::stopped);
            if (error.fault() != ChatModelFault::context_too_long || shorter)
                return fail(ErrorInfo::from_exception(error, options_.call.errors));
            reduce_budget(tokens);
            continue;
        } catch (...) {
            rethrow();
            if (is_stopped()) return end(RunEnd::stopped);
            return fail(ErrorInfo::from_exception(std::current_exception(), options_.call.errors));
        }
        rethrow();
        account(completion);
        return true;
    }
}

ACTA_INLINE ChatCompletion Loop::request(std::size_t& tokens) {
    ++result_.requests;
    PromptMessages shown = edit([this](HistoryEditor& history) {
        return options_.native_calls ? prompt_extension::native_prompt(history.view(), budget_)
                                     : Prompt(budget_).messages(history.view());
    });
    tokens = shown.report.tokens;
    if (!instructions_.empty()) {
        // Some chat templates take only one message of the system, at the beginning.
        if (!shown.messages.empty() && shown.messages.front().role == ChatRole::system) {
            std::string& said = shown.messages.front().content;
            said = instructions_ + "\n\n" + said;
        } else {
            shown.messages.insert(shown.messages.begin(), ChatMessage::system(instructions_));
        }
    }
    ChatOptions chat = options_.chat;
    chat.tools = tools_;
    chat.stop = options_.stop;
    chat.deadline = options_.deadline;
    if (options_.on_text) {
        chat.on_text = [this](std::string_view text) {
            if (!notify([&] { options_.on_text(text); })) throw Cancelled();  // the exception is thrown by `rethrow`
        };
    }
    return observed(model_, options_.observer)(shown.messages, chat);
}

/// Reduces the budget, after a request of `tokens` tokens was too long.
ACTA_INLINE void Loop::reduce_budget(std::size_t tokens) {
    CompressionOptions all = compression();
    all.keep_recent = 1;
    all.trigger = {};
    const CompressionReport compressed = handle_compression(history_, options_.summarizer, all);
    account(compressed.cost);
    if (!compressed.summarised.empty()) changed();
    budget_.max_tokens = std::min(budget_.max_tokens, tokens / 8);
    budget_.max_rolling_tokens = std::min(budget_.max_rolling_tokens, tokens / 8);
    budget_.max_full_tokens = std::min(budget_.max_full_tokens, tokens / 4);
}

ACTA_INLINE void Loop::account(const ChatCompletion& completion) {
    metrics_.add(completion);
    if (completion.usage) result_.usage += *completion.usage;
    if (!options_.price) return;
    const double price = options_.price(completion);
    metrics_.cost_usd = metrics_.cost_usd.value_or(0) + price;
    result_.cost_usd += price;
}

ACTA_INLINE void Loop::account(const SummaryCost& cost) {
    result_.usage += cost.usage;
    result_.cost_usd += cost.cost_usd.value_or(0);
}

ACTA_INLINE bool Loop::register_completion(ChatCompletion completion) {
    AssistantChatMessage& message = completion.message;
    chat_extension::make_recordable(message);
    std::vector<AssistantFunctionCall> calls;
    if (message.tool_calls && !message.tool_calls->empty()) {
        for (const AssistantToolCall& call : *message.tool_calls) calls.push_back(call.function);
    } else if (!options_.native_calls) {
        try {
            calls = calls_in_text(message.content, skills_);
            for (AssistantFunctionCall& call : calls) chat_extension::make_recordable(call);
        } catch (const CallSyntaxError& error) {
            edit([&](HistoryEditor& history) {
                history.register_message(ChatMessage(message));
                history.register_message(ChatMessage::user(std::string("The call cannot be read: ") + error.what()));
            });
            changed();
            return true;
        }
    }
    if (!calls.empty()) {
        empty_answers_ = 0;
        edit([&](HistoryEditor& history) {
            history.register_action(std::move(message), std::move(calls), std::exchange(metrics_, {}));
        });
        changed();
        return finish_step(false);
    }
    if (message.content.empty()) {
        // Some servers answer nothing once in a while, and something when they are asked again.
        if (++empty_answers_ < 2) return true;
        const std::string why = completion.finish_reason.empty() ? "" : " (" + completion.finish_reason + ")";
        return fail(ErrorInfo::make("EmptyAnswer", "the model answered nothing, twice" + why, options_.call.errors));
    }
    result_.answer = message.content;
    metrics_.finished_at = Timestamp::now();
    edit([&](HistoryEditor& history) { history.register_answer(std::move(message), std::exchange(metrics_, {})); });
    changed();
    return end(RunEnd::answered);
}

// A step -------------------------------------------------------------------------------------------------------------

/// Runs the calls of the open step that have no result.
ACTA_INLINE bool Loop::finish_step(bool is_continued) {
    if (auto open = edit(open_calls_of))  // none if another thread took the step back
        run_calls(approved(*std::move(open), is_continued));
    if (edit(open_calls_of)) return end(RunEnd::stopped);  // calls that had not begun when the run was stopped
    ++result_.steps;
    if (options_.on_step) {
        notify([&] { options_.on_step(edit([](HistoryEditor& history) { return history.view().size(); }) - 1); });
        rethrow();
    }
    return check_and_compress();
}

/// Returns the calls that may run, after registering the results of the others.
ACTA_INLINE std::vector<AssistantToolCall> Loop::approved(std::vector<OpenCall> open, bool is_continued) {
    std::vector<AssistantToolCall> out;
    for (OpenCall& one : open) {
        if (std::optional<ActionResult> result = decide(one, is_continued)) {
            edit([&](HistoryEditor& history) { history.register_result(one.call.id, *std::move(result)); });
            changed();
        } else {
            out.push_back(std::move(one.call));
        }
    }
    return out;
}

/// Returns the result of a call that may not run. Changes its arguments if that was decided.
ACTA_INLINE std::optional<ActionResult> Loop::decide(OpenCall& open, bool is_continued) {
    AssistantToolCall& call = open.call;
    if (is_continued && !skill_extension::may_run(open, skills_, options_.rerun))
        return skill_extension::outcome_unknown(options_.call.errors);
    if (!open.decision && options_.approve && skills_.contains(call.function.name)) {
        Approval approval = options_.approve(call);
        if (approval.approved && approval.arguments) {
            edit([&](HistoryEditor& history) { history.set_arguments(call.id, *approval.arguments); });
            call.function.arguments = *std::move(approval.arguments);
            changed();
        }
        base::clean(approval.by);
        base::clean(approval.feedback);
        open.decision = {approval.approved, std::move(approval.by), std::move(approval.feedback)};
        edit([&](HistoryEditor& history) { history.decide(call.id, *open.decision); });
    }
    if (!open.decision || open.decision->approved) return std::nullopt;
    return skill_extension::refused(std::move(open.decision->feedback));
}

ACTA_INLINE void Loop::run_calls(const std::vector<AssistantToolCall>& calls) {
    skill_extension::run_parallel(calls.size(), options_.max_parallel, [&](std::size_t i) {
        if (is_stopped()) return;
        const AssistantToolCall& one = calls[i];
        CallIdentity identity;
        if (!notify([&] {
                if (options_.on_call_begin) options_.on_call_begin(one);
                identity = edit([&](HistoryEditor& history) { return history.begin_call(one.id); });
            })) {
            return;
        }
        ActionResult result = call(one, std::move(identity));
        const std::lock_guard lock(mutex_);
        try {
            edit([&](HistoryEditor& history) { history.register_result(one.id, result); });
            if (options_.on_change && !thrown_) options_.on_change();
            if (options_.on_call_result && !thrown_) options_.on_call_result(one, result);
        } catch (...) {
            if (!thrown_) thrown_ = std::current_exception();
        }
    });
    rethrow();
}

ACTA_INLINE ActionResult Loop::call(const AssistantToolCall& call, CallIdentity identity) {
    SkillRunOptions options = options_.call;
    options.stop = options_.stop;
    options.deadline = options_.deadline;
    options.observer = options_.observer;
    options.call = std::move(identity);
    if (options_.call_timeout) {
        const auto own = steady_clock::now() + *options_.call_timeout;
        options.deadline = options.deadline ? std::min(*options.deadline, own) : own;
    }
    if (options_.on_progress) {
        options.on_progress = [this, &call](const SkillProgress& progress) {
            notify([&] { options_.on_progress(call, progress); });
        };
    }
    return skills_.call(call.function, options);
}

ACTA_INLINE CompressionOptions Loop::compression() const {
    CompressionOptions out = options_.compression;
    out.stop = options_.stop;
    out.deadline = options_.deadline;
    out.price = options_.price;
    out.observer = options_.observer;
    return out;
}

/// Ends the run if the agent is stuck; otherwise compresses the history.
ACTA_INLINE bool Loop::check_and_compress() {
    if ((result_.stuck = edit([this](HistoryEditor& history) { return stuck(history.view(), options_.stuck); })))
        return end(RunEnd::stuck);
    const CompressionReport compressed = handle_compression(history_, options_.summarizer, compression());
    account(compressed.cost);
    RollingSummaryOptions rolling;
    rolling.prompt = budget_;
    rolling.count_tokens = budget_.count_tokens;
    rolling.redactor = options_.compression.redactor;
    rolling.stop = options_.stop;
    rolling.deadline = options_.deadline;
    rolling.price = options_.price;
    const RollingSummaryReport rolled = update_rolling_summary(history_, options_.summarizer, rolling);
    account(rolled.cost);
    if (!compressed.summarised.empty() || rolled.steps != 0) changed();
    return true;
}

// The functions of the options ---------------------------------------------------------------------------------------

ACTA_INLINE bool Loop::notify(const std::function<void()>& function) noexcept {
    const std::lock_guard lock(mutex_);
    if (thrown_) return false;
    try {
        function();
        return true;
    } catch (...) {
        thrown_ = std::current_exception();
        return false;
    }
}

ACTA_INLINE void Loop::changed() {
    if (!options_.on_change) return;
    notify(options_.on_change);
    rethrow();
}

ACTA_INLINE void Loop::rethrow() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

ACTA_INLINE RunResult run(ChatModelRef model, const SkillRegistry& skills, LockableHistory history,
                          const RunOptions& options) {
    const auto start = steady_clock::now();
    RunResult result = Loop(model, skills, std::move(history), options).run();
    result.time = steady_clock::now() - start;
    return result;
}

}  // namespace agent_detail

}  // namespace acta::inline ACTA_ABI

// The instances for the default types that acta::compiled has. Where they are declared, `extern template` keeps them out
// of the sources of a program.
#if defined(ACTA_COMPILED)
namespace acta::inline ACTA_ABI {

template struct codec::Document<ChatMessage>;
template struct codec::Document<AssistantFunctionCall>;
template struct codec::Document<ActionProposal<>>;
template struct codec::Document<ActionResult>;
template struct codec::Document<Episode<ActionProposal<>>>;
template struct codec::Document<EpisodicActionHistory<>>;

template class EpisodicActionHistory<ActionProposal<>>;
template class SharedHistory<ActionProposal<>>;
template HistoryView::HistoryView(std::span<const Episode<ActionProposal<>>> steps);
template HistoryView::HistoryView(const EpisodicActionHistory<>& history);
template LockableHistory::LockableHistory(EpisodicActionHistory<>& history);
template LockableHistory::LockableHistory(SharedHistory<>& history);

}  // namespace acta::inline ACTA_ABI

template class std::vector<acta::AssistantToolCall>;
template class std::vector<acta::ContentPart>;
template class std::vector<acta::ToolDefinition>;
#endif
