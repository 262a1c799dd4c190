// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/store/memory_store.hpp"

/// Stores with one fault each, by which the conformance suite shows that it would find it.
namespace broken_stores {

using namespace std::chrono_literals;

using Each = std::function<bool(const acta::Record&)>;
using New = std::vector<acta::NewRecord>;

/// Another way into a store, as another process has one. The faults are overrides of this.
class Door : public acta::HistoryStore {
public:
    explicit Door(acta::HistoryStore& inner) : store(inner) {}

    acta::HistoryInfo create(std::string_view id, std::string_view type, const acta::JsonObject& labels) override {
        return store.create(id, type, labels);
    }
    std::optional<acta::HistoryInfo> find(std::string_view id) override { return store.find(id); }
    acta::Appended append(std::string_view id, acta::Position at, std::span<const acta::NewRecord> records) override {
        return store.append(id, at, records);
    }
    void read(std::string_view id, acta::RecordRange range, const Each& each) override { store.read(id, range, each); }
    std::vector<acta::HistoryInfo> list(const acta::HistoryQuery& query) override { return store.list(query); }
    acta::HistoryInfo fork(std::string_view id, std::uint64_t at, std::string_view new_id) override {
        return store.fork(id, at, new_id);
    }
    acta::Lease acquire(std::string_view id, std::string_view holder, std::chrono::microseconds time) override {
        return store.acquire(id, holder, time);
    }
    acta::Lease renew(std::string_view id, const acta::Lease& lease, std::chrono::microseconds time) override {
        return store.renew(id, lease, time);
    }
    void release(std::string_view id, const acta::Lease& lease) override { store.release(id, lease); }
    void erase(std::string_view id) override { store.erase(id); }

protected:
    /// Reads with each record changed.
    void read_changed(std::string_view id, acta::RecordRange range, const Each& each,
                      const std::function<void(acta::Record&)>& change) {
        store.read(id, range, [&](acta::Record record) {
            change(record);
            return each(record);
        });
    }
    /// Appends with each record changed.
    acta::Appended append_changed(std::string_view id, acta::Position at, std::span<const acta::NewRecord> records,
                                  const std::function<void(acta::NewRecord&)>& change) {
        New changed(records.begin(), records.end());
        for (acta::NewRecord& one : changed) change(one);
        return store.append(id, at, changed);
    }
    [[nodiscard]] std::uint64_t version(std::string_view id) { return store.find(id)->position.version; }

    acta::HistoryStore& store;
};

// Each fault is a class of its own; these spare the signatures.
#define ACTA_APPEND \
    acta::Appended append(std::string_view id, acta::Position at, std::span<const acta::NewRecord> records) override
#define ACTA_READ void read(std::string_view id, acta::RecordRange range, const Each& each) override
#define ACTA_FIND std::optional<acta::HistoryInfo> find(std::string_view id) override
#define ACTA_FORK acta::HistoryInfo fork(std::string_view id, std::uint64_t at, std::string_view new_id) override
#define ACTA_LIST std::vector<acta::HistoryInfo> list(const acta::HistoryQuery& query) override
#define ACTA_ACQUIRE \
    acta::Lease acquire(std::string_view id, std::string_view holder, std::chrono::microseconds time) override
#define ACTA_RENEW \
    acta::Lease renew(std::string_view id, const acta::Lease& lease, std::chrono::microseconds time) override

struct LosesTheLastRecord : Door {
    using Door::Door;
    ACTA_READ {
        const std::uint64_t newest = store.find(id) ? version(id) : 1;
        if (newest > 0) store.read(id, {range.first, std::min(range.last, newest - 1)}, each);
    }
};
struct ForgetsLeases : Door {
    using Door::Door;
    ACTA_FIND {
        auto info = store.find(id);
        if (info) info->lease.reset();
        return info;
    }
};
struct AppendsOneByOne : Door {
    using Door::Door;
    ACTA_APPEND {
        acta::Appended done = store.append(id, at, records.first(std::min<std::size_t>(records.size(), 1)));
        for (std::size_t i = 1; i < records.size(); ++i) {
            std::this_thread::sleep_for(1ms);
            done = store.append(id, done.position, records.subspan(i, 1));
        }
        return done;
    }
};
struct AppendsAPartOfWhatItRefuses : Door {
    using Door::Door;
    ACTA_APPEND {
        try {
            return store.append(id, at, records);
        } catch (const acta::StoreConflict&) {
            if (records.size() > 1) store.append(id, store.find(id)->position, records.first(1));
            throw;
        }
    }
};
struct ReadsWhatComesMeanwhile : Door {
    using Door::Door;
    ACTA_READ {
        bool more = true;
        static_cast<void>(version_or_throw(id));
        for (std::uint64_t next = std::max<std::uint64_t>(range.first, 1);
             more && next <= std::min(range.last, version(id)); ++next)
            store.read(id, {next, next}, [&](const acta::Record& record) { return more = each(record); });
    }
    std::uint64_t version_or_throw(std::string_view id) {
        store.read(id, {1, 1}, [](const acta::Record&) { return true; });
        return version(id);
    }
};
struct TurnsBatchesAround : Door {
    using Door::Door;
    ACTA_APPEND {
        const New around(records.rbegin(), records.rend());
        return store.append(id, at, around);
    }
};
struct NumbersFromZero : Door {
    using Door::Door;
    ACTA_READ {
        read_changed(id, range, each, [](acta::Record& record) { --record.seq; });
    }
};
struct ReadsToTheEnd : Door {
    using Door::Door;
    ACTA_READ {
        store.read(id, range, [&](const acta::Record& record) {
            static_cast<void>(each(record));
            return true;
        });
    }
};
struct AcceptsAnyVersion : Door {
    using Door::Door;
    ACTA_APPEND {
        try {
            return store.append(id, at, records);
        } catch (const acta::StoreConflict& conflict) {
            return store.append(id, {conflict.found(), at.epoch}, records);
        }
    }
};
struct SaysTheWrongVersion : Door {
    using Door::Door;
    ACTA_APPEND {
        try {
            return store.append(id, at, records);
        } catch (const acta::StoreConflict& conflict) {
            throw acta::StoreConflict(conflict.what(), conflict.found(), conflict.expected());
        }
    }
};
struct IgnoresTheEpoch : Door {
    using Door::Door;
    ACTA_APPEND {
        const auto info = store.find(id);
        return store.append(id, {at.version, info ? info->position.epoch : at.epoch}, records);
    }
};
struct GivesTwoLeases : Door {
    using Door::Door;
    ACTA_ACQUIRE {
        const auto info = store.find(id);
        return store.acquire(id, info && info->lease ? info->lease->holder : std::string(holder), time);
    }
};
struct NeverExpires : Door {
    using Door::Door;
    ACTA_ACQUIRE { return store.acquire(id, holder, time + 1min); }
};
struct DoesNotRenew : Door {
    using Door::Door;
    ACTA_RENEW {
        acta::Lease longer = store.renew(id, lease, time);
        longer.until = lease.until;
        return longer;
    }
};
struct RenewsByAcquiring : Door {
    using Door::Door;
    ACTA_RENEW {
        static_cast<void>(store.renew(id, lease, time));
        return store.acquire(id, lease.holder, time);
    }
};
struct RenewsForAnyone : Door {
    using Door::Door;
    ACTA_RENEW {
        acta::Lease own = lease;
        if (const auto info = store.find(id)) own.epoch = info->position.epoch;
        return store.renew(id, own, time);
    }
};
struct ReleasesForAnyone : Door {
    using Door::Door;
    void release(std::string_view id, const acta::Lease& lease) override {
        acta::Lease own = lease;
        if (const auto info = store.find(id)) own.epoch = info->position.epoch;
        store.release(id, own);
    }
};
struct HasAnotherClock : Door {
    using Door::Door;
    ACTA_ACQUIRE {
        acta::Lease lease = store.acquire(id, holder, time);
        lease.until += 1h;
        return lease;
    }
};
struct CountsAcquisitionsTwice : Door {
    using Door::Door;
    ACTA_ACQUIRE {
        static_cast<void>(store.acquire(id, holder, time));
        return store.acquire(id, holder, time);
    }
};
/// Whoever finds no lease takes one, even if another has it by then. Two that acquire at once (the suite calls these
/// "holder 0" and "holder 1") have both looked before either goes on, however fast the machine is.
struct ChecksBeforeItAcquires : Door {
    using Door::Door;
    ACTA_ACQUIRE {
        const auto info = store.find(id);
        if (info && info->lease && info->lease->holder != holder) return store.acquire(id, holder, time);
        if (holder.starts_with("holder ")) {
            static std::mutex mutex;
            static std::condition_variable both_looked;
            static std::map<std::string, int, std::less<>> looked;
            std::unique_lock lock(mutex);
            int& count = looked.try_emplace(std::string(id), 0).first->second;
            if (++count == 2) both_looked.notify_all();
            both_looked.wait_for(lock, 1min, [&count] { return count >= 2; });
        }
        try {
            return store.acquire(id, holder, time);
        } catch (const acta::LeaseLost&) {
            return store.acquire(id, store.find(id)->lease->holder, time);
        }
    }
};
struct ForgetsSnapshots : Door {
    using Door::Door;
    ACTA_FIND {
        auto info = store.find(id);
        if (info) info->snapshot = 0;
        return info;
    }
};
/// A fork is its parent under another name.
struct ForksShare : Door {
    using Door::Door;
    ACTA_FORK {
        const acta::HistoryInfo info = store.fork(id, at, new_id);
        if (version(id) == at) parents[std::string(new_id)] = id;
        return info;
    }
    ACTA_APPEND { return store.append(parent(id), at, records); }
    ACTA_READ { store.read(parent(id), range, each); }
    std::string_view parent(std::string_view id) const {
        const auto found = parents.find(id);
        return found == parents.end() ? id : std::string_view(found->second);
    }
    std::map<std::string, std::string, std::less<>> parents;
};
struct ForksExclusively : Door {
    using Door::Door;
    ACTA_FORK { return store.fork(id, at == 0 ? 0 : at - 1, new_id); }
};
struct ForksForgetLabels : Door {
    using Door::Door;
    ACTA_FORK {
        const acta::HistoryInfo parent = store.find(id).value_or(acta::HistoryInfo());
        if (at > parent.position.version || parent.labels.empty()) return store.fork(id, at, new_id);
        store.create(new_id, parent.type);
        New records;
        store.read(id, {1, at}, [&](const acta::Record& record) {
            records.push_back({record.kind, record.call_id, record.body});
            return true;
        });
        store.append(new_id, {}, records);
        acta::HistoryInfo info = *store.find(new_id);
        info.forked_from = std::string(id) + "@" + std::to_string(at);
        return info;
    }
};
struct ForksBeyondTheEnd : Door {
    using Door::Door;
    ACTA_FORK {
        const auto info = store.find(id);
        return store.fork(id, info ? std::min(at, info->position.version) : at, new_id);
    }
};
/// What is erased takes its forks with it.
struct ErasesForks : Door {
    using Door::Door;
    void erase(std::string_view id) override {
        for (const acta::HistoryInfo& one : store.list({.limit = 10'000})) {
            if (one.forked_from.starts_with(std::string(id) + "@")) store.erase(one.id);
        }
        store.erase(id);
    }
};
/// An id that was erased can be used again, since another one stands for it.
struct ForgetsWhatWasErased : Door {
    using Door::Door;
    acta::HistoryInfo create(std::string_view id, std::string_view type, const acta::JsonObject& labels) override {
        if (erased[std::string(id)]) return {.id = std::string(id)};
        return store.create(id, type, labels);
    }
    void erase(std::string_view id) override {
        store.erase(id);
        erased[std::string(id)] = true;
    }
    std::map<std::string, bool> erased;
};
struct IgnoresLateAppends : Door {
    using Door::Door;
    ACTA_APPEND {
        try {
            return store.append(id, at, records);
        } catch (const acta::StoreGone&) {
            return {{at.version + records.size(), at.epoch}, false};
        }
    }
};
struct FindsNothingWhereErased : Door {
    using Door::Door;
    ACTA_FIND {
        try {
            return store.find(id);
        } catch (const acta::StoreGone&) {
            return std::nullopt;
        }
    }
};
struct StoresRepetitionsTwice : Door {
    using Door::Door;
    ACTA_APPEND {
        const acta::Appended done = store.append(id, at, records);
        return done.already_there ? store.append(id, store.find(id)->position, records) : done;
    }
};
struct RefusesRepetitions : Door {
    using Door::Door;
    ACTA_APPEND {
        const auto info = store.find(id);
        if (info && info->position.epoch == at.epoch && info->position.version != at.version)
            throw acta::StoreConflict("history '" + std::string(id) + "'", at.version, info->position.version);
        return store.append(id, at, records);
    }
};
struct TakesOthersForRepetitions : Door {
    using Door::Door;
    ACTA_APPEND {
        try {
            return store.append(id, at, records);
        } catch (const acta::StoreConflict& conflict) {
            if (records.empty() || at.version + records.size() > conflict.found()) throw;
            return {{at.version + records.size(), at.epoch}, true};
        }
    }
};
/// Answers an append of records that are equal to the stored ones as a repetition, whatever their tokens are.
struct TakesEqualRecordsForRepetitions : Door {
    using Door::Door;
    ACTA_APPEND {
        try {
            const acta::Appended done = store.append(id, at, records);
            if (!records.empty() && records.front().token.empty()) without_token.insert({std::string(id), at.version});
            return done;
        } catch (const acta::StoreConflict&) {
            const bool was_without = without_token.contains({std::string(id), at.version});
            if (!is_taken(was_without, records.front().token.empty()) || !are_there(id, at.version, records)) throw;
            return {{at.version + records.size(), at.epoch}, true};
        }
    }
    [[nodiscard]] virtual bool is_taken(bool, bool) const { return true; }
    bool are_there(std::string_view id, std::uint64_t version, std::span<const acta::NewRecord> records) {
        std::size_t same = 0;
        store.read(id, {version + 1, version + records.size()}, [&](const acta::Record& found) {
            const acta::NewRecord& one = records[found.seq - version - 1];
            same += found.kind == one.kind && found.call_id == one.call_id && found.body == one.body ? 1 : 0;
            return true;
        });
        return same == records.size();
    }
    std::set<std::pair<std::string, std::uint64_t>> without_token;
};
struct RepeatsWithoutTokens : TakesEqualRecordsForRepetitions {
    using TakesEqualRecordsForRepetitions::TakesEqualRecordsForRepetitions;
    [[nodiscard]] bool is_taken(bool was_without, bool is_without) const override { return was_without && is_without; }
};
struct RepeatsWithoutTheToken : TakesEqualRecordsForRepetitions {
    using TakesEqualRecordsForRepetitions::TakesEqualRecordsForRepetitions;
    [[nodiscard]] bool is_taken(bool was_without, bool is_without) const override { return !was_without && is_without; }
};
struct RepeatsForFormerWriters : Door {
    using Door::Door;
    ACTA_APPEND {
        const auto info = store.find(id);
        if (!info || records.empty() || info->position.version < at.version + records.size())
            return store.append(id, at, records);
        return store.append(id, {at.version, info->position.epoch}, records);
    }
};
struct ForgetsTheFormat : Door {
    using Door::Door;
    ACTA_READ {
        read_changed(id, range, each, [](acta::Record& record) { record.format = 0; });
    }
};
struct RewritesBodies : Door {
    using Door::Door;
    ACTA_APPEND {
        return append_changed(id, at, records, [](acta::NewRecord& record) {
            if (acta::Json::accept(record.body)) record.body = acta::Json::parse(record.body).dump();
        });
    }
};
struct ReplacesNul : Door {
    using Door::Door;
    ACTA_READ {
        read_changed(id, range, each, [](acta::Record& record) {
            const std::size_t at = record.body.find("\\u0000");
            if (at != std::string::npos) record.body.replace(at, 6, "\\ufffd");
        });
    }
};
struct CutsLongBodies : Door {
    using Door::Door;
    ACTA_READ {
        read_changed(id, range, each, [](acta::Record& record) {
            record.body.resize(std::min<std::size_t>(record.body.size(), 65'536));
        });
    }
};
struct ForgetsCalls : Door {
    using Door::Door;
    ACTA_READ {
        read_changed(id, range, each, [](acta::Record& record) { record.call_id.clear(); });
    }
};
struct ForgetsLabels : Door {
    using Door::Door;
    acta::HistoryInfo create(std::string_view id, std::string_view type, const acta::JsonObject&) override {
        return store.create(id, type);
    }
};
struct ForgetsTheType : Door {
    using Door::Door;
    acta::HistoryInfo create(std::string_view id, std::string_view, const acta::JsonObject& labels) override {
        return store.create(id, {}, labels);
    }
};
struct ForgetsWhenItWasUpdated : Door {
    using Door::Door;
    ACTA_FIND {
        auto info = store.find(id);
        if (info) info->updated = info->created;
        return info;
    }
};
struct ReadsNothingWhereNoneIs : Door {
    using Door::Door;
    ACTA_READ {
        try {
            store.read(id, range, each);
        } catch (const acta::StoreNotFound&) {
        }
    }
};
struct CreatesAgain : Door {
    using Door::Door;
    acta::HistoryInfo create(std::string_view id, std::string_view type, const acta::JsonObject& labels) override {
        try {
            return store.create(id, type, labels);
        } catch (const acta::StoreExists&) {
            return *store.find(id);
        }
    }
};
struct ErasesWhatIsNotThere : Door {
    using Door::Door;
    void erase(std::string_view id) override {
        try {
            store.erase(id);
        } catch (const acta::StoreNotFound&) {
        }
    }
};
struct ToleratesBadIds : Door {
    using Door::Door;
    void release(std::string_view id, const acta::Lease& lease) override {
        if (id.find('\n') == std::string_view::npos) store.release(id, lease);
    }
};
struct DoesNotNameTheHistory : Door {
    using Door::Door;
    void erase(std::string_view id) override {
        try {
            store.erase(id);
        } catch (const acta::StoreNotFound&) {
            throw acta::StoreNotFound("not found");
        }
    }
};
struct TrimsIds : Door {
    using Door::Door;
    ACTA_FIND {
        auto info = store.find(id);
        while (info && info->id.ends_with(' ')) info->id.pop_back();
        return info;
    }
};
struct ListsWithoutCase : Door {
    using Door::Door;
    ACTA_LIST {
        auto found = store.list(query);
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
            return std::lexicographical_compare(
                a.id.begin(), a.id.end(), b.id.begin(), b.id.end(),
                [](unsigned char x, unsigned char y) { return std::tolower(x) < std::tolower(y); });
        });
        return found;
    }
};
struct TakesPrefixesForPatterns : Door {
    using Door::Door;
    ACTA_LIST {
        acta::HistoryQuery wider = query;
        wider.id_prefix = query.id_prefix.substr(0, query.id_prefix.find('%'));
        return store.list(wider);
    }
};
struct RepeatsTheLastOfAPage : Door {
    using Door::Door;
    ACTA_LIST {
        auto found = store.list(query);
        if (!query.after.empty() && query.limit > found.size()) {
            acta::HistoryQuery last = query;
            last.after.clear();
            last.limit = 1000;
            for (acta::HistoryInfo& one : store.list(last)) {
                if (one.id == query.after) found.insert(found.begin(), std::move(one));
            }
        }
        return found;
    }
};
struct IgnoresLimits : Door {
    using Door::Door;
    ACTA_LIST {
        acta::HistoryQuery all = query;
        all.limit = 1000;
        return store.list(all);
    }
};
struct LimitsBeforeItLooksAtLabels : Door {
    using Door::Door;
    ACTA_LIST {
        acta::HistoryQuery any = query;
        any.labels = {};
        auto found = store.list(any);
        const auto last = std::remove_if(found.begin(), found.end(), [&](const acta::HistoryInfo& info) {
            for (const auto& [name, value] : query.labels) {
                const auto label = info.labels.find(name);
                if (label == info.labels.end() || label->second != value) return true;
            }
            return false;
        });
        found.erase(last, found.end());
        return found;
    }
};
struct IgnoresLastUse : Door {
    using Door::Door;
    ACTA_LIST {
        acta::HistoryQuery any = query;
        any.updated_before.reset();
        return store.list(any);
    }
};

#undef ACTA_APPEND
#undef ACTA_READ
#undef ACTA_FIND
#undef ACTA_FORK
#undef ACTA_LIST
#undef ACTA_ACQUIRE
#undef ACTA_RENEW

}  // namespace broken_stores
