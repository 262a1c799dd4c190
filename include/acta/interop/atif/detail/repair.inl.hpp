// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/interop/atif/atif.hpp"
#include "acta/interop/detail/json_edits.hpp"
#include "acta/interop/detail/repair.inl.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/json/json.hpp"

// Lenient reading of ATIF's documents.
namespace acta::inline ACTA_ABI::interop_detail {

class AtifRepairer {
public:
    explicit AtifRepairer(Repairs& repairs) : repairs_(repairs) {}

    void repair(Json& document) {
        repair_head(document);
        Json& steps = document["steps"];
        if (!steps.is_array()) return;
        Json repaired = Json::array();
        bool was_text = false;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const std::vector<LocElement> loc{std::string("steps"), i};
            const bool is_text = !repair_step(steps[i], loc);
            if (is_text && was_text) {  // one step for all in a row, as a step takes hundreds of bytes
                repaired.back()["message"].get_ref<std::string&>() += "\n" + base::text_member(steps[i], "message");
                continue;
            }
            was_text = is_text;
            renumber(steps[i], repaired.size(), loc);
            repaired.push_back(std::move(steps[i]));
        }
        steps = std::move(repaired);
        Json* const subagents = base::find_key(document, "subagent_trajectories");
        if (subagents != nullptr && !subagents->is_null()) repair_subagents(*subagents);
    }

private:
    /// Repairs the documents of subagents. Notes on them have their places, and no step.
    void repair_subagents(Json& subagents) {
        if (!subagents.is_array()) subagents = Json::array({std::move(subagents)});
        const std::size_t all = subagents.size();
        std::erase_if(subagents.get_ref<Json::array_t&>(), [](const Json& one) { return !one.is_object(); });
        if (subagents.size() != all)
            repairs_.note(TrajectoryNoteKind::dropped, {std::string("subagent_trajectories")},
                          "Only an object can be a run of a subagent");
        for (std::size_t i = 0; i < subagents.size(); ++i) {
            Repairs inner{BoundedReport(repairs_.report.max()), {}, {}};
            AtifRepairer(inner).repair(subagents[i]);
            repairs_.malformed.merge(inner.malformed);
            for (TrajectoryNote& note : inner.report.take()) {
                note.step.reset();
                const std::vector<LocElement> loc{std::string("subagent_trajectories"), i};
                note.loc.insert(note.loc.begin(), loc.begin(), loc.end());
                repairs_.report.push_back(std::move(note));
            }
        }
    }

    void repair_head(Json& document) {
        const std::string version = base::text_member(document, "schema_version");
        if (!version.starts_with("ATIF-v1.")) {
            document["schema_version"] = "ATIF-v1.7";
            repairs_.note(TrajectoryNoteKind::changed, {std::string("schema_version")}, "Read as ATIF-v1.7");
        }
        if (!document.contains("session_id")) document["session_id"] = "";
        if (!document.contains("agent") || !document["agent"].is_object()) document["agent"] = Json::object();
        for (const char* const key : {"name", "version"}) {
            Json& agent = document["agent"];
            if (!agent.contains(key) || !agent[key].is_string()) agent[key] = "";
        }
    }

    void renumber(Json& step, std::size_t i, const std::vector<LocElement>& loc) {
        const auto number = static_cast<std::int64_t>(i) + 1;
        if (step.contains("step_id") && step["step_id"] == number) return;
        step["step_id"] = number;
        repairs_.note(TrajectoryNoteKind::changed, extend_path(loc, "step_id"), "Steps are renumbered");
    }

    /// Returns whether a step of the agent is one of the history, by its calls or by acta's own note.
    static bool has_episode(const Json& step) {
        if (has_list(step, "tool_calls") && !step["tool_calls"].empty()) return true;
        const Json* const own = base::find_path(step, "extra/acta");
        return own != nullptr && (own->contains("status") || own->contains("episode") || own->contains("absent"));
    }

    /// Returns whether the step can be read; otherwise its text is kept.
    bool repair_step(Json& step, const std::vector<LocElement>& loc) {
        const bool agent = base::text_member(step, "source") == "agent";
        const bool is_episode = agent && has_episode(step);
        repairs_.step = is_episode ? std::optional(episodes_) : std::nullopt;
        const std::size_t first = repairs_.report.size();
        if (step.is_object()) {
            repair_fields(step, agent, loc);
            repair_calls(step, loc);
            repair_results(step, loc);
        }
        try {
            static_cast<void>(validate<atif::Step>(step));
            if (is_episode) ++episodes_;
            return true;
        } catch (const ValidationError&) {
            repairs_.leave_step(first);
            repairs_.note(TrajectoryNoteKind::kept, loc, "The step cannot be read: kept as a step of the system");
            std::string text = json_text(step);
            step = Json::object();
            step["source"] = "system";
            step["message"] = std::move(text);
            return false;
        }
    }

    void drop(Json& step, const char* key, const std::vector<LocElement>& loc, const char* why) {
        if (!step.contains(key)) return;
        step.erase(key);
        repairs_.note(TrajectoryNoteKind::dropped, extend_path(loc, key), why);
    }

    void repair_fields(Json& step, bool agent, const std::vector<LocElement>& loc) {
        if (!step.contains("step_id") || !step["step_id"].is_number_integer()) step["step_id"] = 0;
        repair_content(step["message"], extend_path(loc, "message"));
        if (!agent) {
            for (const char* const key :
                 {"model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"})
                drop(step, key, loc, "Only a step of the agent has this field");
        }
        if (const Json* const count = base::find_key(step, "llm_call_count"); count != nullptr && *count == 0) {
            if (step.contains("metrics") || step.contains("reasoning_content"))
                drop(step, "llm_call_count", loc, "The step has the fields of a model's call");
        }
    }

    /// Keeps parts of other types as text.
    void repair_content(Json& content, const std::vector<LocElement>& loc) {
        if (content.is_string()) return;
        if (!content.is_array()) {
            content = json_text(content);
            return;
        }
        for (std::size_t i = 0; i < content.size(); ++i) {
            try {
                const auto part = validate<atif::Part>(content[i]);
                if (part.text.has_value() == (part.type == atif::PartType::text) &&
                    part.source.has_value() != part.text.has_value())
                    continue;
            } catch (const ValidationError&) {
            }
            repairs_.note(TrajectoryNoteKind::kept, extend_path(loc, i), "A part of another form: kept as text");
            std::string text = json_text(content[i]);
            content[i] = Json::object();
            content[i]["type"] = "text";
            content[i]["text"] = std::move(text);
        }
    }

    void repair_calls(Json& step, const std::vector<LocElement>& loc) {
        ids_.clear();
        Json* const calls = base::find_key(step, "tool_calls");
        if (calls == nullptr || !calls->is_array()) return;
        std::size_t next_number = 0;  // all before it that were tried are taken
        for (std::size_t i = 0; i < calls->size(); ++i) {
            Json& call = (*calls)[i];
            const std::vector<LocElement> at = extend_path(loc, "tool_calls", i);
            if (!call.is_object()) continue;
            if (!call.contains("function_name") || !call["function_name"].is_string()) {
                call["function_name"] = "unknown";
                repairs_.note(TrajectoryNoteKind::changed, extend_path(at, "function_name"),
                              "The call names no function");
            }
            std::string id = base::text_member(call, "tool_call_id");
            if (id.empty() || ids_.contains(id)) {
                next_number = std::max(next_number, i);
                while (id.empty() || ids_.contains(id)) id = "call_" + std::to_string(next_number++);
                call["tool_call_id"] = id;
                repairs_.note(TrajectoryNoteKind::changed, extend_path(at, "tool_call_id"),
                              "The call gets an id of its own");
            }
            ids_.insert(id);
            repair_arguments(call["arguments"], call["function_name"].get<std::string>(), extend_path(at, "arguments"),
                             repairs_);
        }
    }

    void repair_results(Json& step, const std::vector<LocElement>& loc) {
        Json* const observation = base::find_key(step, "observation");
        Json* const results = observation == nullptr ? nullptr : base::find_key(*observation, "results");
        if (results == nullptr || !results->is_array()) return;
        for (std::size_t i = 0; i < results->size(); ++i) {
            Json& result = (*results)[i];
            const std::vector<LocElement> at = extend_path(loc, "observation", "results", i);
            if (!result.is_object()) continue;
            if (const Json* const id = base::find_key(result, "source_call_id");
                id != nullptr && !id->is_null() && !(id->is_string() && ids_.contains(id->get<std::string>()))) {
                result.erase("source_call_id");
                repairs_.note(TrajectoryNoteKind::changed, extend_path(at, "source_call_id"),
                              "A result of no call of the step is read as one without an id");
            }
            if (Json* const content = base::find_key(result, "content"); content != nullptr && !content->is_null())
                repair_content(*content, extend_path(at, "content"));
            if (Json* const references = base::find_key(result, "subagent_trajectory_ref"))
                repair_references(*references, extend_path(at, "subagent_trajectory_ref"));
        }
    }

    /// One reference is a list of one; anything that is not a reference is dropped.
    void repair_references(Json& references, const std::vector<LocElement>& loc) {
        if (references.is_null()) return;
        if (!references.is_array()) references = Json::array({std::move(references)});
        Json kept = Json::array();
        for (Json& one : references) {
            if (one.is_string()) one = Json{{"trajectory_id", one}};
            if (one.is_object())
                kept.push_back(std::move(one));
            else
                repairs_.note(TrajectoryNoteKind::dropped, loc, "Only an object can refer to a subagent");
        }
        references = std::move(kept);
    }

    Repairs& repairs_;
    std::set<std::string> ids_{};  // of the step's calls
    std::size_t episodes_ = 0;     // of the history, so far
};

ACTA_INLINE void repair_atif(Json& document, Repairs& repairs) { AtifRepairer(repairs).repair(document); }

}  // namespace acta::inline ACTA_ABI::interop_detail
