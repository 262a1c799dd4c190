// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>

#include "acta/testing/detail/store_checks.hpp"
#include "acta/testing/store_conformance.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::span<const testing::StoreCheck> testing::store_checks() {
    static constexpr auto checks = std::to_array<StoreCheck>({
        {"durable", "what was appended is there for another process", testing_detail::others_have_the_records},
        {"durable", "labels, leases and erasures are there for another process", testing_detail::others_know_the_same},
        {"atomic", "an append that fails changes nothing", testing_detail::an_append_that_fails_changes_nothing},
        {"atomic", "a reader sees all records of an append, or none", testing_detail::an_append_is_seen_whole},
        {"atomic", "a reader sees the records of one moment", testing_detail::a_reader_sees_one_moment},
        {"ordered", "records are numbered in the order in which they were appended",
         testing_detail::records_are_numbered_in_order},
        {"ordered", "ranges of records are read in order", testing_detail::ranges_are_read},
        {"ordered", "reading ends when the reader says so, or throws", testing_detail::reading_ends_when_told},
        {"ordered", "an action is there before its call, and a call before its result",
         testing_detail::changes_are_there_in_order},
        {"optimistic", "a writer that is behind is told so, and changes nothing",
         testing_detail::a_writer_that_is_behind_is_told},
        {"optimistic", "several writers at once lose no record", testing_detail::writers_at_once_lose_no_record},
        {"one writer", "who has the lease writes, and nobody else", testing_detail::a_lease_shuts_others_out},
        {"one writer", "a holder may acquire its lease again, and its old self is refused",
         testing_detail::a_holder_may_begin_again},
        {"one writer", "a renewed lease lasts from now on", testing_detail::a_lease_is_renewed},
        {"one writer", "a released lease is over", testing_detail::a_released_lease_is_over},
        {"one writer", "a former holder can neither write, renew nor release",
         testing_detail::a_former_holder_is_refused},
        {"one writer", "a lease that has expired can be taken", testing_detail::an_expired_lease_can_be_taken},
        {"one writer", "leases and records are by the store's clock", testing_detail::the_stores_clock_decides},
        {"one writer", "of two that acquire a lease at once one has it", testing_detail::one_of_two_acquires},
        {"bounded", "the newest snapshot is known, and reading can begin there",
         testing_detail::the_newest_snapshot_is_known},
        {"forks", "a fork has the records, type and labels of its parent, and no lease",
         testing_detail::a_fork_has_what_its_parent_had},
        {"forks", "a fork may be at any version", testing_detail::a_fork_may_be_at_any_version},
        {"forks", "a fork and its parent have nothing to do with each other", testing_detail::forks_are_on_their_own},
        {"forks", "a fork can be forked", testing_detail::forks_of_forks_are_forks},
        {"forks", "a fork to an id that is there, or at no version, is refused",
         testing_detail::a_fork_that_cannot_be_is_refused},
        {"gone is gone", "what is erased is gone for every member", testing_detail::what_is_erased_is_gone},
        {"gone is gone", "an id that was erased is not used again", testing_detail::an_erased_id_is_not_used_again},
        {"lost answers", "an append that is repeated is stored once", testing_detail::a_repeated_append_is_stored_once},
        {"lost answers", "other records at the same place are no repetition",
         testing_detail::other_records_are_no_repetition},
        {"lost answers", "a repetition by a former writer is refused",
         testing_detail::a_repetition_by_a_former_writer_is_refused},
        {"formats", "each kind of record is kept, with its format and time",
         testing_detail::each_kind_and_format_is_kept},
        {"formats", "bodies are kept byte for byte", testing_detail::bodies_are_kept_by_their_bytes},
        {"formats", "long bodies are kept", testing_detail::long_bodies_are_kept},
        {"formats", "type and labels are kept", testing_detail::type_and_labels_are_kept},
        {"formats", "the time of the last append is known", testing_detail::updated_moves_and_created_does_not},
        {"nothing silent", "what never was is not found", testing_detail::what_never_was_is_not_found},
        {"nothing silent", "a history is made once", testing_detail::a_history_is_made_once},
        {"nothing silent", "ids that are none are refused by every member", testing_detail::bad_ids_are_refused},
        {"nothing silent", "unusual ids are ids", testing_detail::unusual_ids_are_ids},
        {"listing", "histories are listed in the order of their bytes",
         testing_detail::histories_are_listed_by_their_bytes},
        {"listing", "a prefix is no pattern", testing_detail::a_prefix_is_no_pattern},
        {"listing", "lists come in pages", testing_detail::lists_come_in_pages},
        {"listing", "histories are listed by labels", testing_detail::histories_are_listed_by_labels},
        {"listing", "histories are listed and pruned by their last use",
         testing_detail::old_histories_are_listed_and_pruned},
    });
    return checks;
}

}  // namespace acta::inline ACTA_ABI
