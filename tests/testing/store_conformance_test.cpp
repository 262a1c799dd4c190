// SPDX-License-Identifier: MIT
// The conformance suite itself: it passes a store that keeps the promises, and finds each fault.
#include "acta/testing/store_conformance.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/store/memory_store.hpp"
#include "store/broken_stores.hpp"
#include "support/catch.hpp"
#include "support/recorded.hpp"

namespace {

namespace broken = broken_stores;

using Open = std::unique_ptr<acta::HistoryStore> (*)(acta::HistoryStore& store);
template <class Store>
std::unique_ptr<acta::HistoryStore> open_as(acta::HistoryStore& store) {
    return std::make_unique<Store>(store);
}
std::unique_ptr<acta::HistoryStore> open_empty(acta::HistoryStore&) { return std::make_unique<acta::MemoryStore>(); }

/// The checks in which threads meet, so that what they notice is not always the same.
const std::set<std::string_view>& with_threads() {
    static const std::set<std::string_view> all = {"a reader sees all records of an append, or none",
                                                   "several writers at once lose no record",
                                                   "of two that acquire a lease at once one has it"};
    return all;
}

/// Returns which checks of a guarantee fail; of all of them, if it is empty.
std::vector<std::string_view> failing(std::string_view guarantee, Open open, Open open_again) {
    acta::MemoryStore memory;
    const std::unique_ptr<acta::HistoryStore> store = open(memory);
    std::vector<std::string_view> out;
    for (const acta::testing::StoreCheck& check : acta::testing::store_checks()) {
        if (!guarantee.empty() && check.guarantee != guarantee) continue;
        INFO(check.name);
        try {
            check.run({*store, [&] { return open_again(memory); }});
        } catch (const acta::testing::CheckFailed& failed) {
            CHECK(std::string_view(failed.what()).size() > 10);
            out.push_back(check.name);
        } catch (const acta::StoreError& error) {  // of a step on the way to what is checked
            CHECK_THAT(std::string(error.what()), contains_text("history '"));
            out.push_back(check.name);
        }
    }
    return out;
}

struct Fault {
    std::string_view guarantee;
    std::string_view name;
    Open open;
    Open open_again = open_as<broken::Door>;
};
#define ACTA_FAULT(guarantee, Store) \
    Fault { guarantee, #Store, open_as<broken::Store> }

const std::vector<Fault>& faults() {
    static const std::vector<Fault> all = {
        {"durable", "others find nothing", open_as<broken::Door>, open_empty},
        {"durable", "others miss a record", open_as<broken::Door>, open_as<broken::LosesTheLastRecord>},
        {"durable", "others miss the lease", open_as<broken::Door>, open_as<broken::ForgetsLeases>},
        ACTA_FAULT("ordered", LosesTheLastRecord),
        ACTA_FAULT("atomic", AppendsOneByOne),
        ACTA_FAULT("atomic", AppendsAPartOfWhatItRefuses),
        ACTA_FAULT("atomic", ReadsWhatComesMeanwhile),
        ACTA_FAULT("ordered", TurnsBatchesAround),
        ACTA_FAULT("ordered", NumbersFromZero),
        ACTA_FAULT("ordered", ReadsToTheEnd),
        ACTA_FAULT("optimistic", AcceptsAnyVersion),
        ACTA_FAULT("optimistic", SaysTheWrongVersion),
        ACTA_FAULT("one writer", IgnoresTheEpoch),
        ACTA_FAULT("one writer", GivesTwoLeases),
        ACTA_FAULT("one writer", NeverExpires),
        ACTA_FAULT("one writer", DoesNotRenew),
        ACTA_FAULT("one writer", RenewsByAcquiring),
        ACTA_FAULT("one writer", RenewsForAnyone),
        ACTA_FAULT("one writer", ReleasesForAnyone),
        ACTA_FAULT("one writer", HasAnotherClock),
        ACTA_FAULT("one writer", CountsAcquisitionsTwice),
        // Both of two that acquire at once have the fault: each waits until the other one has looked.
        {"one writer", "ChecksBeforeItAcquires", open_as<broken::ChecksBeforeItAcquires>,
         open_as<broken::ChecksBeforeItAcquires>},
        ACTA_FAULT("bounded", ForgetsSnapshots),
        ACTA_FAULT("forks", ForksShare),
        ACTA_FAULT("forks", ForksExclusively),
        ACTA_FAULT("forks", ForksForgetLabels),
        ACTA_FAULT("forks", ForksBeyondTheEnd),
        ACTA_FAULT("forks", ErasesForks),
        ACTA_FAULT("gone is gone", ForgetsWhatWasErased),
        ACTA_FAULT("gone is gone", IgnoresLateAppends),
        ACTA_FAULT("gone is gone", FindsNothingWhereErased),
        ACTA_FAULT("lost answers", StoresRepetitionsTwice),
        ACTA_FAULT("lost answers", RefusesRepetitions),
        ACTA_FAULT("lost answers", TakesOthersForRepetitions),
        ACTA_FAULT("lost answers", RepeatsForFormerWriters),
        ACTA_FAULT("lost answers", TakesEqualRecordsForRepetitions),
        ACTA_FAULT("lost answers", RepeatsWithoutTokens),
        ACTA_FAULT("lost answers", RepeatsWithoutTheToken),
        ACTA_FAULT("formats", ForgetsTheFormat),
        ACTA_FAULT("formats", RewritesBodies),
        ACTA_FAULT("formats", ReplacesNul),
        ACTA_FAULT("formats", CutsLongBodies),
        ACTA_FAULT("formats", ForgetsCalls),
        ACTA_FAULT("formats", ForgetsLabels),
        ACTA_FAULT("formats", ForgetsTheType),
        ACTA_FAULT("formats", ForgetsWhenItWasUpdated),
        ACTA_FAULT("nothing silent", ReadsNothingWhereNoneIs),
        ACTA_FAULT("nothing silent", CreatesAgain),
        ACTA_FAULT("nothing silent", ErasesWhatIsNotThere),
        ACTA_FAULT("nothing silent", ToleratesBadIds),
        ACTA_FAULT("nothing silent", DoesNotNameTheHistory),
        ACTA_FAULT("nothing silent", TrimsIds),
        ACTA_FAULT("listing", ListsWithoutCase),
        ACTA_FAULT("listing", TakesPrefixesForPatterns),
        ACTA_FAULT("listing", RepeatsTheLastOfAPage),
        ACTA_FAULT("listing", IgnoresLimits),
        ACTA_FAULT("listing", LimitsBeforeItLooksAtLabels),
        ACTA_FAULT("listing", IgnoresLastUse),
    };
    return all;
}

// One wrong answer at a time ---------------------------------------------------------------------------

/// Which answer of a store is wrong, and in which of the ways that there are for it.
struct WrongAnswer {
    std::size_t call = 0;
    std::size_t way = 0;
    bool is_each = false;   // all that are known of histories are, instead
    std::size_t calls = 0;  // that there were
    bool is_made = false;
};

void change(acta::Timestamp& time, std::chrono::hours by) {
    time = acta::store_detail::timestamp_of(
        std::chrono::duration_cast<std::chrono::microseconds>((*time.instant() + by).time_since_epoch()).count());
}

// Each changes an answer in one way, and returns false if there are fewer ways than that.

bool change(acta::Lease& lease, std::size_t way) {
    switch (way) {
        case 0: lease.holder += 'x'; break;
        case 1: lease.epoch += 1; break;
        case 2: change(lease.until, std::chrono::hours(-2)); break;
        case 3: change(lease.until, std::chrono::hours(2)); break;
        default: return false;
    }
    return true;
}
bool change(acta::Appended& done, std::size_t way) {
    switch (way) {
        case 0: done.position.version += 1; break;
        case 1: done.position.epoch += 1; break;
        case 2: done.already_there = !done.already_there; break;
        default: return false;
    }
    return true;
}
constexpr std::size_t ways_of_info = 11;
bool change(acta::HistoryInfo& info, std::size_t way) {
    switch (way) {
        case 0: info.id += 'x'; break;
        case 1: info.position.version += 1; break;
        case 2: info.position.epoch += 1; break;
        case 3: info.snapshot += 1; break;
        case 4: info.type += 'x'; break;
        case 5: info.labels["x"] = 1; break;
        case 6: info.forked_from += 'x'; break;
        case 7: change(info.created, std::chrono::hours(-2)); break;
        case 8: change(info.updated, std::chrono::hours(-2)); break;
        case 9: change(info.updated, std::chrono::hours(2)); break;
        case 10: info.lease = info.lease ? std::nullopt : std::optional(acta::Lease()); break;
        default: return false;
    }
    return true;
}
bool change(std::optional<acta::HistoryInfo>& info, std::size_t way) {
    if (!info) {
        if (way == 0) info.emplace();
        return way == 0;
    }
    if (way > 0) return change(*info, way - 1);
    info.reset();
    return true;
}
bool change(std::vector<acta::HistoryInfo>& list, std::size_t way) {
    if (list.empty() && way > 0) return false;
    switch (way) {
        case 0: list.emplace_back().id = "another"; return true;
        case 1: list.pop_back(); return true;
        case 2: std::ranges::reverse(list); return true;
        default: return change(list.front(), way - 3);
    }
}
bool change(std::vector<acta::Record>& records, std::size_t way) {
    if (way == 0) {
        records.emplace_back();
        return true;
    }
    if (records.empty()) return false;
    acta::Record& last = records.back();
    switch (way) {
        case 1: records.pop_back(); break;
        case 2: std::ranges::reverse(records); break;
        case 3: last.seq += 1; break;
        case 4:
            last.kind = last.kind == acta::RecordKind::note ? acta::RecordKind::call : acta::RecordKind::note;
            break;
        case 5: last.format += 1; break;
        case 6: change(last.at, std::chrono::hours(-2)); break;
        case 7: last.call_id += 'x'; break;
        case 8: last.body.insert(1, " "); break;
        default: return false;
    }
    return true;
}

/// Throws in place of the error that is being handled: another error of stores, or one that does not name the history.
void throw_another(std::size_t way) {
    try {
        throw;
    } catch (const acta::StoreConflict& error) {
        if (way == 0) throw acta::StoreConflict("conflict", error.expected(), error.found());
        if (way == 1) throw acta::StoreConflict(error.what(), error.expected() + 1, error.found());
        if (way == 2) throw acta::StoreConflict(error.what(), error.expected(), error.found() + 1);
        if (way == 3) throw acta::StoreTooNew(error.what());
    } catch (const acta::StoreCorrupt& error) {
        if (way == 0) throw acta::StoreCorrupt("corrupt", error.seq());
        if (way == 1) throw acta::StoreCorrupt(error.what(), error.seq() + 1);
        if (way == 2) throw acta::StoreTooNew(error.what());
    } catch (const acta::LeaseLost& error) {
        if (way == 0) throw acta::LeaseLost("lost");
        if (way == 1) throw acta::StoreTooNew(error.what());
    } catch (const acta::StoreGone& error) {
        if (way == 0) throw acta::StoreGone("gone");
        if (way == 1) throw acta::StoreTooNew(error.what());
    } catch (const acta::StoreNotFound& error) {
        if (way == 0) throw acta::StoreNotFound("not found");
        if (way == 1) throw acta::StoreTooNew(error.what());
    } catch (const acta::StoreExists& error) {
        if (way == 0) throw acta::StoreExists("exists");
        if (way == 1) throw acta::StoreTooNew(error.what());
    } catch (const acta::StoreError&) {
        if (way == 0) throw acta::StoreError("error");
    }
}

/// A store that answers one call wrongly. Records of it can be damaged.
class AnswersOnceWrongly : public broken::Door {
public:
    AnswersOnceWrongly(acta::HistoryStore& inner, WrongAnswer& wrong,
                       std::set<std::pair<std::string, std::uint64_t>>& damaged)
        : Door(inner), wrong_(wrong), damaged_(damaged) {}

    acta::HistoryInfo create(std::string_view id, std::string_view type, const acta::JsonObject& labels) override {
        return answer([&] { return store.create(id, type, labels); });
    }
    std::optional<acta::HistoryInfo> find(std::string_view id) override {
        return answer([&] { return store.find(id); });
    }
    acta::Appended append(std::string_view id, acta::Position at, std::span<const acta::NewRecord> records) override {
        return answer([&] { return store.append(id, at, records); });
    }
    void read(std::string_view id, acta::RecordRange range, const broken::Each& each) override {
        // A reader may use the store, so that what is wrong is decided before.
        const std::vector<acta::Record> read = answer([&] {
            std::vector<acta::Record> out;
            store.read(id, range, [&](const acta::Record& record) {
                if (damaged_.contains({std::string(id), record.seq}))
                    throw acta::StoreCorrupt("history '" + std::string(id) + "'", record.seq);
                out.push_back(record);
                return true;
            });
            return out;
        });
        for (const acta::Record& record : read)
            if (!each(record)) return;
    }
    std::vector<acta::HistoryInfo> list(const acta::HistoryQuery& query) override {
        return answer([&] { return store.list(query); });
    }
    acta::HistoryInfo fork(std::string_view id, std::uint64_t at, std::string_view new_id) override {
        return answer([&] { return store.fork(id, at, new_id); });
    }
    acta::Lease acquire(std::string_view id, std::string_view holder, std::chrono::microseconds time) override {
        return answer([&] { return store.acquire(id, holder, time); });
    }
    acta::Lease renew(std::string_view id, const acta::Lease& lease, std::chrono::microseconds time) override {
        return answer([&] { return store.renew(id, lease, time); });
    }
    void release(std::string_view id, const acta::Lease& lease) override {
        answer([&] { return store.release(id, lease); });
    }
    void erase(std::string_view id) override {
        answer([&] { return store.erase(id); });
    }

private:
    template <class Call>
    std::invoke_result_t<Call> answer(const Call& call) {
        using Answer = std::invoke_result_t<Call>;
        if (wrong_.is_each) {
            if constexpr (std::is_void_v<Answer>) {
                return call();
            } else {
                Answer out = call();
                change_each(out);
                return out;
            }
        }
        if (wrong_.calls++ != wrong_.call) return call();
        wrong_.is_made = true;
        try {
            if constexpr (std::is_void_v<Answer>) {
                if (wrong_.way != 0) call();
                wrong_.is_made = wrong_.way == 0;  // not done at all
                return;
            } else {
                Answer out = call();
                wrong_.is_made = change(out, wrong_.way);
                return out;
            }
        } catch (const acta::StoreError&) {
            if (wrong_.way == 0) return Answer();
            throw_another(wrong_.way - 1);
            wrong_.is_made = false;
            throw;
        }
    }

    void change_each(acta::HistoryInfo& info) { change(info, wrong_.way); }
    void change_each(std::optional<acta::HistoryInfo>& info) {
        if (info) change_each(*info);
    }
    void change_each(std::vector<acta::HistoryInfo>& list) {
        for (acta::HistoryInfo& info : list) change_each(info);
    }
    template <class Answer>
    void change_each(const Answer&) {}

    WrongAnswer& wrong_;
    std::set<std::pair<std::string, std::uint64_t>>& damaged_;
};

/// Runs a check on a store with a wrong answer, and returns whether it fails.
bool fails(const acta::testing::StoreCheck& check, WrongAnswer& wrong) {
    acta::MemoryStore memory;
    std::set<std::pair<std::string, std::uint64_t>> damaged;
    AnswersOnceWrongly store(memory, wrong, damaged);
    try {
        check.run({.store = store,
                   .open_again = [&] { return std::make_unique<AnswersOnceWrongly>(memory, wrong, damaged); },
                   .damage = [&](const std::string& id, std::uint64_t seq,
                                 const std::string&) { damaged.emplace(id, seq); }});
    } catch (const std::exception&) {
        return true;
    }
    return false;
}

}  // namespace

// Each check is run with each answer of the store wrong in each way, and with all that the store knows of histories
// wrong in the same way. What of it a check notices is recorded (CONTRIBUTING.md, "What a change needs"): one that no
// longer looks at something notices less. Those in which threads meet have no calls in a fixed order, and two take
// long; each of these has a fault above.
TEST_CASE("each check notices as many wrong answers as was recorded") {
    std::set<std::string_view> left_out = with_threads();
    left_out.insert({"a lease that has expired can be taken", "long bodies are kept"});
    std::string table;
    for (const acta::testing::StoreCheck& check : acta::testing::store_checks()) {
        if (left_out.contains(check.name)) continue;
        std::size_t noticed = 0;
        std::size_t made = 0;
        for (WrongAnswer wrong;; ++wrong.call) {
            for (wrong.way = 0;; ++wrong.way) {
                wrong.calls = 0;
                wrong.is_made = false;
                const bool failed = fails(check, wrong);
                if (!wrong.is_made) break;
                ++made;
                noticed += failed ? 1 : 0;
            }
            if (wrong.calls <= wrong.call) break;
        }
        table += std::string(check.name) + ": " + std::to_string(noticed) + " of " + std::to_string(made);
        for (WrongAnswer wrong{.is_each = true}; wrong.way < ways_of_info; ++wrong.way)
            if (fails(check, wrong)) table += ", each " + std::to_string(wrong.way);
        table += "\n";
    }
    check_recorded("tests/testing/store_checks.txt", table);
}

TEST_CASE("a store that keeps the promises passes the conformance suite, also through another one") {
    CHECK(failing("", open_as<broken::Door>, open_as<broken::Door>).empty());
}

TEST_CASE("the conformance suite runs without a way to open a store again") {
    acta::MemoryStore store;
    for (const acta::testing::StoreCheck& check : acta::testing::store_checks()) CHECK_NOTHROW(check.run({store}));
}

TEST_CASE("the conformance suite finds each fault of a store, in the guarantee that it breaks") {
    std::string table;
    for (const Fault& fault : faults()) {
        INFO(fault.name);
        const std::vector<std::string_view> failed = failing(fault.guarantee, fault.open, fault.open_again);
        CHECK(!failed.empty());
        table += std::string(fault.guarantee) + ", " + std::string(fault.name);
        for (const std::string_view one : failed)
            if (!with_threads().contains(one)) table += "; " + std::string(one);
        table += "\n";
    }
    check_recorded("tests/testing/store_faults.txt", table);
}

TEST_CASE("every guarantee has checks with names of their own, and a fault that they find") {
    std::set<std::string_view> guarantees;
    std::set<std::string_view> names;
    for (const acta::testing::StoreCheck& check : acta::testing::store_checks()) {
        guarantees.insert(check.guarantee);
        CHECK(names.insert(check.name).second);
    }
    std::set<std::string_view> broken_ones;
    for (const Fault& fault : faults()) broken_ones.insert(fault.guarantee);
    CHECK(guarantees == broken_ones);
    CHECK(guarantees == std::set<std::string_view>{"durable", "atomic", "ordered", "optimistic", "one writer",
                                                   "bounded", "forks", "gone is gone", "lost answers", "formats",
                                                   "nothing silent", "listing"});
}
