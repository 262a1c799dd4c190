// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "acta/action/action.hpp"
#include "acta/base/json_value.hpp"
#include "acta/interop/detail/repair.inl.hpp"
#include "acta/interop/trajectory_report.hpp"

namespace acta::inline ACTA_ABI::interop_detail {

/// Returns whether a value is a list of OpenHands' events, of its first or its second generation ("V0", "V1").
[[nodiscard]] bool is_openhands(const Json& document);

/// Returns the events as OpenAI's messages: messages stay, actions become calls of the assistant, observations their
/// results. Other events (changes of state, condensations) are noted as dropped.
[[nodiscard]] Json openhands_messages(const Json& events, TrajectoryReport& report);

}  // namespace acta::inline ACTA_ABI::interop_detail

namespace acta::inline ACTA_ABI::interop_detail {

ACTA_INLINE bool is_openhands(const Json& document) {
    constexpr std::string_view kinds[] = {"MessageEvent", "ActionEvent", "ObservationEvent", "SystemPromptEvent"};
    return document.is_array() && std::ranges::any_of(document, [&kinds](const Json& event) {
               if (event.is_object() && event.contains("role")) return false;
               if (std::ranges::find(kinds, string_member(event, "kind")) != std::end(kinds)) return true;
               const std::string source = string_member(event, "source");
               const bool known = source == "agent" || source == "user" || source == "environment";
               return known &&
                      (!string_member(event, "action").empty() || !string_member(event, "observation").empty());
           });
}

class OpenHandsReader {
public:
    explicit OpenHandsReader(TrajectoryReport& report) : report_(report) {}

    Json read(const Json& events) {
        for (std::size_t i = 0; i < events.size(); ++i) {
            const Json& event = events[i];
            if (!(event.contains("kind") ? read_event(event) : read_old_event(event))) {
                report_.push_back({TrajectoryNoteKind::dropped,
                                   {},
                                   {i},
                                   "Neither a message, nor an action, nor an observation of a call"});
            }
        }
        return std::move(messages_);
    }

private:
    // The second generation: `kind` names the class of an event.
    bool read_event(const Json& event) {
        const std::string kind = string_member(event, "kind");
        if (kind == "SystemPromptEvent") {
            const Json* const prompt = json_member(event, "system_prompt");
            add_message("system", prompt == nullptr ? "" : text_of(*prompt));
        } else if (kind == "MessageEvent") {
            const Json* const message = json_member(event, "llm_message");
            if (message == nullptr || !message->is_object()) return false;
            read_message(*message);
        } else if (kind == "ActionEvent") {
            read_action(event);
        } else if (kind == "ObservationEvent") {
            const Json* const observation = json_member(event, "observation");
            if (observation == nullptr) return false;
            const Json* const failed = json_member(*observation, "is_error");
            return answer(string_member(event, "tool_call_id"), observation_content(*observation),
                          failed != nullptr && *failed == true);
        } else if (kind == "AgentErrorEvent") {
            return answer(string_member(event, "tool_call_id"), string_member(event, "error"), true);
        } else if (kind == "UserRejectObservation") {
            return interrupt(string_member(event, "tool_call_id"), string_member(event, "rejection_reason"));
        } else {
            return false;
        }
        return true;
    }

    void read_message(const Json& message) {
        Json out = Json::object();
        out["role"] = string_member(message, "role").empty() ? "user" : string_member(message, "role");
        const Json* const content = json_member(message, "content");
        out["content"] = content == nullptr ? Json("") : content_of(*content);
        if (const std::string thought = string_member(message, "reasoning_content"); !thought.empty())
            out["reasoning_content"] = thought;
        messages_.push_back(std::move(out));
        response_.clear();
    }

    void read_action(const Json& event) {
        const Json* const call = json_member(event, "tool_call");
        const Json* const function = call == nullptr ? nullptr : json_member(*call, "function");
        const Json* const named = function != nullptr ? function : call;
        const Json* const arguments = named == nullptr ? nullptr : json_member(*named, "arguments");
        const Json* const action = json_member(event, "action");
        const Json* const thought = json_member(event, "thought");
        add_call(string_member(event, "llm_response_id"), string_member(event, "tool_call_id"),
                 string_member(event, "tool_name"),
                 arguments != nullptr ? *arguments
                 : action != nullptr  ? *action
                                      : Json::object(),
                 thought == nullptr ? "" : text_of(*thought), string_member(event, "reasoning_content"));
    }

    static Json observation_content(const Json& observation) {
        for (const char* const key : {"content", "output"}) {
            if (const Json* const found = json_member(observation, key); found != nullptr && !found->is_null())
                return content_of(*found);
        }
        return json_text(observation);
    }

    // The first generation: `action` and `observation` name what happened.
    bool read_old_event(const Json& event) {
        const std::string action = string_member(event, "action");
        const std::string source = string_member(event, "source");
        const Json* const found = json_member(event, "args");
        const Json args = found != nullptr && found->is_object() ? *found : Json::object();
        if (action == "system" || action == "message") {
            const Json* const content = json_member(args, "content");
            const std::string text = content != nullptr ? json_text(*content) : string_member(event, "message");
            add_message(action == "system" ? "system" : source == "agent" ? "assistant" : "user", text);
            return true;
        }
        if (!action.empty()) {
            if (source != "agent" || action == "change_agent_state" || action == "recall") return false;
            read_old_action(event, action, args);
            return true;
        }
        return !string_member(event, "observation").empty() && read_old_observation(event);
    }

    void read_old_action(const Json& event, const std::string& action, const Json& args) {
        const std::string event_id = event.contains("id") ? json_text(event["id"]) : std::to_string(messages_.size());
        const Json* const call = json_member(event, "tool_call_metadata");
        if (call == nullptr || !call->is_object()) {
            Json arguments = args;
            arguments.erase("thought");
            ids_[event_id] = "event_" + event_id;
            add_call("event_" + event_id, ids_[event_id], action, arguments, string_member(args, "thought"), {});
            return;
        }
        const std::string id = string_member(*call, "tool_call_id");
        ids_[event_id] = id;
        const Json* const response = json_member(*call, "model_response");
        Json arguments = args;
        arguments.erase("thought");
        std::string text = string_member(args, "thought");
        std::string thought;
        if (const Json* const said = first_choice(response)) {
            if (const Json* const content = json_member(*said, "content")) text = text_of(*content);
            thought = string_member(*said, "reasoning_content");
            if (const Json* const given = arguments_of(*said, id)) arguments = *given;
        }
        add_call(response == nullptr ? std::string() : string_member(*response, "id"), id,
                 string_member(*call, "function_name"), arguments, text, thought);
    }

    static const Json* first_choice(const Json* response) {
        const Json* const choices = response == nullptr ? nullptr : json_member(*response, "choices");
        if (choices == nullptr || !choices->is_array() || choices->empty()) return nullptr;
        return json_member(choices->front(), "message");
    }

    static const Json* arguments_of(const Json& message, const std::string& id) {
        const Json* const calls = json_member(message, "tool_calls");
        if (calls == nullptr || !calls->is_array()) return nullptr;
        for (const Json& call : *calls) {
            const Json* const function = json_member(call, "function");
            if (function != nullptr && string_member(call, "id") == id) return json_member(*function, "arguments");
        }
        return nullptr;
    }

    bool read_old_observation(const Json& event) {
        const Json* const call = json_member(event, "tool_call_metadata");
        std::string id = call == nullptr ? std::string() : string_member(*call, "tool_call_id");
        if (id.empty()) {
            const Json* const cause = json_member(event, "cause");
            const auto known = cause == nullptr ? ids_.end() : ids_.find(json_text(*cause));
            if (known == ids_.end()) return false;
            id = known->second;
        }
        const std::string kind = string_member(event, "observation");
        const Json* const content = json_member(event, "content");
        const std::string text = content == nullptr ? string_member(event, "message") : json_text(*content);
        return kind == "user_rejected" ? interrupt(id, text) : answer(id, text, kind == "error");
    }

    // Both ----------------------------------------------------------------------------------------------------

    void add_message(const char* role, std::string text) {
        messages_.push_back(plain_message(role, std::move(text)));
        response_.clear();
    }

    /// Adds a call. Calls of one response of the model are one message.
    void add_call(const std::string& response, const std::string& id, const std::string& name, const Json& arguments,
                  const std::string& text, const std::string& thought) {
        Json call = Json::object();
        call["id"] = id;
        call["type"] = "function";
        call["function"] = Json::object();
        call["function"]["name"] = name.empty() ? "unknown" : name;
        call["function"]["arguments"] = arguments;
        if (response.empty() || response != response_) {
            place_ = messages_.size();
            response_ = response;
            open_.clear();
            Json message = plain_message("assistant", text);
            if (!thought.empty()) message["reasoning_content"] = thought;
            message["tool_calls"] = Json::array();
            messages_.push_back(std::move(message));
        }
        messages_[place_]["tool_calls"].push_back(std::move(call));
        open_.insert(id);
    }

    bool answer(const std::string& id, Json content, bool failed) {
        if (open_.erase(id) == 0) return false;
        if (failed) content = to_string(ActionErrorResult{content_text_of(content), {}});
        Json message = Json::object();
        message["role"] = "tool";
        message["tool_call_id"] = id;
        message["content"] = std::move(content);
        messages_.push_back(std::move(message));
        return true;
    }

    bool interrupt(const std::string& id, const std::string& reason) {
        return answer(id, to_string(ActionInterruptedByHuman{reason}), false);
    }

    static std::string text_of(const Json& content) {
        return content_text_of(content.is_object() ? Json::array({content}) : content);
    }

    /// Returns content with its images in OpenAI's form; a single text as that text.
    static Json content_of(const Json& content) {
        if (!content.is_array()) return json_text(content);
        Json parts = Json::array();
        for (const Json& part : content) {
            const Json* const urls = json_member(part, "image_urls");
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

    TrajectoryReport& report_;
    Json messages_ = Json::array();
    std::string response_{};                    // of the newest call
    std::size_t place_ = 0;                     // of its message
    std::set<std::string> open_{};              // ids of its calls without a result
    std::map<std::string, std::string> ids_{};  // of calls, by event
};

ACTA_INLINE Json openhands_messages(const Json& events, TrajectoryReport& report) {
    return OpenHandsReader(report).read(events);
}

}  // namespace acta::inline ACTA_ABI::interop_detail
