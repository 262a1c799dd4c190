// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/store/history_store.hpp"
#include "acta/version.hpp"

/// Histories in an SQLite file. Needs SQLite 3.37 or newer (target `acta::sqlite`).
namespace acta::inline ACTA_ABI::sqlite {

/// How much of what was appended outlives a power cut. A killed program loses nothing either way.
enum class Synchronous {
    full,   ///< All of it.
    normal  ///< The last appends may be lost, but never a part of one. Several times as fast.
};

/// Options of a store.
struct Options {
    Synchronous synchronous = Synchronous::full;   ///< What a power cut may cost.
    std::chrono::milliseconds busy_timeout{5000};  ///< How long to wait for another process that writes.
    /// Whether the file, which must exist, is only read: without the right to write it, and without leaving files
    /// beside it. Members that change something throw `StoreError`.
    bool read_only = false;
};

}  // namespace acta::inline ACTA_ABI::sqlite

namespace acta::inline ACTA_ABI::sqlite_detail {
class Database;
}

namespace acta::inline ACTA_ABI::sqlite {

/// A file with histories, for several threads and several processes of one machine. Not for network file systems,
/// whose locks SQLite cannot rely on. A process that forks opens a store of its own in the child. Each member throws
/// `StoreError` once the file is no longer the one at its path.
///
/// The tables (docs/reference/store.md, "SQLite") can be read with the sqlite3 shell; bodies and labels are JSON as
/// text.
///
/// @code{.cpp}
/// #include <acta/store/stored_history.hpp>
/// acta::sqlite::Store store("runs.db");
/// auto run = acta::StoredHistory<>::open_or_create(store, "task-42");
/// run.register_message(acta::ChatMessage::user("When is high water in Brest?"));
/// @endcode
class Store : public HistoryStore {
public:
    /// Opens a file, and makes it if it does not exist. Throws `StoreError` if it cannot be opened, belongs to another
    /// application, or is a name under which SQLite keeps nothing (`""`, `":memory:"`), and `StoreTooNew` if a newer
    /// acta has made it.
    explicit Store(const std::filesystem::path& file, const Options& options = {});
    ~Store() override;

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

    /// Copies the file as it is now to another one, which must not exist, while other connections keep using it. If it
    /// fails, nothing is left there.
    void backup(const std::filesystem::path& file);

private:
    std::mutex mutex_{};
    std::unique_ptr<sqlite_detail::Database> database_;
};

}  // namespace acta::inline ACTA_ABI::sqlite

#ifndef ACTA_COMPILED
#include "acta/store/sqlite/detail/store.inl.hpp"
#endif
