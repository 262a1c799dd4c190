// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "acta/base/ascii.hpp"
#include "acta/observe/redactor.hpp"

namespace acta::inline ACTA_ABI {

namespace observe_detail {

/// Returns whether a key may have this character.
[[nodiscard]] ACTA_INLINE bool is_secret_letter(char c) noexcept {
    return ascii::is_alnum(c) || std::string_view("_-.+/~").find(c) != std::string_view::npos;
}

/// Returns whether a word looks like a key of a well-known service.
[[nodiscard]] ACTA_INLINE bool has_form_of_key(std::string_view word) noexcept {
    constexpr std::size_t shortest = 16;
    constexpr std::array<std::string_view, 13> beginnings = {
        "sk-", "pk-", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "hf_", "AKIA", "AIza", "eyJ"};
    if (word.size() < shortest || word.find_first_of("0123456789") == std::string_view::npos) return false;
    for (const std::string_view beginning : beginnings) {
        if (word.starts_with(beginning)) return true;
    }
    return false;
}

/// The same for a path, any part of which may be a key.
[[nodiscard]] ACTA_INLINE bool has_key_in_path(std::string_view word) noexcept {
    for (;;) {
        const std::size_t slash = word.find('/');
        if (has_form_of_key(word.substr(0, slash))) return true;
        if (slash == std::string_view::npos) return false;
        word.remove_prefix(slash + 1);
    }
}

/// Returns whether the text after the word `before` and the characters `between` is a secret, judging by that name.
[[nodiscard]] ACTA_INLINE bool announces_key(std::string_view before, std::string_view between) {
    constexpr std::array<std::string_view, 8> names = {"api_key",    "api-key", "apikey",   "access_token",
                                                       "auth_token", "secret",  "password", "authorization"};
    constexpr std::size_t longest_name = 64;
    if (before.size() > longest_name || between.size() > 8) return false;
    if (ascii::equals_ignoring_case(before, "bearer")) return between.find_first_not_of(' ') == std::string_view::npos;
    const bool assigned = between.find_first_of(":=") != std::string_view::npos &&
                          between.find_first_not_of(":= \"'\\") == std::string_view::npos;
    if (!assigned) return false;
    for (const std::string_view one : names) {
        if (before.size() >= one.size() &&
            ascii::equals_ignoring_case(before.substr(before.size() - one.size()), one)) {
            return true;
        }
    }
    return false;
}

}  // namespace observe_detail

ACTA_INLINE std::string mask_secrets(std::string_view text) {
    std::string out;
    std::string_view before;
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t gap = i;
        while (i < text.size() && !observe_detail::is_secret_letter(text[i])) ++i;
        const std::string_view between = text.substr(gap, i - gap);
        out += between;
        const std::size_t start = i;
        while (i < text.size() && observe_detail::is_secret_letter(text[i])) ++i;
        const std::string_view word = text.substr(start, i - start);
        if (word.empty()) break;
        const bool scheme = ascii::equals_ignoring_case(word, "bearer");
        const bool secret =
            observe_detail::has_key_in_path(word) || (!scheme && observe_detail::announces_key(before, between));
        out += secret ? std::string_view("[secret]") : word;
        before = word;
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI
