// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// How errors of servers are classified: by status, then by type and code, then by the words of the message.
// docs/reference/provider.md, "Errors of servers".
namespace {

using acta::ChatModelError;
using acta::ChatModelFault;
using Words = std::vector<std::string>;

struct Report {
    std::string message = "x";
    std::string type{};
    std::string code{};
};

ChatModelError error_of(int status, const Report& report) {
    static const acta::openai::ChatCodec codec({.base_url = "http://h/v1", .model = "m", .api_key = ""});
    acta::Json body;
    body["error"]["message"] = report.message;
    if (!report.type.empty()) body["error"]["type"] = report.type;
    if (!report.code.empty()) body["error"]["code"] = report.code;
    return codecs::failure(codec, body.dump(), status);
}

bool is_too_long(int status, const Report& report) {
    const ChatModelError error = error_of(status, report);
    const bool out = error.fault() == ChatModelFault::context_too_long;
    CHECK((out || error.fault() == ChatModelFault::status));
    CHECK_FALSE((out && error.is_transient()));
    return out;
}
bool is_too_long(const std::string& message) { return is_too_long(400, {.message = message}); }

std::string upper_case(std::string text) {
    for (char& c : text) c = acta::ascii::to_upper(c);
    return text;
}

const std::string long_context = "The prompt has 9 tokens, which exceeds the maximum context length";

}  // namespace

TEST_CASE("types and codes mean a status") {
    const std::vector<std::pair<int, Words>> rows{
        {401, {"authentication_error", "invalid_api_key", "unauthenticated"}},
        {402, {"billing_error"}},
        {403, {"permission_error", "permission_denied"}},
        {404, {"not_found_error", "not_found", "model_not_found"}},
        {408, {"request_timeout"}},
        {413, {"request_too_large", "tokens_limit_reached"}},
        {429,
         {"rate_limit_error", "rate_limit_exceeded", "rate_limit_reached", "rate_limited", "too_many_requests",
          "resource_exhausted", "ThrottlingException", "tokens", "requests"}},
        {500,
         {"api_error", "server_error", "internal", "internal_error", "internal_server_error", "InternalServerError"}},
        {502, {"bad_gateway", "upstream_error"}},
        {503,
         {"slow_down", "unavailable", "unavailable_error", "service_unavailable", "service_unavailable_error",
          "ServiceUnavailableException", "model_overloaded"}},
        {504, {"timeout", "timeout_error", "gateway_timeout", "deadline_exceeded"}},
        {529,
         {"overloaded", "overloaded_error", "engine_overloaded", "engine_overloaded_error", "server_is_overloaded"}}};
    for (const auto& [status, words] : rows) {
        for (const std::string& word : words) {
            INFO(word);
            for (const Report& report : {Report{.type = word}, Report{.code = word}, Report{.type = upper_case(word)},
                                         Report{.type = "invalid_request_error", .code = word}}) {
                const ChatModelError error = error_of(200, report);
                CHECK(error.status() == status);
                CHECK(error.is_transient() == (status == 408 || status == 429 || status >= 500));
                CHECK((error.fault() == ChatModelFault::context_too_long) == (status == 413));
                CHECK(error_of(418, report).status() == 418);  // that of the response comes first
            }
            // Only whole words do: others may be made of them.
            CHECK(error_of(200, {.type = "no_" + word + "_here"}).status() == 0);
        }
    }
}

TEST_CASE("types and codes say that the context is too long, or that a quota is used up") {
    for (const std::string word :
         {"context_length_exceeded", "max_context_length_exceeded", "exceed_context_size_error",
          "context_window_exceeded", "context_too_long", "model_max_prompt_tokens_exceeded", "prompt_too_long",
          "input_too_long", "tokens_limit_reached", "request_too_large"}) {
        INFO(word);
        for (const int status : {200, 400, 401, 413, 422, 429, 500, 503}) {
            CHECK(is_too_long(status, {.type = word}));
            CHECK(is_too_long(status, {.type = "invalid_request_error", .code = upper_case(word)}));
        }
    }
    for (const std::string word : {"insufficient_quota", "billing_hard_limit_reached", "insufficient_balance",
                                   "credit balance too low", "exceeded_current_quota_error", "quota_exceeded"}) {
        INFO(word);
        CHECK(error_of(429, {.code = "x"}).is_transient());
        for (const int status : {400, 429, 500}) {
            CHECK_FALSE(error_of(status, {.type = upper_case(word)}).is_transient());
            CHECK_FALSE(error_of(status, {.code = word}).is_transient());
            CHECK_FALSE(is_too_long(status, {.message = long_context, .code = word}));
        }
    }
}

TEST_CASE("each word of a message counts") {
    const auto check = [](const std::string& before, const Words& words, const std::string& after, bool expected) {
        CHECK(is_too_long(before + after) != expected);  // without the word it is the other way round
        for (const std::string& word : words) {
            INFO(word);
            CHECK(is_too_long(before + word + after) == expected);
            CHECK(is_too_long(upper_case(before + word + after)) == expected);
        }
    };
    const std::string request = "the request is too long, 9 tokens; ";
    check("the context is too long; ",
          {"rate limit",
           "rate_limit",
           "rate-limit",
           "ratelimit",
           "per minute",
           "per day",
           "per hour",
           "per second",
           "9/min",
           "(TPM)",
           "throttled",
           "quota",
           "daily",
           "monthly",
           "billing",
           "credits",
           "balance",
           "too many requests",
           "please wait",
           "try again later",
           "try again in 3 s",
           "wait before trying again",
           "timed out",
           "timeout",
           "deadline"},
          "", false);
    check("the ", {"context"}, " is too big", true);
    check("the ",
          {"prompt", "input", "list of messages", "conversation", "chat history", "sequence length", "request",
           "tokens in request"},
          " exceeds 9 tokens", true);
    check(request,
          {"max_tokens",
           "max_completion_tokens",
           "max_output_tokens",
           "max_new_tokens",
           "output tokens",
           "completion tokens",
           "output limit",
           "max tokens",
           "maximum tokens you requested",
           "maximum tokens value",
           "maxTokens",
           "maxOutputTokens",
           "max_gen_len",
           "num_predict",
           "completion length",
           "output length",
           "tokens to generate",
           "tokens to sample",
           "generation length",
           "max output",
           "maximum output"},
          "", false);
    check(request + "max_tokens of ", {"the prompt"}, "", true);
    check(request,
          {"image", "audio", "video", "pdf", "file", "tool", "schema", "stop sequence", "attachment", "document",
           "api key", "metadata", "9 mb", "function"},
          "", false);
    check(request + "tool in ", {"the context"}, "", true);
    check("9 tokens: the prompt is ",
          {"too long",
           "too large",
           "too many tokens",
           "too big",
           "exceeding",
           "longer than 8",
           "larger than 8",
           "greater than 8",
           "more than 8",
           "overflowing",
           "over the maximum",
           "max length 8",
           "maxlength 8",
           "must be <= 8",
           "must have less",
           "less than or equal to 8",
           "at most 8",
           "not enough",
           "over the limit",
           "to reduce the length",
           "reduce your text",
           "range of input length",
           "shorten it",
           "does not fit",
           "run out of memory",
           "not the configured context size",
           "not short: its length is only 8"},
          "", true);
    for (const char* const limit : {"the configured context size is 8", "the context size is only 8",
                                    "the context window is only 8", "the context length is only 8"})
        CHECK(is_too_long(std::string("Prompt has 5,001 tokens, but ") + limit + " tokens"));
    check("the prompt exceeds 9 ", {"tokens", "of length", "long", "characters"}, "", true);
    for (const char* const field :
         {"messages[2]", "messages.2", "input[2]", "input.2", "input_schema", "inputs.2", "prompt[2]"}) {
        INFO(field);
        CHECK_FALSE(is_too_long(std::string(field) + " exceeds 9 characters"));
    }
}

TEST_CASE("a limit of the answer that is too large does not make the context too long") {
    CHECK_FALSE(
        is_too_long("The maximum tokens you requested exceeds the model limit of 10000. Try again with a maximum "
                    "tokens value that is lower than 10000."));
    CHECK_FALSE(
        is_too_long("`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is "
                    "less than the `context_window` for this model"));
    CHECK_FALSE(is_too_long("maxTokens: 9000 exceeds the limit of the model you requested, 4096 tokens"));
    CHECK(is_too_long("9001 tokens in request more than max tokens allowed"));
    // vLLM names both; a shorter prompt helps if the answer has room in the context at all.
    const std::string words = "'max_tokens' or 'max_completion_tokens' is too large: ";
    const std::string rest = ". This model's maximum context length is 4096 tokens and your request has ";
    CHECK_FALSE(is_too_long(words + "5000" + rest + "100 input tokens (5000 > 4096 - 100)."));
    CHECK_FALSE(is_too_long(words + "4096" + rest + "1 input tokens (4096 > 4096 - 1)."));
    CHECK(is_too_long(words + "1000" + rest + "4000 input tokens (1000 > 4096 - 4000)."));
}

TEST_CASE("status and code come before the words of the message") {
    REQUIRE(is_too_long(long_context));
    for (const int status : {401, 402, 403, 404, 408, 429}) CHECK_FALSE(is_too_long(status, {.message = long_context}));
    for (const int status : {200, 400, 409, 422, 500, 502, 503, 529})  // under which gateways pass on anything
        CHECK(is_too_long(status, {.message = long_context}));
    CHECK(is_too_long(500, {.message = long_context, .type = "server_error"}));
    CHECK(error_of(429, {.message = long_context}).is_transient());
    CHECK_FALSE(error_of(401, {.message = "Rate limit reached, please try again in 2 s"}).is_transient());
    CHECK_FALSE(error_of(400, {.message = "Too many requests"}).is_transient());
    CHECK(error_of(429, {.message = "You exceeded your current quota"}).is_transient());
    for (const char* const code : {"invalid_api_key", "permission_denied", "model_not_found", "rate_limit_error",
                                   "tokens", "RateLimitReached", "Throttling.RateQuota"}) {
        INFO(code);
        CHECK_FALSE(is_too_long(400, {.message = long_context, .code = code}));
        CHECK_FALSE(is_too_long(400, {.message = long_context, .type = code}));
    }
    // Groq's limit of a minute that is smaller than the request, which a shorter one meets.
    CHECK(is_too_long(413, {.message = "Request too large for m on tokens per minute (TPM): Limit 6000, Requested 7000",
                            .type = "tokens",
                            .code = "rate_limit_exceeded"}));
    // Go's words for a time limit.
    for (const int status : {500, 504})
        CHECK(error_of(status, {.message = "context deadline exceeded"}).is_transient());
}

TEST_CASE("the caller's own function is asked last, whatever the status is") {
    int asked = 0;
    const acta::anthropic::ChatCodec own({.api_key = "", .is_context_too_long = [&](const ChatModelError& error) {
                                              ++asked;
                                              return error.status() == 429 && error.type() == "too_much";
                                          }});
    const auto fault = [&](const char* type, int status) {
        return codecs::failure(own, R"({"error":{"message":"x","type":")" + std::string(type) + "\"}}", status).fault();
    };
    CHECK(fault("too_much", 429) == ChatModelFault::context_too_long);
    CHECK(fault("rate_limit_error", 429) == ChatModelFault::status);
    CHECK(asked == 2);
    CHECK(fault("prompt_too_long", 400) == ChatModelFault::context_too_long);
    CHECK(asked == 2);
}
