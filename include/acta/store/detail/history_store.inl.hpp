// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/json/json.hpp"
#include "acta/store/history_store.hpp"

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

namespace acta::inline ACTA_ABI::store_detail {

ACTA_INLINE std::string quoted_id(std::string_view id) {
    const std::string_view shown = utf8::prefix(id, 100);
    return "'" + utf8::replace_invalid(shown) + (shown.size() == id.size() ? "'" : "...'");
}

ACTA_INLINE void require_id(std::string_view id) {
    constexpr std::size_t longest = 255;
    const auto refuse = [&](const std::string& why) { throw StoreError("history " + quoted_id(id) + ": " + why); };
    if (id.empty()) refuse("an id is not empty");
    if (id.size() > longest) refuse("an id has at most 255 bytes, and this one has " + std::to_string(id.size()));
    if (!utf8::is_valid(id)) refuse("an id is UTF-8");
    for (const char c : id) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) refuse("an id has no control characters");
        if (c == '/') refuse("an id has no '/'");
    }
}

ACTA_INLINE void throw_not_found(std::string_view id) {
    throw StoreNotFound("history " + quoted_id(id) + ": there is none");
}
ACTA_INLINE void throw_exists(std::string_view id) {
    throw StoreExists("history " + quoted_id(id) + ": there is one already");
}
ACTA_INLINE void throw_gone(std::string_view id) { throw StoreGone("history " + quoted_id(id) + ": it was erased"); }
ACTA_INLINE void throw_conflict(std::string_view id, std::uint64_t expected, std::uint64_t found) {
    throw StoreConflict("history " + quoted_id(id) + ": it has " + std::to_string(found) + " records, and not " +
                            std::to_string(expected) + ": somebody else has written",
                        expected, found);
}
ACTA_INLINE void throw_lost(std::string_view id, const std::string& why) {
    throw LeaseLost("history " + quoted_id(id) + ": " + why);
}
ACTA_INLINE void require_epoch(std::string_view id, std::uint64_t epoch, std::uint64_t found) {
    if (epoch != found) throw_lost(id, "the lease has gone to somebody else");
}
ACTA_INLINE void require_version(std::string_view id, std::uint64_t at, std::uint64_t found) {
    if (at <= found) return;
    throw StoreError("history " + quoted_id(id) + ": it has " + std::to_string(found) +
                     " records, so that there is no version " + std::to_string(at));
}

ACTA_INLINE void require_free(const HistoryInfo& info, std::string_view holder, const Timestamp& now) {
    if (info.lease && info.lease->holder != holder && info.lease->until.instant() > now.instant())
        throw_lost(info.id, "'" + info.lease->holder + "' has the lease until " + to_string(info.lease->until));
}

ACTA_INLINE RecordKind kind_of_name(std::string_view name, std::string_view id, std::uint64_t seq) {
    for (std::size_t i = 0; i < kind_names.size(); ++i) {
        if (kind_names[i] == name) return static_cast<RecordKind>(i);
    }
    throw StoreTooNew("history " + quoted_id(id) + ", record " + std::to_string(seq) +
                      ": this acta does not know its kind '" + std::string(name) + "'");
}

ACTA_INLINE JsonObject labels_of(std::string_view text, std::string_view id) {
    try {
        return parse<JsonObject>(text);
    } catch (const ValidationError& error) {
        throw StoreError("history " + quoted_id(id) + ": its labels cannot be read: " + error.what());
    }
}

ACTA_INLINE Timestamp timestamp_of(std::int64_t microseconds) {
    return Timestamp::utc(std::chrono::sys_time<std::chrono::microseconds>(std::chrono::microseconds(microseconds)));
}

ACTA_INLINE bool has_labels(const HistoryInfo& info, const JsonObject& labels) {
    return std::all_of(labels.begin(), labels.end(), [&info](const auto& wanted) {
        const Json* const label = base::find_key(info.labels, wanted.first);
        return label != nullptr && *label == wanted.second;
    });
}

ACTA_INLINE bool is_same(const Record& record, const NewRecord& wanted) noexcept {
    return record.kind == wanted.kind && record.call_id == wanted.call_id && record.body == wanted.body;
}

ACTA_INLINE std::uint64_t newest_snapshot(std::span<const NewRecord> records, std::uint64_t first,
                                          std::uint64_t before) noexcept {
    for (std::size_t i = records.size(); i-- > 0;) {
        if (records[i].kind == RecordKind::snapshot) return first + i;
    }
    return before;
}

}  // namespace acta::inline ACTA_ABI::store_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::size_t prune(HistoryStore& store, HistoryQuery query) {
    std::size_t erased = 0;
    for (;;) {
        const std::vector<HistoryInfo> page = store.list(query);
        if (page.empty()) return erased;
        for (const HistoryInfo& one : page) {
            store.erase(one.id);
            ++erased;
        }
        query.after = page.back().id;
    }
}

}  // namespace acta::inline ACTA_ABI
