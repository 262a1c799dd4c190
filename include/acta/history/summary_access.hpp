// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "acta/history/detail/step_state.hpp"
#include "acta/history/history.hpp"

// The parts of a history that a compression needs beyond its public API.
namespace acta::inline ACTA_ABI::history_extension {

/// The state of the steps of a history. Use it under the lock that protects the history.
struct SummaryAccess {
    /// Returns the states of all steps, by ascending identity. Only the members that belong to compressions may change.
    template <class P>
    [[nodiscard]] static std::vector<history_detail::StepState>& steps(EpisodicActionHistory<P>& history) noexcept {
        return history.steps_;
    }
    /// Returns the mark before which no step waits for a summary. A step that is finished later moves it back.
    template <class P>
    [[nodiscard]] static std::size_t& first_waiting(EpisodicActionHistory<P>& history) noexcept {
        return history.first_waiting_;
    }
    /// Returns the number of finished steps without a summary.
    template <class P>
    [[nodiscard]] static std::size_t unsummarised(const EpisodicActionHistory<P>& history) noexcept {
        return history.unsummarised_;
    }
    /// Returns whether the step at `i` is finished and has no summary.
    template <class P>
    [[nodiscard]] static bool waits(const EpisodicActionHistory<P>& history, std::size_t i) noexcept {
        return history.waits(i);
    }
};

}  // namespace acta::inline ACTA_ABI::history_extension
