// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/agent/run_options.hpp"
#include "acta/compress/compressor.hpp"
#include "acta/compress/rolling_summary.hpp"
#include "acta/history/history.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/history/stuck.hpp"
#include "acta/prompt/extension.hpp"
#include "acta/prompt/prompt.hpp"

// A history as the loop sees it, whatever its type: the loop is compiled once.
namespace acta::inline ACTA_ABI::agent_detail {

/// A history.
class RunRecord {
public:
    RunRecord() = default;
    RunRecord(const RunRecord&) = delete;
    RunRecord& operator=(const RunRecord&) = delete;
    virtual ~RunRecord() = default;

    /// Returns whether there is anything to work on.
    [[nodiscard]] virtual bool has_task() const = 0;
    /// Returns the answer with which the history ends.
    [[nodiscard]] virtual std::optional<std::string> answer() const = 0;
    /// Returns the calls of the open step that have no result; nothing if no step is open.
    [[nodiscard]] virtual std::optional<std::vector<OpenCall>> open_calls() const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;
    [[nodiscard]] virtual PromptMessages messages(const PromptOptions& budget, bool native) const = 0;
    [[nodiscard]] virtual std::optional<Stuck> stuck(const StuckOptions& options) const = 0;

    virtual bool take_feedback() = 0;
    virtual void register_message(ChatMessage message) = 0;
    virtual void register_action(AssistantChatMessage message, std::vector<AssistantFunctionCall> calls,
                                 StepMetrics metrics) = 0;
    virtual void register_answer(AssistantChatMessage message, StepMetrics metrics) = 0;
    virtual void register_result(const std::string& id, ActionResult result) = 0;
    virtual void set_arguments(const std::string& id, JsonObject arguments) = 0;
    virtual void decide(const std::string& id, const CallDecision& decision) = 0;
    [[nodiscard]] virtual CallIdentity begin_call(const std::string& id) = 0;
    virtual CompressionReport compress(const AnySummarizer& summarizer, const CompressionOptions& options) = 0;
    virtual RollingSummaryReport roll(const AnySummarizer& summarizer, const RollingSummaryOptions& options) = 0;
};

/// Calls a function with a history that only one thread uses at a time.
template <class P, class F>
auto with(EpisodicActionHistory<P>& history, const F& use) {
    return use(history);
}
template <class P, class F>
auto with(SharedHistory<P>& history, const F& use) {
    return history.with_lock(use);
}

template <class P>
[[nodiscard]] P proposal_of(AssistantChatMessage message, std::vector<AssistantFunctionCall> calls) {
    P proposal = proposal_from<P>(std::move(message));
    set_calls(proposal, std::move(calls));
    return proposal;
}

template <class History, class P>
class RecordOf final : public RunRecord {
public:
    explicit RecordOf(History& history) : history_(history) {}

    [[nodiscard]] bool has_task() const override {
        return with(history_, [](Steps& history) {
            const auto is_task = [](const ConversationMessage& said) { return said.message.role != ChatRole::system; };
            return !history.empty() || !history.pending_feedback().empty() ||
                   std::ranges::any_of(history.messages(), is_task);
        });
    }
    [[nodiscard]] std::optional<std::string> answer() const override {
        return with(history_, [](Steps& history) {
            const ChatMessage* const answer = history.answer();
            return answer == nullptr ? std::nullopt : std::optional(answer->content);
        });
    }
    [[nodiscard]] std::optional<std::vector<OpenCall>> open_calls() const override {
        return with(history_, [](Steps& history) -> std::optional<std::vector<OpenCall>> {
            const Episode<P>* const open = history.current_episode();
            if (open == nullptr || open->result) return std::nullopt;
            return history.open_calls();
        });
    }
    [[nodiscard]] std::size_t size() const override { return history_.size(); }
    [[nodiscard]] PromptMessages messages(const PromptOptions& budget, bool native) const override {
        return with(history_, [&](Steps& history) {
            return native ? prompt_extension::native_prompt(history, budget) : Prompt(budget).messages(history);
        });
    }
    [[nodiscard]] std::optional<Stuck> stuck(const StuckOptions& options) const override {
        return with(history_, [&](Steps& history) { return acta::stuck(history, options); });
    }

    bool take_feedback() override { return !history_.take_pending_feedback().empty(); }
    void register_message(ChatMessage message) override { history_.register_message(std::move(message)); }
    void register_action(AssistantChatMessage message, std::vector<AssistantFunctionCall> calls,
                         StepMetrics metrics) override {
        history_.register_action(proposal_of<P>(std::move(message), std::move(calls)), std::move(metrics));
    }
    void register_answer(AssistantChatMessage message, StepMetrics metrics) override {
        history_.register_answer(std::move(message), std::move(metrics));
    }
    void register_result(const std::string& id, ActionResult result) override {
        history_.register_result(id, std::move(result));
    }
    void set_arguments(const std::string& id, JsonObject arguments) override {
        history_.set_arguments(id, std::move(arguments));
    }
    void decide(const std::string& id, const CallDecision& decision) override { history_.decide(id, decision); }
    [[nodiscard]] CallIdentity begin_call(const std::string& id) override { return history_.begin_call(id); }
    CompressionReport compress(const AnySummarizer& summarizer, const CompressionOptions& options) override {
        return handle_compression(history_, summarizer, options);
    }
    RollingSummaryReport roll(const AnySummarizer& summarizer, const RollingSummaryOptions& options) override {
        return update_rolling_summary(history_, summarizer, options);
    }

private:
    using Steps = EpisodicActionHistory<P>;

    History& history_;
};

}  // namespace acta::inline ACTA_ABI::agent_detail
