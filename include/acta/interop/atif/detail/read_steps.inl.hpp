// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/history/episode.hpp"
#include "acta/interop/atif/detail/steps.hpp"
#include "acta/json/dump.hpp"

namespace acta::inline ACTA_ABI::interop_detail {

ACTA_INLINE std::string atif_text(const atif::Content& content) {
    if (const auto* const text = std::get_if<std::string>(&content)) return *text;
    std::string out;
    for (const atif::Part& part : std::get<std::vector<atif::Part>>(content)) {
        if (!out.empty()) out += '\n';
        if (part.source)
            out += (part.type == atif::PartType::audio ? "[audio: " : "[image: ") + part.source->path + "]";
        else
            out += part.text.value_or("");
    }
    return out;
}

/// Returns the parts of a content that is more than text; null if it is not.
ACTA_INLINE const std::vector<atif::Part>* atif_media(const atif::Content& content) {
    const auto* const parts = std::get_if<std::vector<atif::Part>>(&content);
    const bool media =
        parts != nullptr && std::ranges::any_of(*parts, [](const auto& part) { return part.source.has_value(); });
    return media ? parts : nullptr;
}

/// Returns the content of a result as outputs: text, or its parts if there are images or recordings.
ACTA_INLINE Json atif_outputs(const atif::ObservationResult& result) {
    if (result.content) {
        if (const auto* const parts = atif_media(*result.content)) return to_json_value(*parts);
        return atif_text(*result.content);
    }
    if (result.subagent_trajectory_ref) return to_json_value(*result.subagent_trajectory_ref);
    return nullptr;
}

ACTA_INLINE bool says_error(const std::optional<JsonObject>& extra) {
    if (!extra) return false;
    const auto found = extra->find("is_error");
    return found != extra->end() && found->second.is_boolean() && found->second.get<bool>();
}

/// One result, as read.
struct AtifAnswer {
    Json outputs{};
    bool is_error = false;
};
using AtifAnswers = std::vector<AtifAnswer>;

/// Returns the results of one call as a single one.
ACTA_INLINE ActionResult atif_result(AtifAnswers answers) {
    if (std::ranges::any_of(answers, [](const AtifAnswer& one) { return one.is_error; })) {
        ActionErrorResult error;
        for (const AtifAnswer& one : answers) {
            if (!error.reason.empty()) error.reason += '\n';
            error.reason += one.outputs.is_string() ? one.outputs.get_ref<const std::string&>() : dump(one.outputs);
        }
        return ActionResult(std::in_place_type<ActionErrorResult>, std::move(error));
    }
    ActionSuccessResult success;
    if (answers.size() == 1) {
        success.outputs = std::move(answers.front().outputs);
    } else {
        JsonArray all;
        for (AtifAnswer& one : answers) all.push_back(std::move(one.outputs));
        success.outputs = std::move(all);
    }
    return success;
}

/// The results by call. Those that name no call go to the first one without a result, usually in order.
struct AtifResults {
    std::vector<AtifAnswers> of_calls{};
    AtifAnswers of_all{};  // if the call is unknown
};

ACTA_INLINE AtifResults sort_results(const atif::Step& step, std::span<const AssistantToolCall> calls) {
    AtifResults out;
    out.of_calls.resize(calls.size());
    if (!step.observation) return out;
    std::map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < calls.size(); ++i) places.emplace(calls[i].id, i);
    const bool alone = step.observation->results.size() == 1 && says_error(step.extra);
    AtifAnswers unnamed;
    std::size_t named = 0;
    for (const atif::ObservationResult& result : step.observation->results) {
        const auto place = result.source_call_id ? places.find(*result.source_call_id) : places.end();
        AtifAnswer answer{atif_outputs(result), alone || says_error(result.extra)};
        if (place == places.end()) {
            unnamed.push_back(std::move(answer));
        } else {
            out.of_calls[place->second].push_back(std::move(answer));
            ++named;
        }
    }
    if (calls.empty() || (named == 0 && calls.size() > 1 && unnamed.size() != calls.size())) {
        out.of_all = std::move(unnamed);
        return out;
    }
    std::size_t free = 0;
    for (AtifAnswer& one : unnamed) {
        while (free + 1 < calls.size() && !out.of_calls[free].empty()) ++free;
        out.of_calls[free].push_back(std::move(one));
    }
    return out;
}

ACTA_INLINE void read_atif_results(Episode<>& episode, const atif::Step& step, std::span<const AssistantToolCall> calls,
                                   bool by_id) {
    AtifResults results = sort_results(step, calls);
    if (!results.of_all.empty()) {
        episode.result = atif_result(std::move(results.of_all));
    } else if (calls.size() == 1 && !by_id) {
        if (!results.of_calls.front().empty()) episode.result = atif_result(std::move(results.of_calls.front()));
    } else {
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (!results.of_calls[i].empty())
                episode.tool_results.push_back({calls[i].id, atif_result(std::move(results.of_calls[i]))});
        }
        if (!calls.empty() && episode.tool_results.size() == calls.size())
            episode.result = joined_result(episode.tool_results);
    }
}

ACTA_INLINE Episode<> atif_episode(const atif::Step& step, bool by_id) {
    Episode<> episode;
    AssistantChatMessage& raw = episode.action.raw_message.emplace();
    raw.content = atif_text(step.message);
    const bool reasons = step.reasoning_content && !step.reasoning_content->empty();
    if (reasons) raw.reasoning_content = step.reasoning_content;
    episode.action.thoughts = raw.content.empty() && reasons ? *step.reasoning_content : raw.content;
    std::vector<AssistantToolCall> calls;
    if (step.tool_calls) {
        for (const atif::ToolCall& call : *step.tool_calls)
            calls.push_back({call.tool_call_id, {call.function_name, call.arguments}});
    }
    if (!calls.empty()) episode.action.use_tool = calls.front().function;
    if (calls.size() > 1) {
        for (const AssistantToolCall& call : calls) episode.action.use_tools.push_back(call.function);
    }
    read_atif_results(episode, step, calls, by_id);
    if (!calls.empty()) raw.tool_calls = std::move(calls);
    if (step.timestamp || step.metrics) {
        StepMetrics& metrics = episode.metrics.emplace();
        metrics.started_at = step.timestamp;
        if (step.metrics) {
            metrics.prompt_tokens = step.metrics->prompt_tokens;
            metrics.completion_tokens = step.metrics->completion_tokens;
            metrics.cost_usd = step.metrics->cost_usd;
        }
    }
    return episode;
}

ACTA_INLINE Json corrected_episode(Json exported, const AtifActaStep& acta) {
    if (acta.episode) {
        for (const auto& [key, value] : *acta.episode) {
            if (key != "action" || !value.is_object()) {
                exported[key] = value;
                continue;
            }
            for (const auto& [name, member] : value.get_ref<const Json::object_t&>()) exported["action"][name] = member;
        }
    }
    Json& action = exported["action"];
    if (acta.absent && action.is_object()) {
        for (const std::string& key : *acta.absent) action.erase(key);
    }
    return exported;
}

/// Returns a message with this content. ATIF's parts are text, or media in files.
ACTA_INLINE ChatMessage atif_message(ChatRole role, const atif::Content& content) {
    ChatMessage out;
    out.role = role;
    out.content = atif_text(content);
    const auto* const media = atif_media(content);
    if (media == nullptr) return out;
    for (const atif::Part& part : *media) {
        const Json json = to_json_value(part);
        out.parts.push_back(read_content_part(JsonObject(json.get_ref<const Json::object_t&>()), "atif"));
    }
    out.content = parts_text(out.parts);
    return out;
}

ACTA_INLINE std::vector<ChatMessage> atif_messages(const atif::Step& step, const AtifActaStep& acta) {
    if (acta.message) return {*acta.message};
    std::vector<ChatMessage> out;
    const ChatRole role = step.source == atif::Source::user    ? ChatRole::user
                          : step.source == atif::Source::agent ? ChatRole::assistant
                                                               : ChatRole::system;
    const bool observed = step.observation && !step.observation->results.empty();
    ChatMessage said = atif_message(role, step.message);
    said.reasoning_content = step.reasoning_content;
    if (!said.content.empty() || !observed) out.push_back(std::move(said));
    for (std::size_t r = 0; observed && r < step.observation->results.size(); ++r) {
        const atif::ObservationResult& result = step.observation->results[r];
        out.push_back(result.content ? atif_message(ChatRole::system, *result.content)
                                     : ChatMessage::system(dump(atif_outputs(result))));
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI::interop_detail
