// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>

#include "acta/base/json_value.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/history/history.hpp"
#include "acta/history/history_view.hpp"
#include "acta/skill/registry.hpp"
#include "acta/testing/recorded_model.hpp"

namespace acta::inline ACTA_ABI::recording_detail {
class RunState;
}

namespace acta::inline ACTA_ABI::testing {

/// The first place in which a run differs from another one.
struct RunDivergence {
    std::size_t step = 0;  ///< The index of the step; the number of steps of the expected run for what follows them.
    /// The place in the step as a JSON pointer: `/calls/0/arguments/port`, `/results/1/outputs`, `/thoughts`, or
    /// `/messages/0/content` of a message before the step. Empty if one of the runs has no such step.
    std::string path{};
    std::optional<Json> expected{};  ///< What the expected run has there, if anything.
    std::optional<Json> found{};     ///< What the other one has, if anything.

    friend bool operator==(const RunDivergence&, const RunDivergence&) = default;
};

/// Returns `step 3: /calls/0/arguments/port: expected "Brest", found "Oslo"`, the step counted from 1, and values cut
/// at 100 bytes.
[[nodiscard]] std::string to_string(const RunDivergence& divergence);
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const RunDivergence& divergence) {
    return out << to_string(divergence);
}

/// Compares two runs: the messages before each step and after the last one, and what each step was thought, called and
/// returned. Returns the first difference; nothing if there is none. Ids of calls, times, tokens, summaries, data of
/// providers and the order of keys do not count. Linear.
[[nodiscard]] std::optional<RunDivergence> first_divergence(const HistoryView& expected, const HistoryView& run);

/// The answers that a record has of a model: a model that gives them again, in their order, whatever it is asked.
/// Copies share the place in the record. Made by `recording_of`.
class RunRecording {
public:
    /// Returns the next answer, with its tokens. Throws `NotRecorded` if there are no more, or if a call of
    /// `RecordedSkills` was not in the record.
    ChatCompletion operator()(std::span<const ChatMessage> messages, const ChatOptions& options) const;

    /// Returns the number of answers.
    [[nodiscard]] std::size_t size() const noexcept;
    /// Returns the number of answers that were not asked for.
    [[nodiscard]] std::size_t unused() const;

private:
    friend RunRecording recording_of(const HistoryView& history);
    friend class RecordedSkills;
    explicit RunRecording(std::shared_ptr<recording_detail::RunState> state) noexcept;

    std::shared_ptr<recording_detail::RunState> state_;
};

/// Returns the answers and results that a history of any agent has: of acta, or one that `parse_trajectory` has read.
/// Throws `RecordingError` if it has no answer.
///
/// @code{.cpp}
/// #include <acta/agent/run.hpp>
/// acta::EpisodicActionHistory<> record;   // or acta::load, acta::load_trajectory
/// record.register_message(acta::ChatMessage::user("When is high water in Brest?"));
/// record.register_action({.use_tool = {"high_water", {{"port", "Brest"}}}});
/// record.register_result(acta::ActionSuccessResult{.outputs = "12:15"});
/// record.register_answer("At 12:15.");
///
/// const acta::testing::RunRecording model = acta::testing::recording_of(record);
/// acta::EpisodicActionHistory<> again;
/// again.register_message(acta::ChatMessage::user("When is high water in Brest?"));
/// assert(acta::run_agent(model, acta::testing::RecordedSkills(model), again).answer == "At 12:15.");
/// assert(!acta::testing::first_divergence(record, again));
/// @endcode
[[nodiscard]] RunRecording recording_of(const HistoryView& history);

/// The tools that a record has calls of, without descriptions and with any arguments. Each returns what the record has
/// for the same call in the step that `RunRecording` answered with last. A call that is not there fails, and the model
/// then throws `NotRecorded`, which names it.
class RecordedSkills : public SkillRegistry {
public:
    /// The tools of a record.
    explicit RecordedSkills(const RunRecording& recording);
};

/// A run that was made again.
struct ReplayedRun {
    EpisodicActionHistory<> history{};          ///< The new run, up to where it departs from the record.
    std::optional<RunDivergence> divergence{};  ///< Where that is; nothing if it does not.
};

/// Makes a run again, without its model: what people said is said again, the answers and the results are those of the
/// record. A call that has no result there is left open. Throws `RecordingError` if the record has no answer.
[[nodiscard]] ReplayedRun replay(const HistoryView& record);
/// The same with tools that are called, one at a time; it ends after the first step that differs. The functions of
/// `agent_tool` ask their own models.
[[nodiscard]] ReplayedRun replay(const HistoryView& record, const SkillRegistry& skills);

}  // namespace acta::inline ACTA_ABI::testing

#ifndef ACTA_COMPILED
#include "acta/testing/detail/recorded_run.inl.hpp"
#endif
