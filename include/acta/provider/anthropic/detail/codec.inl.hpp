// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/chat/extension.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/anthropic/detail/wire.inl.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/detail/api.hpp"
#include "acta/provider/detail/kept_messages.hpp"

namespace acta::inline ACTA_ABI::anthropic_detail {

using provider_detail::count_member;
using provider_detail::id_text;
using provider_detail::member;
using provider_detail::throw_reply;

/// Assembles the events of a stream into the message that would have come without streaming (guide "Streaming
/// Messages"). Linear in the size of the stream.
class StreamedMessage final : public provider_detail::StreamedBody {
public:
    void add(const Json& event, std::vector<ChatDelta>& deltas) override {
        if (!event.is_object()) throw_reply("a part of the stream is not an object");
        const std::string type = base::text_member(event, "type");
        if (type == "message_start") {
            const Json* const message = member(event, "message");
            if (message == nullptr || !message->is_object()) throw_reply("the stream has no message");
            body_ = *message;
        } else if (type == "content_block_start") {
            begin_block(event, deltas);
        } else if (type == "content_block_delta") {
            add_delta(event, deltas);
        } else if (type == "message_delta") {
            const Json* const delta = member(event, "delta");
            if (delta != nullptr) merge(body_, *delta);
            if (const Json* const usage = member(event, "usage")) chat_extension::merge_usage(body_["usage"], *usage);
            finished_ = finished_ || (delta != nullptr && !base::text_member(*delta, "stop_reason").empty());
        } else if (type == "message_stop") {
            complete_ = true;
        }
    }
    [[nodiscard]] bool is_finished() const noexcept override { return finished_; }
    [[nodiscard]] bool is_complete() const noexcept override { return complete_; }
    [[nodiscard]] Json take() override {
        JsonArray content;
        for (Block& block : blocks_) {
            if (!ascii::is_blank(block.input)) block.json["input"] = read_input(block.input);
            content.push_back(std::move(block.json));
        }
        body_["content"] = std::move(content);
        return std::move(body_);
    }

private:
    struct Block {
        Json json{};
        std::string input{};   // of a call, as JSON
        std::size_t call = 0;  // its place among the calls
    };

    /// Replaces members; null changes nothing.
    static void merge(Json& into, const Json& from) {
        if (!from.is_object()) return;
        for (const auto& [key, value] : from.items()) {
            if (!value.is_null()) into[key] = value;
        }
    }

    Block& new_block(const Json& event, Json block) {
        constexpr std::size_t most_blocks = 10'000;
        if (blocks_.size() == most_blocks) throw_reply("it has more than 10000 blocks");
        // Some gateways count from 1, or count all blocks as 0.
        places_[id_text(member(event, "index"))] = blocks_.size();
        const bool is_call = base::text_member(block, "type") == "tool_use";
        blocks_.push_back({std::move(block), {}, calls_});
        if (is_call) ++calls_;
        return blocks_.back();
    }

    void begin_block(const Json& event, std::vector<ChatDelta>& deltas) {
        const Json* const given = member(event, "content_block");
        if (given == nullptr || !given->is_object()) throw_reply("a part of the stream has no block");
        const Block& block = new_block(event, *given);
        const std::string type = base::text_member(*given, "type");
        if (type == "text")
            show(base::text_member(*given, "text"), deltas);
        else
            broken_ = true;
        if (type == "thinking" && !base::text_member(*given, "thinking").empty())
            deltas.emplace_back(ReasoningDelta{base::text_member(*given, "thinking")});
        if (type == "tool_use") deltas.emplace_back(call_delta(block, {}));
    }
    [[nodiscard]] static CallDelta call_delta(const Block& block, std::string arguments) {
        return {block.call, base::text_member(block.json, "id"), base::text_member(block.json, "name"),
                std::move(arguments)};
    }
    /// Texts with another block between them are lines, as in the message.
    void show(std::string text, std::vector<ChatDelta>& deltas) {
        if (text.empty()) return;
        if (std::exchange(broken_, false) && has_shown_) text.insert(0, "\n");
        has_shown_ = true;
        deltas.emplace_back(TextDelta{std::move(text)});
    }

    Block& block_of(const Json& event, std::string_view type) {
        const auto found = places_.find(id_text(member(event, "index")));
        if (found != places_.end()) return blocks_[found->second];
        // Some gateways do not say where texts begin.
        if (type != "text_delta" && type != "thinking_delta") throw_reply("a part of the stream belongs to no block");
        JsonObject block;
        const std::string_view of = type == "text_delta" ? "text" : "thinking";
        base::put(block, "type", base::text_json(of));
        base::put(block, of, base::text_json({}));
        return new_block(event, Json(std::move(block)));
    }

    void add_delta(const Json& event, std::vector<ChatDelta>& deltas) {
        const Json* const delta = member(event, "delta");
        if (delta == nullptr) throw_reply("a part of the stream belongs to no block");
        const std::string type = base::text_member(*delta, "type");
        Block& block = block_of(event, type);
        if (type == "text_delta") {
            append(block.json["text"], base::text_member(*delta, "text"));
            show(base::text_member(*delta, "text"), deltas);
        }
        if (type == "thinking_delta") {
            append(block.json["thinking"], base::text_member(*delta, "thinking"));
            deltas.emplace_back(ReasoningDelta{base::text_member(*delta, "thinking")});
        }
        if (type == "signature_delta") append(block.json["signature"], base::text_member(*delta, "signature"));
        if (type == "input_json_delta") {
            std::string part = base::text_member(*delta, "partial_json");
            block.input += part;
            if (base::text_member(block.json, "type") == "tool_use" && !part.empty())
                deltas.emplace_back(call_delta(block, std::move(part)));
        }
        if (const Json* const citation = member(*delta, "citation")) {
            if (!block.json["citations"].is_array()) block.json["citations"] = JsonArray();
            block.json["citations"].push_back(*citation);
        }
    }
    static void append(Json& to, const std::string& text) {
        if (to.is_string())
            to.get_ref<std::string&>() += text;
        else
            to = text;
    }

    /// Returns the input of a call; its text if it is not JSON or is an explicit empty object: an empty object is what
    /// the API writes before the input, so that a call that was cut off has it too.
    static Json read_input(const std::string& text) {
        try {
            Json out = parse<Json>(text, {.keep_large_numbers = true});
            return out.empty() ? Json(text) : out;
        } catch (const ValidationError&) {
            return text;
        }
    }

    Json body_ = JsonObject();
    std::vector<Block> blocks_{};
    std::map<std::string, std::size_t, std::less<>> places_{};  // of the blocks, by index
    std::size_t calls_ = 0;
    bool broken_ = false;  // whether another block came after the text that was shown last
    bool has_shown_ = false;
    bool finished_ = false;
    bool complete_ = false;
};

// Anthropic's Messages API (API reference, "Messages").

[[nodiscard]] ACTA_INLINE provider_detail::ApiRules api_rules(const anthropic::Options& options) {
    return {.path = "/messages",
            .key_variable = "ANTHROPIC_API_KEY",
            .key_header = "x-api-key",
            .options_name = "anthropic::Options",
            .headers = {{"anthropic-version", options.version}, {"anthropic-beta", options.beta}}};
}

class ChatApi final : public provider_detail::OptionsApi<anthropic::Options> {
public:
    using OptionsApi::OptionsApi;

    [[nodiscard]] JsonObject tool_entry(const ToolDefinition& tool, const std::string& name) const override {
        JsonObject out;
        out.emplace("name", name);
        if (!tool.description.empty()) out.emplace("description", tool.description);
        out["input_schema"] = provider_detail::parameters_of(tool);
        return out;
    }
    [[nodiscard]] std::string request_body(std::span<const ChatMessage> messages, const ChatOptions& options,
                                           const std::shared_ptr<const provider_detail::RequestTools>& tools,
                                           bool /*plain*/ = false) const override {
        std::string out;
        const auto write_after = [&](chat_extension::KeptRequest::Written& written) {
            std::size_t first = 0;
            const auto kept = provider_detail::take_kept<Conversation>(written, messages, tools, first);
            const std::optional<std::size_t> next = write(out, *kept, messages.subspan(first), options);
            if (next) written = {kept, first + *next};
        };
        if (options.kept != nullptr && options.kept->use(messages.data(), messages.size(), write_after)) return out;
        Conversation all(tools);
        static_cast<void>(write(out, all, messages, options));
        return out;
    }

    [[nodiscard]] ChatCompletion read(const Json& body, const ParseOptions& /*options*/) const override {
        ChatCompletion out;
        out.finish_reason = chat_extension::finish_word(base::text_member(body, "stop_reason"));
        out.message = message_of(body, out.finish_reason);
        out.usage = provider_detail::usage_of(body);
        out.model = base::text_member(body, "model");
        return out;
    }
    [[nodiscard]] std::unique_ptr<provider_detail::StreamedBody> new_stream() const override {
        return std::make_unique<StreamedMessage>();
    }

private:
    /// The messages of a run's requests but the last ones, to which the next request may add.
    struct Conversation : provider_detail::KeptMessages {
        using KeptMessages::KeptMessages;
        static constexpr bool takes_results_alone = true;  // they are all in the message that is not kept

        Writer writer{&tools->names};
        std::string system_text{};
        JsonArray system{};
        std::size_t marks = 0;
    };

    /// Writes a request with messages that follow those of `kept`, and keeps what it can. Returns how many of them are
    /// kept; nothing if what was written of them depends on what follows.
    [[nodiscard]] std::optional<std::size_t> write(std::string& out, Conversation& kept,
                                                   std::span<const ChatMessage> messages,
                                                   const ChatOptions& options) const {
        JsonObject body = new_body(options);
        body.emplace("max_tokens", options.max_tokens.value_or(own_.max_tokens));
        add_tools(body, options, kept.tools->names);
        const provider_detail::OneResultEach one_each(messages);
        Collector collected;
        collected.system_text = kept.system_text;
        collected.system = kept.system;
        for (const ChatMessage& message : one_each.messages()) collected.add(message);
        collected.finish();
        const bool has_user = !collected.messages.empty() && collected.messages.back().is_user;
        const bool is_settled =
            has_user && !one_each.are_changed() && collected.first_user <= collected.messages.back().first;
        if (is_settled) {
            kept.system_text = collected.system_text;
            kept.system = collected.system;
        }
        if (Json system = system_of(collected); !system.is_null()) body.emplace("system", std::move(system));
        body.emplace("messages", nullptr);  // in its place
        const std::string& text = kept.tools->text;
        std::string marked;  // the tools with a mark
        if (own_.cache && mark_for_cache(body, collected.messages, kept.marks))
            marked = text.substr(0, text.size() - 2) + R"(,"cache_control":{"type":"ephemeral"}}])";
        add_temperature(body, options);
        if (options.response_schema) {
            JsonObject format;
            format.emplace("type", "json_schema");
            format["schema"] = *options.response_schema;
            body.emplace("output_config", JsonObject{{"format", std::move(format)}});
        }
        static_cast<void>(add_stream(body, options));
        const std::size_t size = write_messages(kept, collected.messages);
        kept.text += ']';
        out = written(
            std::move(body), "messages", [&](codec::Encoder& e) { e.out.raw(kept.text); },
            marked.empty() ? text : marked);
        if (!is_settled || kept.writer.ids().are_repeated()) return std::nullopt;
        kept.text.resize(size);
        return collected.messages.back().first;
    }

    /// Adds messages to the text, and returns its size without the last one.
    static std::size_t write_messages(Conversation& kept, std::span<const SentMessage> messages) {
        std::size_t size = kept.text.size();
        if (messages.empty()) return size;
        const auto first = messages.first(messages.size() - 1);
        kept.add(provider_detail::array_text("messages", [&](codec::Encoder& e) { kept.writer.write(e, first); }));
        for (const SentMessage& message : first) kept.marks += message.marks();
        size = kept.text.size();
        kept.add(provider_detail::array_text("messages",
                                             [&](codec::Encoder& e) { kept.writer.write_last(e, messages.back()); }));
        return size;
    }

    static void add_tools(JsonObject& body, const ChatOptions& options, const ToolNames& names) {
        const std::string* const one = provider_detail::chosen_tool(options, names);
        if (options.tools.empty()) return;
        body.emplace("tools", nullptr);  // in its place
        if (one != nullptr) {
            body.emplace("tool_choice", JsonObject{{"type", "tool"}, {"name", *one}});
        } else if (options.tool_choice != ToolChoice::automatic) {
            const char* const type = options.tool_choice == ToolChoice::none ? "none" : "any";
            body.emplace("tool_choice", JsonObject{{"type", type}});
        }
    }

    /// Returns how many of these blocks, and of those in them, have marks.
    [[nodiscard]] static std::size_t marks_in(const Json& blocks) {
        std::size_t marks = 0;
        if (!blocks.is_array()) return marks;
        for (const Json& block : blocks) {
            if (member(block, "cache_control") != nullptr) ++marks;
            if (const Json* const inner = member(block, "content")) marks += marks_in(*inner);
        }
        return marks;
    }

    /// A mark caches everything before it, in the order of tools, instructions and messages. The one on the newest
    /// message is found again by the next request, whose beginning is the same. The API takes four marks.
    /// Marks what the body has, beside the `marks` of earlier messages, and returns whether the last of its tools must
    /// be marked, too.
    [[nodiscard]] static bool mark_for_cache(JsonObject& body, std::vector<SentMessage>& messages, std::size_t marks) {
        if (const auto blocks = body.find("system"); blocks != body.end()) marks += marks_in(blocks->second);
        for (const SentMessage& message : messages) marks += message.marks();
        if (marks > 2) return false;
        const auto system = body.find("system");
        if (system != body.end() && system->second.is_string()) {
            JsonObject text;
            text.emplace("type", "text");
            text["text"] = std::move(system->second);
            system->second = JsonArray{Json(std::move(text))};
        }
        if (system != body.end()) mark_last(system->second);
        if (!messages.empty()) {
            Block& last = messages.back().blocks.back();
            last.marked = !last.is_thinking();
        }
        return system == body.end() && body.find("tools") != body.end();
    }
    static void mark_last(Json& blocks) {
        if (!blocks.back().contains("cache_control"))
            blocks.back()["cache_control"] = JsonObject{{"type", "ephemeral"}};
    }

    [[nodiscard]] static AssistantChatMessage message_of(const Json& body, std::string_view finish) {
        const Json* const content = member(body, "content");
        if (content == nullptr || !content->is_array()) throw_reply("it has no content");
        JsonObject message;
        message.emplace("role", "assistant");
        message["content"] = *content;
        std::size_t left = content->size();
        for (Json& block : message["content"]) {
            --left;
            if (base::text_member(block, "type") == "tool_use")
                normalise_call(block, left == 0 && provider_detail::is_cut(finish));
        }
        std::vector<ChatMessage> read;
        try {
            read = anthropic::from_wire(Json(std::move(message)));
        } catch (const ValidationError& error) {
            throw_reply("", error);
        }
        return read.empty() ? AssistantChatMessage() : to_assistant_message(std::move(read.front()));
    }
    /// Makes a call one that can be read. `was_cut` if the answer ended in it: then it must not be run as one without
    /// arguments, unless its input is the text of an empty object.
    static void normalise_call(Json& call, bool was_cut) {
        if (const Json* const id = member(call, "id"); id != nullptr && !id->is_string()) call["id"] = id_text(id);
        Json& input = call["input"];
        if (input.is_null()) input = JsonObject();
        const bool is_blank = input.empty() || (input.is_string() && ascii::is_blank(base::text_of(input)));
        if (was_cut && is_blank)
            input = Json(chat_extension::unreadable({}));
        else
            chat_extension::keep_if_unreadable(input);
    }
};

}  // namespace acta::inline ACTA_ABI::anthropic_detail

namespace acta::inline ACTA_ABI::anthropic {

ACTA_INLINE ChatCodec::ChatCodec(const Options& options)
    : HttpChatCodec([&] {
          auto state = provider_detail::codec_state(options, anthropic_detail::api_rules(options));
          state->api = std::make_unique<anthropic_detail::ChatApi>(options);
          return state;
      }()) {}

}  // namespace acta::inline ACTA_ABI::anthropic
