// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>

#include "acta/chat/message.hpp"
#include "acta/history/history_view.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/testing/trajectory_match.hpp"

namespace acta::inline ACTA_ABI::testing_detail {

/// Returns whether the environment has a value of `CI` other than `false`, as at most services that test changes.
[[nodiscard]] bool is_ci();

}  // namespace acta::inline ACTA_ABI::testing_detail

namespace acta::inline ACTA_ABI::testing {

/// Compares a run with the one in a file of JSON, a list of messages as OpenAI has them, which is kept with the tests.
/// The result is that of `trajectory_match`; if the run does not fit, the message also says how to update the file.
///
/// With `ACTA_UPDATE_GOLDEN=1` in the environment the file is written instead, unless it has the calls of the run
/// already, and the result matches. If the environment also has a value of `CI` other than `false`, as at most services
/// that test changes, nothing is written and the result does not match. Without a file it does not match either.
///
/// Throws `ValidationError` if the file is not a list of messages, and `FileError` if it cannot be read or written.
///
/// @code{.cpp}
/// acta::EpisodicActionHistory<> history;
/// history.register_action({.thoughts = "Look.", .use_tool = {"search", {{"query", "tides"}}}});
/// const acta::testing::TrajectoryMatch match = acta::testing::golden_run(history, "no_such_run.json");
/// assert(!match);   // no_such_run.json does not exist: ACTA_UPDATE_GOLDEN=1 writes it
/// @endcode
[[nodiscard]] TrajectoryMatch golden_run(std::span<const ChatMessage> run, const std::filesystem::path& file,
                                         const TrajectoryMatchOptions& options = {});
/// The same for a history of any type, whose messages are those of `to_messages`.
[[nodiscard]] inline TrajectoryMatch golden_run(const HistoryView& run, const std::filesystem::path& file,
                                                const TrajectoryMatchOptions& options = {}) {
    return golden_run(to_messages(run), file, options);
}

}  // namespace acta::inline ACTA_ABI::testing

#ifndef ACTA_COMPILED
#include "acta/testing/detail/golden_run.inl.hpp"
#endif
