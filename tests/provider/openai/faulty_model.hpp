// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "acta/provider/openai/chat_model.hpp"
#include "provider/http/socket_server.hpp"
#include "support/catch.hpp"

// What the tests against the misbehaving server have in common.
namespace faulty {

inline const std::string key = "sk-do-not-show-me-0123456789";

/// For this server, with waits that nobody notices.
inline acta::openai::Options options_for(const Server& server, int attempts = 1) {
    return {.base_url = server.url(),
            .model = "m",
            .api_key = key,
            .retry = {.max_attempts = attempts, .first_delay = std::chrono::milliseconds(1)}};
}

inline std::string answer(const std::string& content) {
    return R"({"choices":[{"message":{"content":")" + content + R"("},"finish_reason":"stop"}]})";
}

inline std::string chunk(const std::string& content, const std::string& finish = "null") {
    return R"(data: {"choices":[{"index":0,"delta":{"content":")" + content + R"("},"finish_reason":)" + finish +
           "}]}\n\n";
}

inline const std::string stream_head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n";

/// The error that the model ends with.
inline std::optional<acta::ChatModelError> failure(const acta::openai::Options& options,
                                                   const acta::ChatOptions& chat = {},
                                                   const std::string& question = "?") {
    try {
        static_cast<void>(acta::openai::ChatModel(options).complete(question, chat));
    } catch (const acta::ChatModelError& error) {
        CHECK(std::string(error.what()).find(key) == std::string::npos);
        return error;
    }
    FAIL("answered");
    return std::nullopt;
}

/// Answers every request on every connection alike.
inline auto always(std::function<bool(const Connection&)> reply) {
    return [reply = std::move(reply)](Connection& connection) {
        while (!connection.read().head.empty() && reply(connection)) {
        }
    };
}

}  // namespace faulty
