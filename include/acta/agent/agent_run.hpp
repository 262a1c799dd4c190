// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/agent/run_event.hpp"
#include "acta/base/callback.hpp"
#include "acta/base/duration.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/compress/compress.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/compress/rolling_summary.hpp"
#include "acta/history/history_view.hpp"
#include "acta/history/stuck.hpp"
#include "acta/prompt/prompt.hpp"
#include "acta/skill/context.hpp"
#include "acta/skill/execute.hpp"
#include "acta/skill/registry.hpp"

namespace acta::inline ACTA_ABI {

/// The decision on a call before it runs.
struct Approval {
    bool approved = true;                   ///< Whether the call may run.
    std::optional<JsonObject> arguments{};  ///< Arguments that replace those of the call, also in the history.
    std::string feedback{};                 ///< What the model reads if it may not run.
    std::string by{};                       ///< Who decided, for the record of a history in a store.
    bool undecided = false;                 ///< Whether the decision is still to come.

    /// The call may run as it is.
    [[nodiscard]] static Approval yes() { return {}; }
    /// The call may run with these arguments.
    [[nodiscard]] static Approval with(JsonObject arguments) { return {.arguments = std::move(arguments)}; }
    /// The call may not run: its result is `ActionInterruptedByHuman` with this feedback.
    [[nodiscard]] static Approval no(std::string feedback) {
        return {.approved = false, .feedback = std::move(feedback)};
    }
    /// The decision comes later: the call waits, and the other calls of the step run (`RunEnd::waiting`).
    [[nodiscard]] static Approval later() { return {.approved = false, .undecided = true}; }
};

/// Limits of one tool in a run.
struct SkillLimits {
    /// The most calls in the run. Each further one has an error as its result.
    std::optional<std::size_t> max_calls{};
    std::size_t max_retries = 0;  ///< How often a call that throws `RetrySkill` is repeated.
    /// The wait before a repetition, as of `RetryOptions`: it doubles with each, from `first_delay` to `max_delay`, and
    /// is at least `RetrySkill::retry_after`. A call is not repeated if that is longer than `max_retry_after`, or if
    /// the stop or a deadline comes first.
    std::chrono::milliseconds first_delay{500};
    std::chrono::milliseconds max_delay{20'000};        ///< The longest wait that doubling leads to.
    std::chrono::milliseconds max_retry_after{60'000};  ///< The longest wait that a skill may ask for.

    friend bool operator==(const SkillLimits&, const SkillLimits&) = default;
};

/// Limits of a run. Those of requests, tokens and cost hold before each request, so that the last one may exceed them.
struct RunLimits {
    std::size_t requests = 100;            ///< The most requests, with those of the answer (`RunEnd::max_steps`).
    std::optional<std::int64_t> tokens{};  ///< The most tokens of requests and answers (`RunEnd::max_tokens`).
    std::optional<double> cost_usd{};      ///< The most US dollars by `RunOptions::price`, which it needs.
    /// The most calls of one step that run. Each further one has an error as its result.
    std::size_t calls_per_step = 128;
    std::map<std::string, SkillLimits> tools{};  ///< Limits of tools, by their names.
    /// Whether the requests, tokens and cost of earlier runs on the same task count too, so that a run that was
    /// interrupted does not get its whole budget again: what the steps and answers since the last message of a person
    /// have used.
    bool count_history = true;
};

/// Options of `run_agent` and `AgentRun`.
///
/// No two of its functions are called at the same time, whatever the threads of the calls are. An exception of one of
/// them ends the run: calls that have begun are waited for, their results are registered, and `run_agent` throws it.
/// The history can be run again afterwards, and no call that has a result is repeated.
struct RunOptions {
    /// Begins each request, in one message of the system with the history's own instructions. Like the tools, it is
    /// not part of the history.
    std::string instructions{};
    /// What the model is shown of the history. If the model refuses a request as too long, it is shown less from then
    /// on.
    PromptOptions budget{.max_tokens = 4000,
                         .max_full_tokens = 48'000,
                         .keep_recent = 8,
                         .full_stride = 16,  // most requests begin as the one before: docs/compression.md
                         .full_output = OutputLimit{.characters = 16'000, .tail = 4000}};
    /// Summarises the steps that are no longer shown in full; see `compression`. The tokens of one that asks a model
    /// are also in `RunResult::usage`.
    AnySummarizer summarizer = ExtractiveSummarizer{};
    /// Which steps are summarised after each step, and when (`trigger`). Without a trigger, steps that requests still
    /// show in full (`budget.full_stride`) wait. The run sets `until`, `price` and `observer`.
    CompressionOptions compression{.keep_recent = 8};

    /// The model, its temperature and so on, of each request. The run sets `tools`, `until` and `on_text`.
    /// `tool_choice` holds until the first call of the run; then the model decides.
    ChatOptions chat = ChatOptions();
    /// Whether the model calls tools in its API's own form. Else the instructions describe the tools, and calls are
    /// read from the text of its answers (`parse_calls`).
    bool native_calls = true;
    /// Of each call of a tool. The run sets `until`, `observer` and `on_progress`.
    SkillRunOptions call = SkillRunOptions();  // g++ 14 takes parts of `{}` for uninitialized at -O3
    /// The longest that a call may take, from its beginning: any duration.
    std::optional<TimeLimit> call_timeout{};
    std::size_t max_parallel = 8;  ///< Calls at the same time; 0 is taken as 1.
    /// Which calls of a step run at the same time. A call that runs alone waits for those before it in the model's
    /// order, and those after it wait.
    CallOverlap parallel = CallOverlap::hinted;

    RunLimits limits = RunLimits();  ///< When the run ends, and which calls do not run.
    /// The price of a completion, in US dollars: a function, or `TokenPrices`. Where it or `limits.tokens` is set,
    /// tokens that the model does not report are counted by `budget.count_tokens` (`TokenUsage::estimated`).
    CompletionPrice price{};
    Until until{};                        ///< Ends the run: requests and calls are cancelled.
    StuckOptions stuck = StuckOptions();  ///< When the run ends as stuck.
    /// Whether the run continues if feedback came while the model made its answer. Else it is left for the next run
    /// (`RunResult::pending_feedback`).
    bool continue_with_feedback = true;

    /// Called with each request before it is made, to change the tools, the model and so on of this one. The messages
    /// begin with the instructions, if there are any. A call of a tool that the request did not have does not run.
    Callback<void(AskModel&)> prepare{};
    /// Called with each complete answer, when the history has it. Returns nothing if it is accepted, else the reason,
    /// which the model reads before it answers again.
    Callback<std::optional<std::string>(const AssistantChatMessage&)> on_answer{};
    /// The run fails after this many answers that `on_answer` refused or that did not fit; 0 is taken as 1.
    std::size_t max_answer_attempts = 3;

    /// Asked about each call that can run before any call of the step runs: of a known tool, with arguments that fit,
    /// within the limits. Without it, all of them run. What was decided before a crash and is in a store is not asked
    /// again.
    Callback<Approval(const AssistantToolCall&)> approve{};
    /// Asked about each call that a run before this one left without a result, unless it has not begun or its skill
    /// may run again (`SkillHints`): whether it runs again. Otherwise its result is an error that says that its outcome
    /// is unknown. Without it, none runs of a history in a store (`StoredHistory`), and all of another one, which does
    /// not know what had begun.
    Callback<bool(const AssistantToolCall&)> rerun{};
    /// Called with everything that happens in the run (`RunEvent`); `on` makes a function for some kinds of events.
    /// The model is asked to stream. What happens in the runs of agents that are tools comes as `SubRunEvent`.
    Callback<void(const RunEvent&)> on_event{};
    /// A short form of `on_event` for the text of the model alone, part by part as it arrives. It begins again after
    /// `AnswerRestarted`.
    Callback<void(std::string_view)> on_text{};
    Observer* observer = nullptr;  ///< Gets the events of requests, calls and compressions, unless it is null.
};

/// Why a run ended.
enum class RunEnd {
    answered,    ///< The model answered without calling a tool.
    waiting,     ///< Calls wait for a decision (`Approval::later`).
    truncated,   ///< The answer was cut off: `RunResult::answer` is its beginning.
    refused,     ///< The model or a content filter refused to answer.
    max_steps,   ///< `RunLimits::requests` were made.
    max_tokens,  ///< `RunLimits::tokens` were used.
    max_cost,    ///< The run has cost `RunLimits::cost_usd`.
    stopped,     ///< By `RunOptions::until`.
    stuck,       ///< The agent repeats itself.
    failed       ///< The model failed, or answered nothing, or the limit of the cost could not be checked.
};

/// Returns the name of the enumerator.
[[nodiscard]] std::string_view to_string(RunEnd end) noexcept;

/// The outcome of a run.
struct RunResult {
    RunEnd end = RunEnd::answered;     ///< Why it ended.
    std::string answer{};              ///< The answer, if there is one.
    std::string finish_reason{};       ///< Of the last completion (`ChatCompletion::finish_reason`).
    std::size_t steps = 0;             ///< Steps that the run finished.
    std::size_t requests = 0;          ///< Requests to the model, those that failed included.
    TokenUsage usage{};                ///< Tokens of all completions, those of summaries included.
    double cost_usd = 0;               ///< What they cost by `RunOptions::price`, in US dollars.
    std::chrono::nanoseconds time{0};  ///< How long the run took.
    std::optional<Stuck> stuck{};      ///< How the agent is stuck, if it is.
    std::optional<RunError> error{};   ///< What failed, if something did.
    /// The calls that wait for a decision. `decide` on the history records it, and another run continues.
    std::vector<AssistantToolCall> waiting{};
    std::size_t pending_feedback = 0;  ///< How much feedback waits in the history for the next run.

    friend bool operator==(const RunResult&, const RunResult&) = default;
};

/// Returns why the run ended, and how it is stuck or what failed: `failed: no connection`.
[[nodiscard]] std::string to_string(const RunResult& run);

/// Prints `to_string(run)`.
inline std::ostream& operator<<(std::ostream& out, const RunResult& run) { return out << to_string(run); }

/// A call of a step that is to run.
struct PendingCall {
    AssistantToolCall call{};  ///< The call, with its id in the step.
    CallIdentity identity{};   ///< Which call of the history it is.
    bool overlaps = false;     ///< Whether it may run at the same time as others that may (`RunOptions::parallel`).

    friend bool operator==(const PendingCall&, const PendingCall&) = default;
};

/// The model has to be asked. Answer it with `AgentRun::give(completion)`, or `AgentRun::fail`.
struct AskModel {
    std::vector<ChatMessage> messages{};  ///< The conversation.
    ChatOptions options{};                ///< Also has the tools, the stop token and the deadline.
};
/// Calls are to run, in this order; neighbours that overlap at the same time, in any order. Answer each with
/// `AgentRun::give(id, result)`.
struct RunCalls {
    std::vector<PendingCall> calls{};  ///< Those that have no result yet.
};
/// Nothing can be done before a person has decided on these calls. Answer each with `AgentRun::decide`.
struct AwaitDecisions {
    std::vector<AssistantToolCall> calls{};  ///< Those for which `RunOptions::approve` returned `Approval::later()`.
};
/// What a run needs next, or its outcome.
using AgentStep = std::variant<AskModel, RunCalls, AwaitDecisions, RunResult>;

namespace agent_detail {
class RunState;
struct AnswerType;
[[nodiscard]] RunResult drive(ChatModelRef model, AgentRun run);
[[nodiscard]] RunResult drive_typed(ChatModelRef model, const SkillRegistry& skills, LockableHistory history,
                                    const RunOptions& given, const AnswerType& type);
}  // namespace agent_detail

/// A run as a state machine, without I/O and threads of its own: it says what it needs next, and takes the result. An
/// event loop drives it, or a program that waits for a person; `run_agent` is its blocking driver, and its
/// documentation applies. A summarizer that asks a model does so inside `next`.
///
/// What is given is in the history when the function returns. Whatever the functions of the options or a store throw
/// ends the run: `next` throws it, and none of these functions is called after that. Misuse throws `Error` and changes
/// nothing.
///
/// | state | `next` returns | what it is given | then |
/// |---|---|---|---|
/// | not started | continues at once | | to ask; in an open step; over, if the history ends with an answer |
/// | to ask | asks at once, unless a limit is reached | | asking; over |
/// | asking | `AskModel` | `give(completion)` | in a step, if it has calls; to ask again; over, with an answer |
/// | asking | `AskModel` | `fail` | to ask again, if the request was too long for the first time; over |
/// | in a step | `RunCalls` until all have results | `call`, `begin`, `give(id, result)` | to ask; over |
/// | in a step | `AwaitDecisions`, if only these are left | `decide` | in the step |
/// | over | `RunResult` | `give(id, result)` of calls that had begun | over |
///
/// After a step a run is over if the agent is stuck, or if the answer with its calls was refused or failed. A stop, and
/// what a function of the options throws, end it in any state, and so does `leave`.
///
/// One thread uses a run, but calls may run in others: `call` and `give(id, result)` may be called by several threads
/// at once, and `leave` by one thread while they are, but no other member. The run has a copy of the registry, which
/// shares its functions, and refers to the history: it follows a plain history that is moved, and if the history is
/// gone, `next` and all other members that need it throw `Error`. The end of a run that is not over, by its
/// destructor, leaves the history as it is; another run continues it.
///
/// @code{.cpp}
/// #include <acta/chat/chat_model.hpp>
/// acta::SkillRegistry skills;
/// acta::EpisodicActionHistory<> history;
/// history.register_message(acta::ChatMessage::user("When is high water in Brest?"));
/// acta::ScriptedChatModel model{"At 12:15."};
///
/// acta::AgentRun run(skills, history);
/// while (true) {
///     const acta::AgentStep& step = run.next();
///     if (const auto* ask = std::get_if<acta::AskModel>(&step)) {
///         run.give(model(ask->messages, ask->options));   // or run.fail(exception)
///     } else if (const auto* calls = std::get_if<acta::RunCalls>(&step)) {
///         for (const acta::PendingCall& one : calls->calls) run.give(one.call.id, run.call(one));
///     } else {
///         break;   // decisions are awaited, or the run is over
///     }
/// }
/// assert(run.leave().answer == "At 12:15.");
/// @endcode
class AgentRun {
public:
    /// Begins or continues a run. The options are copied. Throws `Error` for options that make no sense.
    template <ProposalWithParallelCalls P>
        requires std::constructible_from<std::remove_cvref_t<decltype(P::thoughts)>, const std::string&>
    AgentRun(SkillRegistry skills, EpisodicActionHistory<P>& history, RunOptions options = {})
        : AgentRun(std::move(skills), LockableHistory(history), std::move(options)) {}
    /// As above, while other threads keep using the history.
    template <ProposalWithParallelCalls P>
        requires std::constructible_from<std::remove_cvref_t<decltype(P::thoughts)>, const std::string&>
    AgentRun(SkillRegistry skills, SharedHistory<P>& history, RunOptions options = {})
        : AgentRun(std::move(skills), LockableHistory(history), std::move(options)) {}
    /// The same for a history whose type is not known.
    AgentRun(SkillRegistry skills, LockableHistory history, RunOptions options);
    template <class P>
    AgentRun(const SkillRegistry&, EpisodicActionHistory<P>&&, RunOptions = {}) = delete;  // acta: keep the history
    template <class P>
    AgentRun(const SkillRegistry&, SharedHistory<P>&&, RunOptions = {}) = delete;  // acta: keep the history
    /// Moves a run; `other` may only be destroyed or assigned to.
    AgentRun(AgentRun&& other) noexcept;
    /// Moves a run, and ends the old one where it is.
    AgentRun& operator=(AgentRun&& other) noexcept;
    ~AgentRun();

    /// Returns what the run needs next: the same until it is given, which costs nothing. Valid until the next call of
    /// `next`. Calls are listed as long as they have no result. Throws `Error` if there is nothing to work on, or if
    /// the steps of the history were changed by anything else, and what the functions of the options and a store
    /// threw.
    const AgentStep& next();

    /// The model's answer to `AskModel`. Throws `Error` if the model was not asked.
    void give(ChatCompletion completion);
    /// The exception with which the model answered `AskModel`. Throws `Error` if the model was not asked.
    void fail(std::exception_ptr exception);
    /// The same for an exception.
    template <std::derived_from<std::exception> Exception>
    void fail(const Exception& exception) {
        fail(std::make_exception_ptr(exception));
    }
    /// The result of one of the `RunCalls`, as long as its step is open. Throws `Error`, and changes nothing, if the
    /// step has no call with this id, if the call has a result, perhaps from another run on the history, or if the step
    /// is no longer the newest one.
    void give(std::string_view tool_call_id, ActionResult result);
    /// The decision on a call that waits for one. Throws `Error` as `give` does.
    void decide(std::string_view tool_call_id, Approval approval);

    /// Runs one of the `RunCalls` with the registry, under the limits of the options, and returns its result for
    /// `give`; every failure is a result. If the run was stopped before, the call does not run and stays open: `give`
    /// ignores the result, an error. Throws `Error` as `give` does, and if the call has begun.
    [[nodiscard]] ActionResult call(const PendingCall& pending);
    /// Notes that a call begins that the program runs itself: `call` does so, too. In a store this lasts when the
    /// function returns, so that the call is not run twice if the program dies. Throws as `call`.
    CallIdentity begin(std::string_view tool_call_id);

    /// Ends the run where it is, unless it is over, and returns its outcome: `waiting` if decisions are awaited, else
    /// `stopped`. Open calls stay open; those of agents that are tools are stopped.
    RunResult leave();

    /// Returns the options.
    [[nodiscard]] const RunOptions& options() const noexcept;

private:
    friend RunResult agent_detail::drive(ChatModelRef model, AgentRun run);
    friend RunResult agent_detail::drive_typed(ChatModelRef model, const SkillRegistry& skills, LockableHistory history,
                                               const RunOptions& given, const agent_detail::AnswerType& type);
    explicit AgentRun(std::unique_ptr<agent_detail::RunState> state) noexcept;

    std::unique_ptr<agent_detail::RunState> state_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/agent/detail/agent_run.inl.hpp"
#include "acta/agent/detail/calls.inl.hpp"
#include "acta/agent/detail/summaries.inl.hpp"
#endif
