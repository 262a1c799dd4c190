// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "acta/version.hpp"

// What servers of OpenAI's chat completions take, where they differ. docs/reference/provider.md, "Servers of chat
// completions", has the sources.
namespace acta::inline ACTA_ABI::openai {

/// When `ChatMessage::reasoning_content` is sent back, which DeepSeek's, Kimi's, Qwen's and llama.cpp's servers
/// understand.
enum class SendReasoning {
    never,       ///< For servers that refuse it, such as OpenAI's own and Mistral's.
    with_calls,  ///< With tool calls.
    /// Of all answers between two messages of the user if one of them calls tools: DeepSeek and Kimi insist on it.
    turns_with_calls,
    always
};

/// What a server of chat completions takes. The default takes all that OpenAI's API has.
///
/// @code{.cpp}
/// #include <cassert>
/// // For `Options::server` of a gateway to Mistral's models.
/// const acta::openai::ServerTraits traits = acta::openai::server_traits("api.mistral.ai");
/// assert(traits.has_short_ids);
/// @endcode
struct ServerTraits {
    /// The name of the field that limits the answer, if `Options::max_tokens_key` is empty.
    std::string max_tokens_key = "max_tokens";
    /// When the model's reasoning is sent back, if `Options::send_reasoning` has no value.
    SendReasoning send_reasoning = SendReasoning::with_calls;
    /// The `reasoning_content` of an answer that should have some (`send_reasoning`) but has none, or only white space.
    /// Without a value, the member is omitted.
    std::optional<std::string> missing_reasoning{};
    /// Whether ids of calls have nine letters and digits.
    bool has_short_ids = false;
    /// Whether a message of the user may follow one of a tool, and the model's words may be the first or the last. If
    /// not, a short message of the assistant is put between the two, the user begins, and an answer that is the last
    /// message is marked as one to be continued (`prefix`).
    bool takes_any_order = true;
    /// Whether a message of the system may follow others. If not, later ones become a part of the next message of the
    /// user.
    bool takes_late_system = true;
    /// Whether a message or a part may be without text. If not, blank parts are omitted, and a message without any
    /// content is sent as `(no text)`, or not at all if it is one of the system.
    bool takes_empty_content = true;
    /// Whether messages may have members that OpenAI's API does not have: those of other servers' answers. If not,
    /// `extra["openai"]` of messages and calls is not sent.
    bool takes_other_members = true;
    /// The most bytes of a tool's description, which is cut; 0 for any number.
    std::size_t max_description = 0;

    friend bool operator==(const ServerTraits&, const ServerTraits&) = default;
};

/// A server of which it is known what it takes.
struct KnownServer {
    std::string_view host{};  ///< The host, or the end of its name: `mistral.ai` is also `api.mistral.ai`.
    ServerTraits traits{};    ///< What it takes.
};

/// Returns all servers that differ from the default.
[[nodiscard]] std::span<const KnownServer> known_servers();

/// Returns what the server at a host takes: that of `known_servers`, or the default.
[[nodiscard]] ServerTraits server_traits(std::string_view host);

}  // namespace acta::inline ACTA_ABI::openai

#ifndef ACTA_COMPILED
#include "acta/provider/openai/detail/server_traits.inl.hpp"
#endif
