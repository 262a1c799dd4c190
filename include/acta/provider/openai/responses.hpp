// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/chat/message.hpp"

/// Messages as the items of OpenAI's Responses API (API reference, "Responses"; guide "Function calling").
namespace acta::inline v0::openai::responses {

/// The messages as the `input` of a request. Reasoning, built-in tools and everything else of the model's answers is in
/// `extra["openai_responses"]` and is written back at its place, so that encrypted reasoning comes back as it was. A
/// part that the API has no form for becomes text that says what it is (`to_string`), and so does the failure of a call
/// (`Action failed: '...'`). Throws `EncodeError` if a text is not valid UTF-8.
///
/// @code{.cpp}
/// const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("Find the tides."),
///                                               acta::ChatMessage::assistant("", {{"c1", {"search", {}}}}),
///                                               acta::ChatMessage::tool("c1", "3 results")};
/// const acta::JsonArray input = acta::openai::responses::to_wire(messages);   // message, function_call, its output
/// assert(acta::openai::responses::from_wire(acta::Json(input)) == messages);
/// @endcode
[[nodiscard]] JsonArray to_wire(std::span<const ChatMessage> messages);

/// The messages of a list of items, of a request (an object with `input` and perhaps `instructions`), or of a response
/// (an object with `output`). Items of the model that follow one another are one message of the assistant, until it
/// says a second text without having called anything. Calls of custom tools have the argument `input`. Items that are
/// neither said nor called are messages of the user whose part is the item. Throws `ValidationError`.
[[nodiscard]] std::vector<ChatMessage> from_wire(const Json& request);

}  // namespace acta::inline v0::openai::responses

#ifndef ACTA_COMPILED
#include "acta/provider/openai/detail/responses_from_wire.inl.hpp"
#endif
