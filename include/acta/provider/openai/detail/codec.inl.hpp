// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/chat/extension.hpp"
#include "acta/chat/message.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/detail/api.hpp"
#include "acta/provider/detail/kept_messages.hpp"
#include "acta/provider/openai/codec.hpp"
#include "acta/provider/openai/detail/wire.inl.hpp"
#include "acta/provider/openai/wire.hpp"

// Answers of OpenAI's chat completions (https://platform.openai.com/docs/api-reference/chat/object), as it and other
// servers write them.
namespace acta::inline ACTA_ABI::openai_detail {

using provider_detail::count_member;
using provider_detail::id_text;
using provider_detail::is_cut;
using provider_detail::member;
using provider_detail::throw_reply;

/// Returns the text of what a model thought, which is a text or a list of parts with texts.
[[nodiscard]] ACTA_INLINE std::string thinking_text(const Json& value) {
    if (value.is_string()) return base::text_of(value);
    std::string out;
    if (value.is_array()) {
        for (const Json& one : value) out += thinking_text(one);
    } else if (value.is_object()) {
        for (const char* const key : {"thinking", "text", "reasoning", "content", "summary"}) {
            if (const Json* const found = member(value, key); out.empty() && found != nullptr)
                out = thinking_text(*found);
        }
    }
    return out;
}

/// Returns whether a part of a message's content is what the model thought.
[[nodiscard]] ACTA_INLINE bool is_thinking(const Json& part) {
    const std::string type = base::text_member(part, "type");
    return type == "thinking" || type == "reasoning" || type == "reasoning_text";
}
/// Returns the text of a part that is nothing else, or null.
[[nodiscard]] ACTA_INLINE const std::string* plain_text(const Json& part) {
    if (part.is_string()) return &base::text_of(part);
    const std::string type = base::text_member(part, "type");
    const Json* const text = member(part, "text");
    const bool is_text = (type == "text" || type == "output_text") && part.size() == 2;
    return is_text && text != nullptr && text->is_string() ? &base::text_of(*text) : nullptr;
}

[[nodiscard]] ACTA_INLINE Json text_part(std::string_view text) {
    JsonObject out;
    base::put(out, "type", base::text_json("text"));
    base::put(out, "text", base::text_json(text));
    return Json(std::move(out));
}

/// Makes a call of an answer one that `ChatMessage` reads, and one whose arguments the end of the answer cut off a call
/// without readable arguments: it must not be run as one that has none.
ACTA_INLINE void normalise_call(Json& call, bool was_cut) {
    if (!call.is_object()) return;
    if (const Json* const id = base::find_key(base::object_of(call), "id"); id != nullptr && !id->is_string())
        base::assign(call, "id", base::text_json(id_text(id)));
    if (member(call, "function") == nullptr && member(call, "name") != nullptr) {
        JsonObject function;
        base::put(function, "name", call["name"]);
        if (const Json* const arguments = member(call, "arguments")) base::put(function, "arguments", *arguments);
        call.erase("name");
        call.erase("arguments");
        base::assign(call, "function", Json(std::move(function)));
    }
    const Json* const function = member(call, "function");
    if (function == nullptr || !function->is_object()) return;
    if (const Json* const name = member(*function, "name"); name != nullptr && base::is_text(*name, ""))
        base::assign(call["function"], "name", base::text_json(chat_extension::tool_without_name));
    const Json* const arguments = member(*function, "arguments");
    const bool is_blank = arguments == nullptr || (arguments->is_object() && arguments->empty()) ||
                          (arguments->is_string() && ascii::is_blank(base::text_of(*arguments)));
    if (was_cut && is_blank) base::assign(call["function"], "arguments", Json(chat_extension::unreadable({})));
    base::assign(call, "type", base::text_json("function"));
}

/// Makes the message of an answer one that `ChatMessage` reads.
ACTA_INLINE void normalise_message(Json& message, std::string_view finish) {
    base::assign(message, "role", base::text_json("assistant"));
    std::string thought;
    if (const auto content = message.find("content"); content != message.end() && content->is_structured()) {
        JsonArray parts;
        if (content->is_object()) *content = JsonArray{*content};
        for (Json& part : *content) {
            if (part.is_object() && base::text_member(part, "type").empty())
                base::assign(part, "type", base::text_json(member(part, "text") == nullptr ? "unknown" : "text"));
            if (is_thinking(part))
                thought += thinking_text(part);
            else
                parts.push_back(part.is_string() ? text_part(base::text_of(part)) : std::move(part));
        }
        *content = std::move(parts);
    }
    const auto reasoning = message.find("reasoning_content");
    if (reasoning != message.end() && !reasoning->is_string()) *reasoning = thinking_text(*reasoning);
    if (thought.empty() && base::text_member(message, "reasoning").empty())
        thought = base::text_member(message, "thinking");
    if (!thought.empty() && base::text_member(message, "reasoning_content").empty())
        base::assign(message, "reasoning_content", base::text_json(thought));
    const auto calls = message.find("tool_calls");
    if (calls == message.end()) return;
    if (calls->is_object()) *calls = JsonArray{*calls};
    std::size_t left = calls->size();
    for (Json& call : *calls) normalise_call(call, --left == 0 && is_cut(finish));
}

/// Removes empty lists from the server's additions to the message: OpenAI's has `annotations` in every answer.
ACTA_INLINE void drop_empty(JsonObject& extra) {
    const auto own = extra.find("openai");
    if (own == extra.end() || !own->second.is_object()) return;
    auto& members = own->second.get_ref<Json::object_t&>();
    for (auto one = members.begin(); one != members.end();) {
        const bool is_empty = one->second.is_array() && one->second.empty();
        one = is_empty ? members.erase(one) : std::next(one);
    }
    if (members.empty()) extra.erase(own);
}

/// Gives each call an id, as a result names its call.
ACTA_INLINE void fill_ids(std::vector<AssistantToolCall>& calls) {
    std::set<std::string, std::less<>> used;
    for (const AssistantToolCall& call : calls) used.insert(call.id);
    std::size_t i = 0;
    for (AssistantToolCall& call : calls) {
        for (std::size_t n = i; call.id.empty(); ++n) {
            std::string id = "call_" + std::to_string(n);
            if (used.insert(id).second) call.id = std::move(id);
        }
        ++i;
    }
}

/// Returns the message of an answer. Throws `ChatModelError` (`reply`) if it is not one.
[[nodiscard]] ACTA_INLINE AssistantChatMessage assistant_message(const Json& message, std::string_view finish,
                                                                 const ParseOptions& options) {
    Json said = message;
    normalise_message(said, finish);
    chat_extension::keep_unreadable_arguments(said);
    ChatMessage read;
    try {
        read = validate<ChatMessage>(said, options);
    } catch (const ValidationError& error) {
        throw_reply("choices[0].message.", error);
    }
    const auto is_text = [](const ContentPart& part) { return part.type == "text" && part.extra.empty(); };
    if (std::ranges::all_of(read.parts, is_text)) read.parts.clear();
    fill_ids(read.tool_calls);
    drop_empty(read.extra);
    AssistantChatMessage out = to_assistant_message(std::move(read));
    take_reasoning(out, std::exchange(out.reasoning_content, std::nullopt));
    return out;
}

/// Returns the completion in the body of an answer. Throws `ChatModelError` (`reply`) if there is none.
[[nodiscard]] ACTA_INLINE ChatCompletion read_completion(const Json& body, const ParseOptions& options) {
    const Json* const choices = member(body, "choices");
    if (choices == nullptr || !choices->is_array() || choices->empty()) throw_reply("it has no choices");
    const Json& choice = choices->front();
    const Json* const message = member(choice, "message");
    if (message == nullptr || !message->is_object()) throw_reply("choices[0] has no message");
    ChatCompletion out;
    out.finish_reason = chat_extension::finish_word(base::text_member(choice, "finish_reason"));
    out.message = assistant_message(*message, out.finish_reason, options);
    out.usage = provider_detail::usage_of(body);
    if (!base::text_member(*message, "refusal").empty()) out.finish_reason = "refusal";
    out.model = base::text_member(body, "model");
    return out;
}

// Requests.

/// Returns whether a schema obeys OpenAI's rules for strict answers as far as they can be checked here: every object is
/// closed, every key is required, and there are no defaults
/// (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas).
[[nodiscard]] ACTA_INLINE bool is_strict_schema(const Json& schema) {
    if (schema.is_array()) {
        for (const Json& one : schema) {
            if (!is_strict_schema(one)) return false;
        }
        return true;
    }
    if (!schema.is_object()) return true;
    const auto properties = schema.find("properties");
    const auto type = schema.find("type");
    const bool is_object = properties != schema.end() || (type != schema.end() && *type == Json("object"));
    if (is_object) {
        const auto closed = schema.find("additionalProperties");
        const auto required = schema.find("required");
        const std::size_t keys = properties == schema.end() ? 0 : properties->size();
        if (closed == schema.end() || *closed != Json(false)) return false;
        if ((required == schema.end() ? 0 : required->size()) != keys) return false;
    }
    for (const auto& [key, value] : schema.items()) {
        if (key == "default") return false;
        if (key == "properties" || key == "$defs") {
            for (const auto& [name, one] : value.items()) {
                if (!is_strict_schema(one)) return false;
            }
        } else if (key == "items" || key == "anyOf") {
            if (!is_strict_schema(value)) return false;
        }
    }
    return true;
}

/// A function as a tool: beside its `type` in the Responses API, one level deeper in chat completions.
[[nodiscard]] ACTA_INLINE JsonObject function_of(const ToolDefinition& tool, const std::string& name,
                                                 std::size_t max_description) {
    JsonObject function;
    function.emplace("name", name);
    if (!tool.description.empty())
        function.emplace("description", chat_extension::cut_description(tool.description, max_description));
    function["parameters"] = provider_detail::parameters_of(tool);
    return function;
}
/// The schema of an answer, in the same places.
[[nodiscard]] ACTA_INLINE JsonObject schema_of_answer(const Json& schema) {
    JsonObject out;
    out.emplace("name", "answer");
    out["schema"] = schema;
    out.emplace("strict", is_strict_schema(schema));
    return out;
}
/// Returns `{"type": type, key: members}`, or without a key an object of the type with these members.
[[nodiscard]] ACTA_INLINE JsonObject of_type(const char* type, const char* key, JsonObject members) {
    JsonObject out;
    out.emplace("type", type);
    if (key != nullptr)
        out.emplace(key, std::move(members));
    else
        for (auto& [name, value] : members) out.emplace(name, std::move(value));
    return out;
}

/// Adds the tools, and the choice among them, for one of which `chosen` is the form.
template <class Chosen>
void add_tools(JsonObject& body, const ChatOptions& options, const provider_detail::RequestTools& tools,
               const Chosen& chosen) {
    const std::string* const one = provider_detail::chosen_tool(options, tools.names);
    if (options.tools.empty()) return;
    body.emplace("tools", nullptr);  // in its place
    if (one != nullptr)
        body.emplace("tool_choice", chosen(JsonObject{{"name", *one}}));
    else if (options.tool_choice != ToolChoice::automatic)
        body.emplace("tool_choice", options.tool_choice == ToolChoice::none ? "none" : "required");
}

// Streams of chat completions (https://platform.openai.com/docs/api-reference/chat-streaming).

/// Whether a JSON object that arrives in pieces is complete.
class Completeness {
public:
    void add(std::string_view piece) noexcept {
        for (const char c : piece) {
            if (escaped_)
                escaped_ = false;
            else if (in_text_ && c == '\\')
                escaped_ = true;
            else if (c == '"')
                in_text_ = !in_text_;
            else if (!in_text_ && (c == '{' || c == '['))
                ++depth_;
            else if (!in_text_ && (c == '}' || c == ']'))
                complete_ = complete_ || --depth_ <= 0;
        }
    }
    [[nodiscard]] bool is_complete() const noexcept { return complete_; }

private:
    std::ptrdiff_t depth_ = 0;
    bool in_text_ = false;
    bool escaped_ = false;
    bool complete_ = false;
};

/// A call of a streamed answer.
struct StreamedCall {
    std::string id{};
    std::string name{};
    std::string arguments{};
    Completeness completeness{};
    bool is_object = false;      ///< The arguments came as an object.
    bool has_arguments = false;  ///< They are not blank.
    JsonObject others{};         ///< Other members.
    JsonObject function{};       ///< Those of its function.

    [[nodiscard]] bool is_complete() const noexcept { return has_arguments && completeness.is_complete(); }
    /// Returns whether the arguments are an empty object, which more may replace.
    [[nodiscard]] bool is_empty() const noexcept { return arguments == "{}"; }

    /// Adds a part of the arguments and returns it as text.
    std::string add_arguments(const Json& part) {
        const bool object = part.is_object();
        std::string text = part.is_string() ? base::text_of(part) : dump(part);
        const bool is_blank = ascii::is_blank(text);
        if (is_blank && (is_object || is_empty())) return {};
        // An empty object comes before the arguments where a server writes what it has so far.
        if ((object && !has_arguments) || is_empty()) {
            arguments.clear();
            completeness = {};
            is_object = object;
        }
        completeness.add(text);
        has_arguments = has_arguments || !is_blank;
        arguments += text;
        return text;
    }
    [[nodiscard]] Json take() {
        JsonObject out;
        if (!id.empty()) base::put(out, "id", base::text_json(id));
        base::put(out, "type", base::text_json("function"));
        JsonObject called;
        base::put(called, "name", base::text_json(name));
        base::put(called, "arguments", base::text_json(arguments));
        for (auto& [key, value] : function) base::put(called, key, std::move(value));
        base::put(out, "function", Json(std::move(called)));
        for (auto& [key, value] : others) base::put(out, key, std::move(value));
        return Json(std::move(out));
    }
};

/// The calls of a streamed answer. Servers distinguish their parts by an index, by an id, by both or by neither.
class StreamedCalls {
public:
    /// Adds the parts of one event.
    void add(const Json& parts, std::vector<ChatDelta>& deltas) {
        if (parts.is_null()) return;
        ++event_;
        if (parts.is_object()) return add_part(parts, deltas);
        if (!parts.is_array()) throw_reply("the tool calls of a part of the stream are not a list");
        for (const Json& part : parts) add_part(part, deltas);
    }
    [[nodiscard]] bool empty() const noexcept { return calls_.empty(); }
    [[nodiscard]] JsonArray take() {
        JsonArray out;
        for (StreamedCall& call : calls_) {
            if (!call.id.empty() || !call.name.empty() || call.has_arguments) out.push_back(call.take());
        }
        return out;
    }

private:
    struct Part {
        std::string index{};
        std::string id{};
        std::string name{};
        const Json* arguments = nullptr;

        [[nodiscard]] bool is_blank() const {
            return arguments == nullptr || (arguments->is_string() && ascii::is_blank(base::text_of(*arguments)));
        }
        /// Returns whether it begins an object: after the whole one of a call it is that of the next.
        [[nodiscard]] bool begins_object() const {
            if (arguments == nullptr || !arguments->is_string()) return arguments != nullptr && arguments->is_object();
            return ascii::trim(base::text_of(*arguments)).starts_with('{');
        }
    };

    void add_part(const Json& json, std::vector<ChatDelta>& deltas) {
        if (!json.is_object()) throw_reply("a tool call of a part of the stream is not an object");
        const Json* const given = member(json, "function");
        const Json& function = given != nullptr && given->is_object() ? *given : json;
        Part part{{}, id_text(member(json, "id")), base::text_member(function, "name"), member(function, "arguments")};
        if (const Json* const index = member(json, "index")) {
            if (!index->is_number() && !index->is_string()) throw_reply("the index of a tool call is not a number");
            part.index = id_text(index);
        }
        const std::size_t place = place_of(part);
        StreamedCall& call = calls_[place];
        if (!part.id.empty()) {
            call.id = part.id;
            by_id_[part.id] = place;
        }
        if (!part.index.empty()) by_index_[part.index] = place;
        if (!part.name.empty()) call.name = part.name;
        newest_ = place;
        newest_event_ = event_;
        const std::string text = part.arguments == nullptr ? std::string() : call.add_arguments(*part.arguments);
        for (const auto& [key, value] : json.items()) keep(call.others, key, value);
        if (&function != &json) {
            for (const auto& [key, value] : function.items()) keep(call.function, key, value);
        }
        deltas.emplace_back(CallDelta{place, call.id, call.name, text});
    }
    static void keep(JsonObject& into, const std::string& key, const Json& value) {
        for (const char* const own : {"index", "id", "type", "function", "name", "arguments"}) {
            if (key == own) return;
        }
        constexpr std::size_t most_fields = 200;  // they are looked up one by one
        if (into.size() >= most_fields) throw_reply("a tool call has more than 200 fields");
        if (!value.is_null()) into[key] = value;
    }

    /// Returns the call that a part belongs to, a new one if it begins one.
    std::size_t place_of(const Part& part) {
        const std::optional<std::size_t> known = find(part);
        if (known && !begins_call(part, *known)) return *known;
        std::string name = known ? calls_[*known].name : std::string();  // which the part may replace
        calls_.emplace_back().name = std::move(name);
        return calls_.size() - 1;
    }
    [[nodiscard]] std::optional<std::size_t> find(const Part& part) const {
        const auto with_id = part.id.empty() ? by_id_.end() : by_id_.find(part.id);
        if (!part.index.empty()) {
            const auto found = by_index_.find(part.index);
            if (found == by_index_.end()) return std::nullopt;
            const bool is_other = with_id != by_id_.end() && calls_[found->second].id != part.id;
            return is_other ? with_id->second : found->second;
        }
        if (with_id != by_id_.end()) return with_id->second;
        if (calls_.empty()) return std::nullopt;
        const bool is_late_id = part.name.empty() && calls_[newest_].id.empty();
        return part.id.empty() || is_late_id ? std::optional(newest_) : std::nullopt;
    }
    /// Returns whether a part that seems to belong to a call is the first of another one.
    [[nodiscard]] bool begins_call(const Part& part, std::size_t place) const {
        const StreamedCall& call = calls_[place];
        const bool has_same_id = !part.id.empty() && part.id == call.id;
        if (!part.id.empty() && !call.id.empty() && !has_same_id) return true;
        if (call.is_complete() && !call.is_empty() && part.begins_object()) return true;
        if (part.name.empty()) return false;
        // A server that repeats the name in each part of a call ends it with an empty part.
        if (call.is_complete() && (!has_same_id || !part.is_blank())) return true;
        if (!call.name.empty() && call.name != part.name && !has_same_id) return true;
        // Whole calls in one event, without anything that distinguishes them.
        return part.index.empty() && part.id.empty() && newest_event_ == event_;
    }

    std::vector<StreamedCall> calls_{};
    std::map<std::string, std::size_t, std::less<>> by_index_{};  // the newest call of each index
    std::map<std::string, std::size_t, std::less<>> by_id_{};
    std::size_t newest_ = 0;  // the call of the last part
    std::size_t newest_event_ = 0;
    std::size_t event_ = 0;
};

/// Assembles the chunks of a stream into the answer that would have come without streaming. Linear in the size of the
/// stream.
class StreamedAnswer final : public provider_detail::StreamedBody {
public:
    void add(const Json& chunk, std::vector<ChatDelta>& deltas) override {
        if (!chunk.is_object()) throw_reply("a part of the stream is not an object");
        for (const auto& [key, value] : chunk.items()) {
            if (key == "usage" && value.is_object())
                chat_extension::merge_usage(body_[key], value);
            else if (key != "choices")
                merge(body_, key, value, true);
        }
        const Json* const choices = member(chunk, "choices");
        if (choices == nullptr) return;
        if (!choices->is_array()) throw_reply("the choices of a part of the stream are not a list");
        for (const Json& choice : *choices) {
            const Json* const index = member(choice, "index");
            if (index == nullptr || base::whole_number(*index) == 0) add_choice(choice, deltas);
        }
    }

    [[nodiscard]] bool is_finished() const noexcept override { return finished_; }

    [[nodiscard]] Json take() override {
        if (has_content_) message_["content"] = content();
        if (!calls_.empty()) message_["tool_calls"] = calls_.take();
        if (JsonArray calls = function_.take(); !calls.empty())
            message_["function_call"] = std::move(calls.front()["function"]);
        if (!details_.empty()) message_["reasoning_details"] = std::move(details_);
        choice_["index"] = 0;
        choice_["message"] = std::move(message_);
        JsonArray choices;
        choices.emplace_back(std::move(choice_));
        body_["choices"] = std::move(choices);
        const auto kind = body_.find("object");
        if (kind != body_.end() && kind->second == Json("chat.completion.chunk")) kind->second = "chat.completion";
        return Json(std::move(body_));
    }

private:
    void add_choice(const Json& choice, std::vector<ChatDelta>& deltas) {
        for (const auto& [key, value] : choice.items()) {
            const bool is_empty_reason = key == "finish_reason" && value == Json("");
            if (key != "delta" && key != "message" && key != "index" && !is_empty_reason)
                merge(choice_, key, value, true);
        }
        if (!base::text_member(choice, "finish_reason").empty()) finished_ = true;
        const Json* delta = member(choice, "delta");
        // A server that cannot stream sends the whole answer as one event.
        if ((delta == nullptr || delta->empty()) && message_.empty() && member(choice, "message") != nullptr)
            delta = member(choice, "message");
        if (delta == nullptr) return;
        if (!delta->is_object()) throw_reply("the delta of a part of the stream is not an object");
        for (const auto& [key, value] : delta->items()) {
            if (key == "tool_calls")
                calls_.add(value, deltas);
            else if (key == "function_call")
                function_.add(value, deltas);
            else if (key == "content")
                add_content(value, deltas);
            else if (key == "reasoning_details" && value.is_array())
                add_details(value);
            else
                merge(message_, key, value, key == "role");
        }
        add_thoughts(*delta, deltas);
        if (const std::string refusal = base::text_member(*delta, "refusal"); !refusal.empty() && parts_.empty())
            deltas.emplace_back(TextDelta{refusal});
    }

    /// What the model thinks has several names, and some servers send it under two of them.
    static void add_thoughts(const Json& delta, std::vector<ChatDelta>& deltas) {
        for (const char* const key : {"reasoning_content", "reasoning", "thinking"}) {
            const Json* const found = member(delta, key);
            std::string text = found == nullptr ? std::string() : thinking_text(*found);
            if (text.empty()) continue;
            deltas.emplace_back(ReasoningDelta{std::move(text)});
            return;
        }
    }

    /// Texts and lists grow, everything else is replaced; null changes nothing.
    static void merge(Json::object_t& into, const std::string& key, const Json& value, bool replace) {
        constexpr std::size_t most_fields = 200;  // they are looked up one by one
        if (value.is_null()) return;
        if (into.size() >= most_fields) throw_reply("it has more than 200 fields");
        Json& old = into[key];
        if (!replace && value.is_string() && old.is_string())
            old.get_ref<std::string&>() += value.get_ref<const std::string&>();
        else if (!replace && value.is_array() && old.is_array())
            old.insert(old.end(), value.begin(), value.end());
        else
            old = value;
    }

    void add_content(const Json& content, std::vector<ChatDelta>& deltas) {
        if (content.is_null()) return;
        if (!std::exchange(has_content_, true)) message_["content"] = "";  // in its place
        if (const std::string* const text = plain_text(content)) return add_text(*text, deltas);
        if (content.is_object()) return add_content_part(content, deltas);
        if (!content.is_array()) throw_reply("the content of a part of the stream is neither a text nor a list");
        for (const Json& part : content) add_content_part(part, deltas);
    }
    void add_content_part(const Json& part, std::vector<ChatDelta>& deltas) {
        if (const std::string* const text = plain_text(part)) return add_text(*text, deltas);
        if (!is_thinking(part)) {
            parts_.push_back(part);
            return;
        }
        std::string thought = thinking_text(part);
        merge(message_, "reasoning_content", base::text_json(thought), false);
        deltas.emplace_back(ReasoningDelta{std::move(thought)});
    }
    void add_text(const std::string& text, std::vector<ChatDelta>& deltas) {
        if (text.empty()) return;
        if (parts_.empty() || plain_text(parts_.back()) == nullptr) parts_.push_back(text_part({}));
        parts_.back()["text"].get_ref<std::string&>() += text;
        deltas.emplace_back(TextDelta{text});
    }
    [[nodiscard]] Json content() {
        if (parts_.empty()) return base::text_json({});
        if (parts_.size() == 1 && plain_text(parts_.front()) != nullptr) return std::move(parts_.front()["text"]);
        return Json(std::move(parts_));
    }

    /// OpenRouter's blocks arrive in pieces with an index, and are wanted back whole, with their signatures.
    void add_details(const Json& pieces) {
        for (const Json& piece : pieces) {
            const Json* const index = member(piece, "index");
            if (index == nullptr || !piece.is_object()) {
                details_.push_back(piece);
                continue;
            }
            const std::string key = id_text(index) + " " + base::text_member(piece, "type");
            const auto [place, is_new] = details_by_index_.emplace(key, details_.size());
            if (is_new) {
                details_.push_back(piece);
                continue;
            }
            auto& whole = details_[place->second].get_ref<Json::object_t&>();
            for (const auto& [name, value] : piece.items())
                merge(whole, name, value, name != "text" && name != "summary" && name != "data");
        }
    }

    JsonObject body_{};
    JsonObject choice_{};
    JsonObject message_{};
    JsonArray parts_{};  // of the content
    JsonArray details_{};
    std::map<std::string, std::size_t, std::less<>> details_by_index_{};
    StreamedCalls calls_{};
    StreamedCalls function_{};  // the deprecated form of a call
    bool has_content_ = false;
    bool finished_ = false;
};

// OpenAI's chat completions.

/// Returns what the server takes, with what the options say of it.
[[nodiscard]] ACTA_INLINE openai::ServerTraits traits_of(const openai::Options& options, std::string_view host) {
    openai::ServerTraits out = options.server ? *options.server : openai::server_traits(host);
    if (!options.max_tokens_key.empty()) out.max_tokens_key = options.max_tokens_key;
    if (options.send_reasoning) out.send_reasoning = *options.send_reasoning;
    return out;
}

/// What OpenAI's APIs want.
[[nodiscard]] ACTA_INLINE provider_detail::ApiRules api_rules(const openai::Options& options, std::string_view path) {
    return {.path = path,
            .key_variable = "OPENAI_API_KEY",
            .key_header = "Authorization",
            .key_prefix = "Bearer ",
            .options_name = "openai::Options",
            .headers = {{"OpenAI-Organization", options.organization}, {"OpenAI-Project", options.project}}};
}

class ChatApi final : public provider_detail::OptionsApi<openai::Options> {
public:
    ChatApi(const openai::Options& options, openai::ServerTraits traits)
        : OptionsApi(options), traits_(std::move(traits)) {}

    [[nodiscard]] JsonObject tool_entry(const ToolDefinition& tool, const std::string& name) const override {
        return of_type("function", "function", function_of(tool, name, traits_.max_description));
    }
    [[nodiscard]] std::string request_body(std::span<const ChatMessage> messages, const ChatOptions& options,
                                           const std::shared_ptr<const provider_detail::RequestTools>& tools,
                                           bool /*plain*/ = false) const override {
        JsonObject body = new_body(options);
        body.emplace("messages", nullptr);  // in its place
        add_temperature(body, options);
        if (const auto max_tokens = options.max_tokens ? options.max_tokens : own_.max_tokens)
            body.emplace(traits_.max_tokens_key, *max_tokens);
        add_tools(body, options, *tools,
                  [](JsonObject tool) { return of_type("function", "function", std::move(tool)); });
        if (options.response_schema)
            body.emplace("response_format",
                         of_type("json_schema", "json_schema", schema_of_answer(*options.response_schema)));
        const bool streams = add_stream(body, options);
        if (streams && own_.stream_usage) body.emplace("stream_options", JsonObject{{"include_usage", true}});
        const auto new_writer = [this](const ToolNames* names) {
            return std::make_unique<MessagesWriter>(traits_, names);
        };
        return written(
            std::move(body), "messages",
            [&](codec::Encoder& e) {
                provider_detail::write_messages(e, "messages", messages, options, tools, new_writer);
            },
            tools->text);
    }
    [[nodiscard]] ChatCompletion read(const Json& body, const ParseOptions& options) const override {
        return read_completion(body, options);
    }
    [[nodiscard]] std::unique_ptr<provider_detail::StreamedBody> new_stream() const override {
        return std::make_unique<StreamedAnswer>();
    }

private:
    openai::ServerTraits traits_;
};

// OpenAI's Responses API (https://platform.openai.com/docs/api-reference/responses).

/// Assembles the events of a stream. The last one has the whole answer, or only what its items do not say.
class StreamedResponse final : public provider_detail::StreamedBody {
public:
    void add(const Json& event, std::vector<ChatDelta>& deltas) override {
        const std::string type = base::text_member(event, "type");
        if (type == "response.completed" || type == "response.incomplete" || type == "response.failed" ||
            type == "response.cancelled") {
            const Json* const response = member(event, "response");
            if (response == nullptr || !response->is_object())
                throw_reply("the last part of the stream has no response");
            body_ = *response;
        } else if (type == "response.output_item.added" || type == "response.output_item.done") {
            set_item(event);
        } else if (type == "response.output_text.delta" || type == "response.refusal.delta") {
            add_text(event, base::text_member(event, "delta"), false, deltas);
        } else if (type == "response.output_text.done") {
            add_text(event, base::text_member(event, "text"), true, deltas);
        } else if (type == "response.refusal.done") {
            add_text(event, base::text_member(event, "refusal"), true, deltas);
        } else if (type == "response.function_call_arguments.delta" ||
                   type == "response.function_call_arguments.done") {
            add_arguments(event, deltas);
        } else if (type == "response.reasoning_summary_text.delta" || type == "response.reasoning_text.delta") {
            deltas.emplace_back(ReasoningDelta{base::text_member(event, "delta")});
        }
    }
    [[nodiscard]] bool is_finished() const noexcept override { return !body_.is_null(); }
    [[nodiscard]] bool is_complete() const noexcept override { return is_finished(); }
    [[nodiscard]] Json take() override {
        if (body_.is_null() && items_.empty()) throw_reply("the stream has no response");
        if (body_.is_null()) body_ = JsonObject{{"status", "completed"}};
        const Json* const output = member(body_, "output");
        if ((output == nullptr || output->empty()) && !items_.empty()) {
            JsonArray items;
            for (Item& one : items_) items.push_back(std::move(one.json));
            body_["output"] = std::move(items);
        }
        return std::move(body_);
    }

private:
    struct Item {
        Json json = JsonObject();
        bool has_shown = false;
        std::map<std::string, std::size_t, std::less<>> shown{};  // bytes of each part of the content
        std::size_t call = 0;                                     // its place among the calls
    };

    /// Returns the item that an event is about, by its place in the output or its id.
    Item& item_of(const Json& event, std::string_view type) {
        const std::string place = id_text(member(event, "output_index"));
        std::string id = base::text_member(event, "item_id");
        if (const Json* const item = member(event, "item"); item != nullptr && id.empty())
            id = base::text_member(*item, "id");
        for (const std::string& key : {"#" + place, "id " + id}) {
            const auto found = places_.find(key);
            if (found != places_.end()) return items_[found->second];
        }
        if (!place.empty()) places_.emplace("#" + place, items_.size());
        if (!id.empty()) places_.emplace("id " + id, items_.size());
        Item& out = items_.emplace_back();
        out.json["type"] = type;
        if (type == "function_call") out.call = calls_++;
        return out;
    }

    void set_item(const Json& event) {
        const Json* const given = member(event, "item");
        if (given == nullptr || !given->is_object()) throw_reply("an item of the stream is not an object");
        Item& item = item_of(event, base::text_member(*given, "type"));
        Json whole = *given;
        // Some servers send what came in pieces only so.
        for (const char* const key : {"content", "arguments"}) {
            const Json* const old = member(item.json, key);
            const Json* const now = member(whole, key);
            const bool is_empty = now == nullptr || now->empty() || *now == Json("");
            if (old != nullptr && is_empty) whole[key] = *old;
        }
        item.json = std::move(whole);
    }

    void add_text(const Json& event, std::string text, bool is_whole, std::vector<ChatDelta>& deltas) {
        if (text.empty()) return;  // also no item, which would have no content
        Item& item = item_of(event, "message");
        if (member(item.json, "role") == nullptr) item.json["role"] = "assistant";
        std::size_t& shown = item.shown[id_text(member(event, "content_index"))];
        if (is_whole && shown != 0) return;  // the pieces have been shown
        shown += text.size();
        const bool is_refusal = base::text_member(event, "type").starts_with("response.refusal");
        const char* const key = is_refusal ? "refusal" : "text";
        Json& content = item.json["content"];
        if (!content.is_array()) content = JsonArray();
        const auto index = static_cast<std::size_t>(std::max<std::int64_t>(count_member(event, "content_index"), 0));
        if (index >= content.size()) {
            JsonObject part;
            base::put(part, "type", base::text_json(is_refusal ? "refusal" : "output_text"));
            base::put(part, key, base::text_json({}));
            content.push_back(Json(std::move(part)));
        }
        Json& part = content[std::min(index, content.size() - 1)];
        if (part.is_object() && part[key].is_string()) part[key].get_ref<std::string&>() += text;
        // Messages of one answer are lines of its text.
        if (!std::exchange(item.has_shown, true) && std::exchange(has_shown_, true)) text.insert(0, "\n");
        deltas.emplace_back(TextDelta{std::move(text)});
    }

    void add_arguments(const Json& event, std::vector<ChatDelta>& deltas) {
        Item& item = item_of(event, "function_call");
        Json& arguments = item.json["arguments"];
        const bool was_empty = !arguments.is_string() || base::text_of(arguments).empty();
        if (!arguments.is_string()) arguments = "";
        std::string part = base::text_member(event, "delta");
        if (part.empty() && was_empty) part = base::text_member(event, "arguments");
        if (part.empty()) return;
        arguments.get_ref<std::string&>() += part;
        deltas.emplace_back(CallDelta{item.call, base::text_member(item.json, "call_id"),
                                      base::text_member(item.json, "name"), std::move(part)});
    }

    Json body_{};
    std::vector<Item> items_{};
    std::map<std::string, std::size_t, std::less<>> places_{};
    std::size_t calls_ = 0;
    bool has_shown_ = false;
};

class ResponsesApi final : public provider_detail::OptionsApi<openai::Options> {
public:
    ResponsesApi(const openai::Options& options, const openai::ServerTraits& traits)
        : OptionsApi(options), max_description_(traits.max_description) {
        const Json* const store = base::find_key(options.extra, "store");
        is_kept_ = store != nullptr && store->is_boolean() && base::boolean_of(*store);
    }

    [[nodiscard]] JsonObject tool_entry(const ToolDefinition& tool, const std::string& name) const override {
        JsonObject function = function_of(tool, name, max_description_);
        function.emplace("strict", false);  // it is true if it is missing, which few schemas fit
        return of_type("function", nullptr, std::move(function));
    }
    [[nodiscard]] std::string request_body(std::span<const ChatMessage> messages, const ChatOptions& options,
                                           const std::shared_ptr<const provider_detail::RequestTools>& tools,
                                           bool plain = false) const override {
        JsonObject body = new_body(options);
        body.emplace("input", nullptr);  // in its place
        // The history has everything, so the server need not keep it, and reasoning comes back encrypted.
        body.emplace("store", false);
        if (!plain && own_.encrypted_reasoning.value_or(encrypts(options.model.value_or(own_.model))))
            body.emplace("include", JsonArray{"reasoning.encrypted_content"});
        add_temperature(body, options);
        if (const auto max_tokens = options.max_tokens ? options.max_tokens : own_.max_tokens)
            body.emplace("max_output_tokens", *max_tokens);
        add_tools(body, options, *tools, [](JsonObject tool) { return of_type("function", nullptr, std::move(tool)); });
        if (options.response_schema) {
            JsonObject format = of_type("json_schema", nullptr, schema_of_answer(*options.response_schema));
            body.emplace("text", JsonObject{{"format", std::move(format)}});
        }
        static_cast<void>(add_stream(body, options));
        const auto new_writer = [this](const ToolNames* names) {
            return std::make_unique<openai_responses_detail::ItemsWriter>(names, is_kept_);
        };
        return written(
            std::move(body), "input",
            [&](codec::Encoder& e) {
                provider_detail::write_messages(e, "input", messages, options, tools, new_writer);
            },
            tools->text);
    }

    [[nodiscard]] ChatCompletion read(const Json& body, const ParseOptions& /*options*/) const override {
        const std::string status = base::text_member(body, "status");
        if (status == "cancelled" || status == "canceled" || status == "queued" || status == "in_progress")
            throw_reply("its status is " + status);
        ChatCompletion out;
        std::string finish = finish_of(body, status);
        out.message = message_of(body, finish);
        out.usage = provider_detail::usage_of(body);
        out.model = base::text_member(body, "model");
        const bool has_calls = out.message.tool_calls && !out.message.tool_calls->empty();
        out.finish_reason = finish == "stop" && has_calls ? "tool_calls" : std::move(finish);
        return out;
    }
    [[nodiscard]] std::unique_ptr<provider_detail::StreamedBody> new_stream() const override {
        return std::make_unique<StreamedResponse>();
    }
    [[nodiscard]] bool may_be_plain(const ChatModelError& error) const override {
        return error.fault() == ChatModelFault::status && error.status() < 500 &&
               provider_detail::says(provider_detail::Word::cipher, provider_detail::lower_case(error.what()));
    }

private:
    /// Returns whether a model is not one of those that OpenAI documents as models without reasoning.
    [[nodiscard]] static bool encrypts(std::string_view model) {
        model = model.substr(model.find_last_of('/') + 1);
        return !model.starts_with("gpt-4") && !model.starts_with("gpt-3") && !model.starts_with("chatgpt");
    }

    [[nodiscard]] static std::string finish_of(const Json& body, const std::string& status) {
        const Json* const details = member(body, "incomplete_details");
        const std::string why = details == nullptr ? std::string() : base::text_member(*details, "reason");
        if (!why.empty()) return chat_extension::finish_word(why);
        if (status == "incomplete") return status;
        const Json* const output = member(body, "output");
        const auto refuses = [](const Json& item) {
            const Json* const content = member(item, "content");
            return content != nullptr && content->is_array() && std::ranges::any_of(*content, [](const Json& part) {
                       return base::text_member(part, "type") == "refusal";
                   });
        };
        return output != nullptr && std::ranges::any_of(*output, refuses) ? "refusal" : "stop";
    }

    /// Makes arguments that cannot be read, or that the end of the answer cut off, arguments that say so.
    static void normalise_arguments(Json& item, bool may_be_cut) {
        const std::string type = base::text_member(item, "type");
        if (type != "function_call") return;
        if (base::text_member(item, "call_id").empty()) item["call_id"] = id_text(member(item, "id"));
        Json& arguments = item["arguments"];
        if (arguments.is_null()) arguments = "";
        const bool is_blank = (arguments.is_object() && arguments.empty()) ||
                              (arguments.is_string() && ascii::is_blank(base::text_of(arguments)));
        const bool is_incomplete = base::text_member(item, "status") == "incomplete";
        if (is_blank && (may_be_cut || is_incomplete))
            arguments = Json(chat_extension::unreadable({}));
        else if (!is_blank)
            chat_extension::keep_if_unreadable(arguments);
    }

    /// All items of an answer are one message: it may say several texts.
    [[nodiscard]] static AssistantChatMessage message_of(const Json& body, std::string_view finish) {
        const Json* const output = member(body, "output");
        if (output == nullptr || !output->is_array()) throw_reply("it has no output");
        Json items = *output;
        std::size_t left = items.size();
        for (Json& item : items) normalise_arguments(item, --left == 0 && is_cut(finish));
        try {
            return to_assistant_message(openai_responses_detail::read_answer(items));
        } catch (const ValidationError& error) {
            throw_reply("output.", error);
        }
    }

    std::size_t max_description_;
    bool is_kept_ = false;  // the items of answers, by the server
};

}  // namespace acta::inline ACTA_ABI::openai_detail

namespace acta::inline ACTA_ABI::openai {

ACTA_INLINE ChatCodec::ChatCodec(const Options& options)
    : HttpChatCodec([&] {
          auto state = provider_detail::codec_state(options, openai_detail::api_rules(options, "/chat/completions"));
          state->api =
              std::make_unique<openai_detail::ChatApi>(options, openai_detail::traits_of(options, state->host));
          return state;
      }()) {}

ACTA_INLINE ResponsesCodec::ResponsesCodec(const Options& options)
    : HttpChatCodec([&] {
          auto state = provider_detail::codec_state(options, openai_detail::api_rules(options, "/responses"));
          state->api =
              std::make_unique<openai_detail::ResponsesApi>(options, openai_detail::traits_of(options, state->host));
          return state;
      }()) {}

}  // namespace acta::inline ACTA_ABI::openai
