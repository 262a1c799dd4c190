// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>
#include <optional>
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

TEST_CASE("reasoning that is counted beside the answer is a part of it") {
    const auto answer = [](const std::string& counts) { return of_chat("{" + counts + "}").completion_tokens; };
    const std::string thoughts = R"(, "completion_tokens_details": {"reasoning_tokens": 60})";
    // Gemini and Grok.
    CHECK(answer(R"("prompt_tokens": 21, "completion_tokens": 0, "total_tokens": 81)" + thoughts) == 60);
    CHECK(answer(R"("prompt_tokens": 21, "completion_tokens": 9, "total_tokens": 90)" + thoughts) == 69);
    CHECK(answer(R"("prompt_tokens": 21, "completion_tokens": 900, "total_tokens": 981)" + thoughts) == 960);
    CHECK(answer(R"("prompt_tokens": 21, "completion_tokens": 9, "total_tokens": 90, "reasoning_tokens": 60)") == 69);
    // OpenAI.
    CHECK(answer(R"("prompt_tokens": 21, "completion_tokens": 69, "total_tokens": 90)" + thoughts) == 69);
    CHECK(answer(R"("prompt_tokens": 21, "completion_tokens": 60, "total_tokens": 81)" + thoughts) == 60);
    CHECK(answer(R"("prompt_tokens": 0, "completion_tokens": 69, "total_tokens": 69)" + thoughts) == 69);
    // Without a total that says which.
    CHECK(answer(R"("prompt_tokens": 21, "completion_tokens": 69)" + thoughts) == 69);
    CHECK(answer(R"("prompt_tokens": 21, "completion_tokens": 9)" + thoughts) == 69);
    CHECK(answer(R"("prompt_tokens": 21, "completion_tokens": 9, "total_tokens": 5)" + thoughts) == 69);
    // Words against each other: the total decides.
    CHECK(answer(R"("prompt_tokens": 21, "completion_tokens": 9, "total_tokens": 30)" + thoughts) == 9);
    const TokenUsage used = of_responses(R"({"input_tokens": 21, "output_tokens": 9, "total_tokens": 90,
        "output_tokens_details": {"reasoning_tokens": 60}})");
    CHECK(used == TokenUsage{.prompt_tokens = 21, .completion_tokens = 69, .reasoning_tokens = 60});
    CHECK(of_responses(R"({"input_tokens": 21, "output_tokens": 69, "total_tokens": 90,
        "output_tokens_details": {"reasoning_tokens": 60}})") ==
          TokenUsage{.prompt_tokens = 21, .completion_tokens = 69, .reasoning_tokens = 60});
    CHECK(of_stream({R"({"prompt_tokens": 21, "completion_tokens": 9, "total_tokens": 90,
        "completion_tokens_details": {"reasoning_tokens": 60}})"})
              .completion_tokens == 69);
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    CHECK(answer(R"("prompt_tokens": 1, "completion_tokens": 9223372036854775807, "total_tokens": 9223372036854775807,
        "reasoning_tokens": 5)") == most);
}

TEST_CASE("cached tokens are read under all of their names") {
    const auto cached = [](const std::string& counts) {
        return of_chat(R"({"prompt_tokens": 1000, "completion_tokens": 9, )" + counts + "}").cached_tokens;
    };
    CHECK(cached(R"("prompt_tokens_details": {"cached_tokens": 960})") == 960);
    CHECK(cached(R"("prompt_cache_hit_tokens": 960, "prompt_cache_miss_tokens": 40)") == 960);  // DeepSeek
    CHECK(cached(R"("cached_tokens": 960)") == 960);                                            // Kimi
    CHECK(cached(R"("cache_read_input_tokens": 960)") == 960);                                  // gateways
    CHECK(cached(R"("prompt_tokens_details": {"cached_tokens": 0}, "prompt_cache_hit_tokens": 960)") == 960);
    CHECK(cached(R"("prompt_tokens_details": null, "cached_tokens": "960")") == 960);
    CHECK(cached(R"("prompt_tokens_details": {"cached_tokens": 0}, "cached_tokens": null)") == 0);
    CHECK(cached(R"("prompt_tokens_details": {"cached_tokens": -1})") == std::nullopt);
    CHECK(cached(R"("prompt_cache_miss_tokens": 40)") == std::nullopt);
    CHECK(of_chat(R"({"prompt_tokens": 1000, "cache_read_input_tokens": 960})").prompt_tokens == 1000);
    CHECK(
        of_responses(R"({"input_tokens": 1000, "output_tokens": 9, "input_tokens_details": {"cached_tokens": 960}})") ==
        TokenUsage{.prompt_tokens = 1000, .completion_tokens = 9, .cached_tokens = 960});
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
