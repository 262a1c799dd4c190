// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "acta/store/record.hpp"

namespace acta::inline ACTA_ABI {

namespace store_detail {

inline constexpr std::array<std::string_view, 13> kind_names = {
    "action",  "call",    "call_result", "result",   "message", "feedback", "feedback_taken",
    "summary", "metrics", "rewind",      "decision", "note",    "snapshot"};
static_assert(kind_names.size() == static_cast<std::size_t>(RecordKind::snapshot) + 1);

}  // namespace store_detail

ACTA_INLINE std::string_view to_string(RecordKind kind) noexcept {
    return store_detail::kind_names[static_cast<std::size_t>(kind)];
}

}  // namespace acta::inline ACTA_ABI
