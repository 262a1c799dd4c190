// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/provider/codec.hpp"

// The codecs without a server.
namespace codecs {

inline const std::vector<acta::ChatMessage>& question() {
    static const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("?")};
    return messages;
}

/// What a response of these bytes is read as.
inline acta::ChatReply read(const acta::HttpChatCodec& codec, std::string_view body,
                            const acta::ChatOptions& options = {}, int status = 200) {
    acta::ChatReplyReader reader = codec.reader(question(), options);
    reader.begin(status);
    static_cast<void>(reader.feed(body));
    return reader.finish();
}

/// The error that it is.
inline acta::ChatModelError failure(const acta::HttpChatCodec& codec, std::string_view body, int status = 200) {
    try {
        static_cast<void>(read(codec, body, {}, status));
    } catch (const acta::ChatModelError& error) {
        return error;
    }
    throw std::logic_error("answered");
}

/// Events as a server sends them.
inline std::string events(const std::vector<std::string>& data) {
    std::string out;
    for (std::string one : data) {
        for (std::size_t at = one.find('\n'); at != std::string::npos; at = one.find('\n', at + 1))
            one.insert(at + 1, "data: ");
        out += "data: " + one + "\n\n";
    }
    return out;
}

/// The text that is shown of a stream.
inline std::string shown(const acta::HttpChatCodec& codec, const std::string& stream) {
    std::string out;
    static_cast<void>(read(codec, stream, {.on_text = [&](std::string_view text) { out += text; }}));
    return out;
}

/// The body of a request.
inline acta::Json request(const acta::HttpChatCodec& codec, const std::vector<acta::ChatMessage>& messages,
                          const acta::ChatOptions& options = {}) {
    return acta::Json::parse(codec.request(messages, options).body);
}

}  // namespace codecs
