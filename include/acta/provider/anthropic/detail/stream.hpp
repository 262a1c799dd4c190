// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/ascii.hpp"
#include "acta/json/parse.hpp"
#include "acta/provider/detail/api.hpp"
#include "acta/provider/detail/server_reply.hpp"

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
