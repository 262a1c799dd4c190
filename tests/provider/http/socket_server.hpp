// SPDX-License-Identifier: MIT
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

// A server that misbehaves as a test wants it to: each connection is given to a function. Loopback, a free port.
namespace faulty {

struct Request {
    std::string head{};  // the request line and the headers, each with its line end
    std::string body{};
};

class Connection {
public:
    explicit Connection(int fd) : fd_(fd) {}

    /// The next request, or an empty one where the client has gone.
    Request read() {
        Request request;
        std::size_t end = std::string::npos;
        while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
            if (!receive()) return {};
        }
        request.head = received_.substr(0, end + 2);
        received_.erase(0, end + 4);
        std::string lower = request.head;
        for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        const std::size_t at = lower.find("\r\ncontent-length:");
        const std::size_t length = at == std::string::npos ? 0 : std::stoul(lower.substr(at + 17));
        while (received_.size() < length) {
            if (!receive()) return {};
        }
        request.body = received_.substr(0, length);
        received_.erase(0, length);
        return request;
    }
    [[nodiscard]] int fd() const noexcept { return fd_; }
    /// Whether the client took it.
    bool send(std::string_view text) const {
        while (!text.empty()) {
            const ::ssize_t sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
            if (sent <= 0) return false;
            text.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }
    /// A whole answer; `headers` are lines with their ends.
    bool answer(const std::string& status, std::string_view body, const std::string& headers = {}) const {
        return send("HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\n" + headers +
                    "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
    }
    bool answer(std::string_view body) const { return answer("200 OK", body); }
    /// Waits for further bytes, and returns whether they came.
    bool receive() {
        char buffer[4096];
        const ::ssize_t got = ::recv(fd_, buffer, sizeof buffer, 0);
        if (got <= 0) return false;
        received_.append(buffer, static_cast<std::size_t>(got));
        return true;
    }
    /// Returns once the client has gone, or the server is stopped.
    void wait_for_end() {
        while (receive()) received_.clear();
    }

private:
    int fd_;
    std::string received_{};
};

/// Returns a socket that listens on loopback, and its port: any one, or this one.
inline std::pair<int, int> listen_on_loopback(int port = 0) {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    const int on = 1;
    ::sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const any = reinterpret_cast<::sockaddr*>(&address);
    ::socklen_t size = sizeof address;
    if (listener < 0 || ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        ::bind(listener, any, size) != 0 || ::listen(listener, 64) != 0 || ::getsockname(listener, any, &size) != 0)
        throw std::runtime_error("no socket to listen on");
    return {listener, ntohs(address.sin_port)};
}

class Server {
public:
    /// `serve` is called in a thread of its own for each connection, which it ends by returning.
    explicit Server(std::function<void(Connection&)> serve, int port = 0) : serve_(std::move(serve)) {
        ::setenv("NO_PROXY", "127.0.0.1,localhost", 1);
        ::setenv("no_proxy", "127.0.0.1,localhost", 1);
        std::tie(listener_, port_) = listen_on_loopback(port);
        acceptor_ = std::thread([this] { accept_all(); });
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server() {
        {
            const std::lock_guard lock(mutex_);
            stopped_ = true;
            ::shutdown(listener_, SHUT_RDWR);
            for (const int fd : open_) ::shutdown(fd, SHUT_RDWR);
        }
        acceptor_.join();
        for (std::thread& one : threads_) one.join();
        ::close(listener_);
    }

    [[nodiscard]] int port() const noexcept { return port_; }
    [[nodiscard]] std::string url(const std::string& scheme = "http") const {
        return scheme + "://127.0.0.1:" + std::to_string(port_) + "/v1";
    }
    /// How many connections were made so far.
    [[nodiscard]] int connections() const noexcept { return connections_; }

private:
    void accept_all() {
        while (true) {
            const int fd = ::accept(listener_, nullptr, nullptr);
            if (fd < 0) return;
            const int on = 1;  // a head and its body may be two pieces, of which the second would wait for 40 ms
            ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            const std::lock_guard lock(mutex_);
            if (stopped_) {
                ::close(fd);
                return;
            }
            ++connections_;
            open_.push_back(fd);
            threads_.emplace_back([this, fd] {
                Connection connection(fd);
                serve_(connection);
                const std::lock_guard lock_of_list(mutex_);
                std::erase(open_, fd);
                ::shutdown(fd, SHUT_RDWR);
                ::close(fd);
            });
        }
    }

    std::function<void(Connection&)> serve_;
    int listener_ = -1;
    int port_ = 0;
    std::mutex mutex_{};
    bool stopped_ = false;
    std::vector<int> open_{};
    std::vector<std::thread> threads_{};  // changed by the acceptor alone, until it has ended
    std::atomic<int> connections_{0};
    std::thread acceptor_{};
};

}  // namespace faulty
