// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/store/history_store.hpp"
#include "acta/testing/store_conformance.hpp"

// What the checks of stores are made of.
namespace acta::inline ACTA_ABI::testing_detail {

using testing::CheckedStore;
using testing::CheckFailed;
using Records = std::vector<NewRecord>;

void expect(bool holds, std::string_view what);
template <class A, class B>
void expect_equal(const A& found, const B& wanted, std::string_view what) {
    if (!(found == wanted)) throw CheckFailed(std::string(what) + " is not what was expected");
}
/// Expects an error of class E, or derived from it, that names the history.
template <class E, class Do>
void expect_throw(const Do& act, std::string_view what) {
    try {
        act();
    } catch (const E& error) {
        expect(std::string_view(error.what()).find("history '") != std::string_view::npos,
               std::string(what) + ": the error does not name the history: " + error.what());
        return;
    } catch (const std::exception& error) {
        throw CheckFailed(std::string(what) + ": another error was thrown: " + error.what());
    }
    throw CheckFailed(std::string(what) + ": nothing was thrown");
}

/// Returns an id that no other check has.
[[nodiscard]] std::string fresh_id();
[[nodiscard]] NewRecord record_of(std::string_view text, RecordKind kind = RecordKind::note);
/// Returns the records that `filled` appends.
[[nodiscard]] Records numbered(std::uint64_t count);
/// Makes a history with so many records, and returns its id.
[[nodiscard]] std::string filled(HistoryStore& store, std::uint64_t count, const JsonObject& labels = {});

[[nodiscard]] std::vector<Record> all(HistoryStore& store, std::string_view id, RecordRange range = {});
/// Returns what is known of a history, which must be there.
[[nodiscard]] HistoryInfo info_of(HistoryStore& store, std::string_view id);
void expect_records(HistoryStore& store, std::string_view id, const Records& wanted, std::string_view what);

/// Calls `work` with the number of each thread at once, and returns when all are done. Fails if one of them throws.
void in_threads(int count, const std::function<void(int)>& work);

}  // namespace acta::inline ACTA_ABI::testing_detail

// The checks, as `store_checks` names them.
namespace acta::inline ACTA_ABI::testing_detail {

// durable
void others_have_the_records(const CheckedStore& checked);
void others_know_the_same(const CheckedStore& checked);

// atomic
void an_append_that_fails_changes_nothing(const CheckedStore& checked);
void an_append_is_seen_whole(const CheckedStore& checked);
void a_reader_sees_one_moment(const CheckedStore& checked);

// ordered
void records_are_numbered_in_order(const CheckedStore& checked);
void ranges_are_read(const CheckedStore& checked);
void reading_ends_when_told(const CheckedStore& checked);
void changes_are_there_in_order(const CheckedStore& checked);

// optimistic
void a_writer_that_is_behind_is_told(const CheckedStore& checked);
void writers_at_once_lose_no_record(const CheckedStore& checked);

// one writer
void a_lease_shuts_others_out(const CheckedStore& checked);
void a_holder_may_begin_again(const CheckedStore& checked);
void a_lease_is_renewed(const CheckedStore& checked);
void a_released_lease_is_over(const CheckedStore& checked);
void a_former_holder_is_refused(const CheckedStore& checked);
void an_expired_lease_can_be_taken(const CheckedStore& checked);
void the_stores_clock_decides(const CheckedStore& checked);
void one_of_two_acquires(const CheckedStore& checked);

// bounded
void the_newest_snapshot_is_known(const CheckedStore& checked);

// forks
void a_fork_has_what_its_parent_had(const CheckedStore& checked);
void a_fork_may_be_at_any_version(const CheckedStore& checked);
void forks_are_on_their_own(const CheckedStore& checked);
void forks_of_forks_are_forks(const CheckedStore& checked);
void a_fork_that_cannot_be_is_refused(const CheckedStore& checked);

// gone is gone
void what_is_erased_is_gone(const CheckedStore& checked);
void an_erased_id_is_not_used_again(const CheckedStore& checked);

// lost answers
void a_repeated_append_is_stored_once(const CheckedStore& checked);
void other_records_are_no_repetition(const CheckedStore& checked);
void a_repetition_by_a_former_writer_is_refused(const CheckedStore& checked);

// formats
void each_kind_and_format_is_kept(const CheckedStore& checked);
void bodies_are_kept_by_their_bytes(const CheckedStore& checked);
void long_bodies_are_kept(const CheckedStore& checked);
void type_and_labels_are_kept(const CheckedStore& checked);
void updated_moves_and_created_does_not(const CheckedStore& checked);

// nothing silent
void what_never_was_is_not_found(const CheckedStore& checked);
void a_history_is_made_once(const CheckedStore& checked);
void bad_ids_are_refused(const CheckedStore& checked);
void unusual_ids_are_ids(const CheckedStore& checked);

// listing
void histories_are_listed_by_their_bytes(const CheckedStore& checked);
void a_prefix_is_no_pattern(const CheckedStore& checked);
void lists_come_in_pages(const CheckedStore& checked);
void histories_are_listed_by_labels(const CheckedStore& checked);
void old_histories_are_listed_and_pruned(const CheckedStore& checked);

}  // namespace acta::inline ACTA_ABI::testing_detail

#ifndef ACTA_COMPILED
#include "acta/testing/detail/store_conformance.inl.hpp"
#endif
