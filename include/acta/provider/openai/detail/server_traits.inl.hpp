// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "acta/base/unicode.hpp"
#include "acta/chat/extension.hpp"
#include "acta/provider/openai/server_traits.hpp"

namespace acta::inline ACTA_ABI {

namespace openai_detail {

/// Kimi takes reasoning that is empty for none.
inline constexpr std::string_view no_reasoning = "(no reasoning)";

/// DeepSeek and Kimi: the reasoning of a turn with calls goes back.
[[nodiscard]] ACTA_INLINE openai::ServerTraits thinking_server(std::string_view missing_reasoning) {
    return {.send_reasoning = openai::SendReasoning::turns_with_calls,
            .missing_reasoning = std::string(missing_reasoning),
            .takes_empty_content = false};
}

}  // namespace openai_detail

ACTA_INLINE std::span<const openai::KnownServer> openai::known_servers() {
    constexpr std::size_t max_description = chat_extension::max_openai_description;
    static const ServerTraits kimi = openai_detail::thinking_server(openai_detail::no_reasoning);
    static const KnownServer table[] = {
        {"api.openai.com",
         {.max_tokens_key = "max_completion_tokens",
          .send_reasoning = SendReasoning::never,
          .max_description = max_description}},
        {"openai.azure.com", {.max_description = max_description}},
        {"mistral.ai",
         {.send_reasoning = SendReasoning::never,
          .has_short_ids = true,
          .takes_any_order = false,
          .takes_late_system = false,
          .takes_empty_content = false,
          .takes_other_members = false}},
        {"deepseek.com", openai_detail::thinking_server("")},
        {"moonshot.ai", kimi},
        {"moonshot.cn", kimi},
        {"kimi.com", kimi},
        {"aliyuncs.com", {.takes_late_system = false}},
    };
    return table;
}

ACTA_INLINE openai::ServerTraits openai::server_traits(std::string_view host) {
    if (host.ends_with('.')) host.remove_suffix(1);
    for (const KnownServer& server : known_servers()) {
        if (host.size() < server.host.size()) continue;
        const std::size_t before = host.size() - server.host.size();
        const bool is_whole = before == 0 || host[before - 1] == '.';
        if (is_whole && ascii::equals_ignoring_case(host.substr(before), server.host)) return server.traits;
    }
    return {};
}

}  // namespace acta::inline ACTA_ABI
