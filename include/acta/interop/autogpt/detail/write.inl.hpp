// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "acta/interop/autogpt/autogpt.hpp"
#include "acta/interop/autogpt/detail/outputs.hpp"
#include "acta/interop/detail/json_edits.hpp"

namespace acta::inline ACTA_ABI {

namespace interop_detail {

/// Returns every field that a version of AutoGPT requires, in the order of its own models.
ACTA_INLINE Json autogpt_thoughts(const Json& thoughts, const std::string& text) {
    const auto field = [&thoughts](const char* key) {
        const Json* const found = json_member(thoughts, key);
        return found != nullptr && found->is_string() ? *found : Json("");
    };
    const Json* const plan = json_member(thoughts, "plan");
    const bool own = thoughts.is_object() && plan != nullptr && plan->is_array();
    Json out = Json::object();
    out["observations"] = own ? field("observations") : Json("");
    out["text"] = own ? field("text") : Json(text);
    out["reasoning"] = own ? field("reasoning") : Json(text);
    out["self_criticism"] = own ? field("self_criticism") : Json("");
    out["plan"] = own ? *plan : Json::array();
    out["speak"] = own ? field("speak") : Json("");
    return out;
}

/// Returns the result of a step, joined from those of its calls.
ACTA_INLINE Json joined_json(const Json& results) {
    Json outputs = Json::array();
    for (const Json& one : results) {
        if (one["result"]["status"] != "success") return one["result"];
        outputs.push_back(one["result"]["outputs"]);
    }
    Json joined = Json::object();
    joined["outputs"] = std::move(outputs);
    joined["status"] = "success";
    return joined;
}

ACTA_INLINE Json autogpt_history(Json record, const std::vector<std::string>& texts) {
    Json& episodes = record["episodes"];
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        Json& episode = episodes[i];
        Json& action = episode["action"];
        action["thoughts"] = autogpt_thoughts(action["thoughts"], texts[i]);
        if (Json* const raw = json_member(action, "raw_message"); raw != nullptr && raw->is_null())
            action.erase("raw_message");
        const Json* const calls = json_member(action, "use_tools");
        if (calls != nullptr && calls->is_array() && !calls->empty()) action["use_tool"] = Json(calls->front());
        const Json* const results = json_member(episode, "tool_results");
        if (calls == nullptr || results == nullptr || episode["result"] != joined_json(*results)) continue;
        Json outputs = autogpt_outputs(*calls, *results);
        if (outputs.is_null()) continue;
        Json result = Json::object();
        result["outputs"] = std::move(outputs);
        result["status"] = "success";
        episode["result"] = std::move(result);
    }
    return record;
}

}  // namespace interop_detail

ACTA_INLINE Json autogpt::to_document(const autogpt::Run& run) {
    Json history = autogpt::to_document(run.history);
    if (run.history_key.empty()) return history;
    Json out = Json::object();
    for (const auto& [key, value] : run.state) out[key] = value;
    out[run.history_key] = std::move(history);
    return out;
}

ACTA_INLINE EpisodicActionHistory<> autogpt::plain_history(const EpisodicActionHistory<autogpt::Proposal>& history) {
    Json record = to_json_value(history);
    Json& episodes = record["episodes"];
    for (std::size_t i = 0; i < episodes.size(); ++i)
        episodes[i]["action"]["thoughts"] = history[i].action.thoughts.summary();
    return validate<EpisodicActionHistory<>>(record);
}

}  // namespace acta::inline ACTA_ABI
