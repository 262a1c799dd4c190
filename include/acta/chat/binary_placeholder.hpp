// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "acta/base/json_value.hpp"

namespace acta::inline ACTA_ABI::chat_detail {

/// Returns whether a text is base64 of either alphabet (RFC 4648), in lines or in one: a multiple of four characters
/// with the padding, which may be omitted from 32 characters on, as shorter texts without it are words.
[[nodiscard]] bool is_base64(std::string_view text) noexcept;

}  // namespace acta::inline ACTA_ABI::chat_detail

// Images, audio and other binary content in the outputs of tools. The data stays in the record; texts that are made for
// people and models show what it is and how large it is instead.
namespace acta::inline ACTA_ABI {

/// Returns the text that is shown instead of base64: `<image/png, 153600 bytes>`. The size is that of the decoded
/// bytes. `type` is a media type, or any other name of the content.
///
/// @code{.cpp}
/// std::string shown = acta::binary_placeholder("image/png", "iVBORw0KGgo=");   // <image/png, 8 bytes>
/// @endcode
[[nodiscard]] std::string binary_placeholder(std::string_view type, std::string_view base64);

/// Returns the value with placeholders for its binary content, or nothing if it has none. Binary content is
/// - a content block of a tool or a chat: an object whose `data`, `blob` or `b64_json` is base64, beside a media type
///   that is not a text (`mimeType`, `mime_type`, `media_type`), or a `type` or `format` of images, audio, video or
///   files (MCP, Anthropic, OpenAI). `{"type": "image", "data": "hello"}` is not one: base64 has a multiple of four
///   characters with its padding, which may be omitted from 32 on;
/// - a member of at least 32 characters of base64 whose name ends with `base64` or `b64`: `{"image_base64": "..."}`;
/// - a text that is the base64 of a PNG, JPEG, GIF or PDF file of at least 192 bytes;
/// - a `data:` URL in base64 with at least 32 characters of data, anywhere in a text.
///
/// Everything else stays as it is. Takes time linear in the value.
[[nodiscard]] std::optional<Json> without_binary(const Json& value);
/// The same for an object, such as the arguments of a call.
[[nodiscard]] std::optional<JsonObject> without_binary(const JsonObject& object);

/// Returns a text with placeholders for its binary content, as above. Linear.
[[nodiscard]] std::string hide_binary(std::string text);

/// Appends the same text.
void append_shown_text(std::string& out, std::string_view text);

/// Appends a call as `append_call` does, with placeholders for binary content in its arguments.
void append_shown_call(std::string& out, std::string_view name, const JsonObject& arguments);

/// Returns `python_str(value)` with placeholders for binary content: the form in which `Episode::format`, prompts and
/// summaries show outputs.
[[nodiscard]] std::string shown_text(const Json& value);

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/chat/detail/binary_placeholder.inl.hpp"
#endif
