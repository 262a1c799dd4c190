// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "acta/base/saturated_sum.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/chat/message.hpp"

// The interface of a language model: anything that can be called with messages and options. Clients are in
// acta/provider/openai/; `ScriptedChatModel` stands in for a model in tests.
namespace acta::inline ACTA_ABI {

/// A tool, as a model learns of it.
struct ToolDefinition {
    /// The name by which the model calls it.
    std::string name{};
    /// What it does, for the model.
    std::string description{};
    Json parameters = JsonObject();  ///< The JSON Schema of the arguments.

    friend bool operator==(const ToolDefinition&, const ToolDefinition&) = default;
};

/// Whether the model calls tools: as it decides, never, or at least one.
enum class ToolChoice { automatic, none, required };

/// Options of a request. Those that are empty are left to the model.
struct ChatOptions {
    /// The tools that the model may call (`tools(registry)`), under their own names: the model writes names that its
    /// API accepts, and calls come back with the original names.
    std::vector<ToolDefinition> tools{};
    /// Whether it calls them.
    ToolChoice tool_choice = ToolChoice::automatic;
    std::optional<Json> response_schema{};  ///< Asks for an answer that is a JSON value of this schema.
    /// The name of the model.
    std::optional<std::string> model{};
    /// The sampling temperature.
    std::optional<double> temperature{};
    std::optional<std::int64_t> max_tokens{};                         ///< Bound of the answer.
    acta::stop_token stop{};                                          ///< Cancels the request.
    std::optional<std::chrono::steady_clock::time_point> deadline{};  ///< Ends the request as a `Timeout`.
    /// Called with each part of the answer's text as it arrives, if the model can stream, by the thread that asks. An
    /// exception that it throws ends the request. A request is not repeated once a part was passed on.
    std::function<void(std::string_view)> on_text{};
    /// The most requests for this answer, from 1 on: a model that retries by itself makes no more. Without it the
    /// model's own limit holds.
    std::optional<std::size_t> max_attempts{};
};

/// The tokens of a completion.
struct TokenUsage {
    std::int64_t prompt_tokens = 0;      ///< Of the request, those from and for a cache included.
    std::int64_t completion_tokens = 0;  ///< Of the answer, those of reasoning included.
    /// Of the request, those that the provider had in its prompt cache, if it says so.
    std::optional<std::int64_t> cached_tokens{};
    /// Of the request, those that it wrote to its prompt cache, if it says so.
    std::optional<std::int64_t> cache_write_tokens{};
    std::optional<std::int64_t> reasoning_tokens{};  ///< Of the answer, those of reasoning, if the provider says so.

    /// Adds the tokens of another completion. A sum out of range stays at the largest number.
    TokenUsage& operator+=(const TokenUsage& other) noexcept {
        prompt_tokens = base::saturated_sum(prompt_tokens, other.prompt_tokens);
        completion_tokens = base::saturated_sum(completion_tokens, other.completion_tokens);
        cached_tokens = base::saturated_sum(cached_tokens, other.cached_tokens);
        cache_write_tokens = base::saturated_sum(cache_write_tokens, other.cache_write_tokens);
        reasoning_tokens = base::saturated_sum(reasoning_tokens, other.reasoning_tokens);
        return *this;
    }

    friend bool operator==(const TokenUsage&, const TokenUsage&) = default;
};

/// The answer of a model, and the server's information about it.
struct ChatCompletion {
    /// The message of the model.
    AssistantChatMessage message{};
    /// The tokens, if the server states them.
    std::optional<TokenUsage> usage{};
    std::string finish_reason{};  ///< `stop`, `length`, `tool_calls` or another word of the server; may be empty.
    std::string model{};          ///< The model that answered; may be empty.

    friend bool operator==(const ChatCompletion&, const ChatCompletion&) = default;
};

/// A model: called with a conversation and options, it returns a completion, or throws.
///
/// @code{.cpp}
/// const auto echo = [](std::span<const acta::ChatMessage> messages, const acta::ChatOptions&) {
///     acta::ChatCompletion completion;
///     completion.message.content = messages.back().content;
///     return completion;
/// };
/// static_assert(acta::ChatModel<decltype(echo)>);
/// @endcode
template <class M>
concept ChatModel = std::is_invocable_r_v<ChatCompletion, M&, std::span<const ChatMessage>, const ChatOptions&>;

/// Any model, held by value.
using AnyChatModel = std::function<ChatCompletion(std::span<const ChatMessage>, const ChatOptions&)>;

/// A reference to any model, so that a function that asks a model need not be a template. Like a view, it must not
/// outlive the model.
class ChatModelRef {
public:
    /// Refers to `model`.
    template <ChatModel M>
        requires(!std::same_as<std::remove_cvref_t<M>, ChatModelRef>)
    ChatModelRef(M& model)  // NOLINT(google-explicit-constructor): converts like a reference
        : model_(address_of(model)), call_(&call<M>) {}

    /// Asks the model.
    ChatCompletion operator()(std::span<const ChatMessage> messages, const ChatOptions& options) const {
        return call_(model_, messages, options);
    }

private:
    template <class M>
    static void* address_of(M& model) noexcept {
        if constexpr (std::is_function_v<M>)
            return reinterpret_cast<void*>(&model);
        else
            return const_cast<void*>(static_cast<const void*>(&model));
    }
    template <class M>
    static ChatCompletion call(void* model, std::span<const ChatMessage> messages, const ChatOptions& options) {
        if constexpr (std::is_function_v<M>)
            return std::invoke(reinterpret_cast<M*>(model), messages, options);
        else
            return std::invoke(*static_cast<M*>(model), messages, options);
    }

    void* model_;
    ChatCompletion (*call_)(void* model, std::span<const ChatMessage> messages, const ChatOptions& options);
};

template <>
struct Describe<ToolDefinition> {
    static constexpr auto fields =
        acta::fields(required("name", &ToolDefinition::name), defaulted("description", &ToolDefinition::description),
                     required("parameters", &ToolDefinition::parameters));
};

template <>
struct Describe<TokenUsage> {
    using Self = TokenUsage;
    static constexpr auto fields = acta::fields(defaulted("prompt_tokens", &Self::prompt_tokens),
                                                defaulted("completion_tokens", &Self::completion_tokens),
                                                omit_if_empty("cached_tokens", &Self::cached_tokens),
                                                omit_if_empty("cache_write_tokens", &Self::cache_write_tokens),
                                                omit_if_empty("reasoning_tokens", &Self::reasoning_tokens));
};

template <>
struct Describe<ChatCompletion> {
    static constexpr auto fields = acta::fields(
        required("message", &ChatCompletion::message), defaulted("usage", &ChatCompletion::usage),
        defaulted("finish_reason", &ChatCompletion::finish_reason), defaulted("model", &ChatCompletion::model));
};

}  // namespace acta::inline ACTA_ABI

#if defined(ACTA_COMPILED)  // which has this instance
extern template class std::vector<acta::ToolDefinition>;
#endif
