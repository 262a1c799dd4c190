// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>

#include "acta/action/action.hpp"
#include "acta/agent/run.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/openai/chat_model.hpp"
#include "faulty_model.hpp"

namespace {

using acta::ChatModelError;
using acta::ChatModelFault;
namespace openai = acta::openai;
using faulty::always;
using faulty::answer;
using faulty::chunk;
using faulty::Connection;
using faulty::failure;
using faulty::key;
using faulty::options_for;
using faulty::Server;
using faulty::stream_head;

}  // namespace

TEST_CASE("headers, trailers, interim answers and streams without end are cut, too") {
    const auto endless = [](std::string head, std::string part) {
        return [head = std::move(head), part = std::move(part)](Connection& c) {
            c.read();
            c.send(head);
            while (c.send(part)) {
            }
        };
    };
    const Server headers(endless("HTTP/1.1 200 OK\r\n", "X-More: " + std::string(1000, 'x') + "\r\n"));
    CHECK(failure(options_for(headers))->fault() == ChatModelFault::too_large);
    const Server line(endless("HTTP/1.1 200 OK\r\nX-More: ", std::string(1000, 'x')));
    CHECK(failure(options_for(line))->fault() == ChatModelFault::too_large);
    const std::string last_chunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n";
    const Server trailers(endless(last_chunk, "X-More: " + std::string(1000, 'x') + "\r\n"));
    CHECK(failure(options_for(trailers))->fault() == ChatModelFault::too_large);
    const Server trailer(endless(last_chunk + "X-More: ", std::string(1000, 'x')));
    CHECK(failure(options_for(trailer))->fault() == ChatModelFault::too_large);
    const Server interim(endless("", "HTTP/1.1 100 Continue\r\n\r\n"));
    CHECK(failure(options_for(interim))->fault() == ChatModelFault::too_large);
    for (const std::string& part : {std::string(": nothing yet\n\n"), chunk("more "), std::string(1000, 'x')}) {
        const Server server(endless(stream_head, part));
        openai::Options options = options_for(server);
        options.max_response_bytes = 100'000;
        try {
            openai::ChatModel(options).complete("?", {.on_text = [](std::string_view) {}});
            FAIL("ended");
        } catch (const ChatModelError& error) {
            CHECK(error.fault() == ChatModelFault::too_large);
        }
    }
}

TEST_CASE("a run asks again for an answer that breaks off, unless what is told of it throws") {
    std::atomic<int> asked{0};
    const Server server([&](Connection& c) {
        c.read();
        if (++asked == 1)
            c.send(stream_head + chunk("hel"));
        else
            c.send(stream_head + chunk("hello ") + chunk("you", "\"stop\"") + "data: [DONE]\n\n");
    });
    std::string text;
    acta::ChatOptions options;
    options.on_event = [](const acta::ChatDelta& delta) {
        if (std::holds_alternative<acta::AnswerRestarted>(delta)) throw std::logic_error("the screen is gone");
    };
    CHECK_THROWS_AS(openai::ChatModel(options_for(server, 2)).complete("?", options), std::logic_error);
    CHECK(asked == 1);

    // A run that only shows the text is not weaker than one that shows nothing.
    asked = 0;
    text.clear();
    acta::RunOptions run;
    run.on_text = [&text](std::string_view part) { text += part; };
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user("?"));
    CHECK(acta::run_agent(openai::ChatModel(options_for(server, 2)), {}, history, run).answer == "hello you");
    CHECK(text == "helhello you");
    asked = 0;
    run.chat.restart = false;
    acta::EpisodicActionHistory<> other;
    other.register_message(acta::ChatMessage::user("?"));
    const acta::RunResult ended = acta::run_agent(openai::ChatModel(options_for(server, 2)), {}, other, run);
    CHECK(ended.end == acta::RunEnd::failed);
    CHECK(ended.error->is_transient());
    CHECK(ended.error->failure->attempts == 1);
}

TEST_CASE("a stream that has said its last is over, whatever the server does then") {
    const Server server([](Connection& c) {
        c.read();
        c.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 100000\r\n\r\n" +
               chunk("all", "\"stop\"") + "data: [DONE]\n\ndata: rubbish\n\n");
        c.wait_for_end();
    });
    const acta::ChatReply reply =
        openai::ChatModel(options_for(server)).complete("?", {.on_text = [](std::string_view) {}});
    CHECK(reply.completion.message.content == "all");
}

TEST_CASE("a stream whose model has finished is usable without [DONE] on a connection that stays open") {
    const Server server([](Connection& c) {
        c.read();
        c.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 100000\r\n\r\n" +
               chunk("all", "\"stop\"") +
               "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":1}}\n\n");
        c.wait_for_end();
    });
    openai::Options options = options_for(server);
    options.timeout = std::chrono::seconds(60);
    const acta::ChatReply reply = openai::ChatModel(options).complete("?", {.on_text = [](std::string_view) {}});
    CHECK(reply.completion.message.content == "all");
    REQUIRE(reply.completion.usage);
    CHECK(reply.completion.usage->prompt_tokens == 3);
}

TEST_CASE("of a streamed message texts and lists grow, and all else is replaced") {
    const auto part = [](const std::string& delta) {
        return R"(data: {"choices":[{"index":0,"delta":)" + delta + R"(,"finish_reason":null}]})" + "\n\n";
    };
    const Server server([&](Connection& c) {
        c.read();
        c.send(stream_head + part(R"({"role":"assistant","content":"a","notes":[1],"mark":1,"refusal":null})") +
               part(R"({"role":"assistant","content":"b","notes":[2,3],"mark":2})") + chunk("c", "\"stop\"") +
               "data: [DONE]\n\n");
    });
    const openai::ChatModel model(options_for(server));
    CHECK(model.model() == "m");
    const acta::ChatReply reply = model.complete("?", {.on_text = [](std::string_view) {}});
    CHECK(reply.completion.message.content == "abc");
    const acta::Json& message = reply.body["choices"][0]["message"];
    CHECK(message["role"] == "assistant");
    CHECK(message["notes"].dump() == "[1,2,3]");
    CHECK(message["mark"] == 2);
}

TEST_CASE("a callback may throw, and ask the model itself") {
    const Server server([](Connection& c) {
        while (true) {
            const faulty::Request request = c.read();
            if (request.head.empty()) return;
            if (request.body.find("\"stream\":true") != std::string::npos) {
                c.send(stream_head + chunk("one ") + chunk("two", "\"stop\"") + "data: [DONE]\n\n");
                return;
            }
            c.answer(answer("inner"));
        }
    });
    const openai::ChatModel model(options_for(server, 3));
    CHECK_THROWS_AS(model.complete("?", {.on_text = [](std::string_view) { throw std::logic_error("enough"); }}),
                    std::logic_error);
    std::string inner;
    const acta::ChatReply reply = model.complete(
        "?", {.on_text = [&](std::string_view) { inner = model.complete("?").completion.message.content; }});
    CHECK(inner == "inner");
    CHECK(reply.completion.message.content == "one two");
    // An error of the callback's own is not taken for one of the call.
    try {
        model.complete("?",
                       {.on_text = [](std::string_view) { throw ChatModelError("mine", {.is_transient = true}); }});
        FAIL("ended");
    } catch (const ChatModelError& error) {
        CHECK(std::string(error.what()) == "mine");
    }
}

#else

TEST_CASE("answers are streamed with libcurl") { ACTA_SKIP("libcurl is not there"); }

#endif
