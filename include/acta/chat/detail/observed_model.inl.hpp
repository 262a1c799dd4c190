// SPDX-License-Identifier: MIT
#pragma once

#include <exception>

#include "acta/chat/observed_model.hpp"
#include "acta/observe/scoped_event.hpp"

namespace acta::inline ACTA_ABI::chat_detail {

ACTA_INLINE void add_completion(ScopedEvent& watch, const ChatCompletion& completion) {
    if (!completion.model.empty()) watch.add({{"model", completion.model}});
    if (!completion.finish_reason.empty()) watch.add({{"finish_reason", completion.finish_reason}});
    if (!completion.usage) return;
    watch.add({{"prompt_tokens", completion.usage->prompt_tokens},
               {"completion_tokens", completion.usage->completion_tokens}});
}

ACTA_INLINE ChatCompletion ask_observed(const ChatModelRef& model, Observer* observer,
                                        std::span<const ChatMessage> messages, const ChatOptions& options) {
    ScopedEvent watch(observer, event_names::chat_model);
    if (!watch) return model(messages, options);
    watch.add({{"messages", messages.size()}, {"tools", options.tools.size()}});
    try {
        ChatCompletion completion = model(messages, options);
        add_completion(watch, completion);
        return completion;
    } catch (const std::exception& error) {
        watch.fail(error.what());
        throw;
    }
}

}  // namespace acta::inline ACTA_ABI::chat_detail
