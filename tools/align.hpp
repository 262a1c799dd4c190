// SPDX-License-Identifier: MIT
#pragma once

// What the steps of two runs have to do with one another.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "source.hpp"

namespace tools {

/// A step of both runs, or of one of them.
struct StepPair {
    std::optional<std::size_t> a{};      ///< The index in the first run; empty for a step that was added.
    std::optional<std::size_t> b{};      ///< The index in the second run; empty for one that was dropped.
    std::vector<std::string> changes{};  ///< What differs: `thoughts`, `calls`, `result`, `subagents`.
    /// The first difference between the runs of their subagents, as it is in each of the two runs.
    std::pair<std::string, std::string> of_subagents{};
};

/// Returns the steps of two runs in order. Steps with the same calls belong together, as many as possible; between them
/// those that call the same tools. Times, tokens, cost, summaries and ids are not compared, and neither are they in the
/// runs of subagents, which are compared in the same way.
[[nodiscard]] std::vector<StepPair> align(const History& a, const History& b);

/// Returns the index of the first message that differs, in what was said, by whom, or between which of the steps that
/// belong together; nothing if all are the same.
[[nodiscard]] std::optional<std::size_t> first_different_message(const History& a, const History& b,
                                                                 const std::vector<StepPair>& pairs);

}  // namespace tools
