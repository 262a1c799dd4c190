// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/prompt.hpp"
#include "acta/text/tokens.hpp"

// What the requests of a run cost with a provider's prompt cache.
namespace acta_measure {

using Steps = std::vector<acta::Episode<>>;

/// The price of a token that a prompt cache has, as a share of that of a new one; about that of OpenAI, Anthropic and
/// Google.
inline constexpr double price_of_cached = 0.1;

/// The tokens of requests.
struct Tokens {
    std::size_t fresh = 0;
    std::size_t cached = 0;

    [[nodiscard]] double price() const {
        return static_cast<double>(fresh) + price_of_cached * static_cast<double>(cached);
    }
};

/// What a prompt cache has of a request: all that is as in the one before.
class PromptCache {
public:
    void add(const std::vector<acta::ChatMessage>& messages, Tokens& sum) {
        std::size_t same = 0;
        while (same < std::min(messages.size(), before_.size()) && messages[same] == before_[same].message) ++same;
        std::string rest = same < before_.size() ? acta::dump(before_[same].message) : std::string();
        before_.resize(same);
        for (const Known& one : before_) sum.cached += one.tokens;
        for (std::size_t i = same; i < messages.size(); ++i) {
            const std::string text = acta::dump(messages[i]);
            const auto shared = static_cast<std::size_t>(std::ranges::mismatch(text, rest).in1 - text.begin());
            const std::size_t tokens = count_(text);
            const std::size_t cached = shared == 0 ? 0 : std::min(tokens, count_(text.substr(0, shared)));
            rest.clear();
            sum.cached += cached;
            sum.fresh += tokens - cached;
            before_.push_back({messages[i], tokens});
        }
    }

private:
    struct Known {
        acta::ChatMessage message{};
        std::size_t tokens = 0;
    };

    std::vector<Known> before_{};
    acta::EstimateTokens count_{};
};

inline acta::ActionResult result_of(const acta::Episode<>& step) {
    if (step.result) return *step.result;
    return acta::ActionSuccessResult{};
}

/// Runs an agent whose model and tools do what the steps say, and returns the sums after these
/// numbers of steps, in rising order.
inline std::vector<Tokens> play(const Steps& steps, const acta::PromptOptions& budget,
                                std::span<const std::size_t> columns) {
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user("Find out why the test fails, and repair it."));
    acta::RunOptions options;
    options.budget = budget;
    options.limits = {.requests = 100'000};
    constexpr std::size_t never = 1'000'000;
    options.stuck = {.same_result = never, .same_error = never, .monologue = never, .alternating = never};
    acta::AgentRun run({}, history, options);
    PromptCache cache;
    Tokens sum;
    std::vector<Tokens> out;
    for (std::size_t n = 0; out.size() < columns.size();) {
        const acta::AgentStep& next = run.next();
        if (const auto* const request = std::get_if<acta::AskModel>(&next)) {
            cache.add(request->messages, sum);
            const acta::Episode<>& step = steps[n % steps.size()];
            acta::ChatCompletion completion;
            completion.message.content = step.action.thoughts;
            completion.message.tool_calls = {{{"call_" + std::to_string(n), step.action.use_tool}}};
            run.give(std::move(completion));
        } else if (const auto* const calls = std::get_if<acta::RunCalls>(&next)) {
            run.give(calls->calls.front().call.id, result_of(steps[n % steps.size()]));
        } else {
            throw acta::Error("the run ended: " + to_string(std::get<acta::RunResult>(next)));
        }
        if (history.cursor() == n + 1 && ++n == columns[out.size()]) out.push_back(sum);
    }
    return out;
}

/// Returns a budget with which all steps are in full.
inline acta::PromptOptions all_in_full(acta::PromptOptions budget) {
    budget.max_full_tokens = budget.keep_recent = 100'000'000;
    return budget;
}

}  // namespace acta_measure
