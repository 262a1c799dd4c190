// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "acta/store/store_error.hpp"

// What all stores have in common, down to the words in which they refuse.
namespace acta::inline ACTA_ABI::store_detail {

/// Returns the id in quotes, shortened if it is long.
[[nodiscard]] std::string quoted_id(std::string_view id);

/// Throws `StoreError` for what is no id.
void require_id(std::string_view id);
[[noreturn]] void throw_not_found(std::string_view id);
[[noreturn]] void throw_exists(std::string_view id);
[[noreturn]] void throw_gone(std::string_view id);
[[noreturn]] void throw_conflict(std::string_view id, std::uint64_t expected, std::uint64_t found);
[[noreturn]] void throw_lost(std::string_view id, const std::string& why);
/// Throws `LeaseLost` if the epochs differ.
void require_epoch(std::string_view id, std::uint64_t epoch, std::uint64_t found);
/// Throws `StoreError` if the history has less records than `at`.
void require_version(std::string_view id, std::uint64_t at, std::uint64_t found);

/// Throws `LeaseLost` if somebody else has the lease.
void require_free(const HistoryInfo& info, std::string_view holder, const Timestamp& now);

/// Returns the kind with this name. Throws `StoreTooNew` for one that this acta does not know.
[[nodiscard]] RecordKind kind_of_name(std::string_view name, std::string_view id, std::uint64_t seq);
/// Returns labels from their text. Throws `StoreError` if that is no JSON object.
[[nodiscard]] JsonObject labels_of(std::string_view text, std::string_view id);
/// Returns the time that is so many microseconds after 1970 began.
[[nodiscard]] Timestamp timestamp_of(std::int64_t microseconds);
/// Returns whether a history has all of these labels, with these values.
[[nodiscard]] bool has_labels(const HistoryInfo& info, const JsonObject& labels);
/// Returns whether a record is the one that was to be appended.
[[nodiscard]] bool is_same(const Record& record, const NewRecord& wanted) noexcept;

/// Returns the number of the last snapshot among records that begin at `first`; `before` without one.
[[nodiscard]] std::uint64_t newest_snapshot(std::span<const NewRecord> records, std::uint64_t first,
                                            std::uint64_t before) noexcept;

}  // namespace acta::inline ACTA_ABI::store_detail

#ifndef ACTA_COMPILED
#include "acta/store/detail/rules.inl.hpp"
#endif
