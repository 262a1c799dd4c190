// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "acta/store/record.hpp"

namespace acta::inline ACTA_ABI {

namespace store_detail {

inline constexpr std::array<std::string_view, 13> kind_names = {
    "action",  "call",    "call_result", "result",   "message", "feedback", "feedback_taken",
    "summary", "metrics", "rewind",      "decision", "note",    "snapshot"};
static_assert(kind_names.size() == static_cast<std::size_t>(RecordKind::snapshot) + 1);

/// Returns the kind with this name; nothing for one that this acta does not know.
[[nodiscard]] inline std::optional<RecordKind> kind_of_name(std::string_view name) noexcept {
    for (std::size_t i = 0; i < kind_names.size(); ++i) {
        if (kind_names[i] == name) return static_cast<RecordKind>(i);
    }
    return std::nullopt;
}

}  // namespace store_detail

ACTA_INLINE std::string_view to_string(RecordKind kind) noexcept {
    return store_detail::kind_names[static_cast<std::size_t>(kind)];
}

}  // namespace acta::inline ACTA_ABI
