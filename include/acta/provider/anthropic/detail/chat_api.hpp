// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/chat/extension.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/anthropic/chat_model.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/detail/api.hpp"

namespace acta::inline ACTA_ABI::anthropic_detail {

/// Assembles the events of a stream into the message that would have come without streaming (guide "Streaming
/// Messages"). Linear in the size of the stream.
class StreamedMessage final : public provider_detail::StreamedBody {
public:
    std::string add(const Json& event) override {
        using provider_detail::member;
        if (!event.is_object()) provider_detail::throw_reply("a part of the stream is not an object");
        const std::string type = provider_detail::text_member(event, "type");
        if (type == "message_start") {
            const Json* const message = member(event, "message");
            if (message == nullptr || !message->is_object()) provider_detail::throw_reply("the stream has no message");
            body_ = *message;
        } else if (type == "content_block_start") {
            return begin_block(event);
        } else if (type == "content_block_delta") {
            return add_delta(event);
        } else if (type == "message_delta") {
            if (const Json* const delta = member(event, "delta")) merge(body_, *delta);
            if (const Json* const usage = member(event, "usage")) {
                if (!body_["usage"].is_object()) body_["usage"] = JsonObject();
                merge(body_["usage"], *usage);
            }
            finished_ = true;
        } else if (type == "message_stop") {
            complete_ = true;
        }
        return {};
    }
    [[nodiscard]] bool is_finished() const noexcept override { return finished_; }
    [[nodiscard]] bool is_complete() const noexcept override { return complete_; }
    [[nodiscard]] Json take() override {
        JsonArray content;
        for (Block& block : blocks_) {
            if (!block.input.empty()) block.json["input"] = read_input(block.input);
            content.push_back(std::move(block.json));
        }
        body_["content"] = std::move(content);
        return std::move(body_);
    }

private:
    struct Block {
        Json json{};
        std::string input{};  // of a call, as JSON
    };

    /// Replaces members; null changes nothing.
    static void merge(Json& into, const Json& from) {
        if (!from.is_object()) return;
        for (const auto& [key, value] : from.items()) {
            if (!value.is_null()) into[key] = value;
        }
    }

    std::string begin_block(const Json& event) {
        constexpr std::size_t most_blocks = 10'000;
        const Json* const block = provider_detail::member(event, "content_block");
        if (block == nullptr || !block->is_object()) provider_detail::throw_reply("a part of the stream has no block");
        if (blocks_.size() == most_blocks) provider_detail::throw_reply("it has more than 10000 blocks");
        blocks_.push_back({*block, {}});
        return provider_detail::text_member(*block, "type") == "text" ? provider_detail::text_member(*block, "text")
                                                                      : std::string();
    }

    std::string add_delta(const Json& event) {
        using provider_detail::text_member;
        const Json* const delta = provider_detail::member(event, "delta");
        const std::int64_t index = provider_detail::count_member(event, "index");
        if (delta == nullptr || index < 0 || static_cast<std::size_t>(index) >= blocks_.size())
            provider_detail::throw_reply("a part of the stream is of no block");
        Block& block = blocks_[static_cast<std::size_t>(index)];
        const std::string type = text_member(*delta, "type");
        if (type == "text_delta") {
            append(block.json["text"], text_member(*delta, "text"));
            return text_member(*delta, "text");
        }
        if (type == "thinking_delta") append(block.json["thinking"], text_member(*delta, "thinking"));
        if (type == "signature_delta") append(block.json["signature"], text_member(*delta, "signature"));
        if (type == "input_json_delta") block.input += text_member(*delta, "partial_json");
        if (const Json* const citation = provider_detail::member(*delta, "citation")) {
            if (!block.json["citations"].is_array()) block.json["citations"] = JsonArray();
            block.json["citations"].push_back(*citation);
        }
        return {};
    }
    static void append(Json& to, const std::string& text) {
        if (to.is_string())
            to.get_ref<std::string&>() += text;
        else
            to = text;
    }

    /// Returns the input of a call; its text if it is no JSON.
    static Json read_input(const std::string& text) {
        try {
            return parse<Json>(text);
        } catch (const ValidationError&) {
            return text;
        }
    }

    Json body_ = JsonObject();
    std::vector<Block> blocks_{};
    bool finished_ = false;
    bool complete_ = false;
};

}  // namespace acta::inline ACTA_ABI::anthropic_detail

// Anthropic's Messages API (API reference, "Messages").
namespace acta::inline ACTA_ABI::anthropic_detail {

[[nodiscard]] inline provider_detail::Settings settings_of(const anthropic::Options& options) {
    provider_detail::Settings out = provider_detail::settings_of(options);
    out.path = "/messages";
    out.key_variable = "ANTHROPIC_API_KEY";
    out.key_header = "x-api-key";
    out.options_name = "anthropic::Options";
    out.own_headers = {{"anthropic-version", options.version}, {"anthropic-beta", options.beta}};
    return out;
}

class ChatApi final : public provider_detail::Api {
public:
    explicit ChatApi(const anthropic::Options& options) : options_(options) {
        options_.api_key.reset();
        options_.headers.clear();
    }

    [[nodiscard]] std::string request_body(std::span<const ChatMessage> messages, const ChatOptions& options,
                                           const ToolNames& names) const override {
        JsonObject body;
        const std::string& model = options.model ? *options.model : options_.model;
        if (!model.empty()) body.emplace("model", model);
        body.emplace("max_tokens", options.max_tokens.value_or(options_.max_tokens));
        add_tools(body, options, names);
        for (auto& [key, value] : anthropic::to_wire(provider_detail::Renamed(messages, names).messages()))
            body.emplace(key, std::move(value));
        if (options_.cache) mark_for_cache(body);
        if (const auto temperature = options.temperature ? options.temperature : options_.temperature)
            body.emplace("temperature", *temperature);
        if (options.response_schema) {
            JsonObject format;
            format.emplace("type", "json_schema");
            format["schema"] = *options.response_schema;
            body.emplace("output_config", JsonObject{{"format", std::move(format)}});
        }
        if (options.on_text) body.emplace("stream", true);
        for (const auto& [key, value] : options_.extra) body[key] = value;
        return dump(body);
    }

    [[nodiscard]] ChatCompletion read(const Json& body, const ParseOptions& /*options*/) const override {
        ChatCompletion out;
        out.message = message_of(body);
        out.usage = usage_of(body);
        out.model = provider_detail::text_member(body, "model");
        out.finish_reason = finish_reason(provider_detail::text_member(body, "stop_reason"));
        return out;
    }
    [[nodiscard]] std::unique_ptr<provider_detail::StreamedBody> new_stream() const override {
        return std::make_unique<StreamedMessage>();
    }

private:
    static void add_tools(JsonObject& body, const ChatOptions& options, const ToolNames& names) {
        if (options.tools.empty()) return;
        JsonArray tools;
        for (const ToolDefinition& tool : options.tools) {
            JsonObject entry;
            entry.emplace("name", *names.find_tool(tool.name));
            if (!tool.description.empty()) entry.emplace("description", tool.description);
            entry["input_schema"] = tool.parameters;
            tools.emplace_back(std::move(entry));
        }
        body.emplace("tools", std::move(tools));
        if (options.tool_choice != ToolChoice::automatic) {
            const char* const type = options.tool_choice == ToolChoice::none ? "none" : "any";
            body.emplace("tool_choice", JsonObject{{"type", type}});
        }
    }

    /// Returns how many of these blocks, and of those in them, have marks.
    [[nodiscard]] static std::size_t marks_in(const Json& blocks) {
        std::size_t marks = 0;
        if (!blocks.is_array()) return marks;
        for (const Json& block : blocks) {
            if (provider_detail::member(block, "cache_control") != nullptr) ++marks;
            if (const Json* const inner = provider_detail::member(block, "content")) marks += marks_in(*inner);
        }
        return marks;
    }

    /// A mark caches everything before it, in the order of tools, instructions and messages. The one on the newest
    /// message is found again by the next request, whose beginning is the same. The API takes four marks.
    static void mark_for_cache(JsonObject& body) {
        std::size_t marks = 0;
        for (const char* const of : {"tools", "system", "messages"}) {
            if (const auto blocks = body.find(of); blocks != body.end()) marks += marks_in(blocks->second);
        }
        if (marks > 2) return;
        const auto system = body.find("system");
        if (system != body.end() && system->second.is_string()) {
            JsonObject text;
            text.emplace("type", "text");
            text["text"] = std::move(system->second);
            system->second = JsonArray{Json(std::move(text))};
        }
        if (system != body.end())
            mark_last(system->second);
        else if (const auto tools = body.find("tools"); tools != body.end())
            mark_last(tools->second);
        const auto messages = body.find("messages");
        if (messages == body.end() || messages->second.empty()) return;
        Json& content = messages->second.back()["content"];
        if (content.is_string()) {
            JsonObject text;
            text.emplace("type", "text");
            text["text"] = std::move(content);
            content = JsonArray{Json(std::move(text))};
        }
        mark_last(content);
    }
    static void mark_last(Json& blocks) {
        if (!blocks.is_array() || blocks.empty() || !blocks.back().is_object()) return;
        const std::string type = provider_detail::text_member(blocks.back(), "type");
        if (type == "thinking" || type == "redacted_thinking") return;  // the API refuses it there
        if (!blocks.back().contains("cache_control"))
            blocks.back()["cache_control"] = JsonObject{{"type", "ephemeral"}};
    }

    [[nodiscard]] static AssistantChatMessage message_of(const Json& body) {
        const Json* const content = provider_detail::member(body, "content");
        if (content == nullptr || !content->is_array()) provider_detail::throw_reply("it has no content");
        JsonObject message;
        message.emplace("role", "assistant");
        message["content"] = *content;
        for (Json& block : message["content"]) {
            if (provider_detail::text_member(block, "type") == "tool_use") keep_readable(block);
        }
        std::vector<ChatMessage> read;
        try {
            read = anthropic::from_wire(Json(std::move(message)));
        } catch (const ValidationError& error) {
            provider_detail::throw_reply("", error);
        }
        return read.empty() ? AssistantChatMessage() : to_assistant_message(std::move(read.front()));
    }
    /// An input that is no object, as in a stream that was cut at `max_tokens`.
    static void keep_readable(Json& call) {
        const auto input = call.find("input");
        if (input == call.end() || input->is_object() || input->is_null()) return;
        const std::string text = input->is_string() ? input->get<std::string>() : dump(*input);
        *input = Json(chat_extension::unreadable(text));
    }

    [[nodiscard]] static std::optional<TokenUsage> usage_of(const Json& body) {
        const Json* const usage = provider_detail::member(body, "usage");
        if (usage == nullptr || !usage->is_object()) return std::nullopt;
        const auto some = [usage](const char* key) -> std::optional<std::int64_t> {
            if (provider_detail::member(*usage, key) == nullptr) return std::nullopt;
            return provider_detail::count_member(*usage, key);
        };
        TokenUsage out;
        out.cached_tokens = some("cache_read_input_tokens");
        out.cache_write_tokens = some("cache_creation_input_tokens");
        // The API counts the tokens from and for the cache apart.
        out.prompt_tokens =
            base::saturated_sum(provider_detail::count_member(*usage, "input_tokens"),
                                base::saturated_sum(out.cached_tokens.value_or(0), out.cache_write_tokens.value_or(0)));
        out.completion_tokens = provider_detail::count_member(*usage, "output_tokens");
        return out;
    }

    [[nodiscard]] static std::string finish_reason(const std::string& reason) {
        if (reason == "end_turn" || reason == "stop_sequence") return "stop";
        if (reason == "tool_use") return "tool_calls";
        if (reason == "max_tokens" || reason == "model_context_window_exceeded") return "length";
        return reason;
    }

    anthropic::Options options_;
};

}  // namespace acta::inline ACTA_ABI::anthropic_detail
