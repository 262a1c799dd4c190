// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/history/episode.hpp"
#include "acta/interop/autogpt/autogpt.hpp"
#include "acta/interop/detail/json_edits.hpp"
#include "acta/interop/detail/recordable.hpp"
#include "acta/interop/detail/repair.inl.hpp"

namespace acta::inline ACTA_ABI::interop_detail {

/// Returns the outputs of parallel calls by tool name, as AutoGPT stores them; null if the names are not unique, not
/// every call has a result, or all have failed.
inline Json autogpt_outputs(const Json& calls, const Json& results) {
    std::set<std::string> names{"_errors"};
    for (const Json& call : calls) {
        if (!names.insert(call["name"].get<std::string>()).second) return nullptr;
    }
    if (calls.size() != results.size()) return nullptr;
    Json outputs = Json::object();
    Json errors = Json::array();
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const std::string name = calls[i]["name"].get<std::string>();
        const Json& result = results[i]["result"];
        const std::string status = result["status"].get<std::string>();
        if (status == "success")
            outputs[name] = result["outputs"];
        else if (status == "error")
            errors.push_back(name + ": " + result["reason"].get<std::string>());
        else
            return nullptr;
    }
    if (outputs.empty()) return nullptr;
    if (!errors.empty()) outputs["_errors"] = std::move(errors);
    return outputs;
}

}  // namespace acta::inline ACTA_ABI::interop_detail

namespace acta::inline ACTA_ABI {

namespace interop_detail {

/// Turns the older forms of an episode into today's, in place. Anything in neither form stays, for the reader to
/// refuse.
class AutoGptEpisodes {
public:
    explicit AutoGptEpisodes(BoundedReport& report) : report_(report) {}

    void normalize(Json& episode, std::size_t step, std::vector<LocElement> loc) {
        if (!episode.is_object()) return;
        step_ = step;
        loc_ = std::move(loc);
        if (Json* const action = base::find_key(episode, "action"); action != nullptr && action->is_object())
            normalize_action(*action);
        if (!episode.contains("result")) episode["result"] = nullptr;
        if (Json* const error = base::find_key(episode["result"], "error")) normalize_error(*error);
    }

private:
    void note(TrajectoryNoteKind kind, std::initializer_list<LocElement> rest, std::string message) {
        std::vector<LocElement> loc = loc_;
        loc.insert(loc.end(), rest.begin(), rest.end());
        report_.push_back({kind, step_, std::move(loc), std::move(message)});
    }

    /// `inside` is the location of the object in the episode.
    void drop_unknown(Json& object, std::initializer_list<std::string_view> known, std::vector<LocElement> inside) {
        std::vector<std::string> unknown;
        for (const auto& [key, value] : object.items()) {
            if (std::find(known.begin(), known.end(), key) == known.end()) unknown.push_back(key);
        }
        for (const std::string& key : unknown) {
            object.erase(key);
            std::vector<LocElement> loc = loc_;
            loc.insert(loc.end(), inside.begin(), inside.end());
            loc.emplace_back(key);
            report_.push_back({TrajectoryNoteKind::dropped, step_, std::move(loc), "acta has no such field"});
        }
    }

    void normalize_action(Json& action) {
        if (!action.contains("use_tool")) take_old_call(action);
        if (Json* const call = base::find_key(action, "use_tool")) normalize_call(*call);
        if (Json* const calls = base::find_key(action, "use_tools"); calls != nullptr && calls->is_array()) {
            for (Json& call : *calls) normalize_call(call);
            if (!action.contains("use_tool") && !calls->empty()) {
                Json first = calls->front();  // a new member may move the list
                action["use_tool"] = std::move(first);
            }
        }
        if (!action.contains("thoughts")) action["thoughts"] = Json::object();
        normalize_thoughts(action["thoughts"]);
        if (Json* const raw = base::find_key(action, "raw_message")) normalize_raw_message(action, *raw);
        drop_unknown(action, {"thoughts", "use_tool", "use_tools", "raw_message"}, {std::string("action")});
    }

    /// `command: {name, args}` of the first one-shot agents, and the actions `{name, args, reasoning}` of their
    /// histories.
    static void take_old_call(Json& action) {
        if (action.contains("command")) {
            action["use_tool"] = json_take(action, "command");
            return;
        }
        if (!action.contains("name")) return;
        Json call = Json::object();
        call["name"] = json_take(action, "name");
        if (action.contains("args")) call["arguments"] = json_take(action, "args");
        if (action.contains("arguments")) call["arguments"] = json_take(action, "arguments");
        action["use_tool"] = std::move(call);
        if (action.contains("reasoning") && !action.contains("thoughts")) {
            action["thoughts"] = Json::object();
            action["thoughts"]["reasoning"] = json_take(action, "reasoning");
        }
    }

    /// Arguments were called `args`, and were text for a while.
    static void normalize_call(Json& call) {
        if (!call.is_object()) return;
        if (!call.contains("arguments") && call.contains("args")) call["arguments"] = json_take(call, "args");
        Json& arguments = call["arguments"];
        if (arguments.is_null()) arguments = Json::object();
        if (std::optional<Json> object = json_object_of_text(arguments)) arguments = *std::move(object);
    }

    void normalize_thoughts(Json& thoughts) {
        if (thoughts.is_null()) thoughts = Json::object();
        if (thoughts.is_string()) {
            Json text = std::move(thoughts);
            thoughts = Json::object();
            thoughts["text"] = std::move(text);
        }
        if (!thoughts.is_object()) return;
        if (thoughts.contains("criticism") && !thoughts.contains("self_criticism"))
            thoughts["self_criticism"] = json_take(thoughts, "criticism");
        drop_unknown(thoughts, {"observations", "text", "reasoning", "self_criticism", "plan", "speak"},
                     {std::string("action"), std::string("thoughts")});
        for (const char* const key : {"observations", "text", "reasoning", "self_criticism", "speak"}) {
            Json* const text = base::find_key(thoughts, key);
            if (text == nullptr || text->is_string()) continue;
            if (text->is_null()) {
                thoughts.erase(key);
                continue;
            }
            *text = dump(*text);
            note(TrajectoryNoteKind::changed, {std::string("action"), std::string("thoughts"), std::string(key)},
                 "Read as the text of its JSON");
        }
        if (Json* const plan = base::find_key(thoughts, "plan")) normalize_plan(thoughts, *plan);
    }

    /// Plans were originally the text of a Markdown list.
    void normalize_plan(Json& thoughts, Json& plan) {
        if (plan.is_null()) {
            thoughts.erase("plan");
        } else if (plan.is_string()) {
            const Json text = std::move(plan);
            plan = plan_items(text.get_ref<const std::string&>());
        } else if (plan.is_array()) {
            for (std::size_t i = 0; i < plan.size(); ++i) {
                if (plan[i].is_string()) continue;
                plan[i] = dump(plan[i]);
                note(TrajectoryNoteKind::changed,
                     {std::string("action"), std::string("thoughts"), std::string("plan"), i},
                     "Read as the text of its JSON");
            }
        }
    }

    void normalize_raw_message(Json& action, Json& raw) {
        if (!raw.is_object()) {
            if (raw.is_null()) action.erase("raw_message");
            return;
        }
        raw["role"] = "assistant";
        if (raw.contains("content") && raw["content"].is_null()) raw["content"] = "";
        const Json function = raw.contains("function_call") ? json_take(raw, "function_call") : Json();
        if (function.is_object() && (!raw.contains("tool_calls") || raw["tool_calls"].is_null())) {
            Json call = Json::object();
            call["id"] = "";
            call["function"] = function;
            raw["tool_calls"] = Json::array({std::move(call)});
        }
        Json* const calls = base::find_key(raw, "tool_calls");
        if (calls == nullptr || !calls->is_array()) return;
        for (Json& call : *calls) {
            if (!call.is_object()) continue;
            call["type"] = "function";
            if (Json* const called = base::find_key(call, "function")) normalize_call(*called);
        }
    }

    /// Errors were originally an exception's text, not a record.
    void normalize_error(Json& error) {
        if (error.is_string()) {
            const Json text = std::move(error);
            error = Json::object();
            error["repr"] = text;
            error["message"] = text;
        }
        if (!error.is_object()) return;
        if (!error.contains("args")) error["args"] = Json::array();
        if (!error.contains("message")) {
            Json message = error.value("repr", Json(""));  // a new member may move the others
            error["message"] = std::move(message);
        }
        if (!error["message"].is_string()) error["message"] = dump(error["message"]);
        if (!error.contains("exception_type")) error["exception_type"] = "Exception";
        if (!error.contains("repr")) {
            Json message = error["message"];
            error["repr"] = std::move(message);
        }
    }

    static Json plan_items(std::string_view text) {
        Json items = Json::array();
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            std::string_view line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            const std::size_t mark = line.find_first_not_of(" \t\r");
            if (mark == std::string_view::npos) continue;
            line.remove_prefix(mark);
            if (line.starts_with("- ") || line.starts_with("* ")) line.remove_prefix(2);
            line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
            items.push_back(std::string(line));
        }
        return items;
    }

    BoundedReport& report_;
    std::size_t step_ = 0;
    std::vector<LocElement> loc_{};
};

/// AutoGPT stores the outputs of parallel tools by name, and their errors as `name: reason` in a list `_errors`. Each
/// call gets its own if that is unambiguous: if no two calls have the same name.
ACTA_INLINE std::vector<std::optional<ActionResult>> split_autogpt_outputs(std::span<const AssistantFunctionCall> calls,
                                                                           const Json& outputs) {
    std::vector<std::optional<ActionResult>> results(calls.size());
    std::map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!places.emplace(calls[i].name, i).second) return {};
    }
    for (const auto& [key, value] : outputs.items()) {
        const auto place = places.find(key);
        if (place != places.end()) {
            ActionSuccessResult success;
            success.outputs = value;
            results[place->second] = std::move(success);
        } else if (key != "_errors" || !value.is_array()) {
            return {};
        }
    }
    const Json* const errors = base::find_key(outputs, "_errors");
    if (errors == nullptr || places.contains("_errors")) return results;
    for (const Json& error : *errors) {
        if (!error.is_string()) return {};
        const std::string& text = error.get_ref<const std::string&>();
        const std::size_t colon = text.find(": ");
        const auto place = colon == std::string::npos ? places.end() : places.find(text.substr(0, colon));
        if (place == places.end() || results[place->second]) return {};
        results[place->second].emplace(std::in_place_type<ActionErrorResult>,
                                       ActionErrorResult{text.substr(colon + 2), {}});
    }
    return results;
}

/// Assigns to parallel calls the results that a run of AutoGPT stores for them together.
ACTA_INLINE void share_autogpt_results(EpisodicActionHistory<autogpt::Proposal>& history) {
    HistoryRecord<autogpt::Proposal> record = history.record();
    for (std::size_t i = 0; i < record.episodes.size(); ++i) {
        Episode<autogpt::Proposal>& episode = record.episodes[i];
        const auto calls = get_tools(episode.action);
        if (calls.size() < 2 || !episode.result) continue;
        const auto* const success = std::get_if<ActionSuccessResult>(&*episode.result);
        if (success == nullptr || !success->outputs.is_object()) continue;
        if (!episode.tool_results.empty()) {  // acta wrote the outputs
            const Json json = to_json_value(episode.tool_results);
            if (autogpt_outputs(to_json_value(episode.action.use_tools), json) == success->outputs)
                episode.result = joined_result(episode.tool_results);
            continue;
        }
        std::vector<std::optional<ActionResult>> results = split_autogpt_outputs(calls, success->outputs);
        const std::vector<std::string> ids = history.tool_call_ids(i);
        for (std::size_t c = 0; c < results.size(); ++c) {
            if (results[c]) episode.tool_results.push_back({ids[c], *std::move(results[c])});
        }
        if (episode.tool_results.size() == calls.size()) episode.result = joined_result(episode.tool_results);
    }
    history = EpisodicActionHistory<autogpt::Proposal>(std::move(record));
}

/// Returns the key of a state file's history.
ACTA_INLINE const char* autogpt_history_key(const Json& document) {
    for (const char* const key : {"history", "event_history"}) {
        const Json* const history = base::find_key(document, key);
        if (history == nullptr) continue;
        if (base::find_key(*history, "episodes") != nullptr || autogpt::is_run(*history)) return key;
    }
    return nullptr;
}

ACTA_INLINE bool is_autogpt_episode(const Json& episode) {
    const Json* const action = base::find_key(episode, "action");
    if (action == nullptr || !action->is_object()) return false;
    const Json* const tool = base::find_key(*action, "use_tool");
    if (tool == nullptr)
        return action->contains("command") || action->contains("use_tools") ||
               (action->contains("name") && action->contains("args"));
    if (base::find_key(*tool, "args") != nullptr) return true;
    const Json* const thoughts = base::find_key(*action, "thoughts");
    if (thoughts == nullptr) return true;
    if (!thoughts->is_object()) return false;
    // Thoughts of another program may have one of these members beside others.
    std::size_t known = 0;
    for (const char* const key : {"observations", "text", "reasoning", "criticism", "self_criticism", "plan", "speak"})
        known += base::find_key(*thoughts, key) != nullptr ? 1U : 0U;
    return known > 1 || (known == 1 && thoughts->size() == 1);
}

}  // namespace interop_detail

ACTA_INLINE bool autogpt::is_run(const Json& document) {
    if (document.is_object()) {
        if (interop_detail::autogpt_history_key(document) != nullptr) return true;
        const Json* const episodes = base::find_key(document, "episodes");
        return episodes != nullptr && episodes->is_array() && autogpt::is_run(*episodes);
    }
    return document.is_array() && !document.empty() &&
           std::ranges::any_of(document, interop_detail::is_autogpt_episode);
}

ACTA_INLINE autogpt::Run autogpt::read(Json document) {
    autogpt::Run run;
    std::vector<LocElement> loc;
    Json history;
    if (const char* const key = interop_detail::autogpt_history_key(document)) {
        run.history_key = key;
        loc.emplace_back(run.history_key);
        history = interop_detail::json_take(document, key);
        for (auto& [name, value] : document.get_ref<Json::object_t&>()) run.state.emplace(name, std::move(value));
    } else {
        history = std::move(document);
    }
    const bool is_list = history.is_array();
    if (is_list) {
        Json episodes = std::move(history);
        history = Json::object();
        history["episodes"] = std::move(episodes);
    } else {
        loc.emplace_back(std::string("episodes"));
    }
    Json* const episodes = base::find_key(history, "episodes");
    if (episodes != nullptr && episodes->is_array()) {
        interop_detail::BoundedReport report;
        interop_detail::AutoGptEpisodes forms(report);
        for (std::size_t i = 0; i < episodes->size(); ++i) {
            std::vector<LocElement> at = loc;
            at.emplace_back(i);
            forms.normalize((*episodes)[i], i, std::move(at));
        }
        run.report = report.take();
        const bool open = !episodes->empty() && episodes->back().is_object() && episodes->back()["result"].is_null();
        if (!history.contains("cursor")) history["cursor"] = episodes->size() - (open ? 1 : 0);
    }
    try {
        run.history = validate<EpisodicActionHistory<autogpt::Proposal>>(history);
    } catch (const ValidationError& error) {
        std::vector<Issue> issues(error.issues().begin(), error.issues().end());
        for (Issue& issue : issues) {
            if (is_list && !issue.loc.empty()) issue.loc.erase(issue.loc.begin());  // `episodes`
            if (!run.history_key.empty()) issue.loc.insert(issue.loc.begin(), run.history_key);
        }
        throw ValidationError("AutoGptRun", std::move(issues), error.truncated());
    }
    interop_detail::share_autogpt_results(run.history);
    run.history = interop_detail::recordable(std::move(run.history), run.report);
    return run;
}

ACTA_INLINE autogpt::Run autogpt::parse(std::string_view text, const ParseOptions& options) {
    ParseOptions own = options;
    own.keep_large_numbers = true;
    return autogpt::read(acta::parse<Json>(text, own));
}

namespace interop_detail {

/// Returns every field that a version of AutoGPT requires, in the order of its own models.
ACTA_INLINE Json autogpt_thoughts(const Json& thoughts, const std::string& text) {
    const auto field = [&thoughts](const char* key) {
        const Json* const found = base::find_key(thoughts, key);
        return found != nullptr && found->is_string() ? *found : Json("");
    };
    const Json* const plan = base::find_key(thoughts, "plan");
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
        if (Json* const raw = base::find_key(action, "raw_message"); raw != nullptr && raw->is_null())
            action.erase("raw_message");
        const Json* const calls = base::find_key(action, "use_tools");
        if (calls != nullptr && calls->is_array() && !calls->empty()) action["use_tool"] = Json(calls->front());
        const Json* const results = base::find_key(episode, "tool_results");
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
