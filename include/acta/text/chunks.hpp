// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/text/tokens.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// Splits a text into sentences: copyable, and callable as const with a `std::string_view`, returning
/// `std::vector<std::string_view>`. The pieces are parts of the text, in order, none empty; joined, they are the whole
/// text, and none begins inside a UTF-8 sequence. acta may call one splitter from several threads at once.
template <class T>
concept SentenceSplitter = std::copy_constructible<T> && requires(const T& splitter, std::string_view text) {
    { splitter(text) } -> std::same_as<std::vector<std::string_view>>;
};

/// What a fenced code block becomes.
enum class CodeBlocks : std::uint8_t {
    whole,  ///< one piece, with its fences
    lines,  ///< one piece per line
};

/// A documented subset of the sentence rules of UAX #29 with abbreviations, the same on every machine (docs/text.md has
/// the table). A sentence includes the white space after it; white space at the start of the text belongs to the first.
///
/// - A line end ends a sentence (SB4), and blank lines belong to it. With `lines_end_sentences` off, for text that is
///   hard-wrapped, only blank lines, list items, headings, quotations, table rows and fences do.
/// - `.` ends one (SB11) before white space that no lower-case letter (SB8) or `, ; : -` (SB8a) follows, unless an
///   abbreviation, an initial or a list number precedes it. Unlike in UAX #29 it needs that white space, so that URLs,
///   decimals, versions and file names stay whole; so do `!` and `?`.
/// - `。！？｡．` and closing brackets after them end one without white space.
/// - A fenced code block is one piece, or one per line (`code_blocks`); an inline code span is never split.
///
/// The text may have any bytes: one that is not valid UTF-8 is an ordinary character. Linear time.
///
/// @code{.cpp}
/// auto sentences = acta::RuleSentenceSplitter{}("Dr. Who left at 9.30 p.m. It was late.");
/// // "Dr. Who left at 9.30 p.m. ", "It was late."
/// @endcode
struct RuleSentenceSplitter {
    CodeBlocks code_blocks = CodeBlocks::whole;  ///< what a fenced code block becomes
    bool lines_end_sentences = true;             ///< whether a line end ends a sentence

    /// Returns the sentences of `text`, which must outlive them.
    [[nodiscard]] std::vector<std::string_view> operator()(std::string_view text) const;

    friend bool operator==(const RuleSentenceSplitter&, const RuleSentenceSplitter&) = default;
};

/// Any `SentenceSplitter`, with its type erased. By default a `RuleSentenceSplitter`.
class AnySentenceSplitter {
public:
    AnySentenceSplitter();

    /// Implicit, so that a lambda can be passed for a splitter.
    template <class T>
        requires(!std::same_as<T, AnySentenceSplitter> && SentenceSplitter<T>)
    AnySentenceSplitter(T splitter)
        : split_([held = std::move(splitter)](std::string_view text) { return std::as_const(held)(text); }) {}

    /// Returns the sentences of `text`, which must outlive them.
    [[nodiscard]] std::vector<std::string_view> operator()(std::string_view text) const { return split_(text); }

private:
    std::function<std::vector<std::string_view>(std::string_view)> split_;
};

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

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI {
extern template AnySentenceSplitter::AnySentenceSplitter(RuleSentenceSplitter splitter);
}  // namespace acta::inline ACTA_ABI
#endif
