// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/json/issue.hpp"
#include "acta/prompt/detail/prompt.inl.hpp"
#include "acta/prompt/detail/steps.inl.hpp"
#include "acta/prompt/messages.hpp"

namespace acta::inline ACTA_ABI::prompt_detail {

/// Puts a list of messages together.
class MessageReader {
public:
    void read(const ChatMessage& message, std::size_t i) {
        if (message.role == ChatRole::tool)
            answer(message, i);
        else if (!message.tool_calls.empty())
            open_step(message);
        else if (message.role == ChatRole::user && waits())
            take_feedback(message);
        else
            add_message(message);
        if (message.role == ChatRole::assistant && message.tool_calls.empty()) close_step();
    }

    [[nodiscard]] ReadMessages finish() {
        close_step();
        if (!issues_.empty()) throw ValidationError("messages", std::move(issues_));
        return std::move(read_);
    }

private:
    void open_step(const ChatMessage& message) {
        close_step();
        const std::size_t count = message.tool_calls.size();
        answers_.resize(count);
        next_.resize(count);
        for (std::size_t c = count; c-- > 0;)
            next_[c] = std::exchange(unanswered_.try_emplace(message.tool_calls[c].id, count).first->second, c);
        read_.steps.push_back({.said = to_assistant_message(message)});
    }

    /// Ids that repeat are answered in order.
    void answer(const ChatMessage& message, std::size_t i) {
        const std::string& id = message.tool_call_id;
        const auto known = unanswered_.find(id);
        if (known == unanswered_.end()) {
            issue(i, "tool_call_unknown", "No call with id '" + id + "' in the assistant's message before this result");
        } else if (known->second == answers_.size()) {
            issue(i, "tool_call_answered", "Call '" + id + "' has its result already");
        } else {
            const std::size_t c = std::exchange(known->second, next_[known->second]);
            answers_[c] = read_answer(message);
            if (answers_[c]->feedback_follows) awaited_.push_back(c);
        }
    }
    void issue(std::size_t i, std::string type, std::string text) {
        issues_.push_back({{i, "tool_call_id"}, std::move(type), std::move(text), {}});
    }

    void add_message(ChatMessage message) { read_.conversation.push_back({read_.steps.size(), std::move(message)}); }

    /// The user's messages after an interruption are the feedback. An API may have merged several messages into one:
    /// then each of its texts was one.
    void take_feedback(ChatMessage message) {
        const auto give = [this](std::string text) {
            ReadAnswer& waiting = *answers_[awaited_[given_++]];
            std::get<ActionInterruptedByHuman>(waiting.result).feedback = std::move(text);
        };
        if (message.parts.empty()) return give(std::move(message.content));
        auto rest = message.parts.begin();
        for (; rest != message.parts.end() && waits() && is_plain_text(*rest); ++rest) give(std::move(rest->text));
        message.parts.erase(message.parts.begin(), rest);
        if (message.parts.empty()) return;
        message.content = parts_text(message.parts);
        if (message.parts.size() == 1 && is_plain_text(message.parts.front())) message.parts.clear();
        add_message(std::move(message));
    }

    void close_step() {
        if (answers_.empty()) return;
        ReadStep& step = read_.steps.back();
        const std::size_t count = answers_.size();
        std::vector<std::string> ids = call_ids(count, &step.said);
        for (std::size_t c = 0; c < count; ++c) {
            if (answers_[c]) take_answer(step, *std::move(answers_[c]), ids[c], count == 1);
        }
        if (count > 1 && step.tool_results.size() == count) step.result = joined_result(step.tool_results);
        if (count > 1) step.call_ids = std::move(ids);
        answers_.clear();
        unanswered_.clear();
        awaited_.clear();
        given_ = 0;
    }
    /// Returns whether an interruption still waits for its feedback.
    [[nodiscard]] bool waits() const noexcept { return given_ < awaited_.size(); }

    /// Applies the answer to one of its calls to a step; `alone` if it has no other.
    static void take_answer(ReadStep& step, ReadAnswer answer, const std::string& id, bool alone) {
        using Is = ReadAnswer::Kind;
        if (answer.kind == Is::nothing || (answer.kind == Is::elsewhere && !alone)) return;
        if (answer.kind == Is::elsewhere) answer.result = success_result(base::text_json(answer_words::elsewhere));
        if (answer.kind == Is::result && !alone)
            step.tool_results.push_back({id, std::move(answer.result)});
        else
            step.result = std::move(answer.result);
    }

    ReadMessages read_{};
    std::vector<Issue> issues_{};
    // Of the newest step:
    std::vector<std::optional<ReadAnswer>> answers_{};              // by call
    std::map<std::string, std::size_t, std::less<>> unanswered_{};  // by id, the first such call that has no answer ...
    std::vector<std::size_t> next_{};     // ... and by call, the next one with its id; their number if there is none
    std::vector<std::size_t> awaited_{};  // interrupted calls with feedback ...
    std::size_t given_ = 0;               // ... the number of them that have it
};

ACTA_INLINE ReadMessages read_messages(std::span<const ChatMessage> messages) {
    MessageReader reader;
    for (std::size_t i = 0; i < messages.size(); ++i) reader.read(messages[i], i);
    return reader.finish();
}

#if defined(ACTA_COMPILED)
template EpisodicActionHistory<> history_of<ActionProposal<>>(ReadMessages read);
#endif

}  // namespace acta::inline ACTA_ABI::prompt_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::vector<ChatMessage> to_messages(const HistoryView& history, const MessageOptions& options) {
    if (!options.budget) return prompt_detail::whole_messages(history);
    return prompt_extension::native_prompt(history, *options.budget).messages;
}

}  // namespace acta::inline ACTA_ABI
