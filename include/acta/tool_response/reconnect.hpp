// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "acta/tool_response/reply.hpp"

// Reconnecting to the event stream of a long-running call.
namespace acta::inline ACTA_ABI {

/// Encodes `text` as one segment of a path (RFC 3986, section 2): every byte except letters, digits, `-`, `.`, `_` and
/// `~` becomes `%XX`. Linear.
[[nodiscard]] inline std::string percent_encode(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                           c == '.' || c == '_' || c == '~';
        if (plain) {
            out += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out += '%';
            out += digits[byte >> 4U];
            out += digits[byte & 0xFU];
        }
    }
    return out;
}

/// Returns `/chat/tasks/<task id>/stream`, or nothing for an id that cannot be a segment of a path: an empty one, `.`
/// and `..`, which mean another path however they are encoded.
[[nodiscard]] inline std::optional<std::string> reconnect_path_of_task(std::string_view task_id) {
    if (task_id.empty() || task_id == "." || task_id == "..") return std::nullopt;
    return "/chat/tasks/" + percent_encode(task_id) + "/stream";
}

/// Returns the path for reconnecting to a reply's event stream, or nothing if it has none.
template <ToolReply T>
[[nodiscard]] std::optional<std::string> reconnect_path([[maybe_unused]] const T& reply) {
    if constexpr (requires { std::optional<std::string>(reply.task_id); }) {
        const std::optional<std::string> task_id = reply.task_id;
        if (task_id) return reconnect_path_of_task(*task_id);
    }
    return std::nullopt;
}
/// @overload
[[nodiscard]] inline std::optional<std::string> reconnect_path(const UnknownResponse&) { return std::nullopt; }
/// @overload
template <ToolResponseVariant R>
[[nodiscard]] std::optional<std::string> reconnect_path(const R& reply) {
    return std::visit([](const auto& one) { return acta::reconnect_path(one); }, reply);
}

}  // namespace acta::inline ACTA_ABI
