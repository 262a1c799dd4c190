// SPDX-License-Identifier: MIT
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "../../provider/http/socket_server.hpp"

namespace bench {

/// A server of chat completions in a process of its own, whose time is not measured. The path of a request says what it
/// answers: below `/<steps>/<calls>/`, as many calls for each of the first steps of a conversation, and then a text.
/// One conversation at a time, over any connections.
class LoopServer {
public:
    LoopServer() {
        const auto [listening, port] = faulty::listen_on_loopback();
        port_ = port;
        void* const shared = mmap(nullptr, sizeof *asked_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared == MAP_FAILED) throw std::runtime_error("no memory for the server");
        asked_ = static_cast<std::size_t*>(shared);
        process_ = fork();
        if (process_ < 0) throw std::runtime_error("no process for the server");
        if (process_ == 0) serve(listening);
        close(listening);
    }
    LoopServer(const LoopServer&) = delete;
    LoopServer& operator=(const LoopServer&) = delete;
    ~LoopServer() {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
        munmap(asked_, sizeof *asked_);
    }

    /// The base URL for a conversation of `steps` steps with `calls` calls each.
    [[nodiscard]] std::string url(std::size_t steps, std::size_t calls) const {
        return "http://127.0.0.1:" + std::to_string(port_) + "/" + std::to_string(steps) + "/" + std::to_string(calls);
    }

private:
    [[noreturn]] void serve(int listening) const {
        for (;;) {
            const int connection = accept(listening, nullptr, nullptr);
            if (connection < 0) std::_Exit(1);
            if (fork() == 0) {
                close(listening);
                answer_all(connection);
            }
            close(connection);
            while (waitpid(-1, nullptr, WNOHANG) > 0) {
            }
        }
    }

    [[noreturn]] void answer_all(int connection) const {
        const int on = 1;
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        std::string input;
        for (;;) {
            std::size_t head = 0;
            while ((head = input.find("\r\n\r\n")) == std::string::npos) receive(connection, input);
            const std::string before = input.substr(0, head);
            std::size_t at = before.find("Content-Length:");
            if (at == std::string::npos) at = before.find("content-length:");
            const std::size_t size = at == std::string::npos ? 0 : std::stoul(before.substr(at + 15));
            const std::size_t whole = head + 4 + size;
            while (input.size() < whole) receive(connection, input);
            input.erase(0, whole);
            send_all(connection, reply_to(before, *asked_));
        }
    }
    static void receive(int connection, std::string& input) {
        char buffer[65536];
        const ssize_t size = read(connection, buffer, sizeof buffer);
        if (size <= 0) std::_Exit(0);
        input.append(buffer, static_cast<std::size_t>(size));
    }
    static void send_all(int connection, std::string_view text) {
        while (!text.empty()) {
            const ssize_t size = write(connection, text.data(), text.size());
            if (size <= 0) std::_Exit(0);
            text.remove_prefix(static_cast<std::size_t>(size));
        }
    }
    /// The reply to the next request of a conversation, of which `asked` have come.
    static std::string reply_to(const std::string& head, std::size_t& asked) {
        const std::size_t slash = head.find('/');
        std::size_t end = 0;
        const std::size_t steps = std::stoul(head.substr(slash + 1), &end);
        const std::size_t calls = std::stoul(head.substr(slash + end + 2));
        std::string body = R"({"id":"c)" + std::to_string(asked) +
                           R"(","object":"chat.completion","model":"m","choices":[{"index":0,"message":{)";
        if (asked == steps) {
            asked = 0;
            body += R"("role":"assistant","content":"All read."},"finish_reason":"stop"}])";
        } else {
            ++asked;
            body += R"("role":"assistant","content":"I read on, since the pump is not named yet.","tool_calls":[)";
            for (std::size_t i = 0; i < calls; ++i) {
                body += (i == 0 ? "" : ",") + (R"({"id":"call_)" + std::to_string(asked) + "_" + std::to_string(i)) +
                        R"(","type":"function","function":{"name":"read_log","arguments":"{\"part\":)" +
                        std::to_string(asked) + "}\"}}";
            }
            body += R"(]},"finish_reason":"tool_calls"}])";
        }
        body += R"(,"usage":{"prompt_tokens":1000,"completion_tokens":20,"total_tokens":1020}})";
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
               "\r\n\r\n" + body;
    }

    int port_ = 0;
    pid_t process_ = -1;
    std::size_t* asked_ = nullptr;  // requests since the last answer, for the processes of all connections
};

}  // namespace bench
