// SPDX-License-Identifier: MIT
#pragma once

#if !defined(_WIN32)
#include <unistd.h>
#endif

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/json/json.hpp"
#include "acta/store/history_store.hpp"

namespace acta::inline ACTA_ABI {

namespace store_detail {

inline constexpr std::array<std::string_view, 15> kind_names = {
    "action",  "call",   "call_result", "result", "message", "feedback", "feedback_taken", "summary",
    "metrics", "rewind", "decision",    "run",    "sub_run", "note",     "snapshot"};
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

ACTA_INLINE void throw_not_found(std::string_view id) { throw StoreNotFound("there is no history " + quoted_id(id)); }
ACTA_INLINE void throw_exists(std::string_view id) {
    throw StoreExists("history " + quoted_id(id) + " exists already");
}
ACTA_INLINE void throw_gone(std::string_view id) { throw StoreGone("history " + quoted_id(id) + ": it was erased"); }
ACTA_INLINE void throw_conflict(std::string_view id, std::uint64_t expected, std::uint64_t found) {
    throw StoreConflict("history " + quoted_id(id) + ": it has " + std::to_string(found) + " records, and not " +
                            std::to_string(expected) + ": another writer has appended",
                        expected, found);
}
ACTA_INLINE void throw_lost(std::string_view id, const std::string& why) {
    throw LeaseLost("history " + quoted_id(id) + ": " + why);
}
ACTA_INLINE void require_epoch(std::string_view id, std::uint64_t epoch, std::uint64_t found) {
    if (epoch != found) throw_lost(id, "another holder has the lease");
}
ACTA_INLINE void require_version(std::string_view id, std::uint64_t at, std::uint64_t found) {
    if (at <= found) return;
    throw StoreError("history " + quoted_id(id) + ": it has " + std::to_string(found) +
                     " records, so that there is no version " + std::to_string(at));
}

ACTA_INLINE void require_free(const HistoryInfo& info, std::string_view holder, const Timestamp& now) {
    if (holder.empty())  // all who forget to name themselves would share the lease
        throw StoreError("history " + quoted_id(info.id) + ": a lease needs a holder's name");
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

ACTA_INLINE void complete(HistoryInfo& info, std::string_view labels) {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    const std::uint64_t head = info.position.version;
    if (head > most || info.position.epoch > most || info.snapshot > most)
        info.unreadable = "one of its numbers is below 0";
    else if (info.snapshot > head)
        info.unreadable = "it has " + std::to_string(head) + " records, and its newest snapshot is said to be record " +
                          std::to_string(info.snapshot);
    try {
        info.labels = parse<JsonObject>(labels);
    } catch (const ValidationError& error) {
        info.unreadable = std::string("its labels cannot be read: ") + error.what();
    }
}

ACTA_INLINE void require_readable(const HistoryInfo& info) {
    if (!info.unreadable.empty()) throw StoreCorrupt("history " + quoted_id(info.id) + ": " + info.unreadable, 0);
}

/// Returns whether a text or a key has U+0000.
[[nodiscard]] inline bool has_nul(const Json& root) {
    std::vector<const Json*> open{&root};
    while (!open.empty()) {
        const Json& value = *open.back();
        open.pop_back();
        if (value.is_string() && base::text_of(value).find('\0') != std::string::npos) return true;
        if (value.is_array()) {
            for (const Json& child : value) open.push_back(&child);
        } else if (value.is_object()) {
            for (const auto& [key, child] : base::object_of(value)) {
                if (key.find('\0') != std::string::npos) return true;
                open.push_back(&child);
            }
        }
    }
    return false;
}

ACTA_INLINE void require_labels(std::string_view id, const JsonObject& labels) {
    const auto refuse = [&](const std::string& why) {
        throw StoreError("history " + quoted_id(id) + ": its labels " + why);
    };
    const Json value(labels);
    if (const std::optional<Issue> fault = content_fault(value))
        refuse("cannot be stored: at '" + fault->pointer() + "': " + fault->message);
    try {
        static_cast<void>(dump(value));
    } catch (const EncodeError& error) {
        refuse(std::string("cannot be stored: ") + error.what());
    }
    if (has_nul(value)) refuse("have U+0000 in a text, which PostgreSQL does not take");
}

ACTA_INLINE void require_records(std::string_view id, std::span<const NewRecord> records) {
    for (const NewRecord& one : records) {
        const auto refuse = [&](const std::string& why) {
            throw StoreError("history " + quoted_id(id) + ": a record (" + std::string(to_string(one.kind)) +
                             ") cannot be stored: its " + why);
        };
        if (!utf8::is_valid(one.call_id) || one.call_id.find('\0') != std::string::npos)
            refuse("call id is not UTF-8 without U+0000");
        if (!utf8::is_valid(one.body) || one.body.find('\0') != std::string::npos) refuse("body is not JSON in UTF-8");
        if (one.body.size() > ParseOptions{}.max_bytes)
            refuse("body has " + std::to_string(one.body.size()) + " bytes, more than are read");
    }
}

ACTA_INLINE std::chrono::microseconds lease_time(std::chrono::microseconds time) noexcept {
    constexpr std::chrono::microseconds longest = std::chrono::hours(24 * 365 * 100);
    return std::clamp(time, std::chrono::microseconds(0), longest);
}

// Eight bytes at a time, by eight tables (M. Kounavis, F. Berry, "A Systematic Approach to Building High Performance,
// Software-based, CRC Generators", 2005): reading a history is not slower by it.
inline constexpr auto crc32c_tables = [] {
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U);
        tables[0][i] = crc;
    }
    for (std::size_t table = 1; table < tables.size(); ++table) {
        for (std::size_t i = 0; i < 256; ++i) {
            const std::uint32_t before = tables[table - 1][i];
            tables[table][i] = (before >> 8U) ^ tables[0][before & 0xFFU];
        }
    }
    return tables;
}();

ACTA_INLINE std::uint32_t crc32c(std::uint32_t crc, std::string_view text) noexcept {
    const auto& t = crc32c_tables;
    const auto byte = [&text](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(text[i])}; };
    for (; text.size() >= 8; text.remove_prefix(8)) {
        const std::uint32_t low = crc ^ (byte(0) | byte(1) << 8U | byte(2) << 16U | byte(3) << 24U);
        crc = t[7][low & 0xFFU] ^ t[6][low >> 8U & 0xFFU] ^ t[5][low >> 16U & 0xFFU] ^ t[4][low >> 24U] ^
              t[3][byte(4)] ^ t[2][byte(5)] ^ t[1][byte(6)] ^ t[0][byte(7)];
    }
    for (std::size_t i = 0; i < text.size(); ++i) crc = (crc >> 8U) ^ t[0][(crc ^ byte(i)) & 0xFFU];
    return crc;
}

ACTA_INLINE std::uint32_t checksum(std::string_view kind, std::string_view call_id, std::string_view body) noexcept {
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const std::string_view part : {kind, std::string_view("\n"), call_id, std::string_view("\n"), body})
        crc = crc32c(crc, part);
    return crc ^ 0xFFFFFFFFU;
}

ACTA_INLINE void require_checksum(const Record& record, std::optional<std::int64_t> stored, std::string_view id) {
    if (!stored || *stored == std::int64_t{checksum(to_string(record.kind), record.call_id, record.body)}) return;
    throw StoreCorrupt("history " + quoted_id(id) + ", record " + std::to_string(record.seq) + " (" +
                           std::string(to_string(record.kind)) +
                           "): its checksum does not fit: it is not what was stored",
                       record.seq);
}

ACTA_INLINE std::int64_t this_process() noexcept {
#if defined(_WIN32)
    return 0;
#else
    return static_cast<std::int64_t>(::getpid());
#endif
}

ACTA_INLINE void ReadingOrder::throw_missing() const {
    throw StoreCorrupt("history " + quoted_id(id_) + ", record " + std::to_string(next_) + ": it is missing, of " +
                           std::to_string(end_) + " that must be there",
                       next_);
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

ACTA_INLINE std::uint64_t newest_snapshot(std::span<const NewRecord> records, std::uint64_t first,
                                          std::uint64_t before) noexcept {
    for (std::size_t i = records.size(); i-- > 0;) {
        if (records[i].kind == RecordKind::snapshot) return first + i;
    }
    return before;
}

}  // namespace acta::inline ACTA_ABI::store_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::string new_token() {
    // Made once: finding out what the processor offers takes ten times as long as the four numbers on virtual machines.
    static thread_local std::random_device random;
    std::string out;
    for (int i = 0; i < 4; ++i) {
        for (std::uint32_t bits = random(), digit = 0; digit < 8; ++digit, bits >>= 4U)
            out += "0123456789abcdef"[bits & 15U];
    }
    return out;
}

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
