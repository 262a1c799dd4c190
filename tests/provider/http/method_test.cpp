// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/provider/http/curl.hpp"
#include "provider/http/socket_server.hpp"
#include "support/catch.hpp"

namespace {

/// What a server received, in one line: the request line, the headers about the body, and the body.
std::string received(const faulty::Request& request) {
    std::string out = request.head.substr(0, request.head.find("\r\n"));
    for (const char* const name : {"Content-Length: ", "Content-Type: ", "Transfer-Encoding: "}) {
        const std::size_t at = request.head.find(name);
        if (at != std::string::npos) out += " " + request.head.substr(at, request.head.find("\r\n", at) - at);
    }
    return out + " " + request.body;
}

}  // namespace

TEST_CASE("a request has its method, with a body if there is one, on one connection") {
    faulty::Server server([](faulty::Connection& connection) {
        for (faulty::Request request = connection.read(); !request.head.empty(); request = connection.read()) {
            if (request.head.starts_with("HEAD"))
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\nX-Size: 100\r\n\r\n");
            else
                connection.answer(received(request));
        }
    });
    const auto send = [&](const std::string& method, const std::string& body) {
        acta::http::Request request{.url = server.url(), .headers = {"Content-Type: text/plain"}, .body = body};
        request.method = method;
        request.deadline = acta::deadline_in(std::chrono::seconds(20));
        return acta::http::send(request);
    };
    // One after another, so that nothing of one is left for the next.
    CHECK(send("GET", "").body == "GET /v1 HTTP/1.1 Content-Type: text/plain ");
    CHECK(send("POST", "abc").body == "POST /v1 HTTP/1.1 Content-Length: 3 Content-Type: text/plain abc");
    CHECK(send("DELETE", "").body == "DELETE /v1 HTTP/1.1 Content-Type: text/plain ");
    CHECK(send("PUT", "ab").body == "PUT /v1 HTTP/1.1 Content-Length: 2 Content-Type: text/plain ab");
    CHECK(send("POST", "").body == "POST /v1 HTTP/1.1 Content-Length: 0 Content-Type: text/plain ");
    const acta::http::Reply head = send("HEAD", "");
    CHECK(head.header("x-size") == "100");
    CHECK(head.body.empty());
    CHECK(send("GET", "").body == "GET /v1 HTTP/1.1 Content-Type: text/plain ");
    CHECK(send("DELETE", "a").body == "DELETE /v1 HTTP/1.1 Content-Length: 1 Content-Type: text/plain a");
    CHECK(server.connections() == 1);
    for (const char* const method : {"", "GET /", "GET\r\nX: y", "G\xC3\x89T"}) {
        try {
            static_cast<void>(send(method, ""));
            FAIL("sent");
        } catch (const acta::http::Error& error) {
            CHECK(error.fault() == acta::http::Fault::configuration);
            CHECK(std::string(error.what()) == "the method of the request is not a word");
        }
    }
}

TEST_CASE("a proxy that was asked for gets requests to this machine, too") {
    faulty::Server proxy([](faulty::Connection& connection) { connection.answer(received(connection.read())); });
    acta::http::Request request{.url = "http://127.0.0.1:1/x", .headers = {"Content-Type: text/plain"}, .body = "a"};
    request.deadline = acta::deadline_in(std::chrono::seconds(20));
    request.proxy = proxy.url();
    CHECK(acta::http::send(request).body ==
          "POST http://127.0.0.1:1/x HTTP/1.1 Content-Length: 1 Content-Type: text/plain a");
}

TEST_CASE("a sink is called when the headers have arrived, before anything of the body has") {
    for (const std::string end : {"\r\n", "\n"}) {
        std::atomic<bool> is_called{false};
        bool was_called_before = false;
        const faulty::Server server([&](faulty::Connection& connection) {
            static_cast<void>(connection.read());
            connection.send("HTTP/1.1 103 Early Hints" + end + end + "HTTP/1.1 201 Created" + end + "X-One: 1" + end +
                            "Content-Length: 4" + end + end);
            for (int i = 0; i < 2000 && !is_called; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
            was_called_before = is_called;
            connection.send("body");
        });
        acta::http::Request request;
        request.url = server.url();
        request.deadline = acta::deadline_in(std::chrono::seconds(30));
        std::string first = "none";
        const acta::http::Reply reply = acta::http::send(request, [&](acta::http::Reply& part) {
            if (!is_called) first = std::to_string(part.status) + std::string(part.header("x-one")) + part.body;
            is_called = true;
            return acta::http::Demand::more;
        });
        CHECK(reply.body == "body");
        CHECK(first == "2011");
        CHECK(was_called_before);
    }
}
