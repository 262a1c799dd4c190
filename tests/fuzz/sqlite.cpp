// SPDX-License-Identifier: MIT
// Databases with some bytes changed: an error, or the records that were stored, in little time and memory. The input is
// a list of changes, of four bytes each: the page, two of the place in it, and the new value.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "acta/store/sqlite/store.hpp"
#include "acta/store/stored_history.hpp"
#include "fuzz.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path& file() {
    static const fs::path path = fs::temp_directory_path() / ("acta_fuzz_" + std::to_string(::getpid()) + ".db");
    return path;
}

std::string make_database() {
    fs::remove(file());
    {
        acta::sqlite::Store store(file());
        for (const char* const id : {"a", "b", "c"}) {
            auto run = acta::StoredHistory<>::open_or_create(store, id);
            run.register_message(acta::ChatMessage::user("When is high water?"));
            for (int i = 0; i < 5; ++i) {
                run.register_action({.thoughts = "Look it up.", .use_tool = {"tides", {{"day", i}}}});
                run.register_result(acta::ActionSuccessResult{std::string(200, 'x')});
            }
        }
    }
    std::ifstream in(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The records of a history, one in a line.
std::string records_of(acta::sqlite::Store& store, const std::string& id) {
    std::string out;
    store.read(id, {}, [&](const acta::Record& record) {
        out += std::to_string(record.seq) + " " + record.call_id + " " + record.body + "\n";
        return true;
    });
    return out;
}

void run(std::string_view text) {
    static const std::string original = make_database();
    static const std::string records = [] {
        acta::sqlite::Store store(file(), {.read_only = true});
        return records_of(store, "a");
    }();
    std::string changed = original;
    for (; text.size() >= 4; text.remove_prefix(4)) {
        const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(text[i])); };
        changed[(byte(0) * 4096 + byte(1) * 256 + byte(2)) % changed.size()] = text[3];
    }
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << changed;
    try {
        acta::sqlite::Store store(file(), {.read_only = true});
        for (const acta::HistoryInfo& info : store.list()) {
            try {
                const std::string found = records_of(store, info.id);
                // An entry may be damaged so that it names fewer records, or another one's.
                if (info.id == "a" && info.position.version > 0)
                    fuzz::require(records.starts_with(found.substr(0, found.find('\n'))), "other records", found);
            } catch (const acta::StoreError&) {
            }
        }
    } catch (const acta::StoreError&) {
    }
}

}  // namespace

FUZZ_TARGET(run)
