// SPDX-License-Identifier: MIT
#pragma once

#include "acta/history/detail/call_order.hpp"
#include "acta/history/history_error.hpp"

namespace acta::inline ACTA_ABI::history_detail {

ACTA_INLINE void CallOrder::set(EpisodeId id, std::vector<std::string> ids) {
    std::vector<std::pair<std::string, std::size_t>> order;
    order.reserve(ids.size());
    for (std::string& one : ids) order.emplace_back(std::move(one), order.size());
    std::sort(order.begin(), order.end());
    order_ = std::move(order);
    step_ = id.step;
}

ACTA_INLINE std::size_t CallOrder::find(std::string_view id) const noexcept {
    const auto found = std::lower_bound(order_.begin(), order_.end(), id,
                                        [](const auto& one, std::string_view wanted) { return one.first < wanted; });
    return found != order_.end() && found->first == id ? found->second : size();
}

ACTA_INLINE std::vector<ToolResult>::iterator place_of_result(std::vector<ToolResult>& results, const CallOrder& order,
                                                              std::string_view id) {
    const std::size_t at = order.find(id);
    if (at == order.size()) {
        throw HistoryError(HistoryErrorCode::unknown_tool_call,
                           "The open step has no call with id '" + std::string(id) + "'");
    }
    const auto is_before = [&](const ToolResult& one) { return order.find(one.tool_call_id) < at; };
    const bool in_order = results.empty() || is_before(results.back());  // as they usually come
    const auto place = in_order ? results.end() : std::partition_point(results.begin(), results.end(), is_before);
    if (place != results.end() && place->tool_call_id == id) {
        throw HistoryError(HistoryErrorCode::result_already_set,
                           "Result for call '" + std::string(id) + "' already set");
    }
    return place;
}

}  // namespace acta::inline ACTA_ABI::history_detail
