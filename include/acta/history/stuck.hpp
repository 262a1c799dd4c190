// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/history/history_view.hpp"

// Recognises agents that go round in circles, without a model.
namespace acta::inline ACTA_ABI {

/// The ways of being stuck that `stuck` recognises: those of OpenHands' detector.
enum class StuckPattern {
    same_result,   ///< The same calls had the same result again and again.
    same_error,    ///< The same calls failed again and again, with whatever error.
    monologue,     ///< The agent said the same again and again, called nothing, and nobody answered. Of answers, which
                   ///< are not steps, `count` is 0.
    alternating,   ///< Two steps followed one another again and again, each with the same calls and result.
    condensation,  ///< The context was condensed again and again, and nothing else was done.
    refused        ///< Whatever the agent wanted to call was refused again and again.
};

/// Returns `same_result`, `same_error`, `monologue`, `alternating`, `condensation` or `refused`.
[[nodiscard]] std::string_view to_string(StuckPattern pattern) noexcept;

/// How many steps in a row make each pattern. The defaults are those of OpenHands, which does
/// not know `refused`; 0 switches a pattern off.
struct StuckOptions {
    std::size_t same_result = 4;    ///< At least 2.
    std::size_t same_error = 3;     ///< At least 2.
    std::size_t monologue = 3;      ///< At least 2.
    std::size_t alternating = 6;    ///< At least 3.
    std::size_t condensation = 10;  ///< At least 1.
    /// Steps whose calls were all interrupted by a human, with no message of the user in between. At least 1.
    std::size_t refused = 5;

    /// Whether only the steps after the newest one that a human interrupted count, and none while feedback waits.
    bool since_human = true;
    /// Tools whose calls are condensations of the context.
    std::vector<std::string> condensation_tools{"condensation", "condensation_request"};
};

/// How an agent is stuck, and since when.
struct Stuck {
    /// How the agent is stuck.
    StuckPattern pattern = StuckPattern::same_result;
    std::size_t first = 0;  ///< The index of the first step of the pattern.
    std::size_t count = 0;  ///< Its steps, all of them in a row: `history.episodes().subspan(first, count)`.

    friend bool operator==(const Stuck&, const Stuck&) = default;
    /// Prints `to_string`.
    friend std::ostream& operator<<(std::ostream& out, const Stuck& stuck);
};

/// Returns `steps 3 to 6: the same calls had the same result`. Steps count from 1, as in the texts of a history.
[[nodiscard]] std::string to_string(const Stuck& stuck);

/// Returns whether the newest steps show that the agent is stuck, and how; nothing if they do not. Call it after each
/// step. A step that is still open counts for monologues only. If several patterns fit, the first of `monologue`,
/// `same_error`, `same_result`, `alternating` is returned. Linear in the steps of the pattern and the size of their
/// results. Of some steps alone: `stuck(history.episodes().first(10))`.
///
/// @code{.cpp}
/// acta::EpisodicActionHistory<> history;
/// for (int i = 0; i < 4; ++i) {
///     history.register_action({.thoughts = "Is it there?", .use_tool = {"list_folder", {}}});
///     history.register_result(acta::ActionSuccessResult{.outputs = acta::JsonArray()});
/// }
/// if (const std::optional<acta::Stuck> found = acta::stuck(history)) {
///     std::string text = to_string(*found);   // steps 1 to 4: the same calls had the same result
///     history.append_user_feedback("You repeat yourself. Try something else.");
/// }
/// @endcode
[[nodiscard]] std::optional<Stuck> stuck(const HistoryView& history, const StuckOptions& options = {});

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/history/detail/stuck.inl.hpp"
#endif
