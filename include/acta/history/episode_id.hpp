// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// Identifies the current state of a step of a history: the step, and the attempt at it.
///
/// Identities are unique in a process and belong to it: they are neither written nor compared with a history. A copy of
/// a history has the same ones. A result for one identity, such as a summary, never reaches another step, nor the same
/// step after it received another result in a history that was restored from a copy.
struct EpisodeId {
    std::uint64_t step = 0;      ///< The step: greater than those of all steps that were registered before.
    std::uint64_t revision = 0;  ///< A new one with each result of the step; 0 before the first.

    friend auto operator<=>(const EpisodeId&, const EpisodeId&) = default;
};

}  // namespace acta::inline ACTA_ABI
