// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/interop/codex/detail/items.inl.hpp"
#include "acta/interop/detail/chat_logs.inl.hpp"
#include "acta/interop/detail/foreign_calls.hpp"
#include "acta/interop/detail/half_pairs.hpp"
#include "acta/interop/detail/json_edits.hpp"
#include "acta/interop/detail/messages.inl.hpp"
#include "acta/interop/detail/repair.inl.hpp"
#include "acta/interop/trajectory.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"

// Messages of OpenAI's and Anthropic's APIs: lists, requests, and the logs of gateways and tracers, which have a
// request and its response in one document.
namespace acta::inline ACTA_ABI::interop_detail {

/// Returns the messages of a list or a request; null if the document is neither, or has calls in another form.
[[nodiscard]] const Json* find_messages(const Json& document);
[[nodiscard]] bool is_openai(const Json& document);
[[nodiscard]] bool is_anthropic(const Json& document);

/// Returns the place of the first call or result of a list of messages that is in a form of another library, with a
/// description; nothing if there is none.
[[nodiscard]] std::optional<Issue> find_foreign_call(const Json& document);

/// A part of a document: a value in it, or what a text in it says as JSON.
struct DocumentPart {
    std::shared_ptr<const Json> value{};  ///< Null if there is none.
    DocumentLoc loc{};
    std::size_t half_pairs = 0;  ///< Halves of surrogate pairs that were replaced in the text.
};

/// A request in a log, and the response beside it.
struct LoggedRequest {
    TrajectoryFormat format{};  ///< Of the messages.
    DocumentPart request{};
    DocumentPart response{};
    const Json* log = nullptr;  ///< The document.
};

/// Returns the request in a log; nothing if the document is none, or a request without a response beside it.
[[nodiscard]] std::optional<LoggedRequest> find_logged_request(const Json& document);

ACTA_INLINE std::optional<Issue> find_foreign_call(const Json& document) {
    const Json* const list = message_list(document);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        std::optional<Issue> found = foreign_call_in((*list)[i]);
        if (!found) continue;
        found->loc.insert(found->loc.begin(), i);
        if (!document.is_array()) found->loc.insert(found->loc.begin(), std::string("messages"));
        return found;
    }
    return std::nullopt;
}

// Lists of messages ------------------------------------------------------------------------------------------

/// Returns whether a message has a role of the two APIs and no form that they do not have, such as `parts`.
ACTA_INLINE bool is_api_message(const Json& message) {
    constexpr std::string_view roles[] = {"system", "user", "assistant", "tool", "developer", "function"};
    if (std::ranges::find(roles, base::text_member(message, "role")) == std::end(roles)) return false;
    if (base::find_key(message, "content") != nullptr || base::find_key(message, "tool_calls") != nullptr) return true;
    return std::ranges::none_of(std::initializer_list<const char*>{"parts", "text", "message"},
                                [&message](const char* key) { return base::find_key(message, key) != nullptr; });
}

ACTA_INLINE const Json* find_messages(const Json& document) {
    const Json* const list = message_list(document);
    if (list == nullptr || find_foreign_call(document)) return nullptr;
    const auto count = static_cast<std::size_t>(std::ranges::count_if(*list, is_api_message));
    return count > 0 && count * 2 >= list->size() ? list : nullptr;
}

/// Anthropic's calls and results are blocks of the content; OpenAI's are beside it.
ACTA_INLINE bool has_anthropic_blocks(const Json& messages) {
    constexpr std::string_view types[] = {"tool_use", "tool_result", "thinking", "redacted_thinking"};
    return std::ranges::any_of(messages, [&types](const Json& message) {
        const Json* const content = base::find_key(message, "content");
        return content != nullptr && content->is_array() && std::ranges::any_of(*content, [&types](const Json& block) {
                   return std::ranges::find(types, base::text_member(block, "type")) != std::end(types);
               });
    });
}

ACTA_INLINE bool is_openai(const Json& document) { return find_messages(document) != nullptr; }
ACTA_INLINE bool is_anthropic(const Json& document) {
    const Json* const messages = find_messages(document);
    return messages != nullptr && (base::find_key(document, "system") != nullptr || has_anthropic_blocks(*messages));
}

// Requests in logs -------------------------------------------------------------------------------------------

/// Returns a part of the document without a copy.
ACTA_INLINE DocumentPart part_of(const Json& value, DocumentLoc loc) {
    return {std::shared_ptr<const Json>(std::shared_ptr<const Json>(), &value), std::move(loc), 0};
}

/// Returns the member of a part.
ACTA_INLINE DocumentPart member_of(const DocumentPart& part, const char* key) {
    const Json* const found = part.value == nullptr ? nullptr : base::find_key(*part.value, key);
    if (found == nullptr) return {};
    return {std::shared_ptr<const Json>(part.value, found), extend_path(part.loc, std::string(key)), part.half_pairs};
}

/// Returns the JSON object or list that a text is; the part itself if it is none.
ACTA_INLINE DocumentPart parsed_part(DocumentPart part) {
    const auto* const text = part.value == nullptr ? nullptr : part.value->get_ptr<const std::string*>();
    if (text == nullptr || !(text->starts_with('{') || text->starts_with('['))) return part;
    try {
        const std::optional<WholeText> whole = replace_half_pairs(*text);
        part.value = std::make_shared<const Json>(parse<Json>(whole ? whole->text : *text));
        if (whole) part.half_pairs += whole->count();
    } catch (const ValidationError&) {
    }
    return part;
}

/// Returns the body of a request or a response that was logged with its method or status.
ACTA_INLINE DocumentPart body_of(DocumentPart part) {
    part = parsed_part(std::move(part));
    for (const char* const key : {"body", "json", "kwargs"}) {
        DocumentPart body = parsed_part(member_of(part, key));
        if (body.value != nullptr && body.value->is_object() && !part.value->contains("messages")) return body;
    }
    return part;
}

/// Returns the items of a request of the Responses API; null if it is none.
ACTA_INLINE const Json* input_items(const Json& request) {
    const Json* const input = base::find_key(request, "input");
    if (input == nullptr || !input->is_array() || !(has_response_items(*input) || find_messages(*input) != nullptr))
        return nullptr;
    return input;
}

/// Returns whether a response is one of the Responses API.
ACTA_INLINE bool is_items_response(const Json& response) {
    return base::text_member(response, "object") == "response" && has_list(response, "output");
}

/// Returns whether a response is a message of Anthropic's API.
ACTA_INLINE bool is_anthropic_response(const Json& response) {
    return base::text_member(response, "type") == "message" && has_list(response, "content");
}

ACTA_INLINE DocumentPart response_in(const DocumentPart& log) {
    for (const char* const key : {"response", "response_body", "responseBody", "output", "completion"}) {
        DocumentPart found = body_of(member_of(log, key));
        if (found.value != nullptr && !found.value->is_null()) return found;
    }
    return has_list(*log.value, "choices") ? log : DocumentPart();
}

ACTA_INLINE std::optional<LoggedRequest> find_logged_request(const Json& document) {
    if (!document.is_object()) return std::nullopt;
    const DocumentPart log = part_of(document, {});
    LoggedRequest out{{}, {}, response_in(log), &document};
    const bool has_response = out.response.value != nullptr;
    const bool items =
        has_response && (is_items_response(*out.response.value) || has_response_items(*out.response.value) ||
                         !base::text_member(document, "instructions").empty());
    const auto take = [&](const DocumentPart& request) {
        const Json& value = *request.value;
        const bool is_items =
            (has_response && input_items(value) != nullptr) || (items && !base::text_member(value, "input").empty());
        if (find_messages(value) == nullptr && !is_items) return false;
        out.request = request;
        const bool anthropic = is_anthropic(value) || (has_response && is_anthropic_response(*out.response.value));
        out.format = is_items    ? TrajectoryFormat::openai_responses
                     : anthropic ? TrajectoryFormat::anthropic
                                 : TrajectoryFormat::openai;
        return true;
    };
    if (find_messages(document) != nullptr) return has_response && take(log) ? std::optional(out) : std::nullopt;
    for (const char* const key : {"request", "request_body", "requestBody", "body", "kwargs", "input", "prompt"}) {
        const DocumentPart request = body_of(member_of(log, key));
        const bool is_own_input = std::string_view(key) == "input" && items;  // of the Responses API, as a member
        if (request.value != nullptr && !is_own_input && take(request)) return out;
    }
    if (has_response && take(log)) return out;
    return std::nullopt;
}

/// Reads the messages of a request, and the answer in its response.
class LoggedRequestReader {
public:
    LoggedRequestReader(const LoggedRequest& logged, bool lenient, Repairs& repairs)
        : logged_(logged), lenient_(lenient), repairs_(repairs) {}

    EpisodicActionHistory<> read() {
        for (const DocumentPart* const part : {&logged_.request, &logged_.response}) {
            if (part->half_pairs > 0) note_half_pairs(repairs_.report, part->loc, part->half_pairs);
        }
        if (logged_.format == TrajectoryFormat::openai_responses) return read_items();
        read_request();
        const std::size_t count = read_.size();
        if (logged_.response.value != nullptr && !read_response(logged_.response)) note_unread();
        // Some logs have the answer among the messages as well.
        if (read_.size() == count + 1 && count > 0) {
            const ChatMessage& last = read_[count - 1].message;
            const ChatMessage& answer = read_[count].message;
            if (last.role == answer.role && last.content == answer.content && last.tool_calls == answer.tool_calls)
                read_.pop_back();
        }
        if (logged_.response.value != nullptr && !read_.empty() && read_.back().message.role == ChatRole::assistant)
            set_metrics(read_.back().metrics);
        return history_of_messages(std::move(read_));
    }

private:
    void note_unread() {
        repairs_.report.push_back({TrajectoryNoteKind::dropped,
                                   {},
                                   logged_.response.loc,
                                   "The response beside the request has no answer that can be read"});
    }

    void read_request() {
        const DocumentPart& request = logged_.request;
        const Json& messages = *message_list(*request.value);
        DocumentLoc loc = request.loc;
        if (!request.value->is_array()) loc.emplace_back(std::string("messages"));
        if (!is_anthropic(*request.value)) return append(messages, loc, false);
        const Json* const system = base::find_key(*request.value, "system");
        if (system != nullptr) {
            Json alone = Json::object();
            alone["system"] = *system;
            alone["messages"] = Json::array();
            append_read(anthropic_messages(alone, request.loc), extend_path(request.loc, std::string("system")));
        }
        append(messages, loc, true);
    }

    /// Appends messages of one of the APIs, each with its location.
    void append(const Json& messages, const DocumentLoc& loc, bool anthropic) {
        if (!lenient_) return append_good(messages, loc, anthropic);
        Json list = messages;
        if (anthropic)
            repair_anthropic_messages(list, loc, repairs_);
        else
            repair_openai_messages(list, loc, false, repairs_);
        append_good(list, loc, anthropic);
    }

    void append_good(const Json& list, const DocumentLoc& loc, bool anthropic) {
        if (!anthropic) {
            std::vector<ChatMessage> read = located(loc, [&list] { return openai::from_wire(list); });
            for (std::size_t i = 0; i < read.size(); ++i)
                read_.push_back({std::move(read[i]), extend_path(loc, i), {}});
            return;
        }
        for (std::size_t i = 0; i < list.size(); ++i) {
            const DocumentLoc at = extend_path(loc, i);
            append_read(anthropic_messages(list[i], at), at);
        }
    }

    void append_read(std::vector<ChatMessage> messages, const DocumentLoc& loc) {
        for (ChatMessage& message : messages) read_.push_back({std::move(message), loc, {}});
    }

    [[nodiscard]] std::vector<ChatMessage> anthropic_messages(const Json& message, const DocumentLoc& loc) const {
        return located(loc, [&message] { return anthropic::from_wire(message); });
    }

    /// Calls a reader, whose issues get the location.
    template <class Read>
    static std::vector<ChatMessage> located(const DocumentLoc& loc, const Read& read) {
        try {
            return read();
        } catch (const ValidationError& error) {
            std::vector<Issue> issues(error.issues().begin(), error.issues().end());
            for (Issue& issue : issues) issue.loc.insert(issue.loc.begin(), loc.begin(), loc.end());
            throw ValidationError("Trajectory", std::move(issues), error.truncated());
        }
    }

    /// Reads an answer in any of the forms of responses; false if it is in none.
    bool read_response(const DocumentPart& response) {
        const Json& value = *response.value;
        if (const auto* const text = value.get_ptr<const std::string*>()) return read_text(*text, response.loc);
        if (value.is_array()) return read_list(response);
        if (has_list(value, "choices")) return read_choices(response);
        if (is_items_response(value) || (has_list(value, "output") && has_response_items(value["output"]))) {
            append_read(located(response.loc, [&value] { return openai::responses::from_wire(value); }), response.loc);
            return true;
        }
        for (const char* const key : {"message", "output"}) {
            const DocumentPart inner = member_of(response, key);
            if (inner.value != nullptr && (inner.value->is_object() || inner.value->is_array()))
                return read_response(inner);
        }
        if (is_answer(value)) return read_message(response);
        for (const char* const key : {"text", "content", "completion", "output"}) {
            const std::string text = base::text_member(value, key);
            if (!text.empty()) return read_text(text, response.loc);
        }
        return false;
    }

    static bool is_answer(const Json& value) {
        const std::string role = base::text_member(value, "role");
        const bool is_said =
            value.contains("content") || has_list(value, "tool_calls") || value.contains("function_call");
        return (role == "assistant" ||
                (role.empty() && (value.contains("tool_calls") || has_list(value, "content")))) &&
               is_said && !foreign_call_in(value);
    }

    bool read_text(const std::string& text, const DocumentLoc& loc) {
        if (ascii::is_blank(text) || text.starts_with("data:")) return false;
        read_.push_back({ChatMessage::assistant(text), loc, {}});
        return true;
    }

    bool read_choices(const DocumentPart& response) {
        const DocumentPart choices = member_of(response, "choices");
        if (choices.value->size() > 1) {
            repairs_.report.push_back({TrajectoryNoteKind::dropped,
                                       {},
                                       extend_path(choices.loc, std::size_t{1}),
                                       std::to_string(choices.value->size() - 1) + " more choices of the response"});
        }
        return !choices.value->empty() && read_response(first_of(choices));
    }

    static DocumentPart first_of(const DocumentPart& list) {
        return {std::shared_ptr<const Json>(list.value, &list.value->front()), extend_path(list.loc, std::size_t{0}),
                0};
    }

    /// Reads messages, items, content blocks or choices.
    bool read_list(const DocumentPart& response) {
        const Json& list = *response.value;
        if (list.empty()) return false;
        if (has_response_items(list)) {
            append_read(located(response.loc, [&list] { return openai::responses::from_wire(list); }), response.loc);
            return true;
        }
        if (find_messages(list) != nullptr) {
            append(list, response.loc, has_anthropic_blocks(list));
            return true;
        }
        const auto is_block = [](const Json& part) { return is_api_part(base::text_member(part, "type")); };
        if (!std::ranges::all_of(list, is_block)) return list.size() == 1 && read_response(first_of(response));
        Json message = Json::object();
        message["role"] = "assistant";
        message["content"] = list;
        return read_message({std::make_shared<const Json>(std::move(message)), response.loc, 0});
    }

    bool read_message(const DocumentPart& part) {
        Json message = *part.value;
        const bool anthropic = is_anthropic_response(message) || has_anthropic_blocks(Json::array({message}));
        Json plain = Json::object();
        plain["role"] = "assistant";
        for (const char* const key : {"content", "tool_calls", "function_call", "reasoning_content", "reasoning"}) {
            if (message.contains(key)) plain[key] = std::move(message[key]);
        }
        if (!plain.contains("content")) plain["content"] = nullptr;
        Json list = Json::array({std::move(plain)});
        const std::size_t first = repairs_.report.size();
        if (lenient_ && anthropic) repair_anthropic_messages(list, {}, repairs_);
        if (lenient_ && !anthropic) repair_openai_messages(list, {}, false, repairs_);
        for (std::size_t i = first; i < repairs_.report.size(); ++i) {
            DocumentLoc& loc = repairs_.report[i].loc;
            if (!loc.empty()) loc.erase(loc.begin());
            loc.insert(loc.begin(), part.loc.begin(), part.loc.end());
        }
        append_read(anthropic ? anthropic_messages(list.front(), part.loc)
                              : located(part.loc, [&list] { return openai::from_wire(list); }),
                    part.loc);
        return true;
    }

    /// Reads a request of the Responses API and its items.
    EpisodicActionHistory<> read_items() {
        MessageList list;
        ResponseItems items(list);
        const DocumentPart& request = logged_.request;
        const auto read = [&](const Json& all, const DocumentLoc& loc) {
            for (std::size_t i = 0; i < all.size(); ++i) {
                list.begin(extend_path(loc, i));
                if (!items.read(all[i]))
                    repairs_.report.push_back({TrajectoryNoteKind::dropped,
                                               {},
                                               extend_path(loc, i),
                                               "Neither a message, nor reasoning, nor a call, nor the output of one"});
            }
        };
        list.begin(request.loc);
        if (const std::string first = base::text_member(*request.value, "instructions"); !first.empty())
            list.say("system", first);
        const DocumentPart input = member_of(request, "input");
        if (const Json* const all = input_items(*request.value))
            read(*all, input.loc);
        else
            list.say("user", json_text(*input.value));
        DocumentPart response = logged_.response;
        if (const DocumentPart output = member_of(response, "output"); output.value != nullptr) response = output;
        if (response.value->is_array() && has_response_items(*response.value)) {
            read(*response.value, response.loc);
        } else if (read_response(response)) {  // an answer of another API
            list.begin(response.loc);
            for (const ReadMessage& one : read_) {
                list.say("assistant", one.message.content, one.message.reasoning_content.value_or(""));
                for (const AssistantToolCall& call : one.message.tool_calls)
                    list.add_call(call.id, call.function.name, Json(call.function.arguments));
            }
        } else {
            note_unread();
        }
        if (list.newest_answer() != nullptr) set_metrics(list.newest_metrics());
        return list.history(lenient_, repairs_);
    }

    /// Sets what the response, or the log around it, says of the answer.
    void set_metrics(StepMetrics& metrics) const {
        const auto first = [this](std::initializer_list<const char*> keys) -> const Json* {
            for (const Json* const from : {logged_.response.value.get(), logged_.log}) {
                for (const char* const key : keys) {
                    const Json* const found = base::find_key(*from, key);
                    if (found != nullptr && !found->is_null()) return found;
                }
            }
            return nullptr;
        };
        const Json* const usage = first({"usage", "usageDetails", "usage_details"});
        set_usage(metrics, usage == nullptr ? logged_.log : usage);
        if (const Json* const model = first({"model"}); model != nullptr && model->is_string())
            metrics.model = model->get<std::string>();
        const Json* cost =
            first({"cost", "response_cost", "cost_usd", "total_cost", "totalCost", "calculatedTotalCost"});
        if (const Json* const parts = first({"costDetails", "cost_details"}); cost == nullptr && parts != nullptr)
            cost = base::find_key(*parts, "total");
        if (cost != nullptr && cost->is_number() && cost->get<double>() >= 0 && std::isfinite(cost->get<double>()))
            metrics.cost_usd = cost->get<double>();
        for (const char* const key : {"startTime", "start_time"}) {
            if (const auto time = time_member(*logged_.log, key)) metrics.started_at = time;
        }
        for (const char* const key : {"endTime", "end_time"}) {
            if (const auto time = time_member(*logged_.log, key)) metrics.finished_at = time;
        }
    }

    const LoggedRequest& logged_;
    bool lenient_;
    Repairs& repairs_;
    std::vector<ReadMessage> read_{};
};

}  // namespace acta::inline ACTA_ABI::interop_detail
