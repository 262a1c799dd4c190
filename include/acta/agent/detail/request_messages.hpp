// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/extension.hpp"
#include "acta/chat/message.hpp"
#include "acta/history/history_view.hpp"
#include "acta/prompt/prompt.hpp"

namespace acta::inline ACTA_ABI::agent_detail {

/// The messages of a run's requests. Those that two requests have in common stay in place, and clients keep what they
/// have written of them.
class RequestMessages {
public:
    explicit RequestMessages(bool is_native) : is_native_(is_native), series_(is_native) {}
    RequestMessages(const RequestMessages&) = delete;
    RequestMessages& operator=(const RequestMessages&) = delete;
    ~RequestMessages() { kept_->set(nullptr, 0, 0); }

    [[nodiscard]] prompt_extension::PromptSeries& series() noexcept { return series_; }
    /// Forgets what is kept, as for other options.
    void reset() { series_ = prompt_extension::PromptSeries(is_native_); }

    /// Makes them those of the next request. No step may have them.
    [[nodiscard]] PromptReport update(const HistoryView& history, const PromptOptions& budget,
                                      std::string_view instruction) {
        const prompt_extension::PromptUpdate update = series_.update(messages_, history, budget, instruction);
        kept_->set(messages_.data(), messages_.size(), update.same);
        return update.report;
    }
    /// Returns the request, which has the messages, or copies that may be changed.
    [[nodiscard]] AskModel request(ChatOptions options, bool are_copies) {
        AskModel out{are_copies ? messages_ : std::move(messages_), std::move(options)};
        out.options.kept = kept_;
        return out;
    }
    /// Takes the messages back from a request that is over.
    void take_back(AskModel& request, bool are_copies) noexcept {
        if (!are_copies) messages_ = std::move(request.messages);
    }
    /// @overload
    void take_back(AgentStep& step, bool are_copies) noexcept {
        if (auto* const request = std::get_if<AskModel>(&step)) take_back(*request, are_copies);
    }

private:
    bool is_native_;
    prompt_extension::PromptSeries series_;
    std::vector<ChatMessage> messages_{};
    std::shared_ptr<chat_extension::KeptRequest> kept_ = std::make_shared<chat_extension::KeptRequest>();
};

}  // namespace acta::inline ACTA_ABI::agent_detail
