// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/json/issue.hpp"
#include "acta/prompt/detail/answer_text.inl.hpp"
#include "acta/prompt/detail/prompt.inl.hpp"
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
        else if (message.role == ChatRole::user && !awaited_.empty())
            take_feedback(message);
        else
            say(message);
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
        answers_.resize(message.tool_calls.size());
        for (std::size_t c = 0; c < message.tool_calls.size(); ++c) unanswered_[message.tool_calls[c].id].push_back(c);
        read_.steps.push_back({.said = to_assistant_message(message)});
    }

    /// Ids that repeat are answered in order.
    void answer(const ChatMessage& message, std::size_t i) {
        const std::string& id = message.tool_call_id;
        const auto known = unanswered_.find(id);
        if (known == unanswered_.end()) {
            issue(i, "tool_call_unknown", "No call with id '" + id + "' in the assistant's message before this result");
        } else if (known->second.empty()) {
            issue(i, "tool_call_answered", "Call '" + id + "' has its result already");
        } else {
            const std::size_t c = known->second.front();
            known->second.pop_front();
            answers_[c] = read_answer(message);
            if (answers_[c]->feedback_follows) awaited_.push_back(c);
        }
    }
    void issue(std::size_t i, std::string type, std::string text) {
        issues_.push_back({{i, "tool_call_id"}, std::move(type), std::move(text), {}});
    }

    void say(ChatMessage message) { read_.conversation.push_back({read_.steps.size(), std::move(message)}); }

    /// The user's messages after an interruption are the feedback. An API may have merged several messages into one:
    /// then each of its texts was one.
    void take_feedback(ChatMessage message) {
        const auto give = [this](std::string text) {
            ReadAnswer& waiting = *answers_[awaited_.front()];
            std::get<ActionInterruptedByHuman>(waiting.result).feedback = std::move(text);
            awaited_.pop_front();
        };
        if (message.parts.empty()) return give(std::move(message.content));
        auto rest = message.parts.begin();
        for (; rest != message.parts.end() && !awaited_.empty() && is_plain_text(*rest); ++rest)
            give(std::move(rest->text));
        message.parts.erase(message.parts.begin(), rest);
        if (message.parts.empty()) return;
        message.content = parts_text(message.parts);
        if (message.parts.size() == 1 && is_plain_text(message.parts.front())) message.parts.clear();
        say(std::move(message));
    }

    void close_step() {
        if (answers_.empty()) return;
        ReadStep& step = read_.steps.back();
        const std::size_t count = answers_.size();
        std::vector<std::string> ids = call_ids(count, &step.said);
        for (std::size_t c = 0; c < count; ++c) {
            if (answers_[c]) take_answer(step, *std::move(answers_[c]), ids[c], count == 1);
        }
        if (!step.result && count > 1 && step.tool_results.size() == count)
            step.result = joined_result(step.tool_results);
        if (count > 1) step.call_ids = std::move(ids);
        answers_.clear();
        unanswered_.clear();
        awaited_.clear();
    }

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
    std::vector<std::optional<ReadAnswer>> answers_{};                          // of the newest step, by call
    std::map<std::string, std::deque<std::size_t>, std::less<>> unanswered_{};  // its calls, by id
    std::deque<std::size_t> awaited_{};  // its calls whose feedback is still to come
};

ACTA_INLINE ReadMessages read_messages(std::span<const ChatMessage> messages) {
    MessageReader reader;
    for (std::size_t i = 0; i < messages.size(); ++i) reader.read(messages[i], i);
    return reader.finish();
}

}  // namespace acta::inline ACTA_ABI::prompt_detail
