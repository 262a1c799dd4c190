// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
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
#include "acta/provider/openai/chat_model.hpp"
#include "acta/provider/openai/wire.hpp"

namespace acta::inline ACTA_ABI::openai_detail {

using provider_detail::count_member;
using provider_detail::detail_count;
using provider_detail::member;
using provider_detail::text_member;
using provider_detail::throw_reply;

/// Removes empty lists from the server's additions to the message: OpenAI's has `annotations` in every answer.
inline void drop_empty(JsonObject& extra) {
    const auto own = extra.find("openai");
    if (own == extra.end() || !own->second.is_object()) return;
    auto& members = own->second.get_ref<Json::object_t&>();
    for (auto one = members.begin(); one != members.end();) {
        const bool is_empty = one->second.is_array() && one->second.empty();
        one = is_empty ? members.erase(one) : std::next(one);
    }
    if (members.empty()) extra.erase(own);
}

/// Returns the message of an answer. Throws `ChatModelError` (`reply`) if it is not one.
[[nodiscard]] inline AssistantChatMessage assistant_message(const Json& message, const ParseOptions& options) {
    Json said = message;
    base::assign(said, "role", base::text_json("assistant"));
    chat_extension::keep_unreadable_arguments(said);
    ChatMessage read;
    try {
        read = validate<ChatMessage>(said, options);
    } catch (const ValidationError& error) {
        throw_reply("choices[0].message.", error);
    }
    const auto is_text = [](const ContentPart& part) { return part.type == "text" && part.extra.empty(); };
    if (std::ranges::all_of(read.parts, is_text)) read.parts.clear();
    std::size_t i = 0;
    for (AssistantToolCall& call : read.tool_calls) {
        // A result names its call, so the call needs an id.
        if (call.id.empty()) call.id = "call_" + std::to_string(i);
        ++i;
    }
    drop_empty(read.extra);
    AssistantChatMessage out = to_assistant_message(std::move(read));
    take_reasoning(out, std::exchange(out.reasoning_content, std::nullopt));
    return out;
}

[[nodiscard]] inline std::optional<TokenUsage> token_usage(const Json& body) {
    const Json* const usage = member(body, "usage");
    if (usage == nullptr || !usage->is_object()) return std::nullopt;
    return TokenUsage{.prompt_tokens = count_member(*usage, "prompt_tokens"),
                      .completion_tokens = count_member(*usage, "completion_tokens"),
                      .cached_tokens = detail_count(*usage, "prompt_tokens_details", "cached_tokens"),
                      .reasoning_tokens = detail_count(*usage, "completion_tokens_details", "reasoning_tokens")};
}

/// Returns the completion in the body of an answer (https://platform.openai.com/docs/api-reference/chat/object). Throws
/// `ChatModelError` (`reply`) if there is none.
[[nodiscard]] inline ChatCompletion read_completion(const Json& body, const ParseOptions& options) {
    const Json* const choices = member(body, "choices");
    if (choices == nullptr || !choices->is_array() || choices->empty()) throw_reply("it has no choices");
    const Json& choice = choices->front();
    const Json* const message = member(choice, "message");
    if (message == nullptr || !message->is_object()) throw_reply("choices[0] has no message");
    ChatCompletion out;
    out.message = assistant_message(*message, options);
    out.usage = token_usage(body);
    out.finish_reason = text_member(choice, "finish_reason");
    if (!text_member(*message, "refusal").empty()) out.finish_reason = "refusal";
    out.model = text_member(body, "model");
    return out;
}

}  // namespace acta::inline ACTA_ABI::openai_detail

namespace acta::inline ACTA_ABI::openai_detail {

/// Returns whether a schema obeys OpenAI's rules for strict answers as far as they can be checked here: every object is
/// closed, every key is required, and there are no defaults
/// (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas).
[[nodiscard]] inline bool is_strict_schema(const Json& schema) {
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
[[nodiscard]] inline JsonObject function_of(const ToolDefinition& tool, const ToolNames& names) {
    JsonObject function;
    function.emplace("name", *names.find_tool(tool.name));
    if (!tool.description.empty()) function.emplace("description", tool.description);
    function["parameters"] = tool.parameters;
    return function;
}
/// The schema of an answer, in the same places.
[[nodiscard]] inline JsonObject schema_of_answer(const Json& schema) {
    JsonObject out;
    out.emplace("name", "answer");
    out["schema"] = schema;
    out.emplace("strict", is_strict_schema(schema));
    return out;
}
/// Returns `{"type": type, key: members}`, or without a key an object of the type with these members.
[[nodiscard]] inline JsonObject of_type(const char* type, const char* key, JsonObject members) {
    JsonObject out;
    out.emplace("type", type);
    if (key != nullptr)
        out.emplace(key, std::move(members));
    else
        for (auto& [name, value] : members) out.emplace(name, std::move(value));
    return out;
}

/// Adds the tools, each as `entry` has it.
template <class Entry>
void add_tools(JsonObject& body, const ChatOptions& options, const Entry& entry) {
    if (options.tools.empty()) return;
    JsonArray tools;
    for (const ToolDefinition& tool : options.tools) tools.emplace_back(entry(tool));
    body.emplace("tools", std::move(tools));
    if (options.tool_choice != ToolChoice::automatic)
        body.emplace("tool_choice", options.tool_choice == ToolChoice::none ? "none" : "required");
}

/// Returns the body of a request (https://platform.openai.com/docs/api-reference/chat/create). Throws `EncodeError`
/// if a text is not valid UTF-8. `names` has every name of a tool in the messages and the options.
[[nodiscard]] inline std::string request_body(const openai::Options& settings, const std::string& max_tokens_key,
                                              openai::SendReasoning reasoning, std::span<const ChatMessage> messages,
                                              const ChatOptions& options, const ToolNames& names) {
    JsonObject body;
    const std::string& model = options.model ? *options.model : settings.model;
    if (!model.empty()) body.emplace("model", model);
    body.emplace("messages", openai::to_wire(provider_detail::Renamed(messages, names).messages(), reasoning));
    if (const auto temperature = options.temperature ? options.temperature : settings.temperature)
        body.emplace("temperature", *temperature);
    if (const auto max_tokens = options.max_tokens ? options.max_tokens : settings.max_tokens)
        body.emplace(max_tokens_key, *max_tokens);
    add_tools(body, options,
              [&](const ToolDefinition& tool) { return of_type("function", "function", function_of(tool, names)); });
    if (options.response_schema)
        body.emplace("response_format",
                     of_type("json_schema", "json_schema", schema_of_answer(*options.response_schema)));
    if (options.on_text) {
        body.emplace("stream", true);
        if (settings.stream_usage) body.emplace("stream_options", JsonObject{{"include_usage", true}});
    }
    for (const auto& [key, value] : settings.extra) body[key] = value;
    return dump(body);
}

}  // namespace acta::inline ACTA_ABI::openai_detail

namespace acta::inline ACTA_ABI::openai_detail {

/// Assembles the chunks of a stream into the answer that would have come without streaming
/// (https://platform.openai.com/docs/api-reference/chat-streaming). Linear in the size of the stream.
class StreamedAnswer final : public provider_detail::StreamedBody {
public:
    /// Adds a chunk and returns the new part of the text. Throws `ChatModelError` (`reply`).
    std::string add(const Json& chunk) override {
        if (!chunk.is_object()) throw_reply("a part of the stream is not an object");
        for (const auto& [key, value] : chunk.items()) {
            if (key != "choices") merge(body_, key, value, true);
        }
        std::string text;
        if (const Json* const choices = member(chunk, "choices")) {
            if (!choices->is_array()) throw_reply("the choices of a part of the stream are not a list");
            for (const Json& choice : *choices) {
                const Json* const index = member(choice, "index");
                if (index == nullptr || *index == Json(0)) text += add_choice(choice);
            }
        }
        return text;
    }

    /// Returns whether the model reported that it has finished.
    [[nodiscard]] bool is_finished() const noexcept override { return finished_; }

    /// Returns the body of the answer.
    [[nodiscard]] Json take() override {
        if (!calls_.empty()) message_["tool_calls"] = std::move(calls_);
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
    std::string add_choice(const Json& choice) {
        for (const auto& [key, value] : choice.items()) {
            if (key != "delta" && key != "index") merge(choice_, key, value, true);
        }
        if (member(choice, "finish_reason") != nullptr) finished_ = true;
        const Json* const delta = member(choice, "delta");
        if (delta == nullptr) return {};
        if (!delta->is_object()) throw_reply("the delta of a part of the stream is not an object");
        for (const auto& [key, value] : delta->items()) {
            if (key == "tool_calls")
                add_calls(value);
            else
                merge(message_, key, value, key == "role");
        }
        return text_member(*delta, "content");
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

    void add_calls(const Json& calls) {
        if (calls.is_null()) return;
        if (!calls.is_array()) throw_reply("the tool calls of a part of the stream are not a list");
        for (const Json& one : calls) {
            if (!one.is_object()) throw_reply("a tool call of a part of the stream is not an object");
            auto& call = call_of(one).get_ref<Json::object_t&>();
            for (const auto& [key, value] : one.items()) {
                if (key == "function" && value.is_object())
                    add_function(call["function"], value);
                else if (key != "index")
                    merge(call, key, value, true);
            }
        }
    }
    static void add_function(Json& function, const Json& part) {
        if (!function.is_object()) function = JsonObject();
        auto& fields = function.get_ref<Json::object_t&>();
        for (const auto& [key, value] : part.items()) merge(fields, key, value, key == "name");
    }

    /// Returns the call that a part belongs to: by index, or without one the newest, unless the part has another id.
    Json& call_of(const Json& part) {
        const Json* const index = member(part, "index");
        if (index == nullptr) {
            const std::string id = text_member(part, "id");
            const bool same = !calls_.empty() && (id.empty() || text_member(calls_.back(), "id") == id);
            return same ? calls_.back() : calls_.emplace_back(JsonObject());
        }
        if (!index->is_number_integer()) throw_reply("the index of a tool call is not a number");
        const auto [place, is_new] = places_.emplace(index->get<std::int64_t>(), calls_.size());
        return is_new ? calls_.emplace_back(JsonObject()) : calls_[place->second];
    }

    JsonObject body_{};
    JsonObject choice_{};
    JsonObject message_{};
    JsonArray calls_{};
    std::map<std::int64_t, std::size_t> places_{};  // of the calls, by their index
    bool finished_ = false;
};

}  // namespace acta::inline ACTA_ABI::openai_detail

// OpenAI's chat completions.
namespace acta::inline ACTA_ABI::openai_detail {

/// What a server wants, unless the options say otherwise.
struct HostRules {
    std::string_view max_tokens_key = "max_tokens";
    openai::SendReasoning reasoning = openai::SendReasoning::with_calls;
};

/// OpenAI's own models refuse `max_tokens` and ignore reasoning that is sent back; other servers have no other key, and
/// their models go on from the reasoning of the calls.
[[nodiscard]] inline HostRules rules_of(std::string_view host) noexcept {
    return host == "api.openai.com" ? HostRules{"max_completion_tokens", openai::SendReasoning::never} : HostRules{};
}

/// The settings of OpenAI's clients.
[[nodiscard]] inline provider_detail::Settings settings_of(const openai::Options& options, const char* path) {
    provider_detail::Settings out = provider_detail::settings_of(options);
    out.path = path;
    out.key_variable = "OPENAI_API_KEY";
    out.key_header = "Authorization";
    out.key_prefix = "Bearer ";
    out.options_name = "openai::Options";
    out.own_headers = {{"OpenAI-Organization", options.organization}, {"OpenAI-Project", options.project}};
    return out;
}

class ChatApi final : public provider_detail::Api {
public:
    explicit ChatApi(const openai::Options& options, const HostRules& rules)
        : options_(options),
          max_tokens_key_(options.max_tokens_key.empty() ? std::string(rules.max_tokens_key) : options.max_tokens_key),
          reasoning_(options.send_reasoning.value_or(rules.reasoning)) {
        options_.api_key.reset();
        options_.headers.clear();
    }

    [[nodiscard]] std::string request_body(std::span<const ChatMessage> messages, const ChatOptions& options,
                                           const ToolNames& names) const override {
        return openai_detail::request_body(options_, max_tokens_key_, reasoning_, messages, options, names);
    }
    [[nodiscard]] ChatCompletion read(const Json& body, const ParseOptions& options) const override {
        return read_completion(body, options);
    }
    [[nodiscard]] std::unique_ptr<provider_detail::StreamedBody> new_stream() const override {
        return std::make_unique<StreamedAnswer>();
    }

private:
    openai::Options options_;
    std::string max_tokens_key_;
    openai::SendReasoning reasoning_;
};

}  // namespace acta::inline ACTA_ABI::openai_detail

// OpenAI's Responses API (https://platform.openai.com/docs/api-reference/responses).
namespace acta::inline ACTA_ABI::openai_detail {

/// The events of a stream. The last one has the whole answer.
class StreamedResponse final : public provider_detail::StreamedBody {
public:
    std::string add(const Json& event) override {
        const std::string type = text_member(event, "type");
        if (type == "response.output_text.delta" || type == "response.refusal.delta")
            return text_member(event, "delta");
        if (type != "response.completed" && type != "response.incomplete" && type != "response.failed") return {};
        const Json* const response = member(event, "response");
        if (response == nullptr || !response->is_object()) throw_reply("the last part of the stream has no response");
        body_ = *response;
        return {};
    }
    [[nodiscard]] bool is_finished() const noexcept override { return !body_.is_null(); }
    [[nodiscard]] bool is_complete() const noexcept override { return is_finished(); }
    [[nodiscard]] Json take() override { return std::move(body_); }

private:
    Json body_{};
};

class ResponsesApi final : public provider_detail::Api {
public:
    explicit ResponsesApi(const openai::Options& options) : options_(options) {
        options_.api_key.reset();
        options_.headers.clear();
    }

    [[nodiscard]] std::string request_body(std::span<const ChatMessage> messages, const ChatOptions& options,
                                           const ToolNames& names) const override {
        JsonObject body;
        const std::string& model = options.model ? *options.model : options_.model;
        if (!model.empty()) body.emplace("model", model);
        body.emplace("input", openai::responses::to_wire(provider_detail::Renamed(messages, names).messages()));
        // The history has everything, so the server need not keep it, and reasoning comes back encrypted.
        body.emplace("store", false);
        body.emplace("include", JsonArray{"reasoning.encrypted_content"});
        if (const auto temperature = options.temperature ? options.temperature : options_.temperature)
            body.emplace("temperature", *temperature);
        if (const auto max_tokens = options.max_tokens ? options.max_tokens : options_.max_tokens)
            body.emplace("max_output_tokens", *max_tokens);
        add_tools(body, options, [&](const ToolDefinition& tool) {
            JsonObject function = function_of(tool, names);
            function.emplace("strict", false);  // it is true if it is missing, which few schemas fit
            return of_type("function", nullptr, std::move(function));
        });
        if (options.response_schema) {
            JsonObject format = of_type("json_schema", nullptr, schema_of_answer(*options.response_schema));
            body.emplace("text", JsonObject{{"format", std::move(format)}});
        }
        if (options.on_text) body.emplace("stream", true);
        for (const auto& [key, value] : options_.extra) body[key] = value;
        return dump(body);
    }

    [[nodiscard]] ChatCompletion read(const Json& body, const ParseOptions& /*options*/) const override {
        const std::string status = text_member(body, "status");
        if (status == "failed") throw_failed(body);
        ChatCompletion out;
        out.message = message_of(body);
        out.usage = usage_of(body);
        out.model = text_member(body, "model");
        const bool calls = out.message.tool_calls && !out.message.tool_calls->empty();
        out.finish_reason = calls ? "tool_calls" : "stop";
        if (const Json* const details = member(body, "incomplete_details")) {
            const std::string why = text_member(*details, "reason");
            out.finish_reason = why == "max_output_tokens" ? "length" : why;
        }
        return out;
    }
    [[nodiscard]] std::unique_ptr<provider_detail::StreamedBody> new_stream() const override {
        return std::make_unique<StreamedResponse>();
    }

private:
    /// All items of an answer are one message: it may say several texts.
    static AssistantChatMessage message_of(const Json& body) {
        const Json* const output = member(body, "output");
        if (output == nullptr || !output->is_array()) throw_reply("it has no output");
        std::vector<ChatMessage> said;
        try {
            said = openai::responses::from_wire(body);
        } catch (const ValidationError& error) {
            throw_reply("", error);
        }
        std::erase_if(said, [](const ChatMessage& one) { return one.role != ChatRole::assistant; });
        if (said.empty()) return {};
        if (said.size() > 1) throw_reply("it has " + std::to_string(said.size()) + " messages");
        return to_assistant_message(std::move(said.front()));
    }
    static std::optional<TokenUsage> usage_of(const Json& body) {
        const Json* const usage = member(body, "usage");
        if (usage == nullptr || !usage->is_object()) return std::nullopt;
        return TokenUsage{.prompt_tokens = count_member(*usage, "input_tokens"),
                          .completion_tokens = count_member(*usage, "output_tokens"),
                          .cached_tokens = detail_count(*usage, "input_tokens_details", "cached_tokens"),
                          .reasoning_tokens = detail_count(*usage, "output_tokens_details", "reasoning_tokens")};
    }
    [[noreturn]] static void throw_failed(const Json& body) {
        const provider_detail::ServerError said = provider_detail::server_error(body);
        ChatModelFailure failure{.fault = ChatModelFault::status,
                                 .code = provider_detail::quoted_text(said.code),
                                 .is_transient = said.code == "server_error" || said.code == "rate_limit_exceeded"};
        provider_detail::mark_context_too_long(failure, said);
        throw ChatModelError("the server says \"" + provider_detail::quoted_text(said.message) + "\"",
                             std::move(failure));
    }

    openai::Options options_;
};

}  // namespace acta::inline ACTA_ABI::openai_detail
