// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "acta/history/history.hpp"

/// Changes of a history as they may come, legal and illegal ones.
namespace random_changes {

using History = acta::EpisodicActionHistory<>;

inline acta::ActionResult outcome(std::mt19937& random) {
    switch (random() % 4) {
        case 0: return acta::ActionErrorResult{.reason = "refused"};
        case 1: return acta::ActionInterruptedByHuman{"do not"};
        default: return acta::ActionSuccessResult{.outputs = static_cast<int>(random() % 100)};
    }
}

inline acta::ActionProposal<> proposal(std::mt19937& random) {
    acta::ActionProposal<> out{.thoughts = "because"};
    std::vector<acta::AssistantFunctionCall> calls;
    for (std::size_t i = 0; i <= random() % 3; ++i)
        calls.push_back({"tool" + std::to_string(i), {{"n", static_cast<int>(random() % 9)}}});
    acta::set_calls(out, calls);
    return out;
}

/// Does something to the history, which may be illegal.
inline void change(History& h, std::mt19937& random) {
    const std::size_t some = h.empty() ? 0 : random() % h.size();
    const std::string id = "call_" + std::to_string(random() % 3);
    switch (random() % 18) {
        case 0:
        case 1:
        case 2: {
            const auto action = proposal(random);
            std::optional<acta::StepMetrics> metrics;
            if (random() % 2 == 0) metrics = acta::StepMetrics::start();
            return h.register_action(action, std::move(metrics));
        }
        case 3: return h.register_result(outcome(random));
        case 4:
        case 5: return h.register_result(id, outcome(random));
        case 6: return h.register_results({{"call_0", outcome(random)}, {"call_1", outcome(random)}});
        case 7: return h.set_arguments(id, {{"n", 100}});
        case 8: return h.close_open_episode(outcome(random));
        case 9: return h.rewind(static_cast<std::int64_t>(random() % 3) - 1);
        case 10: return h.register_message(acta::ChatMessage::user("hello"));
        case 11: return h.register_answer(acta::AssistantChatMessage{.content = "so"}, acta::StepMetrics::start());
        case 12: return h.append_user_feedback("look");
        case 13: static_cast<void>(h.take_pending_feedback()); return;
        case 14: static_cast<void>(h.begin_call(id)); return;
        case 15: return h.decide(id, {.approved = random() % 2 == 0});
        case 16:
            if (random() % 3 == 0) return h.clear_rolling_summary();
            return h.set_rolling_summary({.text = "then", .first = 0, .last = static_cast<std::int64_t>(some)});
        default:
            if (!h.empty() && random() % 2 == 0) static_cast<void>(h.set_summary(h.id(some), "short"));
            return h.set_metrics(some, {.prompt_tokens = 3});
    }
}

/// Returns whether it was legal.
inline bool try_change(History& h, std::mt19937& random) {
    try {
        change(h, random);
        return true;
    } catch (const acta::HistoryError&) {
    } catch (const std::out_of_range&) {
    }
    return false;
}

}  // namespace random_changes
