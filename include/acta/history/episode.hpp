// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/base/error.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/describe/describe.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/fwd.hpp"
#include "acta/json/timestamp.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// Why a history refused a call.
enum class HistoryErrorCode {
    action_already_set,  ///< An action was registered while a step is open.
    no_action,           ///< A result was registered while no step is open.
    result_already_set,  ///< The step, or one of its calls, has its result already.
    negative_rewind,     ///< `rewind` of fewer than 0 steps.
    unknown_tool_call,   ///< The open step has no call with this id.
    step_open,           ///< An answer was registered while a step is open.
    call_begun,          ///< A call has begun before, so that it may have had its effect (`StoredHistory::execute`).
    no_call,             ///< A proposal without a call was registered as a step; it is an answer.
    not_conversation,    ///< A tool's result or a message with calls was registered as part of the conversation.
    run_active,       ///< A run uses the history (`run_agent`, `AgentRun`), and other code began one or changed steps.
    invalid_call_ids  ///< A step was registered with ids that are not one for each of its calls, and all different.
};

/// A history was used out of order. It is unchanged.
class HistoryError : public Error {
public:
    /// `message` is `what()`.
    HistoryError(HistoryErrorCode code, const std::string& message) : Error(message), code_(code) {}
    /// Returns why the history refused.
    [[nodiscard]] HistoryErrorCode code() const noexcept { return code_; }

private:
    HistoryErrorCode code_;
};

/// Identifies the current state of a step of a history: the step, and the attempt at it.
///
/// Identities are unique in a process and belong to it: they are neither written nor compared with a history. A copy of
/// a history has the same ones. A result for one identity, such as a summary, never reaches another step, nor the same
/// step after it received another result in a history that was restored from a copy.
struct EpisodeId {
    std::uint64_t step = 0;      ///< The step: greater than those of all steps that were registered before.
    std::uint64_t revision = 0;  ///< A new one with each result of the step; 0 before the first.

    friend auto operator<=>(const EpisodeId&, const EpisodeId&) = default;
};

/// Returns `<step>.<revision>`.
[[nodiscard]] inline std::string to_string(const EpisodeId& id) {
    return std::to_string(id.step) + "." + std::to_string(id.revision);
}
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const EpisodeId& id) { return out << to_string(id); }

/// The price of a model's tokens, in US dollars per million.
struct TokenPrices {
    double prompt = 0;                    ///< Tokens of the request.
    double completion = 0;                ///< Tokens of the answer.
    std::optional<double> cached{};       ///< Tokens of the request from the prompt cache; `prompt` by default.
    std::optional<double> cache_write{};  ///< Tokens of the request written to the prompt cache; `prompt` by default.

    /// Returns the price of one completion in US dollars.
    [[nodiscard]] double cost(const TokenUsage& usage) const noexcept;
    /// The same; 0 if the completion states no usage. So prices are a `CompletionPrice`.
    [[nodiscard]] double operator()(const ChatCompletion& of) const noexcept { return of.usage ? cost(*of.usage) : 0; }

    friend bool operator==(const TokenPrices&, const TokenPrices&) = default;
};

namespace history_detail {

/// A moment of this program. All are equal, so that metrics are equal to those that were read from their JSON.
struct SteadyStart {
    std::optional<std::chrono::steady_clock::time_point> at{};

    friend constexpr bool operator==(const SteadyStart&, const SteadyStart&) noexcept { return true; }
};

}  // namespace history_detail

/// What a step took: time, tokens of the model, and money. Each may be unknown.
///
/// @code{.cpp}
/// acta::StepMetrics metrics = acta::StepMetrics::start();   // the clock runs
/// acta::ChatCompletion completion;                          // = model(messages, options)
/// completion.usage = {.prompt_tokens = 1200, .completion_tokens = 80};
/// metrics.add(completion, {.prompt = 0.15, .completion = 0.6});
/// // history.register_action(proposal, metrics);
/// // history.register_result(result);                       // notes the end of the step
/// // acta::MetricsTotals total = acta::totals(history);
/// @endcode
struct StepMetrics {
    /// When the step began.
    std::optional<Timestamp> started_at{};
    /// When it had its result.
    std::optional<Timestamp> finished_at{};
    /// Tokens of requests.
    std::optional<std::int64_t> prompt_tokens{};
    /// Tokens of answers.
    std::optional<std::int64_t> completion_tokens{};
    /// Tokens of requests from the prompt cache.
    std::optional<std::int64_t> cached_tokens{};
    /// Tokens of requests written to the prompt cache.
    std::optional<std::int64_t> cache_write_tokens{};
    /// Tokens of answers that were reasoning.
    std::optional<std::int64_t> reasoning_tokens{};
    std::optional<double> cost_usd{};  ///< US dollars.
    std::string model{};               ///< The model that answered last; may be empty.
    std::string finish_reason{};       ///< Why the answer is incomplete (`ChatCompletion::finish_reason`), else empty.
    history_detail::SteadyStart begun{};  ///< When `start` was called, by a clock that is never set; in no record.

    /// Returns the metrics of a step that starts now by the system's clock.
    [[nodiscard]] static StepMetrics start() {
        return {.started_at = Timestamp::now(), .begun = {std::chrono::steady_clock::now()}};
    }
    /// Returns the time of the end of a step that ends now: after `started_at` by what has passed since `start`,
    /// whether or not the system's clock was set in between. By the system's clock for metrics that were read.
    [[nodiscard]] Timestamp end_time() const;

    /// Adds the tokens of a completion, if the model stated them, and notes the model. A step that took several
    /// completions has their sum.
    void add(const ChatCompletion& completion);
    /// Adds the tokens of a completion and what they cost.
    void add(const ChatCompletion& completion, const TokenPrices& prices);

    /// Returns the time from start to finish; nothing if one of the two is unknown or has no time zone, or if the
    /// finish is before the start, as where a clock was set back.
    [[nodiscard]] std::optional<std::chrono::microseconds> duration() const;

    friend bool operator==(const StepMetrics&, const StepMetrics&) = default;
};

/// The sums of the metrics of several steps. Unknown values count as zero; a sum out of range stays at the largest
/// number.
struct MetricsTotals {
    std::size_t steps = 0;              ///< All steps.
    std::size_t steps_with_tokens = 0;  ///< Steps and answers whose tokens are known.
    std::size_t steps_with_cost = 0;    ///< Steps and answers whose cost is known.
    /// Tokens of requests.
    std::int64_t prompt_tokens = 0;
    /// Tokens of answers.
    std::int64_t completion_tokens = 0;
    /// Tokens of requests from the prompt cache.
    std::int64_t cached_tokens = 0;
    /// Tokens of requests written to the prompt cache.
    std::int64_t cache_write_tokens = 0;
    /// Tokens of answers that were reasoning.
    std::int64_t reasoning_tokens = 0;
    double cost_usd = 0;                ///< US dollars.
    std::chrono::microseconds time{0};  ///< From start to finish of each step with a `duration()`.

    /// Adds the metrics of a step; unknown values count as 0.
    void add(const StepMetrics& metrics);
    /// Adds a step whose metrics may be unknown.
    void add(const Boxed<StepMetrics>& metrics);

    friend bool operator==(const MetricsTotals&, const MetricsTotals&) = default;
};

/// Returns `6 steps in 12.5 s, 1200 tokens to the model (800 cached), 90 from it (20 reasoning), 0.0150 USD`, without
/// what is zero.
[[nodiscard]] std::string to_string(const MetricsTotals& totals);
/// Returns the same of one step, with the model: `1 step in 2.1 s, 800 tokens to the model, 40 from it (gpt-5)`.
[[nodiscard]] std::string to_string(const StepMetrics& metrics);
namespace history_detail {
/// Returns a time in the units that a person would use: `320 ms`, `12.3 s`, `4 min 5 s`, `2 h 13 min`.
[[nodiscard]] std::string duration_text(std::chrono::microseconds time);
/// Throws `std::out_of_range` unless there is a step at `i`.
void require_step(std::size_t i, std::size_t steps);
}  // namespace history_detail

/// Prints `to_string(totals)`.
inline std::ostream& operator<<(std::ostream& out, const MetricsTotals& totals) { return out << to_string(totals); }
/// Prints `to_string(metrics)`.
inline std::ostream& operator<<(std::ostream& out, const StepMetrics& metrics) { return out << to_string(metrics); }

/// Returns the sums over a slice of a history's steps (`history.episodes().last(10)`). Linear.
template <class Episodes>
    requires requires(const Episodes& episodes) { episodes.begin(); }
[[nodiscard]] MetricsTotals totals(const Episodes& episodes) {
    MetricsTotals out;
    for (const auto& episode : episodes) out.add(episode.metrics);
    return out;
}

template <>
struct Describe<StepMetrics> {
    static constexpr auto fields = acta::fields(
        defaulted("started_at", &StepMetrics::started_at), defaulted("finished_at", &StepMetrics::finished_at),
        defaulted("prompt_tokens", &StepMetrics::prompt_tokens),
        defaulted("completion_tokens", &StepMetrics::completion_tokens), defaulted("cost_usd", &StepMetrics::cost_usd),
        omit_if_empty("cached_tokens", &StepMetrics::cached_tokens),
        omit_if_empty("cache_write_tokens", &StepMetrics::cache_write_tokens),
        omit_if_empty("reasoning_tokens", &StepMetrics::reasoning_tokens), omit_if_empty("model", &StepMetrics::model),
        omit_if_empty("finish_reason", &StepMetrics::finish_reason));
};

/// A message between the steps of a history: an instruction, a message of the user, or an answer of the model.
struct ConversationMessage {
    std::size_t before = 0;        ///< The message precedes this step, counted from 0; the number of steps at the end.
    ChatMessage message{};         ///< Who said what: the system, the user, or the assistant without a call.
    Boxed<StepMetrics> metrics{};  ///< What an answer took, if that is known; written when set.

    friend bool operator==(const ConversationMessage&, const ConversationMessage&) = default;
};

/// Returns the message: `user: <the text>`.
[[nodiscard]] inline std::string to_string(const ConversationMessage& said) { return to_string(said.message); }
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const ConversationMessage& said) { return out << to_string(said); }

template <>
struct Describe<ConversationMessage> {
    static constexpr auto fields = acta::fields(required("before", &ConversationMessage::before),
                                                required("message", &ConversationMessage::message),
                                                omit_if_empty("metrics", &ConversationMessage::metrics));
};

namespace history_detail {

using Conversation = std::vector<ConversationMessage>;

/// Appends a message as a paragraph: `### User`, and below it its text.
void append_said(std::string& out, const ChatMessage& message);
/// Throws `HistoryError` (`not_conversation`) for a tool's message and one with calls: those belong to steps.
void require_conversation(const ChatMessage& message);
/// Reserves memory for `count` more messages.
void reserve_messages(Conversation& conversation, std::size_t count);
/// Adds messages, one or more that all precede the same step, after the others that precede it. Does not throw if
/// memory for them was reserved; if it throws, nothing has changed.
void add_messages(Conversation& conversation, Conversation said);
/// Returns the messages that pieces of feedback become, before the step at `before`.
[[nodiscard]] Conversation messages_of_feedback(const std::vector<std::string>& feedback, std::size_t before);
/// Drops the messages right after the step at `step`, which is about to be removed. Messages of later steps stay with
/// those steps, whose index is then one less.
void drop_messages_behind(Conversation& conversation, std::size_t step);
/// Drops the messages after the step at `steps`, since only the first `steps` steps are kept. Messages before that step
/// stay.
void drop_messages_after(Conversation& conversation, std::size_t steps);
/// Returns the message of the assistant with which a history ends; null if anything comes after it.
[[nodiscard]] const ChatMessage* find_answer(std::span<const ConversationMessage> messages,
                                             std::span<const std::string> pending_feedback, std::size_t steps) noexcept;
/// Brings a conversation that was read into order. Returns whether a message stood beyond the end.
bool arrange(Conversation& conversation, std::size_t steps);

}  // namespace history_detail

/// Returns the step in full, as Markdown for a prompt: its calls, why it was proposed, its status and its result.
/// `tool_results` are those of parallel calls and replace `result` if there are any. The text is the
/// reference's (docs/reference/history.md, "Episodes and history"); with `contain`, texts that acta did not write
/// cannot look like other steps (`contained`).
[[nodiscard]] std::string format_step(std::span<const AssistantFunctionCall> calls, const std::string& thoughts,
                                      const std::optional<ActionResult>& result,
                                      std::span<const ToolResult> tool_results, bool contain = false);

/// Returns `text` with `width` blanks before each of its lines, including empty ones.
[[nodiscard]] std::string indent_text(std::string_view text, std::size_t width = 4);

/// Returns the result of a step from those of its parallel calls: the first that is not a success, else a success whose
/// outputs are the list of theirs, in order.
[[nodiscard]] ActionResult joined_result(std::span<const ToolResult> results);

namespace history_detail {

/// Returns whether two results are equal, as `==` does, but faster for successes, which most steps have.
[[nodiscard]] bool equal_results(const std::optional<ActionResult>& a, const std::optional<ActionResult>& b);

}  // namespace history_detail

/// One step of an agent: what it proposed, and its result. An aggregate that anyone may read and build;
/// `EpisodicActionHistory` keeps the order in which it is filled.
template <class P>
struct Episode {
    static_assert(
        Proposal<P>,
        "acta: a proposal is acta::ActionProposal<Thoughts>, or a described struct with members `thoughts` and "
        "`acta::AssistantFunctionCall use_tool`");
    static_assert((require_thoughts<decltype(P::thoughts)>(), true));

    /// What the agent proposed.
    P action{};
    std::optional<ActionResult> result{};  ///< Empty while the step has not finished.
    /// The step in a line, made by a compression; empty without one.
    std::optional<std::string> summary{};
    /// The ids of the calls in the order of `get_tools`, if they are not those of the raw message. A history sets them
    /// for parallel calls, so that results keep their calls wherever the step goes. Read them with `call_ids`.
    std::vector<std::string> tool_call_ids{};
    std::vector<ToolResult> tool_results{};  ///< Of parallel calls, in the order of the calls.
    /// What the step took, if known.
    Boxed<StepMetrics> metrics{};

    /// Returns the step in full, as Markdown for a prompt (`format_step`).
    [[nodiscard]] std::string format() const {
        return format_step(get_tools(action), thoughts_text(action.thoughts), result, tool_results);
    }
    /// Returns `did_not_finish` while there is no result.
    [[nodiscard]] ResultStatus status() const noexcept { return acta::status(result); }

    /// Whether all members are equal.
    friend bool operator==(const Episode& a, const Episode& b)
        requires std::equality_comparable<P>
    {
        return a.action == b.action && history_detail::equal_results(a.result, b.result) &&
               base::equal(a.summary, b.summary) && a.tool_call_ids.size() == b.tool_call_ids.size() &&
               a.tool_results.size() == b.tool_results.size() && a.metrics.has_value() == b.metrics.has_value() &&
               (a.tool_call_ids.empty() || a.tool_call_ids == b.tool_call_ids) &&
               (a.tool_results.empty() || a.tool_results == b.tool_results) && (!a.metrics || *a.metrics == *b.metrics);
    }
    /// Prints `to_string`.
    friend std::ostream& operator<<(std::ostream& out, const Episode& episode) { return out << to_string(episode); }
};

namespace history_detail {
/// Appends a step in one line: its calls and their results.
void append_line(std::string& out, std::span<const AssistantFunctionCall> calls,
                 const std::optional<ActionResult>& result);
[[nodiscard]] std::vector<std::string> step_call_ids(std::vector<std::string> of_action,
                                                     const std::vector<std::string>& stored,
                                                     std::span<const ToolResult> results);
[[nodiscard]] bool are_of_message(const std::vector<std::string>& ids, const AssistantChatMessage* message);
}  // namespace history_detail

/// Returns the step in one line: its calls and their results.
template <class P>
[[nodiscard]] std::string to_string(const Episode<P>& episode) {
    std::string line;
    history_detail::append_line(line, get_tools(episode.action), episode.result);
    return line;
}

/// Returns the ids of a step's calls, in the order of `get_tools`, one for each call and all different: those that the
/// step has (`Episode::tool_call_ids`), else those of its proposal. They depend neither on the history nor on the
/// position of the step in it. Results of older documents, which have ids of a different form, keep theirs.
template <class P>
[[nodiscard]] std::vector<std::string> call_ids(const Episode<P>& episode) {
    return history_detail::step_call_ids(call_ids(episode.action), episode.tool_call_ids, episode.tool_results);
}

/// Which calls of a history are wanted.
struct CallFilter {
    std::string tool{};                    ///< Those of this tool; all if it is empty.
    std::optional<ResultStatus> status{};  ///< Those whose own result has this status.
};

/// A call of a history, and what is known of it. Refers to the history: valid until its next change.
struct RecordedCall {
    const AssistantFunctionCall& call;  ///< The call.
    std::string id{};                   ///< Its id in its step (`call_ids`).
    /// Its result, null while it has none. Of a step that has one result for several calls, that of the step.
    const ActionResult* result = nullptr;
    std::size_t step = 0;  ///< The index of its step.

    /// Returns the status of the result; `did_not_finish` without one.
    [[nodiscard]] ResultStatus status() const noexcept {
        return result == nullptr ? ResultStatus::did_not_finish : acta::status(*result);
    }
};

/// Returns `add(a=1, b=2): 3`; the call alone while it has no result.
[[nodiscard]] std::string to_string(const RecordedCall& one);
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const RecordedCall& one) { return out << to_string(one); }

template <class P>
struct Describe<Episode<P>> {
    using Self = Episode<P>;
    static std::string name() { return "Episode[" + introspection::parameter_title<P>() + "]"; }
    static constexpr auto fields =
        acta::fields(required("action", &Self::action), required("result", &Self::result),
                     defaulted("summary", &Self::summary), omit_if_empty("tool_call_ids", &Self::tool_call_ids),
                     omit_if_empty("tool_results", &Self::tool_results), omit_if_empty("metrics", &Self::metrics));
};

/// Returns a digest of a call's arguments, by which a decision is bound to them: FNV-1a, 64 bits, in hexadecimal
/// digits. It detects arguments that were changed, but not deliberate collisions.
[[nodiscard]] std::string arguments_digest(const JsonObject& arguments);

/// Something that a rolling summary keeps word for word: a sentence that was marked, or a path, number or name that
/// came up in several steps.
struct RememberedFact {
    std::string text{};      ///< Word for word.
    std::int64_t steps = 1;  ///< The number of steps in which it was found.
    bool marked = false;     ///< Kept for its content (`IMPORTANT: ...`), however rare it is.

    friend bool operator==(const RememberedFact&, const RememberedFact&) = default;
};

/// What a history remembers of the steps that left its prompts: one text, which is updated as more of them leave
/// (`update_rolling_summary`), and the facts that are kept with it. The steps themselves stay in the history.
struct RollingSummary {
    std::string text{};                   ///< The condensed steps.
    std::int64_t first = 0;               ///< Index of the first step that it stands for, from 0.
    std::int64_t last = 0;                ///< Index of the last one.
    std::vector<RememberedFact> facts{};  ///< Shown after the text.
    /// Not shown: facts that came up once so far, in case they come up again.
    std::vector<RememberedFact> candidates{};

    friend bool operator==(const RollingSummary&, const RollingSummary&) = default;
};

/// Returns the text, and the facts after it: `text (kept: first fact; second fact)`.
[[nodiscard]] std::string to_string(const RollingSummary& summary);
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const RollingSummary& summary) { return out << to_string(summary); }

template <>
struct Describe<RememberedFact> {
    static constexpr auto fields =
        acta::fields(required("text", &RememberedFact::text), defaulted("steps", &RememberedFact::steps),
                     defaulted("marked", &RememberedFact::marked));
};

template <>
struct Describe<RollingSummary> {
    static constexpr auto fields =
        acta::fields(required("text", &RollingSummary::text), required("first", &RollingSummary::first),
                     required("last", &RollingSummary::last), omit_if_empty("facts", &RollingSummary::facts),
                     omit_if_empty("candidates", &RollingSummary::candidates));
};

/// The run of an agent that a call of a step was (`agent_tool`).
struct SubRun {
    std::size_t step = 0;        ///< The index of the step.
    std::string tool_call_id{};  ///< The call (`call_ids`).
    Json history{};              ///< Its history, as in JSON: `parse<EpisodicActionHistory<>>(dump(history))`.

    friend bool operator==(const SubRun&, const SubRun&) = default;
};

/// Returns `the run of call_0 of step 2`, with the index of the step.
[[nodiscard]] std::string to_string(const SubRun& run);
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const SubRun& run) { return out << to_string(run); }

template <>
struct Describe<SubRun> {
    static constexpr auto fields =
        acta::fields(required("step", &SubRun::step), required("tool_call_id", &SubRun::tool_call_id),
                     required("history", &SubRun::history));
};

/// How a run of an agent on a history ended (`run_agent`, `AgentRun`).
struct RunRecord {
    std::string end{};                 ///< Why it ended (`RunEnd`), as `answered`, `max_steps` or `failed`.
    std::optional<ErrorInfo> error{};  ///< What failed, if something did.
    std::string finish_reason{};       ///< Of its last completion; may be empty.
    std::size_t after = 0;             ///< The number of steps that the history had then.
    std::size_t requests = 0;          ///< Its requests to the model.
    TokenUsage usage{};                ///< Tokens of all completions.
    std::optional<double> cost_usd{};  ///< What they cost, in US dollars, if the run had a price.
    double seconds = 0;                ///< How long it took.

    friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

/// Returns `failed: the connection was lost`, or the end alone if nothing failed.
[[nodiscard]] std::string to_string(const RunRecord& run);

/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const RunRecord& run) { return out << to_string(run); }

template <>
struct Describe<RunRecord> {
    using T = RunRecord;
    static constexpr auto fields = acta::fields(
        required("end", &T::end), omit_if_empty("error", &T::error), omit_if_empty("finish_reason", &T::finish_reason),
        required("after", &T::after), defaulted("requests", &T::requests), defaulted("usage", &T::usage),
        omit_if_empty("cost_usd", &T::cost_usd), defaulted("seconds", &T::seconds));
};

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::history_detail {

/// The place of each call of a step among its calls, by its id. Kept while results come for that step, since searching
/// all of its calls for each of them would be quadratic. A copy of a history makes its own.
///
/// So would be moving thousands of results for each one that comes before those of earlier calls. Such late results are
/// put into their places when the step is looked at (`settle`), or when it has all of them.
class CallOrder {
public:
    CallOrder() = default;
    /// The results of `other` are in their places then.
    CallOrder(const CallOrder& other) noexcept { other.settle(); }
    CallOrder(CallOrder&&) noexcept = default;
    CallOrder& operator=(const CallOrder&) = delete;
    CallOrder& operator=(CallOrder&&) noexcept = default;
    ~CallOrder() = default;

    [[nodiscard]] bool is_of(EpisodeId id) const noexcept { return id.step == step_; }
    void set(EpisodeId id, std::vector<std::string> ids);
    [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }
    /// Returns `size()` if the step has no call of this id.
    [[nodiscard]] std::size_t find(std::string_view id) const noexcept;
    /// Whether the call at this place has its result.
    [[nodiscard]] bool has_result(std::size_t place) const { return has_result_[place]; }
    void note_result(std::size_t place) noexcept {
        if (place < size()) has_result_[place] = true;
    }
    /// Reserves space for `more` results of the step, so that `put` does not throw.
    void reserve(std::vector<ToolResult>& results, std::size_t more);
    /// Adds a result to those of the step.
    void put(std::vector<ToolResult>& results, ToolResult result) noexcept;
    /// Returns how many results are not in their places yet.
    [[nodiscard]] std::size_t late() const noexcept { return late_ ? count_late() : 0; }
    /// Puts late results into their places. Several threads that only read the history may call it.
    void settle() const noexcept {
        if (late_) settle_late();
    }
    /// Whether the call at this place has a run that was kept.
    [[nodiscard]] bool has_sub_run(std::size_t place) const { return has_sub_run_[place]; }
    void note_sub_run(std::size_t place) noexcept {
        if (place < size()) has_sub_run_[place] = true;
    }

private:
    struct Late;
    void settle_late() const noexcept;
    [[nodiscard]] std::size_t count_late() const noexcept;

    std::uint64_t step_ = 0;
    std::vector<std::pair<std::string, std::size_t>> order_{};
    std::vector<bool> has_sub_run_{};
    std::vector<bool> has_result_{};
    std::shared_ptr<Late> late_{};  // never shared; its type is complete in the library alone
};

/// Returns the place among `results` that keeps them in the order of the calls.
[[nodiscard]] std::vector<ToolResult>::const_iterator place_of_result(const std::vector<ToolResult>& results,
                                                                      const CallOrder& order,
                                                                      std::string_view id) noexcept;
/// Throws `HistoryError` (`result_already_set`) of the open step, or of its call of this id.
[[noreturn]] void throw_result_set(std::string_view id = {});
/// Throws `HistoryError` if the step has no call of this id, or the call already has its result.
void require_no_result(const CallOrder& order, std::string_view id);
/// Throws `HistoryError` (`unknown_tool_call`) unless the open step is the one of the call.
void require_step_of_call(bool is_open, std::string_view id);
/// Throws `HistoryError` if two of the results belong to the same call.
void require_distinct(const std::vector<ToolResult>& results, const CallOrder& order);
/// Throws `HistoryError` (`invalid_call_ids`) unless there is one for each call, and all are different.
void require_call_ids(const std::vector<std::string>& ids, std::size_t calls);
/// Returns the result of a step whose calls have these results, in any order.
[[nodiscard]] ActionResult joined_result(const std::vector<ToolResult>& before, const std::vector<ToolResult>& added,
                                         const CallOrder& order);
/// Set while a compression makes the summary of a step. Not copied, because the compression works on the original.
struct SummaryInProgress {
    SummaryInProgress() = default;
    SummaryInProgress(const SummaryInProgress& /*other*/) noexcept {}
    SummaryInProgress(SummaryInProgress&&) noexcept = default;
    SummaryInProgress& operator=(const SummaryInProgress& /*other*/) noexcept {
        value = false;
        return *this;
    }
    SummaryInProgress& operator=(SummaryInProgress&&) noexcept = default;
    ~SummaryInProgress() = default;

    bool value = false;
};

/// What a history knows of a step besides its record. Neither written nor compared.
struct StepState {
    EpisodeId id{};
    std::optional<std::size_t> tokens{};  ///< Of its text, once a compression has counted them.
    std::uint32_t failures = 0;           ///< Of its summary.
    SummaryInProgress summarizing{};
};

/// Returns the index of the step of this identity; nothing if it has received another result or is gone. Logarithmic.
[[nodiscard]] std::optional<std::size_t> find_step(const StepState* steps, std::size_t size, EpisodeId id) noexcept;
/// Appends those calls of a step that the filter wants. `ids` and `results` are those of its calls, `result` is that of
/// the step.
void append_calls(std::vector<RecordedCall>& out, std::span<const AssistantFunctionCall> calls,
                  std::vector<std::string> ids, const std::vector<ToolResult>& results,
                  const std::optional<ActionResult>& result, std::size_t step, const CallFilter& filter);
/// Returns the calls of a step that have no result.
[[nodiscard]] std::vector<OpenCall> calls_without_result(std::span<const AssistantFunctionCall> calls,
                                                         std::vector<std::string> ids,
                                                         const std::vector<ToolResult>& results);
/// Adds the run of a call, for which memory was reserved, in place of the one that the call has, if it has one.
void put_sub_run(std::vector<SubRun>& runs, SubRun&& run, bool replaces) noexcept;
/// Reserves space for one more element, so that adding it does not throw.
template <class T>
void reserve_one(std::vector<T>& list) {
    if (list.size() == list.capacity()) list.reserve(2 * list.size() + 1);  // one more at a time would be quadratic
}

}  // namespace acta::inline ACTA_ABI::history_detail

#ifndef ACTA_COMPILED
#include "acta/history/detail/episode.inl.hpp"
#endif
