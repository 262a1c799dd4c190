// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "acta/interop/detail/json_edits.hpp"
#include "acta/interop/detail/messages.inl.hpp"
#include "acta/interop/detail/repair.inl.hpp"
#include "acta/interop/trajectory_report.hpp"

// Items of OpenAI's Responses API, as the sessions of its Agents SDK have them, and the sessions ("rollouts") of Codex,
// JSON lines that wrap such items.
namespace acta::inline ACTA_ABI::interop_detail {

/// Returns whether a list has items of the Responses API.
[[nodiscard]] bool has_response_items(const Json& items);
/// Returns whether a list has lines of a session of Codex.
[[nodiscard]] bool is_codex(const Json& lines);

/// Reads items. Reasoning is its summary or its text; calls of hosted tools are calls with their status as the result.
[[nodiscard]] EpisodicActionHistory<> read_response_items(const Json& items, bool lenient, Repairs& repairs);
/// Reads a session of Codex. Its events, which repeat the items, are noted as dropped, one note for each kind.
[[nodiscard]] EpisodicActionHistory<> read_codex(const Json& lines, bool lenient, Repairs& repairs);

/// Reads items one by one.
class ResponseItems {
public:
    explicit ResponseItems(MessageList& out) : out_(out) {}

    /// Reads an item; false if it is none that is known.
    bool read(const Json& item);

private:
    void read_message(const Json& item, const std::string& role);
    void read_reasoning(const Json& item);
    void read_call(const Json& item, const std::string& type);
    bool read_output(const Json& item);

    MessageList& out_;
    std::string thought_{};  // for the next answer
    bool is_open_ = false;   // nothing followed the newest answer yet but items of the model
    std::size_t calls_without_id_ = 0;
};

/// Returns whether a type is that of a call of the Responses API, such as `function_call`, or of its output.
ACTA_INLINE bool is_call_type(std::string_view type) {
    constexpr std::string_view tools[] = {"function",         "custom_tool",      "local_shell", "shell",
                                          "apply_patch",      "web_search",       "file_search", "computer",
                                          "code_interpreter", "image_generation", "mcp"};
    for (const std::string_view end : {"_call", "_call_output"}) {
        if (type.ends_with(end) &&
            std::ranges::find(tools, type.substr(0, type.size() - end.size())) != std::end(tools))
            return true;
    }
    return false;
}

ACTA_INLINE bool has_response_items(const Json& items) {
    constexpr std::string_view texts[] = {"input_text", "output_text"};
    return items.is_array() && std::ranges::any_of(items, [&texts](const Json& item) {
               const std::string type = base::text_member(item, "type");
               if (is_call_type(type) &&
                   (!base::text_member(item, "call_id").empty() || !base::text_member(item, "id").empty()))
                   return true;
               const Json* const content = base::find_key(item, "content");
               return !base::text_member(item, "role").empty() && content != nullptr && content->is_array() &&
                      std::ranges::any_of(*content, [&texts](const Json& part) {
                          return std::ranges::find(texts, base::text_member(part, "type")) != std::end(texts);
                      });
           });
}

ACTA_INLINE bool is_codex(const Json& lines) {
    return lines.is_array() && std::ranges::any_of(lines, [](const Json& line) {
               const Json* const payload = base::find_key(line, "payload");
               return base::text_member(line, "type") == "response_item" && payload != nullptr && payload->is_object();
           });
}

/// Returns content in the form of the chat API: a single text as that text.
ACTA_INLINE Json chat_content(const Json& content) {
    if (!content.is_array()) return json_text(content);
    Json parts = Json::array();
    for (const Json& part : content) {
        const Json* const url = base::find_key(part, "image_url");
        if (url != nullptr && url->is_string()) {
            Json image = Json::object();
            image["type"] = "image_url";
            image["image_url"]["url"] = *url;
            parts.push_back(std::move(image));
        } else {
            parts.push_back(text_block(content_text_of(Json::array({part}))));
        }
    }
    const bool is_text = std::ranges::all_of(parts, [](const Json& part) { return part.contains("text"); });
    return is_text ? Json(content_text_of(parts)) : parts;
}

ACTA_INLINE bool ResponseItems::read(const Json& item) {
    const std::string type = base::text_member(item, "type");
    const std::string role = base::text_member(item, "role");
    if (type == "message" || (type.empty() && !role.empty()))
        read_message(item, role);
    else if (type == "reasoning")
        read_reasoning(item);
    else if (!is_call_type(type))
        return false;
    else if (type.ends_with("_output"))
        return read_output(item);
    else
        read_call(item, type);
    return true;
}

ACTA_INLINE void ResponseItems::read_message(const Json& item, const std::string& role) {
    const Json* const content = base::find_key(item, "content");
    Json said = content == nullptr ? Json("") : chat_content(*content);
    if (role != "assistant") {
        out_.say(role.c_str(), std::move(said));
        is_open_ = false;
        return;
    }
    // Words after calls belong to their message, since their results follow it.
    Json* const answer = is_open_ ? out_.newest_answer() : nullptr;
    if (answer != nullptr && answer->contains("tool_calls") && said.is_string() && (*answer)["content"].is_string()) {
        auto& text = (*answer)["content"].get_ref<std::string&>();
        if (!text.empty()) text += '\n';
        text += said.get_ref<const std::string&>();
        return;
    }
    out_.say("assistant", std::move(said), std::exchange(thought_, {}));
    is_open_ = true;
}

ACTA_INLINE void ResponseItems::read_reasoning(const Json& item) {
    for (const char* const key : {"summary", "content"}) {
        const Json* const parts = base::find_key(item, key);
        if (parts == nullptr || !parts->is_array() || parts->empty()) continue;
        if (!thought_.empty()) thought_ += '\n';
        thought_ += content_text_of(*parts);
        break;
    }
}

ACTA_INLINE void ResponseItems::read_call(const Json& item, const std::string& type) {
    std::string id = base::text_member(item, "call_id");
    std::string name = base::text_member(item, "name");
    const char* const key = type == "custom_tool_call" ? "input" : "arguments";
    const Json* const given = base::find_key(item, key);
    Json arguments = given == nullptr ? Json::object() : *given;
    if (type == "custom_tool_call") {
        arguments = Json::object();
        arguments["input"] = given == nullptr ? Json("") : *given;
    } else if (type != "function_call" && given == nullptr) {  // of a hosted tool
        for (const auto& [member, value] : item.get_ref<const Json::object_t&>()) {
            constexpr std::string_view others[] = {"type", "id", "call_id", "status", "output", "error"};
            if (std::ranges::find(others, member) == std::end(others)) arguments[member] = value;
        }
    }
    if (name.empty()) name = type.substr(0, type.size() - std::string_view("_call").size());
    const bool is_hosted = id.empty() && type != "function_call" && type != "custom_tool_call";
    if (id.empty()) id = base::text_member(item, "id");
    if (id.empty()) id = "item_" + std::to_string(calls_without_id_++);
    const Json* const answer = is_open_ ? out_.newest_answer() : nullptr;
    if (answer == nullptr) {
        out_.say("assistant", "", std::exchange(thought_, {}));
        is_open_ = true;
    }
    out_.add_call(id, name, arguments);
    if (!is_hosted) return;
    const std::string status = base::text_member(item, "status");
    const Json* const output = base::find_key(item, "output");
    const Json* const error = base::find_key(item, "error");
    const bool failed = status == "failed" || status == "incomplete" || (error != nullptr && !error->is_null());
    out_.answer(id,
                failed && error != nullptr && !error->is_null() ? json_text(*error)
                : output != nullptr && !output->is_null()       ? json_text(*output)
                                                                : status,
                failed);
}

/// Returns the exit code that a line of a command's header has after these words.
ACTA_INLINE std::optional<int> exit_code_in(std::string_view text, std::string_view words) {
    if (!text.starts_with(words)) return std::nullopt;
    text.remove_prefix(words.size());
    int code = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code);
    return error == std::errc() ? std::optional(code) : std::nullopt;
}

/// Returns whether the output of a tool of Codex says that it failed: by the exit code in its header, before `Output:`,
/// or in its own words.
ACTA_INLINE bool is_failed_output(std::string_view text) {
    constexpr std::string_view failures[] = {"apply_patch verification failed",
                                             "exec_command failed",
                                             "exec error:",
                                             "execution error:",
                                             "failed to parse function arguments",
                                             "unsupported call:",
                                             "unsupported custom tool call:"};
    if (std::ranges::any_of(failures, [text](std::string_view words) { return text.starts_with(words); })) return true;
    for (int lines = 0; lines < 8 && !text.empty(); ++lines) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (line == "Output:") return false;
        for (const std::string_view words : {"Exit code: ", "Process exited with code "}) {
            if (const std::optional<int> code = exit_code_in(line, words)) return *code != 0;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return false;
}

ACTA_INLINE bool ResponseItems::read_output(const Json& item) {
    const std::string id = base::text_member(item, "call_id");
    const Json* output = base::find_key(item, "output");
    Json content = output == nullptr ? Json("") : *output;
    bool failed = false;
    // Codex has written {"output": "...", "metadata": {"exit_code": 0}} as text, and {"content": ..., "success": ...}.
    if (const std::optional<Json> object = json_object_of_text(content); object && object->contains("metadata")) {
        if (const auto code = first_count(*object, {"metadata/exit_code"})) failed = *code != 0;
        if (const Json* const text = base::find_key(*object, "output"); text != nullptr && text->is_string())
            content = Json(*text);
    } else if (content.is_object()) {
        const Json* const success = base::find_key(content, "success");
        failed = success != nullptr && *success == false;
        if (const Json* const inner = base::find_key(content, "content")) content = Json(*inner);
    }
    content = chat_content(content);
    if (content.is_string()) failed = failed || is_failed_output(content.get_ref<const std::string&>());
    is_open_ = false;
    return out_.answer(id, std::move(content), failed);
}

ACTA_INLINE EpisodicActionHistory<> read_response_items(const Json& items, bool lenient, Repairs& repairs) {
    MessageList list;
    ResponseItems reader(list);
    for (std::size_t i = 0; i < items.size(); ++i) {
        list.begin({i});
        if (!reader.read(items[i])) {
            repairs.report.push_back({TrajectoryNoteKind::dropped,
                                      {},
                                      {i},
                                      "Neither a message, nor reasoning, nor a call, nor the output of one"});
        }
    }
    return list.history(lenient, repairs);
}

class CodexReader {
public:
    explicit CodexReader(BoundedReport& report) : report_(report) {}

    MessageList& read(const Json& lines) {
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::string type = base::text_member(lines[i], "type");
            const Json* const payload = base::find_key(lines[i], "payload");
            list_.begin({i, std::string("payload")}, time_member(lines[i], "timestamp"));
            if (payload != nullptr && type == "response_item" && items_.read(*payload)) {
                Json* const answer = list_.newest_answer();
                if (answer != nullptr && list_.newest_metrics().model.empty()) list_.newest_metrics().model = model_;
                continue;
            }
            if (payload != nullptr) read_other(*payload, type);
            const std::string inner = payload == nullptr ? std::string() : base::text_member(*payload, "type");
            dropped_.add(inner.empty() ? type : type + " " + inner, i);
        }
        dropped_.note(report_);
        return list_;
    }

private:
    /// Reads what lines without items say of the answers: the model, and the tokens.
    void read_other(const Json& payload, const std::string& type) {
        if (type == "turn_context") model_ = base::text_member(payload, "model");
        const Json* const info = base::find_key(payload, "info");
        if (base::text_member(payload, "type") != "token_count" || info == nullptr) return;
        const Json* const total = base::find_key(*info, "total_token_usage");
        if (list_.newest_answer() == nullptr || (total != nullptr && *total == total_)) return;
        if (total != nullptr) total_ = *total;
        set_usage(list_.newest_metrics(), base::find_key(*info, "last_token_usage"));
    }

    BoundedReport& report_;
    MessageList list_{};
    ResponseItems items_{list_};
    std::string model_{};
    Json total_{};
    DroppedLines dropped_{};
};

ACTA_INLINE EpisodicActionHistory<> read_codex(const Json& lines, bool lenient, Repairs& repairs) {
    CodexReader reader(repairs.report);
    return reader.read(lines).history(lenient, repairs);
}

}  // namespace acta::inline ACTA_ABI::interop_detail
