// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/json/issue.hpp"

namespace acta::inline ACTA_ABI {

/// The fate of a piece of a run that could not be read as it was.
enum class TrajectoryNoteKind {
    kept,     ///< Whole, but elsewhere: as text, as raw arguments, or as a run of a call (`sub_runs`).
    changed,  ///< Read as something else than was written.
    dropped   ///< Not in the result.
};

/// Returns `kept`, `changed` or `dropped`.
[[nodiscard]] constexpr std::string_view to_string(TrajectoryNoteKind kind) noexcept {
    constexpr std::string_view names[] = {"kept", "changed", "dropped"};
    return names[static_cast<std::size_t>(kind)];
}

/// One line of the report on a run that was read.
struct TrajectoryNote {
    TrajectoryNoteKind kind = TrajectoryNoteKind::kept;  ///< The fate of the piece.
    std::optional<std::size_t> step{};                   ///< Of the history, if the piece belongs to one.
    std::vector<LocElement> loc{};                       ///< Keys and indices from the root of the document.
    std::string message{};                               ///< The action taken and why, in English, for people.

    friend bool operator==(const TrajectoryNote&, const TrajectoryNote&) = default;
};

/// Everything that was kept, changed or dropped, in the order of the document. Steps without a note were read
/// unchanged. After `ParseOptions::max_issues` notes a last one, of no step, counts the others.
using TrajectoryReport = std::vector<TrajectoryNote>;

}  // namespace acta::inline ACTA_ABI
