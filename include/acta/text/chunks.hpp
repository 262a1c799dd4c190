// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/text/sentences.hpp"
#include "acta/text/tokens.hpp"

namespace acta::inline ACTA_ABI {

/// How `split_into_chunks` splits.
struct ChunkOptions {
    /// The most tokens a chunk may have, by `count_tokens`, its overlap included. 0 is an error.
    std::size_t max_tokens = 0;
    /// The most tokens of a chunk that repeat the end of the one before it; 0 for none. More than half of `max_tokens`
    /// is taken as half of it.
    std::size_t overlap_tokens = 0;
    AnySentenceSplitter splitter{};  ///< finds the sentences
    AnyTokenCounter count_tokens{};  ///< counts tokens
};

/// A part of a text. It points into the text that was split.
struct TextChunk {
    std::string_view text{};  ///< the part
    std::size_t tokens = 0;   ///< of `text`, by the counter
    std::size_t offset = 0;   ///< of `text`, in bytes
    std::size_t overlap = 0;  ///< how many bytes at the front of `text` end the chunk before it

    friend bool operator==(const TextChunk&, const TextChunk&) = default;
};

/// Splits a text into as few chunks of about equal token length as its sentences allow, none above
/// `options.max_tokens`. Every chunk is a part of the text; without their overlaps they join to exactly the text. A
/// sentence longer than a chunk is split at white space, and a word longer than one at code points: never inside a
/// UTF-8 sequence. An empty text has no chunks; one that fits is a single chunk.
///
/// Throws `Error` if `max_tokens` is 0, if a single character has more tokens than a chunk can hold, or if the splitter
/// returns anything but the text. The counter sees each byte a small number of times (the whole, each sentence, each
/// chunk, and once more a sentence that must be split), so the time is that of the counter, and linear if that is.
///
/// @code{.cpp}
/// std::string text = "The tide is low at noon. It turns at one. By six the harbour is full again.";
/// for (const acta::TextChunk& chunk : acta::split_into_chunks(text, {.max_tokens = 12, .overlap_tokens = 3})) {
///     std::string_view part = chunk.text;
/// }
/// @endcode
[[nodiscard]] std::vector<TextChunk> split_into_chunks(std::string_view text, const ChunkOptions& options);

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/text/detail/chunks.inl.hpp"
#endif
