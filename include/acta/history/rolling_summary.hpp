// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "acta/describe/describe.hpp"

namespace acta::inline ACTA_ABI {

/// Something that a rolling summary keeps word for word: a sentence that was marked, or a path, number or name that
/// came up in several steps.
struct RememberedFact {
    std::string text{};      ///< Word for word.
    std::int64_t steps = 1;  ///< The number of steps in which it was found.
    bool marked = false;     ///< Kept for its content (`IMPORTANT: ...`), however rare it is.

    friend bool operator==(const RememberedFact&, const RememberedFact&) = default;
};

/// What a history remembers of the steps that left its prompts: one text, which is updated as more of them leave
/// (`update_rolling_summary`), and the facts that are kept beside it. The steps themselves stay in the history.
struct RollingSummary {
    std::string text{};                   ///< The condensed steps.
    std::int64_t first = 0;               ///< Index of the first step that it stands for, from 0.
    std::int64_t last = 0;                ///< Index of the last one.
    std::vector<RememberedFact> facts{};  ///< Shown after the text.
    /// Not shown: facts that came up once so far, in case they come up again.
    std::vector<RememberedFact> candidates{};

    friend bool operator==(const RollingSummary&, const RollingSummary&) = default;
};

/// Returns the text, and the facts after it: `text (kept: first fact; second fact)`.
[[nodiscard]] inline std::string to_string(const RollingSummary& summary) {
    std::string out = summary.text;
    const char* separator = out.empty() ? "(kept: " : " (kept: ";
    for (const RememberedFact& fact : summary.facts) {
        out.append(separator).append(fact.text);
        separator = "; ";
    }
    if (!summary.facts.empty()) out += ')';
    return out;
}

template <>
struct Describe<RememberedFact> {
    static constexpr auto fields =
        acta::fields(required("text", &RememberedFact::text), defaulted("steps", &RememberedFact::steps),
                     defaulted("marked", &RememberedFact::marked));
};

template <>
struct Describe<RollingSummary> {
    static constexpr auto fields =
        acta::fields(required("text", &RollingSummary::text), required("first", &RollingSummary::first),
                     required("last", &RollingSummary::last), omit_if_empty("facts", &RollingSummary::facts),
                     omit_if_empty("candidates", &RollingSummary::candidates));
};

}  // namespace acta::inline ACTA_ABI
