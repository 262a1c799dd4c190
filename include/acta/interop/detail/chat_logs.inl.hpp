// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/interop/codex/detail/items.inl.hpp"
#include "acta/interop/detail/json_edits.hpp"
#include "acta/interop/detail/messages.inl.hpp"
#include "acta/interop/detail/repair.inl.hpp"
#include "acta/interop/trajectory_report.hpp"

// Lists of messages in the form of a library: LangChain's and LlamaIndex's dumps, and the trajectories of
// mini-swe-agent.
namespace acta::inline ACTA_ABI::interop_detail {

/// Returns whether a value is a list of LangChain's messages, or an object with such a list as `messages`.
[[nodiscard]] bool is_langchain(const Json& document);
/// Reads LangChain's messages: a type and its data (`messages_to_dict`), the name of a class and its arguments
/// (`dumps`), or the members of a message (`model_dump`).
[[nodiscard]] EpisodicActionHistory<> read_langchain(const Json& document, bool lenient, Repairs& repairs);

/// Returns whether a value is a list of LlamaIndex's messages, or has one.
[[nodiscard]] bool is_llama_index(const Json& document);
/// Reads LlamaIndex's messages: blocks, or a content, and calls in a block or in `additional_kwargs`.
[[nodiscard]] EpisodicActionHistory<> read_llama_index(const Json& document, bool lenient, Repairs& repairs);

/// Returns whether a value is a trajectory of mini-swe-agent.
[[nodiscard]] bool is_mini_swe_agent(const Json& document);
/// Reads a trajectory of mini-swe-agent. A command that is not a call of the model is one of `bash`; a return code
/// other than 0 is an error.
[[nodiscard]] EpisodicActionHistory<> read_mini_swe_agent(const Json& document, bool lenient, Repairs& repairs);

/// Returns the members of a message of LangChain's and its type, such as `human`; null if the value is none.
ACTA_INLINE const Json* langchain_message(const Json& value, std::string& type) {
    const Json* data = &value;
    type = base::text_member(value, "type");
    if (type == "constructor") {
        data = base::find_key(value, "kwargs");
        const Json* const id = base::find_key(value, "id");
        if (data == nullptr || id == nullptr || !id->is_array() || id->empty()) return nullptr;
        const std::string name = json_text(id->back());
        type = name.starts_with("AIMessage")         ? "ai"
               : name.starts_with("HumanMessage")    ? "human"
               : name.starts_with("SystemMessage")   ? "system"
               : name.starts_with("ToolMessage")     ? "tool"
               : name.starts_with("FunctionMessage") ? "function"
                                                     : "";
    } else if (const Json* const inner = base::find_key(value, "data"); inner != nullptr && inner->is_object()) {
        data = inner;
    }
    if (type == "AIMessageChunk") type = "ai";
    if (type == "HumanMessageChunk") type = "human";
    constexpr std::string_view types[] = {"ai", "human", "system", "tool", "function"};
    const bool known = std::ranges::find(types, type) != std::end(types) && data->is_object();
    return known && data->contains("content") && !data->contains("role") ? data : nullptr;
}

/// Returns the list of messages, which is the document or a member of it; null if there is none.
ACTA_INLINE const Json* message_list(const Json& document) {
    const Json* const list = document.is_array() ? &document : base::find_key(document, "messages");
    return list != nullptr && list->is_array() ? list : nullptr;
}

ACTA_INLINE bool is_langchain(const Json& document) {
    const Json* const list = message_list(document);
    return list != nullptr && std::ranges::any_of(*list, [](const Json& one) {
               std::string type;
               return langchain_message(one, type) != nullptr && (type == "ai" || type == "human");
           });
}

/// Returns content without the calls in it, which LangChain also writes beside it.
ACTA_INLINE Json without_calls(const Json& content) {
    if (!content.is_array()) return content;
    Json out = Json::array();
    for (const Json& part : content) {
        const std::string type = base::text_member(part, "type");
        if (type == "text" || part.is_string())
            out.push_back(text_block(part.is_string() ? part.get<std::string>() : base::text_member(part, "text")));
        else if (type != "tool_use" && type != "tool_call" && type != "thinking" && type != "reasoning")
            out.push_back(part);
    }
    const bool is_text =
        std::ranges::all_of(out, [](const Json& part) { return base::text_member(part, "type") == "text"; });
    return is_text ? Json(content_text_of(out)) : out;
}

/// Returns the model's thoughts in content.
ACTA_INLINE std::string thoughts_in(const Json& content) {
    std::string out;
    if (!content.is_array()) return out;
    for (const Json& part : content) {
        for (const char* const key : {"thinking", "reasoning"}) {
            const std::string text = base::text_member(part, key);
            if (!text.empty() && !out.empty()) out += '\n';
            out += text;
        }
    }
    return out;
}

/// Reads the calls in the content of an answer that has none beside it.
ACTA_INLINE void read_content_calls(MessageList& list, const Json& content) {
    for (std::size_t i = 0; content.is_array() && i < content.size(); ++i) {
        const Json& part = content[i];
        const std::string type = base::text_member(part, "type");
        if (type != "tool_use" && type != "tool_call") continue;
        const Json* const arguments = base::find_key(part, type == "tool_use" ? "input" : "args");
        list.add_call(base::text_member(part, "id"), base::text_member(part, "name"),
                      arguments == nullptr ? Json::object() : *arguments);
    }
}

ACTA_INLINE void read_langchain_answer(MessageList& list, const Json& data) {
    const Json* const metadata = base::find_key(data, "response_metadata");
    const Json* const more = base::find_key(data, "additional_kwargs");
    std::string thought = thoughts_in(data["content"]);
    if (thought.empty() && more != nullptr) thought = base::text_member(*more, "reasoning_content");
    list.say("assistant", without_calls(data["content"]), thought);
    if (metadata != nullptr) {
        for (const char* const key : {"token_usage", "usage"})
            set_usage(list.newest_metrics(), base::find_key(*metadata, key));
    }
    set_usage(list.newest_metrics(), base::find_key(data, "usage_metadata"));
    if (metadata != nullptr) {
        std::string model = base::text_member(*metadata, "model_name");
        list.newest_metrics().model = model.empty() ? base::text_member(*metadata, "model") : std::move(model);
    }
    bool calls = false;
    for (const char* const key : {"tool_calls", "invalid_tool_calls"}) {
        const Json* const those = base::find_key(data, key);
        if (those == nullptr || !those->is_array()) continue;
        for (const Json& call : *those) {
            const Json* const args = base::find_key(call, "args");
            list.add_call(base::text_member(call, "id"), base::text_member(call, "name"),
                          args == nullptr ? Json::object() : *args);
            calls = true;
        }
    }
    // Older versions have the calls of OpenAI's API alone.
    const Json* const raw = calls || more == nullptr ? nullptr : base::find_key(*more, "tool_calls");
    for (std::size_t i = 0; raw != nullptr && raw->is_array() && i < raw->size(); ++i) {
        const Json& call = (*raw)[i];
        const Json* const function = base::find_key(call, "function");
        const Json* const arguments = function == nullptr ? nullptr : base::find_key(*function, "arguments");
        list.add_call(base::text_member(call, "id"), function == nullptr ? "" : base::text_member(*function, "name"),
                      arguments == nullptr ? Json::object() : *arguments);
        calls = true;
    }
    if (!calls) read_content_calls(list, data["content"]);
}

ACTA_INLINE EpisodicActionHistory<> read_langchain(const Json& document, bool lenient, Repairs& repairs) {
    const Json& messages = *message_list(document);
    const DocumentLoc loc = document.is_array() ? DocumentLoc() : DocumentLoc{std::string("messages")};
    MessageList list;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        list.begin(extend_path(loc, i));
        std::string type;
        const Json* const data = langchain_message(messages[i], type);
        bool known = data != nullptr;
        if (data != nullptr && type == "ai") {
            read_langchain_answer(list, *data);
        } else if (data != nullptr && type == "tool") {
            known = list.answer(base::text_member(*data, "tool_call_id"), without_calls((*data)["content"]),
                                base::text_member(*data, "status") == "error");
        } else if (data != nullptr && type == "function") {
            known = list.answer(list.open_call(), without_calls((*data)["content"]), false);
        } else if (data != nullptr) {
            list.say(type == "human" ? "user" : "system", without_calls((*data)["content"]));
        }
        if (!known)
            repairs.report.push_back({TrajectoryNoteKind::dropped,
                                      {},
                                      extend_path(loc, i),
                                      "Not a message of LangChain, "
                                      "or the result of no open call"});
    }
    return list.history(lenient, repairs);
}

// LlamaIndex --------------------------------------------------------------------------------------------------

/// Returns the list of messages and its location; null if there is none. A store of chats may have one of them.
ACTA_INLINE const Json* llama_index_messages(const Json& document, DocumentLoc& loc) {
    if (document.is_array()) return &document;
    for (const char* const key : {"messages", "chat_history"}) {
        if (!has_list(document, key)) continue;
        loc.emplace_back(std::string(key));
        return base::find_key(document, key);
    }
    for (const char* const key : {"chat_store", "store"}) {
        const Json* const inner = base::find_key(document, key);
        if (inner == nullptr || !inner->is_object()) continue;
        loc.emplace_back(std::string(key));
        if (inner->size() != 1 || !inner->begin()->is_array()) return llama_index_messages(*inner, loc);
        loc.emplace_back(inner->begin().key());
        return &*inner->begin();
    }
    return nullptr;
}

ACTA_INLINE bool is_llama_index_message(const Json& message) {
    if (base::text_member(message, "role").empty()) return false;
    const Json* const blocks = base::find_key(message, "blocks");
    const Json* const more = base::find_key(message, "additional_kwargs");
    return (more != nullptr && more->is_object()) ||
           (blocks != nullptr && blocks->is_array() && std::ranges::any_of(*blocks, [](const Json& block) {
                return !base::text_member(block, "block_type").empty();
            }));
}

ACTA_INLINE bool is_llama_index(const Json& document) {
    DocumentLoc loc;
    const Json* const list = llama_index_messages(document, loc);
    return list != nullptr && std::ranges::any_of(*list, is_llama_index_message);
}

class LlamaIndexReader {
public:
    explicit LlamaIndexReader(BoundedReport& report) : report_(report) {}

    MessageList& read(const Json& document) {
        DocumentLoc loc;
        const Json& messages = *llama_index_messages(document, loc);
        for (std::size_t i = 0; i < messages.size(); ++i) {
            loc_ = extend_path(loc, i);
            list_.begin(loc_);
            read_message(messages[i]);
        }
        return list_;
    }

private:
    void drop(std::string why) { report_.push_back({TrajectoryNoteKind::dropped, {}, loc_, std::move(why)}); }

    void read_message(const Json& message) {
        const std::string role = base::text_member(message, "role");
        const Json none = Json::object();
        const Json* more = base::find_key(message, "additional_kwargs");
        if (more == nullptr) more = &none;
        std::string thought;
        Json said = content_of(message, thought);
        if (role == "assistant" || role == "chatbot" || role == "model") {
            list_.say("assistant", std::move(said), thought);
            read_calls(message, *more);
        } else if (role == "tool" || role == "function") {
            std::string id = base::text_member(*more, "tool_call_id");
            if (id.empty()) id = base::text_member(message, "tool_call_id");
            if (id.empty()) id = list_.open_call();
            if (!list_.answer(id, std::move(said), false)) drop("The result of no open call: " + id);
        } else if (role == "user" || role == "system" || role == "developer") {
            list_.say(role == "user" ? "user" : "system", std::move(said));
        } else {
            drop("Not a message of LlamaIndex");
        }
    }

    /// Returns what a message says, in the form of OpenAI's API.
    static Json content_of(const Json& message, std::string& thought) {
        if (!has_list(message, "blocks")) {
            const Json* const content = base::find_key(message, "content");
            return content == nullptr || content->is_null() ? Json("") : *content;
        }
        Json out = Json::array();
        for (const Json& block : message["blocks"]) {
            const std::string type = base::text_member(block, "block_type");
            if (type == "thinking") {
                if (!thought.empty()) thought += '\n';
                thought += base::text_member(block, "content");
            } else if (type == "image" && !image_url(block).empty()) {
                Json image = Json::object();
                image["type"] = "image_url";
                image["image_url"]["url"] = image_url(block);
                out.push_back(std::move(image));
            } else if (type != "tool_call" && type != "cache") {
                out.push_back(text_block(content_text_of(Json::array({block}))));
            }
        }
        const bool is_text = std::ranges::all_of(out, [](const Json& part) { return part.contains("text"); });
        return is_text ? Json(content_text_of(out)) : out;
    }

    static std::string image_url(const Json& block) {
        const std::string data = base::text_member(block, "image");
        if (data.empty()) return base::text_member(block, "url");
        const std::string type = base::text_member(block, "image_mimetype");
        return "data:" + (type.empty() ? "image/png" : type) + ";base64," + data;
    }

    /// Reads the calls in blocks, and those beside them that are not the same.
    void read_calls(const Json& message, const Json& more) {
        std::set<std::string> ids{""};
        bool has_calls = false;
        for (std::size_t i = 0; has_list(message, "blocks") && i < message["blocks"].size(); ++i) {
            const Json& block = message["blocks"][i];
            if (base::text_member(block, "block_type") != "tool_call") continue;
            has_calls = true;
            add_call(base::text_member(block, "tool_call_id"), block, "tool_name", "tool_kwargs");
            ids.insert(base::text_member(block, "tool_call_id"));
        }
        for (const Json* const beside : {&more, &message}) {
            if (!has_list(*beside, "tool_calls")) continue;
            for (const Json& call : (*beside)["tool_calls"]) {
                const std::string id = base::text_member(call, "id");
                if (has_calls && ids.contains(id)) continue;
                const Json* const function = base::find_key(call, "function");
                const Json& of = function == nullptr ? call : *function;
                add_call(id, of, "name", of.contains("input") ? "input" : of.contains("args") ? "args" : "arguments");
                ids.insert(id);
            }
            has_calls = has_calls || !(*beside)["tool_calls"].empty();
        }
        const Json* const function = base::find_key(more, "function_call");
        if (function != nullptr && function->is_object()) add_call({}, *function, "name", "arguments");
    }

    void add_call(std::string id, const Json& call, const char* name, const char* arguments) {
        if (id.empty()) id = "call_without_id_" + std::to_string(calls_without_id_++);
        const Json* const given = base::find_key(call, arguments);
        list_.add_call(id, base::text_member(call, name),
                       given == nullptr || given->is_null() ? Json::object() : *given);
    }

    BoundedReport& report_;
    MessageList list_{};
    DocumentLoc loc_{};  // of the message
    std::size_t calls_without_id_ = 0;
};

ACTA_INLINE EpisodicActionHistory<> read_llama_index(const Json& document, bool lenient, Repairs& repairs) {
    LlamaIndexReader reader(repairs.report);
    return reader.read(document).history(lenient, repairs);
}

// mini-swe-agent ---------------------------------------------------------------------------------------------

ACTA_INLINE bool is_mini_swe_agent(const Json& document) {
    const Json* const info = base::find_key(document, "info");
    const bool named = base::text_member(document, "trajectory_format").starts_with("mini-swe-agent") ||
                       (info != nullptr && base::find_key(*info, "mini_version") != nullptr);
    return named && document.is_object() && message_list(document) != nullptr;
}

class MiniSweAgentReader {
public:
    explicit MiniSweAgentReader(BoundedReport& report) : report_(report) {}

    MessageList& read(const Json& document) {
        const Json& messages = document["messages"];
        bool has_costs = false;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            const Json* const extra = base::find_key(messages[i], "extra");
            const Json none = Json::object();
            const DocumentLoc loc{std::string("messages"), i};
            list_.begin(loc, time_member(extra == nullptr ? none : *extra, "timestamp"));
            if (!read_message(messages[i], extra == nullptr ? none : *extra, loc))
                report_.push_back({TrajectoryNoteKind::dropped, {}, loc, "The message is neither said nor a result"});
            has_costs = has_costs || (extra != nullptr && base::find_key(*extra, "cost") != nullptr);
        }
        const Json* const info = base::find_key(document, "info");
        if (info == nullptr) return list_;
        if (!has_costs)
            note_totals(report_, {std::string("info"), std::string("model_stats")}, "info.model_stats",
                        base::find_key(*info, "model_stats"));
        return list_;
    }

private:
    bool read_message(const Json& message, const Json& extra, const DocumentLoc& loc) {
        const std::string role = base::text_member(message, "role");
        const Json* const content = base::find_key(message, "content");
        const std::string text = content == nullptr ? std::string() : content_text_of(*content);
        if (role == "exit") {
            report_.push_back({TrajectoryNoteKind::dropped,
                               {},
                               loc,
                               "The end of the run: " + base::text_member(extra, "exit_status")});
            return true;
        }
        const bool is_output = base::text_member(message, "type") == "function_call_output";
        if (role == "assistant" || (has_list(message, "output") && !is_output)) {
            read_answer(message, extra, text);
            return true;
        }
        if (role == "tool") return list_.answer(base::text_member(message, "tool_call_id"), text, failed(extra, text));
        if (is_output) {
            const Json* const output = base::find_key(message, "output");
            const std::string out = output == nullptr ? std::string() : content_text_of(*output);
            return list_.answer(base::text_member(message, "call_id"), out, failed(extra, out));
        }
        if (role == "user" && !commands_.empty()) {
            const std::string id = std::move(commands_.front());
            commands_.pop_front();
            return list_.answer(id, text, failed(extra, text));
        }
        if (role.empty()) return false;
        list_.say(role == "user" ? "user" : "system", text);
        return true;
    }

    void read_answer(const Json& message, const Json& extra, const std::string& text) {
        commands_.clear();
        const Json* const calls = base::find_key(message, "tool_calls");
        if (has_list(message, "output")) {  // an answer of the Responses API
            ResponseItems items(list_);
            for (const Json& item : message["output"]) items.read(item);
        } else {
            list_.say("assistant", text, base::text_member(message, "reasoning_content"));
        }
        if (calls != nullptr && calls->is_array() && !calls->empty()) {
            for (const Json& call : *calls) {
                const Json* const function = base::find_key(call, "function");
                const Json* const arguments = function == nullptr ? nullptr : base::find_key(*function, "arguments");
                list_.add_call(base::text_member(call, "id"),
                               function == nullptr ? "" : base::text_member(*function, "name"),
                               arguments == nullptr ? Json::object() : *arguments);
            }
        } else if (list_.newest_answer() != nullptr && list_.open_call().empty()) {
            add_commands(extra, text);
        }
        if (list_.newest_answer() == nullptr) return;
        StepMetrics& metrics = list_.newest_metrics();
        const Json* const response = base::find_key(extra, "response");
        const Json& stated = response == nullptr ? message : *response;
        set_usage(metrics, base::find_key(stated, "usage"));
        metrics.model = base::text_member(stated, "model");
        if (const Json* const cost = base::find_key(extra, "cost"); cost != nullptr && cost->is_number())
            metrics.cost_usd = cost->get<double>();
    }

    /// Adds the commands of an answer without calls: those of `extra.actions`, or the one in the only fence of the
    /// text.
    void add_commands(const Json& extra, const std::string& text) {
        std::vector<std::string> commands;
        if (has_list(extra, "actions")) {
            for (const Json& action : extra["actions"]) commands.push_back(base::text_member(action, "command"));
        } else if (std::optional<std::string> fenced = fenced_command(text)) {
            commands.push_back(*std::move(fenced));
        }
        for (const std::string& command : commands) {
            commands_.push_back("command_" + std::to_string(count_++));
            Json arguments = Json::object();
            arguments["command"] = command;
            list_.add_call(commands_.back(), "bash", arguments);
        }
    }

    static std::optional<std::string> fenced_command(std::string_view text) {
        std::optional<std::string> out;
        for (const std::string_view fence : {"```bash\n", "```mswea_bash_command\n"}) {
            for (std::size_t at = text.find(fence); at != std::string_view::npos; at = text.find(fence, at + 1)) {
                const std::size_t begin = at + fence.size();
                const std::size_t end = text.find("\n```", begin);
                if (end == std::string_view::npos || out) return std::nullopt;
                out = std::string(text.substr(begin, end - begin));
            }
        }
        return out;
    }

    /// Returns whether a result says that its command failed: by its return code, or that it was stopped.
    static bool failed(const Json& extra, std::string_view text) {
        if (const auto code = first_count(extra, {"returncode"})) return *code != 0;
        if (const auto code = exit_code_in(text, "<returncode>")) return *code != 0;
        return text.starts_with("The last command <command>") &&
               text.find("</command> timed out") != std::string_view::npos;
    }

    BoundedReport& report_;
    MessageList list_{};
    std::deque<std::string> commands_{};  // that wait for their results: the ids of their calls
    std::size_t count_ = 0;               // of commands
};

ACTA_INLINE EpisodicActionHistory<> read_mini_swe_agent(const Json& document, bool lenient, Repairs& repairs) {
    MiniSweAgentReader reader(repairs.report);
    return reader.read(document).history(lenient, repairs);
}

}  // namespace acta::inline ACTA_ABI::interop_detail
