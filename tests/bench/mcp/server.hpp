// SPDX-License-Identifier: MIT
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "../../provider/http/socket_server.hpp"

namespace bench {

constexpr std::size_t listed_tools = 1000;

/// The tools of the server, of which `read_log` is called.
inline std::string tool_list() {
    std::string out = R"({"tools":[)";
    for (std::size_t i = 0; i < listed_tools; ++i) {
        const std::string name = i == 0 ? "read_log" : "table_" + std::to_string(i);
        out += (i == 0 ? "" : ",") + (R"({"name":")" + name) +
               R"(","description":"Looks up one of the tables of the harbour office by its name.","inputSchema":)"
               R"({"type":"object","properties":{"table":{"type":"string","description":"The name of the table."},)"
               R"("rows":{"type":"integer","minimum":1,"maximum":1000,"default":10},"order":{"enum":["up","down"]},)"
               R"("columns":{"type":"array","items":{"type":"string"},"maxItems":20}},"required":["table"]},)"
               R"("annotations":{"readOnlyHint":true}})";
    }
    return out + "]}";
}

/// Returns the answer to a message, without looking at more of it than is necessary; an empty text if it needs none.
/// The revision is 2026-07-28, or 2025-11-25 if not `is_modern`.
inline std::string reply_to(std::string_view message, bool is_modern) {
    static const std::string tools = tool_list();
    const auto has = [&](std::string_view method) { return message.find(method) != std::string_view::npos; };
    const std::size_t at = message.find(R"("id":)");
    if (at == std::string_view::npos) return {};
    const std::size_t begin = at + 5;
    const std::string id(message.substr(begin, message.find_first_of(",}", begin) - begin));
    std::string result;
    if (has(R"("tools/call")"))
        result = R"({"content":[{"type":"text","text":"High water at noon."}]})";
    else if (has(R"("tools/list")"))
        result = tools;
    else if (has(R"("server/discover")") && is_modern)
        result = R"({"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}})";
    else if (has(R"("initialize")"))
        result =
            R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}})";
    else
        return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":-32601,"message":"Unknown"}})";
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + result + "}";
}

inline bool write_all(int to, std::string_view text) {
    while (!text.empty()) {
        const ssize_t size = write(to, text.data(), text.size());
        if (size <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
}

/// Serves its standard streams.
inline void serve_lines(bool is_modern) {
    std::string input;
    char buffer[65536];
    for (ssize_t size = 0; (size = read(0, buffer, sizeof buffer)) > 0;) {
        input.append(buffer, static_cast<std::size_t>(size));
        for (std::size_t end = 0; (end = input.find('\n')) != std::string::npos; input.erase(0, end + 1)) {
            const std::string reply = reply_to(std::string_view(input).substr(0, end), is_modern);
            if (!reply.empty() && !write_all(1, reply + "\n")) return;
        }
    }
}

/// The same server over HTTP, in a process of its own.
class HttpPeer {
public:
    HttpPeer() {
        const auto [listening, port] = faulty::listen_on_loopback();
        port_ = port;
        process_ = fork();
        if (process_ < 0) throw std::runtime_error("no process for the server");
        if (process_ == 0) serve(listening);
        close(listening);
    }
    HttpPeer(const HttpPeer&) = delete;
    HttpPeer& operator=(const HttpPeer&) = delete;
    ~HttpPeer() {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }

    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/mcp"; }

private:
    [[noreturn]] static void serve(int listening) {
        signal(SIGCHLD, SIG_IGN);
        for (;;) {
            const int connection = accept(listening, nullptr, nullptr);
            if (connection < 0) std::_Exit(1);
            if (fork() == 0) answer_all(connection);
            close(connection);
        }
    }
    [[noreturn]] static void answer_all(int connection) {
        const int on = 1;
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        std::string input;
        char buffer[65536];
        const auto receive = [&] {
            const ssize_t size = read(connection, buffer, sizeof buffer);
            if (size <= 0) std::_Exit(0);
            input.append(buffer, static_cast<std::size_t>(size));
        };
        for (;;) {
            std::size_t head = 0;
            while ((head = input.find("\r\n\r\n")) == std::string::npos) receive();
            const std::size_t at = input.find("Content-Length: ");
            const std::size_t whole = head + 4 + (at > head ? 0 : std::stoul(input.substr(at + 16)));
            while (input.size() < whole) receive();
            const std::string body = reply_to(std::string_view(input).substr(head + 4, whole - head - 4), true);
            input.erase(0, whole);
            if (!write_all(connection, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                                           std::to_string(body.size()) + "\r\n\r\n" + body))
                std::_Exit(0);
        }
    }

    int port_ = 0;
    pid_t process_ = -1;
};

}  // namespace bench
