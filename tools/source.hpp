// SPDX-License-Identifier: MIT
#pragma once

// What the command reads: files of every format, and histories in stores.

#include <acta/history/history.hpp>
#include <acta/json/issue.hpp>
#include <acta/store/history_store.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

using History = acta::EpisodicActionHistory<>;

/// A run that was read.
struct Run {
    std::string name{};    ///< As the user named it, without a password.
    std::string format{};  ///< Such as `ATIF trajectory`.
    History history{};
};

/// Where a run is: a file, or a history in a store.
struct Address {
    std::string place{};  ///< The file, or the store.
    std::string id{};     ///< Of the history; empty for a file, or if only the store is named.
    bool in_store = false;

    /// Returns the address as one word.
    [[nodiscard]] std::string text() const { return id.empty() ? place : place + "#" + id; }
};

/// What the first word of an address is: `any` for a file or a store.
enum class Place { any, store };

/// Reads addresses: a file, `-` for standard input, `STORE#ID` or `STORE ID`, where STORE is as for `open_store`. A
/// store without `#ID` takes the next word for its id, and is named alone if there is none.
[[nodiscard]] std::vector<Address> addresses(std::span<const std::string> words, Place place);
/// Reads the only address, whose words may be empty after the first. Throws `Failure` (`usage`) if there is more.
[[nodiscard]] Address address_of(std::vector<std::string> words, Place place);
/// Whether a word is the address of something that can be there: a file that exists, or a store.
[[nodiscard]] bool names_a_run(const std::string& word);
/// Throws `Failure` (`usage`) if an address names a store, and no history in it.
void require_id(const Address& address);

/// Throws `Failure` (`usage`) if more than one run comes from standard input.
void require_one_stdin(std::span<const Address> sources);

/// Reads a run. With `lenient`, what the strict readers refuse is kept, and named on standard error. Throws `Failure`
/// (`input`, or `usage` for a store without an id).
[[nodiscard]] Run read_run(const Address& source, bool lenient = false);
/// Throws `Failure` (`usage`) if a command would write over the run that it reads, also through a link.
void require_other_file(const Address& source, const std::string& out);

/// Returns an issue as a line: its message and its place.
[[nodiscard]] std::string issue_text(const acta::Issue& issue);

/// Opens a store: `sqlite:path`, `postgres://…`, `postgres:KEYWORDS`, or the path of an SQLite file. It is never created.
/// To read it, the right to write is not needed, and nothing is left beside an SQLite file. Throws `Failure` (`input`).
enum class Access { read, write };
[[nodiscard]] std::unique_ptr<acta::HistoryStore> open_store(const std::string& source, Access access);

/// Returns the entry of a history. Throws `Failure` (`input`) if there is none, or (`usage`) if its id is missing.
[[nodiscard]] acta::HistoryInfo find_history(acta::HistoryStore& store, const Address& address);

/// Ends the command with what the store said: `input` if something is not there or unreadable, else `refused`.
[[noreturn]] void fail_of_store();

/// What the help says of FILE, of STORE, and of the ID after either.
inline constexpr std::string_view file_help =
    "A file of any format that acta reads, - for standard input, or a history in a store: STORE#ID or STORE ID, where "
    "STORE is sqlite:PATH or postgres://...";
inline constexpr std::string_view store_help =
    "sqlite:PATH, postgres://USER@HOST/DATABASE, or postgres: with libpq's keywords";
inline constexpr std::string_view id_help = "The history, if it is not part of the word before as in STORE#ID";

}  // namespace tools
