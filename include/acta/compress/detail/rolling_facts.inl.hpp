// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "acta/base/ascii.hpp"
#include "acta/compress/rolling_options.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE bool is_marked_sentence(std::string_view sentence) {
    // Sorted.
    constexpr std::array<std::string_view, 18> marks = {
        "attention", "caution",   "conclusion", "constraint",  "decision", "fact",
        "finding",   "important", "key fact",   "key finding", "lesson",   "lesson learned",
        "nb",        "note",      "remember",   "requirement", "rule",     "todo"};
    constexpr std::array<std::string_view, 3> others = {
        "\xE9\x87\x8D\xE8\xA6\x81", "\xE6\xB3\xA8\xE6\x84\x8F",
        "\xE8\xAE\xB0\xE4\xBD\x8F"};  // important (Chinese, Japanese), attention, remember (Chinese)
    const std::size_t first = sentence.find_first_not_of(" \t\r\n*-#>_\"'`");
    if (first == std::string_view::npos) return false;
    sentence.remove_prefix(first);
    const auto is_other = [sentence](std::string_view mark) { return sentence.starts_with(mark); };
    if (std::any_of(others.begin(), others.end(), is_other)) return true;
    constexpr std::size_t longest = 16;
    const std::size_t colon = sentence.substr(0, longest).find(':');
    if (colon == std::string_view::npos) return false;
    std::string word;
    for (const char c : sentence.substr(0, colon)) word += ascii::to_lower(c);
    const std::size_t end = word.find_last_not_of(" *_`");
    word.resize(end == std::string::npos ? 0 : end + 1);
    return std::binary_search(marks.begin(), marks.end(), std::string_view(word));
}

}  // namespace acta::inline ACTA_ABI
