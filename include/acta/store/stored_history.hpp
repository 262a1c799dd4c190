// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/describe/describe.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/history.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/json/json.hpp"
#include "acta/skill/execute.hpp"
#include "acta/store/history_store.hpp"

namespace acta::inline ACTA_ABI::store_detail {

/// What the records say of the calls of the open step, and the history does not.
class CallLog {
public:
    /// The record of this number opened a step. One that came with a snapshot may have begun its calls before.
    void open(std::uint64_t seq, bool with_snapshot = false) noexcept;
    /// Reserves memory for what `begin` and `decide` record about a call.
    void reserve(std::string_view id) { static_cast<void>(calls_.try_emplace(std::string(id))); }
    /// A call began with this key.
    void begin(std::string_view id, std::string key) { at(id).key = std::move(key); }
    void decide(std::string_view id, std::optional<CallDecision> decision) { at(id).decision = std::move(decision); }

    /// Returns the key of a call: that with which it began, or a new one.
    [[nodiscard]] std::string key(std::string_view history, std::string_view id, std::size_t index) const;
    void look_up(OpenCall& call) const;

private:
    struct Entry {
        std::string key{};  // empty if it has not begun
        std::optional<CallDecision> decision{};
    };

    [[nodiscard]] Entry& at(std::string_view id);

    std::uint64_t action_ = 0;
    bool may_have_begun_ = false;
    std::map<std::string, Entry, std::less<>> calls_{};
};

/// A digest of a call's arguments, by which a decision is bound to them: FNV-1a, 64 bits, in hexadecimal digits. It
/// tells arguments apart that were changed, not those that somebody made to be taken for others.
[[nodiscard]] std::string digest(const JsonObject& arguments);

}  // namespace acta::inline ACTA_ABI::store_detail

// The bodies of records, and the changes of a history that they stand for.
namespace acta::inline ACTA_ABI {

namespace store_detail {

template <class P>
struct ActionBody {
    P action{};
    std::optional<StepMetrics> metrics{};
};
struct ResultBody {
    ActionResult result{};
    std::optional<std::int64_t> step{};  ///< Of `RecordKind::result`.
    std::optional<Timestamp> finished_at{};
};
struct SummaryBody {
    std::optional<std::int64_t> step{};  ///< Of the summary of a step.
    std::optional<std::string> summary{};
    std::optional<RollingSummary> rolling_summary{};  ///< Forgotten if there is neither.
};
struct MetricsBody {
    std::int64_t step = 0;
    StepMetrics metrics{};
};
struct RewindBody {
    std::int64_t steps = 0;
};
struct FeedbackBody {
    std::string text{};
};
/// Other arguments of a call, or whether it may run.
struct DecisionBody {
    std::optional<JsonObject> arguments{};
    std::optional<bool> approved{};
    std::optional<std::string> by{};
    std::optional<std::string> feedback{};
    std::optional<std::string> digest{};  ///< Of the arguments for which that holds.
};
struct CallBody {
    std::string key{};
};
struct RunBody {
    RunRecordEntry run{};
};
struct SubRunBody {
    SubRun sub_run{};
};

}  // namespace store_detail

template <class P>
struct Describe<store_detail::ActionBody<P>> {
    using T = store_detail::ActionBody<P>;
    static constexpr auto fields = acta::fields(required("action", &T::action), omit_if_empty("metrics", &T::metrics));
};
template <>
struct Describe<store_detail::ResultBody> {
    using T = store_detail::ResultBody;
    static constexpr auto fields = acta::fields(required("result", &T::result), omit_if_empty("step", &T::step),
                                                omit_if_empty("finished_at", &T::finished_at));
};
template <>
struct Describe<store_detail::SummaryBody> {
    using T = store_detail::SummaryBody;
    static constexpr auto fields = acta::fields(omit_if_empty("step", &T::step), omit_if_empty("summary", &T::summary),
                                                omit_if_empty("rolling_summary", &T::rolling_summary));
};
template <>
struct Describe<store_detail::MetricsBody> {
    using T = store_detail::MetricsBody;
    static constexpr auto fields = acta::fields(required("step", &T::step), required("metrics", &T::metrics));
};
template <>
struct Describe<store_detail::RewindBody> {
    using T = store_detail::RewindBody;
    static constexpr auto fields = acta::fields(required("steps", &T::steps));
};
template <>
struct Describe<store_detail::FeedbackBody> {
    using T = store_detail::FeedbackBody;
    static constexpr auto fields = acta::fields(required("text", &T::text));
};
template <>
struct Describe<store_detail::DecisionBody> {
    using T = store_detail::DecisionBody;
    static constexpr auto fields = acta::fields(
        omit_if_empty("arguments", &T::arguments), omit_if_empty("approved", &T::approved), omit_if_empty("by", &T::by),
        omit_if_empty("feedback", &T::feedback), omit_if_empty("digest", &T::digest));
};
template <>
struct Describe<store_detail::SubRunBody> {
    using T = store_detail::SubRunBody;
    static constexpr auto fields = acta::fields(required("sub_run", &T::sub_run));
};
template <>
struct Describe<store_detail::RunBody> {
    using T = store_detail::RunBody;
    static constexpr auto fields = acta::fields(required("run", &T::run));
};
template <>
struct Describe<store_detail::CallBody> {
    using T = store_detail::CallBody;
    static constexpr auto fields = acta::fields(required("idempotency_key", &T::key));
};

namespace store_detail {

template <class P>
void set_finish(EpisodicActionHistory<P>& history, std::size_t step, const std::optional<Timestamp>& at) {
    if (!at) return;
    StepMetrics metrics = history.at(step).metrics.value_or(StepMetrics());
    metrics.finished_at = at;
    history.set_metrics(step, std::move(metrics));
}

[[nodiscard]] inline std::size_t step_of(std::int64_t step) {
    if (step < 0) throw std::out_of_range("a step below 0");
    return static_cast<std::size_t>(step);
}

template <class P>
void apply_result(EpisodicActionHistory<P>& history, ResultBody body) {
    const std::size_t step = step_of(body.step.value_or(-1));
    if (step == history.cursor())
        history.register_result(std::move(body.result));
    else
        history.close_open_episode(std::move(body.result));
    set_finish(history, step, body.finished_at);
}

template <class P>
void apply_summary(EpisodicActionHistory<P>& history, SummaryBody body) {
    if (body.step)
        static_cast<void>(
            history.set_summary(history.id(step_of(*body.step)), std::move(body.summary).value_or(std::string())));
    else if (body.rolling_summary)
        history.set_rolling_summary(*std::move(body.rolling_summary));
    else
        history.clear_rolling_summary();
}

template <class P>
void apply_message(EpisodicActionHistory<P>& history, ConversationMessage said) {
    if (said.metrics)
        history.register_answer(to_assistant_message(std::move(said.message)), std::move(said.metrics));
    else
        history.register_message(std::move(said.message));
}

template <class P>
void apply_decision(EpisodicActionHistory<P>& history, CallLog& log, const Record& record) {
    auto body = parse<DecisionBody>(record.body);
    if (body.arguments) {
        log.decide(record.call_id, std::nullopt);
        history.set_arguments(record.call_id, *std::move(body.arguments));
    }
    if (!body.approved) return;
    CallDecision decision{*body.approved, std::move(body.by).value_or(""), std::move(body.feedback).value_or("")};
    history.decide(record.call_id, decision);
    for (const OpenCall& open : history.open_calls()) {
        if (open.call.id == record.call_id && digest(open.call.function.arguments) == body.digest)
            log.decide(record.call_id, std::move(decision));
    }
}

template <class P>
void apply_snapshot(EpisodicActionHistory<P>& history, CallLog& log, const Record& record) {
    history = parse<EpisodicActionHistory<P>>(record.body);
    log.open(record.seq, true);
}

template <class P>
void apply_sub_run(EpisodicActionHistory<P>& history, std::string_view body) {
    SubRun run = parse<SubRunBody>(body).sub_run;
    if (run.step != history.cursor()) throw std::out_of_range("a run within another step");
    history.register_sub_run(run.tool_call_id, std::move(run.history));
}

/// Older histories have their runs in notes. Whatever is not one of these is a note for people.
template <class P>
void apply_note(EpisodicActionHistory<P>& history, std::string_view body) {
    try {
        if (body.starts_with("{\"run\":{")) history.register_run(parse<RunBody>(body).run);
        if (body.starts_with("{\"sub_run\":{")) apply_sub_run(history, body);
    } catch (const ValidationError&) {
        return;
    } catch (const HistoryError&) {
        return;
    } catch (const std::out_of_range&) {
        return;
    }
}

/// Repeats the change that a record stands for. What it says of calls is added to `log`.
template <class P>
void apply(EpisodicActionHistory<P>& history, CallLog& log, const Record& record) {
    switch (record.kind) {
        case RecordKind::action: {
            auto body = parse<ActionBody<P>>(record.body);
            history.register_action(std::move(body.action), std::move(body.metrics));
            return log.open(record.seq);
        }
        case RecordKind::call:
            static_cast<void>(history.begin_call(record.call_id));
            return log.begin(record.call_id, parse<CallBody>(record.body).key);
        case RecordKind::call_result: {
            const std::size_t step = history.cursor();
            auto body = parse<ResultBody>(record.body);
            history.register_result(record.call_id, std::move(body.result));
            return set_finish(history, step, body.finished_at);
        }
        case RecordKind::result: return apply_result(history, parse<ResultBody>(record.body));
        case RecordKind::message: return apply_message(history, parse<ConversationMessage>(record.body));
        case RecordKind::feedback: return history.append_user_feedback(parse<FeedbackBody>(record.body).text);
        case RecordKind::feedback_taken: static_cast<void>(history.take_pending_feedback()); return;
        case RecordKind::summary: return apply_summary(history, parse<SummaryBody>(record.body));
        case RecordKind::metrics: {
            auto body = parse<MetricsBody>(record.body);
            return history.set_metrics(step_of(body.step), std::move(body.metrics));
        }
        case RecordKind::rewind: return history.rewind(parse<RewindBody>(record.body).steps);
        case RecordKind::decision: return apply_decision(history, log, record);
        case RecordKind::snapshot: return apply_snapshot(history, log, record);
        case RecordKind::run: return history.register_run(parse<RunBody>(record.body).run);
        case RecordKind::sub_run: return apply_sub_run(history, record.body);
        case RecordKind::note: return apply_note(history, record.body);
    }
}

/// The same; what cannot be read or does not fit is a `StoreCorrupt` that says where it stands.
template <class P>
void replay(EpisodicActionHistory<P>& history, CallLog& log, std::string_view id, const Record& record) {
    const auto where = [&] { return "history " + quoted_id(id) + ", record " + std::to_string(record.seq); };
    if (record.format > record_format)
        throw StoreTooNew(where() + ": format " + std::to_string(record.format) + " is newer than this acta");
    const auto fail = [&](const char* why) {
        throw StoreCorrupt(where() + " (" + std::string(to_string(record.kind)) + "): " + why, record.seq);
    };
    try {
        apply(history, log, record);
    } catch (const ValidationError& error) {
        fail(error.what());
    } catch (const HistoryError& error) {
        fail(error.what());
    } catch (const std::out_of_range&) {
        fail("it is of a step that is not there");
    }
}

/// What of a history was repeated.
struct Replayed {
    std::uint64_t newest = 0;  ///< The number of the last record.
    std::size_t bytes = 0;     ///< Of the records since the last snapshot.
};

/// Goes on from `out` with the records that a history has after it; `known` says what must be there. What a store of the
/// user's own does not check is checked here.
template <class P>
Replayed replay_all(HistoryStore& store, std::string_view id, Replayed out, const HistoryInfo& known,
                    EpisodicActionHistory<P>& history, CallLog& log) {
    const auto fail = [&](std::uint64_t seq, const char* why) {
        throw StoreCorrupt("history " + quoted_id(id) + ", record " + std::to_string(seq) + ": " + why, seq);
    };
    store.read(id, {out.newest + 1}, [&](const Record& record) {
        if (record.seq != out.newest + 1) fail(out.newest + 1, "it is missing");
        if (record.seq == known.snapshot && record.kind != RecordKind::snapshot)
            fail(record.seq, "it is not the snapshot that it is said to be");
        replay(history, log, id, record);
        out.newest = record.seq;
        out.bytes = record.kind == RecordKind::snapshot ? 0 : out.bytes + record.body.size();
        return true;
    });
    if (out.newest < known.position.version) fail(out.newest + 1, "it is missing");
    return out;
}

/// Returns the number of the record before those that a history is read from: its newest snapshot stands for the others.
[[nodiscard]] inline std::uint64_t before_first(const HistoryInfo& info) noexcept {
    return info.snapshot == 0 ? 0 : info.snapshot - 1;
}

/// Reads a history, beginning at its newest snapshot. Throws `StoreError`.
template <class P>
[[nodiscard]] EpisodicActionHistory<P> read_history(HistoryStore& store, std::string_view id) {
    const std::optional<HistoryInfo> info = store.find(id);
    if (!info) throw_not_found(id);
    EpisodicActionHistory<P> history;
    CallLog log;
    replay_all(store, id, {before_first(*info), 0}, *info, history, log);
    return history;
}

/// Returns the body of a record. Throws `EncodeError` if it could not be read back.
template <class T>
[[nodiscard]] std::string body_of(const T& value) {
    return dump(value, {.round_trip = true});
}

}  // namespace store_detail

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::store_detail {

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

}  // namespace acta::inline ACTA_ABI::store_detail

// Runs the calls of an open step, whatever the type of its history: compiled once.
namespace acta::inline ACTA_ABI::store_detail {

/// A history, as far as its calls need it.
struct CallSite {
    std::function<CallIdentity(const std::string& id)> begin{};
    std::function<void(const std::string& id, const ActionResult& result)> end{};
};

/// Throws `HistoryError` if one of them has begun.
void require_not_begun(const std::vector<OpenCall>& open);

/// Runs the calls for which `may_run` holds, and gives the others their result without it. Returns all results. Throws
/// what the functions throw, when all calls are over.
std::vector<ToolResult> run_open_calls(const std::vector<OpenCall>& open, const SkillRegistry& skills,
                                       const ExecuteOptions& options,
                                       const std::function<bool(const OpenCall&)>& may_run, const CallSite& site);

}  // namespace acta::inline ACTA_ABI::store_detail

namespace acta::inline ACTA_ABI::store_detail {

/// Appends the changes of a history to a store. Used under the history's lock.
template <class P>
class StoreJournal final : public HistoryJournal<P> {
public:
    using History = EpisodicActionHistory<P>;

    /// Finds the history, or creates it.
    StoreJournal(HistoryStore& store, std::string_view id, const JsonObject& labels) : store_(store), id_(id) {
        std::optional<HistoryInfo> info = store.find(id);
        if (!info) {
            try {
                info = store.create(id, introspection::type_title<P>(), labels);
            } catch (const StoreExists&) {
                info = store.find(id);  // another program was faster
            }
        }
        if (!info) throw_not_found(id);
        position_ = {before_first(*info), info->position.epoch};
        found_ = *std::move(info);
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

    void action(const Episode<P>& step) override {
        write({{RecordKind::action, {}, body_of(ActionBody<P>{step.action, step.metrics})}});
        calls_.open(position_.version);
    }
    void result(std::size_t step, const ActionResult& result, const std::optional<Timestamp>& at) override {
        write({{RecordKind::result, {}, body_of(ResultBody{result, static_cast<std::int64_t>(step), at})}});
    }
    void call_results(std::span<const ToolResult> results, const std::optional<Timestamp>& at) override {
        std::vector<NewRecord> records;
        for (const ToolResult& one : results) {
            const bool is_last = &one == &results.back();
            records.push_back({RecordKind::call_result, one.tool_call_id,
                               body_of(ResultBody{one.result, {}, is_last ? at : std::nullopt})});
        }
        write(records);
    }
    void arguments(std::string_view tool_call_id, const JsonObject& arguments) override {
        DecisionBody body;
        body.arguments = arguments;
        calls_.reserve(tool_call_id);
        write({{RecordKind::decision, std::string(tool_call_id), body_of(body)}});
        calls_.decide(tool_call_id, std::nullopt);
    }
    void decision(const AssistantToolCall& call, const CallDecision& decision) override {
        const auto unless_empty = [](const std::string& text) {
            return text.empty() ? std::nullopt : std::optional(text);
        };
        const DecisionBody body{.approved = decision.approved,
                                .by = unless_empty(decision.by),
                                .feedback = unless_empty(decision.feedback),
                                .digest = digest(call.function.arguments)};
        CallDecision kept = decision;
        calls_.reserve(call.id);
        write({{RecordKind::decision, call.id, body_of(body)}});
        calls_.decide(call.id, std::move(kept));
    }
    std::string call(std::string_view tool_call_id, std::size_t index) override {
        std::string key = calls_.key(id_, tool_call_id, index);
        std::string kept = key;
        calls_.reserve(tool_call_id);
        write({{RecordKind::call, std::string(tool_call_id), body_of(CallBody{key})}});
        calls_.begin(tool_call_id, std::move(kept));
        return key;
    }
    void look_up(OpenCall& call) const override { calls_.look_up(call); }
    void rewind(std::int64_t steps) override { write({{RecordKind::rewind, {}, body_of(RewindBody{steps})}}); }
    void message(const ConversationMessage& message) override { write({{RecordKind::message, {}, body_of(message)}}); }
    void feedback(std::string_view feedback) override {
        write({{RecordKind::feedback, {}, body_of(FeedbackBody{std::string(feedback)})}});
    }
    void feedback_taken() override { write({{RecordKind::feedback_taken, {}, "{}"}}); }
    void summary(std::size_t step, std::string_view summary) override {
        write({{RecordKind::summary,
                {},
                body_of(SummaryBody{static_cast<std::int64_t>(step), std::string(summary), {}})}});
    }
    void rolling_summary(const RollingSummary* summary) override {
        SummaryBody body;
        if (summary != nullptr) body.rolling_summary = *summary;
        write({{RecordKind::summary, {}, body_of(body)}});
    }
    void metrics(std::size_t step, const StepMetrics& metrics) override {
        write({{RecordKind::metrics, {}, body_of(MetricsBody{static_cast<std::int64_t>(step), metrics})}});
    }
    void sub_run(const SubRun& run) override { write({{RecordKind::sub_run, {}, body_of(SubRunBody{run})}}); }
    void run(const RunRecordEntry& run) override { write({{RecordKind::run, {}, body_of(RunBody{run})}}); }
    void replaced() noexcept override { replaced_ = true; }

    // A snapshot is worth its bytes when it stands for at least four times as many: those of steps that were rewound,
    // of summaries and metrics that were replaced. A history that only grows is read from its records as fast.
    void changes_complete(const History& history) noexcept override {
        // A reader must not write: its records would come before those of the writer.
        if (!std::exchange(has_written_, false) || replaced_ || bytes_ < next_look_) return;
        // Nor does a snapshot say which calls of the open step have begun.
        if (history.current_episode() != nullptr && !history.current_episode()->result) return;
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
    std::size_t next_look_ = least_look;  // when so many have come, the next snapshot is considered
    bool has_written_ = false;            // since the last `changes_complete`
    bool replaced_ = false;
};

}  // namespace acta::inline ACTA_ABI::store_detail

namespace acta::inline ACTA_ABI {

/// A lease that a `StoredHistory` holds as long as it lives.
struct LeaseOptions {
    /// Who holds it, for people and logs, such as host and process. Whoever has the same name takes it over at once.
    std::string holder{};
    /// How long it lasts if the program dies or hangs; at least 3 ms. A thread prolongs it three times as often.
    std::chrono::milliseconds time{30'000};
};

/// Options of `StoredHistory::open`.
struct OpenOptions {
    JsonObject labels{};                  ///< Labels of a history that is made.
    std::optional<LeaseOptions> lease{};  ///< Makes this object the only one that writes the history.
};

/// A history in a store: a `SharedHistory` whose changes last. When a member has returned, the store has the change;
/// when it throws, store and memory are as they were. `run_agent`, `handle_compression` and everything else that takes
/// a `SharedHistory` takes it.
///
/// One program writes a history at a time. A member throws `StoreConflict` if another one has: `refresh` reads what is
/// new. With a lease (`OpenOptions`) others may only read it until it is released, and a program that lost it is refused
/// (`LeaseLost`). If the store's answer is lost, the change may be there or not: the same call of a member of this
/// object, repeated, has it there once, or throws `StoreConflict` if its record would now be another, such as one with
/// the time at which a step ended. Another object that makes the same change gets a `StoreConflict`.
///
/// A change that could not be read back (`DumpOptions::round_trip`) throws `EncodeError`, and is made neither in memory
/// nor in the store.
///
/// @code{.cpp}
/// #include <acta/store/memory_store.hpp>
/// acta::MemoryStore store;   // or acta::sqlite::Store store("runs.db");
/// {
///     auto run = acta::StoredHistory<>::open(store, "task-42");
///     run.register_message(acta::ChatMessage::user("When is high water in Brest?"));
/// }
/// auto run = acta::StoredHistory<>::open(store, "task-42");   // goes on where it was
/// assert(run.messages().size() == 1);
/// @endcode
template <class P>
class StoredHistory : public SharedHistory<P> {
public:
    using typename SharedHistory<P>::History;

    /// Returns the history of an id, which is created if the store has none. The store must outlive it. Throws
    /// `StoreError`; in particular `StoreGone`, `StoreTooNew`, `StoreCorrupt` for a record that cannot be read, and
    /// `LeaseLost` if another holder has the lease that was wanted.
    [[nodiscard]] static StoredHistory open(HistoryStore& store, std::string_view id, const OpenOptions& options = {}) {
        return StoredHistory(store, id, options);
    }

    /// Returns the id of the history in its store.
    [[nodiscard]] const std::string& id() const noexcept { return journal_.id(); }

    // The members of `EpisodicActionHistory` that record, each under the lock; `lock()` has all of them.

    /// See `EpisodicActionHistory::register_action`.
    void register_action(P action, std::optional<StepMetrics> metrics = std::nullopt) {
        this->lock()->register_action(std::move(action), std::move(metrics));
    }
    /// See `EpisodicActionHistory::register_result`.
    void register_result(ActionResult result) { this->lock()->register_result(std::move(result)); }
    /// See `EpisodicActionHistory::register_result`.
    void register_result(std::string_view tool_call_id, ActionResult result) {
        this->lock()->register_result(tool_call_id, std::move(result));
    }
    /// See `EpisodicActionHistory::register_results`.
    void register_results(std::vector<ToolResult> results) { this->lock()->register_results(std::move(results)); }
    /// See `EpisodicActionHistory::close_open_episode`.
    void close_open_episode(ActionResult result) { this->lock()->close_open_episode(std::move(result)); }
    /// See `EpisodicActionHistory::register_message`.
    void register_message(ChatMessage message) { this->lock()->register_message(std::move(message)); }
    /// See `EpisodicActionHistory::register_answer`.
    void register_answer(AssistantChatMessage answer, std::optional<StepMetrics> metrics = std::nullopt) {
        this->lock()->register_answer(std::move(answer), std::move(metrics));
    }
    /// See `EpisodicActionHistory::register_answer`.
    void register_answer(std::string text) { this->lock()->register_answer(std::move(text)); }
    /// See `EpisodicActionHistory::append_user_feedback`.
    void append_user_feedback(std::string feedback) { this->lock()->append_user_feedback(std::move(feedback)); }
    /// See `EpisodicActionHistory::take_pending_feedback`.
    std::vector<std::string> take_pending_feedback() { return this->lock()->take_pending_feedback(); }
    /// See `EpisodicActionHistory::set_arguments`.
    void set_arguments(std::string_view tool_call_id, JsonObject arguments) {
        this->lock()->set_arguments(tool_call_id, std::move(arguments));
    }
    /// See `EpisodicActionHistory::decide`.
    void decide(std::string_view tool_call_id, const CallDecision& decision) {
        this->lock()->decide(tool_call_id, decision);
    }
    /// See `EpisodicActionHistory::begin_call`.
    CallIdentity begin_call(std::string_view tool_call_id) { return this->lock()->begin_call(tool_call_id); }
    /// See `EpisodicActionHistory::set_metrics`.
    void set_metrics(std::size_t i, StepMetrics metrics) { this->lock()->set_metrics(i, std::move(metrics)); }
    /// See `EpisodicActionHistory::rewind`.
    void rewind(std::int64_t steps = 0) { this->lock()->rewind(steps); }
    /// See `EpisodicActionHistory::open_calls`.
    [[nodiscard]] std::vector<OpenCall> open_calls() const { return this->lock()->open_calls(); }
    /// Returns a copy of the messages; see `EpisodicActionHistory::messages`.
    [[nodiscard]] std::vector<ConversationMessage> messages() const { return this->lock()->record().conversation; }
    /// Returns a copy of the answer, or nothing; see `EpisodicActionHistory::answer`.
    [[nodiscard]] std::optional<ChatMessage> answer() const {
        const auto history = this->lock();
        return history->answer() == nullptr ? std::nullopt : std::optional(*history->answer());
    }
    /// Returns a copy of the step at `i`. Throws `std::out_of_range`.
    [[nodiscard]] Episode<P> at(std::size_t i) const { return this->lock()->at(i); }
    /// Returns the number of steps.
    [[nodiscard]] std::size_t size() const { return this->lock()->size(); }
    /// Returns whether it has no steps.
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// See `EpisodicActionHistory::fmt_list`.
    [[nodiscard]] std::string fmt_list() const { return this->lock()->fmt_list(); }
    /// See `EpisodicActionHistory::fmt_paragraph`.
    [[nodiscard]] std::string fmt_paragraph() const { return this->lock()->fmt_paragraph(); }

    /// Returns where the history is: the newest record that it has.
    [[nodiscard]] Position position() const {
        return this->with_lock([this](const History&) { return journal_.position(); });
    }
    /// Reads what others have appended, and returns how many records.
    std::size_t refresh() {
        return this->with_lock([this](History& history) { return journal_.catch_up(history); });
    }
    /// Runs the calls of the open step that have no result, several of them in parallel, and returns their results in
    /// the order of the calls; none if no step is open. That a call begins lasts before it has any effect, and each
    /// result as soon as it is there. A call that was refused (`decide`) does not run and has that as its result. The
    /// options' `call_ids` are ignored. Throws `HistoryError` (`call_begun`), before any call runs, if one has begun
    /// already, since `resume` decides about that; and what the store throws, when the calls that had begun are over.
    ///
    /// @code{.cpp}
    /// #include <acta/store/memory_store.hpp>
    /// acta::SkillRegistry skills;
    /// skills.add("add", "Adds two numbers.", [](int a, int b) { return a + b; }, "a", "b");
    /// acta::MemoryStore store;
    /// auto run = acta::StoredHistory<>::open(store, "task-42");
    /// run.resume(skills);   // if a crash left anything open
    /// run.register_action({.thoughts = "Add them.", .use_tool = {"add", {{"a", 1}, {"b", 2}}}});
    /// run.execute(skills);
    /// assert(acta::to_string(*run.at(0).result) == "3");
    /// @endcode
    std::vector<ToolResult> execute(const SkillRegistry& skills, const ExecuteOptions& options = {}) {
        const std::vector<OpenCall> open = this->open_calls();
        store_detail::require_not_begun(open);
        return store_detail::run_open_calls(
            open, skills, options, [](const OpenCall&) { return true; }, call_site());
    }
    /// Closes what a program that died left open. As `execute`, but a call that has begun runs again, with the
    /// idempotency key that it had, only if its skill is read-only, idempotent, or uses that key (`SkillHints`), or if
    /// `rerun` says so. Otherwise its result is an error of type `OutcomeUnknown`. `run_agent` does the same by itself.
    std::vector<ToolResult> resume(const SkillRegistry& skills,
                                   const std::function<bool(const AssistantToolCall&)>& rerun = {},
                                   const ExecuteOptions& options = {}) {
        const auto may_run = [&](const OpenCall& one) { return skill_extension::may_run(one, skills, rerun); };
        return store_detail::run_open_calls(this->open_calls(), skills, options, may_run, call_site());
    }
    /// Copies the history as it is now to a new id. Throws `StoreExists`.
    HistoryInfo fork(std::string_view new_id) const { return journal_.store().fork(id(), position().version, new_id); }

private:
    [[nodiscard]] store_detail::CallSite call_site() {
        return {[this](const std::string& id) { return this->begin_call(id); },
                [this](const std::string& id, const ActionResult& result) { this->register_result(id, result); }};
    }
    StoredHistory(HistoryStore& store, std::string_view id, const OpenOptions& options)
        : journal_(store, id, options.labels) {
        if (options.lease) {
            lease_.emplace(store, id, options.lease->holder, options.lease->time);
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
extern template class store_detail::StoreJournal<ActionProposal<>>;
extern template class StoredHistory<ActionProposal<>>;
}  // namespace acta::inline ACTA_ABI
#endif
