// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "acta/chat/tool_call.hpp"

namespace acta::inline ACTA_ABI {

/// Which call of a history it is.
struct CallIdentity {
    std::string tool_call_id{};  ///< Its id in its step (`call_ids`).
    std::size_t step = 0;        ///< The index of its step.
    /// The same each time this call runs, after a crash too, and another for every other call: what a service needs to
    /// have an effect once. At most 300 bytes, with the history's id in it. Empty if the history is in no store.
    std::string idempotency_key{};

    friend bool operator==(const CallIdentity&, const CallIdentity&) = default;
};

/// What somebody decided about a call before it ran.
struct CallDecision {
    bool approved = true;    ///< Whether it may run.
    std::string by{};        ///< Who decided, if that is known.
    std::string feedback{};  ///< What the model is told if it may not.

    friend bool operator==(const CallDecision&, const CallDecision&) = default;
};

/// A call of the open step that has no result yet.
struct OpenCall {
    AssistantToolCall call{};       ///< The call, with its id in the step.
    std::optional<bool> begun{};    ///< Whether it has begun, so that it may have had its effect. Only a store knows.
    std::string idempotency_key{};  ///< The key with which it began; empty if it has not, or in no store.
    std::optional<CallDecision> decision{};  ///< What was decided about it, with the arguments that it has. In a store.

    friend bool operator==(const OpenCall&, const OpenCall&) = default;
};

}  // namespace acta::inline ACTA_ABI
