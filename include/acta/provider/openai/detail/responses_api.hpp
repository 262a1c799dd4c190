// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/json/dump.hpp"
#include "acta/provider/detail/api.hpp"
#include "acta/provider/detail/request_tools.hpp"
#include "acta/provider/detail/server_reply.hpp"
#include "acta/provider/openai/detail/reply.hpp"
#include "acta/provider/openai/detail/request.hpp"
#include "acta/provider/openai/options.hpp"
#include "acta/provider/openai/responses.hpp"

// OpenAI's Responses API (https://platform.openai.com/docs/api-reference/responses).
namespace acta::inline ACTA_ABI::openai_detail {

/// The events of a stream. The last one has the whole answer.
class StreamedResponse final : public provider_detail::StreamedBody {
public:
    std::string add(const Json& event) override {
        const std::string type = text_member(event, "type");
        if (type == "response.output_text.delta" || type == "response.refusal.delta")
            return text_member(event, "delta");
        if (type != "response.completed" && type != "response.incomplete" && type != "response.failed") return {};
        const Json* const response = member(event, "response");
        if (response == nullptr || !response->is_object()) throw_reply("the last part of the stream has no response");
        body_ = *response;
        return {};
    }
    [[nodiscard]] bool is_finished() const noexcept override { return !body_.is_null(); }
    [[nodiscard]] bool is_complete() const noexcept override { return is_finished(); }
    [[nodiscard]] Json take() override { return std::move(body_); }

private:
    Json body_{};
};

class ResponsesApi final : public provider_detail::Api {
public:
    explicit ResponsesApi(const openai::Options& options) : options_(options) {
        options_.api_key.reset();
        options_.headers.clear();
    }

    [[nodiscard]] std::string request_body(std::span<const ChatMessage> messages, const ChatOptions& options,
                                           const ToolNames& names) const override {
        JsonObject body;
        const std::string& model = options.model ? *options.model : options_.model;
        if (!model.empty()) body.emplace("model", model);
        body.emplace("input", openai::responses::to_wire(provider_detail::Renamed(messages, names).messages()));
        // The history has everything, so the server need not keep it, and reasoning comes back encrypted.
        body.emplace("store", false);
        body.emplace("include", JsonArray{"reasoning.encrypted_content"});
        if (const auto temperature = options.temperature ? options.temperature : options_.temperature)
            body.emplace("temperature", *temperature);
        if (const auto max_tokens = options.max_tokens ? options.max_tokens : options_.max_tokens)
            body.emplace("max_output_tokens", *max_tokens);
        add_tools(body, options, [&](const ToolDefinition& tool) {
            JsonObject function = function_of(tool, names);
            function.emplace("strict", false);  // it is true if it is missing, which few schemas fit
            return of_type("function", nullptr, std::move(function));
        });
        if (options.response_schema) {
            JsonObject format = of_type("json_schema", nullptr, schema_of_answer(*options.response_schema));
            body.emplace("text", JsonObject{{"format", std::move(format)}});
        }
        if (options.on_text) body.emplace("stream", true);
        for (const auto& [key, value] : options_.extra) body[key] = value;
        return dump(body);
    }

    [[nodiscard]] ChatCompletion read(const Json& body, const ParseOptions& /*options*/) const override {
        const std::string status = text_member(body, "status");
        if (status == "failed") throw_failed(body);
        ChatCompletion out;
        out.message = message_of(body);
        out.usage = usage_of(body);
        out.model = text_member(body, "model");
        const bool calls = out.message.tool_calls && !out.message.tool_calls->empty();
        out.finish_reason = calls ? "tool_calls" : "stop";
        if (const Json* const details = member(body, "incomplete_details")) {
            const std::string why = text_member(*details, "reason");
            out.finish_reason = why == "max_output_tokens" ? "length" : why;
        }
        return out;
    }
    [[nodiscard]] std::unique_ptr<provider_detail::StreamedBody> new_stream() const override {
        return std::make_unique<StreamedResponse>();
    }

private:
    /// All items of an answer are one message: it may say several texts.
    static AssistantChatMessage message_of(const Json& body) {
        const Json* const output = member(body, "output");
        if (output == nullptr || !output->is_array()) throw_reply("it has no output");
        std::vector<ChatMessage> said;
        try {
            said = openai::responses::from_wire(body);
        } catch (const ValidationError& error) {
            throw_reply("", error);
        }
        std::erase_if(said, [](const ChatMessage& one) { return one.role != ChatRole::assistant; });
        if (said.empty()) return {};
        if (said.size() > 1) throw_reply("it has " + std::to_string(said.size()) + " messages");
        return to_assistant_message(std::move(said.front()));
    }
    static std::optional<TokenUsage> usage_of(const Json& body) {
        const Json* const usage = member(body, "usage");
        if (usage == nullptr || !usage->is_object()) return std::nullopt;
        return TokenUsage{.prompt_tokens = count_member(*usage, "input_tokens"),
                          .completion_tokens = count_member(*usage, "output_tokens"),
                          .cached_tokens = detail_count(*usage, "input_tokens_details", "cached_tokens"),
                          .reasoning_tokens = detail_count(*usage, "output_tokens_details", "reasoning_tokens")};
    }
    [[noreturn]] static void throw_failed(const Json& body) {
        const provider_detail::ServerError said = provider_detail::server_error(body);
        ChatModelFailure failure{.fault = ChatModelFault::status,
                                 .code = provider_detail::quoted_text(said.code),
                                 .is_transient = said.code == "server_error" || said.code == "rate_limit_exceeded"};
        provider_detail::mark_context_too_long(failure, said);
        throw ChatModelError("the server says \"" + provider_detail::quoted_text(said.message) + "\"",
                             std::move(failure));
    }

    openai::Options options_;
};

}  // namespace acta::inline ACTA_ABI::openai_detail
