// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/history/episode.hpp"
#include "acta/history/episode_id.hpp"

namespace acta::inline ACTA_ABI::history_detail {

/// The place of each call of a step among its calls, by its id. Kept while results come for that step, since searching
/// all of its calls for each of them would be quadratic. A copy of a history makes its own.
class CallOrder {
public:
    CallOrder() = default;
    CallOrder(const CallOrder& /*other*/) noexcept {}
    CallOrder(CallOrder&&) noexcept = default;
    CallOrder& operator=(const CallOrder&) = delete;
    CallOrder& operator=(CallOrder&&) noexcept = default;
    ~CallOrder() = default;

    [[nodiscard]] bool is_of(EpisodeId id) const noexcept { return id.step == step_; }
    void set(EpisodeId id, std::vector<std::string> ids);
    [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }
    /// Returns `size()` if the step has no call of this id.
    [[nodiscard]] std::size_t find(std::string_view id) const noexcept;

private:
    std::uint64_t step_ = 0;
    std::vector<std::pair<std::string, std::size_t>> order_{};
};

/// Throws `HistoryError` if the step has no call of this id, or the call already has its result. Returns the place
/// among `results` that keeps them in the order of the calls.
std::vector<ToolResult>::iterator place_of_result(std::vector<ToolResult>& results, const CallOrder& order,
                                                  std::string_view id);

}  // namespace acta::inline ACTA_ABI::history_detail

#ifndef ACTA_COMPILED
#include "acta/history/detail/call_order.inl.hpp"
#endif
