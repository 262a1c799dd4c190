// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::base {

/// Returns the entries of an ordered map by index; the map itself looks keys up one by one.
template <class Map>
auto& entries(Map& map) {
    if constexpr (std::is_const_v<Map>)
        return static_cast<const typename Map::Container&>(map);
    else
        return static_cast<typename Map::Container&>(map);
}

/// Sorts the indices from 0 on by `less`. Not a template, since `std::sort` takes long to compile.
inline void sort_indices(std::vector<std::size_t>& order, const void* context,
                         bool (*less)(const void* context, std::size_t a, std::size_t b)) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [=](std::size_t a, std::size_t b) { return less(context, a, b); });
}

/// Keeps the first place and the last value of each repeated key, as Python does. `last[i]` is the entry whose value
/// entry i takes, or the number of entries if i is dropped.
template <class Map>
[[gnu::cold]] void keep_last_values(Map& map, const std::vector<std::size_t>& last) {
    auto& all = entries(map);
    Map kept;
    kept.reserve(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (last[i] != all.size()) entries(kept).emplace_back(all[i].first, std::move(all[last[i]].second));
    }
    map = std::move(kept);
}

/// Removes repeated keys from a map that was filled by appending. A few keys are compared with one another; more are
/// sorted, which no input can make quadratic, unlike hashing.
template <class Map>
void drop_repeated_keys(Map& map) {
    const auto& all = entries(map);
    const std::size_t n = all.size();
    constexpr std::size_t few = 12;
    const auto same = [&all](std::size_t a, std::size_t b) {
        return all[a].first.size() == all[b].first.size() && all[a].first == all[b].first;
    };
    if (n <= few) {
        bool repeated = false;
        for (std::size_t i = 1; i < n && !repeated; ++i) {
            for (std::size_t j = 0; j < i && !repeated; ++j) repeated = same(i, j);
        }
        if (!repeated) return;
    }
    std::vector<std::size_t> order(n);
    sort_indices(order, &all, [](const void* context, std::size_t a, std::size_t b) {
        const auto& of = *static_cast<decltype(&all)>(context);
        const int c = of[a].first.compare(of[b].first);
        return c != 0 ? c < 0 : a < b;
    });
    bool repeated = false;
    for (std::size_t i = 1; i < n && !repeated; ++i) repeated = same(order[i - 1], order[i]);
    if (!repeated) return;
    std::vector<std::size_t> last(n, n);
    for (std::size_t i = 0; i < n;) {
        const std::size_t first = i;
        while (++i < n && same(order[first], order[i])) continue;
        last[order[first]] = order[i - 1];
    }
    keep_last_values(map, last);
}

}  // namespace acta::inline ACTA_ABI::base
