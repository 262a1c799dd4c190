// SPDX-License-Identifier: MIT
#pragma once

#include "acta/chat/detail/answer_words.hpp"

// What other rooms use of this one beyond its public API: the words of answers to calls that are more than an output.
namespace acta::inline ACTA_ABI::chat_extension {

namespace answer_words = chat_detail::answer_words;
using chat_detail::has_answer_words;

}  // namespace acta::inline ACTA_ABI::chat_extension
