// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <utility>

#include "acta/chat/message.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/detail/wire.hpp"

namespace acta::inline ACTA_ABI::provider_detail {

/// Writes the messages of a request, a part at a time.
class MessagesWriter {
public:
    MessagesWriter() = default;
    MessagesWriter(const MessagesWriter&) = delete;
    MessagesWriter& operator=(const MessagesWriter&) = delete;
    virtual ~MessagesWriter() = default;

    /// Writes messages as elements of an array. They follow those of the last call, and begin with no result of a tool
    /// whose call was written then.
    virtual void write(codec::Encoder& e, std::span<const ChatMessage> messages) = 0;
    /// Returns whether what was written would be the same if more followed, and nothing is left for `end`.
    [[nodiscard]] virtual bool is_settled() const = 0;
    /// Writes what is left when nothing follows. Nothing can be written afterwards.
    virtual void end(codec::Encoder& e) = 0;
};

/// Returns messages as a value.
[[nodiscard]] inline JsonArray json_of(MessagesWriter& writer, std::span<const ChatMessage> messages) {
    Json out = to_json_value(Written{[&](codec::Encoder& e) {
        e.out.begin_array();
        writer.write(e, messages);
        writer.end(e);
        e.out.end_array();
    }});
    return std::move(out.get_ref<JsonArray&>());
}

}  // namespace acta::inline ACTA_ABI::provider_detail
