// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// A part of a text, and its summary.
struct PartialSummary {
    std::string summary{};  ///< The summary of the part.
    std::string text{};     ///< The part itself.

    friend bool operator==(const PartialSummary&, const PartialSummary&) = default;
};

/// The summary of a text, and the summaries of the parts from which it was made. A text that is summarised at once is
/// its own only part.
struct TextSummary {
    std::string summary{};                ///< The summary of the whole text.
    std::vector<PartialSummary> parts{};  ///< In the order of the text.

    friend bool operator==(const TextSummary&, const TextSummary&) = default;
};

}  // namespace acta::inline ACTA_ABI
