// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/json/dump.hpp"
#include "acta/json/parse.hpp"
#include "acta/json/timestamp.hpp"

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
    std::optional<std::vector<JsonObject>> subagent_trajectory_ref{};  ///< Kept as it is.
    std::optional<JsonObject> extra{};                                 ///< ATIF 1.7.

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
    std::optional<std::vector<JsonObject>> subagent_trajectories{};  ///< Kept as they are (ATIF 1.7).

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
                     required("arguments", &atif::ToolCall::arguments), omit_if_empty("extra", &atif::ToolCall::extra));
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
