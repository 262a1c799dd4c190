// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "acta/describe/describe.hpp"
#include "acta/history/history.hpp"
#include "acta/json/dump.hpp"
#include "acta/json/parse.hpp"
#include "acta/store/detail/call_log.hpp"
#include "acta/store/detail/rules.hpp"
#include "acta/store/history_store.hpp"
#include "acta/store/store_error.hpp"

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
        case RecordKind::note: return;
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

/// Returns a history as a store has it.
template <class P>
[[nodiscard]] EpisodicActionHistory<P> read_history(HistoryStore& store, std::string_view id) {
    const std::optional<HistoryInfo> info = store.find(id);
    if (!info) throw_not_found(id);
    EpisodicActionHistory<P> history;
    CallLog log;
    store.read(id, {.first = std::max<std::uint64_t>(info->snapshot, 1)}, [&](const Record& record) {
        replay(history, log, id, record);
        return true;
    });
    return history;
}

}  // namespace store_detail

}  // namespace acta::inline ACTA_ABI
