// SPDX-License-Identifier: MIT
#pragma once

// What list and prune have in common: conditions, and the table of histories.

#include <acta/store/history_store.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "source.hpp"

namespace tools {

/// Returns labels from `KEY=VALUE`, whose value is JSON, or text if it is none. Throws `Failure` (`usage`).
[[nodiscard]] acta::JsonObject labels_of(const std::vector<std::string>& words);

/// Returns a moment from a timestamp, UTC if it names no zone, or from an age such as `30d`, `12h`, `2w`. Throws
/// `Failure` (`usage`).
[[nodiscard]] acta::Timestamp moment_of(const std::string& text);

/// Returns all histories that a query asks for, whatever its limit; of an address with an id only that one. Throws
/// `Failure` (`input`) if the store has none of this id.
[[nodiscard]] std::vector<acta::HistoryInfo> list_all(acta::HistoryStore& store, acta::HistoryQuery query,
                                                      const Address& source);

/// Returns a table with a line for each history, safe for a terminal.
[[nodiscard]] std::string table_of(const std::vector<acta::HistoryInfo>& histories);

/// Returns a timestamp without fractions of a second.
[[nodiscard]] std::string short_time(acta::Timestamp at);

}  // namespace tools
