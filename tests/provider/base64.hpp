// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Returns a text in base64 without padding; `last` has the two digits after the letters and numbers (RFC 4648).
inline std::string in_base64(std::string_view text, std::string_view last = "+/") {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + std::string(last);
    std::string out;
    for (std::size_t bit = 0; bit < text.size() * 8; bit += 6) {
        unsigned value = 0;
        for (std::size_t i = bit; i < bit + 6; ++i) {
            const auto byte = i / 8 < text.size() ? static_cast<unsigned char>(text[i / 8]) : 0U;
            value = value * 2 + (byte >> (7 - i % 8) & 1U);
        }
        out += digits[value];
    }
    return out;
}
