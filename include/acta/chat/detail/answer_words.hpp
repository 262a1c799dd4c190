// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "acta/version.hpp"

// The words of an answer to a call that is not simply an output. docs/reference/prompt.md, "A history as messages".
namespace acta::inline ACTA_ABI::chat_detail {

namespace answer_words {
inline constexpr std::string_view did_not_finish = "The action did not finish; it has no result.";
inline constexpr std::string_view elsewhere = "See the result of the step as a whole.";
inline constexpr std::string_view whole = "Result of the step as a whole: ";
inline constexpr std::string_view interrupted = "The user interrupted the action; their feedback follows.";
inline constexpr std::string_view failed = "Action failed: '";
inline constexpr std::string_view error_details = "'\nError: ";
inline constexpr std::string_view feedback = "The user interrupted the action with the following feedback: \"";
}  // namespace answer_words

/// Returns whether an answer states the outcome of its call in these words.
[[nodiscard]] inline bool has_answer_words(std::string_view text) noexcept {
    return text == answer_words::did_not_finish || text == answer_words::elsewhere ||
           text == answer_words::interrupted || text.starts_with(answer_words::whole) ||
           text.starts_with(answer_words::failed) || text.starts_with(answer_words::feedback);
}

}  // namespace acta::inline ACTA_ABI::chat_detail
