// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/action/action.hpp"
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
#include "acta/skill/registry.hpp"

namespace acta::inline ACTA_ABI {

/// The decision on a call before it runs.
struct Approval {
    bool approved = true;                   ///< Whether the call may run.
    std::optional<JsonObject> arguments{};  ///< Arguments that replace those of the call, also in the history.
    std::string feedback{};                 ///< What the model is told if it may not run.
    std::string by{};                       ///< Who decided, for the record of a history in a store.

    /// The call may run as it is.
    [[nodiscard]] static Approval yes() { return {}; }
    /// The call may run with these arguments.
    [[nodiscard]] static Approval with(JsonObject arguments) { return {.arguments = std::move(arguments)}; }
    /// The call may not run: its result is `ActionInterruptedByHuman` with this feedback.
    [[nodiscard]] static Approval no(std::string feedback) {
        return {.approved = false, .feedback = std::move(feedback)};
    }
};

/// Options of `run_agent`.
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
                         .max_full_tokens = 24'000,
                         .keep_recent = 8,
                         .full_stride = 8,  // most requests begin as the one before, for prompt caches
                         .full_output = OutputLimit{.characters = 16'000, .tail = 4000}};
    /// Summarises the steps that are no longer shown in full; see `compression`. The tokens of one that asks a model
    /// are also in `RunResult::usage`.
    AnySummarizer summarizer = ExtractiveSummarizer{};
    /// Which steps are summarised after each step, and when (`trigger`). The run sets `stop`, `deadline`, `price` and
    /// `observer`.
    CompressionOptions compression{.keep_recent = 8};

    /// The model, its temperature and so on, of each request. The run sets `tools`, `stop`, `deadline` and `on_text`.
    ChatOptions chat{};
    /// Whether the model calls tools in its API's own form. Else the instructions describe the tools, and calls are
    /// read from the text of its answers (`parse_calls`).
    bool native_calls = true;
    /// Of each call of a tool. The run sets `stop`, `deadline`, `observer` and `on_progress`.
    SkillRunOptions call{};
    /// The longest that a call may take, from its beginning.
    std::optional<std::chrono::steady_clock::duration> call_timeout{};
    std::size_t max_parallel = 8;  ///< Calls at the same time; 0 is taken as 1.

    std::size_t max_steps = 100;               ///< The most requests of this run, with those of the answer.
    std::optional<std::int64_t> max_tokens{};  ///< Ends the run after so many tokens, of requests and answers.
    std::optional<double> max_cost_usd{};      ///< Ends the run when it has cost so much by `price`.
    CompletionPrice price{};                   ///< The price of a completion, in US dollars.
    acta::stop_token stop{};                   ///< Ends the run: requests and calls are cancelled.
    std::optional<std::chrono::steady_clock::time_point> deadline{};  ///< Also ends it.
    StuckOptions stuck{};                                             ///< When the run ends as stuck.

    /// Asked about each call of a known tool before any call of the step runs. Without it, all of them run. What was
    /// decided before a crash and is in a store is not asked again.
    std::function<Approval(const AssistantToolCall&)> approve{};
    /// Asked about each call that a run before this one left without a result, unless it has not begun or its skill
    /// may run again (`SkillHints`): whether it runs again. Otherwise its result is an error that says that its outcome
    /// is unknown. Without it, none runs of a history in a store (`StoredHistory`), and all of another one, which does
    /// not know what had begun.
    std::function<bool(const AssistantToolCall&)> rerun{};
    /// Called with each part of the model's text as it arrives, if the model streams.
    std::function<void(std::string_view)> on_text{};
    /// Called after each change of the history: the place to save it.
    std::function<void()> on_change{};
    /// Called when a step is finished, with its index.
    std::function<void(std::size_t step)> on_step{};
    /// Called before each call, by the thread that runs it.
    std::function<void(const AssistantToolCall&)> on_call_begin{};
    /// Called after each call, when the history has its result. Calls end in any order.
    std::function<void(const AssistantToolCall&, const ActionResult&)> on_call_result{};
    /// Called with what a tool reports (`SkillContext::report_progress`).
    std::function<void(const AssistantToolCall&, const SkillProgress&)> on_progress{};
    Observer* observer = nullptr;  ///< Gets the events of requests, calls and compressions, unless it is null.
};

/// Why a run ended.
enum class RunEnd {
    answered,    ///< The model answered without calling a tool.
    max_steps,   ///< `RunOptions::max_steps` requests were made.
    max_tokens,  ///< `RunOptions::max_tokens` tokens were used.
    max_cost,    ///< The run has cost `RunOptions::max_cost_usd`.
    stopped,     ///< By `RunOptions::stop` or `deadline`.
    stuck,       ///< The agent repeats itself.
    failed       ///< The model failed, or answered nothing.
};

/// Returns the name of the enumerator.
[[nodiscard]] std::string_view to_string(RunEnd end) noexcept;

/// The outcome of a run.
struct RunResult {
    RunEnd end = RunEnd::answered;     ///< Why it ended.
    std::string answer{};              ///< The answer, if there is one.
    std::size_t steps = 0;             ///< Steps that the run finished.
    std::size_t requests = 0;          ///< Requests to the model, those that failed included.
    TokenUsage usage{};                ///< Tokens of all completions, those of summaries included.
    double cost_usd = 0;               ///< What they cost by `RunOptions::price`, in US dollars.
    std::chrono::nanoseconds time{0};  ///< How long the run took.
    std::optional<Stuck> stuck{};      ///< How the agent is stuck, if it is.
    std::optional<ErrorInfo> error{};  ///< What failed, if something did.

    friend bool operator==(const RunResult&, const RunResult&) = default;
};

/// Returns why the run ended, and how it is stuck or what failed: `failed: no connection`.
[[nodiscard]] std::string to_string(const RunResult& run);

/// Prints `to_string(run)`.
inline std::ostream& operator<<(std::ostream& out, const RunResult& run) { return out << to_string(run); }

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::agent_detail {

/// The loop of `run_agent`.
class Loop {
public:
    Loop(ChatModelRef model, const SkillRegistry& skills, LockableHistory history, const RunOptions& options);

    [[nodiscard]] RunResult run();

private:
    /// Ends the run; returns false.
    bool end(RunEnd why) noexcept;
    bool fail(ErrorInfo error);
    [[nodiscard]] bool is_stopped() const;
    [[nodiscard]] bool is_within_limits();

    // Each of these returns whether the run continues.
    [[nodiscard]] bool next_step();
    [[nodiscard]] bool ask(ChatCompletion& completion);
    [[nodiscard]] bool register_completion(ChatCompletion completion);
    [[nodiscard]] bool finish_step(bool is_continued);
    [[nodiscard]] bool check_and_compress();

    [[nodiscard]] ChatCompletion request(std::size_t& tokens);
    void reduce_budget(std::size_t tokens);
    void account(const ChatCompletion& completion);
    void account(const SummaryCost& cost);
    [[nodiscard]] std::vector<AssistantToolCall> approved(std::vector<OpenCall> open, bool is_continued);
    [[nodiscard]] std::optional<ActionResult> decide(OpenCall& open, bool is_continued);
    void run_calls(const std::vector<AssistantToolCall>& calls);
    [[nodiscard]] ActionResult call(const AssistantToolCall& call, CallIdentity identity);
    [[nodiscard]] CompressionOptions compression() const;

    /// Calls a function with the history, under its lock, and returns what it returns.
    template <class Function>
    auto edit(const Function& function) const {
        return history_.with_lock(function);
    }

    /// Calls a function of the options, unless one has thrown. Returns whether none has.
    bool notify(const std::function<void()>& function) noexcept;
    void rethrow();
    /// The history was changed.
    void changed();

    ChatModelRef model_;
    const SkillRegistry& skills_;
    LockableHistory history_;
    const RunOptions& options_;
    PromptOptions budget_;
    std::string instructions_;
    std::vector<ToolDefinition> tools_{};
    StepMetrics metrics_{};          // of the step that is not registered yet
    std::size_t empty_answers_ = 0;  // in a row
    RunResult result_{};

    std::mutex mutex_{};           // for the functions of the options, and the history
    std::exception_ptr thrown_{};  // by one of them
};

[[nodiscard]] RunResult run(ChatModelRef model, const SkillRegistry& skills, LockableHistory history,
                            const RunOptions& options);

// Models without native calls.

/// Returns the description of the tools, and how to call them.
[[nodiscard]] std::string tools_in_words(const SkillRegistry& skills);
/// Returns the calls in the text of an answer, with positional arguments bound to parameters. Throws `CallSyntaxError`.
[[nodiscard]] std::vector<AssistantFunctionCall> calls_in_text(const std::string& text, const SkillRegistry& skills);

}  // namespace acta::inline ACTA_ABI::agent_detail

namespace acta::inline ACTA_ABI {

/// Lets a model work with the tools of a registry until it answers (docs/reference/agent.md, "The loop"): it is shown
/// the history, its calls become a step and run in parallel, each result is registered as it comes, and older steps are
/// summarised. Pending feedback is taken before each request.
///
/// What a model or a tool does is never thrown: a call that fails has an error as its result, which the model sees, and
/// a model that fails ends the run. The history is right at every moment, so that a run that ended for whatever reason,
/// a crash included, is continued by another `run_agent`: calls of the last step without results are run first. If the
/// history ends with an answer, that is returned and the model is not asked.
///
/// Throws `Error` if there is nothing to work on, and what the functions of `options` throw. No other thread may use
/// the history meanwhile; a `SharedHistory` has an overload of its own.
///
/// @code{.cpp}
/// #include <acta/chat/chat_model.hpp>
/// acta::SkillRegistry skills;
/// skills.add("high_water", "When high water is.", [](const std::string& port) { return port + " 12:15"; },
///            acta::param("port", "The name of the port."));
/// acta::ScriptedChatModel model;   // or acta::openai::ChatModel
/// model.reply_call("high_water", {{"port", "Brest"}}).reply("At 12:15.");
///
/// acta::EpisodicActionHistory<> history;
/// history.register_message(acta::ChatMessage::user("When is high water in Brest?"));
/// const acta::RunResult run = acta::run_agent(model, skills, history);
/// assert(run.end == acta::RunEnd::answered);
/// assert(run.answer == "At 12:15.");
/// @endcode
template <ChatModel Model, ProposalWithParallelCalls P>
    requires std::constructible_from<std::remove_cvref_t<decltype(P::thoughts)>, const std::string&>
RunResult run_agent(Model&& model, const SkillRegistry& skills, EpisodicActionHistory<P>& history,
                    const RunOptions& options = RunOptions()) {
    return agent_detail::run(ChatModelRef(model), skills, LockableHistory(history), options);
}

/// As above, while other threads keep using the history: it is only locked to read and to change it. Feedback that they
/// append reaches the model with the next request. Throws also `HistoryError` if they take back the step that is open.
template <ChatModel Model, ProposalWithParallelCalls P>
    requires std::constructible_from<std::remove_cvref_t<decltype(P::thoughts)>, const std::string&>
RunResult run_agent(Model&& model, const SkillRegistry& skills, SharedHistory<P>& history,
                    const RunOptions& options = RunOptions()) {
    return agent_detail::run(ChatModelRef(model), skills, LockableHistory(history), options);
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/agent/detail/run.inl.hpp"
#endif
