// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/describe/constraints.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/history/history.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/interop/detail/recordable.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/json/issue.hpp"
#include "acta/json/json.hpp"
#include "acta/json/timestamp.hpp"
#include "acta/version.hpp"

// The documents of ATIF, the Agent Trajectory Interchange Format of the Harbor project, versions 1.0 to 1.8, as its RFC
// 0001 ("trajectory format") describes them. Empty optional members are omitted from the JSON.
namespace acta::inline ACTA_ABI {

namespace atif {

/// The location of an image (ATIF 1.6) or a recording (ATIF 1.8).
struct MediaSource {
    /// For an image `image/jpeg`, `image/png`, `image/gif` or `image/webp`, for a recording `audio/` and its kind.
    std::string media_type{};
    std::string path{};                    ///< A file beside the document, or an address.
    std::optional<double> duration_sec{};  ///< Of a recording.

    friend bool operator==(const MediaSource&, const MediaSource&) = default;
};

/// The kinds of parts.
enum class PartType { text, image, audio };

/// A part of a message (ATIF 1.6): text, or an image or a recording by its location.
struct Part {
    PartType type = PartType::text;       ///< Says which of the other two members the part has.
    std::optional<std::string> text{};    ///< Only of a part of type `text`, which must have it.
    std::optional<MediaSource> source{};  ///< Only of an image or a recording, which must have it.

    friend bool operator==(const Part&, const Part&) = default;
};

/// Text, or parts of text and media.
using Content = std::variant<std::string, std::vector<Part>>;

/// One call of the agent.
struct ToolCall {
    std::string tool_call_id{};         ///< Unique within the step; `source_call_id` of a result refers to it.
    std::string function_name{};        ///< The tool that is called.
    JsonObject arguments{};             ///< By name; empty if the tool takes none.
    std::optional<JsonObject> extra{};  ///< ATIF 1.7.

    friend bool operator==(const ToolCall&, const ToolCall&) = default;
};

/// The result of a call, or of something that is not a call (`source_call_id` empty).
struct ObservationResult {
    /// The `tool_call_id` of the call in the same step whose result this is. Empty if it is not the result of a call,
    /// as in a step of the system.
    std::optional<std::string> source_call_id{};
    std::optional<Content> content{};  ///< The output of the tool. May be empty beside `subagent_trajectory_ref`.
    /// Names the runs of the subagents that the call began, in `Document::subagent_trajectories` or other documents.
    std::optional<std::vector<JsonObject>> subagent_trajectory_ref{};
    std::optional<JsonObject> extra{};  ///< ATIF 1.7.

    friend bool operator==(const ObservationResult&, const ObservationResult&) = default;
};

/// The results of a step.
struct Observation {
    std::vector<ObservationResult> results{};  ///< Several may belong to one call.

    friend bool operator==(const Observation&, const Observation&) = default;
};

/// The cost of one step.
struct Metrics {
    std::optional<std::int64_t> prompt_tokens{};      ///< All of them, including cached ones.
    std::optional<std::int64_t> completion_tokens{};  ///< All that the model generated, reasoning and calls included.
    std::optional<std::int64_t> cached_tokens{};      ///< The part of `prompt_tokens` that came from a prompt cache.
    std::optional<double> cost_usd{};                 ///< US dollars.
    /// The prompt as tokens, earlier messages included (ATIF 1.4).
    std::optional<std::vector<std::int64_t>> prompt_token_ids{};
    std::optional<std::vector<std::int64_t>> completion_token_ids{};  ///< The answer as tokens (ATIF 1.3).
    /// The log probability of each token of the answer, in the order of `completion_token_ids`.
    std::optional<std::vector<double>> logprobs{};
    std::optional<JsonObject> extra{};  ///< Further counts of a provider, such as `reasoning_tokens`.

    friend bool operator==(const Metrics&, const Metrics&) = default;
};

/// The author of a step.
enum class Source { system, user, agent };

/// A prompt, a message of the user, or a turn of the agent with its results.
struct Step {
    std::int64_t step_id = 1;                 ///< Counted from 1 without gaps.
    std::optional<Timestamp> timestamp{};     ///< When the step took place (ISO 8601).
    Source source = Source::agent;            ///< Who speaks or acts.
    std::optional<std::string> model_name{};  ///< Agent only. Empty: the `model_name` of `Agent`.
    /// Agent only. A level such as `medium`, or a number.
    std::optional<std::variant<std::string, double>> reasoning_effort{};
    Content message{};  ///< The prompt, the user's words or the agent's answer; may be an empty text.
    std::optional<std::string> reasoning_content{};     ///< Agent only. The model's thoughts before it answered.
    std::optional<std::vector<ToolCall>> tool_calls{};  ///< Agent only. In the order of the model.
    /// The results of the calls; in a step of the system, the events (ATIF 1.2).
    std::optional<Observation> observation{};
    std::optional<Metrics> metrics{};              ///< Agent only. The cost of the model's call.
    std::optional<std::int64_t> llm_call_count{};  ///< ATIF 1.7.
    std::optional<bool> is_copied_context{};       ///< ATIF 1.5.
    std::optional<JsonObject> extra{};             ///< Anything else. acta's own additions are in `extra.acta`.

    friend bool operator==(const Step&, const Step&) = default;
};

/// The agent that ran.
struct Agent {
    std::string name{};                       ///< The agent system, such as `claude-code`.
    std::string version{};                    ///< The version of the agent system, such as `1.0.0`.
    std::optional<std::string> model_name{};  ///< The model of all steps that do not name a different one.
    std::optional<std::vector<JsonObject>> tool_definitions{};  ///< In OpenAI's form (ATIF 1.5).
    std::optional<JsonObject> extra{};                          ///< Any other configuration of the agent.

    friend bool operator==(const Agent&, const Agent&) = default;
};

/// The cost of all steps together.
struct FinalMetrics {
    std::optional<std::int64_t> total_prompt_tokens{};      ///< The sum over all steps, cached tokens included.
    std::optional<std::int64_t> total_completion_tokens{};  ///< The sum over all steps.
    std::optional<std::int64_t> total_cached_tokens{};      ///< The sum over all steps; part of `total_prompt_tokens`.
    std::optional<double> total_cost_usd{};                 ///< US dollars.
    /// The number of steps. If it differs from that of `steps`, `notes` should say why.
    std::optional<std::int64_t> total_steps{};
    std::optional<JsonObject> extra{};  ///< Any other totals.

    friend bool operator==(const FinalMetrics&, const FinalMetrics&) = default;
};

/// A whole document. `check` checks the rules that its type does not express.
struct Document {
    std::string schema_version{};                 ///< `ATIF-v1.7`, for example.
    std::optional<std::string> session_id{};      ///< Names the run. Required before ATIF 1.7.
    std::optional<std::string> trajectory_id{};   ///< ATIF 1.7.
    Agent agent{};                                ///< Which agent ran, and with which model and tools.
    std::vector<Step> steps{};                    ///< The whole run in order: prompts, messages and turns of the agent.
    std::optional<std::string> notes{};           ///< Remarks of the author in free text.
    std::optional<FinalMetrics> final_metrics{};  ///< Totals of the run.
    std::optional<std::string> continued_trajectory_ref{};  ///< The file that continues this run, if there is one.
    std::optional<JsonObject> extra{};  ///< Anything else. acta's own additions are in `extra.acta`.
    std::optional<std::vector<JsonObject>> subagent_trajectories{};  ///< Documents of subagents (ATIF 1.7).

    friend bool operator==(const Document&, const Document&) = default;
};

}  // namespace atif

template <>
struct Describe<atif::MediaSource> {
    using Self = atif::MediaSource;
    static constexpr auto fields =
        acta::fields(required("media_type", &Self::media_type), required("path", &Self::path),
                     omit_if_empty("duration_sec", &Self::duration_sec));
};

template <>
struct Describe<atif::PartType> {
    static constexpr auto values = acta::values<atif::PartType>(
        {{"text", atif::PartType::text}, {"image", atif::PartType::image}, {"audio", atif::PartType::audio}});
};

template <>
struct Describe<atif::Part> {
    static constexpr auto fields =
        acta::fields(required("type", &atif::Part::type), omit_if_empty("text", &atif::Part::text),
                     omit_if_empty("source", &atif::Part::source));
};

template <>
struct Describe<atif::ToolCall> {
    static constexpr auto fields =
        acta::fields(required("tool_call_id", &atif::ToolCall::tool_call_id),
                     required("function_name", &atif::ToolCall::function_name),
                     required("arguments", &atif::ToolCall::arguments, "", keep_large_numbers),
                     omit_if_empty("extra", &atif::ToolCall::extra));
};

template <>
struct Describe<atif::ObservationResult> {
    using Self = atif::ObservationResult;
    static constexpr auto fields = acta::fields(
        omit_if_empty("source_call_id", &Self::source_call_id), omit_if_empty("content", &Self::content),
        omit_if_empty("subagent_trajectory_ref", &Self::subagent_trajectory_ref), omit_if_empty("extra", &Self::extra));
};

template <>
struct Describe<atif::Observation> {
    static constexpr auto fields = acta::fields(required("results", &atif::Observation::results));
};

template <>
struct Describe<atif::Metrics> {
    using Self = atif::Metrics;
    static constexpr auto fields =
        acta::fields(omit_if_empty("prompt_tokens", &Self::prompt_tokens),
                     omit_if_empty("completion_tokens", &Self::completion_tokens),
                     omit_if_empty("cached_tokens", &Self::cached_tokens), omit_if_empty("cost_usd", &Self::cost_usd),
                     omit_if_empty("prompt_token_ids", &Self::prompt_token_ids),
                     omit_if_empty("completion_token_ids", &Self::completion_token_ids),
                     omit_if_empty("logprobs", &Self::logprobs), omit_if_empty("extra", &Self::extra));
};

template <>
struct Describe<atif::Source> {
    static constexpr auto values = acta::values<atif::Source>(
        {{"system", atif::Source::system}, {"user", atif::Source::user}, {"agent", atif::Source::agent}});
};

template <>
struct Describe<atif::Step> {
    using Self = atif::Step;
    static constexpr auto fields = acta::fields(
        required("step_id", &Self::step_id), omit_if_empty("timestamp", &Self::timestamp),
        required("source", &Self::source), omit_if_empty("model_name", &Self::model_name),
        omit_if_empty("reasoning_effort", &Self::reasoning_effort), required("message", &Self::message),
        omit_if_empty("reasoning_content", &Self::reasoning_content), omit_if_empty("tool_calls", &Self::tool_calls),
        omit_if_empty("observation", &Self::observation), omit_if_empty("metrics", &Self::metrics),
        omit_if_empty("llm_call_count", &Self::llm_call_count),
        omit_if_empty("is_copied_context", &Self::is_copied_context), omit_if_empty("extra", &Self::extra));
};

template <>
struct Describe<atif::Agent> {
    using Self = atif::Agent;
    static constexpr auto fields =
        acta::fields(required("name", &Self::name), required("version", &Self::version),
                     omit_if_empty("model_name", &Self::model_name),
                     omit_if_empty("tool_definitions", &Self::tool_definitions), omit_if_empty("extra", &Self::extra));
};

template <>
struct Describe<atif::FinalMetrics> {
    using Self = atif::FinalMetrics;
    static constexpr auto fields =
        acta::fields(omit_if_empty("total_prompt_tokens", &Self::total_prompt_tokens),
                     omit_if_empty("total_completion_tokens", &Self::total_completion_tokens),
                     omit_if_empty("total_cached_tokens", &Self::total_cached_tokens),
                     omit_if_empty("total_cost_usd", &Self::total_cost_usd),
                     omit_if_empty("total_steps", &Self::total_steps), omit_if_empty("extra", &Self::extra));
};

template <>
struct Describe<atif::Document> {
    using Self = atif::Document;
    static constexpr auto fields = acta::fields(
        required("schema_version", &Self::schema_version), omit_if_empty("session_id", &Self::session_id),
        omit_if_empty("trajectory_id", &Self::trajectory_id), required("agent", &Self::agent),
        required("steps", &Self::steps), omit_if_empty("notes", &Self::notes),
        omit_if_empty("final_metrics", &Self::final_metrics),
        omit_if_empty("continued_trajectory_ref", &Self::continued_trajectory_ref),
        omit_if_empty("extra", &Self::extra), omit_if_empty("subagent_trajectories", &Self::subagent_trajectories));
};

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::atif {

/// Returns the rules that an ATIF document breaks beyond its types (RFC 0001 of the Harbor project, section II, and the
/// checks of the project's own validator): the numbering of steps, fields that only the agent's steps have, results of
/// calls that do not exist, parts without content, an unknown version. Empty if there are none.
///
/// @code{.cpp}
/// acta::atif::Document document;
/// document.schema_version = "ATIF-v2.0";
/// assert(acta::atif::check(document).front().type == "atif_version");
/// @endcode
[[nodiscard]] std::vector<Issue> check(const Document& document);

}  // namespace acta::inline ACTA_ABI::atif

namespace acta::inline ACTA_ABI::interop_detail {

using Loc = std::vector<LocElement>;

/// Returns the location of a step's field in an ATIF document.
[[nodiscard]] inline Loc loc_of_step(std::size_t step, std::initializer_list<LocElement> rest) {
    Loc loc{std::string("steps"), step};
    loc.insert(loc.end(), rest.begin(), rest.end());
    return loc;
}

}  // namespace acta::inline ACTA_ABI::interop_detail

// A step of ATIF as an episode, and back. Everything without a place in ATIF is in the step's `extra.acta`: it is found
// by reading the exported step as any reader would, and keeping the differences.
namespace acta::inline ACTA_ABI {

namespace atif {
enum class Version;
struct Options;
}  // namespace atif

namespace interop_detail {

/// `extra.acta` of a step.
struct AtifActaStep {
    std::optional<std::string> status{};               ///< Of the episode, for other readers.
    std::optional<bool> by_id{};                       ///< The result was registered by the call's id.
    std::optional<JsonObject> episode{};               ///< Members of the episode that ATIF does not carry.
    std::optional<std::vector<std::string>> absent{};  ///< Keys that the action does not have.
    std::optional<bool> pending_feedback{};            ///< The agent has not seen the user's message.
    std::optional<bool> placeholder{};                 ///< The step exists only because a document needs one.
    std::optional<ChatMessage> message{};              ///< The message, if ATIF does not carry all of it.
    std::optional<StepMetrics> metrics{};              ///< The same of what an answer took.

    friend bool operator==(const AtifActaStep&, const AtifActaStep&) = default;
};

/// A run of a call that the document has in no form of ATIF.
struct AtifActaSubRun {
    std::size_t place = 0;  ///< Among all of the history.
    SubRun run{};

    friend bool operator==(const AtifActaSubRun&, const AtifActaSubRun&) = default;
};

/// `extra.acta` of a document.
struct AtifActaRoot {
    std::string version{};  ///< Of acta.
    std::int64_t cursor = 0;
    std::optional<RollingSummary> rolling_summary{};
    std::vector<RunRecord> runs{};
    std::vector<AtifActaSubRun> sub_runs{};

    friend bool operator==(const AtifActaRoot&, const AtifActaRoot&) = default;
};

/// An episode of any type, as far as ATIF carries it.
struct AtifEpisode {
    std::span<const AssistantFunctionCall> calls{};
    std::vector<std::string> ids{};
    std::string thoughts{};
    const AssistantChatMessage* raw_message = nullptr;
    const std::optional<ActionResult>* result = nullptr;
    std::span<const ToolResult> tool_results{};
    const Boxed<StepMetrics>* metrics = nullptr;
    Json json{};  ///< The whole episode.
};

[[nodiscard]] JsonObject acta_extra(Json value);
[[nodiscard]] atif::Step atif_said_step(const ConversationMessage& said, atif::Version version);
[[nodiscard]] atif::Step atif_pending_step(const std::string& feedback);
[[nodiscard]] atif::Step atif_step(const AtifEpisode& episode, atif::Version version);
[[nodiscard]] atif::Document atif_document(std::vector<atif::Step> steps, const AtifActaRoot& root,
                                           const atif::Options& options);
/// Writes runs of calls into a document, whose steps have them at `places`, by step of the history. Those that ATIF
/// cannot express are added to `root`. `prefix` begins the ids of trajectories.
[[nodiscard]] std::vector<JsonObject> write_atif_sub_runs(std::vector<atif::Step>& steps,
                                                          std::span<const std::size_t> places,
                                                          std::span<const SubRun> runs, const atif::Options& options,
                                                          const std::string& prefix, AtifActaRoot& root);

/// Returns content as text, with a placeholder for an image or a recording.
[[nodiscard]] std::string atif_text(const atif::Content& content);
/// Returns the messages of a step that is not an episode: its message, with what it took, and its observations.
[[nodiscard]] std::vector<ConversationMessage> atif_messages(const atif::Step& step, const AtifActaStep& acta);
/// Returns the episode that a step of the agent contains by itself.
[[nodiscard]] Episode<> atif_episode(const atif::Step& step, bool by_id);
/// Returns `exported` with the corrections in `extra.acta`.
[[nodiscard]] Json corrected_episode(Json exported, const AtifActaStep& acta);

}  // namespace interop_detail

template <>
struct Describe<interop_detail::AtifActaStep> {
    using Self = interop_detail::AtifActaStep;
    static constexpr auto fields = acta::fields(
        omit_if_empty("status", &Self::status), omit_if_empty("by_id", &Self::by_id),
        omit_if_empty("episode", &Self::episode), omit_if_empty("absent", &Self::absent),
        omit_if_empty("pending_feedback", &Self::pending_feedback), omit_if_empty("placeholder", &Self::placeholder),
        omit_if_empty("message", &Self::message), omit_if_empty("metrics", &Self::metrics));
};

template <>
struct Describe<interop_detail::AtifActaSubRun> {
    using Self = interop_detail::AtifActaSubRun;
    static constexpr auto fields = acta::fields(required("place", &Self::place), required("run", &Self::run));
};

template <>
struct Describe<interop_detail::AtifActaRoot> {
    using Self = interop_detail::AtifActaRoot;
    static constexpr auto fields =
        acta::fields(required("version", &Self::version), required("cursor", &Self::cursor),
                     omit_if_empty("rolling_summary", &Self::rolling_summary), omit_if_empty("runs", &Self::runs),
                     omit_if_empty("sub_runs", &Self::sub_runs));
};

}  // namespace acta::inline ACTA_ABI

// Histories as ATIF documents (Agent Trajectory Interchange Format; RFC 0001 of the Harbor project), and back.
namespace acta::inline ACTA_ABI::atif {

/// The versions that can be written. Every version from 1.0 on can be read.
enum class Version { v1_4 = 4, v1_5, v1_6, v1_7, v1_8 };

/// The contents of a document besides the history.
struct Options {
    Version version = Version::v1_7;           ///< Decides which fields are written.
    std::string session_id{"acta"};            ///< Names the run; should be unique.
    std::string agent_name{"acta"};            ///< Written as `agent.name`.
    std::string agent_version{acta::version};  ///< Written as `agent.version`.
    std::optional<std::string> model_name{};   ///< Written as `agent.model_name`, which is omitted if this is empty.
    std::vector<ToolDefinition> tools{};       ///< Written from ATIF 1.5 on.
    std::optional<std::string> notes{};        ///< Remarks in free text, written as `notes`.
};

/// Writes a history as an ATIF document: each episode is a step of the agent, with its calls, their results and its
/// metrics; the conversation and pending feedback are steps of the system, the user or, without calls, the agent.
/// Errors are marked with `extra.is_error` from ATIF 1.7 on. Status, error details, summaries and everything else
/// without a place in ATIF are in `extra.acta`, which every version allows, so that `to_history` returns the same
/// history. The runs of agents that were tools (`sub_runs`) are trajectories of subagents within the document from ATIF
/// 1.7 on, and in `extra.acta` before. Linear. Throws `EncodeError` if outputs or arguments are not UTF-8.
///
/// @code{.cpp}
/// acta::EpisodicActionHistory<> history;
/// history.register_action({.thoughts = "Look.", .use_tool = {"look", {{"at", "sea"}}}});
/// history.register_result(acta::ActionSuccessResult{.outputs = "waves"});
/// const acta::atif::Document document = acta::atif::to_document(history, {.session_id = "run 7"});
/// assert(acta::atif::check(document).empty());
/// assert(acta::atif::to_history(document) == history);
/// @endcode
template <Proposal P>
[[nodiscard]] Document to_document(const EpisodicActionHistory<P>& history, const Options& options = {});
/// The same for a history that other threads may use, under its lock.
template <Proposal P>
[[nodiscard]] Document to_document(const SharedHistory<P>& history, const Options& options = {}) {
    return to_document(*history.lock(), options);
}

/// Reads the history in an ATIF document; from one written by `to_document` it returns the original history. In
/// documents of other programs each step of the agent with calls is an episode: its message, or else its reasoning, is
/// the thoughts, and the reasoning is in `raw_message`; observations are successes, or errors if `extra.is_error` is
/// true; a call without a result is unfinished. All other steps are the conversation: prompts, messages of the user,
/// answers of the agent without a call with their metrics, and the observations of such steps; images and recordings
/// stay parts, whose paths are those of the document. Trajectories of subagents within the document are runs of the
/// calls that refer to them (`sub_runs`). Those in other documents, those that cannot be read, log probabilities, token
/// ids and other extras are not kept. Throws `ValidationError`, with the location of each issue, if the document breaks
/// the rules of the format (`check`) or its `extra.acta` is broken.
///
/// @code{.cpp}
/// const auto document = acta::parse<acta::atif::Document>(R"({"schema_version": "ATIF-v1.7",
///     "agent": {"name": "sailor", "version": "1"}, "steps": [
///         {"step_id": 1, "source": "user", "message": "How deep is it?"},
///         {"step_id": 2, "source": "agent", "message": "I measure.",
///          "tool_calls": [{"tool_call_id": "d", "function_name": "depth", "arguments": {}}],
///          "observation": {"results": [{"source_call_id": "d", "content": "4 m"}]}}]})");
/// const acta::EpisodicActionHistory<> run = acta::atif::to_history(document);
/// assert(run.size() == 1);
/// assert(run.messages().front().message.content == "How deep is it?");
/// @endcode
template <Proposal P = ActionProposal<>>
[[nodiscard]] EpisodicActionHistory<P> to_history(const Document& document);

}  // namespace acta::inline ACTA_ABI::atif

// The templates of acta/interop/atif/atif.hpp.
namespace acta::inline ACTA_ABI {

namespace interop_detail {

/// Adds the issues of an inner value, with the location that it has in the document.
inline void add_issues(std::vector<Issue>& issues, const Loc& loc, const ValidationError& error) {
    for (Issue issue : error.issues()) {
        issue.loc.insert(issue.loc.begin(), loc.begin(), loc.end());
        issues.push_back(std::move(issue));
    }
}

/// Reads `extra.acta`, if there is one.
template <class T>
std::optional<T> read_acta_extra(const std::optional<JsonObject>& extra, Loc loc, std::vector<Issue>& issues) {
    if (!extra) return std::nullopt;
    const auto found = extra->find("acta");
    if (found == extra->end()) return std::nullopt;
    loc.emplace_back(std::string("extra"));
    loc.emplace_back(std::string("acta"));
    try {
        return validate<T>(found->second);
    } catch (const ValidationError& error) {
        add_issues(issues, loc, error);
    }
    return std::nullopt;
}

/// Reads the trajectories of subagents within a document.
class AtifSubagents {
public:
    /// Notes what the results of a step refer to. `calls` are the ids of the calls of the history's step.
    /// The index is that in the history, if it is one of its steps.
    void add(const atif::Step& step, std::optional<std::size_t> index, const std::vector<std::string>& calls);
    /// Returns the runs of calls, in the order of the document.
    [[nodiscard]] std::vector<SubRun> read(const atif::Document& document);

    TrajectoryReport notes{};  ///< What became of each subagent.

private:
    struct Reference {
        std::optional<std::size_t> step{};  ///< There is one if there is a call.
        std::optional<std::string> call{};
        std::string id{};
        bool is_found = false;
    };

    void add(JsonObject reference, std::optional<std::size_t> step, std::optional<std::string> call);
    [[nodiscard]] Reference* find(const JsonObject& trajectory);
    void read_one(const JsonObject& trajectory, Reference* reference, std::vector<LocElement> loc,
                  std::vector<SubRun>& out);

    std::vector<Reference> references_{};
    std::vector<std::pair<JsonObject, std::size_t>> whole_{};         // within the references
    std::map<std::string, std::deque<std::size_t>> by_trajectory_{};  // references
    std::map<std::string, std::deque<std::size_t>> by_session_{};     // of those without an id of a trajectory
};

/// Builds a history from a document.
template <Proposal P>
class AtifReader {
public:
    explicit AtifReader(const atif::Document& document) : document_(document), issues_(atif::check(document)) {}

    EpisodicActionHistory<P> read() {
        root_ = read_acta_extra<AtifActaRoot>(document_.extra, {}, issues_);
        for (std::size_t i = 0; i < document_.steps.size(); ++i) read_step(document_.steps[i], i);
        if (!issues_.empty()) throw ValidationError(introspection::type_title<atif::Document>(), std::move(issues_));
        const bool open = !record_.episodes.empty() && !record_.episodes.back().result;
        record_.cursor = root_ ? root_->cursor : std::ssize(record_.episodes) - (open ? 1 : 0);
        record_.sub_runs = subagents_.read(document_);
        if (root_) {
            subagents_.notes.clear();  // acta's own document, which says the same again
            record_.rolling_summary = std::move(root_->rolling_summary);
            record_.runs = std::move(root_->runs);
            for (AtifActaSubRun& one : root_->sub_runs) {
                const std::size_t place = std::min(one.place, record_.sub_runs.size());
                record_.sub_runs.insert(record_.sub_runs.begin() + static_cast<std::ptrdiff_t>(place),
                                        std::move(one.run));
            }
        }
        make_recordable(record_, subagents_.notes);
        return EpisodicActionHistory<P>(std::move(record_));
    }

    /// Returns what became of the subagents in the document, and what no record can have.
    [[nodiscard]] TrajectoryReport take_notes() { return std::move(subagents_.notes); }

private:
    void read_step(const atif::Step& step, std::size_t i) {
        const AtifActaStep acta =
            read_acta_extra<AtifActaStep>(step.extra, loc_of_step(i, {}), issues_).value_or(AtifActaStep{});
        const bool calls = step.tool_calls && !step.tool_calls->empty();
        if (step.source == atif::Source::agent && (calls || acta.status || acta.episode || acta.absent)) {
            read_episode(step, acta, i);
            subagents_.add(step, record_.episodes.size() - 1, call_ids(record_.episodes.back()));
        } else if (acta.pending_feedback.value_or(false)) {
            record_.pending_user_feedback.push_back(atif_text(step.message));
        } else if (!acta.placeholder.value_or(false)) {
            for (ConversationMessage& said : atif_messages(step, acta)) {
                said.before = record_.episodes.size();
                record_.conversation.push_back(std::move(said));
            }
            subagents_.add(step, std::nullopt, {});
        }
    }

    void read_episode(const atif::Step& step, const AtifActaStep& acta, std::size_t i) {
        Episode<> exported = atif_episode(step, acta.by_id.value_or(false));
        if constexpr (std::same_as<P, ActionProposal<>>) {
            if (!acta.episode && !acta.absent) {
                record_.episodes.push_back(std::move(exported));
                return;
            }
        }
        try {
            record_.episodes.push_back(validate<Episode<P>>(corrected_episode(to_json_value(exported), acta)));
        } catch (const ValidationError& error) {
            add_issues(issues_, loc_of_step(i, {}), error);
            record_.episodes.emplace_back();  // so that later steps keep their places
        }
    }

    const atif::Document& document_;
    std::vector<Issue> issues_;
    std::optional<AtifActaRoot> root_{};
    HistoryRecord<P> record_{};
    AtifSubagents subagents_{};
};

/// Writes a history. `prefix` begins the ids of its subagents.
template <Proposal P>
atif::Document write_atif(const EpisodicActionHistory<P>& history, const atif::Options& options,
                          const std::string& prefix) {
    std::vector<atif::Step> steps;
    std::vector<std::size_t> places;
    const std::span<const ConversationMessage> said = history.messages();
    auto next = said.begin();
    for (std::size_t i = 0; i < history.size(); ++i) {
        for (; next != said.end() && next->before <= i; ++next) steps.push_back(atif_said_step(*next, options.version));
        const Episode<P>& episode = history[i];
        AtifEpisode parts;
        parts.calls = get_tools(episode.action);
        parts.ids = history.tool_call_ids(i);
        parts.thoughts = thoughts_text(episode.action.thoughts);
        parts.raw_message = find_raw_message(episode.action);
        parts.result = &episode.result;
        parts.tool_results = episode.tool_results;
        parts.metrics = &episode.metrics;
        parts.json = to_json_value(episode);
        places.push_back(steps.size());
        steps.push_back(atif_step(parts, options.version));
    }
    for (; next != said.end(); ++next) steps.push_back(atif_said_step(*next, options.version));
    for (const std::string& feedback : history.pending_feedback()) steps.push_back(atif_pending_step(feedback));
    AtifActaRoot root;
    root.version = acta::version;
    root.cursor = static_cast<std::int64_t>(history.cursor());
    root.rolling_summary = history.record().rolling_summary;
    root.runs = history.record().runs;
    std::vector<JsonObject> subagents = write_atif_sub_runs(steps, places, history.sub_runs(), options, prefix, root);
    atif::Document out = atif_document(std::move(steps), root, options);
    if (!subagents.empty()) out.subagent_trajectories = std::move(subagents);
    return out;
}

}  // namespace interop_detail

namespace atif {

template <Proposal P>
Document to_document(const EpisodicActionHistory<P>& history, const Options& options) {
    return interop_detail::write_atif(history, options, "sub-");
}

template <Proposal P>
EpisodicActionHistory<P> to_history(const Document& document) {
    return interop_detail::AtifReader<P>(document).read();
}

}  // namespace atif

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/interop/atif/detail/atif.inl.hpp"
#endif
