// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/history/journal.hpp"
#include "acta/store/detail/changes.hpp"
#include "acta/store/detail/rules.hpp"
#include "acta/store/history_store.hpp"

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
        // What a snapshot stands for need not be read.
        position_ = {info->snapshot == 0 ? 0 : info->snapshot - 1, info->position.epoch};
        if (info->lease) held_by_ = std::move(info->lease->holder);
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
        std::uint64_t newest = before;
        std::size_t bytes = bytes_;
        store_.read(id_, {before + 1}, [&](const Record& record) {
            replay(fresh, calls, id_, record);
            newest = record.seq;
            bytes = record.kind == RecordKind::snapshot ? 0 : bytes + record.body.size();
            return true;
        });
        history = std::move(fresh);
        history.set_journal(this);
        calls_ = std::move(calls);
        position_.version = newest;
        bytes_ = bytes;
        replaced_ = false;
        return static_cast<std::size_t>(newest - before);
    }

    void action(const Episode<P>& step) override {
        write({{RecordKind::action, {}, dump(ActionBody<P>{step.action, step.metrics})}});
        calls_.open(position_.version);
    }
    void result(std::size_t step, const ActionResult& result, const std::optional<Timestamp>& at) override {
        write({{RecordKind::result, {}, dump(ResultBody{result, static_cast<std::int64_t>(step), at})}});
    }
    void call_results(std::span<const ToolResult> results, const std::optional<Timestamp>& at) override {
        std::vector<NewRecord> records;
        for (const ToolResult& one : results) {
            const bool is_last = &one == &results.back();
            records.push_back({RecordKind::call_result, one.tool_call_id,
                               dump(ResultBody{one.result, {}, is_last ? at : std::nullopt})});
        }
        write(records);
    }
    void arguments(std::string_view tool_call_id, const JsonObject& arguments) override {
        DecisionBody body;
        body.arguments = arguments;
        calls_.reserve(tool_call_id);
        write({{RecordKind::decision, std::string(tool_call_id), dump(body)}});
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
        write({{RecordKind::decision, call.id, dump(body)}});
        calls_.decide(call.id, std::move(kept));
    }
    std::string call(std::string_view tool_call_id, std::size_t index) override {
        std::string key = calls_.key(id_, tool_call_id, index);
        std::string kept = key;
        calls_.reserve(tool_call_id);
        write({{RecordKind::call, std::string(tool_call_id), dump(CallBody{key})}});
        calls_.begin(tool_call_id, std::move(kept));
        return key;
    }
    void look_up(OpenCall& call) const override { calls_.look_up(call); }
    void rewind(std::int64_t steps) override { write({{RecordKind::rewind, {}, dump(RewindBody{steps})}}); }
    void message(const ConversationMessage& message) override { write({{RecordKind::message, {}, dump(message)}}); }
    void feedback(std::string_view feedback) override {
        write({{RecordKind::feedback, {}, dump(FeedbackBody{std::string(feedback)})}});
    }
    void feedback_taken() override { write({{RecordKind::feedback_taken, {}, "{}"}}); }
    void summary(std::size_t step, std::string_view summary) override {
        write(
            {{RecordKind::summary, {}, dump(SummaryBody{static_cast<std::int64_t>(step), std::string(summary), {}})}});
    }
    void rolling_summary(const RollingSummary* summary) override {
        SummaryBody body;
        if (summary != nullptr) body.rolling_summary = *summary;
        write({{RecordKind::summary, {}, dump(body)}});
    }
    void metrics(std::size_t step, const StepMetrics& metrics) override {
        write({{RecordKind::metrics, {}, dump(MetricsBody{static_cast<std::int64_t>(step), metrics})}});
    }
    void replaced() noexcept override { replaced_ = true; }

    // A snapshot is worth its bytes when it stands for at least four times as many: those of steps that were rewound,
    // of summaries and metrics that were replaced. A history that only grows is read from its records as fast.
    void settled(const History& history) noexcept override {
        // Who only reads does not write: it would put itself before the writer.
        if (!std::exchange(has_written_, false) || replaced_ || bytes_ < next_look_) return;
        // Nor does a snapshot say which calls of the open step have begun.
        if (history.current_episode() != nullptr && !history.current_episode()->result) return;
        try {
            const std::vector<NewRecord> records = {{RecordKind::snapshot, {}, dump(history)}};
            const std::size_t size = records.front().body.size();
            if (bytes_ >= 4 * size) {
                position_ = store_.append(id_, position_, records).position;
                bytes_ = 0;
            }
            next_look_ = std::max(least_look, 4 * size);
        } catch (const std::exception&) {
            next_look_ = 2 * bytes_;  // the changes are all there; it is tried again later
        }
    }

private:
    void write(const std::vector<NewRecord>& records) {
        require_own();
        if (held_by_) throw_lost(id_, "'" + *held_by_ + "' has the lease: open it with one to write it");
        position_ = store_.append(id_, position_, records).position;
        for (const NewRecord& one : records) bytes_ += one.body.size();
        has_written_ = true;
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
    std::optional<std::string> held_by_{};  // who had the lease when it was opened without one
    CallLog calls_{};
    std::size_t bytes_ = 0;               // of records since the last snapshot
    std::size_t next_look_ = least_look;  // when so many have come, the next snapshot is considered
    bool has_written_ = false;            // since the history was settled last
    bool replaced_ = false;
};

}  // namespace acta::inline ACTA_ABI::store_detail
