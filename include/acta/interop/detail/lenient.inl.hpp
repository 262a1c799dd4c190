// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/history/episode.hpp"
#include "acta/interop/detail/lenient.hpp"

namespace acta::inline ACTA_ABI::interop_detail {

inline constexpr const char* raw_arguments_key = "raw_arguments";

ACTA_INLINE std::string json_text(const Json& value) {
    if (const auto* const text = value.get_ptr<const std::string*>()) return *text;
    if (value.is_null()) return {};
    DumpOptions options;
    options.invalid_utf8 = InvalidUtf8::replace;
    return dump(value, options);
}

ACTA_INLINE std::string content_text_of(const Json& content) {
    if (!content.is_array()) return json_text(content);
    std::string out;
    for (const Json& part : content) {
        const Json* const text = json_member(part, "text");
        if (!out.empty()) out += '\n';
        out += json_text(text != nullptr && text->is_string() ? *text : part);
    }
    return out;
}

ACTA_INLINE void mend_arguments(Json& arguments, const std::string& name, std::vector<LocElement> loc,
                                Mending& mending) {
    if (arguments.is_object()) return;
    if (arguments.is_null()) {
        arguments = Json::object();
        return;
    }
    if (std::optional<Json> object = json_object_of_text(arguments)) {
        arguments = *std::move(object);
        return;
    }
    std::string raw = json_text(arguments);
    mending.note(
        TrajectoryNoteKind::kept, std::move(loc),
        "The arguments of '" + name + "' are not a JSON object: kept as 'raw_arguments', with an error result");
    mending.malformed.push_back({name, raw});
    arguments = Json::object();
    arguments[raw_arguments_key] = std::move(raw);
}

ACTA_INLINE bool is_malformed(const AssistantFunctionCall& call, const Mending& mending) {
    if (call.arguments.size() != 1) return false;
    const auto raw = call.arguments.find(raw_arguments_key);
    if (raw == call.arguments.end() || !raw->second.is_string()) return false;
    return std::ranges::any_of(mending.malformed, [&](const MalformedCall& one) {
        return one.name == call.name && one.raw == raw->second.get_ref<const std::string&>();
    });
}

/// Returns the result of a malformed call, with the text of its original result as the reason.
ACTA_INLINE ActionResult failed_call(const std::optional<ActionResult>& result) {
    if (result && !is_success(*result)) return *result;
    ActionErrorResult error;
    error.reason = result ? content_text_of(std::get<ActionSuccessResult>(*result).outputs)
                          : "The arguments are not a JSON object.";
    return ActionResult(std::in_place_type<ActionErrorResult>, std::move(error));
}

ACTA_INLINE EpisodicActionHistory<> with_failed_calls(EpisodicActionHistory<> history, const Mending& mending) {
    if (mending.malformed.empty()) return history;
    HistoryRecord<ActionProposal<>> record = history.record();
    for (std::size_t i = 0; i < record.episodes.size(); ++i) {
        Episode<>& episode = record.episodes[i];
        const auto calls = get_tools(episode.action);
        if (calls.size() == 1) {
            if (is_malformed(calls.front(), mending)) episode.result = failed_call(episode.result);
            continue;
        }
        const std::vector<std::string> ids = history.tool_call_ids(i);
        bool changed = false;
        std::vector<ToolResult> results;
        for (std::size_t c = 0; c < calls.size(); ++c) {
            const auto own = std::ranges::find(episode.tool_results, ids[c], &ToolResult::tool_call_id);
            const bool found = own != episode.tool_results.end();
            const bool malformed = is_malformed(calls[c], mending);
            changed = changed || malformed;
            if (malformed)
                results.push_back({ids[c], failed_call(found ? std::optional(own->result) : std::nullopt)});
            else if (found)
                results.push_back(*own);
        }
        if (!changed) continue;
        episode.tool_results = std::move(results);
        if (episode.tool_results.size() == calls.size()) episode.result = joined_result(episode.tool_results);
    }
    const bool open = !record.episodes.empty() && !record.episodes.back().result;
    record.cursor = std::ssize(record.episodes) - (open ? 1 : 0);
    return EpisodicActionHistory<>(std::move(record));
}

}  // namespace acta::inline ACTA_ABI::interop_detail
