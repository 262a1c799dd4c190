// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "acta/interop/atif/records.hpp"
#include "acta/interop/detail/lenient.inl.hpp"
#include "acta/json/parse.hpp"

namespace acta::inline ACTA_ABI::interop_detail {

class AtifMender {
public:
    explicit AtifMender(Mending& mending) : mending_(mending) {}

    void mend(Json& document) {
        mend_head(document);
        Json& steps = document["steps"];
        if (!steps.is_array()) return;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const std::vector<LocElement> loc{std::string("steps"), i};
            mend_step(steps[i], loc);
            renumber(steps[i], i, loc);
        }
    }

private:
    void mend_head(Json& document) {
        const std::string version = string_member(document, "schema_version");
        if (!version.starts_with("ATIF-v1.")) {
            document["schema_version"] = "ATIF-v1.7";
            mending_.note(TrajectoryNoteKind::changed, {std::string("schema_version")}, "Read as ATIF-v1.7");
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
        mending_.note(TrajectoryNoteKind::changed, extend_path(loc, "step_id"), "Steps are numbered anew");
    }

    void mend_step(Json& step, const std::vector<LocElement>& loc) {
        if (step.is_object()) {
            const bool agent = string_member(step, "source") == "agent";
            if (agent) mending_.step = mending_.step ? *mending_.step + 1 : 0;
            mend_fields(step, agent, loc);
            mend_calls(step, loc);
            mend_results(step, loc);
        }
        try {
            static_cast<void>(validate<atif::Step>(step));
        } catch (const ValidationError&) {
            mending_.note(TrajectoryNoteKind::kept, loc, "The step cannot be read: kept as a step of the system");
            std::string text = json_text(step);
            step = Json::object();
            step["source"] = "system";
            step["message"] = std::move(text);
        }
    }

    void drop(Json& step, const char* key, const std::vector<LocElement>& loc, const char* why) {
        if (!step.contains(key)) return;
        step.erase(key);
        mending_.note(TrajectoryNoteKind::dropped, extend_path(loc, key), why);
    }

    void mend_fields(Json& step, bool agent, const std::vector<LocElement>& loc) {
        if (!step.contains("step_id") || !step["step_id"].is_number_integer()) step["step_id"] = 0;
        mend_content(step["message"], extend_path(loc, "message"));
        if (!agent) {
            for (const char* const key :
                 {"model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"})
                drop(step, key, loc, "Only a step of the agent has this field");
        }
        if (const Json* const count = json_member(step, "llm_call_count"); count != nullptr && *count == 0) {
            if (step.contains("metrics") || step.contains("reasoning_content"))
                drop(step, "llm_call_count", loc, "The step has the fields of a model's call");
        }
    }

    /// Keeps parts of other types as text.
    void mend_content(Json& content, const std::vector<LocElement>& loc) {
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
            mending_.note(TrajectoryNoteKind::kept, extend_path(loc, i), "A part of another form: kept as text");
            std::string text = json_text(content[i]);
            content[i] = Json::object();
            content[i]["type"] = "text";
            content[i]["text"] = std::move(text);
        }
    }

    void mend_calls(Json& step, const std::vector<LocElement>& loc) {
        ids_.clear();
        Json* const calls = json_member(step, "tool_calls");
        if (calls == nullptr || !calls->is_array()) return;
        for (std::size_t i = 0; i < calls->size(); ++i) {
            Json& call = (*calls)[i];
            const std::vector<LocElement> at = extend_path(loc, "tool_calls", i);
            if (!call.is_object()) continue;
            if (!call.contains("function_name") || !call["function_name"].is_string())
                call["function_name"] = "unknown";
            std::string id = string_member(call, "tool_call_id");
            if (id.empty() || ids_.contains(id)) {
                for (std::size_t n = i; id.empty() || ids_.contains(id); ++n) id = "call_" + std::to_string(n);
                call["tool_call_id"] = id;
                mending_.note(TrajectoryNoteKind::changed, extend_path(at, "tool_call_id"),
                              "The call gets an id of its own");
            }
            ids_.insert(id);
            mend_arguments(call["arguments"], call["function_name"].get<std::string>(), extend_path(at, "arguments"),
                           mending_);
        }
    }

    void mend_results(Json& step, const std::vector<LocElement>& loc) {
        Json* const observation = json_member(step, "observation");
        Json* const results = observation == nullptr ? nullptr : json_member(*observation, "results");
        if (results == nullptr || !results->is_array()) return;
        for (std::size_t i = 0; i < results->size(); ++i) {
            Json& result = (*results)[i];
            const std::vector<LocElement> at = extend_path(loc, "observation", "results", i);
            if (!result.is_object()) continue;
            if (const Json* const id = json_member(result, "source_call_id");
                id != nullptr && !id->is_null() && !(id->is_string() && ids_.contains(id->get<std::string>()))) {
                result.erase("source_call_id");
                mending_.note(TrajectoryNoteKind::changed, extend_path(at, "source_call_id"),
                              "A result of no call of the step is read as one without an id");
            }
            if (Json* const content = json_member(result, "content"); content != nullptr && !content->is_null())
                mend_content(*content, extend_path(at, "content"));
        }
    }

    Mending& mending_;
    std::set<std::string> ids_{};  // of the step's calls
};

ACTA_INLINE void mend_atif(Json& document, Mending& mending) { AtifMender(mending).mend(document); }

}  // namespace acta::inline ACTA_ABI::interop_detail
