// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "acta/version.hpp"

// Assigns the messages of a SWE-agent run to its steps. Both lists are in order, and either may have entries that the
// other does not have, so this is the heaviest common subsequence.
namespace acta::inline ACTA_ABI::interop_detail {

/// The key by which a message and a step are compared; views into the document.
struct SweAgentKey {
    std::string_view action{};
    std::optional<std::string_view> thought{};

    friend bool operator==(const SweAgentKey&, const SweAgentKey&) = default;
};

/// Returns how well two entries fit: 0 if they are different actions, more if the thoughts also agree.
ACTA_INLINE std::uint32_t swe_agent_fit(const SweAgentKey& message, const SweAgentKey& step) {
    if (message.action != step.action) return 0;
    return message.thought == step.thought ? 3 : 2;
}

/// The product of lengths from which an alignment takes the first fitting step instead of the best one.
inline constexpr std::size_t longest_swe_agent_table = std::size_t{1} << 22U;

/// For each message its step, in strictly increasing order.
using SweAgentPlaces = std::vector<std::optional<std::size_t>>;

/// The same, with the first step that fits, in linear time.
ACTA_INLINE void align_swe_agent_by_first(std::span<const SweAgentKey> messages, std::span<const SweAgentKey> steps,
                                          std::size_t first, SweAgentPlaces& places) {
    std::size_t next = 0;
    for (std::size_t m = 0; m < messages.size() && next < steps.size(); ++m) {
        std::size_t s = next;
        while (s < steps.size() && swe_agent_fit(messages[m], steps[s]) == 0) ++s;
        if (s == steps.size()) continue;
        places[first + m] = first + s;
        next = s + 1;
    }
}

ACTA_INLINE void align_swe_agent_by_table(std::span<const SweAgentKey> messages, std::span<const SweAgentKey> steps,
                                          std::size_t first, SweAgentPlaces& places) {
    const std::size_t width = steps.size() + 1;
    std::vector<std::uint32_t> best((messages.size() + 1) * width, 0);  // of the rest from (message, step) on
    for (std::size_t m = messages.size(); m-- > 0;) {
        for (std::size_t s = steps.size(); s-- > 0;) {
            const std::uint32_t fit = swe_agent_fit(messages[m], steps[s]);
            const std::uint32_t both = fit == 0 ? 0 : fit + best[(m + 1) * width + s + 1];
            best[m * width + s] = std::max({both, best[(m + 1) * width + s], best[m * width + s + 1]});
        }
    }
    std::size_t s = 0;
    for (std::size_t m = 0; m < messages.size() && s < steps.size();) {
        const std::uint32_t here = best[m * width + s];
        if (here == best[(m + 1) * width + s]) {
            ++m;
        } else if (here == best[m * width + s + 1]) {
            ++s;
        } else {
            places[first + m++] = first + s++;
        }
    }
}

/// Aligns messages with steps. Equal beginnings and ends are matched at once, so the usual file is read in linear time.
ACTA_INLINE SweAgentPlaces align_swe_agent(std::span<const SweAgentKey> messages, std::span<const SweAgentKey> steps) {
    SweAgentPlaces places(messages.size());
    std::size_t first = 0;
    while (first < messages.size() && first < steps.size() && messages[first] == steps[first]) {
        places[first] = first;
        ++first;
    }
    std::size_t m = messages.size();
    std::size_t s = steps.size();
    while (m > first && s > first && messages[m - 1] == steps[s - 1]) places[--m] = --s;
    messages = messages.subspan(first, m - first);
    steps = steps.subspan(first, s - first);
    if (messages.size() * steps.size() > longest_swe_agent_table)
        align_swe_agent_by_first(messages, steps, first, places);
    else
        align_swe_agent_by_table(messages, steps, first, places);
    return places;
}

}  // namespace acta::inline ACTA_ABI::interop_detail
