// SPDX-License-Identifier: MIT
#pragma once

#include <poll.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/mcp/http_server.hpp"
#include "provider/http/socket_server.hpp"

// A small HTTP server on loopback for mcp::HttpServer: connections are served in parallel, pieces are sent at once, and
// a client that hangs up is noticed.
namespace mcp_tests {

class ShimAnswer : public acta::mcp::HttpAnswer {
public:
    explicit ShimAnswer(const faulty::Connection& connection) : connection_(connection) {}
    void begin(int status, const std::vector<std::pair<std::string, std::string>>& headers) override {
        std::string head = "HTTP/1.1 " + std::to_string(status) + " -\r\n";
        for (const auto& [name, value] : headers) {
            head += name + ": " + value + "\r\n";
            has_length_ = has_length_ || name == "Content-Length";
        }
        if (!has_length_) head += "Transfer-Encoding: chunked\r\n";
        connection_.send(head + "\r\n");
    }
    bool write(std::string_view piece) override {
        if (has_length_) return connection_.send(piece);
        char size[32];
        return connection_.send(
            std::string(size, static_cast<std::size_t>(std::snprintf(size, sizeof size, "%zx\r\n", piece.size()))) +
            std::string(piece) + "\r\n");
    }
    void end() {
        if (!has_length_) connection_.send("0\r\n\r\n");
    }

private:
    const faulty::Connection& connection_;
    bool has_length_ = false;
};

class HttpShim {
public:
    explicit HttpShim(acta::mcp::HttpServer& server, int port = 0)
        : server_(server), listening_([this](faulty::Connection& connection) { serve(connection); }, port) {}

    [[nodiscard]] int port() const noexcept { return listening_.port(); }
    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port()) + "/mcp"; }

private:
    void serve(faulty::Connection& connection) {
        for (;;) {
            faulty::Request request = connection.read();
            if (request.head.empty()) return;
            acta::mcp::HttpCall call = call_of(std::move(request));
            acta::stop_source gone;
            call.stop = gone.get_token();
            ShimAnswer answer(connection);
            {
                const acta::jthread watch([fd = connection.fd(), gone](const acta::stop_token& stop) mutable {
                    while (!stop.stop_requested()) {
                        ::pollfd one{fd, POLLRDHUP, 0};
                        if (::poll(&one, 1, 20) > 0 && one.revents != 0) {
                            gone.request_stop();
                            return;
                        }
                    }
                });
                server_.handle(call, answer);
            }
            answer.end();
            if (gone.stop_requested()) return;
        }
    }
    static acta::mcp::HttpCall call_of(faulty::Request request) {
        acta::mcp::HttpCall call;
        const std::string& head = request.head;
        call.method = head.substr(0, head.find(' '));
        for (std::size_t at = head.find("\r\n") + 2; at < head.size();) {
            const std::size_t stop = head.find("\r\n", at);
            const std::size_t colon = head.find(':', at);
            std::string value = head.substr(colon + 1, stop - colon - 1);
            value.erase(0, std::min(value.find_first_not_of(" \t"), value.size()));
            while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.pop_back();
            call.headers.emplace_back(head.substr(at, colon - at), std::move(value));
            at = stop + 2;
        }
        call.body = std::move(request.body);
        return call;
    }

    acta::mcp::HttpServer& server_;
    faulty::Server listening_;
};

}  // namespace mcp_tests
