// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "acta/action/action.hpp"
#include "acta/base/json_value.hpp"
#include "acta/interop/detail/messages.inl.hpp"
#include "acta/interop/detail/repair.inl.hpp"
#include "acta/interop/trajectory_report.hpp"

namespace acta::inline ACTA_ABI::interop_detail {

/// Returns whether a value is a list of OpenHands' events, of its first or its second generation ("V0", "V1"), or a row
/// of one of its evaluations, whose `history` is such a list, or one of pairs of an action and its observation.
[[nodiscard]] bool is_openhands(const Json& document);

/// Reads a run: messages stay, actions are calls of the assistant, observations their results. Other events (changes of
/// state, condensations) and the totals of a row are noted as dropped.
[[nodiscard]] EpisodicActionHistory<> read_openhands_events(const Json& document, bool lenient, Repairs& repairs);

ACTA_INLINE bool is_openhands_event(const Json& event) {
    constexpr std::string_view kinds[] = {"MessageEvent", "ActionEvent", "ObservationEvent", "SystemPromptEvent"};
    if (!event.is_object() || event.contains("role")) return false;
    if (std::ranges::find(kinds, base::text_member(event, "kind")) != std::end(kinds)) return true;
    const std::string source = base::text_member(event, "source");
    const bool known = source == "agent" || source == "user" || source == "environment";
    return known && (!base::text_member(event, "action").empty() || !base::text_member(event, "observation").empty());
}

ACTA_INLINE bool is_openhands(const Json& document) {
    const Json* const row = base::find_key(document, "history");
    const Json& events = row == nullptr ? document : *row;
    if (row != nullptr && events.is_array() && events.empty())
        return base::find_key(document, "instance_id") != nullptr;
    return events.is_array() && std::ranges::any_of(events, [](const Json& one) {
               return is_openhands_event(one) || (one.is_array() && std::ranges::any_of(one, is_openhands_event));
           });
}

class OpenHandsReader {
public:
    explicit OpenHandsReader(BoundedReport& report) : report_(report) {}

    MessageList& read(const Json& document) {
        const Json* const row = base::find_key(document, "history");
        const Json& events = row == nullptr ? document : *row;
        const DocumentLoc loc = row == nullptr ? DocumentLoc() : DocumentLoc{std::string("history")};
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (events[i].is_array())
                read_pair(events[i], extend_path(loc, i));
            else
                read_one(events[i], extend_path(loc, i));
        }
        if (row == nullptr) return messages_;
        note_totals(report_, {std::string("metrics")}, "metrics", base::find_key(document, "metrics"));
        if (const std::string error = base::text_member(document, "error"); !error.empty())
            report_.push_back({TrajectoryNoteKind::dropped, {}, {std::string("error")}, "The run failed: " + error});
        return messages_;
    }

private:
    void read_one(const Json& event, DocumentLoc loc) {
        if (base::text_member(event, "observation") == "null") return;  // which replaces the missing one of a pair
        messages_.begin(loc, time_member(event, "timestamp"));
        if (!(event.contains("kind") ? read_event(event) : read_old_event(event))) {
            report_.push_back({TrajectoryNoteKind::dropped,
                               {},
                               std::move(loc),
                               "Neither a message, nor an action, nor an observation of a call"});
        }
    }

    /// An action and its observation, which need not say so.
    void read_pair(const Json& pair, const DocumentLoc& loc) {
        Json id;
        for (std::size_t i = 0; i < pair.size(); ++i) {
            Json event = pair[i];
            const bool alone = event.is_object() && !event.contains("cause") && !event.contains("tool_call_metadata");
            if (i == 0 && event.is_object() && !event.contains("id"))
                event["id"] = "pair " + std::to_string(unnamed_++);
            if (i == 0)
                id = event.is_object() ? event["id"] : Json();
            else if (alone)
                event["cause"] = id;
            read_one(event, extend_path(loc, i));
        }
    }

    // The second generation: `kind` names the class of an event.
    bool read_event(const Json& event) {
        const std::string kind = base::text_member(event, "kind");
        if (kind == "SystemPromptEvent") {
            const Json* const prompt = base::find_key(event, "system_prompt");
            messages_.say("system", prompt == nullptr ? "" : text_of(*prompt));
        } else if (kind == "MessageEvent") {
            const Json* const message = base::find_key(event, "llm_message");
            if (message == nullptr || !message->is_object()) return false;
            read_message(*message);
        } else if (kind == "ActionEvent") {
            read_action(event);
        } else if (kind == "ObservationEvent") {
            const Json* const observation = base::find_key(event, "observation");
            if (observation == nullptr) return false;
            return messages_.answer(base::text_member(event, "tool_call_id"), observation_content(*observation),
                                    failed(*observation));
        } else if (kind == "AgentErrorEvent") {
            return messages_.answer(base::text_member(event, "tool_call_id"), base::text_member(event, "error"), true);
        } else if (kind == "UserRejectObservation") {
            return messages_.interrupt(base::text_member(event, "tool_call_id"),
                                       base::text_member(event, "rejection_reason"));
        } else {
            return false;
        }
        return true;
    }

    void read_message(const Json& message) {
        const std::string role = base::text_member(message, "role");
        const Json* const content = base::find_key(message, "content");
        messages_.say(role.empty() ? "user" : role.c_str(), content == nullptr ? Json("") : content_of(*content),
                      base::text_member(message, "reasoning_content"));
    }

    void read_action(const Json& event) {
        const Json* const call = base::find_key(event, "tool_call");
        const Json* const function = call == nullptr ? nullptr : base::find_key(*call, "function");
        const Json* const named = function != nullptr ? function : call;
        const Json* const arguments = named == nullptr ? nullptr : base::find_key(*named, "arguments");
        const Json* const action = base::find_key(event, "action");
        const Json* const thought = base::find_key(event, "thought");
        messages_.call(base::text_member(event, "llm_response_id"), base::text_member(event, "tool_call_id"),
                       base::text_member(event, "tool_name"),
                       arguments != nullptr ? *arguments
                       : action != nullptr  ? *action
                                            : Json::object(),
                       thought == nullptr ? "" : text_of(*thought), base::text_member(event, "reasoning_content"));
    }

    /// Returns whether an observation says that the action failed: in a flag, or by the exit code of a command.
    static bool failed(const Json& observation) {
        for (const char* const key : {"is_error", "error"}) {
            if (const Json* const flag = base::find_key(observation, key); flag != nullptr && *flag == true)
                return true;
        }
        if (const Json* const flag = base::find_key(observation, "success"); flag != nullptr && flag->is_boolean())
            return *flag == false;
        const Json* const extras = base::find_key(observation, "extras");
        for (const Json* const part : {&observation, extras}) {
            if (part == nullptr) continue;
            if (const auto code = first_count(*part, {"exit_code", "metadata/exit_code"})) return *code != 0;
        }
        return false;
    }

    static Json observation_content(const Json& observation) {
        for (const char* const key : {"content", "output"}) {
            if (const Json* const found = base::find_key(observation, key); found != nullptr && !found->is_null())
                return content_of(*found);
        }
        return json_text(observation);
    }

    // The first generation: `action` and `observation` name what happened.
    bool read_old_event(const Json& event) {
        const std::string action = base::text_member(event, "action");
        const std::string source = base::text_member(event, "source");
        const Json* const found = base::find_key(event, "args");
        const Json args = found != nullptr && found->is_object() ? *found : Json::object();
        if (action == "system" || action == "message") {
            const Json* const content = base::find_key(args, "content");
            const std::string text = content != nullptr ? json_text(*content) : base::text_member(event, "message");
            messages_.say(action == "system" ? "system" : source == "agent" ? "assistant" : "user", text);
            return true;
        }
        if (!action.empty()) {
            if (source != "agent" || action == "change_agent_state" || action == "recall") return false;
            read_old_action(event, action, args);
            return true;
        }
        return !base::text_member(event, "observation").empty() && read_old_observation(event);
    }

    void read_old_action(const Json& event, const std::string& action, const Json& args) {
        const std::string event_id =
            event.contains("id") ? json_text(event["id"]) : "without_id_" + std::to_string(unnamed_++);
        const Json* const call = base::find_key(event, "tool_call_metadata");
        if (call == nullptr || !call->is_object()) {
            Json arguments = args;
            arguments.erase("thought");
            ids_[event_id] = "event_" + event_id;
            messages_.call("event_" + event_id, ids_[event_id], action, arguments, base::text_member(args, "thought"),
                           {});
            return;
        }
        const std::string id = base::text_member(*call, "tool_call_id");
        ids_[event_id] = id;
        const Json* const response = base::find_key(*call, "model_response");
        Json arguments = args;
        arguments.erase("thought");
        std::string text = base::text_member(args, "thought");
        std::string thought;
        if (const Json* const said = first_choice(response)) {
            if (const Json* const content = base::find_key(*said, "content")) text = text_of(*content);
            thought = base::text_member(*said, "reasoning_content");
            if (const Json* const given = arguments_of(*said, id)) arguments = *given;
        }
        messages_.call(response == nullptr ? std::string() : base::text_member(*response, "id"), id,
                       base::text_member(*call, "function_name"), arguments, text, thought);
        if (response == nullptr) return;
        set_usage(messages_.newest_metrics(), base::find_key(*response, "usage"));
        messages_.newest_metrics().model = base::text_member(*response, "model");
    }

    static const Json* first_choice(const Json* response) {
        const Json* const choices = response == nullptr ? nullptr : base::find_key(*response, "choices");
        if (choices == nullptr || !choices->is_array() || choices->empty()) return nullptr;
        return base::find_key(choices->front(), "message");
    }

    static const Json* arguments_of(const Json& message, const std::string& id) {
        const Json* const calls = base::find_key(message, "tool_calls");
        if (calls == nullptr || !calls->is_array()) return nullptr;
        for (const Json& call : *calls) {
            const Json* const function = base::find_key(call, "function");
            if (function != nullptr && base::text_member(call, "id") == id)
                return base::find_key(*function, "arguments");
        }
        return nullptr;
    }

    bool read_old_observation(const Json& event) {
        const Json* const call = base::find_key(event, "tool_call_metadata");
        std::string id = call == nullptr ? std::string() : base::text_member(*call, "tool_call_id");
        if (id.empty()) {
            const Json* const cause = base::find_key(event, "cause");
            const auto known = cause == nullptr ? ids_.end() : ids_.find(json_text(*cause));
            if (known == ids_.end()) return false;
            id = known->second;
        }
        const std::string kind = base::text_member(event, "observation");
        const Json* const content = base::find_key(event, "content");
        const std::string text = content == nullptr ? base::text_member(event, "message") : json_text(*content);
        return kind == "user_rejected" ? messages_.interrupt(id, text)
                                       : messages_.answer(id, text, kind == "error" || failed(event));
    }

    static std::string text_of(const Json& content) {
        return content_text_of(content.is_object() ? Json::array({content}) : content);
    }

    /// Returns content with its images in OpenAI's form; a single text as that text.
    static Json content_of(const Json& content) {
        if (!content.is_array()) return json_text(content);
        Json parts = Json::array();
        for (const Json& part : content) {
            const Json* const urls = base::find_key(part, "image_urls");
            if (urls == nullptr || !urls->is_array()) {
                Json text = Json::object();
                text["type"] = "text";
                text["text"] = content_text_of(Json::array({part}));
                parts.push_back(std::move(text));
                continue;
            }
            for (const Json& url : *urls) {
                Json image = Json::object();
                image["type"] = "image_url";
                image["image_url"] = Json::object();
                image["image_url"]["url"] = json_text(url);
                parts.push_back(std::move(image));
            }
        }
        if (parts.empty()) return "";
        if (parts.size() == 1 && parts[0].contains("text")) return parts[0]["text"];
        return parts;
    }

    BoundedReport& report_;
    MessageList messages_{};
    std::map<std::string, std::string> ids_{};  // of calls, by event
    std::size_t unnamed_ = 0;                   // events without an id
};

ACTA_INLINE EpisodicActionHistory<> read_openhands_events(const Json& document, bool lenient, Repairs& repairs) {
    OpenHandsReader reader(repairs.report);
    return reader.read(document).history(lenient, repairs);
}

}  // namespace acta::inline ACTA_ABI::interop_detail
