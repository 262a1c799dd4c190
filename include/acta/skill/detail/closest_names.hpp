// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/ascii.hpp"

namespace acta::inline ACTA_ABI::skill_detail {

/// Only the first bytes of longer names are compared, so that a hostile name costs no more than a long one.
inline constexpr std::size_t max_compared_bytes = 64;

/// Returns a name without the differences that are most often mistakes: case, and the marks between words.
[[nodiscard]] inline std::string plain_name(std::string_view name) {
    std::string out;
    for (const char c : name.substr(0, max_compared_bytes)) {
        if (c == '_' || c == '-' || c == '.' || c == ' ' || c == '/' || c == ':') continue;
        out += ascii::to_lower(c);
    }
    return out;
}

/// Returns the Damerau-Levenshtein distance (optimal string alignment) of two names.
[[nodiscard]] inline std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before_last, last);
        std::swap(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row[b.size()];
}

/// Returns the distance of a name from one that may have been meant: 0 for the same word, the largest number for an
/// unrelated one.
[[nodiscard]] inline std::size_t name_distance(std::string_view wanted, std::string_view known) {
    constexpr std::size_t far = std::numeric_limits<std::size_t>::max();
    const std::size_t length = std::max(wanted.size(), known.size());
    const std::size_t difference = length - std::min(wanted.size(), known.size());
    const std::size_t allowed = std::max<std::size_t>(1, length / 3);
    if (difference <= allowed) {
        const std::size_t distance = edit_distance(wanted, known);
        if (distance <= allowed && distance < length) return distance;
    }
    // `functions.search` or `search_web` for `search`: one begins or ends with the other.
    const std::string_view shorter = wanted.size() < known.size() ? wanted : known;
    const std::string_view longer = wanted.size() < known.size() ? known : wanted;
    constexpr std::size_t shortest_part = 3;
    const bool part = shorter.size() >= shortest_part && (longer.starts_with(shorter) || longer.ends_with(shorter));
    return part ? length : far;
}

/// Returns the names that may be meant by `wanted`, closest first, at most `limit`. Linear in the number of names.
template <class Names>
[[nodiscard]] std::vector<std::string> closest_names(std::string_view wanted, const Names& names,
                                                     std::size_t limit = 3) {
    const std::string plain = plain_name(wanted);
    std::vector<std::pair<std::size_t, std::string>> found;
    for (const std::string& name : names) {
        const std::size_t distance = name_distance(plain, plain_name(name));
        if (distance != std::numeric_limits<std::size_t>::max()) found.emplace_back(distance, name);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> out;
    for (std::size_t i = 0; i < found.size() && i < limit; ++i) out.push_back(std::move(found[i].second));
    return out;
}

/// Returns `; did you mean 'a' or 'b'?`, or an empty text if there are no names.
[[nodiscard]] inline std::string did_you_mean(const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        out += i == 0 ? "; did you mean " : i + 1 == names.size() ? " or " : ", ";
        out.append("'").append(names[i]).append("'");
    }
    return out.empty() ? out : out + "?";
}

}  // namespace acta::inline ACTA_ABI::skill_detail
