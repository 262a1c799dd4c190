// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/interop/atif/atif.hpp"
#include "acta/interop/atif/detail/read_steps.inl.hpp"
#include "acta/interop/atif/detail/steps.hpp"
#include "acta/interop/detail/json_edits.hpp"
#include "acta/json/dump.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::interop_detail {

ACTA_INLINE JsonObject acta_extra(Json value) {
    JsonObject extra;
    extra.emplace("acta", std::move(value));
    return extra;
}

/// Returns a result for any reader. If acta needs more to read it back, that is next to it.
ACTA_INLINE std::string atif_result_text(const ActionResult& result) {
    if (const auto* const success = std::get_if<ActionSuccessResult>(&result)) {
        if (const auto* const text = success->outputs.get_ptr<const std::string*>()) return *text;
        DumpOptions options;
        options.invalid_utf8 = InvalidUtf8::replace;
        return dump(success->outputs, options);
    }
    if (const auto* const error = std::get_if<ActionErrorResult>(&result))
        return error->error ? error->reason + "\n" + error->error->repr : error->reason;
    return std::get<ActionInterruptedByHuman>(result).feedback;
}

ACTA_INLINE void write_atif_calls(atif::Step& step, const AtifEpisode& episode, atif::Version version) {
    const bool says_only =
        episode.calls.size() == 1 && episode.calls.front().name.empty() && episode.calls.front().arguments.empty();
    if (!says_only) {
        auto& calls = step.tool_calls.emplace();
        for (std::size_t i = 0; i < episode.calls.size(); ++i) {
            atif::ToolCall call;
            call.tool_call_id = episode.ids[i];
            call.function_name = episode.calls[i].name;
            call.arguments = episode.calls[i].arguments;
            calls.push_back(std::move(call));
        }
    }
    std::vector<atif::ObservationResult> results;
    const auto add = [&results, version](const std::string* id, const ActionResult& result) {
        atif::ObservationResult made;
        if (id != nullptr) made.source_call_id = *id;
        made.content.emplace(atif_result_text(result));
        if (is_error(result) && version >= atif::Version::v1_7) made.extra.emplace().emplace("is_error", true);
        results.push_back(std::move(made));
    };
    const std::set<std::string_view> ids(episode.ids.begin(), episode.ids.end());
    const bool known = std::ranges::all_of(episode.tool_results,
                                           [&ids](const ToolResult& one) { return ids.contains(one.tool_call_id); });
    if (!says_only && !episode.tool_results.empty() && known) {
        for (const ToolResult& one : episode.tool_results) add(&one.tool_call_id, one.result);
    } else if (*episode.result) {
        add(!says_only && episode.calls.size() == 1 ? &episode.ids.front() : nullptr, **episode.result);
    }
    if (!results.empty()) step.observation.emplace().results = std::move(results);
}

/// Returns the members of `actual` that differ from those of `exported`.
ACTA_INLINE AtifActaStep atif_difference(const Json& actual, const Json& exported) {
    AtifActaStep acta;
    JsonObject episode;
    for (const auto& [key, value] : actual.get_ref<const Json::object_t&>()) {
        const auto other = exported.find(key);
        if (other != exported.end() && *other == value) continue;
        if (key != "action") {
            episode.emplace(key, Json(value));
            continue;
        }
        JsonObject action;
        for (const auto& [name, member] : value.get_ref<const Json::object_t&>()) {
            const auto found = other->find(name);
            if (found == other->end() || *found != member) action.emplace(name, Json(member));
        }
        std::vector<std::string> absent;
        for (const auto& [name, member] : other->get_ref<const Json::object_t&>()) {
            if (!value.contains(name)) absent.push_back(name);
        }
        if (!action.empty()) episode.emplace(key, std::move(action));
        if (!absent.empty()) acta.absent = std::move(absent);
    }
    // Members that are only written if set: an empty list, or nothing.
    if (exported.contains("tool_results") && !actual.contains("tool_results"))
        episode.emplace("tool_results", JsonArray());
    if (exported.contains("metrics") && !actual.contains("metrics")) episode.emplace("metrics", nullptr);
    if (!episode.empty()) acta.episode = std::move(episode);
    return acta;
}

ACTA_INLINE atif::Step atif_step(const AtifEpisode& episode, atif::Version version) {
    atif::Step step;
    step.message = episode.raw_message != nullptr ? episode.raw_message->content : episode.thoughts;
    if (episode.raw_message != nullptr && episode.raw_message->reasoning_content)
        step.reasoning_content = episode.raw_message->reasoning_content;
    else if (episode.raw_message != nullptr && episode.thoughts != episode.raw_message->content)
        step.reasoning_content = episode.thoughts;
    write_atif_calls(step, episode, version);
    if (*episode.metrics) {
        const StepMetrics& metrics = **episode.metrics;
        step.timestamp = metrics.started_at;
        if (metrics.prompt_tokens || metrics.completion_tokens || metrics.cost_usd) {
            atif::Metrics& out = step.metrics.emplace();
            out.prompt_tokens = metrics.prompt_tokens;
            out.completion_tokens = metrics.completion_tokens;
            out.cost_usd = metrics.cost_usd;
        }
    }
    const bool by_id = episode.calls.size() == 1 && !episode.tool_results.empty();
    AtifActaStep acta = atif_difference(episode.json, to_json_value(atif_episode(step, by_id)));
    acta.status = std::string(to_string(status(*episode.result)));
    if (by_id) acta.by_id = true;
    step.extra = acta_extra(to_json_value(acta));
    return step;
}

/// Returns a part in the form of ATIF; nothing if the version has no such part.
ACTA_INLINE std::optional<atif::Part> atif_part(const ContentPart& part, atif::Version version) {
    atif::Part out;
    if (part.type == "text") {
        out.text = part.text;
        return out;
    }
    const bool is_audio = part.type == "audio";
    if ((!is_audio && part.type != "image") || part.url.empty() || part.media_type.empty()) return std::nullopt;
    if (version < (is_audio ? atif::Version::v1_8 : atif::Version::v1_6)) return std::nullopt;
    out.type = is_audio ? atif::PartType::audio : atif::PartType::image;
    out.source.emplace().media_type = part.media_type;
    out.source->path = part.url;
    const Json* const own = base::find_key(part.extra, "atif");
    const Json* const source = own == nullptr ? nullptr : json_member(*own, "source");
    const Json* const duration = source == nullptr ? nullptr : json_member(*source, "duration_sec");
    if (duration != nullptr && duration->is_number()) out.source->duration_sec = duration->get<double>();
    return out;
}

/// Returns parts in the form of ATIF, or the text of a message.
ACTA_INLINE atif::Content atif_content(const ChatMessage& message, atif::Version version) {
    std::vector<atif::Part> parts;
    for (const ContentPart& one : message.parts) {
        std::optional<atif::Part> part = atif_part(one, version);
        if (!part) return message.content;
        parts.push_back(*std::move(part));
    }
    if (std::ranges::none_of(parts, [](const atif::Part& part) { return part.source.has_value(); }))
        return message.content;
    return parts;
}

ACTA_INLINE atif::Step atif_said_step(const ChatMessage& message, atif::Version version) {
    atif::Step step;
    step.source = message.role == ChatRole::user        ? atif::Source::user
                  : message.role == ChatRole::assistant ? atif::Source::agent
                                                        : atif::Source::system;
    step.message = atif_content(message, version);
    if (step.source == atif::Source::agent) step.reasoning_content = message.reasoning_content;
    if (const std::vector<ChatMessage> read = atif_messages(step, {}); read.size() != 1 || read.front() != message) {
        AtifActaStep acta;
        acta.message = message;
        step.extra = acta_extra(to_json_value(acta));
    }
    return step;
}

ACTA_INLINE atif::Step atif_pending_step(const std::string& feedback) {
    atif::Step step = atif_said_step(ChatMessage::user(feedback), atif::Version::v1_4);
    AtifActaStep acta;
    acta.pending_feedback = true;
    step.extra = acta_extra(to_json_value(acta));
    return step;
}

/// Returns a tool in the form of OpenAI's chat completions, as in ATIF.
ACTA_INLINE JsonObject atif_tool(const ToolDefinition& tool) {
    JsonObject function;
    function.emplace("name", tool.name);
    function.emplace("description", tool.description);
    function.emplace("parameters", Json(tool.parameters));
    JsonObject out;
    out.emplace("type", "function");
    out.emplace("function", std::move(function));
    return out;
}

/// A sum of counts. Beyond 64 bits there is none, rather than a wrong one.
class AtifTotal {
public:
    void add(const std::optional<std::int64_t>& count) {
        if (!count || beyond_) return;
        using Limits = std::numeric_limits<std::int64_t>;
        const std::int64_t sum = sum_.value_or(0);
        beyond_ = *count < 0 ? sum < Limits::min() - *count : sum > Limits::max() - *count;
        sum_ = beyond_ ? std::nullopt : std::optional(sum + *count);
    }
    [[nodiscard]] const std::optional<std::int64_t>& sum() const noexcept { return sum_; }

private:
    std::optional<std::int64_t> sum_{};
    bool beyond_ = false;
};

ACTA_INLINE atif::FinalMetrics atif_totals(const std::vector<atif::Step>& steps) {
    atif::FinalMetrics totals;
    AtifTotal prompt;
    AtifTotal completion;
    for (const atif::Step& step : steps) {
        if (!step.metrics) continue;
        prompt.add(step.metrics->prompt_tokens);
        completion.add(step.metrics->completion_tokens);
        if (step.metrics->cost_usd) totals.total_cost_usd = totals.total_cost_usd.value_or(0) + *step.metrics->cost_usd;
    }
    totals.total_prompt_tokens = prompt.sum();
    totals.total_completion_tokens = completion.sum();
    totals.total_steps = static_cast<std::int64_t>(steps.size());
    return totals;
}

ACTA_INLINE atif::Document atif_document(std::vector<atif::Step> steps, std::size_t cursor,
                                         const atif::Options& options) {
    atif::Document out;
    out.schema_version = "ATIF-v1." + std::to_string(static_cast<int>(options.version));
    out.session_id = options.session_id;
    out.agent.name = options.agent_name;
    out.agent.version = options.agent_version;
    out.agent.model_name = options.model_name;
    if (!options.tools.empty() && options.version != atif::Version::v1_4) {
        auto& tools = out.agent.tool_definitions.emplace();
        for (const ToolDefinition& tool : options.tools) tools.push_back(atif_tool(tool));
    }
    out.notes = options.notes;
    if (steps.empty()) {  // the validator of the format requires at least one
        AtifActaStep acta;
        acta.placeholder = true;
        atif::Step step = atif_said_step(ChatMessage::system("No step was taken."), atif::Version::v1_4);
        step.extra = acta_extra(to_json_value(acta));
        steps.push_back(std::move(step));
    }
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i].step_id = static_cast<std::int64_t>(i) + 1;
    out.final_metrics = atif_totals(steps);
    out.steps = std::move(steps);
    AtifActaRoot root;
    root.version = acta::version;
    root.cursor = static_cast<std::int64_t>(cursor);
    out.extra = acta_extra(to_json_value(root));
    return out;
}

}  // namespace acta::inline ACTA_ABI::interop_detail
