// SPDX-License-Identifier: MIT
// The conformance suite itself: it passes a store that keeps the promises, and finds each fault.
#include "acta/testing/store_conformance.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "acta/store/memory_store.hpp"
#include "store/broken_stores.hpp"
#include "support/catch.hpp"

namespace {

namespace broken = broken_stores;

using Open = std::unique_ptr<acta::HistoryStore> (*)(acta::HistoryStore& store);
template <class Store>
std::unique_ptr<acta::HistoryStore> open_as(acta::HistoryStore& store) {
    return std::make_unique<Store>(store);
}
std::unique_ptr<acta::HistoryStore> open_empty(acta::HistoryStore&) { return std::make_unique<acta::MemoryStore>(); }

/// How many checks of a guarantee fail; of all of them, if it is empty.
int failing(std::string_view guarantee, Open open, Open open_again) {
    acta::MemoryStore memory;
    const std::unique_ptr<acta::HistoryStore> store = open(memory);
    int out = 0;
    for (const acta::testing::StoreCheck& check : acta::testing::store_checks()) {
        if (!guarantee.empty() && check.guarantee != guarantee) continue;
        INFO(check.name);
        try {
            check.run({*store, [&] { return open_again(memory); }});
        } catch (const acta::testing::CheckFailed& failed) {
            CHECK(std::string_view(failed.what()).size() > 10);
            ++out;
        } catch (const acta::StoreError& error) {  // of a step on the way to what is checked
            CHECK_THAT(std::string(error.what()), contains_text("history '"));
            ++out;
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
        ACTA_FAULT("one writer", RenewsForAnyone),
        ACTA_FAULT("one writer", ReleasesForAnyone),
        ACTA_FAULT("one writer", HasAnotherClock),
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

}  // namespace

TEST_CASE("a store that keeps the promises passes the conformance suite, also through another one") {
    CHECK(failing("", open_as<broken::Door>, open_as<broken::Door>) == 0);
}

TEST_CASE("the conformance suite runs without a way to open a store again") {
    acta::MemoryStore store;
    for (const acta::testing::StoreCheck& check : acta::testing::store_checks()) {
        if (check.guarantee == "durable") CHECK_NOTHROW(check.run({store}));
    }
}

TEST_CASE("the conformance suite finds each fault of a store, in the guarantee that it breaks") {
    for (const Fault& fault : faults()) {
        INFO(fault.name);
        CHECK(failing(fault.guarantee, fault.open, fault.open_again) > 0);
    }
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
