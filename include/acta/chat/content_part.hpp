// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "acta/describe/describe.hpp"

namespace acta::inline ACTA_ABI {

/// A part of a message's content, if that is more than one text: a text, an image, a recording, a file, or a part of a
/// type that only one API has.
///
/// @code{.cpp}
/// #include <acta/chat/message.hpp>
/// acta::ChatMessage message;
/// message.parts = {{.text = "What is this?"}, {.type = "image", .media_type = "image/png", .data = "iVBORw0KGgo="}};
/// message.content = acta::parts_text(message.parts);   // What is this?\n<image/png, 8 bytes>
/// @endcode
struct ContentPart {
    std::string type{"text"};  ///< `text`, `image`, `audio`, `file`, `refusal`, or the provider's own word.
    std::string text{};        ///< Of a text or a refusal, or of a file that is plain text.
    std::string media_type{};  ///< Of the data, such as `image/png`.
    std::string data{};        ///< In base64.
    std::string url{};         ///< Where the content is, if it is not in `data`: an address, or the path of a file.
    std::string name{};        ///< Of a file.
    /// Everything else that the part had, by provider, such as `{"openai": {"image_url": {"detail": "low"}}}`; that
    /// provider gets it back unchanged.
    JsonObject extra{};

    friend bool operator==(const ContentPart&, const ContentPart&) = default;
};

/// Returns the part as text, for people and for APIs that have no such part: its text, a placeholder such as
/// `<image/png, 8 bytes>` or `<image, https://example.org/tide.png>`, or the JSON of a part of another type, with
/// placeholders for binary content.
[[nodiscard]] std::string to_string(const ContentPart& part);

/// Returns the text of all parts: texts in a row are joined, everything else stands on a line of its own.
[[nodiscard]] std::string parts_text(std::span<const ContentPart> parts);

/// Reads a part in the form of any API: OpenAI's (`image_url`, `input_audio`, `file`), Anthropic's (`image` and
/// `document` with a `source`), that of an MCP tool's result (`data` beside `mimeType`), or the members of
/// `ContentPart` themselves. Everything else goes to `extra[provider]`. Throws `Error` if it has no `type`.
[[nodiscard]] ContentPart read_content_part(JsonObject part, std::string_view provider);

/// Reads any API's form. Writes OpenAI's if OpenAI has such a part, else the members by name. The members of
/// `extra["openai"]` are written beside them, the rest under `extra`.
template <>
struct Describe<ContentPart> {
    using representation = JsonObject;
    static constexpr std::string_view name = "ContentPart";
    static JsonObject to_representation(const ContentPart& part);
    static ContentPart from_representation(JsonObject part);
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/chat/detail/content_part.inl.hpp"
#endif
