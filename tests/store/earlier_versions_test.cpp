// SPDX-License-Identifier: MIT
#include <fstream>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "acta/history/change.hpp"
#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "acta/store/memory_store.hpp"
#include "acta/store/stored_history.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

// Records that earlier versions have written (tests/data/store/README.md).

namespace {

acta::Json read(const std::string& name) {
    std::ifstream file(paths::source("tests/data/store/" + name));
    REQUIRE(file);
    return acta::Json::parse(file);
}

acta::RecordKind kind_of(const std::string& name) {
    for (int i = 0; i <= static_cast<int>(acta::RecordKind::snapshot); ++i) {
        if (to_string(static_cast<acta::RecordKind>(i)) == name) return static_cast<acta::RecordKind>(i);
    }
    FAIL(name << " is not a kind");
    return {};
}

/// Keeps the records of each change, as a store's journal makes them.
class Records : public acta::HistoryJournal<acta::ActionProposal<>> {
public:
    void on_change(const acta::HistoryChange<>& change) override {
        for (acta::NewRecord& one : acta::store_detail::records_of(change)) records.push_back(std::move(one));
    }
    std::vector<acta::NewRecord> records{};
};

}  // namespace

TEST_CASE("records of earlier versions are read, and written in the same bytes") {
    const acta::Json document = read("records.json");
    std::vector<acta::NewRecord> records;
    for (const acta::Json& one : document["records"])
        records.push_back({kind_of(one["kind"]), one["call_id"], one["body"], {}});
    REQUIRE(records.size() == 243);
    acta::MemoryStore store;
    store.create("task");
    store.append("task", {}, records);
    CHECK(acta::dump(acta::read_history(store, "task")) == document["history"].dump());

    acta::EpisodicActionHistory<> again;
    Records journal;
    again.set_journal(&journal);
    store.read("task", {}, [&](const acta::Record& record) {
        INFO(record.seq << ' ' << record.body);
        if (record.kind == acta::RecordKind::note) return true;
        again.apply(acta::store_detail::change_of<acta::ActionProposal<>>(record));
        REQUIRE(journal.records.size() == record.seq);
        CHECK(journal.records.back() == records[record.seq - 1]);
        return true;
    });
}
