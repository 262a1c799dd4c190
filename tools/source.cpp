// SPDX-License-Identifier: MIT
#include "source.hpp"

#include <acta/base/file.hpp>
#include <acta/interop/trajectory.hpp>
#include <acta/json/issue.hpp>
#include <acta/json/json.hpp>
#include <acta/store/history_store.hpp>
#include <acta/store/json.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <utility>
#include <vector>

#include "output.hpp"

#if defined(ACTA_TOOLS_SQLITE)
#include <acta/store/sqlite/store.hpp>
#endif
#if defined(ACTA_TOOLS_POSTGRES)
#include <libpq-fe.h>

#include <acta/store/postgres/store.hpp>
#endif

namespace tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view sqlite_scheme = "sqlite:";

bool is_postgres(std::string_view source) {
    return source.starts_with("postgres:") || source.starts_with("postgresql:");
}

bool is_sqlite_file(const fs::path& path) {
    constexpr std::string_view magic{"SQLite format 3\0", 16};
    std::string head(magic.size(), ' ');
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return false;  // reading would take from a pipe what is needed later
    std::ifstream in(path, std::ios::binary);
    return in.read(head.data(), static_cast<std::streamsize>(head.size())) && head == magic;
}

/// Returns where the id of a word begins: behind this `#`, which the path of a file may have itself.
std::size_t mark_of(const std::string& word, Place place, bool id_follows) {
    std::size_t mark = word.find('#');
    if (is_postgres(word)) {
        // The password among libpq's keywords may have one, where further keywords follow.
        const auto keywords_follow = [&] { return word.find('=', word.find(' ', mark)) != std::string::npos; };
        while (mark != std::string::npos && word.find("//") == std::string::npos && keywords_follow())
            mark = word.find('#', mark + 1);
        return mark;
    }
    const bool named = word.starts_with(sqlite_scheme);
    const std::size_t begin = named ? sqlite_scheme.size() : 0;
    std::error_code ignored;
    if ((place == Place::store || !named || id_follows) && fs::exists(word.substr(begin), ignored))
        return std::string::npos;
    for (std::size_t at = mark; at != std::string::npos; at = word.find('#', at + 1)) {
        const fs::path path = word.substr(begin, at - begin);
        if (named ? fs::exists(path, ignored) : is_sqlite_file(path)) return at;
    }
    if (fs::exists(word.substr(begin), ignored)) return std::string::npos;
    return named || place == Place::store ? mark : std::string::npos;
}

/// Reads the address at the beginning of some words, and returns how many it has.
std::size_t read_address(std::span<const std::string> words, Place place, Address& out) {
    const std::string& word = words.front();
    const std::size_t mark = mark_of(word, place, words.size() > 1);
    out.place = word.substr(0, mark);
    out.in_store = place == Place::store || out.place.starts_with(sqlite_scheme) || is_postgres(out.place) ||
                   is_sqlite_file(out.place);
    if (!out.in_store) return 1;
    if (mark != std::string::npos) {
        out.id = word.substr(mark + 1);
        require_id(out);
        return 1;
    }
    if (words.size() > 1) out.id = words[1];
    return std::min<std::size_t>(words.size(), 2);
}

std::unique_ptr<acta::HistoryStore> open_sqlite(const std::string& path, [[maybe_unused]] Access access) {
#if defined(ACTA_TOOLS_SQLITE)
    std::error_code error;
    if (!fs::exists(path, error))
        throw Failure(Exit::input, "there is no file '" + path + "', and acta does not create stores");
    if (!is_sqlite_file(path)) throw Failure(Exit::input, "'" + path + "' is not an SQLite file");
    acta::sqlite::Options options;
    options.read_only = access == Access::read;
    return std::make_unique<acta::sqlite::Store>(path, options);
#else
    throw Failure(Exit::input, "'" + path + "' needs SQLite, and this acta was built without (ACTA_SQLITE)");
#endif
}

#if defined(ACTA_TOOLS_POSTGRES)
/// Throws if the database answers and has no tables of acta's: the store would make them. Everything else that may be
/// wrong is for the store to say.
void require_tables(const std::string& connection) {
    const char* const names[] = {"connect_timeout", "dbname", nullptr};
    const char* const values[] = {"10", connection.c_str(), nullptr};
    const std::unique_ptr<PGconn, void (*)(PGconn*)> database(PQconnectdbParams(names, values, 1), PQfinish);
    const std::string schema = acta::postgres::Options().schema;
    const char* const parameter = schema.c_str();
    const std::unique_ptr<PGresult, void (*)(PGresult*)> found(
        PQexecParams(database.get(), "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1", 1, nullptr, &parameter,
                     nullptr, nullptr, 0),
        PQclear);
    if (PQresultStatus(found.get()) == PGRES_TUPLES_OK && PQntuples(found.get()) == 0)
        throw Failure(Exit::input, "the database has no schema '" + schema + "', and acta does not create stores");
}
#endif

std::unique_ptr<acta::HistoryStore> open_postgres(const std::string& source) {
#if defined(ACTA_TOOLS_POSTGRES)
    const std::string_view rest = std::string_view(source).substr(source.find(':') + 1);
    const std::string connection = rest.starts_with("//") ? source : std::string(rest);
    require_tables(connection);
    return std::make_unique<acta::postgres::Store>(connection);
#else
    throw Failure(Exit::input, "'" + source + "' needs PostgreSQL, and this acta was built without (ACTA_POSTGRES)");
#endif
}

/// Returns whether lenient reading would accept what strict reading refused.
bool lenient_would_read(const std::string& text) {
    try {
        static_cast<void>(acta::parse_trajectory(text, {.lenient = true}));
        return true;
    } catch (const acta::Error&) {
        return false;
    }
}

[[noreturn]] void fail_to_read(const std::string& name, const acta::ValidationError& error, bool hint) {
    constexpr std::size_t enough = 5;
    const std::size_t count = error.issues().size();
    std::string text = "cannot read '" + name + "'";
    text += count == 1 ? ": " + issue_text(error.issues().front()) : "";
    for (std::size_t i = 0; count > 1 && i < std::min(count, enough); ++i)
        text += "\n  " + issue_text(error.issues()[i]);
    if (count > enough) text += "\n  and " + std::to_string(count - enough) + " more";
    if (hint) text += "\n  --lenient keeps what can be read";
    throw Failure(Exit::input, text);
}

void report_notes(const std::string& name, const acta::TrajectoryReport& report) {
    constexpr std::size_t enough = 20;
    for (std::size_t i = 0; i < std::min(report.size(), enough); ++i) {
        const acta::TrajectoryNote& note = report[i];
        std::string text = name + ": " + std::string(acta::to_string(note.kind));
        if (note.step) text += ", step " + std::to_string(*note.step + 1);
        complain(text + ": " + note.message);
    }
    if (report.size() > enough) complain(name + ": and " + std::to_string(report.size() - enough) + " more notes");
}

Run read_stored(const Address& source) {
    require_id(source);
    const std::unique_ptr<acta::HistoryStore> store = open_store(source.place, Access::read);
    const std::string name = without_passwords(source.text());
    try {
        const std::string json = acta::export_json<acta::ActionProposal<acta::Json>>(*store, source.id);
        acta::Trajectory run = acta::parse_trajectory(json);  // its thoughts may have any type
        report_notes(name, run.report);
        return {name, "history in a store", std::move(run.history)};
    } catch (const acta::ValidationError& error) {
        fail_to_read(name, error, false);
    } catch (const acta::StoreError&) {
        fail_of_store();
    }
}

}  // namespace

std::string issue_text(const acta::Issue& issue) {
    std::string out = issue.message;
    if (!issue.loc.empty()) out += " at " + issue.pointer();
    if (issue.line != 0 && issue.type != "json_invalid")  // whose message has the place
        out += " (line " + std::to_string(issue.line) + ", column " + std::to_string(issue.column) + ")";
    return out;
}

std::vector<Address> addresses(std::span<const std::string> words, Place place) {
    std::vector<Address> out;
    while (!words.empty()) words = words.subspan(read_address(words, place, out.emplace_back()));
    return out;
}

Address address_of(std::vector<std::string> words, Place place) {
    std::erase_if(words, [&](const std::string& word) { return word.empty() && &word != words.data(); });
    Address out;
    const std::size_t used = read_address(words, place, out);
    if (used < words.size()) throw WrongArguments("the argument '" + words[used] + "' is one too many");
    return out;
}

bool names_a_run(const std::string& word) {
    std::error_code ignored;
    return word.starts_with(sqlite_scheme) || is_postgres(word) || fs::exists(word, ignored);
}

void require_id(const Address& address) {
    if (address.in_store && address.id.empty())
        throw WrongArguments("'" + address.place + "' is a store: name a history in it, as " + address.place +
                             "#ID (`acta list " + address.place + "` shows the ids)");
}

void require_one_stdin(std::span<const Address> sources) {
    if (std::ranges::count(sources, "-", &Address::place) > 1)
        throw WrongArguments("only one of the runs can be standard input");
}

void require_other_file(const Address& source, const std::string& out) {
    const bool named = source.place.starts_with(sqlite_scheme);
    std::error_code ignored;
    if (fs::equivalent(named ? source.place.substr(sqlite_scheme.size()) : source.place, out, ignored))
        throw Failure(Exit::usage, "'" + out + "' is the run that is read: name another file for the output");
}

acta::HistoryInfo find_history(acta::HistoryStore& store, const Address& address) {
    require_id(address);
    try {
        if (auto info = store.find(address.id)) return *std::move(info);
    } catch (const acta::StoreError&) {
        fail_of_store();
    }
    throw Failure(Exit::input,
                  "there is no history '" + address.id + "' (`acta list " + address.place + "` shows the ids)");
}

void fail_of_store() {
    try {
        throw;
    } catch (const acta::StoreNotFound& error) {
        throw Failure(Exit::input, std::string(error.what()) + " (`acta list` shows the ids)");
    } catch (const acta::StoreGone& error) {
        throw Failure(Exit::input, error.what());
    } catch (const acta::StoreTooNew& error) {
        throw Failure(Exit::input, error.what());
    } catch (const acta::StoreCorrupt& error) {
        throw Failure(Exit::input, error.what());
    } catch (const acta::StoreError& error) {
        throw Failure(Exit::refused, error.what());
    }
}

std::unique_ptr<acta::HistoryStore> open_store(const std::string& source, Access access) {
    const Progress progress("opening " + source);
    try {
        if (is_postgres(source)) return open_postgres(source);
        const bool named = source.starts_with(sqlite_scheme);
        return open_sqlite(named ? source.substr(sqlite_scheme.size()) : source, access);
    } catch (const acta::StoreError& error) {
        throw Failure(Exit::input, error.what());
    }
}

Run read_run(const Address& source, bool lenient) {
    const Progress progress("reading " + source.text());
    if (source.in_store) return read_stored(source);
    const std::string name = source.place == "-" ? "standard input" : source.place;
    acta::TrajectoryOptions options;
    options.lenient = lenient;
    std::vector<acta::Issue> warnings;
    options.parse.warnings = &warnings;
    std::string text;
    try {
        text = acta::codec::read_file_text(source.place == "-" ? "/dev/stdin" : source.place, options.parse.max_bytes,
                                           true);
        acta::Trajectory run = acta::parse_trajectory(text, options);
        for (const acta::Issue& warning : warnings) complain(name + ": " + warning.message);
        report_notes(name, run.report);
        return {name, std::string(acta::to_string(run.format)), run.with_sub_runs()};
    } catch (const acta::FileError& error) {
        throw Failure(Exit::input, error.what());
    } catch (const acta::ValidationError& error) {
        fail_to_read(name, error, !lenient && lenient_would_read(text));
    }
}

}  // namespace tools
