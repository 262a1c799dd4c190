// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acta/base/json_value.hpp"
#include "acta/chat/chat_model.hpp"

namespace acta::inline ACTA_ABI {

/// The answer of a provider, with everything that came with it.
struct ChatReply {
    ChatCompletion completion{};  ///< The answer as acta's other parts take it.
    Json body{};                  ///< The answer as received, unknown fields included; a streamed one assembled.
    std::string request_id{};     ///< The `x-request-id` or `request-id` header.
    int attempts = 1;             ///< How often the model was asked.
};

}  // namespace acta::inline ACTA_ABI
