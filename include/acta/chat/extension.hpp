// SPDX-License-Identifier: MIT
#pragma once

#include "acta/chat/detail/answer_words.hpp"
#include "acta/chat/detail/unreadable_arguments.hpp"

// What other rooms use of this one beyond its public API: the words of answers to calls that are more than an output,
// and arguments that are no JSON object.
namespace acta::inline ACTA_ABI::chat_extension {

namespace answer_words = chat_detail::answer_words;
using chat_detail::has_answer_words;
using chat_detail::keep_unreadable_arguments;
using chat_detail::unreadable;
using chat_detail::unreadable_arguments;

}  // namespace acta::inline ACTA_ABI::chat_extension
