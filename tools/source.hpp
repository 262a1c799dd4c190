// SPDX-License-Identifier: MIT
#pragma once

// What the command reads: files of every format, and histories in stores.

#include <acta/history/history.hpp>
#include <acta/json/issue.hpp>
#include <acta/store/history_store.hpp>
#include <memory>
#include <string>
#include <string_view>

namespace tools {

using History = acta::EpisodicActionHistory<>;

/// A run that was read.
struct Run {
    std::string name{};    ///< As the user named it, without a password.
    std::string format{};  ///< Such as `ATIF trajectory`.
    History history{};
};

/// Reads a run: a file, `-` for standard input, `sqlite:path#id`, or `postgres://…#id`. With `lenient`, what the strict
/// readers refuse is kept, and named on standard error. Throws `Failure` (`input`, or `usage` for a source without an
/// id).
[[nodiscard]] Run read_run(const std::string& source, bool lenient = false);
/// Throws `Failure` (`usage`) if a command would write over the run that it reads, also through a link.
void require_other_file(const std::string& source, const std::string& out);

/// Whether a source is a file, not a history in a store. Throws `Failure` (`usage`) if it is the file of a store.
[[nodiscard]] bool is_file(const std::string& source);

/// Returns an issue as a line: its message and its place.
[[nodiscard]] std::string issue_text(const acta::Issue& issue);

/// Opens a store: `sqlite:path`, `postgres://…`, `postgres:KEYWORDS`, or the path of an SQLite file. It is never created.
/// To read it, the right to write is not needed, and nothing is left beside an SQLite file. Throws `Failure` (`input`).
enum class Access { read, write };
[[nodiscard]] std::unique_ptr<acta::HistoryStore> open_store(const std::string& source, Access access);

/// Ends the command with what the store said: `input` if something is not there or unreadable, else `refused`.
[[noreturn]] void fail_of_store();

/// What the help says of FILE, and of STORE.
inline constexpr std::string_view file_help =
    "A file of any format that acta reads, - for standard input, sqlite:PATH#ID, or postgres://...#ID";
inline constexpr std::string_view store_help =
    "sqlite:PATH, postgres://USER@HOST/DATABASE, or postgres: with libpq's keywords";

}  // namespace tools
