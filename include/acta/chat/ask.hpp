// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/chat_model_error.hpp"
#include "acta/json/parse.hpp"
#include "acta/schema/schema.hpp"

namespace acta::inline ACTA_ABI {

namespace chat_detail {

/// Returns the JSON in an answer. Throws `ChatModelError` (`reply`) if it was cut off or refused.
[[nodiscard]] std::string_view answer_json(const ChatCompletion& completion);

/// Adds the answer and its issues to the messages.
void ask_again(std::vector<ChatMessage>& messages, const ChatCompletion& completion, const ValidationError& error);

}  // namespace chat_detail

/// Asks a model for an answer of a described type. Its schema is sent as `response_schema`, unless the options have
/// one. An answer that does not fit is shown to the model with its issues, and asked for again, at most `attempts`
/// times in all. Throws `ValidationError` if none fits, `ChatModelError` (`reply`) if an answer was cut off or refused,
/// and whatever the model throws.
///
/// @code{.cpp}
/// #include <acta/chat/scripted_model.hpp>
/// acta::ScriptedChatModel model{"{}", R"({"prompt_tokens": 3})"};
/// const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("How many tokens?")};
/// assert(acta::ask<acta::TokenUsage>(model, messages).prompt_tokens == 0);
/// @endcode
template <class T, class M>
    requires ChatModel<std::remove_reference_t<M>>
[[nodiscard]] T ask(M&& model, std::span<const ChatMessage> messages, ChatOptions options = {},
                    std::size_t attempts = 2) {
    if (!options.response_schema) {
        // Strict if the type allows it: the server then enforces the schema.
        try {
            options.response_schema = schema<T>({.dialect = SchemaDialect::openai_strict});
        } catch (const SchemaError&) {
            options.response_schema = schema<T>();
        }
    }
    std::vector<ChatMessage> asked(messages.begin(), messages.end());
    for (std::size_t attempt = 1;; ++attempt) {
        const ChatCompletion completion = model(asked, options);
        try {
            return parse<T>(chat_detail::answer_json(completion));
        } catch (const ValidationError& error) {
            if (attempt >= attempts) throw;
            chat_detail::ask_again(asked, completion, error);
        }
    }
}

/// The same for one question.
template <class T, class M>
    requires ChatModel<std::remove_reference_t<M>>
[[nodiscard]] T ask(M&& model, std::string_view question, ChatOptions options = {}, std::size_t attempts = 2) {
    const ChatMessage message = ChatMessage::user(std::string(question));
    return ask<T>(model, std::span(&message, 1), std::move(options), attempts);
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/chat/detail/ask.inl.hpp"
#endif
