// SPDX-License-Identifier: MIT
#include <chrono>
#include <string>
#include <vector>

#include "acta/provider/http/http.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

namespace {

using acta::Json;

/// The events of a stream that comes in pieces of so many bytes.
std::vector<std::string> events(const std::string& stream, std::size_t piece) {
    acta::http::EventStreamReader reader;
    std::vector<std::string> out;
    for (std::size_t i = 0; i < stream.size(); i += piece)
        reader.add(std::string_view(stream).substr(i, piece),
                   [&out](std::string_view data) { out.emplace_back(data); });
    const std::string rest = reader.rest();
    if (!rest.empty()) out.push_back(rest);
    return out;
}

const acta::openai::ChatCodec& chat_codec() {
    static const acta::openai::ChatCodec codec({.api_key = ""});
    return codec;
}

acta::ChatReply together(std::vector<std::string> chunks) {
    chunks.emplace_back("[DONE]");
    return codecs::read(chat_codec(), codecs::events(chunks));
}

Json message(const Json& body) { return body["choices"][0]["message"]; }

}  // namespace

TEST_CASE("a stream of events is the same in whatever pieces it comes") {
    const std::string stream =
        "\xEF\xBB\xBF: a comment\r\ndata: one\r\n\r\nevent: x\rdata:two\rdata:  lines\r\rid: 7\n\ndata\n\ndata: "
        "\xC3\xA9\n\n\n: end\ndata: last";
    const std::vector<std::string> wanted{"one", "two\n lines", "", "\xC3\xA9", "last"};
    for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
        INFO("pieces of " << piece);
        CHECK(events(stream, piece) == wanted);
    }
    CHECK(events("", 1).empty());
    CHECK(events("data: a\n\n\xEF\xBB\xBF"
                 "data: b\n\n",
                 1) == std::vector<std::string>{"a"});  // only at the beginning
    CHECK(events("\n\n\r\n", 1).empty());
    CHECK(events("data: [DONE]\n\n", 3) == std::vector<std::string>{"[DONE]"});
}

TEST_CASE("identifiers of events and the time to wait before the next request are kept") {
    struct Row {
        std::string stream;
        std::string id;
        long retry;
    };
    for (const Row& row : {Row{"", "", -1}, Row{"id: 7\ndata: a\n\n", "7", -1}, Row{"id: 7\ndata: a\n", "", -1},
                           Row{"id: 7\n\n", "7", -1}, Row{"id: 7\n\nid:8\ndata:\n\ndata: b\n\n", "8", -1},
                           Row{"id: 7\n\nid\n\n", "", -1}, Row{std::string("id: 7\n\nid: 8\0\n\n", 16), "7", -1},
                           Row{"retry: 500\n", "", 500}, Row{"retry: 500\nretry: 5s\nretry:\nretry: -1\n", "", 500},
                           Row{"retry: 500\n\nretry: 0\n\n", "", 0}, Row{"Retry: 1\nID: 2\n\n", "", -1},
                           Row{"retry: 99999999999999999999\n", "", std::chrono::milliseconds::max().count()}}) {
        INFO(row.stream);
        for (const std::size_t piece : {std::size_t{1}, row.stream.size() + 1}) {
            acta::http::EventStreamReader reader;
            for (std::size_t i = 0; i < row.stream.size(); i += piece)
                reader.add(std::string_view(row.stream).substr(i, piece), [](std::string_view) {});
            CHECK(reader.last_event_id() == row.id);
            CHECK(reader.retry().value_or(std::chrono::milliseconds(-1)).count() == row.retry);
        }
    }
}

TEST_CASE("chunks make the answer that it would have been, unknown fields too") {
    const acta::ChatReply reply = together(
        {R"({"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant",
            "content":""},"finish_reason":null}]})",
         R"({"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"reasoning":"Hm","content":null}}]})",
         R"({"choices":[{"index":1,"delta":{"content":"another choice"}}]})",
         R"({"choices":[{"index":0,"delta":{"reasoning":"m","content":"Hel"}}],"usage":null,"x_trace":[1]})",
         R"({"choices":[{"delta":{"content":"lo"},"finish_reason":"stop"}]})",
         R"({"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}})"});
    CHECK(reply.body.dump() ==
          R"({"id":"c1","object":"chat.completion","model":"m","x_trace":[1],"usage":{"prompt_tokens":3,)"
          R"("completion_tokens":2},"choices":[{"finish_reason":"stop","index":0,"message":{"role":"assistant",)"
          R"("content":"Hello","reasoning":"Hmm"}}]})");
    // Texts and lists grow, and all else is replaced.
    CHECK(message(together({R"({"choices":[{"delta":{"role":"assistant","content":"a","notes":[1],"mark":1}}]})",
                            R"({"choices":[{"delta":{"role":"assistant","content":"b","notes":[2,3],"mark":2}}]})"})
                      .body)
              .dump() == R"({"role":"assistant","content":"ab","notes":[1,2,3],"mark":2})");
    const acta::ChatCompletion& completion = reply.completion;
    CHECK(completion.message.content == "Hello");
    CHECK(completion.usage == acta::TokenUsage{3, 2});
    CHECK(completion.finish_reason == "stop");
}

TEST_CASE("tool calls are put together by index, or by id where a server has none") {
    const std::vector<std::string> with_index{
        R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}]}}]})",
        R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":"{\"y\""}}]}}]})",
        R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":"}},{"index":1,"function":{"arguments":":2}"}}]}}]})",
        R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]},"finish_reason":"tool_calls"}]})"};
    const std::vector<std::string> without{
        R"({"choices":[{"index":0,"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\":"}}]}}]})",
        R"({"choices":[{"index":0,"delta":{"tool_calls":[{"function":{"arguments":"1}"}}]}}]})",
        R"({"choices":[{"index":0,"delta":{"tool_calls":[{"id":"b","function":{"name":"g","arguments":{"y":2}}}]}}]})"};
    for (const auto& chunks : {with_index, without}) {
        const acta::ChatCompletion completion = together(chunks).completion;
        REQUIRE(completion.message.tool_calls);
        REQUIRE(completion.message.tool_calls->size() == 2);
        CHECK(completion.message.tool_calls->at(0).id == "a");
        CHECK(to_string(completion.message.tool_calls->at(0)) == "f(x=1)");
        CHECK(completion.message.tool_calls->at(1).id == "b");
        CHECK(to_string(completion.message.tool_calls->at(1)) == "g(y=2)");
    }
}

TEST_CASE("chunks that are none are refused") {
    for (const char* chunk :
         {"[]", R"({"choices":{}})", R"({"choices":[{"delta":[1]}]})", R"({"choices":[{"delta":{"tool_calls":3}}]})",
          R"({"choices":[{"delta":{"tool_calls":[1]}}]})", R"({"choices":[{"delta":{"content":true}}]})",
          R"({"choices":[{"delta":{"tool_calls":[{"index":{}}]}}]})"}) {
        INFO(chunk);
        const acta::ChatModelError error = codecs::failure(chat_codec(), codecs::events({chunk}));
        CHECK(error.fault() == acta::ChatModelFault::reply);
        CHECK_THAT(error.what(), contains_text(chunk));
    }
    // A server that sends new fields without end must not keep us busy looking them up.
    std::vector<std::string> flood;
    for (int i = 0; i < 1000; ++i) flood.push_back("{\"x" + std::to_string(i) + "\":1}");
    CHECK_THROWS_AS(together(flood), acta::ChatModelError);
    CHECK(message(together({R"({"choices":[{"delta":{"tool_calls":null,"content":"a"}}]})"}).body).dump() ==
          R"({"content":"a"})");
}

TEST_CASE("secrets are taken out of texts and of keys of objects") {
    acta::http::Secrets secrets;
    secrets.add("sk-0123456789abcdef");
    secrets.add("sk-0123456789abcdef-and-more");
    secrets.add("abc");     // too short to be one
    secrets.add("ollama");  // a secret of errors only
    CHECK(secrets.hide("a sk-0123456789abcdef-and-more b sk-0123456789abcdefsk-0123456789abcdef abc ollama") ==
          "a *** b ****** abc ***");
    Json value = Json::parse(R"({"k sk-0123456789abcdef":["sk-0123456789abcdef!",{"a":"ollama"}],"n":1})");
    secrets.hide_in(value, acta::http::Secrets::shortest_in_answers);
    CHECK(value.dump() == R"({"k ***":["***!",{"a":"ollama"}],"n":1})");
}
