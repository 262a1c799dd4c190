// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include <stdexcept>
#include <string>

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

TEST_CASE("a stream whose model has finished is over, whatever the server does then") {
    for (const char* const last :
         {"data: [DONE]\n\ndata: rubbish\n\n",
          "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":1}}\n\n"}) {
        const Server server([last](Connection& c) {
            c.read();
            c.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 100000\r\n\r\n" +
                   chunk("all", "\"stop\"") + last);
            c.wait_for_end();
        });
        const acta::ChatReply reply =
            openai::ChatModel(options_for(server)).complete("?", {.on_text = [](std::string_view) {}});
        CHECK(reply.completion.message.content == "all");
    }
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
