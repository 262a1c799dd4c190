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
#include "acta/json/dump.hpp"
#include "acta/version.hpp"

namespace acta::inline v0::interop_detail {

ACTA_INLINE JsonObject acta_extra(Json value) {
    JsonObject extra;
    extra.emplace("acta", std::move(value));
    return extra;
}

/// A result for any reader. What acta reads back is beside it where this is not enough.
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

ACTA_INLINE void write_atif_calls(AtifStep& step, const AtifEpisode& episode, AtifVersion version) {
    const bool says_only =
        episode.calls.size() == 1 && episode.calls.front().name.empty() && episode.calls.front().arguments.empty();
    if (!says_only) {
        auto& calls = step.tool_calls.emplace();
        for (std::size_t i = 0; i < episode.calls.size(); ++i) {
            AtifToolCall call;
            call.tool_call_id = episode.ids[i];
            call.function_name = episode.calls[i].name;
            call.arguments = episode.calls[i].arguments;
            calls.push_back(std::move(call));
        }
    }
    std::vector<AtifObservationResult> results;
    const auto add = [&results, version](const std::string* id, const ActionResult& result) {
        AtifObservationResult made;
        if (id != nullptr) made.source_call_id = *id;
        made.content.emplace(atif_result_text(result));
        if (is_error(result) && version >= AtifVersion::v1_7) made.extra.emplace().emplace("is_error", true);
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

/// The members of `actual` that differ from those of `exported`.
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
    // Members that are only written when set: an empty list, or nothing.
    if (exported.contains("tool_results") && !actual.contains("tool_results"))
        episode.emplace("tool_results", JsonArray());
    if (exported.contains("metrics") && !actual.contains("metrics")) episode.emplace("metrics", nullptr);
    if (!episode.empty()) acta.episode = std::move(episode);
    return acta;
}

ACTA_INLINE AtifStep atif_step(const AtifEpisode& episode, AtifVersion version) {
    AtifStep step;
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
            AtifMetrics& out = step.metrics.emplace();
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

/// The parts of a message where they are ATIF's own and the version has them.
ACTA_INLINE std::optional<std::vector<AtifContentPart>> atif_parts(const ContextMessage& message, AtifVersion version) {
    std::vector<AtifContentPart> parts;
    bool media = false;
    try {
        for (const JsonObject& part : message.parts) {
            parts.push_back(validate<AtifContentPart>(Json(part)));
            const AtifContentPart& read = parts.back();
            const bool is_audio = read.type == AtifContentType::audio;
            const AtifVersion since = is_audio ? AtifVersion::v1_8 : AtifVersion::v1_6;
            if (read.source ? version < since : read.type != AtifContentType::text || !read.text) return std::nullopt;
            media = media || read.source.has_value();
        }
    } catch (const ValidationError&) {
        return std::nullopt;
    }
    if (!media || atif_json_parts(parts) != message.parts || atif_text(parts) != message.message.content)
        return std::nullopt;
    return parts;
}

ACTA_INLINE AtifStep atif_context_step(const ContextMessage& message, AtifVersion version) {
    AtifStep step;
    const ChatRole role = message.message.role;
    step.source = role == ChatRole::user        ? AtifSource::user
                  : role == ChatRole::assistant ? AtifSource::agent
                                                : AtifSource::system;
    step.message = message.message.content;
    if (step.source == AtifSource::agent) step.reasoning_content = message.reasoning_content;
    AtifActaStep acta;
    if (role != ChatRole::user && role != ChatRole::system && role != ChatRole::assistant) acta.role = role;
    if (std::optional<std::vector<AtifContentPart>> parts = atif_parts(message, version))
        step.message = *std::move(parts);
    else if (!message.parts.empty())
        acta.parts = message.parts;
    if (acta.role || acta.parts) step.extra = acta_extra(to_json_value(acta));
    return step;
}

ACTA_INLINE AtifStep atif_pending_step(const std::string& feedback) {
    AtifStep step = atif_context_step({0, ChatMessage::user(feedback)}, AtifVersion::v1_4);
    AtifActaStep acta;
    acta.pending_feedback = true;
    step.extra = acta_extra(to_json_value(acta));
    return step;
}

/// ATIF has tools in the form of OpenAI's chat completions.
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

/// A sum of counts. Beyond 64 bits there is none, which is better than a wrong one.
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

ACTA_INLINE AtifFinalMetrics atif_totals(const std::vector<AtifStep>& steps) {
    AtifFinalMetrics totals;
    AtifTotal prompt;
    AtifTotal completion;
    for (const AtifStep& step : steps) {
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

ACTA_INLINE AtifTrajectory atif_document(std::vector<AtifStep> steps, std::size_t cursor, const AtifOptions& options) {
    AtifTrajectory out;
    out.schema_version = "ATIF-v1." + std::to_string(static_cast<int>(options.version));
    out.session_id = options.session_id;
    out.agent.name = options.agent_name;
    out.agent.version = options.agent_version;
    out.agent.model_name = options.model_name;
    if (!options.tools.empty() && options.version != AtifVersion::v1_4) {
        auto& tools = out.agent.tool_definitions.emplace();
        for (const ToolDefinition& tool : options.tools) tools.push_back(atif_tool(tool));
    }
    out.notes = options.notes;
    if (steps.empty()) {  // the validator of the format requires at least one
        AtifActaStep acta;
        acta.placeholder = true;
        AtifStep step = atif_context_step({0, ChatMessage::system("No step was taken.")}, AtifVersion::v1_4);
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

}  // namespace acta::inline v0::interop_detail
