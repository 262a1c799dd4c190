// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "acta/describe/describe.hpp"

namespace acta::inline ACTA_ABI {

namespace autogpt {

/// The thoughts of AutoGPT's one-shot agents, all versions together: the first ones have no `observations`, the newest
/// no `text` and `speak`.
///
/// @code{.cpp}
/// acta::autogpt::AssistantThoughts thoughts;
/// assert(thoughts.summary().empty());
/// thoughts.reasoning = "The tide table is in docs.";
/// assert(thoughts.summary() == "The tide table is in docs.");
/// @endcode
struct AssistantThoughts {
    std::string observations{};       ///< The findings of the last action.
    std::string text{};               ///< The thoughts themselves.
    std::string reasoning{};          ///< Why the chosen action is the right one.
    std::string self_criticism{};     ///< Doubts about it; `criticism` in older versions.
    std::vector<std::string> plan{};  ///< The next steps, each in a few words.
    std::string speak{};              ///< A summary to be said to the user.

    /// Returns the text, as in AutoGPT; in versions without one the reasoning, else the observations.
    [[nodiscard]] std::string summary() const {
        if (!text.empty()) return text;
        return reasoning.empty() ? observations : reasoning;
    }

    friend bool operator==(const AssistantThoughts&, const AssistantThoughts&) = default;
};

}  // namespace autogpt

template <>
struct Describe<autogpt::AssistantThoughts> {
    using Self = autogpt::AssistantThoughts;
    static constexpr auto fields =
        acta::fields(defaulted("observations", &Self::observations, "What the last action showed, if there was one"),
                     defaulted("text", &Self::text, "The thoughts"),
                     defaulted("reasoning", &Self::reasoning, "Why this action is the right one"),
                     defaulted("self_criticism", &Self::self_criticism, "What could be wrong with this"),
                     defaulted("plan", &Self::plan, "The next steps in a few words each"),
                     defaulted("speak", &Self::speak, "A summary to say to the user"));
};

}  // namespace acta::inline ACTA_ABI
