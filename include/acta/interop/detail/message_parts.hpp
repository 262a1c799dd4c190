// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "acta/base/json_value.hpp"

// Typed parts of a message's content. OpenAI and Anthropic have parts of their own for images and documents; what both
// can say is converted, all else is kept as it is.
namespace acta::inline v0::interop_detail {

/// Whether a part is text and nothing else.
[[nodiscard]] bool is_plain_text(const JsonObject& part);
/// The same of all parts; true where there are none.
[[nodiscard]] bool are_plain_text(std::span<const JsonObject> parts);

/// The part of a text.
[[nodiscard]] JsonObject text_block(const std::string& text);

/// A part for people and for APIs that have no such part: its text, or its JSON with placeholders for binary content.
[[nodiscard]] std::string part_text(const JsonObject& part);
/// Texts in a row are one text; other parts stand on lines of their own.
[[nodiscard]] std::string parts_text(std::span<const JsonObject> parts);

/// A part as OpenAI's chat completions have it. Nothing of Anthropic's thinking, which is for Anthropic's models alone.
[[nodiscard]] std::optional<JsonObject> openai_part(const JsonObject& part);
/// A part as Anthropic's messages have it. Nothing of blank text, which the API refuses.
[[nodiscard]] std::optional<JsonObject> anthropic_part(const JsonObject& part);

/// Outputs as content parts of OpenAI's tool message: a list of text, images, audio and files as that API has them, and
/// more than one text. Nothing of any other outputs.
[[nodiscard]] std::optional<std::vector<JsonObject>> openai_output_parts(const Json& outputs);
/// Outputs as blocks of Anthropic's tool result ("Tool use", "Handling results": `text`, `image` or `document`): a list
/// of text, images and documents in either API's form, or the result of an MCP tool with an image. Nothing of others.
[[nodiscard]] std::optional<std::vector<JsonObject>> anthropic_output_parts(const Json& outputs);

}  // namespace acta::inline v0::interop_detail
