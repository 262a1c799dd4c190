// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "acta/history/episode_id.hpp"

namespace acta::inline ACTA_ABI::history_detail {

/// Returns the first of `count` new numbers in a row, each greater than all before: of steps and of revisions.
[[nodiscard]] inline std::uint64_t new_episode_ids(std::uint64_t count) noexcept {
    static std::atomic<std::uint64_t> next{1};
    return next.fetch_add(count, std::memory_order_relaxed);
}

/// Set while a compression makes the summary of a step. Not copied, because the compression works on the original.
struct Taken {
    Taken() = default;
    Taken(const Taken& /*other*/) noexcept {}
    Taken(Taken&&) noexcept = default;
    Taken& operator=(const Taken& /*other*/) noexcept {
        value = false;
        return *this;
    }
    Taken& operator=(Taken&&) noexcept = default;
    ~Taken() = default;

    bool value = false;
};

/// What a history knows of a step besides its record. Neither written nor compared.
struct StepState {
    EpisodeId id{};
    std::optional<std::size_t> tokens{};  ///< Of its text, once a compression has counted them.
    std::uint32_t failures = 0;           ///< Of its summary.
    Taken taken{};
};

}  // namespace acta::inline ACTA_ABI::history_detail
