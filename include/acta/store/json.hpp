// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "acta/json/json.hpp"
#include "acta/store/history_store.hpp"
#include "acta/store/stored_history.hpp"

namespace acta::inline ACTA_ABI {

/// Returns a history of a store as JSON, as `acta::dump` writes it and `acta::load` reads it, conversation included.
/// Nothing is written. Throws `StoreError`, in particular `StoreNotFound`, `StoreGone` and `StoreCorrupt`.
///
/// @code{.cpp}
/// #include <acta/store/memory_store.hpp>
/// #include <acta/store/stored_history.hpp>
/// acta::MemoryStore old_store;
/// acta::MemoryStore new_store;
/// acta::StoredHistory<>::create(old_store, "task-42").append_user_feedback("Only text files.");
/// acta::import_json(new_store, "task-42", acta::export_json(old_store, "task-42"));
/// assert(acta::export_json(new_store, "task-42") == acta::export_json(old_store, "task-42"));
/// @endcode
template <class P = ActionProposal<>>
[[nodiscard]] std::string export_json(HistoryStore& store, std::string_view id) {
    return dump(read_history<P>(store, id));
}

/// Makes a history from the JSON of one, such as a file that `acta::save` wrote. Of the calls of a step that is open it
/// is not known which have begun (`StoredHistory::resume`). Throws `ValidationError`, and then nothing is made;
/// `StoreExists` if the id is taken by a history that is not empty.
template <class P = ActionProposal<>>
HistoryInfo import_json(HistoryStore& store, std::string_view id, std::string_view json,
                        const JsonObject& labels = {}) {
    const auto history = parse<EpisodicActionHistory<P>>(json);
    const std::optional<HistoryInfo> there = store.find(id);
    if (there && there->position.version != 0) store_detail::throw_exists(id);
    const Position at = there ? there->position : store.create(id, introspection::type_title<P>(), labels).position;
    const NewRecord snapshot{RecordKind::snapshot, {}, store_detail::body_of(history), new_token()};
    store.append(id, at, {&snapshot, 1});
    return store.find(id).value();
}

}  // namespace acta::inline ACTA_ABI
