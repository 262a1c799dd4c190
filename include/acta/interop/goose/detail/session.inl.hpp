// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "acta/interop/detail/json_edits.hpp"
#include "acta/interop/detail/messages.inl.hpp"
#include "acta/interop/detail/repair.inl.hpp"
#include "acta/interop/trajectory_report.hpp"

// Sessions of goose: a list of messages, the member `conversation` of an exported session, JSON lines that begin with
// data of the session, and the lines of `--output-format stream-json`. Calls and results are parts of the content.
namespace acta::inline ACTA_ABI::interop_detail {

/// Returns whether a value has messages of goose with a call or a result, or is a session with its data.
[[nodiscard]] bool is_goose(const Json& document);
/// Reads them. Everything but messages, and notices of goose in the content, are noted as dropped.
[[nodiscard]] EpisodicActionHistory<> read_goose(const Json& document, bool lenient, Repairs& repairs);

/// Returns the list of messages and its location; null if there is none.
ACTA_INLINE const Json* goose_messages(const Json& document, DocumentLoc& loc) {
    if (document.is_array()) return &document;
    for (const char* const key : {"conversation", "messages"}) {
        const Json* list = base::find_key(document, key);
        if (list == nullptr) continue;
        loc = {std::string(key)};
        if (has_list(*list, "messages")) {
            list = base::find_key(*list, "messages");
            loc.emplace_back(std::string("messages"));
        }
        if (list->is_array()) return list;
    }
    return nullptr;
}

/// Returns the message that is an entry of the list, or in a line of `stream-json`; null if the entry has none.
ACTA_INLINE const Json* goose_message(const Json& entry) {
    const Json* const inner =
        base::text_member(entry, "type") == "message" ? base::find_key(entry, "message") : nullptr;
    const Json& message = inner == nullptr ? entry : *inner;
    return !base::text_member(message, "role").empty() && has_list(message, "content") ? &message : nullptr;
}

ACTA_INLINE bool is_goose(const Json& document) {
    constexpr std::string_view types[] = {"toolRequest", "toolResponse", "frontendToolRequest",
                                          "toolConfirmationRequest"};
    DocumentLoc loc;
    const Json* const list = goose_messages(document, loc);
    if (list == nullptr) return false;
    const bool is_session = loc.empty() ? !list->empty() && base::find_key(list->front(), "working_dir") != nullptr
                                        : loc.front() == LocElement("conversation");
    return std::ranges::any_of(*list, [&](const Json& entry) {
        const Json* const message = goose_message(entry);
        if (message == nullptr) return false;
        return is_session || std::ranges::any_of((*message)["content"], [&types](const Json& part) {
                   return std::ranges::find(types, base::text_member(part, "type")) != std::end(types);
               });
    });
}

class GooseReader {
public:
    explicit GooseReader(BoundedReport& report) : report_(report) {}

    MessageList& read(const Json& document) {
        DocumentLoc loc;
        const Json& messages = *goose_messages(document, loc);
        for (std::size_t i = 0; i < messages.size(); ++i) {
            loc_ = extend_path(loc, i);
            if (const Json* const message = goose_message(messages[i]))
                read_message(*message);
            else
                drop("Not a message of goose");
        }
        return list_;
    }

private:
    void drop(std::string why) { report_.push_back({TrajectoryNoteKind::dropped, {}, loc_, std::move(why)}); }

    void read_message(const Json& message) {
        list_.begin(loc_, time_member(message, "created"));
        const Json& parts = message["content"];
        const std::string role = base::text_member(message, "role");
        const bool calls = std::ranges::any_of(parts, is_call);
        Json said = Json::array();
        std::string thought;
        for (const Json& part : parts) read_part(part, said, thought);
        const bool is_text = std::ranges::all_of(said, [](const Json& part) { return part.contains("text"); });
        Json content = is_text ? Json(content_text_of(said)) : said;
        const std::string id = base::text_member(message, "id");
        const bool is_answer = role == "assistant" || calls;
        // `stream-json` writes an answer in pieces.
        const bool continues = is_answer && !id.empty() && id == answer_ && is_text;
        answer_ = is_answer ? id : std::string();
        if (continues && list_.newest_answer() != nullptr)
            append(content.get_ref<const std::string&>(), thought);
        else if (calls || !said.empty() || (is_answer && !thought.empty()))
            list_.say(is_answer ? "assistant" : role == "user" ? "user" : "system", std::move(content), thought);
        for (const Json& part : parts) {
            if (is_call(part)) read_call(part);
        }
    }

    /// Appends words and thoughts to the newest answer.
    void append(const std::string& text, const std::string& thought) {
        Json& answer = *list_.newest_answer();
        if (answer["content"].is_string())
            answer["content"].get_ref<std::string&>() += text;
        else
            answer["content"].push_back(text_block(text));
        if (!thought.empty()) answer["reasoning_content"] = base::text_member(answer, "reasoning_content") + thought;
    }

    static bool is_call(const Json& part) {
        const std::string type = base::text_member(part, "type");
        return type == "toolRequest" || type == "frontendToolRequest";
    }

    /// Reads a part that is not a call; words and images are added to `said`.
    void read_part(const Json& part, Json& said, std::string& thought) {
        const std::string type = base::text_member(part, "type");
        if (is_call(part)) return;
        if (type == "toolResponse") {
            read_result(part);
        } else if (type == "text" || type == "image" || type == "image_url") {
            said.push_back(chat_part(part));
        } else if (type == "thinking" || type == "reasoning") {
            if (!thought.empty()) thought += '\n';
            thought += base::text_member(part, type == "thinking" ? "thinking" : "text");
        } else {
            drop("A part of type '" + type + "' is not part of the conversation");
        }
    }

    /// Returns a part of a message, or of a result of MCP, in the form of OpenAI's API.
    static Json chat_part(const Json& part) {
        const std::string type = base::text_member(part, "type");
        if (type == "image_url") return part;
        if (type == "image" && part.contains("data")) {
            Json image = Json::object();
            image["type"] = "image_url";
            image["image_url"]["url"] =
                "data:" + base::text_member(part, "mimeType") + ";base64," + base::text_member(part, "data");
            return image;
        }
        const Json* const resource = base::find_key(part, "resource");
        const std::string text = resource == nullptr ? std::string() : base::text_member(*resource, "text");
        return text_block(text.empty() ? content_text_of(Json::array({part})) : text);
    }

    void read_call(const Json& part) {
        const std::string id = base::text_member(part, "id");
        const Json* call = base::find_key(part, "toolCall");
        const std::string error = call == nullptr ? std::string() : base::text_member(*call, "error");
        if (const Json* const value = call == nullptr ? nullptr : base::find_key(*call, "value")) call = value;
        const std::string name = call == nullptr ? std::string() : base::text_member(*call, "name");
        const Json* const given = call == nullptr ? nullptr : base::find_key(*call, "arguments");
        Json arguments = given == nullptr || given->is_null() ? Json::object() : *given;
        if (name.empty()) {
            if (!error.empty()) arguments["error"] = error;
            report_.push_back({TrajectoryNoteKind::changed, {}, loc_, "A call without a name: " + error});
        }
        list_.add_call(id, name, arguments);
    }

    void read_result(const Json& part) {
        const Json* const result = base::find_key(part, "toolResult");
        bool failed = result != nullptr && base::text_member(*result, "status") == "error";
        const Json* value = result == nullptr ? nullptr : base::find_key(*result, failed ? "error" : "value");
        if (value == nullptr) value = result;
        Json content = value == nullptr ? Json("") : *value;
        if (content.is_object() && has_list(content, "content")) {
            const Json* const is_error = base::find_key(content, "isError");
            failed = failed || (is_error != nullptr && *is_error == true);
            const Json* const structured = base::find_key(content, "structuredContent");
            Json texts = content["content"];
            content = texts.empty() && structured != nullptr ? *structured : std::move(texts);
        }
        if (content.is_array()) {
            for (Json& one : content) one = chat_part(one);
            const bool is_text = std::ranges::all_of(content, [](const Json& one) { return one.contains("text"); });
            if (is_text) content = content_text_of(content);
        } else {
            content = json_text(content);
        }
        if (!list_.answer(base::text_member(part, "id"), std::move(content), failed))
            drop("The result of no open call: " + base::text_member(part, "id"));
    }

    BoundedReport& report_;
    MessageList list_{};
    DocumentLoc loc_{};     // of the entry
    std::string answer_{};  // the id of the newest message, if it is an answer
};

ACTA_INLINE EpisodicActionHistory<> read_goose(const Json& document, bool lenient, Repairs& repairs) {
    GooseReader reader(repairs.report);
    return reader.read(document).history(lenient, repairs);
}

}  // namespace acta::inline ACTA_ABI::interop_detail
