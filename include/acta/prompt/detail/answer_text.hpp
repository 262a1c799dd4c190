// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acta/action/result.hpp"
#include "acta/chat/message.hpp"

// The result of a call as the text that a model reads, made so that it can be read back: OpenAI's tool messages have
// only text, without a flag for errors. docs/reference/prompt.md, "A history as messages", lists the forms.
namespace acta::inline ACTA_ABI::prompt_detail {

/// The content of an answer to a call.
struct ReadAnswer {
    enum class Kind {
        result,     ///< The call's own result.
        nothing,    ///< There is none.
        elsewhere,  ///< Another call of the step has the result of all.
        whole       ///< The result of all calls of the step.
    };
    Kind kind = Kind::result;
    ActionResult result{};
    bool feedback_follows = false;
};

/// Reads the output of `result_message`, and any other text as the output, or as the reason if it is an error. JSON is
/// read as a value if it is written as acta would write that value, so that every text comes back unchanged. Parts
/// become a list of outputs, unless they are one text.
[[nodiscard]] ReadAnswer read_answer(const ChatMessage& tool);

/// Returns whether a result's feedback is the user's next message.
[[nodiscard]] bool feedback_follows(const ActionResult& result);

/// Returns the answer to the call with this id. Outputs that are content parts in the form of any API, or the result of
/// an MCP tool with an image or a recording, become parts; other binary content is a placeholder. Throws `EncodeError`
/// if outputs are not UTF-8.
[[nodiscard]] ChatMessage result_message(std::string id, const ActionResult& result);
/// Returns the answer to a call whose own result is not known: `whole` is the result of all calls of the step, null if
/// it is open. Only the first such answer contains the result.
[[nodiscard]] ChatMessage whole_result_message(std::string id, const ActionResult* whole, bool first);

}  // namespace acta::inline ACTA_ABI::prompt_detail
