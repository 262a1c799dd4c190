// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/ascii.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utf8.hpp"
#include "acta/pysyntax/call_options.hpp"

namespace acta::inline ACTA_ABI::pysyntax_detail {

/// Why reading stopped. It becomes a `CallSyntaxError` only when it is thrown, because finding the line costs as much
/// as the text before it and a text may have many calls that cannot be read.
struct ReadFailure {
    std::string reason{};
    std::size_t offset = 0;
};

/// Returns a piece of text as an error quotes it: short whatever its size.
[[nodiscard]] inline std::string excerpt(std::string_view text) {
    constexpr std::size_t limit = 40;
    const std::string_view kept = utf8::prefix(text, limit);
    return std::string("'").append(kept).append(kept.size() < text.size() ? "...'" : "'");
}

/// Returns whether `c` is one of a few characters: inline, whereas `find` would call `memchr` for each.
[[nodiscard]] inline bool is_one_of(char c, std::string_view what) noexcept {
    for (const char one : what) {
        if (c == one) return true;
    }
    return false;
}

/// Reads one text from left to right. Functions that read return false if they fail, and leave the position where the
/// search for another call may continue: past all strings that were read.
class Scanner {
public:
    explicit Scanner(std::string_view text, ScanStats* stats = nullptr) noexcept : text_(text), stats_(stats) {}

    [[nodiscard]] std::string_view text() const noexcept { return text_; }
    [[nodiscard]] std::size_t position() const noexcept { return position_; }
    [[nodiscard]] bool at_end() const noexcept { return position_ == text_.size(); }
    [[nodiscard]] const ReadFailure& failure() const noexcept { return failure_; }

    /// Returns the byte `ahead` of the position; NUL beyond the end (Python's syntax has no use for NUL).
    [[nodiscard]] char peek(std::size_t ahead = 0) const noexcept {
        return ahead < text_.size() - position_ ? text_[position_ + ahead] : '\0';
    }

    void move_to(std::size_t position) noexcept { position_ = position; }

    void advance(std::size_t bytes) noexcept {
        charge(bytes);
        position_ += bytes;
    }

    void charge(std::size_t bytes) noexcept {
        if (stats_ != nullptr) stats_->bytes += bytes;
    }

    bool fail(std::string reason, std::size_t offset) {
        failure_ = {std::move(reason), offset};
        return false;
    }

    /// Skips spaces, joined lines, comments and, inside brackets, line ends.
    bool skip_blanks(bool inside_brackets) {
        while (!at_end()) {
            const char c = peek();
            const bool line_end = c == '\n' || c == '\r';
            if (c == ' ' || c == '\t' || c == '\f' || (line_end && inside_brackets)) {
                advance(1);
            } else if (const std::size_t joint = joint_length(); joint != 0) {
                advance(joint);
            } else if (c == '#') {
                if (!skip_comment()) return false;
            } else {
                break;
            }
        }
        return true;
    }

    /// Reads the identifier at the position; empty if there is none.
    std::string_view identifier() noexcept {
        if (ascii::is_digit(peek())) return {};
        const std::size_t begin = position_;
        skip_identifier_parts();
        return text_.substr(begin, position_ - begin);
    }

    /// Skips characters that may be in an identifier, digits first or not.
    void skip_identifier_parts() noexcept {
        while (const std::size_t length = identifier_part_length()) advance(length);
    }

    /// Returns the length in bytes of the character at the position if it may be in an identifier, else 0.
    [[nodiscard]] std::size_t identifier_part_length() const noexcept {
        if (at_end()) return 0;
        const char* const p = text_.data() + position_;
        const auto byte = static_cast<unsigned char>(*p);
        if (byte < 0x80) return unicode::is_python_identifier_part(byte) ? 1 : 0;
        const std::size_t length = utf8::sequence_length(p, text_.data() + text_.size());
        return length != 0 && unicode::is_python_identifier_part(utf8::code_point(p, length)) ? length : 0;
    }

private:
    /// Returns the length of a backslash and the line end after it; 0 if there are none, or no line to join.
    [[nodiscard]] std::size_t joint_length() const noexcept {
        if (peek() != '\\' || (peek(1) != '\n' && peek(1) != '\r')) return 0;
        const std::size_t length = peek(1) == '\r' && peek(2) == '\n' ? 3 : 2;
        return position_ + length < text_.size() ? length : 0;
    }

    bool skip_comment() {
        const std::size_t end = std::min(text_.find_first_of("\r\n", position_), text_.size());
        const std::string_view comment = text_.substr(position_, end - position_);
        const std::size_t bad = std::min(utf8::find_invalid(comment), comment.find('\0'));
        const std::size_t begin = position_;
        advance(comment.size());
        if (bad >= comment.size()) return true;
        return fail(comment[bad] == '\0' ? "a NUL byte" : "a byte that is not UTF-8", begin + bad);
    }

    std::string_view text_;
    ScanStats* stats_;
    std::size_t position_ = 0;
    ReadFailure failure_{};
};

}  // namespace acta::inline ACTA_ABI::pysyntax_detail
