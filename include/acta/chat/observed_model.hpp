// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "acta/chat/chat_model.hpp"
#include "acta/observe/observer.hpp"

namespace acta::inline ACTA_ABI {

namespace chat_detail {

/// Asks a model, and sends the event to the observer.
[[nodiscard]] ChatCompletion ask_observed(const ChatModelRef& model, Observer* observer,
                                          std::span<const ChatMessage> messages, const ChatOptions& options);

}  // namespace chat_detail

/// A chat model whose requests an observer sees; made by `observed`.
template <ChatModel M>
class ObservedChatModel {
public:
    /// Made by `observed`.
    ObservedChatModel(M model, Observer* observer)
        : model_(std::make_shared<M>(std::move(model))), observer_(observer) {}

    /// Asks the model.
    ChatCompletion operator()(std::span<const ChatMessage> messages, const ChatOptions& options) const {
        return chat_detail::ask_observed(ChatModelRef(*model_), observer_, messages, options);
    }

    /// Returns the model that is observed.
    [[nodiscard]] M& model() const noexcept { return *model_; }

private:
    std::shared_ptr<M> model_;  // shared by copies, as all of them should ask one model
    Observer* observer_;
};

/// Returns a model that sends an event `chat_model` for each request, with its tokens or its error, but without the
/// messages to and from the model. The model is moved or copied into it (`std::ref(model)` refers to it); the observer
/// must outlive it, and may be null.
///
/// @code{.cpp}
/// acta::Observer observer;   // derive your own
/// const auto model = acta::observed(
///     [](std::span<const acta::ChatMessage>, const acta::ChatOptions&) { return acta::ChatCompletion(); }, observer);
/// acta::ChatCompletion completion = model({}, {});
/// @endcode
template <class M>
    requires ChatModel<std::decay_t<M>>
[[nodiscard]] ObservedChatModel<std::decay_t<M>> observed(M&& model, Observer* observer) {
    return ObservedChatModel<std::decay_t<M>>(std::forward<M>(model), observer);
}
/// As above, for an observer that is never null.
template <class M>
    requires ChatModel<std::decay_t<M>>
[[nodiscard]] ObservedChatModel<std::decay_t<M>> observed(M&& model, Observer& observer) {
    return observed(std::forward<M>(model), &observer);
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/chat/detail/observed_model.inl.hpp"
#endif
