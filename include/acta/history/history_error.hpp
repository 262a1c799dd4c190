// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acta/base/error.hpp"

namespace acta::inline ACTA_ABI {

/// Why a history refused a call.
enum class HistoryErrorCode {
    action_already_set,  ///< An action was registered while a step is open.
    no_action,           ///< A result was registered while no step is open.
    result_already_set,  ///< The step, or one of its calls, has its result already.
    negative_rewind,     ///< `rewind` of fewer than 0 steps.
    unknown_tool_call,   ///< The open step has no call with this id.
    step_open,           ///< An answer was registered while a step is open.
    call_begun,          ///< A call has begun before, so that it may have had its effect (`StoredHistory::execute`).
    no_call,             ///< A proposal without a call was registered as a step; it is an answer.
    not_said             ///< A tool's result or a message with calls was registered as part of the conversation.
};

/// A history was used out of order. It is unchanged.
class HistoryError : public Error {
public:
    /// `message` is `what()`.
    HistoryError(HistoryErrorCode code, const std::string& message) : Error(message), code_(code) {}
    /// Returns why the history refused.
    [[nodiscard]] HistoryErrorCode code() const noexcept { return code_; }

private:
    HistoryErrorCode code_;
};

}  // namespace acta::inline ACTA_ABI
