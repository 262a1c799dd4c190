// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "acta/chat/extension.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/http_chat_model.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// Each member of the options has a value that is not its default, and arrives somewhere. The functions `members` take
// the structs apart, so that a new member does not compile until it has a value and a place here. The model of
// client_model_test.cpp does the same for `RetryOptions`.
namespace {

using acta::ChatMessage;
using acta::ChatOptions;
using acta::Json;
using acta::openai::ServerTraits;
using std::chrono::milliseconds;
namespace http = acta::http;

auto members(const acta::openai::Options& options) {
    const auto& [base_url, model, api_key, organization, project, headers, temperature, max_tokens, server,
                 max_tokens_key, send_reasoning, extra, stream_usage, encrypted_reasoning, connect_timeout, timeout,
                 max_response_bytes, retry, ca_file, proxy, transport, is_context_too_long] = options;
    return std::tie(base_url, model, api_key, organization, project, headers, temperature, max_tokens, server,
                    max_tokens_key, send_reasoning, extra, stream_usage, encrypted_reasoning, connect_timeout, timeout,
                    max_response_bytes, retry.max_attempts, ca_file, proxy, transport, is_context_too_long);
}
auto members(const acta::anthropic::Options& options) {
    const auto& [base_url, model, api_key, version, beta, headers, temperature, max_tokens, cache, extra,
                 connect_timeout, timeout, max_response_bytes, retry, ca_file, proxy, transport, is_context_too_long] =
        options;
    return std::tie(base_url, model, api_key, version, beta, headers, temperature, max_tokens, cache, extra,
                    connect_timeout, timeout, max_response_bytes, retry.max_attempts, ca_file, proxy, transport,
                    is_context_too_long);
}
auto members(const ChatOptions& options) {
    const auto& [tools, tool_choice, response_schema, schema_in_text, model, temperature, max_tokens, until, on_text,
                 on_event, restart, max_attempts, kept] = options;
    return std::tie(tools, tool_choice, response_schema, schema_in_text, model, temperature, max_tokens, until.deadline,
                    on_text, on_event, restart, max_attempts, kept);
}
auto members(const ServerTraits& traits) {
    const auto& [max_tokens_key, send_reasoning, missing_reasoning, has_short_ids, takes_any_order, takes_late_system,
                 takes_empty_content, takes_other_members, max_description] = traits;
    return std::tie(max_tokens_key, send_reasoning, missing_reasoning, has_short_ids, takes_any_order,
                    takes_late_system, takes_empty_content, takes_other_members, max_description);
}

template <class T>
bool differs(const T& one, const T& other) {
    if constexpr (requires { one == other; })
        return !(one == other);
    else
        return static_cast<bool>(one) != static_cast<bool>(other);
}
/// Returns the places of the members that are not their defaults.
template <class Options>
std::vector<std::size_t> changed_members(const Options& options) {
    const Options defaults{};
    std::vector<std::size_t> out;
    const auto look = [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto own = members(options);
        const auto other = members(defaults);
        (..., (differs(std::get<I>(own), std::get<I>(other)) ? out.push_back(I) : void()));
    };
    look(std::make_index_sequence<std::tuple_size_v<decltype(members(options))>>());
    return out;
}
template <class Options>
constexpr std::size_t member_count = std::tuple_size_v<decltype(members(std::declval<const Options&>()))>;

const std::string long_description = "It does a lot of things.";

std::vector<ChatMessage> walked_messages() {
    ChatMessage call = ChatMessage::assistant("", {{"c1", {"f", {}}}});
    call.reasoning_content = "Hm.";
    return {ChatMessage::user("?"), call, ChatMessage::tool("c1", "1")};
}
ChatOptions walked_tools() { return {.tools = {{"f", long_description, Json::parse(R"({"type":"object"})")}}}; }

template <class Options>
Options walked_options() {
    Options out;
    out.base_url = "https://gateway.example/v2/?v=1";
    out.model = "gpt-4o";
    out.api_key = "sk-1234";
    out.headers = {{"X-Title", "t"}, {"X-Empty", ""}};
    out.temperature = 0.25;
    out.max_tokens = 77;
    out.extra = {{"seed", 7}};
    out.connect_timeout = milliseconds(1234);
    out.timeout = milliseconds(56789);
    out.max_response_bytes = 99;
    out.retry.max_attempts = 1;
    out.ca_file = "/ca.pem";
    out.proxy = "http://p:1";
    out.transport = [](const http::Request& request, const http::Sink&) {
        return http::Reply{400, {}, R"({"error":{"message":"no","code":")" + request.ca_file + "\"}}"};
    };
    out.is_context_too_long = [](const acta::ChatModelError& error) { return error.code() == "/ca.pem"; };
    return out;
}

/// Checks all but the body, which it returns.
std::string check_walked(const acta::HttpChatCodec& codec, const std::string& path,
                         const std::vector<std::string>& own_headers) {
    const auto before = std::chrono::steady_clock::now();
    ChatOptions chat = walked_tools();
    chat.on_text = [](std::string_view) {};
    const http::Request request = codec.request(walked_messages(), chat);
    const auto& [method, url, headers, body, ca_file, proxy, connect_timeout, deadline, stop, max_bytes] = request;
    CHECK(method == "POST");
    CHECK(url == "https://gateway.example/v2" + path + "?v=1");
    std::vector<std::string> all{"Content-Type: application/json", "Accept: application/json, text/event-stream",
                                 std::string("User-Agent: acta/") + acta::version, "X-Title: t", "X-Empty;"};
    all.insert(all.end(), own_headers.begin(), own_headers.end());
    CHECK(headers == all);
    CHECK(ca_file == "/ca.pem");
    CHECK(proxy == "http://p:1");
    CHECK(connect_timeout == milliseconds(1234));
    CHECK(deadline >= before + milliseconds(56789));
    CHECK(deadline <= std::chrono::steady_clock::now() + milliseconds(56789));
    CHECK_FALSE(stop.stop_possible());
    CHECK(max_bytes == 99);
    CHECK(codec.model() == "gpt-4o");
    CHECK(codec.url() == "https://gateway.example/v2" + path);
    // The transport, the limit, and what says that a context is too long.
    try {
        static_cast<void>(acta::HttpChatModel(codec).complete("?"));
        FAIL("answered");
    } catch (const acta::ChatModelError& error) {
        CHECK(error.fault() == acta::ChatModelFault::context_too_long);
        CHECK(error.status() == 400);
    }
    for (const bool is_too_large : {false, true}) {
        acta::ChatReplyReader reader = codec.reader(codecs::question());
        CHECK(reader.feed(std::string(98, ' ')) == http::Demand::more);
        if (!is_too_large)
            CHECK(reader.feed("x") == http::Demand::more);
        else
            CHECK_THROWS_WITH(reader.feed("xx"), "the answer is larger than 99 bytes");
    }
    return body;
}

}  // namespace

TEST_CASE("each option of OpenAI's clients arrives where it has a meaning") {
    auto options = walked_options<acta::openai::Options>();
    options.organization = "org";
    options.project = "proj";
    options.server = ServerTraits{.max_description = 8};
    options.max_tokens_key = "n_predict";
    options.send_reasoning = acta::openai::SendReasoning::never;
    options.stream_usage = false;
    options.encrypted_reasoning = true;
    CHECK(changed_members(options).size() == member_count<acta::openai::Options>);

    const std::vector<std::string> headers{"Authorization: Bearer sk-1234", "OpenAI-Organization: org",
                                           "OpenAI-Project: proj"};
    CHECK(check_walked(acta::openai::ChatCodec(options), "/chat/completions", headers) ==
          R"({"model":"gpt-4o","messages":[{"role":"user","content":"?"},)"
          R"({"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",)"
          R"("function":{"name":"f","arguments":"{}"}}]},{"role":"tool","content":"1","tool_call_id":"c1"}],)"
          R"("temperature":0.25,"n_predict":77,"tools":[{"type":"function","function":{"name":"f",)"
          R"("description":"It do...","parameters":{"type":"object","properties":{}}}}],"stream":true,"seed":7})");
    CHECK(check_walked(acta::openai::ResponsesCodec(options), "/responses", headers) ==
          R"({"model":"gpt-4o","input":[{"role":"user","content":"?"},{"type":"function_call","call_id":"c1",)"
          R"("name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"1"}],)"
          R"("store":false,"include":["reasoning.encrypted_content"],"temperature":0.25,"max_output_tokens":77,)"
          R"("tools":[{"type":"function","name":"f","description":"It do...",)"
          R"("parameters":{"type":"object","properties":{}},"strict":false}],"stream":true,"seed":7})");
}

TEST_CASE("each option of Anthropic's client arrives") {
    auto options = walked_options<acta::anthropic::Options>();
    options.version = "2030-01-01";
    options.beta = "a,b";
    options.cache = false;
    CHECK(changed_members(options).size() == member_count<acta::anthropic::Options>);
    CHECK(check_walked(acta::anthropic::ChatCodec(options), "/messages",
                       {"x-api-key: sk-1234", "anthropic-version: 2030-01-01", "anthropic-beta: a,b"}) ==
          R"({"model":"gpt-4o","max_tokens":77,"tools":[{"name":"f","description":"It does a lot of things.",)"
          R"("input_schema":{"type":"object","properties":{}}}],"messages":[{"role":"user","content":"?"},)"
          R"({"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{}}]},)"
          R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"1"}]}],)"
          R"("temperature":0.25,"stream":true,"seed":7})");
}

TEST_CASE("each option of a request arrives in it, whatever those of the client are") {
    acta::stop_source stop;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    std::string seen;
    ChatOptions chat = walked_tools();
    chat.tool_choice = acta::ToolChoice::tool("f");
    chat.response_schema = Json::parse(R"({"type":"object","additionalProperties":false})");
    chat.schema_in_text = true;  // of `ask`; has no meaning for a client
    chat.model = "n";
    chat.temperature = 0.5;
    chat.max_tokens = 5;
    chat.until = {stop.get_token(), deadline};
    chat.on_text = [&seen](std::string_view text) { seen += "text " + std::string(text) + "\n"; };
    chat.on_event = [&seen](const acta::ChatDelta& delta) { seen += "event " + std::to_string(delta.index()) + "\n"; };
    chat.restart = false;                                               // client_model_test.cpp
    chat.max_attempts = 1;                                              // likewise
    chat.kept = std::make_shared<acta::chat_extension::KeptRequest>();  // random_requests_test.cpp
    CHECK(changed_members(chat).size() == member_count<ChatOptions>);

    const auto body = [&](const acta::HttpChatCodec& codec) {
        const http::Request request = codec.request(codecs::question(), chat);
        CHECK(request.deadline == deadline);
        CHECK(request.stop == stop.get_token());
        return request.body;
    };
    const acta::openai::Options own{
        .base_url = "http://h", .model = "m", .api_key = "", .temperature = 1.0, .max_tokens = 9};
    const acta::openai::ChatCodec codec(own);
    CHECK(body(codec) ==
          R"({"model":"n","messages":[{"role":"user","content":"?"}],"temperature":0.5,"max_tokens":5,)"
          R"("tools":[{"type":"function","function":{"name":"f","description":"It does a lot of things.",)"
          R"("parameters":{"type":"object","properties":{}}}}],)"
          R"("tool_choice":{"type":"function","function":{"name":"f"}},)"
          R"("response_format":{"type":"json_schema","json_schema":{"name":"answer",)"
          R"("schema":{"type":"object","additionalProperties":false},"strict":true}},)"
          R"("stream":true,"stream_options":{"include_usage":true}})");
    CHECK(body(acta::openai::ResponsesCodec(own)) ==
          R"({"model":"n","input":[{"role":"user","content":"?"}],"store":false,)"
          R"("include":["reasoning.encrypted_content"],"temperature":0.5,"max_output_tokens":5,)"
          R"("tools":[{"type":"function","name":"f","description":"It does a lot of things.",)"
          R"("parameters":{"type":"object","properties":{}},"strict":false}],)"
          R"("tool_choice":{"type":"function","name":"f"},"text":{"format":{"type":"json_schema","name":"answer",)"
          R"("schema":{"type":"object","additionalProperties":false},"strict":true}},"stream":true})");
    CHECK(body(acta::anthropic::ChatCodec({.model = "m", .api_key = "", .temperature = 1.0})) ==
          R"({"model":"n","max_tokens":5,"tools":[{"name":"f","description":"It does a lot of things.",)"
          R"("input_schema":{"type":"object","properties":{}},"cache_control":{"type":"ephemeral"}}],)"
          R"("tool_choice":{"type":"tool","name":"f"},"messages":[{"role":"user",)"
          R"("content":[{"type":"text","text":"?","cache_control":{"type":"ephemeral"}}]}],"temperature":0.5,)"
          R"("output_config":{"format":{"type":"json_schema",)"
          R"("schema":{"type":"object","additionalProperties":false}}},"stream":true})");
    static_cast<void>(codecs::read(codec,
                                   R"({"choices":[{"message":{"content":"Dry.","reasoning_content":"Hm.",)"
                                   R"("tool_calls":[{"id":"a","function":{"name":"f"}}]}}]})",
                                   chat));
    CHECK(seen == "event 1\ntext Dry.\nevent 0\nevent 2\n");
}

TEST_CASE("each trait of a server changes what it gets, and nothing else") {
    ChatMessage call = walked_messages()[1];
    call.extra["openai"] = {{"x", 1}};
    ChatMessage quiet = ChatMessage::assistant("", {{"c2", {"f", {}}}});
    const std::vector<ChatMessage> messages{
        ChatMessage::system("Be brief."), ChatMessage::user("?"), call,  ChatMessage::tool("c1", "1"),
        ChatMessage::system("Hurry."),    ChatMessage::user(""),  quiet, ChatMessage::tool("c2", "2"),
        ChatMessage::assistant("So")};
    const auto body = [&](const ServerTraits& traits) {
        return codecs::request(acta::openai::ChatCodec(acta::openai::Options{
                                   .base_url = "http://h", .api_key = "", .max_tokens = 5, .server = traits}),
                               messages, walked_tools());
    };
    const Json plain = body({});
    CHECK(plain.dump() ==
          R"({"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"?"},)"
          R"({"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{"id":"c1",)"
          R"("type":"function","function":{"name":"f","arguments":"{}"}}],"x":1},)"
          R"({"role":"tool","content":"1","tool_call_id":"c1"},{"role":"system","content":"Hurry."},)"
          R"({"role":"user","content":""},{"role":"assistant","content":null,"tool_calls":[{"id":"c2",)"
          R"("type":"function","function":{"name":"f","arguments":"{}"}}]},)"
          R"({"role":"tool","content":"2","tool_call_id":"c2"},{"role":"assistant","content":"So"}],)"
          R"("max_tokens":5,"tools":[{"type":"function","function":{"name":"f",)"
          R"("description":"It does a lot of things.","parameters":{"type":"object","properties":{}}}}]})");
    // The messages and other members that are no longer there, and those that are new.
    const auto changes = [&plain](const Json& changed) {
        const auto lines = [](const Json& one) {
            std::vector<std::string> out;
            for (const Json& message : one["messages"]) out.push_back(message.dump());
            for (const auto& [key, value] : one.items()) {
                if (key != "messages") out.push_back(key + ": " + value.dump());
            }
            return out;
        };
        std::string out;
        const auto add_missing = [&out](char sign, const auto& from, const auto& other) {
            for (const std::string& line : from) {
                if (std::ranges::find(other, line) == other.end()) out += sign + line + "\n";
            }
        };
        add_missing('-', lines(plain), lines(changed));
        add_missing('+', lines(changed), lines(plain));
        return out;
    };
    const std::string first = R"({"role":"assistant","content":null,"reasoning_content":"Hm.",)"
                              R"("tool_calls":[{"id":"c1","type":"function",)"
                              R"("function":{"name":"f","arguments":"{}"}}],"x":1})";
    const std::string second = R"({"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function",)"
                               R"("function":{"name":"f","arguments":"{}"}}]})";
    const auto with = [](std::string text, const std::string& old, const std::string& now) {
        return text.replace(text.find(old), old.size(), now);
    };
    const std::string tools = "tools: " + plain["tools"].dump();
    const std::vector<std::pair<ServerTraits, std::string>> rows{
        {{.max_tokens_key = "n_predict"}, "-max_tokens: 5\n+n_predict: 5\n"},
        {{.send_reasoning = acta::openai::SendReasoning::never},
         "-" + first + "\n+" + with(first, R"("reasoning_content":"Hm.",)", "") + "\n"},
        {{.missing_reasoning = "none"},
         "-" + second + "\n+" + with(second, "null,", R"(null,"reasoning_content":"none",)") + "\n"},
        {{.has_short_ids = true},
         "-" + first + "\n-" + R"({"role":"tool","content":"1","tool_call_id":"c1"})" + "\n-" + second + "\n-" +
             R"({"role":"tool","content":"2","tool_call_id":"c2"})" + "\n+" + with(first, "c1", "utLa0p8gx") + "\n+" +
             R"({"role":"tool","content":"1","tool_call_id":"utLa0p8gx"})" + "\n+" + with(second, "c2", "1z8gVkCfx") +
             "\n+" + R"({"role":"tool","content":"2","tool_call_id":"1z8gVkCfx"})" + "\n"},
        {{.takes_any_order = false},
         "-"
         R"({"role":"assistant","content":"So"})"
         "\n+"
         R"({"role":"assistant","content":"Understood."})"
         "\n+"
         R"({"role":"assistant","content":"So","prefix":true})"
         "\n"},
        {{.takes_late_system = false},
         "-"
         R"({"role":"system","content":"Hurry."})"
         "\n-"
         R"({"role":"user","content":""})"
         "\n+"
         R"({"role":"user","content":"Hurry.\n\n"})"
         "\n"},
        {{.takes_empty_content = false},
         "-"
         R"({"role":"user","content":""})"
         "\n+"
         R"x({"role":"user","content":"(no text)"})x"
         "\n"},
        {{.takes_other_members = false}, "-" + first + "\n+" + with(first, R"(,"x":1)", "") + "\n"},
        {{.max_description = 8}, "-" + tools + "\n+" + with(tools, long_description, "It do...") + "\n"}};
    CHECK(rows.size() == member_count<ServerTraits>);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(changed_members(rows[i].first) == std::vector<std::size_t>{i});
        CHECK(changes(body(rows[i].first)) == rows[i].second);
    }
}
