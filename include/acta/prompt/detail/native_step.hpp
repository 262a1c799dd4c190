// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "acta/prompt/detail/step_source.hpp"
#include "acta/prompt/detail/truncate.hpp"

// A step as messages for models with native tool calls: the assistant's, and the answer to each of its calls.
namespace acta::inline ACTA_ABI::prompt_detail {

/// Returns the messages of step `i` in full. Each call is answered exactly once, whether or not its result is known;
/// feedback of an interruption is a user message. A step that calls nothing consists of its words, with its result as a
/// user message. Throws `EncodeError` if outputs are not UTF-8.
[[nodiscard]] std::vector<ChatMessage> native_step(const StepSource& steps, std::size_t i);

/// Makes repeated ids distinct.
class CallIds {
public:
    /// Renames calls and answers of a step alike. Logarithmic in the number of ids.
    void make_unique(std::vector<ChatMessage>& step);

private:
    [[nodiscard]] std::string next(const std::string& wanted);

    std::set<std::string, std::less<>> used_{};
    std::map<std::string, std::size_t, std::less<>> repeats_{};
};

/// Messages count by all of their texts; a part that is not text counts as `tokens_of_binary`.
inline constexpr std::size_t tokens_of_binary = 1000;
[[nodiscard]] PromptCount count_message(const ChatMessage& message, const AnyTokenCounter& count_tokens);
[[nodiscard]] PromptCount count_messages(const std::vector<ChatMessage>& messages, const AnyTokenCounter& count_tokens);

/// Truncates outputs and the texts in arguments to a limit.
void limit_messages(std::vector<ChatMessage>& step, const OutputLimit& limit, const Omission& omission);

/// Truncates a message to at most `budget` tokens; names of calls and the data that a provider wants back stay.
void fit_message(ChatMessage& message, std::size_t budget, const Omission& omission);
/// The same for the messages of a step: the first may take half of the budget, the answers share the rest.
void fit_messages(std::vector<ChatMessage>& step, std::size_t budget, const Omission& omission);

}  // namespace acta::inline ACTA_ABI::prompt_detail
