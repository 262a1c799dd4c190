// SPDX-License-Identifier: MIT
#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "acta/base/retry.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/http_chat_model.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

// Clients over other HTTP libraries than libcurl.
namespace {

using acta::ChatMessage;
using acta::ChatOptions;
using acta::HttpChatCodec;
using acta::Json;
namespace http = acta::http;

const std::string codec_key = "sk-codec-do-not-show-0123456789";

/// A transport that answers with the bodies of a script, in pieces of three bytes.
struct Scripted {
    std::vector<http::Reply> script{};
    std::vector<http::Request> requests{};

    http::Transport transport() {
        return [this](const http::Request& request, const http::Sink& sink) {
            requests.push_back(request);
            http::Reply reply = script.at(requests.size() - 1);
            const std::string body = std::exchange(reply.body, {});
            for (std::size_t i = 0; i < body.size(); i += 3) {
                reply.body += body.substr(i, 3);
                if (sink(reply) == http::Demand::nothing) break;
            }
            return reply;
        };
    }
    acta::openai::Options options() {
        acta::openai::Options out;
        out.base_url = "https://h/v1";
        out.api_key = codec_key;
        out.retry.first_delay = std::chrono::milliseconds(1);
        out.transport = transport();
        return out;
    }
};

const std::string scripted_answer = R"({"choices":[{"message":{"content":"Dry."},"finish_reason":"stop"}]})";

/// The deltas of a stream as text.
std::string deltas_of(const HttpChatCodec& codec, const std::vector<std::string>& events,
                      const ChatOptions& with = {}) {
    std::string out;
    ChatOptions options = with;
    options.on_event = [&](const acta::ChatDelta& delta) {
        if (const auto* const text = std::get_if<acta::TextDelta>(&delta)) out += "text " + text->text + "\n";
        if (const auto* const thought = std::get_if<acta::ReasoningDelta>(&delta))
            out += "thinks " + thought->text + "\n";
        if (const auto* const call = std::get_if<acta::CallDelta>(&delta))
            out += std::to_string(call->index) + " " + call->id + " " + call->name + " " + call->arguments + "\n";
    };
    static_cast<void>(codecs::read(codec, codecs::events(events), options));
    return out;
}

const acta::openai::ChatCodec chat_without_key({.base_url = "http://h", .api_key = ""});
const acta::openai::ResponsesCodec responses_without_key({.api_key = ""});
const acta::anthropic::ChatCodec anthropic_without_key({.api_key = ""});

ChatOptions with_tool() {
    ChatOptions out;
    out.tools = {{"web.search", "", acta::JsonObject()}};
    return out;
}

}  // namespace

TEST_CASE("a client without a transport is refused") {
    acta::openai::Options options = Scripted().options();
    options.transport = nullptr;
    CHECK_THROWS_WITH(acta::HttpChatModel(acta::openai::ChatCodec(options)), contains_text("no transport"));
}

TEST_CASE("a body above the limit is refused") {
    acta::openai::Options options = Scripted().options();
    options.max_response_bytes = 20;
    const acta::openai::ChatCodec codec(options);
    below_at_above("answer of a chat model over HTTP", 20, [&](std::size_t bytes) {
        acta::ChatReplyReader blank = codec.reader(codecs::question());
        try {
            blank.feed(std::string(bytes, ' '));
            return true;
        } catch (const acta::ChatModelError& error) {
            CHECK(error.fault() == acta::ChatModelFault::too_large);
            return false;
        }
    });
}

TEST_CASE("a request that may succeed later is made three times by default") {
    acta::base::retry_clock().wait = [](std::chrono::nanoseconds, const acta::stop_token&) {};
    below_at_above("attempts at a request to a model, over all layers", 3, [](std::size_t needed) {
        acta::openai::Options options = Scripted().options();
        options.retry = {};
        std::size_t made = 0;
        options.transport = [&](const http::Request&, const http::Sink&) {
            return ++made < needed ? http::Reply{503, {}, "{}"} : http::Reply{200, {}, scripted_answer};
        };
        try {
            return acta::HttpChatModel{acta::openai::ChatCodec(options)}.complete("?").completion.message.content ==
                   "Dry.";
        } catch (const acta::ChatModelError& error) {
            CHECK(made == 3);
            CHECK(error.attempts() == 3);
            return false;
        }
    });
    acta::base::retry_clock() = {};
}

TEST_CASE("the parts of an answer are typed") {
    CHECK(
        deltas_of(
            chat_without_key,
            {R"({"choices":[{"delta":{"reasoning_content":"H","reasoning":"H"}}]})",
             R"({"choices":[{"delta":{"reasoning":"m."}}]})", R"({"choices":[{"delta":{"content":"I ask."}}]})",
             R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"web_search","arguments":""}}]}}]})",
             R"({"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"q\":1}"}}]}}]})", "[DONE]"},
            with_tool()) == "thinks H\nthinks m.\ntext I ask.\n0 a web.search \n0 a web.search {\"q\":1}\n");
    CHECK(
        deltas_of(
            responses_without_key,
            {R"({"type":"response.reasoning_summary_text.delta","delta":"Hm."})",
             R"({"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"m1","content":[]}})",
             R"({"type":"response.output_text.delta","output_index":0,"delta":"I ask."})",
             R"({"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"f","call_id":"a","name":"web_search","arguments":""}})",
             R"({"type":"response.function_call_arguments.delta","item_id":"f","delta":"{\"q\":1}"})",
             R"({"type":"response.function_call_arguments.done","item_id":"f","arguments":"{\"q\":1}"})",
             R"({"type":"response.completed","response":{"status":"completed","output":[]}})"},
            with_tool()) == "thinks Hm.\ntext I ask.\n0 a web.search {\"q\":1}\n");
    CHECK(
        deltas_of(
            anthropic_without_key,
            {R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}})",
             R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}})",
             R"({"type":"content_block_start","index":1,"content_block":{"type":"text","text":"I ask."}})",
             R"({"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"a","name":"web_search","input":{}}})",
             R"({"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"q\":1}"}})",
             R"({"type":"message_stop"})"},
            with_tool()) == "thinks Hm.\ntext I ask.\n0 a web.search \n0 a web.search {\"q\":1}\n");
}

TEST_CASE("the choice of a tool is sent in the words of each API") {
    ChatOptions options = with_tool();
    options.tool_choice = acta::ToolChoice::tool("web.search");
    const auto choice = [&](const HttpChatCodec& codec) {
        return codecs::request(codec, codecs::question(), options)["tool_choice"].dump();
    };
    CHECK(choice(chat_without_key) == R"({"type":"function","function":{"name":"web_search"}})");
    CHECK(choice(responses_without_key) == R"({"type":"function","name":"web_search"})");
    CHECK(choice(anthropic_without_key) == R"({"type":"tool","name":"web_search"})");
    const auto kinds = [&](acta::ToolChoice kind) {
        options.tool_choice = std::move(kind);
        return choice(chat_without_key) + choice(responses_without_key) + choice(anthropic_without_key);
    };
    CHECK(kinds(acta::ToolChoice::automatic) == "nullnullnull");
    CHECK(kinds(acta::ToolChoice::none) == R"("none""none"{"type":"none"})");
    CHECK(kinds(acta::ToolChoice::required) == R"("required""required"{"type":"any"})");
    CHECK_FALSE(codecs::request(chat_without_key, codecs::question(), {.tool_choice = acta::ToolChoice::required})
                    .contains("tool_choice"));
    options.tool_choice = acta::ToolChoice::tool("other");
    CHECK_THROWS_WITH(choice(chat_without_key), contains_text("the tool choice is 'other'"));
    CHECK(acta::ToolChoice::tool("a") != acta::ToolChoice::tool("b"));
    CHECK(acta::ToolChoice() == acta::ToolChoice::automatic);
}

TEST_CASE("encrypted reasoning is asked of models that have it, and once more without where a server refuses it") {
    const auto asks = [](acta::openai::Options options) {
        options.api_key = "";
        return codecs::request(acta::openai::ResponsesCodec(options), codecs::question()).contains("include");
    };
    CHECK(asks({.model = "gpt-5"}));
    CHECK(asks({.model = "o3"}));
    CHECK_FALSE(asks({.model = "gpt-4o-mini"}));
    CHECK_FALSE(asks({.model = "openai/gpt-4.1"}));
    CHECK_FALSE(asks({.model = "gpt-5", .encrypted_reasoning = false}));
    CHECK(asks({.model = "gpt-4o", .encrypted_reasoning = true}));

    const std::string refusal =
        R"({"error":{"message":"Encrypted content is not supported with this model.","type":"invalid_request_error"}})";
    const std::string answer = R"({"status":"completed","output":[{"type":"message","role":"assistant",)"
                               R"("content":[{"type":"output_text","text":"Dry."}]}]})";
    Scripted http{{{400, {}, refusal}, {200, {}, answer}, {400, {}, refusal}, {400, {}, refusal}}};
    const acta::HttpChatModel model{acta::openai::ResponsesCodec(http.options())};
    CHECK(model.complete("?").completion.message.content == "Dry.");
    CHECK_THAT(http.requests.at(0).body, contains_text("encrypted_content"));
    CHECK(http.requests.at(1).body.find("encrypted_content") == std::string::npos);
    CHECK_THROWS_AS(model.complete("?"), acta::ChatModelError);
    CHECK(http.requests.size() == 4);

    for (const char* const words : {"encrypted_content", "Encrypted content", "parameter 'include'", "include[0]"}) {
        Scripted server{{{400, {}, std::string(R"({"error":")") + words + " is unknown\"}"}, {200, {}, answer}}};
        const acta::HttpChatModel asked{acta::openai::ResponsesCodec(server.options())};
        CHECK(asked.complete("?").completion.message.content == "Dry.");
    }
}

TEST_CASE("the address of a server is read alike by everything that looks at it") {
    const auto host = [](const char* text) {
        const auto url = http::Url::parse(text);
        return url ? url->host + "|" + url->port + "|" + url->path + "|" + url->query : "none";
    };
    CHECK(host("HTTP://Example.ORG:8080/v1?a=b#c") == "example.org|8080|/v1|a=b");
    CHECK(host("https://[::1]:1/") == "[::1]|1|/|");
    CHECK(host("http://127.1") == "127.0.0.1|||");
    CHECK(host("http://10.2") == "10.0.0.2|||");
    CHECK(host("http://0x7f000001/") == "127.0.0.1||/|");
    CHECK(host("http://017700000001/") == "127.0.0.1||/|");
    for (const char* const bad :
         {"http://", "http:/h", "//h", "http://a@h/", "http://h%2e/", "http://h\\@x/", "http://h:x/", "http://[::1/",
          "http://h:70000/", "ftp://h", "http://h /", "http://?x"})
        CHECK(host(bad) == "none");
}
