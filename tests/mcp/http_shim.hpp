// SPDX-License-Identifier: MIT
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
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
    explicit ShimAnswer(int fd) : fd_(fd) {}
    void begin(int status, const std::vector<std::pair<std::string, std::string>>& headers) override {
        std::string head = "HTTP/1.1 " + std::to_string(status) + " -\r\n";
        for (const auto& [name, value] : headers) {
            head += name + ": " + value + "\r\n";
            has_length_ = has_length_ || name == "Content-Length";
        }
        if (!has_length_) head += "Transfer-Encoding: chunked\r\n";
        send(head + "\r\n");
    }
    bool write(std::string_view piece) override {
        if (has_length_) return send(piece);
        char size[32];
        return send(
            std::string(size, static_cast<std::size_t>(std::snprintf(size, sizeof size, "%zx\r\n", piece.size()))) +
            std::string(piece) + "\r\n");
    }
    void end() {
        if (!has_length_) send("0\r\n\r\n");
    }

private:
    bool send(std::string_view text) const {
        while (!text.empty()) {
            const ::ssize_t sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
            if (sent <= 0) return false;
            text.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }
    int fd_;
    bool has_length_ = false;
};

class HttpShim {
public:
    explicit HttpShim(acta::mcp::HttpServer& server, int port = 0) : server_(server) {
        std::tie(listener_, port_) = faulty::listen_on_loopback(port);
        acceptor_ = std::thread([this] { accept_all(); });
    }
    HttpShim(const HttpShim&) = delete;
    HttpShim& operator=(const HttpShim&) = delete;
    ~HttpShim() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
            ::shutdown(listener_, SHUT_RDWR);
            for (const int fd : open_) ::shutdown(fd, SHUT_RDWR);
        }
        server_.close();
        acceptor_.join();
        for (std::thread& one : threads_) one.join();
        ::close(listener_);
    }
    [[nodiscard]] int port() const noexcept { return port_; }
    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/mcp"; }
    /// Waits for ever.
    void wait() { acceptor_.join(); }

private:
    void accept_all() {
        for (;;) {
            const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            if (fd < 0) return;
            const int on = 1;  // A head and its body are two pieces, of which the second would wait for 40 ms.
            ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            const std::lock_guard lock(mutex_);
            if (is_over_) {
                ::close(fd);
                return;
            }
            open_.push_back(fd);
            threads_.emplace_back([this, fd] {
                serve(fd);
                const std::lock_guard lock_of_list(mutex_);
                std::erase(open_, fd);
                ::close(fd);
            });
        }
    }

    void serve(int fd) {
        std::string received;
        const auto receive = [&] {
            char buffer[16384];
            const ::ssize_t got = ::recv(fd, buffer, sizeof buffer, 0);
            if (got > 0) received.append(buffer, static_cast<std::size_t>(got));
            return got > 0;
        };
        for (;;) {
            std::size_t end = 0;
            while ((end = received.find("\r\n\r\n")) == std::string::npos)
                if (!receive()) return;
            acta::mcp::HttpCall call;
            std::string head = received.substr(0, end + 2);
            received.erase(0, end + 4);
            call.method = head.substr(0, head.find(' '));
            std::size_t length = 0;
            for (std::size_t at = head.find("\r\n") + 2; at < head.size();) {
                const std::size_t stop = head.find("\r\n", at);
                const std::size_t colon = head.find(':', at);
                std::string value = head.substr(colon + 1, stop - colon - 1);
                value.erase(0, std::min(value.find_first_not_of(" \t"), value.size()));
                while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.pop_back();
                std::string name = head.substr(at, colon - at);
                std::transform(name.begin(), name.end(), name.begin(),
                               [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
                if (name == "content-length") length = std::stoul(value);
                call.headers.emplace_back(std::move(name), std::move(value));
                at = stop + 2;
            }
            while (received.size() < length)
                if (!receive()) return;
            call.body = received.substr(0, length);
            received.erase(0, length);
            acta::stop_source gone;
            call.stop = gone.get_token();
            ShimAnswer answer(fd);
            {
                const acta::jthread watch([fd, gone](const acta::stop_token& stop) mutable {
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

    acta::mcp::HttpServer& server_;
    int listener_ = -1;
    int port_ = 0;
    std::mutex mutex_{};
    bool is_over_ = false;
    std::vector<int> open_{};
    std::list<std::thread> threads_{};
    std::thread acceptor_{};
};

}  // namespace mcp_tests
