// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/store/history_store.hpp"
#include "acta/store/memory_store.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE MemoryStore::Stored& MemoryStore::stored(std::string_view id) {
    store_detail::require_id(id);
    const auto found = histories_.find(id);
    if (found == histories_.end()) store_detail::throw_not_found(id);
    if (found->second.erased) store_detail::throw_gone(id);
    return found->second;
}

ACTA_INLINE void MemoryStore::require_new(std::string_view id) const {
    store_detail::require_id(id);
    const auto found = histories_.find(id);
    if (found == histories_.end()) return;
    if (found->second.erased) store_detail::throw_gone(id);
    store_detail::throw_exists(id);
}

ACTA_INLINE HistoryInfo MemoryStore::add(Stored history) {
    HistoryInfo info = history.info;  // while nothing has changed
    std::string id = info.id;
    histories_.emplace(std::move(id), std::move(history));
    return info;
}

ACTA_INLINE HistoryInfo MemoryStore::create(std::string_view id, std::string_view type, const JsonObject& labels) {
    const std::lock_guard lock(mutex_);
    require_new(id);
    store_detail::require_labels(id, labels);
    Stored fresh;
    fresh.info.id = id;
    fresh.info.type = type;
    fresh.info.labels = labels;
    fresh.info.created = fresh.info.updated = Timestamp::now();
    return add(std::move(fresh));
}

ACTA_INLINE std::optional<HistoryInfo> MemoryStore::find(std::string_view id) {
    const std::lock_guard lock(mutex_);
    store_detail::require_id(id);
    if (histories_.find(id) == histories_.end()) return std::nullopt;
    return stored(id).info;
}

ACTA_INLINE Appended MemoryStore::append(std::string_view id, Position at, std::span<const NewRecord> records) {
    const std::lock_guard lock(mutex_);
    Stored& history = stored(id);
    store_detail::require_records(id, records);
    Position& position = history.info.position;
    store_detail::require_epoch(id, at.epoch, position.epoch);
    if (at.version != position.version) {
        const std::uint64_t found = position.version;
        const bool is_there = !records.empty() && !records.front().token.empty() && at.version < found &&
                              history.records[at.version]->token == records.front().token;
        if (!is_there) store_detail::throw_conflict(id, at.version, found);
        return {{at.version + records.size(), at.epoch}, true};
    }
    const Timestamp now = Timestamp::now();
    std::vector<std::shared_ptr<const StoredRecord>> fresh;
    std::uint64_t seq = at.version;
    for (const NewRecord& one : records) {
        auto kept = std::make_shared<StoredRecord>();
        kept->record = Record{++seq, one.kind, record_format, now, one.call_id, one.body};
        kept->token = one.token;
        fresh.push_back(std::move(kept));
    }
    history.records.insert(history.records.end(), fresh.begin(), fresh.end());
    position.version = seq;
    history.info.snapshot = store_detail::newest_snapshot(records, at.version + 1, history.info.snapshot);
    history.info.updated = now;
    return {position, false};
}

ACTA_INLINE void MemoryStore::read(std::string_view id, RecordRange range,
                                   const std::function<bool(const Record&)>& each) {
    std::vector<std::shared_ptr<const StoredRecord>> found;
    {
        const std::lock_guard lock(mutex_);
        const auto& records = stored(id).records;
        const std::uint64_t first = std::max<std::uint64_t>(range.first, 1);
        const std::uint64_t end = std::min<std::uint64_t>(range.last, records.size());
        if (first <= end)
            found.assign(records.begin() + static_cast<std::ptrdiff_t>(first - 1),
                         records.begin() + static_cast<std::ptrdiff_t>(end));
    }
    for (const auto& record : found) {
        if (!each(record->record)) return;
    }
}

ACTA_INLINE std::vector<HistoryInfo> MemoryStore::list(const HistoryQuery& query) {
    const std::lock_guard lock(mutex_);
    std::vector<HistoryInfo> out;
    for (auto one = histories_.lower_bound(query.id_prefix); one != histories_.end(); ++one) {
        const HistoryInfo& info = one->second.info;
        if (out.size() >= query.limit || !info.id.starts_with(query.id_prefix)) break;
        const bool is_old = !query.updated_before || info.updated.instant() < query.updated_before->instant();
        const bool is_after = query.after.empty() || info.id > query.after;
        if (is_old && is_after && !one->second.erased && store_detail::has_labels(info, query.labels))
            out.push_back(info);
    }
    return out;
}

ACTA_INLINE HistoryInfo MemoryStore::fork(std::string_view id, std::uint64_t at, std::string_view new_id) {
    const std::lock_guard lock(mutex_);
    const Stored& from = stored(id);
    store_detail::require_version(id, at, from.info.position.version);
    require_new(new_id);
    Stored fork;
    fork.records.assign(from.records.begin(), from.records.begin() + static_cast<std::ptrdiff_t>(at));
    fork.info.id = new_id;
    fork.info.type = from.info.type;
    fork.info.labels = from.info.labels;
    fork.info.forked_from = std::string(id) + "@" + std::to_string(at);
    fork.info.position = {at, 0};
    fork.info.created = fork.info.updated = Timestamp::now();
    for (const auto& record : fork.records) {
        if (record->record.kind == RecordKind::snapshot) fork.info.snapshot = record->record.seq;
    }
    return add(std::move(fork));
}

ACTA_INLINE Lease MemoryStore::acquire(std::string_view id, std::string_view holder, std::chrono::microseconds time) {
    const std::lock_guard lock(mutex_);
    HistoryInfo& info = stored(id).info;
    const Timestamp now = Timestamp::now();
    store_detail::require_free(info, holder, now);
    Lease lease{std::string(holder), info.position.epoch + 1, now + store_detail::lease_time(time)};
    Lease kept = lease;
    info.lease = std::move(kept);
    ++info.position.epoch;
    return lease;
}

ACTA_INLINE Lease MemoryStore::renew(std::string_view id, const Lease& lease, std::chrono::microseconds time) {
    const std::lock_guard lock(mutex_);
    HistoryInfo& info = stored(id).info;
    store_detail::require_epoch(id, lease.epoch, info.position.epoch);
    if (!info.lease) store_detail::throw_lost(id, "the lease was released");
    info.lease->until = Timestamp::now() + store_detail::lease_time(time);
    return *info.lease;
}

ACTA_INLINE void MemoryStore::release(std::string_view id, const Lease& lease) {
    const std::lock_guard lock(mutex_);
    HistoryInfo& info = stored(id).info;
    if (lease.epoch == info.position.epoch) info.lease.reset();
}

ACTA_INLINE void MemoryStore::erase(std::string_view id) {
    const std::lock_guard lock(mutex_);
    store_detail::require_id(id);
    const auto found = histories_.find(id);
    if (found == histories_.end()) store_detail::throw_not_found(id);
    found->second = {.info = {.id = std::string(id)}, .records = {}, .erased = true};
}

}  // namespace acta::inline ACTA_ABI
