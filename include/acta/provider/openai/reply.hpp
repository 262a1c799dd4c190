// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "acta/base/json_value.hpp"
#include "acta/chat/chat_model.hpp"

namespace acta::inline v0::openai {

/// An answer with everything that came with it.
struct Reply {
    ChatCompletion completion{};  ///< The answer as acta's other parts take it.
    Json body{};                  ///< The answer as received, unknown fields included; a streamed one assembled.
    std::string request_id{};     ///< The `x-request-id` header.
    int attempts = 1;             ///< How often the model was asked.

    /// Returns the message as received, in the form that a list of messages takes back. Throws nlohmann's
    /// `out_of_range` where there is no answer yet.
    [[nodiscard]] const Json& message() const { return body.at("choices").at(0).at("message"); }
};

/// A part of a streamed answer. Valid during the callback.
struct Delta {
    std::string_view content{};  ///< The new part of the text; may be empty.
    const Json& chunk;           ///< The chunk as received: parts of tool calls, fields of other servers.
};

}  // namespace acta::inline v0::openai
