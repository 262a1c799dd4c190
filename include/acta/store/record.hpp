// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "acta/base/json_value.hpp"
#include "acta/json/timestamp.hpp"

namespace acta::inline ACTA_ABI {

/// What a record of a stored history says.
enum class RecordKind {
    action,          ///< A step was opened.
    call,            ///< A call of the open step begins: from here on it may have had its effect.
    call_result,     ///< A call of the open step has its result.
    result,          ///< A step has its result.
    message,         ///< A message or an answer.
    feedback,        ///< The user's feedback waits.
    feedback_taken,  ///< All feedback that waits became messages.
    summary,         ///< A step has a summary, or the steps that left the prompts have one.
    metrics,         ///< A step has other metrics.
    rewind,          ///< Steps were dropped.
    decision,        ///< A call was approved or refused, or has other arguments.
    note,            ///< Something for people; no part of the history.
    snapshot         ///< The whole history as it is here, so that reading can begin here.
};

/// Returns the name of the enumerator, as it is stored.
[[nodiscard]] std::string_view to_string(RecordKind kind) noexcept;

/// A record to be appended.
struct NewRecord {
    RecordKind kind = RecordKind::note;  ///< What it says.
    std::string call_id{};               ///< The id of the call in its step, of records of calls; else empty.
    std::string body{};                  ///< JSON.

    friend bool operator==(const NewRecord&, const NewRecord&) = default;
};

/// The format of the bodies that this acta writes. A store keeps it with each record.
inline constexpr int record_format = 1;

/// A record in a store.
struct Record {
    std::uint64_t seq = 0;               ///< Its number in its history, from 1.
    RecordKind kind = RecordKind::note;  ///< What it says.
    int format = record_format;          ///< The format of its body.
    Timestamp at{};                      ///< When it was appended, by the store's clock.
    std::string call_id{};               ///< As in `NewRecord`.
    std::string body{};                  ///< As in `NewRecord`.

    friend bool operator==(const Record&, const Record&) = default;
};

/// Where a writer believes a history to be.
struct Position {
    std::uint64_t version = 0;  ///< The number of records.
    std::uint64_t epoch = 0;    ///< How often the lease has changed hands.

    friend bool operator==(const Position&, const Position&) = default;
};

/// Who may write a history, and until when.
struct Lease {
    std::string holder{};     ///< A name for people and logs, such as host and process.
    std::uint64_t epoch = 0;  ///< The epoch that came with it.
    Timestamp until{};        ///< By the store's clock.

    friend bool operator==(const Lease&, const Lease&) = default;
};

/// What a store knows of a history besides its records.
struct HistoryInfo {
    std::string id{};              ///< 1 to 255 bytes of UTF-8.
    Position position{};           ///< Its newest record, and the epoch.
    std::uint64_t snapshot = 0;    ///< The number of its newest snapshot; 0 without one.
    std::string type{};            ///< The title of the proposals' schema.
    JsonObject labels{};           ///< What its owner wants to find it by.
    std::string forked_from{};     ///< `<id>@<version>` of a fork; else empty.
    Timestamp created{};           ///< When it was created.
    Timestamp updated{};           ///< When a record was last appended.
    std::optional<Lease> lease{};  ///< The lease, which may have expired.

    friend bool operator==(const HistoryInfo&, const HistoryInfo&) = default;
};

/// Which histories to list. Every condition must hold.
struct HistoryQuery {
    std::string id_prefix{};                    ///< How their ids begin.
    JsonObject labels{};                        ///< Labels that they have, with these values.
    std::optional<Timestamp> updated_before{};  ///< They were last updated before.
    std::size_t limit = 100;                    ///< At most so many.
    std::string after{};                        ///< The last id of the page before; the first page without it.
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/store/detail/record.inl.hpp"
#endif
