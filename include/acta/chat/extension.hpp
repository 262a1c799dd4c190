// SPDX-License-Identifier: MIT
#pragma once

#include "acta/chat/detail/answer_words.hpp"

// What other rooms use of this one beyond its public API: the words in which answers to calls say more than an output.
namespace acta::inline v0::chat_extension {

namespace answer_words = chat_detail::answer_words;
using chat_detail::has_answer_words;

}  // namespace acta::inline v0::chat_extension
