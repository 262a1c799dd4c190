// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "acta/history/stuck.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::string_view to_string(StuckPattern pattern) noexcept {
    constexpr std::array<std::string_view, 6> names{"same_result", "same_error",   "monologue",
                                                    "alternating", "condensation", "refused"};
    return names[static_cast<std::size_t>(pattern)];
}

ACTA_INLINE std::string to_string(const Stuck& stuck) {
    constexpr std::array<std::string_view, 6> texts{"the same calls had the same result",
                                                    "the same calls failed",
                                                    "the same was said, and nobody answered",
                                                    "two steps alternated",
                                                    "the context was condensed, and nothing else was done",
                                                    "all calls were refused"};
    std::string out;
    if (stuck.count == 0)
        out = "after step " + std::to_string(stuck.first);
    else if (stuck.count == 1)
        out = "step " + std::to_string(stuck.first + 1);
    else
        out = "steps " + std::to_string(stuck.first + 1) + " to " + std::to_string(stuck.first + stuck.count);
    return out.append(": ").append(texts[static_cast<std::size_t>(stuck.pattern)]);
}

ACTA_INLINE std::ostream& operator<<(std::ostream& out, const Stuck& stuck) { return out << to_string(stuck); }

namespace history_detail {

/// Looks for the patterns from the newest step backwards.
class StuckFinder {
public:
    StuckFinder(const HistoryView& steps, const StuckOptions& options)
        : steps_(steps), options_(options), end_(steps.size()) {}

    [[nodiscard]] std::optional<Stuck> find() {
        const std::size_t condensed = run([this](std::size_t i) { return is_condensation(i); });
        if (options_.condensation != 0 && condensed >= options_.condensation)
            return pattern(StuckPattern::condensation, condensed);
        if (condensed != 0 || end_ == 0) return std::nullopt;
        if (const std::size_t said = monologue(); reached(said, options_.monologue, 2))
            return pattern(StuckPattern::monologue, said);
        if (!result(end_ - 1)) --end_;
        if (const std::size_t count = refused(); reached(count, options_.refused, 1))
            return pattern(StuckPattern::refused, count);
        if (end_ == 0 || is_interrupted(end_ - 1)) return std::nullopt;
        return find_repeated();
    }

private:
    [[nodiscard]] std::optional<Stuck> find_repeated() const {
        const std::size_t newest = end_ - 1;
        const std::size_t failed = run([&](std::size_t i) { return is_failure(i) && same_action(i, newest); });
        if (reached(failed, options_.same_error, 2)) return pattern(StuckPattern::same_error, failed);
        const std::size_t repeated = run([&](std::size_t i) { return same_step(i, newest); });
        if (reached(repeated, options_.same_result, 2)) return pattern(StuckPattern::same_result, repeated);
        if (repeated > 1 || newest == 0) return std::nullopt;
        const std::size_t alternated =
            run([&](std::size_t i) { return i + 1 >= newest || same_step(i, newest - (newest - i) % 2); });
        if (reached(alternated, options_.alternating, 3)) return pattern(StuckPattern::alternating, alternated);
        return std::nullopt;
    }

    /// Returns how many of the newest steps satisfy a condition, back to the newest one that a human interrupted.
    template <class Condition>
    [[nodiscard]] std::size_t run(const Condition& condition) const {
        std::size_t count = 0;
        while (count < end_ && !is_interrupted(end_ - count - 1) && condition(end_ - count - 1)) ++count;
        return count;
    }
    static bool reached(std::size_t count, std::size_t threshold, std::size_t least) noexcept {
        return threshold != 0 && count >= std::max(threshold, least);
    }
    [[nodiscard]] Stuck pattern(StuckPattern which, std::size_t count) const noexcept {
        return {which, end_ - count, count};
    }

    [[nodiscard]] std::size_t monologue() const {
        const std::size_t newest = end_ - 1;
        if (!is_talk(newest) || is_answered(newest)) return 0;
        const std::string words = steps_.thoughts(newest);
        return run([&](std::size_t i) { return is_talk(i) && !is_answered(i) && steps_.thoughts(i) == words; });
    }

    /// Returns how many of the newest steps called only what was refused, since the user said something.
    [[nodiscard]] std::size_t refused() const {
        const auto is_of_user = [](const ConversationMessage& said) { return said.message.role == ChatRole::user; };
        const auto said = steps_.messages();
        const auto last = std::find_if(said.rbegin(), said.rend(), is_of_user);
        const std::size_t first = last == said.rend() ? 0 : last->before;
        const auto is_refused = [](const ActionResult& of) {
            return std::holds_alternative<ActionInterruptedByHuman>(of);
        };
        std::size_t count = 0;
        for (std::size_t i = end_; i > first; --i, ++count) {
            const auto& outcome = result(i - 1);
            if (!outcome || !is_refused(*outcome)) break;
            const auto of_calls = step(i - 1).results;
            if (!std::all_of(of_calls.begin(), of_calls.end(),
                             [&](const ToolResult& one) { return is_refused(one.result); }))
                break;
        }
        return count;
    }

    [[nodiscard]] StepView step(std::size_t i) const { return steps_.step(i); }
    [[nodiscard]] const std::optional<ActionResult>& result(std::size_t i) const { return *step(i).result; }
    /// A step that calls nothing: the agent only says something.
    [[nodiscard]] bool is_talk(std::size_t i) const {
        const auto calls = step(i).calls;
        return calls.size() == 1 && calls.front().name.empty();
    }
    [[nodiscard]] bool is_answered(std::size_t i) const {
        if (!result(i)) return false;
        const auto* const success = std::get_if<ActionSuccessResult>(&*result(i));
        if (success == nullptr) return true;
        const auto* const text = success->outputs.get_ptr<const std::string*>();
        return text != nullptr ? !text->empty() : !success->outputs.is_null();
    }
    [[nodiscard]] bool is_failure(std::size_t i) const { return result(i) && is_error(*result(i)); }
    [[nodiscard]] bool is_interrupted(std::size_t i) const {
        return options_.since_human && result(i) && std::holds_alternative<ActionInterruptedByHuman>(*result(i));
    }
    [[nodiscard]] bool is_condensation(std::size_t i) const {
        const auto& tools = options_.condensation_tools;
        const auto calls = step(i).calls;
        return std::all_of(calls.begin(), calls.end(), [&](const AssistantFunctionCall& call) {
            return std::find(tools.begin(), tools.end(), call.name) != tools.end();
        });
    }
    [[nodiscard]] bool same_action(std::size_t a, std::size_t b) const {
        if (a == b) return true;
        const auto calls = step(a).calls;
        const auto others = step(b).calls;
        if (!std::equal(calls.begin(), calls.end(), others.begin(), others.end())) return false;
        return !is_talk(a) || steps_.thoughts(a) == steps_.thoughts(b);  // models think the same in other words
    }
    [[nodiscard]] bool same_step(std::size_t a, std::size_t b) const {
        return a == b || (same_action(a, b) && result(a) == result(b));
    }

    const HistoryView& steps_;
    const StuckOptions& options_;
    std::size_t end_;  // after the newest step that counts
};

/// Returns whether the newest `times` messages are the assistant's, come after the newest step and say the same.
ACTA_INLINE bool repeats_itself(std::span<const ConversationMessage> said, std::size_t steps, std::size_t times) {
    if (times == 0 || said.size() < std::max<std::size_t>(times, 2)) return false;
    const std::string& words = said.back().message.content;
    const auto newest = said.last(std::max<std::size_t>(times, 2));
    return std::ranges::all_of(newest, [&](const ConversationMessage& one) {
        return one.before == steps && one.message.role == ChatRole::assistant && one.message.content == words;
    });
}

}  // namespace history_detail

ACTA_INLINE std::optional<Stuck> stuck(const HistoryView& history, const StuckOptions& options) {
    if (options.since_human && !history.pending_feedback().empty()) return std::nullopt;
    if (history_detail::repeats_itself(history.messages(), history.size(), options.monologue))
        return Stuck{StuckPattern::monologue, history.size(), 0};
    return history_detail::StuckFinder(history, options).find();
}

}  // namespace acta::inline ACTA_ABI
