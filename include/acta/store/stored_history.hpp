// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "acta/history/shared_history.hpp"
#include "acta/store/detail/store_journal.hpp"
#include "acta/store/history_store.hpp"

namespace acta::inline ACTA_ABI {

/// Options of `StoredHistory::open`.
struct OpenOptions {
    JsonObject labels{};  ///< Labels of a history that is made.
};

/// A history in a store: a `SharedHistory` whose changes last. When a member has returned, the store has the change;
/// when it throws, store and memory are as they were. `run_agent`, `handle_compression` and everything else that takes
/// a `SharedHistory` takes it.
///
/// One program writes a history at a time. A member throws `StoreConflict` if another one has: `refresh` reads what is
/// new. If the store's answer is lost, the change may be there or not: the same call of a member, repeated, has it
/// there once, or throws `StoreConflict` if its record would now be another, such as one with the time at which a step
/// ended.
///
/// @code{.cpp}
/// #include <acta/store/memory_store.hpp>
/// acta::MemoryStore store;   // or acta::sqlite::Store store("runs.db");
/// {
///     auto run = acta::StoredHistory<>::open(store, "task-42");
///     run.register_message(acta::ChatMessage::user("When is high water in Brest?"));
/// }
/// auto run = acta::StoredHistory<>::open(store, "task-42");   // goes on where it was
/// assert(run.messages().size() == 1);
/// @endcode
template <class P>
class StoredHistory : public SharedHistory<P> {
public:
    using typename SharedHistory<P>::History;

    /// Returns the history of an id, which is created if the store has none. The store must outlive it. Throws
    /// `StoreError`; in particular `StoreGone`, `StoreTooNew`, and `StoreCorrupt` for a record that cannot be read.
    [[nodiscard]] static StoredHistory open(HistoryStore& store, std::string_view id, const OpenOptions& options = {}) {
        return StoredHistory(store, id, options);
    }

    /// Returns the id.
    [[nodiscard]] const std::string& id() const noexcept { return journal_.id(); }
    using SharedHistory<P>::id;
    /// Returns where the history is: the newest record that it has.
    [[nodiscard]] Position position() const {
        return this->with_lock([this](const History&) { return journal_.position(); });
    }
    /// Reads what others have appended, and returns how many records.
    std::size_t refresh() {
        return this->with_lock([this](History& history) { return journal_.catch_up(history); });
    }
    /// Copies the history as it is now to a new id. Throws `StoreExists`.
    HistoryInfo fork(std::string_view new_id) const { return journal_.store().fork(id(), position().version, new_id); }

private:
    StoredHistory(HistoryStore& store, std::string_view id, const OpenOptions& options)
        : journal_(store, id, options.labels) {
        refresh();
    }

    store_detail::StoreJournal<P> journal_;
};

}  // namespace acta::inline ACTA_ABI
