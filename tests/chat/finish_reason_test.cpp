// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "support/catch.hpp"

using acta::FinishReason;

TEST_CASE("the finish reasons of all servers have one of a few kinds") {
    const std::vector<std::pair<FinishReason, std::vector<std::string>>> kinds{
        {FinishReason::stop, {"stop", "end_turn", "stop_sequence", "eos", "eos_token", "STOP", "End_Turn"}},
        {FinishReason::length,
         {"length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded", "incomplete",
          "MAX_TOKENS"}},
        {FinishReason::tool_calls, {"tool_calls", "tool_call", "tool_use", "function_call"}},
        {FinishReason::content_filter,
         {"content_filter", "safety", "image_safety", "recitation", "blocklist", "prohibited_content", "spii",
          "refusal", "refused", "SAFETY"}},
        {FinishReason::paused, {"pause_turn"}},
        {FinishReason::error,
         {"error", "failed", "cancelled", "malformed_function_call", "unexpected_tool_call",
          "MALFORMED_FUNCTION_CALL"}},
        {FinishReason::unknown, {"", " ", "stop ", "stopped", "something_new", "unknown", "length\n", "st\xC3\xB6p"}}};
    for (const auto& [kind, words] : kinds) {
        for (const std::string& word : words) {
            INFO(word);
            CHECK(acta::finish_reason_of(word) == kind);
            acta::ChatCompletion completion;
            completion.finish_reason = word;
            CHECK(completion.finish() == kind);
        }
    }
    STATIC_REQUIRE(noexcept(acta::finish_reason_of("")));
    CHECK(acta::ChatCompletion().finish() == FinishReason::unknown);
}

TEST_CASE("a completion is written with the raw finish reason") {
    acta::ChatCompletion completion;
    completion.finish_reason = "MAX_TOKENS";
    const std::string json = acta::dump(completion);
    CHECK_THAT(json, contains_text(R"("finish_reason":"MAX_TOKENS")"));
    CHECK(acta::parse<acta::ChatCompletion>(json) == completion);
}
