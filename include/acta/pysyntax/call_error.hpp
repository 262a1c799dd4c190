// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include "acta/base/error.hpp"

namespace acta::inline ACTA_ABI {

namespace pysyntax_detail {
struct TextPlace;
}  // namespace pysyntax_detail

/// A call, or a literal, in Python's syntax that cannot be read. `what()` has the reason, line and column, the
/// line itself (cut to 60 code points on either side) and a caret below the place. It is valid UTF-8 whatever
/// the text was, and its size is bounded whatever the size of the text.
class CallSyntaxError : public Error {
public:
    /// `reason` says what is wrong at byte `offset` of `text`. Linear in `offset`.
    CallSyntaxError(std::string_view reason, std::string_view text, std::size_t offset);

    /// Returns the place in the text, in bytes from 0; the size of the text if it ends too early.
    [[nodiscard]] std::size_t offset() const noexcept { return offset_; }
    /// Returns the line, from 1. Lines end with `\n`, `\r\n` or `\r`.
    [[nodiscard]] std::size_t line() const noexcept { return line_; }
    /// Returns the column in code points, from 1. A byte that is not valid UTF-8 counts as one.
    [[nodiscard]] std::size_t column() const noexcept { return column_; }

private:
    CallSyntaxError(std::string_view reason, std::string_view text, const pysyntax_detail::TextPlace& place);

    std::size_t offset_;
    std::size_t line_;
    std::size_t column_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/pysyntax/detail/call_error.inl.hpp"
#endif
