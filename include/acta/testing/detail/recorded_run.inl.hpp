// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/extension.hpp"
#include "acta/json/json.hpp"
#include "acta/testing/detail/message_json.hpp"
#include "acta/testing/detail/value_difference.hpp"
#include "acta/testing/recorded_run.hpp"

// What a record says of a run.
namespace acta::inline ACTA_ABI::recording_detail {

/// A call of a record.
struct StepCall {
    AssistantFunctionCall call{};
    std::optional<ActionResult> result{};  // that of the step, where the call has none of its own
    bool is_used = false;
};

[[nodiscard]] ACTA_INLINE std::vector<StepCall> calls_of(const HistoryView& history, std::size_t step) {
    const StepView view = history.step(step);
    const std::vector<std::string> ids = history.call_ids(step);
    std::unordered_map<std::string_view, const ActionResult*> results;
    for (const ToolResult& one : view.results) results.emplace(one.tool_call_id, &one.result);
    std::vector<StepCall> out;
    for (std::size_t i = 0; i < view.calls.size(); ++i) {
        const auto own = results.find(ids[i]);
        out.push_back({view.calls[i], own != results.end() ? *own->second : *view.result});
    }
    return out;
}

/// An answer of a model.
struct RecordedAnswer {
    ChatCompletion completion{};
    std::optional<std::size_t> step{};  // the one that it proposes
};

[[nodiscard]] ACTA_INLINE RecordedAnswer answer_of(AssistantChatMessage message, const Boxed<StepMetrics>& metrics) {
    RecordedAnswer out;
    out.completion.message = std::move(message);
    if (!metrics) return out;
    out.completion.model = metrics->model;
    out.completion.finish_reason = metrics->finish_reason;
    if (metrics->prompt_tokens || metrics->completion_tokens)
        out.completion.usage = {.prompt_tokens = metrics->prompt_tokens.value_or(0),
                                .completion_tokens = metrics->completion_tokens.value_or(0),
                                .cached_tokens = metrics->cached_tokens,
                                .cache_write_tokens = metrics->cache_write_tokens,
                                .reasoning_tokens = metrics->reasoning_tokens};
    return out;
}

/// The message that a step was proposed with. Its text and calls are those of the step: a person may have changed
/// arguments, and some agents write calls in the text.
[[nodiscard]] ACTA_INLINE RecordedAnswer answer_of(const HistoryView& history, std::size_t step) {
    const StepView view = history.step(step);
    AssistantChatMessage message;
    if (view.raw_message != nullptr) message = *view.raw_message;
    message.content = history.words(step);
    const std::vector<std::string> ids = history.call_ids(step);
    message.tool_calls.emplace();
    for (std::size_t i = 0; i < view.calls.size(); ++i) message.tool_calls->push_back({ids[i], view.calls[i]});
    RecordedAnswer out = answer_of(std::move(message), *view.metrics);
    out.step = step;
    return out;
}

/// What happened in a run: what anyone else said, and the answers of the model.
using RunItem = std::variant<ChatMessage, RecordedAnswer>;

/// Throws `RecordingError` if the model says nothing.
[[nodiscard]] ACTA_INLINE std::vector<RunItem> items_of(const HistoryView& history) {
    std::vector<RunItem> out;
    const auto add_message = [&out](const ConversationMessage& said) {
        if (said.message.role == ChatRole::assistant)
            out.emplace_back(answer_of(to_assistant_message(said.message), said.metrics));
        else
            out.emplace_back(said.message);
    };
    visit_in_order(history, add_message, [&](std::size_t step) { out.emplace_back(answer_of(history, step)); });
    if (std::ranges::none_of(out, [](const RunItem& one) { return std::holds_alternative<RecordedAnswer>(one); }))
        throw testing::RecordingError("the record has neither a step nor an answer of a model");
    return out;
}

/// The steps of a history as JSON that is compared, in their order.
class ComparedSteps {
public:
    /// Returns a step with the messages before it.
    [[nodiscard]] Json step(const HistoryView& history, std::size_t i) {
        Json out = base::new_object();
        base::put(out, "messages", messages_before(history, i));
        base::put(out, "thoughts", base::text_json(history.words(i)));
        JsonArray calls;
        JsonArray results;
        for (const StepCall& one : calls_of(history, i)) {
            calls.push_back(Json{{"name", one.call.name}, {"arguments", one.call.arguments}});
            results.push_back(one.result ? to_json_value(*one.result) : Json());
        }
        base::put(out, "calls", Json(std::move(calls)));
        base::put(out, "results", Json(std::move(results)));
        return out;
    }
    /// Returns what follows the last step.
    [[nodiscard]] Json rest(const HistoryView& history) {
        Json out = base::new_object();
        base::put(out, "messages", messages_before(history, history.size()));
        JsonArray feedback;
        for (const std::string& one : history.pending_feedback()) feedback.push_back(base::text_json(one));
        base::put(out, "pending_feedback", Json(std::move(feedback)));
        return out;
    }

private:
    [[nodiscard]] Json messages_before(const HistoryView& history, std::size_t step) {
        const std::span<const ConversationMessage> all = history.messages();
        JsonArray out;
        for (; next_ < all.size() && (all[next_].before <= step || step == history.size()); ++next_)
            out.push_back(testing_detail::message_json(std::span(&all[next_].message, 1), 0));
        return Json(std::move(out));
    }

    std::size_t next_ = 0;  // the first message that no step before has shown
};

/// Returns the first difference of two steps. Results of different kinds differ as a whole.
[[nodiscard]] ACTA_INLINE std::optional<testing::RunDivergence> divergence(std::size_t step,
                                                                           const std::optional<Json>& expected,
                                                                           const std::optional<Json>& found) {
    testing_detail::ValueDifferences all(1);
    all.add(expected ? &*expected : nullptr, found ? &*found : nullptr, "");
    if (all.all().empty()) return std::nullopt;
    testing_detail::ValueDifference first = all.all().front();
    constexpr std::string_view results = "/results/";
    if (first.path.starts_with(results)) {
        const std::string path = first.path.substr(0, first.path.find('/', results.size()));
        const Json& a = expected->at(Json::json_pointer(path));
        const Json& b = found->at(Json::json_pointer(path));
        if (base::text_member(a, "status") != base::text_member(b, "status")) first = {path, &a, &b};
    }
    const auto copy = [](const Json* value) { return value == nullptr ? std::nullopt : std::optional<Json>(*value); };
    return testing::RunDivergence{step, first.path, copy(first.expected), copy(first.found)};
}

/// The answers and results of a record, and which of them were given.
class RunState {
public:
    explicit RunState(const HistoryView& history) {
        for (RunItem& item : items_of(history))
            if (auto* const answer = std::get_if<RecordedAnswer>(&item)) answers_.push_back(std::move(*answer));
        for (std::size_t i = 0; i < history.size(); ++i) steps_.push_back(calls_of(history, i));
    }

    [[nodiscard]] ChatCompletion next() {
        const std::lock_guard lock(mutex_);
        if (!fault_.empty()) throw testing::NotRecorded(fault_);
        if (next_ == answers_.size())
            throw testing::NotRecorded("the record has " + std::to_string(answers_.size()) +
                                       " answers, and the model was asked for another one");
        return answers_[next_++].completion;
    }
    [[nodiscard]] ActionResult result_of(const std::string& name, const JsonObject& arguments) {
        const std::lock_guard lock(mutex_);
        const std::optional<std::size_t> step = next_ == 0 ? std::nullopt : answers_[next_ - 1].step;
        const std::span<StepCall> calls = step ? std::span(steps_[*step]) : std::span<StepCall>();
        const auto found = std::ranges::find_if(calls, [&](const StepCall& one) {
            return !one.is_used && one.result && one.call.name == name &&
                   testing_detail::same_members(one.call.arguments, arguments);
        });
        if (found != calls.end()) {
            found->is_used = true;
            return *found->result;
        }
        std::string others;
        for (const StepCall& one : calls)
            if (!one.is_used) others += (others.empty() ? "" : ", ") + to_string(one.call);
        const std::string place = step ? " in step " + std::to_string(*step + 1) : " there";
        fault_ = base::concat({"the record has no result of ", to_string(AssistantFunctionCall{name, arguments}), place,
                               others.empty() ? "" : ", but these calls: ", others});
        throw testing::NotRecorded(fault_);
    }
    [[nodiscard]] std::set<std::string> tools() const {
        std::set<std::string> out;
        for (const std::vector<StepCall>& calls : steps_)
            for (const StepCall& one : calls)
                if (!one.call.name.empty()) out.insert(one.call.name);
        return out;
    }
    [[nodiscard]] std::size_t size() const noexcept { return answers_.size(); }
    [[nodiscard]] std::size_t unused() const {
        const std::lock_guard lock(mutex_);
        return answers_.size() - next_;
    }

private:
    mutable std::mutex mutex_{};
    std::vector<RecordedAnswer> answers_{};
    std::vector<std::vector<StepCall>> steps_{};
    std::size_t next_ = 0;
    std::string fault_{};  // the first call that is not in the record
};

/// Makes a run again.
class Replayer {
public:
    Replayer(const HistoryView& record, const SkillRegistry* skills)
        : record_(record), skills_(skills), items_(items_of(record)) {}

    [[nodiscard]] testing::ReplayedRun run() {
        while (at_ < items_.size() && !is_over_) {
            const std::size_t before = at_;
            say();
            if (at_ < items_.size()) drive();
            if (at_ == before) break;  // the run has ended where the record has more
        }
        if (out_.divergence) return std::move(out_);
        say();
        for (const std::string& one : record_.pending_feedback()) out_.history.append_user_feedback(one);
        out_.divergence = testing::first_divergence(record_, out_.history);
        return std::move(out_);
    }

private:
    /// Says what people say next.
    void say() {
        for (; at_ < items_.size(); ++at_) {
            const auto* const said = std::get_if<ChatMessage>(&items_[at_]);
            if (said == nullptr) return;
            out_.history.register_message(*said);
        }
    }
    /// Whether the model says something next.
    [[nodiscard]] bool answers_next() const {
        return at_ < items_.size() && std::holds_alternative<RecordedAnswer>(items_[at_]);
    }
    [[nodiscard]] const RecordedAnswer& answer() { return std::get<RecordedAnswer>(items_[at_++]); }

    [[nodiscard]] static RunOptions options() {
        RunOptions out;
        out.budget = {};
        out.compression.keep_recent = no_limit;
        out.limits = {.requests = no_limit, .calls_per_step = no_limit, .count_history = false};
        out.stuck = {
            .same_result = 0, .same_error = 0, .monologue = 0, .alternating = 0, .condensation = 0, .refused = 0};
        return out;
    }

    /// Follows a run until it ends, waits for something that is not in the record, or departs from it.
    void drive() {
        if (!has_task()) begin();
        AgentRun run(skills_ == nullptr ? SkillRegistry() : *skills_, out_.history, options());
        while (!is_over_) {
            say();
            const AgentStep& step = run.next();
            if (std::holds_alternative<AskModel>(step)) {
                if (!answers_next()) return;
                give_answer(run);
            } else if (const auto* const calls = std::get_if<RunCalls>(&step)) {
                give_results(run, calls->calls);
            } else {
                return;
            }
        }
    }
    [[nodiscard]] bool has_task() const {
        const auto is_task = [](const ConversationMessage& one) { return one.message.role != ChatRole::system; };
        return out_.history.size() != 0 || std::ranges::any_of(out_.history.messages(), is_task);
    }
    /// The record begins with what the model says, for which no run would ask.
    void begin() {
        const RecordedAnswer& first = answer();
        if (!first.step) {
            StepMetrics paused;  // if there is another answer
            if (answers_next()) paused.finish_reason = pause;
            return out_.history.apply(MessageAdded{{.message = first.completion.message, .metrics = paused}});
        }
        ActionProposal<> proposal{.thoughts = first.completion.message.content};
        std::vector<AssistantFunctionCall> calls;
        for (const AssistantToolCall& one : *first.completion.message.tool_calls) calls.push_back(one.function);
        set_calls(proposal, std::move(calls));
        proposal.raw_message = first.completion.message;
        out_.history.register_action(std::move(proposal));
    }
    void give_answer(AgentRun& run) {
        const RecordedAnswer& next = answer();
        ChatCompletion completion = next.completion;
        // No run would ask again after an answer, nor keep an empty one, unless the model pauses.
        const bool is_answer = !next.step;
        if (is_answer && (answers_next() || unicode::is_blank(completion.message.content)))
            completion.finish_reason = pause;
        run.give(std::move(completion));
    }
    void give_results(AgentRun& run, const std::vector<PendingCall>& calls) {
        const std::size_t step = out_.history.size() - 1;
        const std::vector<StepCall> recorded = calls_of(record_, step);
        std::unordered_map<std::string, std::size_t> places;
        for (std::string& id : acta::call_ids(out_.history[step])) places.emplace(std::move(id), places.size());
        for (const PendingCall& one : std::vector<PendingCall>(calls)) {
            const std::size_t place = places.at(one.call.id);
            if (place >= recorded.size()) break;  // `divergence` says so
            if (!recorded[place].result)
                is_over_ = true;
            else
                run.give(one.call.id, skills_ == nullptr ? *recorded[place].result : run.call(one));
        }
        if (is_over_) return;
        out_.divergence = divergence(step, expected_.step(record_, step), found_.step(out_.history, step));
        is_over_ = out_.divergence.has_value();
    }

    static constexpr const char* pause = "pause_turn";

    const HistoryView& record_;
    const SkillRegistry* skills_;
    const std::vector<RunItem> items_;
    std::size_t at_ = 0;
    bool is_over_ = false;
    ComparedSteps expected_{};
    ComparedSteps found_{};
    testing::ReplayedRun out_{};
};

}  // namespace acta::inline ACTA_ABI::recording_detail

namespace acta::inline ACTA_ABI::testing {

ACTA_INLINE std::string to_string(const RunDivergence& divergence) {
    const auto text = [](const std::optional<Json>& value) {
        return testing_detail::excerpt(value ? &*value : nullptr);
    };
    return base::concat({"step ", std::to_string(divergence.step + 1), ": ", divergence.path,
                         divergence.path.empty() ? "" : ": ", "expected ", text(divergence.expected), ", found ",
                         text(divergence.found)});
}

ACTA_INLINE std::optional<RunDivergence> first_divergence(const HistoryView& expected, const HistoryView& run) {
    recording_detail::ComparedSteps a;
    recording_detail::ComparedSteps b;
    const auto step = [](recording_detail::ComparedSteps& steps, const HistoryView& of, std::size_t i) {
        return i < of.size() ? std::optional(steps.step(of, i)) : std::nullopt;
    };
    for (std::size_t i = 0; i < std::max(expected.size(), run.size()); ++i)
        if (auto found = recording_detail::divergence(i, step(a, expected, i), step(b, run, i))) return found;
    return recording_detail::divergence(expected.size(), a.rest(expected), b.rest(run));
}

ACTA_INLINE RunRecording::RunRecording(std::shared_ptr<recording_detail::RunState> state) noexcept
    : state_(std::move(state)) {}
ACTA_INLINE ChatCompletion RunRecording::operator()(std::span<const ChatMessage>, const ChatOptions& options) const {
    ChatCompletion out = state_->next();
    chat_extension::stream(out, options);
    return out;
}
ACTA_INLINE std::size_t RunRecording::size() const noexcept { return state_->size(); }
ACTA_INLINE std::size_t RunRecording::unused() const { return state_->unused(); }

ACTA_INLINE RunRecording recording_of(const HistoryView& history) {
    return RunRecording(std::make_shared<recording_detail::RunState>(history));
}

ACTA_INLINE RecordedSkills::RecordedSkills(const RunRecording& recording) {
    for (const std::string& name : recording.state_->tools()) {
        ToolDefinition tool;
        tool.name = name;
        add(std::move(tool), [state = recording.state_, name](const JsonObject& arguments, SkillContext&) {
            return state->result_of(name, arguments);
        });
    }
}

ACTA_INLINE ReplayedRun replay(const HistoryView& record) { return recording_detail::Replayer(record, nullptr).run(); }
ACTA_INLINE ReplayedRun replay(const HistoryView& record, const SkillRegistry& skills) {
    return recording_detail::Replayer(record, &skills).run();
}

}  // namespace acta::inline ACTA_ABI::testing
