// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "acta/action/result.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/tool_call.hpp"
#include "acta/compress/compression.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/compress/summarizer.hpp"
#include "acta/history/stuck.hpp"
#include "acta/prompt/options.hpp"
#include "acta/skill/context.hpp"

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
    /// Called before each call.
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
