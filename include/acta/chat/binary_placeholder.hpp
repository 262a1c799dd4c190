// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "acta/base/json_value.hpp"

// Images, audio and other binary content in the outputs of tools. The data stays in the record; texts that are made for
// people and models show what it is and how large it is instead.
namespace acta::inline v0 {

/// What is shown instead of base64 text: `<image/png, 153600 bytes>`. The size is that of the decoded bytes. `type` is
/// a media type, or any other name of what it is.
///
/// @code{.cpp}
/// std::string shown = acta::binary_placeholder("image/png", "iVBORw0KGgo=");   // <image/png, 8 bytes>
/// @endcode
[[nodiscard]] std::string binary_placeholder(std::string_view type, std::string_view base64);

/// The value with placeholders for its binary content, or nothing where it has none. Binary content is
/// - a content block of a tool or a chat: an object whose `data`, `blob` or `b64_json` is base64, beside a media type
///   that is not a text (`mimeType`, `mime_type`, `media_type`), or a `type` or `format` of images, audio, video or
///   files (MCP, Anthropic, OpenAI);
/// - a `data:` URL in base64 with at least 32 characters of data, anywhere in a text.
///
/// All else stays as it is. Takes time linear in the value.
[[nodiscard]] std::optional<Json> without_binary(const Json& value);

/// A text with placeholders for the `data:` URLs in it, as above. Linear.
[[nodiscard]] std::string hide_binary(std::string_view text);

/// `python_str(value)` with placeholders for binary content: outputs as `Episode::format`, prompts and summaries show
/// them.
[[nodiscard]] std::string shown_text(const Json& value);

}  // namespace acta::inline v0

#ifndef ACTA_COMPILED
#include "acta/chat/detail/binary_placeholder.inl.hpp"
#endif
