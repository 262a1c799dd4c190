// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "acta/history/history.hpp"
#include "acta/json/json.hpp"

/// Histories and documents of any size.
namespace growth {

using acta::Json;
using History = acta::EpisodicActionHistory<>;

inline std::string id_of(std::size_t i) { return "call-" + std::to_string(1'000'000 + i); }

/// The order in which results follow the calls.
enum class Order { forward, backward };

inline std::size_t place(std::size_t i, std::size_t size, Order order) {
    return order == Order::forward ? i : size - 1 - i;
}

/// A step with `calls` calls, all of which have results.
inline acta::Episode<> step_of(std::size_t calls, std::size_t first = 0) {
    acta::Episode<> step;
    acta::AssistantChatMessage& raw = step.action.raw_message.emplace();
    raw.content = "I look at all of them.";
    step.action.thoughts = raw.content;
    raw.tool_calls.emplace();
    for (std::size_t i = 0; i < calls; ++i) {
        acta::AssistantFunctionCall call{"look", {{"at", i}}};
        raw.tool_calls->push_back({id_of(first + i), call});
        step.action.use_tools.push_back(call);
        acta::ActionSuccessResult result;
        result.outputs = "seen " + std::to_string(i);
        if (calls > 1) step.tool_results.push_back({id_of(first + i), result});
        if (calls == 1) step.result = result;
    }
    step.action.use_tool = step.action.use_tools.front();
    if (calls == 1) step.action.use_tools.clear();
    if (calls > 1) step.result = joined_result(step.tool_results);
    return step;
}

inline acta::HistoryRecord<acta::ActionProposal<>> record_of(std::size_t steps, std::size_t calls) {
    acta::HistoryRecord<acta::ActionProposal<>> record;
    record.conversation.push_back({0, acta::ChatMessage::user("Look at all of them.")});
    for (std::size_t i = 0; i < steps; ++i) record.episodes.push_back(step_of(calls, i * calls));
    record.cursor = static_cast<std::int64_t>(steps);
    return record;
}

/// A history of one step with `n` calls.
inline History calls(std::size_t n) { return History(record_of(1, n)); }
/// A history of `n` steps with one call each.
inline History steps(std::size_t n) { return History(record_of(n, 1)); }
/// A history of `n` messages before and after one step.
inline History messages(std::size_t n) {
    auto record = record_of(1, 1);
    for (std::size_t i = 0; i < n; ++i)
        record.conversation.push_back({i % 2, i % 2 == 0 ? acta::ChatMessage::user("And " + std::to_string(i) + "?")
                                                         : acta::ChatMessage::assistant("Yes.")});
    return History(std::move(record));
}
/// A history of one step with `n` calls, each of which was the run of an agent.
inline History sub_runs(std::size_t n) {
    auto record = record_of(1, n);
    const Json inner = acta::to_json_value(History(record_of(1, 1)));
    for (std::size_t i = 0; i < n; ++i) record.sub_runs.push_back({0, id_of(i), inner});
    return History(std::move(record));
}
/// So many runs on one step.
inline History runs(std::size_t n) {
    auto record = record_of(1, 1);
    for (std::size_t i = 0; i < n; ++i) record.runs.push_back({.end = "answered", .after = 1});
    return History(std::move(record));
}

}  // namespace growth
