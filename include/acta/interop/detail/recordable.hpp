// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/base/json_value.hpp"
#include "acta/chat/message.hpp"
#include "acta/history/history.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/json/json.hpp"

// Histories that were read from files of other programs, within the limits of a record. Every reader ends with this.
namespace acta::inline ACTA_ABI::interop_detail {

/// The levels of a run that is part of another one. Content that a record can have (`max_content_depth`) fits, a few
/// runs deep, and the JSON of the whole can be read again (`ParseOptions::max_depth`).
inline constexpr std::size_t max_run_depth = 116;

/// Omits from a record what no record can have, and takes notes.
template <class P>
class RecordableReading {
public:
    RecordableReading(HistoryRecord<P>& record, TrajectoryReport& notes) : record_(record), notes_(notes) {}

    void make() {
        for (std::size_t i = 0; i < record_.episodes.size(); ++i) {
            step_ = i;
            Episode<P>& episode = record_.episodes[i];
            make(episode.action);
            if (episode.result) make(*episode.result);
            for (ToolResult& one : episode.tool_results) make(one.result);
        }
        step_.reset();
        for (ConversationMessage& said : record_.conversation) make_message(said.message);
        std::erase_if(record_.sub_runs, [this](const SubRun& run) {
            if (!base::is_deeper(run.history, max_run_depth)) return false;
            step_ = run.step;
            note("The run of the call '" + run.tool_call_id + "' is nested too deeply");
            return true;
        });
    }

    /// Returns whether there is nothing to omit and nothing to note. Linear.
    [[nodiscard]] static bool is_recordable(const HistoryRecord<P>& record) {
        const auto is_good = [](const Episode<P>& episode) {
            const AssistantChatMessage* const raw = find_raw_message(episode.action);
            return (raw == nullptr || is_good_message(*raw)) &&
                   std::ranges::all_of(get_tools(episode.action), is_good_call) &&
                   (!episode.result || is_good_result(*episode.result)) &&
                   std::ranges::all_of(episode.tool_results,
                                       [](const ToolResult& one) { return is_good_result(one.result); });
        };
        return std::ranges::all_of(record.episodes, is_good) &&
               std::ranges::all_of(record.conversation,
                                   [](const auto& said) { return is_good_message(said.message); }) &&
               std::ranges::none_of(record.sub_runs,
                                    [](const SubRun& run) { return base::is_deeper(run.history, max_run_depth); });
    }

private:
    template <class Message>
    [[nodiscard]] static bool is_good_message(const Message& message) {
        return chat_extension::is_recordable(message) && chat_extension::not_recorded(message.extra).empty();
    }
    [[nodiscard]] static bool is_good_call(const AssistantFunctionCall& call) {
        return std::ranges::none_of(call.arguments, [](const auto& argument) {
            return base::is_deeper(argument.second, max_content_depth - 1) || content_fault(argument.second);
        });
    }
    [[nodiscard]] static bool is_good_result(const ActionResult& result) {
        const auto is_bad = [](const Json& value) { return content_fault(value).has_value(); };
        if (const auto* const success = std::get_if<ActionSuccessResult>(&result)) return !is_bad(success->outputs);
        const auto* const error = std::get_if<ActionErrorResult>(&result);
        return error == nullptr || !error->error || std::ranges::none_of(error->error->args, is_bad);
    }

    void note(std::string what) { notes_.push_back({TrajectoryNoteKind::dropped, step_, {}, std::move(what)}); }

    template <class Message>
    void make_message(Message& message) {
        if (!chat_extension::is_recordable(message)) chat_extension::make_recordable(message);
        for (const std::string& one : chat_extension::not_recorded(message.extra))
            note("A member that no record can have: " + one);
    }
    void make(AssistantFunctionCall& call) {
        if (is_good_call(call)) return;
        chat_extension::make_recordable(call);
        note("The arguments of '" + call.name + "' cannot be recorded: their beginning is kept as text");
    }
    void make(P& action) {
        if constexpr (ProposalWithRawMessage<P>) {
            if (action.raw_message) make_message(*action.raw_message);
        }
        make(action.use_tool);
        if constexpr (ProposalWithParallelCalls<P>) {
            for (AssistantFunctionCall& call : action.use_tools) make(call);
        }
    }
    void make(ActionResult& result) {
        const auto replace = [this](Json& value) {
            const std::optional<Issue> fault = content_fault(value);
            if (!fault) return;
            value = "not recorded: " + fault->message;
            note("An output that no record can have: " + fault->message);
        };
        if (auto* const success = std::get_if<ActionSuccessResult>(&result)) replace(success->outputs);
        if (auto* const error = std::get_if<ActionErrorResult>(&result); error != nullptr && error->error)
            std::ranges::for_each(error->error->args, replace);
    }

    HistoryRecord<P>& record_;
    TrajectoryReport& notes_;
    std::optional<std::size_t> step_{};
};

/// Omits from a record what no record can have, and adds notes on that.
template <class P>
void make_recordable(HistoryRecord<P>& record, TrajectoryReport& notes) {
    if (!RecordableReading<P>::is_recordable(record)) RecordableReading<P>(record, notes).make();
}

/// Returns the history without what no record can have, and adds notes on that.
template <class P>
[[nodiscard]] EpisodicActionHistory<P> recordable(EpisodicActionHistory<P> history, TrajectoryReport& notes) {
    if (RecordableReading<P>::is_recordable(history.record())) return history;
    HistoryRecord<P> record = history.record();
    RecordableReading<P>(record, notes).make();
    return EpisodicActionHistory<P>(std::move(record));
}

}  // namespace acta::inline ACTA_ABI::interop_detail
