// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/agent/detail/request_messages.hpp"
#include "acta/agent/detail/task.hpp"
#include "acta/agent/detail/text_calls.hpp"
#include "acta/base/error.hpp"
#include "acta/base/gathering.hpp"
#include "acta/base/retry.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/extension.hpp"
#include "acta/json/json.hpp"
#include "acta/skill/execute.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::string_view to_string(RunEnd end) noexcept {
    constexpr std::array<std::string_view, 10> names = {"answered",   "waiting",  "truncated", "refused", "max_steps",
                                                        "max_tokens", "max_cost", "stopped",   "stuck",   "failed"};
    static_assert(names.size() == static_cast<std::size_t>(RunEnd::failed) + 1);
    return names[static_cast<std::size_t>(end)];
}

ACTA_INLINE std::string to_string(const RunResult& run) {
    std::string out(to_string(run.end));
    if (run.stuck) out += ": " + to_string(*run.stuck);
    if (run.error) out += ": " + run.error->message;
    return out;
}

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::agent_detail {

using std::chrono::steady_clock;

[[nodiscard]] ACTA_INLINE std::int64_t as_tokens(std::size_t count) noexcept {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    return count > static_cast<std::uint64_t>(most) ? most : static_cast<std::int64_t>(count);
}

/// The state of an `AgentRun`.
class RunState final : public OuterRun {
public:
    RunState(SkillRegistry skills, LockableHistory history, RunOptions options, AnswerCheck check = {});
    /// Returns the run that calls a skill; null if something else does.
    [[nodiscard]] static RunState* of(OuterRun* outer) noexcept {
        return outer != nullptr && outer->kind() == Kind::run ? static_cast<RunState*>(outer) : nullptr;
    }

    [[nodiscard]] const RunOptions& options() const noexcept { return options_; }
    const AgentStep& next();
    void give(ChatCompletion completion);
    void fail(const std::exception_ptr& exception);
    void give(std::string_view id, ActionResult result);
    void decide(std::string_view id, Approval approval);
    [[nodiscard]] ActionResult call(const PendingCall& pending);
    CallIdentity begin(std::string_view id);
    RunResult leave();

    // For `run_agent`, which runs each call as soon as `next` returns it.

    /// Calls begin with their step from now on, where nothing can keep them from running.
    void begin_with_steps() noexcept { begins_with_steps_ = true; }
    /// Runs a call, and registers its result, if need be by another thread that does so at the moment.
    void run_call(const PendingCall& pending);

    // For the run of a tool (`agent_tool`).

    /// Stops such a run when this one is over, or something was thrown.
    [[nodiscard]] stop_token ending() const { return ending_.get_token(); }
    /// Completes the options of such a run with those of this one.
    void pass_on(RunOptions& options, std::string_view tool_call_id);
    /// Keeps the history of such a run. Throws what the store throws.
    void add_sub_run(const std::string& tool_call_id, Json history);

private:
    enum class CallState {
        undecided,
        waiting,  // for a decision
        ready,
        begun,
        left,  // ready, but the run was stopped
        done
    };
    struct Call {
        OpenCall open{};
        CallState state = CallState::undecided;
        std::size_t step = 0;
        std::size_t place = 0;          // among the calls of the step, those with results included
        bool begins_with_step = false;  // it has begun for the store, but not for the run
    };
    /// A result to register.
    struct GivenResult {
        ToolResult value{};
        Call* call = nullptr;
        CallState before = CallState::begun;
        bool is_over = false;        // it was registered, or cannot be
        std::exception_ptr fault{};  // why it cannot be
    };
    using GivenResults = std::vector<std::shared_ptr<GivenResult>>;
    using CallPlaces = std::map<std::string, std::size_t, std::less<>>;  // by id
    using ToolNames = std::set<std::string, std::less<>>;

    /// What is known of an answer before it is there.
    struct Turn {
        StepMetrics metrics{};          // of the step or answer that it will be, also of requests for it that failed
        std::size_t empty_answers = 0;  // in a row
        bool is_shorter = false;        // a request for it was too long
    };
    // The states; the documentation of AgentRun has the transitions.
    struct NotStarted {};
    struct ToAsk {  // no step is open, and the model has to be asked
        Turn turn{};
    };
    struct Asking {
        Turn turn{};
        std::size_t tokens = 0;              // of the request
        std::optional<ToolNames> offered{};  // its tools, if it was prepared
    };
    struct InStep {
        std::vector<Call> calls{};
        CallPlaces places{};                       // of the calls
        FinishReason finish = FinishReason::stop;  // of the answer with the calls
        std::optional<ToolNames> offered{};        // as in `Asking`
        bool is_continued = false;                 // a run before opened the step
        bool is_shown = false;                     // `step_` is what is needed
        bool is_stopped = false;                   // and was when the run had been stopped
        std::vector<std::size_t> given{};          // the calls whose results came since then
    };
    struct Over {
        std::vector<Call> calls{};  // of the step that was left open: results of those that have begun may come
        CallPlaces places{};        // of the calls
    };
    using State = std::variant<NotStarted, ToAsk, Asking, InStep, Over>;
    /// Which state may follow which. A run that continues a step, and an answer with calls, pass through `ToAsk`.
    static constexpr bool may_follow[std::variant_size_v<State>][std::variant_size_v<State>] = {
        //             NotStarted, ToAsk, Asking, InStep, Over
        /* NotStarted */ {false, true, false, false, true},
        /* ToAsk      */ {false, true, true, true, true},
        /* Asking     */ {false, true, false, false, true},
        /* InStep     */ {false, true, false, false, true},
        /* Over       */ {false, false, false, false, false},
    };
    void enter(State next) {
        assert(may_follow[state_.index()][next.index()]);
        state_ = std::move(next);
    }

    /// Ends the run.
    void end(RunEnd why);
    void fail(RunError error);
    [[nodiscard]] bool is_stopped() const;
    [[nodiscard]] std::optional<RunEnd> reached_limit();
    [[nodiscard]] std::optional<RunEnd> spent_limit();
    [[nodiscard]] RunError error(const char* type, const std::string& message) const {
        return {ErrorInfo::make(type, message, options_.call.errors)};
    }
    void require_asked() const;
    [[nodiscard]] bool is_over() const noexcept { return std::holds_alternative<Over>(state_); }
    /// `next` looks at the calls again.
    void show_again() noexcept {
        if (auto* const step = std::get_if<InStep>(&state_)) step->is_shown = false;
    }
    [[nodiscard]] Call& find(std::string_view id);

    void start();
    void advance();
    void note_steps();
    void require_own_steps() const;
    void ask(Turn turn);
    [[nodiscard]] bool changes_requests() const noexcept { return static_cast<bool>(options_.prepare); }
    void show(AgentStep step);
    void reduce_budget(std::size_t asked_tokens);
    [[nodiscard]] std::int64_t count(std::string_view text) const;
    void estimate(ChatCompletion& completion, std::size_t asked_tokens) const;
    void account(ChatCompletion& completion, Asking& asked);
    void account(const TokenUsage& usage, double price);
    [[nodiscard]] bool counts_tokens() const noexcept {
        return options_.limits.tokens || options_.price || (outer_ != nullptr && outer_->counts_tokens());
    }
    [[nodiscard]] ActionResult call_until_done(const AssistantToolCall& one, const SkillRunOptions& options);
    void register_completion(ChatCompletion completion, Asking asked);
    void register_answer(AssistantChatMessage message, FinishReason finish, Turn turn);
    void end_incomplete(FinishReason finish);
    [[nodiscard]] bool is_refused(const AssistantChatMessage& answer);
    void begin_step(const std::vector<OpenCall>& open, std::span<const std::size_t> places, InStep step);
    void show_step(InStep& step);
    void hide_given(InStep& step);
    void decide_all(InStep& step);
    [[nodiscard]] std::string reason_not_to_run(const InStep& step, std::size_t i);
    void decide(InStep& step, std::size_t i);
    void settle(Call& call, Approval approval);
    void register_result(Call& call, const ActionResult& result);
    [[nodiscard]] std::optional<HistoryError> put_result(Call& call, const ActionResult& result);
    void finish_step(FinishReason finish);
    void check_and_compress();
    template <class Options, class Work>
    [[nodiscard]] auto summarise(Options options, const Work& work);
    [[nodiscard]] CompressionOptions compression_after(std::size_t steps) const;
    [[nodiscard]] bool begin(Call& call);
    [[nodiscard]] std::vector<std::size_t> first_calls(const std::vector<AssistantFunctionCall>& calls,
                                                       const InStep& step) const;
    [[nodiscard]] bool may_be_left(const AssistantToolCall& call) const;
    [[nodiscard]] bool accept(GivenResult& given);
    void put(std::span<GivenResult* const> given);
    void keep(const GivenResults& given);
    [[nodiscard]] GivenResults take_given();

    /// Calls a function with the history, under its lock, and returns what it returns.
    template <class Function>
    auto edit(const Function& function) const {
        return history_.with_lock(function);
    }
    /// The same, for changes of the step of the run.
    template <class Function>
    auto edit_step(const Function& function) const {
        return edit([&](HistoryEditor& history) {
            require_step(history);
            return function(history);
        });
    }
    void require_step(HistoryEditor& history) const;
    /// Calls a function, and keeps what it throws for `next`. Returns whether nothing was thrown.
    template <class Function>
    bool guarded(const Function& function) noexcept {
        try {
            function();
            return true;
        } catch (...) {
            if (!thrown_) thrown_ = std::current_exception();
            ending_.request_stop();
            return false;
        }
    }
    /// Changes the state, unless anything was thrown before.
    template <class Function>
    void transition(const Function& function) noexcept {
        const std::lock_guard lock(mutex_);
        if (!thrown_) guarded(function);
    }
    /// Calls a function of the options, unless anything was thrown before. Returns whether nothing was thrown.
    template <class Function>
    bool notify(const Function& function) noexcept {
        const std::lock_guard lock(mutex_);
        return !thrown_ && guarded(function);
    }
    /// Returns a function that calls one of the options, as all of them are called: not while another one is, and not
    /// after one has thrown. Then it throws `Cancelled`, and `next` what was thrown.
    template <class Result, class... Arguments>
    [[nodiscard]] std::function<Result(Arguments...)> passed_on(const std::function<Result(Arguments...)>& function) {
        return [this, &function](Arguments... arguments) {
            if constexpr (std::is_void_v<Result>) {
                if (!notify([&] { function(arguments...); })) throw Cancelled();
            } else {
                std::optional<Result> result;
                if (!notify([&] { result = function(arguments...); })) throw Cancelled();
                return *std::move(result);
            }
        };
    }
    /// The history was changed.
    void changed() { report(HistoryChanged{}); }
    void report(const RunEvent& event) {
        if (options_.on_event) notify([&] { options_.on_event(event); });
    }
    void report(const CompressionReport& compressed) {
        if (!compressed.summarised.empty() || !compressed.failed.empty()) report(HistoryCompressed{compressed});
    }

    const SkillRegistry skills_;
    LockableHistory history_;
    std::shared_ptr<void> claim_{};  // no other run uses a shared history
    RunOptions options_;
    AnswerCheck check_;  // instead of `RunOptions::on_answer`, if set
    RunState* outer_;    // null unless this is the run of a tool
    PromptOptions budget_;
    RequestMessages messages_;
    std::size_t shown_in_full_ = 0;  // steps, by the last request
    std::string instructions_;
    ToolList tools_{};

    // The accounts.
    RunResult result_{};
    MetricsTotals before_{};    // of the requests of runs before, on the same task
    std::mutex spent_mutex_{};  // for what has been spent; nothing else is locked while it is
    TokenUsage usage_{};
    double cost_usd_ = 0;
    bool is_cost_known_ = true;
    bool has_called_ = false;                                   // `tool_choice` held until then
    std::map<std::string, std::size_t, std::less<>> called_{};  // how often, of tools with limits
    std::size_t refused_answers_ = 0;
    CallIds call_ids_{};
    steady_clock::time_point begun_at_ = steady_clock::now();

    State state_{};
    AgentStep step_ = RunResult();                   // what `next` returned
    std::pair<std::size_t, std::uint64_t> steps_{};  // of the history, and the last of them, as the run left it

    bool begins_with_steps_ = false;
    std::mutex given_mutex_{};                                  // for `given_`; not locked while another one is
    GivenResults given_{};                                      // by `give`: results that wait for `mutex_`
    base::Gathering<std::shared_ptr<GivenResult>> returned_{};  // results of `run_call`

    std::recursive_mutex mutex_{};  // for the functions of the options, the calls and the history
    std::exception_ptr thrown_{};   // by one of the functions, or a store
    stop_source ending_{};          // stops the runs of tools
};

ACTA_INLINE RunState::RunState(SkillRegistry skills, LockableHistory history, RunOptions options, AnswerCheck check)
    : OuterRun(Kind::run),
      skills_(std::move(skills)),
      history_(std::move(history)),
      options_(std::move(options)),
      check_(std::move(check)),
      outer_(of(options_.call.outer)),
      budget_(options_.budget),
      messages_(options_.native_calls),
      instructions_(options_.instructions) {
    const std::optional<double>& cost = options_.limits.cost_usd;
    if (cost && !options_.price) throw Error("limits.cost_usd limits nothing without a price: set RunOptions::price");
    if (cost && std::isnan(*cost)) throw Error("limits.cost_usd is not a number");
    claim_ = history_.claim_run();
    if (options_.native_calls) {
        tools_ = tools(skills_);
    } else if (!skills_.empty()) {
        if (!instructions_.empty()) instructions_ += "\n\n";
        instructions_ += describe_tools(skills_);
    }
}

// What is needed next ------------------------------------------------------------------------------------------------

ACTA_INLINE const AgentStep& RunState::next() {
    bool is_done = false;
    transition([&] {
        if (std::holds_alternative<NotStarted>(state_)) return start();
        require_own_steps();
        auto* const step = std::get_if<InStep>(&state_);
        if (step == nullptr) return;
        hide_given(*step);
        is_done = step->is_shown && (step->is_stopped || !is_stopped());
    });
    while (!thrown_ && !is_done && !is_over() && !std::holds_alternative<Asking>(state_)) {
        transition([this] { advance(); });
        const auto* const step = std::get_if<InStep>(&state_);
        is_done = step != nullptr && step->is_shown;
    }
    if (thrown_) std::rethrow_exception(thrown_);
    return step_;
}

/// Asks the model, or continues with the step.
ACTA_INLINE void RunState::advance() {
    if (auto* const step = std::get_if<InStep>(&state_))
        show_step(*step);
    else
        ask(std::get<ToAsk>(state_).turn);
}

ACTA_INLINE void RunState::end(RunEnd why) {
    result_.end = why;
    {
        const std::lock_guard lock(spent_mutex_);
        result_.usage = usage_;
        result_.cost_usd = cost_usd_;
    }
    result_.pending_feedback = edit([](HistoryEditor& history) { return history.view().pending_feedback().size(); });
    result_.time = steady_clock::now() - begun_at_;
    auto* const open = std::get_if<InStep>(&state_);
    enter(open == nullptr ? Over() : Over{std::move(open->calls), std::move(open->places)});
    show(result_);
    claim_.reset();
    ending_.request_stop();
    if (result_.requests != 0 || result_.steps != 0) {
        RunRecord entry{.end = std::string(to_string(why)),
                        .error = result_.error,
                        .finish_reason = result_.finish_reason,
                        .requests = result_.requests,
                        .usage = result_.usage,
                        .seconds = std::chrono::duration<double>(result_.time).count()};
        if (options_.price) entry.cost_usd = result_.cost_usd;
        edit([&](HistoryEditor& history) {
            entry.after = history.view().size();
            history.register_run(std::move(entry));
        });
        changed();
    }
    report(RunCompleted{result_});
}

ACTA_INLINE void RunState::fail(RunError error) {
    result_.error = std::move(error);
    end(RunEnd::failed);
}

ACTA_INLINE bool RunState::is_stopped() const { return options_.until.is_over(); }

ACTA_INLINE std::optional<RunEnd> RunState::reached_limit() {
    if (is_stopped()) return RunEnd::stopped;
    if (result_.requests + before_.steps >= options_.limits.requests) return RunEnd::max_steps;
    return spent_limit();
}

/// Returns which limit of tokens or cost is reached, of this run or of one around it.
ACTA_INLINE std::optional<RunEnd> RunState::spent_limit() {
    {
        const std::lock_guard lock(spent_mutex_);
        const RunLimits& limits = options_.limits;
        const std::int64_t tokens =
            base::saturated_sum(base::saturated_sum(usage_.prompt_tokens, usage_.completion_tokens),
                                base::saturated_sum(before_.prompt_tokens, before_.completion_tokens));
        if (limits.tokens && tokens >= *limits.tokens) return RunEnd::max_tokens;
        if (limits.cost_usd && !is_cost_known_) return RunEnd::failed;
        if (limits.cost_usd && cost_usd_ + before_.cost_usd >= *limits.cost_usd) return RunEnd::max_cost;
    }
    return outer_ == nullptr ? std::nullopt : outer_->spent_limit();
}

ACTA_INLINE void RunState::start() {
    if (!edit(has_task))
        throw Error("the history has nothing to work on: register a message of the user before the run");
    if (options_.limits.count_history) before_ = edit(used_for_task);  // before an answer is refused
    if (std::optional<FinalAnswer> answer = edit(answer_of)) {
        result_.finish_reason = std::move(answer->finish_reason);
        const FinishReason finish = finish_reason_of(result_.finish_reason);
        if (!is_complete(finish) || !is_refused(answer->message)) {
            result_.answer = std::move(answer->message.content);
            return end(end_of(finish));
        }
        if (is_over()) return;
    }
    enter(ToAsk());
    note_steps();
    if (std::optional<FoundStep> open = edit(open_step_of)) {
        result_.finish_reason = std::move(open->finish_reason);
        begin_step(open->calls, open->places,
                   {.finish = finish_reason_of(result_.finish_reason), .is_continued = true});
    }
}

/// Returns the number of steps, and the last of them.
[[nodiscard]] ACTA_INLINE std::pair<std::size_t, std::uint64_t> steps_of(HistoryEditor& history) {
    const std::size_t size = history.size();  // not of a view, for which the results of the step are put in order
    return {size, size == 0 ? 0 : history.id(size - 1).step};
}

ACTA_INLINE void RunState::note_steps() { steps_ = edit(steps_of); }

/// Throws `HistoryError` unless the step of the run, whose calls it knows, is the last one.
ACTA_INLINE void RunState::require_step(HistoryEditor& history) const {
    if (steps_of(history) != steps_)
        throw HistoryError(HistoryErrorCode::run_active,
                           "the step of the call is over: the history has other steps now");
}

/// Throws `HistoryError` if anything else has changed the steps. In a shared history others may do so between steps.
ACTA_INLINE void RunState::require_own_steps() const {
    if (is_over()) return;
    if ((std::holds_alternative<InStep>(state_) || !history_.is_shared()) && edit(steps_of) != steps_)
        throw HistoryError(HistoryErrorCode::run_active, "the steps of the history were changed while a run uses it");
}

ACTA_INLINE RunResult RunState::leave() {
    const std::lock_guard lock(mutex_);
    if (thrown_) std::rethrow_exception(thrown_);
    if (is_over()) return std::get<RunResult>(step_);
    if (const auto* const step = std::get_if<InStep>(&state_)) {
        bool others = false;
        for (const Call& call : step->calls) {
            if (call.state == CallState::waiting)
                result_.waiting.push_back(call.open.call);
            else if (call.state != CallState::done)
                others = true;
        }
        if (others) result_.waiting.clear();
    }
    transition([this] { end(result_.waiting.empty() ? RunEnd::stopped : RunEnd::waiting); });
    if (thrown_) std::rethrow_exception(thrown_);
    return result_;
}

// Asking the model ---------------------------------------------------------------------------------------------------

ACTA_INLINE void RunState::ask(Turn turn) {
    if (const std::optional<RunEnd> limit = reached_limit()) {
        if (*limit != RunEnd::failed) return end(*limit);
        return fail(
            error("InvalidPrice", "limits.cost_usd cannot be checked: the price of a completion is not a number"));
    }
    if (!turn.is_shorter && edit(take_feedback)) {
        changed();
        if (thrown_) return;
    }
    if (!turn.metrics.started_at) turn.metrics = StepMetrics::start();
    messages_.take_back(step_, changes_requests());
    const PromptReport shown =
        edit([this](HistoryEditor& history) { return messages_.update(history.view(), budget_, instructions_); });
    shown_in_full_ = shown.full.steps;
    Asking asking{std::move(turn), shown.tokens, std::nullopt};
    if (has_called_) options_.chat.tool_choice = {};
    AskModel request = messages_.request(options_.chat, changes_requests());
    request.options.tools = tools_;
    request.options.until = options_.until;
    if (options_.on_text) request.options.on_text = passed_on(options_.on_text);
    if (options_.on_event) {
        request.options.on_event = [own = options_.chat.on_event,
                                    pass = passed_on(options_.on_event)](const ChatDelta& delta) {
            if (own) own(delta);
            std::visit(pass, delta);
        };
    } else if (options_.on_text && !request.options.on_event) {
        request.options.on_event = [](const ChatDelta&) {};  // so that an answer that breaks off is asked for again
    }
    if (options_.prepare) {
        options_.prepare(request);
        if (!request.options.tools.is_same(tools_)) {
            asking.offered.emplace();
            for (const ToolDefinition& tool : request.options.tools.all()) asking.offered->insert(tool.name);
        }
    }
    report(RequestStarted{++result_.requests, request});
    if (thrown_) return messages_.take_back(request, changes_requests());
    enter(std::move(asking));
    show(std::move(request));
}

ACTA_INLINE void RunState::show(AgentStep step) {
    messages_.take_back(step_, changes_requests());
    step_ = std::move(step);
}

ACTA_INLINE void RunState::require_asked() const {
    if (!std::holds_alternative<Asking>(state_))
        throw Error(is_over() ? "the run is over: it asked no model"
                              : "the run has not asked the model: call next() to see what it needs");
}

ACTA_INLINE void RunState::give(ChatCompletion completion) {
    require_asked();
    transition([&] {
        Asking asked = std::move(std::get<Asking>(state_));
        enter(ToAsk());
        asked.turn.is_shorter = false;
        account(completion, asked);
        report(RequestCompleted{result_.requests, completion});
        register_completion(std::move(completion), std::move(asked));
    });
}

ACTA_INLINE void RunState::fail(const std::exception_ptr& exception) {
    require_asked();
    transition([&] {
        Asking asked = std::move(std::get<Asking>(state_));
        RunError why = error("Error", "the model failed");
        if (exception) why = {ErrorInfo::from_exception(exception, options_.call.errors), failure_of(exception)};
        const bool stopped = is_stopped();
        const bool is_too_long = why.failure && why.failure->fault == ChatModelFault::context_too_long;
        const bool is_repeated = !stopped && !asked.turn.is_shorter && is_too_long;
        report(RequestFailed{result_.requests, why, is_repeated});
        if (stopped) return end(RunEnd::stopped);
        if (!is_repeated) return fail(std::move(why));
        asked.turn.is_shorter = true;
        enter(ToAsk{std::move(asked.turn)});
        if (!reached_limit()) reduce_budget(asked.tokens);  // for which a model may be asked
    });
}

ACTA_INLINE std::int64_t RunState::count(std::string_view text) const { return as_tokens(budget_.count_tokens(text)); }

/// Counts the tokens that the model did not report, if a limit or a price needs them.
ACTA_INLINE void RunState::estimate(ChatCompletion& completion, std::size_t asked_tokens) const {
    const bool is_reported =
        completion.usage && (completion.usage->prompt_tokens > 0 || completion.usage->completion_tokens > 0);
    if (is_reported || !counts_tokens()) return;
    TokenUsage usage;
    usage.prompt_tokens = base::saturated_sum(as_tokens(asked_tokens), count(instructions_));
    usage.completion_tokens = base::saturated_sum(count(completion.message.content),
                                                  count(completion.message.reasoning_content.value_or("")));
    if (completion.message.tool_calls) {
        for (const AssistantToolCall& call : *completion.message.tool_calls)
            usage.completion_tokens = base::saturated_sum(usage.completion_tokens, count(to_string(call.function)));
    }
    usage.estimated = true;
    completion.usage = usage;
}

ACTA_INLINE void RunState::account(ChatCompletion& completion, Asking& asked) {
    result_.finish_reason = completion.finish_reason;
    base::clean(result_.finish_reason);
    estimate(completion, asked.tokens);
    StepMetrics& metrics = asked.turn.metrics;
    metrics.add(completion);
    base::clean(metrics.model);
    const bool is_whole = is_complete(finish_reason_of(result_.finish_reason));
    metrics.finish_reason = is_whole ? "" : result_.finish_reason;  // an empty answer before it had another one
    const double price = options_.price ? options_.price(completion) : 0;
    if (options_.price && std::isfinite(price)) metrics.cost_usd = metrics.cost_usd.value_or(0) + price;
    account(completion.usage.value_or(TokenUsage()), price);
}

/// Adds to the accounts of this run and of those around it, whose limits hold for all of them together.
ACTA_INLINE void RunState::account(const TokenUsage& usage, double price) {
    {
        const std::lock_guard lock(spent_mutex_);
        usage_ += usage;
        if (std::isfinite(price))
            cost_usd_ += price;
        else
            is_cost_known_ = false;
    }
    if (outer_ != nullptr) outer_->account(usage, price);
}

ACTA_INLINE void RunState::register_completion(ChatCompletion completion, Asking asked) {
    AssistantChatMessage& message = completion.message;
    const FinishReason finish = finish_reason_of(result_.finish_reason);
    chat_extension::make_recordable(message);
    std::vector<AssistantFunctionCall> calls;
    if (message.tool_calls && !message.tool_calls->empty()) {
        for (const AssistantToolCall& call : *message.tool_calls) calls.push_back(call.function);
    } else if (!options_.native_calls && is_complete(finish)) {
        try {
            calls = calls_in_text(message.content, skills_);
            for (AssistantFunctionCall& call : calls) chat_extension::make_recordable(call);
        } catch (const CallSyntaxError& error) {
            edit([&](HistoryEditor& history) {
                history.register_message(message);
                history.register_message(ChatMessage::user(std::string("The call cannot be read: ") + error.what()));
            });
            asked.turn.empty_answers = 0;
            enter(ToAsk{std::move(asked.turn)});
            return changed();
        }
    }
    if (calls.empty()) return register_answer(std::move(message), finish, std::move(asked.turn));
    for (AssistantFunctionCall& call : calls) {
        if (call.name.empty()) call.name = chat_extension::tool_without_name;
    }
    has_called_ = true;
    InStep step{.finish = finish, .offered = std::move(asked.offered)};
    const std::vector<std::size_t> first = first_calls(calls, step);
    const std::vector<OpenCall> open = edit([&](HistoryEditor& history) {
        ActionProposal<> action{.thoughts = message.content};
        set_calls(action, std::move(calls));
        action.raw_message = std::move(message);
        std::vector<std::string> ids = call_ids_.renew(history.view(), call_ids(action));
        const std::vector<std::string> names = ids.empty() ? call_ids(action) : ids;
        std::vector<HistoryChange<>> changes;
        changes.emplace_back(
            ActionRegistered<ActionProposal<>>{std::move(action), std::move(asked.turn.metrics), std::move(ids)});
        for (const std::size_t i : first) changes.emplace_back(CallBegun{names[i], {}});
        history.apply_together(std::move(changes));
        return history.open_calls();
    });
    changed();
    begin_step(open, {}, std::move(step));
}

ACTA_INLINE void RunState::register_answer(AssistantChatMessage message, FinishReason finish, Turn turn) {
    if (unicode::is_blank(message.content) && finish != FinishReason::paused) {
        if (finish == FinishReason::content_filter || finish == FinishReason::error) return end_incomplete(finish);
        // Some servers answer nothing once in a while, and something when they are asked again.
        if (++turn.empty_answers < 2) {
            enter(ToAsk{std::move(turn)});
            return;
        }
        const std::string why = result_.finish_reason.empty() ? "" : " (" + result_.finish_reason + ")";
        return fail(error("EmptyAnswer", "the model answered nothing, twice" + why));
    }
    if (finish != FinishReason::paused) result_.answer = message.content;
    turn.metrics.finished_at = turn.metrics.end_time();
    edit([&](HistoryEditor& history) {
        history.apply(MessageAdded{{.message = message, .metrics = std::move(turn.metrics)}});
    });
    const auto has_feedback = [](HistoryEditor& history) { return !history.view().pending_feedback().empty(); };
    if (finish == FinishReason::paused) return changed();  // the model continues when it is asked again
    if (!is_complete(finish)) return end_incomplete(finish);
    if (thrown_ || is_refused(message)) return;  // after an exception the next run asks whether it is accepted
    if (options_.continue_with_feedback && !reached_limit() && edit(has_feedback)) return changed();
    end(RunEnd::answered);
}

/// Asks whether an answer is accepted. If not, the model reads why, and the run continues or fails.
ACTA_INLINE bool RunState::is_refused(const AssistantChatMessage& answer) {
    std::optional<AnswerRefusal> refusal;
    if (check_)
        refusal = check_(answer);
    else if (auto why = options_.on_answer ? options_.on_answer(answer) : std::nullopt)
        refusal = {*why, *why};
    if (!refusal) return false;
    base::clean(refusal->letter);
    result_.answer.clear();
    edit([&](HistoryEditor& history) { history.register_message(ChatMessage::user(refusal->letter)); });
    if (++refused_answers_ >= options_.max_answer_attempts)
        fail(error("AnswerRefused", "the answer was refused: " + refusal->why));
    else
        changed();
    return true;
}

/// Ends the run after an answer that was cut off, refused or failed.
ACTA_INLINE void RunState::end_incomplete(FinishReason finish) {
    if (finish == FinishReason::error)
        return fail(error("IncompleteAnswer", "the model's answer ended with '" + result_.finish_reason + "'"));
    end(end_of(finish));
}

// A step -------------------------------------------------------------------------------------------------------------

/// Continues with the calls of a step that have no result; `places` has their places in it, none if all are open.
ACTA_INLINE void RunState::begin_step(const std::vector<OpenCall>& open, std::span<const std::size_t> places,
                                      InStep step) {
    note_steps();
    std::size_t begun = 0;
    for (const OpenCall& one : open) {
        const std::size_t i = step.calls.size();
        step.places.emplace(one.call.id, i);
        const bool begins = !step.is_continued && one.begun.value_or(false);
        step.calls.push_back({one, begins ? CallState::ready : CallState::undecided, steps_.first - 1,
                              places.empty() ? i : places[i], begins});
        if (begins) ++begun;
    }
    returned_.expect(options_.max_parallel > 1 ? begun : 0);  // else none of them runs while another one returns
    enter(std::move(step));
}

/// Shows the calls that are to run or to be decided. Finishes the step if there are none.
ACTA_INLINE void RunState::show_step(InStep& step) {
    step.is_shown = false;
    step.given.clear();
    decide_all(step);
    if (thrown_) return;
    RunCalls to_run;
    AwaitDecisions to_decide;
    bool is_left = false;
    const bool stopped = is_stopped();
    for (Call& call : step.calls) {
        if (stopped && call.state == CallState::ready && !call.begins_with_step) call.state = CallState::left;
        if (call.state == CallState::ready || call.state == CallState::begun)
            to_run.calls.push_back(
                {call.open.call,
                 {call.open.call.id, call.step, call.open.idempotency_key},
                 skill_extension::may_overlap(skills_, call.open.call.function.name, options_.parallel)});
        else if (call.state == CallState::waiting)
            to_decide.calls.push_back(call.open.call);
        else if (call.state != CallState::done)
            is_left = true;
    }
    if (to_run.calls.empty() && (is_left || (stopped && !to_decide.calls.empty()))) return end(RunEnd::stopped);
    if (to_run.calls.empty() && to_decide.calls.empty()) return finish_step(step.finish);
    step.is_shown = true;
    step.is_stopped = stopped;
    if (to_run.calls.empty())
        show(std::move(to_decide));
    else
        show(std::move(to_run));
}

/// Asks about the calls that have not been decided, unless the run was stopped.
ACTA_INLINE void RunState::decide_all(InStep& step) {
    for (std::size_t i = 0; i < step.calls.size(); ++i) {
        if (thrown_ || is_stopped()) return;
        if (step.calls[i].state == CallState::undecided) decide(step, i);
    }
}

/// Returns why a call cannot run, even if it is approved; empty if it can.
ACTA_INLINE std::string RunState::reason_not_to_run(const InStep& step, std::size_t i) {
    if (step.calls[i].place >= options_.limits.calls_per_step)
        return "The call did not run: a step may have at most " + std::to_string(options_.limits.calls_per_step) +
               " calls. Call fewer tools at a time.";
    const std::string& name = step.calls[i].open.call.function.name;
    if (options_.native_calls && step.offered && skills_.contains(name) && !step.offered->contains(name))
        return "The call did not run: " + name + " is not available at the moment.";
    const auto limits = options_.limits.tools.find(name);
    if (limits != options_.limits.tools.end() && limits->second.max_calls &&
        ++called_[name] > *limits->second.max_calls)
        return "The call did not run: " + name + " may be called at most " + std::to_string(*limits->second.max_calls) +
               " times.";
    return {};
}

ACTA_INLINE void RunState::decide(InStep& step, std::size_t i) {
    Call& call = step.calls[i];
    OpenCall& open = call.open;
    if (std::optional<ActionResult> without = skill_extension::cut_off(result_.finish_reason, options_.call.errors)) {
        register_result(call, *std::move(without));
    } else if (const std::string why = reason_not_to_run(step, i); !why.empty()) {
        register_result(call, skill_extension::failed("NotRun", why, options_.call.errors));
    } else if (step.is_continued && !skill_extension::may_run(open, skills_, options_.rerun)) {
        register_result(call, skill_extension::outcome_unknown(options_.call.errors));
    } else if (open.decision && !open.decision->approved) {
        register_result(call, skill_extension::refused(std::move(open.decision->feedback)));
    } else if (!open.decision && options_.approve && skills_.contains(open.call.function.name)) {
        if (const std::optional<ActionResult> fault = skills_.fault(open.call.function, options_.call))
            register_result(call, *fault);
        else
            settle(call, options_.approve(open.call));
    } else {
        call.state = CallState::ready;
    }
}

/// Records a decision.
ACTA_INLINE void RunState::settle(Call& call, Approval approval) {
    if (approval.undecided) {
        call.state = CallState::waiting;
        return;
    }
    const std::string& id = call.open.call.id;
    if (approval.approved && approval.arguments) {
        AssistantFunctionCall changed_call{call.open.call.function.name, *std::move(approval.arguments)};
        chat_extension::make_recordable(changed_call);
        edit_step([&](HistoryEditor& history) { history.set_arguments(id, changed_call.arguments); });
        call.open.call.function = std::move(changed_call);
        changed();
    }
    base::clean(approval.by);
    base::clean(approval.feedback);
    const CallDecision decision{approval.approved, std::move(approval.by), std::move(approval.feedback)};
    edit_step([&](HistoryEditor& history) { history.decide(id, decision); });
    call.state = CallState::ready;
    if (!decision.approved) register_result(call, skill_extension::refused(decision.feedback));
}

ACTA_INLINE void RunState::register_result(Call& call, const ActionResult& result) {
    if (put_result(call, result)) return;
    changed();
    report(CallCompleted{call.open.call, result});
}

/// Gives a call its result. Returns the error if it has one, of another run.
ACTA_INLINE std::optional<HistoryError> RunState::put_result(Call& call, const ActionResult& result) {
    auto refusal = edit_step([&](HistoryEditor& history) {
        return refusal_of([&] { history.register_result(call.open.call.id, result); });
    });
    call.state = CallState::done;
    return refusal;
}

ACTA_INLINE RunState::Call& RunState::find(std::string_view id) {
    auto* const step = std::get_if<InStep>(&state_);
    auto* const over = std::get_if<Over>(&state_);
    const CallPlaces none;
    const CallPlaces& places = step != nullptr ? step->places : over != nullptr ? over->places : none;
    const auto place = places.find(id);
    if (place == places.end()) throw Error("the step has no call '" + std::string(id.substr(0, 200)) + "'");
    Call& call = (step != nullptr ? step->calls : over->calls)[place->second];
    // A call that has begun with the step need not wait for the store, which other results may occupy.
    if (!call.begins_with_step) edit([this](HistoryEditor& history) { require_step(history); });
    return call;
}

ACTA_INLINE void RunState::decide(std::string_view id, Approval approval) {
    const std::lock_guard lock(mutex_);
    Call& call = find(id);
    if (call.state != CallState::waiting || is_over())
        throw Error("no decision on the call '" + call.open.call.id + "' is awaited");
    show_again();
    transition([&] { settle(call, std::move(approval)); });
}

ACTA_INLINE void RunState::pass_on(RunOptions& options, std::string_view tool_call_id) {
    const std::lock_guard lock(mutex_);
    options.call.outer = this;  // the limits of this run hold for both together
    if (options.observer == nullptr) options.observer = options_.observer;
    if (!options.price && options_.price) options.price = passed_on(options_.price);
    if (!options.approve && options_.approve) options.approve = passed_on(options_.approve);
    if (options_.on_event) {
        const AssistantToolCall& call = find(tool_call_id).open.call;  // there as long as the call has no result
        options.on_event = [&call, own = std::move(options.on_event),
                            pass = passed_on(options_.on_event)](const RunEvent& event) {
            if (own) own(event);
            pass(SubRunEvent{call, event});
        };
    }
}

ACTA_INLINE void RunState::add_sub_run(const std::string& tool_call_id, Json history) {
    const std::lock_guard lock(mutex_);
    edit_step([&](HistoryEditor& editor) { editor.register_sub_run(tool_call_id, std::move(history)); });
    changed();
}

ACTA_INLINE void RunState::finish_step(FinishReason finish) {
    enter(ToAsk());
    ++result_.steps;
    report(StepCompleted{steps_.first - 1});
    if (thrown_) return;
    check_and_compress();
    if (!is_over() && (finish == FinishReason::content_filter || finish == FinishReason::error)) end_incomplete(finish);
}

}  // namespace acta::inline ACTA_ABI::agent_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE AgentRun::AgentRun(SkillRegistry skills, LockableHistory history, RunOptions options)
    : state_(std::make_unique<agent_detail::RunState>(std::move(skills), std::move(history), std::move(options))) {}
ACTA_INLINE AgentRun::AgentRun(std::unique_ptr<agent_detail::RunState> state) noexcept : state_(std::move(state)) {}
ACTA_INLINE AgentRun::AgentRun(AgentRun&& other) noexcept = default;
ACTA_INLINE AgentRun& AgentRun::operator=(AgentRun&& other) noexcept = default;
ACTA_INLINE AgentRun::~AgentRun() = default;

ACTA_INLINE const AgentStep& AgentRun::next() { return state_->next(); }
ACTA_INLINE void AgentRun::give(ChatCompletion completion) { state_->give(std::move(completion)); }
ACTA_INLINE void AgentRun::fail(std::exception_ptr exception) { state_->fail(exception); }
ACTA_INLINE void AgentRun::give(std::string_view tool_call_id, ActionResult result) {
    state_->give(tool_call_id, std::move(result));
}
ACTA_INLINE void AgentRun::decide(std::string_view tool_call_id, Approval approval) {
    state_->decide(tool_call_id, std::move(approval));
}
ACTA_INLINE ActionResult AgentRun::call(const PendingCall& pending) { return state_->call(pending); }
ACTA_INLINE CallIdentity AgentRun::begin(std::string_view tool_call_id) { return state_->begin(tool_call_id); }
ACTA_INLINE RunResult AgentRun::leave() { return state_->leave(); }
ACTA_INLINE const RunOptions& AgentRun::options() const noexcept { return state_->options(); }

}  // namespace acta::inline ACTA_ABI
