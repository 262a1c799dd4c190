// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "acta/base/error.hpp"
#include "acta/history/change.hpp"

namespace acta::inline ACTA_ABI::history_detail {

ACTA_INLINE void throw_unknown_change(const std::string& kind) {
    throw ValidationError(
        "HistoryChange",
        {Issue{.loc = {"kind"}, .type = "enum", .message = "There is no change of this kind", .input = kind}});
}

ACTA_INLINE CallResultsRegistered results_of(std::string_view tool_call_id, ActionResult&& result) {
    CallResultsRegistered one;
    one.results.push_back({std::string(tool_call_id), std::move(result)});
    return one;
}

}  // namespace acta::inline ACTA_ABI::history_detail
