// SPDX-License-Identifier: MIT
#include <chrono>
#include <string>
#include <utility>
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
    CHECK_FALSE(asks({.model = "gpt-3.5-turbo"}));
    CHECK_FALSE(asks({.model = "x/chatgpt-4o-latest"}));
    for (const char* const other : {"", "gpt-4/other", "my-gpt-4", "gpt-", "chat"}) CHECK(asks({.model = other}));

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

    // Other failures are none of that kind.
    for (const auto& [status, body] :
         {std::pair(500, refusal), std::pair(400, std::string(R"({"error":{"message":"Encrypted"}})")),
          std::pair(400,
                    std::string(R"({"error":{"message":"encrypted_content","code":"context_length_exceeded"}})"))}) {
        Scripted server{{{status, {}, body}, {200, {}, answer}}};
        acta::openai::Options once = server.options();
        once.retry.max_attempts = 1;
        CHECK_THROWS_AS(acta::HttpChatModel{acta::openai::ResponsesCodec(once)}.complete("?"), acta::ChatModelError);
        CHECK(server.requests.size() == 1);
    }
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
    for (const auto& [address, wanted] : {
             std::pair("0", "0.0.0.0"),
             std::pair("1.2.3.4", "1.2.3.4"),
             std::pair("255.255.255.255", "255.255.255.255"),
             std::pair("1.2.65535", "1.2.255.255"),
             std::pair("1.16777215", "1.255.255.255"),
             std::pair("4294967295", "255.255.255.255"),
             std::pair("0X7F.0x1", "127.0.0.1"),
             std::pair("010.0377.1", "8.255.0.1"),
             // Names, as all else.
             std::pair("1.2.3.256", "1.2.3.256"),
             std::pair("1.2.65536", "1.2.65536"),
             std::pair("1.16777216", "1.16777216"),
             std::pair("4294967296", "4294967296"),
             std::pair("256.1", "256.1"),
             std::pair("1.256.1", "1.256.1"),
             std::pair("1.2.3.4.5", "1.2.3.4.5"),
             std::pair("1.2.3.4.", "1.2.3.4."),
             std::pair("1..2", "1..2"),
             std::pair("08", "08"),
             std::pair("0x", "0x"),
             std::pair("0x1g", "0x1g"),
             std::pair("-1", "-1"),
         }) {
        CAPTURE(address);
        CHECK(host(("http://" + std::string(address)).c_str()) == std::string(wanted) + "|||");
    }
    for (const auto& [url, wanted] : {
             std::pair("http://h:", "h|||"),
             std::pair("http://h:0/", "h|0|/|"),
             std::pair("http://h:00080", "h|00080||"),
             std::pair("http://[::FFFF:1.2.3.4]", "[::ffff:1.2.3.4]|||"),
             std::pair("http://[::1]:", "[::1]|||"),
             std::pair("http://a_b-c.d", "a_b-c.d|||"),
             std::pair("http://h?a/b", "h|||a/b"),
             std::pair("http://h#a?b/c", "h|||"),
             std::pair("http://h/a//b?c?d#e?f", "h||/a//b|c?d"),
             std::pair("http://h/a:b@c", "h||/a:b@c|"),
         }) {
        CAPTURE(url);
        CHECK(host(url) == wanted);
    }
    for (const char* const bad :
         {"http://h:65536", "http://h:000080", "http://h:-1",   "http://h:+1", "http://[::1]1", "http://[]",
          "http://[:",      "http://[::g]",    "http://[g::1]", "http://h[",   "http://h]:1",   "://h",
          "httpss://h",     "http ://h",       "http://h/\\",   "http://",     "http:/h",       "//h",
          "http://a@h/",    "http://h%2e/",    "http://h\\@x/", "http://h:x/", "http://[::1/",  "http://h:70000/",
          "ftp://h",        "http://h /",      "http://?x"}) {
        CAPTURE(bad);
        CHECK(host(bad) == "none");
    }
    const http::Url url = http::Url::parse("HTTP://H:1/a?b#c").value();
    CHECK(url.text() == "http://h:1/a?b");
    CHECK(url.text(false) == "http://h:1/a");
    CHECK(http::Url::parse("https://h?").value().text() == "https://h");
    for (const char* const with : {"https://a@h", "https://a:b@h/", "x://@", "https://a@"})
        CHECK(http::Url::has_credentials(with));
    for (const char* const without : {"", "a@h", "https:/a@h", "https://h/a@b", "https://h?a@b", "https://h#a@b"})
        CHECK_FALSE(http::Url::has_credentials(without));
    for (const char blank : {' ', '\0', '\x1F', '\x7F', '\n'}) CHECK(http::Url::has_blank(std::string("a") + blank));
    CHECK_FALSE(http::Url::has_blank("!~\x80\xFF"));
    CHECK_FALSE(http::Url::has_blank(""));
}

TEST_CASE("this machine is a loopback address in any spelling, or a name below localhost") {
    for (const char* const host :
         {"localhost", "localhost.", "a.localhost", "a.b.localhost.", ".localhost", "127.0.0.1", "127.0.0.1.", "127.1",
          "127.255.255.255", "2130706433", "0x7f.1", "[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::ffff:127.0.0.1]",
          "[::ffff:127.9.9.9]", "[::ffff:7f00:1]", "[::ffff:7fff:ffff]", "[0:0:0:0:0:ffff:7f00:0001]"}) {
        CAPTURE(host);
        CHECK(http::is_this_machine(host));
    }
    for (const char* const host : {"",
                                   ".",
                                   "localhost..",
                                   "xlocalhost",
                                   "localhost.x",
                                   "127",
                                   "127.0.0.1.x",
                                   "126.255.255.255",
                                   "128.0.0.1",
                                   "::1",
                                   "[]",
                                   "[",
                                   "[::1",
                                   "[::]",
                                   "[1]",
                                   "[0001]",
                                   "[::2]",
                                   "[::11]",
                                   "[1::1]",
                                   "[1::]",
                                   "[::1:1]",
                                   "[ffff:7f00:1]",
                                   "[::fffe:127.0.0.1]",
                                   "[::ffff:128.0.0.1]",
                                   "[::ffff:8000:1]",
                                   "[::ffff:7f:1]",
                                   "[::ffff:7f0:11]",
                                   "[::ffff:7f00:]",
                                   "[::ffff:7f00:1:1]",
                                   "[::ffff:7f000:1]",
                                   "[::ffff:7f001]",
                                   "[::ffff:]"}) {
        CAPTURE(host);
        CHECK_FALSE(http::is_this_machine(host));
    }
}
