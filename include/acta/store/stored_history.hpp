// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/describe/describe.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/history/change.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/history.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/json/json.hpp"
#include "acta/skill/execute.hpp"
#include "acta/store/history_store.hpp"

namespace acta::inline ACTA_ABI::store_detail {

/// What the changes say of the calls of the open step, and the history does not keep.
class CallLog {
    struct Entry {
        std::string key{};  // empty if it has not begun
        std::optional<CallDecision> decision{};
        std::string digest{};  // of the arguments for which the decision holds
    };

public:
    /// What a change adds to the log.
    class Update {
        friend class CallLog;
        bool opens_step_ = false;
        Entry* entry_ = nullptr;
        Entry value_{};
    };

    /// Returns what a change will add. Changes nothing that can be seen.
    template <class P>
    [[nodiscard]] Update prepare(const HistoryChange<P>& change) {
        if (const auto* const arguments = std::get_if<ArgumentsSet>(&change)) return prepare(*arguments);
        if (const auto* const decided = std::get_if<CallDecided>(&change)) return prepare(*decided);
        if (const auto* const begun = std::get_if<CallBegun>(&change)) return prepare(*begun);
        Update out;
        out.opens_step_ = std::holds_alternative<ActionRegistered<P>>(change);
        return out;
    }
    /// Adds it. The record of the change has this number.
    void add(Update update, std::uint64_t seq) noexcept;
    /// The step was opened by the record of this number.
    void begin_at(std::uint64_t seq) noexcept { action_ = seq; }
    /// The record of this number is a snapshot, whose open step may have begun its calls before.
    void begin_at_snapshot(std::uint64_t seq) noexcept;

    /// Returns the key of a call: that with which it began, or a new one.
    [[nodiscard]] std::string key(std::string_view history, std::string_view id, std::size_t index) const;
    /// Returns a new key of a call, of the step that the record of this number opens.
    [[nodiscard]] static std::string key(std::string_view history, std::uint64_t action, std::size_t index);
    void look_up(OpenCall& call) const;

private:
    [[nodiscard]] Update prepare(const ArgumentsSet& change);
    [[nodiscard]] Update prepare(const CallDecided& change);
    [[nodiscard]] Update prepare(const CallBegun& change);
    [[nodiscard]] Update of(std::string_view id);

    std::uint64_t action_ = 0;
    bool may_have_begun_ = false;
    std::map<std::string, Entry, std::less<>> calls_{};
};

/// The summary of a step, or the rolling one, or that the latter is forgotten: bodies of one kind.
struct SummaryBody {
    std::optional<std::size_t> step{};
    std::string summary{};
    std::optional<RollingSummary> rolling_summary{};
};

}  // namespace acta::inline ACTA_ABI::store_detail

namespace acta::inline ACTA_ABI {

template <>
struct Describe<store_detail::SummaryBody> {
    using T = store_detail::SummaryBody;
    static constexpr auto fields = acta::fields(omit_if_empty("step", &T::step), defaulted("summary", &T::summary),
                                                omit_if_empty("rolling_summary", &T::rolling_summary));
};

}  // namespace acta::inline ACTA_ABI

// Changes of a history as records.
namespace acta::inline ACTA_ABI::store_detail {

/// The kinds of records, in the order of `HistoryChange`.
inline constexpr std::array<RecordKind, std::variant_size_v<HistoryChange<>>> kinds_of_changes = {
    RecordKind::action,  RecordKind::result,  RecordKind::call_result, RecordKind::decision, RecordKind::decision,
    RecordKind::call,    RecordKind::rewind,  RecordKind::message,     RecordKind::feedback, RecordKind::feedback_taken,
    RecordKind::summary, RecordKind::summary, RecordKind::metrics,     RecordKind::run,      RecordKind::sub_run};

/// Returns the body of a record. Throws `EncodeError` if it could not be read back.
template <class T>
[[nodiscard]] std::string body_of(const T& value) {
    return dump(value, {.round_trip = true});
}

/// Returns the records of a change: of each call's result its own, else one.
template <class P>
[[nodiscard]] std::vector<NewRecord> records_of(const HistoryChange<P>& change) {
    std::vector<NewRecord> out;
    if (const auto* const results = std::get_if<CallResultsRegistered>(&change)) {
        for (const ToolResult& one : results->results) {
            const bool is_last = &one == &results->results.back();
            const ResultRegistered body{one.result, {}, is_last ? results->finished_at : std::nullopt};
            out.push_back({RecordKind::call_result, one.tool_call_id, body_of(body), {}});
        }
        return out;
    }
    std::visit(
        [&]<class Change>(const Change& one) {
            out.push_back({kinds_of_changes[change.index()], {}, body_of(one), {}});
            if constexpr (requires { one.tool_call_id; }) out.back().call_id = one.tool_call_id;
        },
        change);
    return out;
}

template <class Change>
[[nodiscard]] Change of_call(const Record& record) {
    auto change = parse<Change>(record.body);
    change.tool_call_id = record.call_id;
    return change;
}

[[nodiscard]] CallResultsRegistered read_call_result(const Record& record);
[[nodiscard]] ResultRegistered read_result(const Record& record);

/// Returns the change of a record, which is neither a snapshot nor a note. Throws `ValidationError`, and
/// `std::out_of_range`.
template <class P>
[[nodiscard]] HistoryChange<P> change_of(const Record& record) {
    switch (record.kind) {
        case RecordKind::action: return parse<ActionRegistered<P>>(record.body);
        case RecordKind::call: return of_call<CallBegun>(record);
        case RecordKind::call_result: return read_call_result(record);
        case RecordKind::result: return read_result(record);
        case RecordKind::message: return parse<MessageAdded>(record.body);
        case RecordKind::feedback: return parse<FeedbackAdded>(record.body);
        case RecordKind::feedback_taken: return FeedbackTaken{};
        case RecordKind::summary: {
            auto body = parse<SummaryBody>(record.body);
            if (body.step) return SummarySet{*body.step, std::move(body.summary)};
            return RollingSummarySet{std::move(body.rolling_summary)};
        }
        case RecordKind::metrics: return parse<MetricsSet>(record.body);
        case RecordKind::rewind: return parse<Rewound>(record.body);
        case RecordKind::decision:
            if (parse<JsonObject>(record.body).count("arguments") != 0) return of_call<ArgumentsSet>(record);
            return of_call<CallDecided>(record);
        case RecordKind::run: return parse<RunEnded>(record.body);
        case RecordKind::sub_run: return parse<SubRunRegistered>(record.body);
        case RecordKind::note:
        case RecordKind::snapshot: break;
    }
    throw std::out_of_range("it changes nothing");
}

/// Makes the change of a record. What it says of calls is added to `log`.
template <class P>
void apply(EpisodicActionHistory<P>& history, CallLog& log, const Record& record) {
    if (record.kind == RecordKind::snapshot) {
        history = parse<EpisodicActionHistory<P>>(record.body);
        return log.begin_at_snapshot(record.seq);
    }
    HistoryChange<P> change = change_of<P>(record);
    const auto* const sub_run = std::get_if<SubRunRegistered>(&change);
    if (sub_run != nullptr && sub_run->sub_run.step != history.cursor())
        throw std::out_of_range("a sub run of another step");
    CallLog::Update update = log.prepare(change);
    history.apply(std::move(change));
    log.add(std::move(update), record.seq);
}

/// Early versions stored runs as notes. A note of people may look like one, so that what does not fit is left alone.
template <class P>
void apply_note(EpisodicActionHistory<P>& history, CallLog& log, Record record) {
    if (record.body.starts_with("{\"run\":{"))
        record.kind = RecordKind::run;
    else if (record.body.starts_with("{\"sub_run\":{"))
        record.kind = RecordKind::sub_run;
    else
        return;
    try {
        apply(history, log, record);
    } catch (const ValidationError&) {
    } catch (const HistoryError&) {
    } catch (const std::out_of_range&) {
    }
}

/// Makes the change of a record; one that cannot be read or does not fit is a `StoreCorrupt` that says which it is.
template <class P>
void replay(EpisodicActionHistory<P>& history, CallLog& log, std::string_view id, const Record& record) {
    const auto where = [&] { return "history " + quoted_id(id) + ", record " + std::to_string(record.seq); };
    if (record.format > record_format)
        throw StoreTooNew(where() + ": format " + std::to_string(record.format) + " is newer than this acta");
    const auto fail = [&](const char* why) {
        throw StoreCorrupt(where() + " (" + std::string(to_string(record.kind)) + "): " + why, record.seq);
    };
    try {
        if (record.kind == RecordKind::note)
            apply_note(history, log, record);
        else
            apply(history, log, record);
    } catch (const ValidationError& error) {
        fail(error.what());
    } catch (const HistoryError& error) {
        fail(error.what());
    } catch (const std::out_of_range& error) {
        fail(error.what());
    }
}

/// The part of a history that was replayed.
struct Replayed {
    std::uint64_t newest = 0;  ///< The number of the last record.
    std::size_t bytes = 0;     ///< Of the records since the last snapshot.
};

/// Replays the records that a history has after `out`; `known` says what must be there. This also checks what a store
/// that is not acta's may not have checked.
template <class P>
Replayed replay_all(HistoryStore& store, std::string_view id, Replayed out, const HistoryInfo& known,
                    EpisodicActionHistory<P>& history, CallLog& log) {
    const auto fail = [&](std::uint64_t seq, const char* why) {
        throw StoreCorrupt("history " + quoted_id(id) + ", record " + std::to_string(seq) + ": " + why, seq);
    };
    store.read(id, {out.newest + 1}, [&](const Record& record) {
        if (record.seq != out.newest + 1) fail(out.newest + 1, "it is missing");
        if (record.seq == known.snapshot && record.kind != RecordKind::snapshot)
            fail(record.seq, "it is not a snapshot, and the history says that it is");
        replay(history, log, id, record);
        out.newest = record.seq;
        out.bytes = record.kind == RecordKind::snapshot ? 0 : out.bytes + record.body.size();
        return true;
    });
    if (out.newest < known.position.version) fail(out.newest + 1, "it is missing");
    return out;
}

/// Returns the number of the record before those that a history is read from: its newest snapshot stands for the
/// others.
[[nodiscard]] inline std::uint64_t before_first(const HistoryInfo& info) noexcept {
    return info.snapshot == 0 ? 0 : info.snapshot - 1;
}

/// Returns what the store knows of a history. Throws `StoreNotFound`, with similar ids.
[[nodiscard]] HistoryInfo require_history(HistoryStore& store, std::string_view id);
/// The same, but creates the history if it does not exist.
[[nodiscard]] HistoryInfo find_or_create(HistoryStore& store, std::string_view id, std::string_view type,
                                         const JsonObject& labels);

/// Holds a lease: a thread of its own prolongs it, however long the owner is busy with something else.
class LeaseKeeper {
public:
    /// Acquires it. Throws `StoreError`, in particular `LeaseLost` if another holder has it.
    LeaseKeeper(HistoryStore& store, std::string_view id, std::string_view holder, std::chrono::milliseconds time);
    LeaseKeeper(const LeaseKeeper&) = delete;
    LeaseKeeper& operator=(const LeaseKeeper&) = delete;
    /// Releases it.
    ~LeaseKeeper();

    [[nodiscard]] std::uint64_t epoch() const noexcept { return lease_.epoch; }

private:
    void keep(const stop_token& stop);

    HistoryStore& store_;
    std::string id_;
    std::chrono::milliseconds time_;
    Lease lease_;
    std::mutex mutex_{};
    condition_variable_any stopped_{};
    jthread thread_{};
};

// Running the calls of an open step, whatever the type of its history: compiled once.

/// A history, as far as its calls need it.
struct CallSite {
    /// Calls begin, all at once.
    std::function<std::vector<CallIdentity>(const std::vector<std::string>& ids)> begin{};
    /// Calls have their results, all at once.
    std::function<void(const std::vector<ToolResult>& results)> end{};
};

/// Throws `HistoryError` if one of them has begun.
void require_not_begun(const std::vector<OpenCall>& open);

/// The step of a history that is open.
struct OpenStep {
    std::uint64_t id = 0;  // `EpisodeId::step`
    std::vector<OpenCall> calls{};
    std::string finish_reason{};  // of its answer, if it is incomplete
};

/// Runs the calls for which `may_run` holds, and gives the others their result without it: all of a step whose answer
/// was cut off. Returns all results. Throws what the functions throw, when all calls are over.
std::vector<ToolResult> run_open_calls(const OpenStep& step, const SkillRegistry& skills, const ExecuteOptions& options,
                                       const std::function<bool(const OpenCall&)>& may_run, const CallSite& site);

/// Appends the changes of a history to a store. Used under the history's lock.
template <class P>
class StoreJournal final : public HistoryJournal<P> {
public:
    using History = EpisodicActionHistory<P>;

    /// The journal of a history that the store has.
    StoreJournal(HistoryStore& store, HistoryInfo info)
        : store_(store), id_(info.id), position_{before_first(info), info.position.epoch}, found_(std::move(info)) {
        if (found_.lease) held_by_ = found_.lease->holder;
    }

    [[nodiscard]] HistoryStore& store() const noexcept { return store_; }
    [[nodiscard]] const std::string& id() const noexcept { return id_; }
    [[nodiscard]] Position position() const noexcept { return position_; }

    /// It writes by this lease from now on.
    void set_epoch(std::uint64_t epoch) noexcept {
        position_.epoch = epoch;
        held_by_.reset();
    }

    /// Reads what the store has after the position, and returns how many records.
    std::size_t catch_up(History& history) {
        require_own();
        const std::uint64_t before = position_.version;
        History fresh = history;
        CallLog calls = calls_;
        const Replayed replayed = replay_all(store_, id_, {before, bytes_}, found_, fresh, calls);
        history.set_journal(this);
        if (replayed.newest == before) return 0;
        history = std::move(fresh);
        history.set_journal(this);
        calls_ = std::move(calls);
        position_.version = replayed.newest;
        bytes_ = replayed.bytes;
        replaced_ = false;
        return replayed.newest - before;
    }

    void on_change(const HistoryChange<P>& change) override {
        CallLog::Update update = calls_.prepare(change);
        write(records_of(change));
        calls_.add(std::move(update), position_.version);
    }
    void on_changes(std::span<const HistoryChange<P>> changes) override {
        std::vector<NewRecord> records;
        std::vector<CallLog::Update> updates;
        std::optional<CallLog> opened;  // of the step that the first of them opens
        if (std::holds_alternative<ActionRegistered<P>>(changes.front())) opened.emplace();
        for (const HistoryChange<P>& one : changes) {
            for (NewRecord& record : records_of(one)) records.push_back(std::move(record));
            if (opened)
                opened->add(opened->prepare(one), 0);
            else
                updates.push_back(calls_.prepare(one));
        }
        const std::size_t count = records.size();
        write(std::move(records));
        for (CallLog::Update& one : updates) calls_.add(std::move(one), position_.version);
        if (!opened) return;
        opened->begin_at(position_.version - count + 1);
        calls_ = *std::move(opened);
    }
    [[nodiscard]] std::string idempotency_key(std::string_view tool_call_id, std::size_t index) const override {
        return calls_.key(id_, tool_call_id, index);
    }
    [[nodiscard]] std::string next_idempotency_key(std::string_view /*tool_call_id*/,
                                                   std::size_t index) const override {
        return CallLog::key(id_, position_.version + 1, index);
    }
    void look_up(OpenCall& call) const override { calls_.look_up(call); }
    void replaced() noexcept override { replaced_ = true; }

    // A snapshot is worth its bytes when it stands for at least four times as many: those of steps that were rewound,
    // of summaries and metrics that were replaced. A history that only grows is read from its records as fast.
    void changes_complete(const History& history) noexcept override {
        // A reader must not write: its records would come before those of the writer.
        if (!std::exchange(has_written_, false) || replaced_ || bytes_ < next_look_) return;
        // Nor does a snapshot say which calls of the open step have begun.
        if (history.cursor() != history.size()) return;
        try {
            std::vector<NewRecord> records;
            records.push_back({RecordKind::snapshot, {}, body_of(history), {}});
            const std::size_t size = records.front().body.size();
            if (bytes_ >= 4 * size) {
                append(std::move(records));
                bytes_ = 0;
            }
            next_look_ = std::max(least_look, 4 * size);
        } catch (const std::exception&) {
            next_look_ = 2 * bytes_;  // the changes are all there; it is tried again later
        }
    }

private:
    void write(std::vector<NewRecord> records) {
        require_own();
        if (held_by_) throw_lost(id_, "'" + *held_by_ + "' has the lease: open it with one to write it");
        if (!unanswered_.empty() && unanswered_.front().kind == RecordKind::snapshot) {
            append_again();  // it may be there or not
            bytes_ = 0;
        }
        std::size_t size = 0;
        for (const NewRecord& one : records) size += one.body.size();
        append(std::move(records));
        bytes_ += size;
        has_written_ = true;
    }

    /// Appends records. If the answer to the same ones was lost, this is the same append, as its token says.
    void append(std::vector<NewRecord> records) {
        const auto is_same = [](const NewRecord& a, const NewRecord& b) {
            return a.kind == b.kind && a.call_id == b.call_id && a.body == b.body;
        };
        if (!std::ranges::equal(records, unanswered_, is_same)) {
            const std::string token = new_token();
            for (NewRecord& one : records) one.token = token;
            unanswered_ = std::move(records);
        }
        append_again();
    }
    void append_again() {
        position_ = store_.append(id_, position_, unanswered_).position;
        unanswered_.clear();
    }

    void require_own() const {
        if (!replaced_) return;
        throw StoreError("history " + quoted_id(id_) +
                         ": it was assigned to, so that it is not what the store has: open it again");
    }

    static constexpr std::size_t least_look = 256U * 1024;

    HistoryStore& store_;
    std::string id_;
    Position position_{};
    HistoryInfo found_{};                   // when it was opened
    std::optional<std::string> held_by_{};  // who had the lease when it was opened without one
    std::vector<NewRecord> unanswered_{};   // of an append that has thrown: the store may have them or not
    CallLog calls_{};
    std::size_t bytes_ = 0;               // of records since the last snapshot
    std::size_t next_look_ = least_look;  // number of records at which a snapshot is next considered
    bool has_written_ = false;            // since the last `changes_complete`
    bool replaced_ = false;
};

}  // namespace acta::inline ACTA_ABI::store_detail

namespace acta::inline ACTA_ABI {

/// Reads a history of a store as it is now, without writing or waiting for a lease. Throws `StoreError`, in particular
/// `StoreNotFound`, with similar ids, `StoreGone` and `StoreCorrupt`.
///
/// @code{.cpp}
/// #include <acta/store/memory_store.hpp>
/// acta::MemoryStore store;
/// acta::StoredHistory<>::create(store, "task-42").register_message(acta::ChatMessage::user("When is high water?"));
/// const acta::EpisodicActionHistory<> history = acta::read_history(store, "task-42");
/// assert(history.messages().size() == 1);
/// @endcode
template <class P = ActionProposal<>>
[[nodiscard]] EpisodicActionHistory<P> read_history(HistoryStore& store, std::string_view id) {
    const HistoryInfo info = store_detail::require_history(store, id);
    EpisodicActionHistory<P> history;
    store_detail::CallLog log;
    store_detail::replay_all(store, id, {store_detail::before_first(info), 0}, info, history, log);
    return history;
}
template <class P = ActionProposal<>, class Store>
void read_history(std::string_view, Store&&) = delete;  // acta: a store comes first, then the id

/// A lease that a `StoredHistory` holds as long as it lives.
struct LeaseOptions {
    /// Who holds it, for people and logs, such as host and process. Another holder of the same name takes it over at
    /// once.
    std::string holder{};
    /// How long it lasts if the program dies or hangs; at least 3 ms. A thread prolongs it three times as often.
    std::chrono::milliseconds time{30'000};
};

/// Options of `StoredHistory::open`, `create` and `open_or_create`.
struct OpenOptions {
    JsonObject labels{};                  ///< Labels of a history that is made.
    std::optional<LeaseOptions> lease{};  ///< Makes this object the only one that writes the history.
};

/// A history in a store: a `SharedHistory` whose changes last. When a member has returned, the store has the change;
/// when it throws, store and memory are as they were. `run_agent`, `handle_compression` and everything else that takes
/// a `SharedHistory` takes it.
///
/// One program writes a history at a time. A member throws `StoreConflict` if another one has: `refresh` reads what is
/// new. With a lease (`OpenOptions`) others may only read it until it is released, and a program that lost it is
/// refused (`LeaseLost`). If the store's answer is lost, the change may be there or not: the same call of a member of
/// this object, repeated, has it there once, or throws `StoreConflict` if its record would now be another, such as one
/// with the time at which a step ended. Another object that makes the same change gets a `StoreConflict`.
///
/// A change that could not be read back (`DumpOptions::round_trip`) throws `EncodeError`, and is made neither in memory
/// nor in the store.
///
/// @code{.cpp}
/// #include <acta/store/memory_store.hpp>
/// acta::MemoryStore store;   // or acta::sqlite::Store store("runs.db");
/// {
///     auto run = acta::StoredHistory<>::create(store, "task-42");
///     run.register_message(acta::ChatMessage::user("When is high water in Brest?"));
/// }
/// auto run = acta::StoredHistory<>::open(store, "task-42");   // resumes where it stopped
/// assert(run.messages().size() == 1);
/// @endcode
template <class P>
class StoredHistory : public SharedHistory<P> {
public:
    using typename SharedHistory<P>::History;

    /// Returns the history of an id. The store must outlive it. Throws `StoreError`; in particular `StoreNotFound`,
    /// with similar ids, `StoreGone`, `StoreTooNew`, `StoreCorrupt` for a record that cannot be read, and `LeaseLost`
    /// if another holder has the lease that was wanted.
    [[nodiscard]] static StoredHistory open(HistoryStore& store, std::string_view id, const OpenOptions& options = {}) {
        return StoredHistory(store, store_detail::require_history(store, id), options);
    }
    /// Makes an empty history. Throws as `open`, and `StoreExists` if the store has one of this id.
    [[nodiscard]] static StoredHistory create(HistoryStore& store, std::string_view id,
                                              const OpenOptions& options = {}) {
        return StoredHistory(store, store.create(id, introspection::type_title<P>(), options.labels), options);
    }
    /// Returns the history of an id, which is made if the store has none. Throws as `open`.
    [[nodiscard]] static StoredHistory open_or_create(HistoryStore& store, std::string_view id,
                                                      const OpenOptions& options = {}) {
        return StoredHistory(
            store, store_detail::find_or_create(store, id, introspection::type_title<P>(), options.labels), options);
    }

    static void open(HistoryStore&&, std::string_view, OpenOptions = {}) = delete;            // acta: keep the store
    static void create(HistoryStore&&, std::string_view, OpenOptions = {}) = delete;          // acta: keep the store
    static void open_or_create(HistoryStore&&, std::string_view, OpenOptions = {}) = delete;  // acta: keep the store
    template <class Store>
    static void open(std::string_view, Store&&, OpenOptions = {}) = delete;  // acta: a store, then the id
    template <class Store>
    static void create(std::string_view, Store&&, OpenOptions = {}) = delete;  // acta: a store, then the id
    template <class Store>
    static void open_or_create(std::string_view, Store&&, OpenOptions = {}) = delete;  // acta: a store, then the id

    /// Returns the id of the history in its store.
    [[nodiscard]] const std::string& id() const noexcept { return journal_.id(); }

    /// Returns where the history is: the newest record that it has.
    [[nodiscard]] Position position() const {
        return this->with_lock([this](const History&) { return journal_.position(); });
    }
    /// Reads what others have appended, and returns how many records.
    std::size_t refresh() {
        return this->with_lock([this](History& history) { return journal_.catch_up(history); });
    }
    /// Runs the calls of the open step that have no result (`ExecuteOptions::parallel`), and returns their results in
    /// the order of the calls; none if no step is open. The beginning of each call is stored before the call has any
    /// effect, and each result as soon as it is there. A call that was refused (`decide`) does not run and has that as
    /// its result; calls of an answer that was cut off or refused (`StepMetrics::finish_reason`) have an error of type
    /// `NotRun`. Throws `HistoryError` (`call_begun`), before any call runs, if one has begun already, since `resume`
    /// decides about that, and (`unknown_tool_call`) if another thread has taken the step back; and what the store
    /// throws, when the calls that had begun are over.
    ///
    /// @code{.cpp}
    /// #include <acta/store/memory_store.hpp>
    /// acta::SkillRegistry skills;
    /// skills.add("add", "Adds two numbers.", [](int a, int b) { return a + b; }, "a", "b");
    /// acta::MemoryStore store;
    /// auto run = acta::StoredHistory<>::open_or_create(store, "task-42");
    /// run.resume(skills);   // if a crash left anything open
    /// run.register_action({.thoughts = "Add them.", .use_tool = {"add", {{"a", 1}, {"b", 2}}}});
    /// run.execute(skills);
    /// assert(acta::to_string(*run.at(0).result) == "3");
    /// @endcode
    std::vector<ToolResult> execute(const SkillRegistry& skills, const ExecuteOptions& options = {}) {
        const store_detail::OpenStep step = open_step();
        store_detail::require_not_begun(step.calls);
        return store_detail::run_open_calls(
            step, skills, options, [](const OpenCall&) { return true; }, call_site(step.id));
    }
    /// Closes what a program that died left open. As `execute`, but a call that has begun runs again, with the
    /// idempotency key that it had, only if its skill is read-only, idempotent, or uses that key (`SkillHints`), or if
    /// `rerun` says so. Otherwise its result is an error of type `OutcomeUnknown`. `run_agent` does the same by itself.
    std::vector<ToolResult> resume(const SkillRegistry& skills,
                                   const std::function<bool(const AssistantToolCall&)>& rerun = {},
                                   const ExecuteOptions& options = {}) {
        const auto may_run = [&](const OpenCall& one) { return skill_extension::may_run(one, skills, rerun); };
        const store_detail::OpenStep step = open_step();
        return store_detail::run_open_calls(step, skills, options, may_run, call_site(step.id));
    }
    /// Copies the history as it is now to a new id. Throws `StoreExists`.
    HistoryInfo fork(std::string_view new_id) const { return journal_.store().fork(id(), position().version, new_id); }

private:
    [[nodiscard]] store_detail::OpenStep open_step() const {
        return this->with_lock([](const History& history) {
            store_detail::OpenStep out{.calls = history.open_calls()};
            if (history.cursor() == history.size()) return out;
            out.id = history.id(history.cursor()).step;
            if (const auto& metrics = history[history.cursor()].metrics) out.finish_reason = metrics->finish_reason;
            return out;
        });
    }
    /// Where the calls of a step begin and end, as long as it is the open one.
    [[nodiscard]] store_detail::CallSite call_site(std::uint64_t step) {
        const auto require_open = [step](const History& history) {
            if (history.cursor() == history.size() || history.id(history.cursor()).step != step)
                throw HistoryError(HistoryErrorCode::unknown_tool_call, "The step of the call is over");
        };
        return {[this, require_open](const std::vector<std::string>& ids) {
                    return this->with_lock([&](History& history) {
                        require_open(history);
                        std::vector<CallIdentity> out;
                        if (ids.size() == 1) {
                            out.push_back(history.begin_call(ids.front()));
                            return out;
                        }
                        std::vector<HistoryChange<P>> changes;
                        for (const std::string& id : ids) changes.emplace_back(CallBegun{id, {}});
                        history.apply_together(std::move(changes));
                        auto next = ids.begin();
                        for (OpenCall& one : history.open_calls()) {
                            if (next == ids.end() || one.call.id != *next) continue;
                            out.push_back({*next++, history.cursor(), std::move(one.idempotency_key)});
                        }
                        return out;
                    });
                },
                [this, require_open](const std::vector<ToolResult>& results) {
                    this->with_lock([&](History& history) {
                        require_open(history);
                        history.register_results(results);
                    });
                }};
    }
    StoredHistory(HistoryStore& store, HistoryInfo info, const OpenOptions& options)
        : journal_(store, std::move(info)) {
        if (options.lease) {
            lease_.emplace(store, id(), options.lease->holder, options.lease->time);
            journal_.set_epoch(lease_->epoch());
        }
        refresh();
    }

    store_detail::StoreJournal<P> journal_;
    std::optional<store_detail::LeaseKeeper> lease_{};
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/store/detail/stored_history.inl.hpp"
#endif

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI {
extern template EpisodicActionHistory<> read_history(HistoryStore& store, std::string_view id);
extern template class store_detail::StoreJournal<ActionProposal<>>;
extern template class StoredHistory<ActionProposal<>>;
}  // namespace acta::inline ACTA_ABI
#endif
