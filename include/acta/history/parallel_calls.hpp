// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/history/episode.hpp"
#include "acta/history/history_error.hpp"
#include "acta/history/summary_queue.hpp"

// The ids and results of a step's parallel calls (SPEC section 3).
namespace acta::inline v0 {

namespace detail {

/// Ids of a message are of use only where there is one for each call, each another one.
inline std::vector<std::string> call_ids(std::size_t step, std::size_t calls, const AssistantChatMessage* message) {
    std::vector<std::string> ids;
    if (message != nullptr && message->tool_calls && message->tool_calls->size() == calls) {
        for (const AssistantToolCall& call : *message->tool_calls) ids.push_back(call.id);
        std::vector<std::string_view> sorted(ids.begin(), ids.end());
        std::sort(sorted.begin(), sorted.end());
        if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return ids;
        ids.clear();
    }
    for (std::size_t i = 0; i < calls; ++i) ids.push_back("call_" + std::to_string(step) + "_" + std::to_string(i));
    return ids;
}

/// The ids of one step's calls, sorted once, so that the results of very many calls cost no more each.
class OpenCalls {
public:
    OpenCalls(EpisodeId step, std::vector<std::string> ids) : step_(step), ids_(std::move(ids)) {
        for (std::size_t i = 0; i < ids_.size(); ++i) sorted_.emplace_back(ids_[i], i);
        std::sort(sorted_.begin(), sorted_.end());
    }
    OpenCalls(const OpenCalls&) = delete;
    OpenCalls& operator=(const OpenCalls&) = delete;
    ~OpenCalls() = default;

    [[nodiscard]] EpisodeId step() const noexcept { return step_; }
    [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
    /// Which call has this id, the first of several; `size()` where none has it.
    [[nodiscard]] std::size_t find(std::string_view id) const noexcept {
        const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(id, std::size_t{0}));
        return found == sorted_.end() || found->first != id ? ids_.size() : found->second;
    }

private:
    EpisodeId step_;
    std::vector<std::string> ids_;
    std::vector<std::pair<std::string_view, std::size_t>> sorted_{};
};

/// Where in `results` the one of this call belongs, in the order of the calls. Throws where the step has no such call,
/// or its result is there.
inline std::ptrdiff_t place_of_result(const std::vector<ToolResult>& results, const OpenCalls& calls,
                                      std::string_view id) {
    const std::size_t call = calls.find(id);
    if (call == calls.size()) {
        throw HistoryError(HistoryErrorCode::unknown_tool_call,
                           "The open step has no call with id '" + std::string(id) + "'");
    }
    const auto place = std::partition_point(results.begin(), results.end(),
                                            [&](const ToolResult& one) { return calls.find(one.tool_call_id) < call; });
    if (place != results.end() && place->tool_call_id == id) {
        throw HistoryError(HistoryErrorCode::result_already_set,
                           "Result for call '" + std::string(id) + "' already set");
    }
    return place - results.begin();
}

/// The first that is no success, else a success with all outputs in order.
inline ActionResult joined_result(const std::vector<ToolResult>& results) {
    JsonArray outputs;
    for (const ToolResult& one : results) {
        const auto* const success = std::get_if<ActionSuccessResult>(&one.result);
        if (success == nullptr) return one.result;
        outputs.push_back(success->outputs);
    }
    ActionSuccessResult all;
    all.outputs = std::move(outputs);
    return all;
}

}  // namespace detail

}  // namespace acta::inline v0
