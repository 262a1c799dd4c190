// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "acta/provider/detail/api.hpp"
#include "acta/provider/detail/endpoint.hpp"
#include "acta/provider/openai/detail/reply.hpp"
#include "acta/provider/openai/detail/request.hpp"
#include "acta/provider/openai/detail/stream.hpp"
#include "acta/provider/openai/options.hpp"

// OpenAI's chat completions.
namespace acta::inline ACTA_ABI::openai_detail {

/// What a server wants, unless the options say otherwise.
struct HostRules {
    std::string_view max_tokens_key = "max_tokens";
    openai::SendReasoning reasoning = openai::SendReasoning::with_calls;
};

/// OpenAI's own models refuse `max_tokens` and ignore reasoning that is sent back; other servers have no other key, and
/// their models go on from the reasoning of the calls.
[[nodiscard]] inline HostRules rules_of(std::string_view host) noexcept {
    return host == "api.openai.com" ? HostRules{"max_completion_tokens", openai::SendReasoning::never} : HostRules{};
}

/// The settings of OpenAI's clients.
[[nodiscard]] inline provider_detail::Settings settings_of(const openai::Options& options, const char* path) {
    provider_detail::Settings out = provider_detail::settings_of(options);
    out.path = path;
    out.key_variable = "OPENAI_API_KEY";
    out.key_header = "Authorization";
    out.key_prefix = "Bearer ";
    out.options_name = "openai::Options";
    out.own_headers = {{"OpenAI-Organization", options.organization}, {"OpenAI-Project", options.project}};
    return out;
}

class ChatApi final : public provider_detail::Api {
public:
    explicit ChatApi(const openai::Options& options, const HostRules& rules)
        : options_(options),
          max_tokens_key_(options.max_tokens_key.empty() ? std::string(rules.max_tokens_key) : options.max_tokens_key),
          reasoning_(options.send_reasoning.value_or(rules.reasoning)) {
        options_.api_key.reset();
        options_.headers.clear();
    }

    [[nodiscard]] std::string request_body(std::span<const ChatMessage> messages, const ChatOptions& options,
                                           const ToolNames& names) const override {
        return openai_detail::request_body(options_, max_tokens_key_, reasoning_, messages, options, names);
    }
    [[nodiscard]] ChatCompletion read(const Json& body, const ParseOptions& options) const override {
        return read_completion(body, options);
    }
    [[nodiscard]] std::unique_ptr<provider_detail::StreamedBody> new_stream() const override {
        return std::make_unique<StreamedAnswer>();
    }

private:
    openai::Options options_;
    std::string max_tokens_key_;
    openai::SendReasoning reasoning_;
};

}  // namespace acta::inline ACTA_ABI::openai_detail
