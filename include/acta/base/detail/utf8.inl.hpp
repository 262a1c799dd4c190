// SPDX-License-Identifier: MIT
#pragma once

#include "acta/base/utf8.hpp"

namespace acta::inline ACTA_ABI::utf8 {

ACTA_INLINE void append(std::string& out, char32_t c) {
    char bytes[4];
    out.append(bytes, encode(c, bytes));
}

[[gnu::cold]] ACTA_INLINE std::string replace_invalid(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    const char* const end = text.data() + text.size();
    for (const char* p = text.data(); p != end;) {
        const std::size_t length = sequence_length(p, end);
        if (length == 0) {
            out += replacement;
            ++p;
        } else {
            out.append(p, length);
            p += length;
        }
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI::utf8
