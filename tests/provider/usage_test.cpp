// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// What servers report of tokens, in the words of each.
namespace {

using acta::TokenUsage;

/// The usage of an answer with this body.
TokenUsage usage_in(const acta::HttpChatCodec& codec, const std::string& body) {
    return codecs::read(codec, body).completion.usage.value_or(TokenUsage{-1, -1});
}
acta::openai::ChatCodec chat_codec() {
    return acta::openai::ChatCodec({.base_url = "http://h", .model = "m", .api_key = ""});
}

TokenUsage of_chat(const std::string& usage) {
    return usage_in(chat_codec(),
                    R"({"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}], "usage": )" + usage + "}");
}
TokenUsage of_stream(const std::vector<std::string>& usages) {
    std::vector<std::string> events{R"({"choices": [{"delta": {"content": "x"}, "finish_reason": "stop"}]})"};
    for (const std::string& usage : usages) events.push_back(R"({"choices": [], "usage": )" + usage + "}");
    events.emplace_back("[DONE]");
    return usage_in(chat_codec(), codecs::events(events));
}
TokenUsage of_responses(const std::string& usage) {
    return usage_in(acta::openai::ResponsesCodec({.model = "m", .api_key = ""}),
                    R"({"status": "completed", "output": [{"type": "message", "role": "assistant",
                        "content": [{"type": "output_text", "text": "x"}]}], "usage": )" +
                        usage + "}");
}
acta::anthropic::ChatCodec anthropic_codec() { return acta::anthropic::ChatCodec({.model = "m", .api_key = ""}); }
TokenUsage of_anthropic(const std::string& usage) {
    return usage_in(anthropic_codec(), R"({"role": "assistant", "content": [{"type": "text", "text": "x"}],
        "stop_reason": "end_turn", "usage": )" +
                                           usage + "}");
}
TokenUsage of_anthropic_stream(const std::string& first, const std::vector<std::string>& later) {
    std::vector<std::string> events{
        R"({"type": "message_start", "message": {"content": [], "usage": )" + first + "}}",
        R"({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x"}})"};
    for (const std::string& usage : later)
        events.push_back(R"({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": )" + usage + "}");
    events.emplace_back(R"({"type": "message_stop"})");
    return usage_in(anthropic_codec(), codecs::events(events));
}

}  // namespace

TEST_CASE("the tokens of each API are read, those from its cache and of reasoning too") {
    const TokenUsage all{.prompt_tokens = 21, .completion_tokens = 69, .cached_tokens = 5, .reasoning_tokens = 60};
    const std::string chat = R"({"prompt_tokens": 21, "completion_tokens": 9, "total_tokens": 90,
        "prompt_tokens_details": {"cached_tokens": 5}, "completion_tokens_details": {"reasoning_tokens": 60}})";
    CHECK(of_chat(chat) == all);
    CHECK(of_stream({chat}) == all);
    CHECK(of_responses(R"({"input_tokens": 21, "output_tokens": 69, "total_tokens": 90,
        "input_tokens_details": {"cached_tokens": 5}, "output_tokens_details": {"reasoning_tokens": 60}})") == all);
    CHECK(of_anthropic(R"({"input_tokens": 40, "output_tokens": 9, "cache_read_input_tokens": 960,
        "cache_creation_input_tokens": 3})") ==
          TokenUsage{.prompt_tokens = 1003, .completion_tokens = 9, .cached_tokens = 960, .cache_write_tokens = 3});
}

TEST_CASE("a zero in a later part of a stream replaces no count") {
    const std::string counts =
        R"({"prompt_tokens": 21, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 5}})";
    const std::string zeros =
        R"({"prompt_tokens": 0, "completion_tokens": 0, "prompt_tokens_details": {"cached_tokens": 0}})";
    const TokenUsage all{.prompt_tokens = 21, .completion_tokens = 9, .cached_tokens = 5};
    CHECK(of_stream({counts}) == all);
    CHECK(of_stream({counts, zeros}) == all);
    CHECK(of_stream({zeros, counts, "null", "{}"}) == all);
    CHECK(of_stream({counts, R"({"prompt_tokens": 0, "completion_tokens": 12, "prompt_tokens_details": null})"}) ==
          TokenUsage{.prompt_tokens = 21, .completion_tokens = 12, .cached_tokens = 5});
    CHECK(of_stream({zeros}) == TokenUsage{.cached_tokens = 0});
    CHECK(of_anthropic_stream(R"({"input_tokens": 1500, "output_tokens": 1})",
                              {R"({"input_tokens": 0, "output_tokens": 12})"}) ==
          TokenUsage{.prompt_tokens = 1500, .completion_tokens = 12});
    CHECK(of_anthropic_stream(R"({"input_tokens": 40, "cache_read_input_tokens": 960, "output_tokens": 1})",
                              {R"({"input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 12})",
                               R"({"output_tokens": 0})"}) ==
          TokenUsage{.prompt_tokens = 1000, .completion_tokens = 12, .cached_tokens = 960});
    CHECK(of_anthropic_stream(R"({"input_tokens": 0, "output_tokens": 0})",
                              {R"({"input_tokens": 7, "output_tokens": 2})"}) ==
          TokenUsage{.prompt_tokens = 7, .completion_tokens = 2});
}
