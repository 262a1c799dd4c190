// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acta/chat/extension.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"

// The words in which servers and other programs report tokens.
namespace {

using acta::Json;

/// `prompt completion cached cache_write reasoning`, `-` for what is not known.
std::string counts(const std::string& usage) {
    const acta::chat_extension::UsageCounts found = acta::chat_extension::usage_counts(Json::parse(usage));
    std::string out;
    for (const auto& one : {found.prompt, found.completion, found.cached, found.cache_write, found.reasoning})
        out += (out.empty() ? "" : " ") + (one ? std::to_string(*one) : "-");
    return out;
}
std::string merged(const std::string& usage, const std::string& later) {
    Json out = Json::parse(usage);
    acta::chat_extension::merge_usage(out, Json::parse(later));
    return out.dump();
}

}  // namespace

TEST_CASE("each word for a count of tokens is known") {
    const std::vector<std::pair<std::string, std::vector<std::string>>> words{
        {"7 - - - -", {"prompt_tokens", "promptTokens", "input_tokens", "inputTokens", "input"}},
        {"- 7 - - -", {"completion_tokens", "output_tokens", "completionTokens", "outputTokens", "output"}},
        {"- - 7 - -",
         {"prompt_tokens_details/cached_tokens", "input_tokens_details/cached_tokens", "input_token_details/cache_read",
          "cached_input_tokens", "cached_tokens", "prompt_cache_hit_tokens", "cachedInputTokens"}},
        {"7 - 7 - -", {"cache_read_input_tokens"}},  // which Anthropic counts beside the others
        {"7 - - 7 -", {"cache_creation_input_tokens"}},
        {"- - - 7 -",
         {"cache_write_tokens", "prompt_tokens_details/cache_write_tokens", "input_token_details/cache_creation"}},
        {"- - - - 7",
         {"completion_tokens_details/reasoning_tokens", "output_tokens_details/reasoning_tokens",
          "output_token_details/reasoning", "reasoning_tokens", "reasoning_output_tokens", "reasoningTokens"}}};
    for (const auto& [wanted, paths] : words) {
        for (const std::string& path : paths) {
            INFO(path);
            const std::size_t slash = path.find('/');
            const auto with = [&](const std::string& value) {
                return slash == std::string::npos
                           ? "{\"" + path + "\":" + value + "}"
                           : "{\"" + path.substr(0, slash) + "\":{\"" + path.substr(slash + 1) + "\":" + value + "}}";
            };
            for (const char* const seven : {"7", "7.0", "\"7\""}) CHECK(counts(with(seven)) == wanted);
            for (const char* const none : {"-1", "null", "1.5", "[7]"}) CHECK(counts(with(none)) == "- - - - -");
        }
    }
}

TEST_CASE("counts of one usage belong together") {
    CHECK(counts(R"({"prompt_tokens":0,"input_tokens":5})") == "5 - - - -");
    CHECK(counts(R"({"prompt_tokens":0,"input_tokens":0})") == "0 - - - -");
    CHECK(counts(R"({"prompt_tokens":9,"input_tokens":5})") == "9 - - - -");
    CHECK(counts(R"({"prompt_tokens":9,"cache_read_input_tokens":5})") == "9 - 5 - -");
    CHECK(counts(R"({"input_tokens":2,"cache_read_input_tokens":5,"cache_creation_input_tokens":3})") == "10 - 5 3 -");
    CHECK(counts(R"({"cache_read_input_tokens":0})") == "- - 0 - -");
    CHECK(counts(R"({"cached_tokens":0,"prompt_cache_hit_tokens":4})") == "- - 4 - -");
    // Whether reasoning is among the tokens of the answer, which the total says.
    CHECK(counts(R"({"prompt_tokens":3,"completion_tokens":9,"reasoning_tokens":4})") == "3 9 - - 4");
    CHECK(counts(R"({"prompt_tokens":3,"completion_tokens":9,"reasoning_tokens":4,"total_tokens":16})") ==
          "3 13 - - 4");
    CHECK(counts(R"({"prompt_tokens":3,"completion_tokens":9,"reasoning_tokens":4,"total_tokens":12})") == "3 9 - - 4");
    CHECK(counts(R"({"prompt_tokens":3,"completion_tokens":4,"reasoning_tokens":9})") == "3 13 - - 9");
    CHECK(counts(R"({"prompt_tokens":3,"completion_tokens":4,"reasoning_tokens":9,"total":7})") == "3 4 - - 9");
    CHECK(counts(R"({"completion_tokens":4,"reasoning_tokens":0})") == "- 4 - - 0");
    const std::string most = std::to_string(std::numeric_limits<std::int64_t>::max());
    CHECK(counts("{\"input_tokens\":" + most + ",\"cache_read_input_tokens\":1}") == most + " - 1 - -");
}

TEST_CASE("a later report of usage replaces what it says") {
    CHECK(merged("null", R"({"a":1})") == R"({"a":1})");
    CHECK(merged(R"({"a":1})", "null") == R"({"a":1})");
    CHECK(merged(R"({"a":1})", R"({"a":2,"b":3})") == R"({"a":2,"b":3})");
    CHECK(merged(R"({"a":1})", R"({"a":null,"b":0})") == R"({"a":1,"b":0})");
    CHECK(merged(R"({"a":1})", R"({"a":0})") == R"({"a":1})");  // 0 does not replace a count
    CHECK(merged(R"({"a":"x"})", R"({"a":0})") == R"({"a":0})");
    CHECK(merged(R"({"a":1})", R"({"a":"x"})") == R"({"a":"x"})");
    CHECK(merged(R"({"a":{"b":1,"c":2}})", R"({"a":{"b":5}})") == R"({"a":{"b":5,"c":2}})");
    CHECK(merged(R"({"a":1})", R"({"a":{"b":5}})") == R"({"a":{"b":5}})");
}
