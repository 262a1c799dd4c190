// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/utf8.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/json/dump.hpp"
#include "acta/prompt/detail/answer_text.inl.hpp"
#include "acta/prompt/detail/native_step.hpp"

namespace acta::inline ACTA_ABI::prompt_detail {

/// Returns the model's message, with its calls.
[[nodiscard]] ACTA_INLINE ChatMessage said_in_step(const StepSource& steps, std::size_t i, const StepView& step) {
    ChatMessage said = step.raw_message != nullptr ? ChatMessage(*step.raw_message) : ChatMessage::assistant({});
    said.tool_calls.clear();
    std::string words = steps.words(i);
    if (words != said.content) {  // the thoughts were changed after the model had said them
        said.content = std::move(words);
        said.parts.clear();
    }
    if (step.calls.size() == 1 && step.calls.front().name.empty()) return said;
    std::vector<std::string> ids = steps.call_ids(i);
    for (std::size_t c = 0; c < step.calls.size(); ++c) said.tool_calls.push_back({std::move(ids[c]), step.calls[c]});
    return said;
}

ACTA_INLINE void append_feedback(std::vector<ChatMessage>& out, const std::vector<const ActionResult*>& shown) {
    for (const ActionResult* const result : shown) {
        if (feedback_follows(*result))
            out.push_back(ChatMessage::user(hide_binary(std::get<ActionInterruptedByHuman>(*result).feedback)));
    }
}

ACTA_INLINE std::vector<ChatMessage> native_step(const StepSource& steps, std::size_t i) {
    const StepView step = steps.view(i);
    const ActionResult* const whole = *step.result ? &**step.result : nullptr;
    std::vector<ChatMessage> out;
    std::vector<const ActionResult*> shown;
    out.push_back(said_in_step(steps, i, step));
    const std::vector<AssistantToolCall> calls = out.front().tool_calls;
    if (calls.empty()) {
        if (out.front().content.empty() && out.front().parts.empty()) out.clear();
        if (whole == nullptr) return out;
        out.push_back(ChatMessage::user(whole_result_message({}, whole, true).content));
        append_feedback(out, {whole});
        return out;
    }
    std::map<std::string_view, const ActionResult*> results;
    for (const ToolResult& one : step.results) results.emplace(one.tool_call_id, &one.result);
    bool whole_shown = false;
    for (const AssistantToolCall& call : calls) {
        const auto found = results.find(call.id);
        const ActionResult* const own = found != results.end() ? found->second : (calls.size() == 1 ? whole : nullptr);
        const ActionResult* const result = own != nullptr ? own : (whole_shown ? nullptr : whole);
        out.push_back(own != nullptr ? result_message(call.id, *own)
                                     : whole_result_message(call.id, whole, !whole_shown));
        whole_shown = whole_shown || own == nullptr;
        if (result != nullptr) shown.push_back(result);
    }
    append_feedback(out, shown);
    return out;
}

ACTA_INLINE std::string CallIds::next(const std::string& wanted) {
    const std::string base = wanted.empty() ? "call" : wanted;
    if (used_.insert(base).second) return base;
    std::size_t& count = repeats_[base];
    for (;;) {
        std::string id = base + "_" + std::to_string(++count + 1);
        if (used_.insert(id).second) return id;
    }
}

ACTA_INLINE void CallIds::make_unique(std::vector<ChatMessage>& step) {
    if (step.empty()) return;
    std::vector<AssistantToolCall>& calls = step.front().tool_calls;
    for (std::size_t c = 0; c < calls.size(); ++c) {
        calls[c].id = next(calls[c].id);
        step[c + 1].tool_call_id = calls[c].id;
    }
}

// Budgets --------------------------------------------------------------------------------------------------------

template <class F>
void for_each_text(const ChatMessage& message, const F& count) {
    count(std::string_view(message.content));
    for (const AssistantToolCall& call : message.tool_calls) {
        count(std::string_view(call.function.name));
        count(std::string_view(dump(call.function.arguments)));
    }
    if (message.reasoning_content) count(std::string_view(*message.reasoning_content));
    if (!message.extra.empty()) count(std::string_view(dump(message.extra)));
}

ACTA_INLINE PromptCount count_message(const ChatMessage& message, const AnyTokenCounter& count_tokens) {
    PromptCount out;
    for_each_text(message, [&](std::string_view text) {
        out.characters += utf8::count_code_points(text);
        out.tokens += text.empty() ? 0 : count_tokens(text);
    });
    for (const ContentPart& part : message.parts) {
        if (part.type != "text") out.tokens += tokens_of_binary;
    }
    return out;
}

ACTA_INLINE PromptCount count_messages(const std::vector<ChatMessage>& messages, const AnyTokenCounter& count_tokens) {
    PromptCount out;
    for (const ChatMessage& message : messages) {
        const PromptCount one = count_message(message, count_tokens);
        out.characters += one.characters;
        out.tokens += one.tokens;
    }
    return out;
}

ACTA_INLINE void limit_texts(Json& value, const OutputLimit& limit, const Omission& omission) {
    if (auto* const text = value.get_ptr<std::string*>()) {
        limit_text(*text, limit, omission);
    } else if (value.is_structured()) {
        for (Json& one : value) limit_texts(one, limit, omission);
    }
}
ACTA_INLINE void limit_arguments(ChatMessage& message, const OutputLimit& limit, const Omission& omission) {
    for (AssistantToolCall& call : message.tool_calls) {
        for (auto& [name, argument] : call.function.arguments) limit_texts(argument, limit, omission);
    }
}

ACTA_INLINE void limit_messages(std::vector<ChatMessage>& step, const OutputLimit& limit, const Omission& omission) {
    for (ChatMessage& message : step) {
        limit_arguments(message, limit, omission);
        if (message.role != ChatRole::tool) continue;
        bool changed = false;
        for (ContentPart& part : message.parts)
            changed = (part.type == "text" && limit_text(part.text, limit, omission)) || changed;
        if (message.parts.empty())
            limit_text(message.content, limit, omission);
        else if (changed)
            message.content = parts_text(message.parts);
    }
}

/// Truncates the texts in arguments, all to the same length, until the calls take at most `budget` tokens.
ACTA_INLINE void fit_arguments(ChatMessage& message, std::size_t budget, const Omission& omission) {
    const auto tokens = [&omission](const ChatMessage& one) {
        std::size_t out = 0;
        for (const AssistantToolCall& call : one.tool_calls)
            out += omission.count_tokens(dump(call.function.arguments));
        return out;
    };
    if (message.tool_calls.empty() || tokens(message) <= budget) return;
    constexpr std::size_t longest = 1U << 16U;
    constexpr std::size_t shortest = 16;
    PromptReport unused;
    OutputLimit limit{longest};
    ChatMessage trial;
    for (;; limit.characters /= 2) {
        trial.tool_calls = message.tool_calls;
        limit_arguments(trial, limit, {omission.count_tokens, unused});
        if (limit.characters <= shortest || tokens(trial) <= budget) break;
    }
    limit_arguments(message, limit, omission);
}

ACTA_INLINE void fit_message(ChatMessage& message, std::size_t budget, const Omission& omission) {
    const auto tokens = [&] { return count_message(message, omission.count_tokens).tokens; };
    if (tokens() <= budget) return;
    message.parts.clear();
    fit_arguments(message, budget / 2, omission);
    if (message.reasoning_content)
        fit_text(*message.reasoning_content, omission.count_tokens(*message.reasoning_content), budget / 4, omission);
    const std::size_t content = omission.count_tokens(message.content);
    const std::size_t others = tokens() - (message.content.empty() ? 0 : content);
    if (!message.content.empty()) fit_text(message.content, content, budget - std::min(budget, others), omission);
    // An API may refuse an answer without text.
    if (message.content.empty() && message.role == ChatRole::tool) message.content = "(left out)";
}

ACTA_INLINE void fit_messages(std::vector<ChatMessage>& step, std::size_t budget, const Omission& omission) {
    std::size_t left = budget;
    for (std::size_t k = 0; k < step.size(); ++k) {
        const std::size_t count = step.size() - k;
        fit_message(step[k], k == 0 && count > 1 ? left / 2 : left / count, omission);
        left -= std::min(left, count_message(step[k], omission.count_tokens).tokens);
    }
}

}  // namespace acta::inline ACTA_ABI::prompt_detail
