// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "acta/base/utility.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// The token encodings that acta knows: how a text is split before byte pairs are merged, and what its tokens cost on
/// average. The provider says which model uses which; `o200k_base` comes nearest to unknown models.
enum class TokenEncoding : std::uint8_t {
    cl100k_base,  ///< GPT-4, GPT-3.5, text-embedding-3
    o200k_base,   ///< GPT-4o, o1 and later
};

/// Counts the tokens of a text: copyable, and callable as const with a `std::string_view`, returning `std::size_t`.
/// acta may call one counter from several threads at once.
template <class T>
concept TokenCounter = std::copy_constructible<T> && requires(const T& counter, std::string_view text) {
    { counter(text) } -> std::same_as<std::size_t>;
};

/// The default counter: an estimate from the text's words, digits, signs and scripts, without any model's tables. On
/// the 21 files of docs/text.md (English, Chinese, Japanese, Russian, code, JSON, logs, base64) its mean error is 5 %
/// and its largest 12 %; the tests allow 15 %. Some languages and listings are further off, and a short text can be off
/// by a token or two.
///
/// Integers only: the same on every machine. An empty text has 0 tokens, any other at least 1. Linear time, constant
/// memory.
///
/// @code{.cpp}
/// std::size_t tokens = acta::EstimateTokens{}("The tide is low at noon.");  // 7
/// @endcode
struct EstimateTokens {
    TokenEncoding encoding = TokenEncoding::o200k_base;  ///< whose tokens to estimate

    /// Returns the estimated number of tokens of `text`.
    [[nodiscard]] std::size_t operator()(std::string_view text) const noexcept;

    friend bool operator==(const EstimateTokens&, const EstimateTokens&) = default;
};

/// Any `TokenCounter`, with its type erased. By default an `EstimateTokens`, which allocates nothing.
///
/// @code{.cpp}
/// acta::AnyTokenCounter counter = [](std::string_view text) { return text.size() / 4; };
/// std::size_t tokens = counter("The tide is low at noon.");
/// @endcode
class AnyTokenCounter {
public:
    AnyTokenCounter();

    /// Implicit, so that a lambda can be passed for a counter.
    template <class T>
        requires(!std::same_as<T, AnyTokenCounter> && TokenCounter<T>)
    AnyTokenCounter(T counter)
        : count_([held = std::move(counter)](std::string_view text) -> std::size_t {
              return std::as_const(held)(text);
          }) {}
    template <class T>
        requires(!std::same_as<T, AnyTokenCounter> && base::WithoutConversions<T> && !TokenCounter<T>)
    AnyTokenCounter(T) = delete;  // acta: a counter takes a std::string_view, in a const function, and returns a number

    /// Returns the number of tokens of `text`.
    [[nodiscard]] std::size_t operator()(std::string_view text) const { return count_(text); }

private:
    std::function<std::size_t(std::string_view)> count_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/text/detail/tokens.inl.hpp"
#endif
