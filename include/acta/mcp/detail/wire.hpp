// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "acta/base/json_value.hpp"
#include "acta/mcp/json_rpc.hpp"
#include "acta/mcp/values.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::mcp {
struct HeaderParameter;
}

// The names that messages have, and what several parts of this component read and write.
namespace acta::inline ACTA_ABI::mcp_detail {

inline constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view capabilities_key = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view client_key = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view server_key = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view log_level_key = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view subscription_key = "io.modelcontextprotocol/subscriptionId";

/// Reads a JSON text as messages are read. Throws `MessageError`.
[[nodiscard]] Json parse_json(std::string_view text, std::size_t max_bytes);
/// Returns the value of a parameter in the parameters of `tools/call`; null if it has none.
[[nodiscard]] const Json* argument_at(const JsonObject& params, const mcp::HeaderParameter& parameter);
/// Returns an id, which other programs may also write as `7.0`; nothing if it is none.
[[nodiscard]] std::optional<mcp::RequestId> id_of(const Json& value);
/// Returns an id as JSON.
[[nodiscard]] Json id_json(const mcp::RequestId& id);
/// Returns a value as a header has it; nothing if it has none.
[[nodiscard]] std::optional<std::string> header_text(const Json& value);
/// Returns which member of a request's parameters its header `Mcp-Name` repeats; an empty text if none.
[[nodiscard]] std::string_view named_by(std::string_view method);
/// Returns whether someone wants to learn of a change.
[[nodiscard]] bool is_wanted(const mcp::Subscription& what, const mcp::Change& change);
/// Returns the object that a key has; an empty one if it has none.
[[nodiscard]] JsonObject object_member(const Json& value, std::string_view key);
[[nodiscard]] JsonObject object_member(const Json::object_t& object, std::string_view key);

}  // namespace acta::inline ACTA_ABI::mcp_detail
