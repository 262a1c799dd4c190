// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/text/tokens.hpp"

namespace acta::inline ACTA_ABI {

namespace text_detail {
class Ranks;
}  // namespace text_detail

/// A ranks file cannot be read by `BytePairTokenizer`.
class RanksError : public Error {
public:
    /// `line` from 1, or 0 if the file as a whole is at fault.
    RanksError(const std::string& message, std::size_t line)
        : Error(line == 0 ? message : "line " + std::to_string(line) + ": " + message), line_(line) {}

    /// Returns the line at fault, from 1; 0 if the file as a whole is.
    [[nodiscard]] std::size_t line() const noexcept { return line_; }

private:
    std::size_t line_;
};

/// The exact byte-pair tokenizer of an encoding whose ranks the caller supplies as a `.tiktoken` file: one line per
/// token, with the token in base64, a space and its rank. acta ships no ranks; docs/text.md says where to get them.
///
/// Returns what tiktoken's `encode_ordinary` returns: `<|endoftext|>` and the like in a text are text. Bytes that are
/// not valid UTF-8 are kept, so that `decode(encode(text)) == text` for any text. Time and memory grow as n log n at
/// worst. Copies share the ranks, and any number of threads may use one at the same time. Models `TokenCounter`.
///
/// @code{.cpp}
/// auto count = [](std::string_view text) {
///     static const auto tokenizer =
///         acta::BytePairTokenizer::from_file("o200k_base.tiktoken", acta::TokenEncoding::o200k_base);
///     return tokenizer(text);
/// };
/// @endcode
class BytePairTokenizer {
public:
    /// Reads ranks from the text of a `.tiktoken` file. Throws `RanksError` if it is malformed, names a token or a rank
    /// twice, or lacks one of the 256 single bytes.
    BytePairTokenizer(std::string_view ranks, TokenEncoding encoding);

    /// Reads the ranks file at `path`. Throws `FileError` if it cannot be read, and `RanksError` as the constructor.
    [[nodiscard]] static BytePairTokenizer from_file(const std::filesystem::path& path, TokenEncoding encoding);

    /// Returns the ranks of the text's tokens, in order.
    [[nodiscard]] std::vector<std::uint32_t> encode(std::string_view text) const;

    /// Returns the text of `tokens`. Throws `Error` if a rank is not one of this encoding.
    [[nodiscard]] std::string decode(const std::vector<std::uint32_t>& tokens) const;

    /// Returns the number of tokens of `text`.
    [[nodiscard]] std::size_t operator()(std::string_view text) const;

    /// Returns the number of tokens that the ranks file names.
    [[nodiscard]] std::size_t vocabulary_size() const noexcept;

    /// Returns the encoding, which decides how a text is split before byte pairs are merged.
    [[nodiscard]] TokenEncoding encoding() const noexcept { return encoding_; }

private:
    std::shared_ptr<const text_detail::Ranks> ranks_;
    TokenEncoding encoding_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/text/detail/byte_pair.inl.hpp"
#endif
