// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/store/history_store.hpp"

namespace acta::inline ACTA_ABI {

/// Keeps histories in memory, for tests. What it promises is what every store does, except that nothing outlives it.
///
/// @code{.cpp}
/// acta::MemoryStore store;
/// store.create("task-42");
/// const std::vector<acta::NewRecord> records = {{acta::RecordKind::note, {}, R"({"text": "a beginning"})"}};
/// const acta::Appended done = store.append("task-42", {}, records);
/// assert(done.position.version == 1);
/// @endcode
class MemoryStore : public HistoryStore {
public:
    HistoryInfo create(std::string_view id, std::string_view type = {}, const JsonObject& labels = {}) override;
    [[nodiscard]] std::optional<HistoryInfo> find(std::string_view id) override;
    Appended append(std::string_view id, Position at, std::span<const NewRecord> records) override;
    void read(std::string_view id, RecordRange range, const std::function<bool(const Record&)>& each) override;
    [[nodiscard]] std::vector<HistoryInfo> list(const HistoryQuery& query = {}) override;
    HistoryInfo fork(std::string_view id, std::uint64_t at, std::string_view new_id) override;
    Lease acquire(std::string_view id, std::string_view holder, std::chrono::microseconds time) override;
    Lease renew(std::string_view id, const Lease& lease, std::chrono::microseconds time) override;
    void release(std::string_view id, const Lease& lease) override;
    void erase(std::string_view id) override;

private:
    struct StoredRecord {
        Record record{};
        std::string token{};
    };
    struct Stored {
        HistoryInfo info{};
        std::vector<std::shared_ptr<const StoredRecord>> records{};
        bool erased = false;
    };

    Stored& stored(std::string_view id);
    void require_new(std::string_view id) const;
    HistoryInfo add(Stored history);

    std::mutex mutex_{};
    std::map<std::string, Stored, std::less<>> histories_{};
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/store/detail/memory_store.inl.hpp"
#endif
