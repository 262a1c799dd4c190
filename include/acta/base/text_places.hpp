// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::base {

/// The places of texts in a list, for look-ups of many of them. The texts have to live as long as this does. They are
/// sorted, which no input can make quadratic, unlike hashing.
class TextPlaces {
public:
    /// No text is known.
    TextPlaces() = default;
    /// `text` returns the text of an element, or a `std::optional` for those that may have none.
    template <class List, class Text>
    TextPlaces(const List& list, Text text) {
        places_.reserve(list.size());
        std::size_t place = 0;
        for (const auto& element : list) {
            const std::optional<std::string_view> one = std::invoke(text, element);
            if (one) places_.emplace_back(*one, place);
            ++place;
        }
        std::sort(places_.begin(), places_.end());
    }

    /// Returns the place of the first element with this text; nothing if there is none. Logarithmic.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view text) const noexcept {
        const auto found = std::lower_bound(places_.begin(), places_.end(), std::pair(text, std::size_t{0}));
        if (found == places_.end() || found->first != text) return std::nullopt;
        return found->second;
    }

private:
    std::vector<std::pair<std::string_view, std::size_t>> places_{};
};

}  // namespace acta::inline ACTA_ABI::base
