// SPDX-License-Identifier: MIT
#pragma once

// A policy without a model. A plan is a function that asks for one step after another, as if each were done at once.
// It is run again before every step: what the history holds already is looked up there, and the first step that it does
// not hold is what the agent proposes next. So the history is the agent's only memory, and a plan also continues from a
// loaded one.

#include <acta/acta.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace explore {

using History = acta::EpisodicActionHistory<>;

class Plan {
public:
    explicit Plan(const History& history) : history_(history) {}

    /// Returns the result of this call. If it has not been made yet, it becomes the proposal, and null is returned:
    /// then the plan must return.
    [[nodiscard]] const acta::ActionResult* step(std::string thoughts, acta::AssistantFunctionCall call) {
        for (const auto& episode : history_) {
            if (episode.result && episode.action.use_tool == call) return &*episode.result;
        }
        proposal_ = acta::ActionProposal<>{.thoughts = heard() + std::move(thoughts), .use_tool = std::move(call)};
        return nullptr;
    }

    void answer(std::string text) { answer_ = std::move(text); }

    [[nodiscard]] const std::optional<acta::ActionProposal<>>& proposal() const noexcept { return proposal_; }
    [[nodiscard]] const std::string& answer() const noexcept { return answer_; }

private:
    /// What the user said of the step before.
    [[nodiscard]] std::string heard() const {
        if (history_.empty() || !history_.episodes().back().result) return {};
        const auto* stopped = std::get_if<acta::ActionInterruptedByHuman>(&*history_.episodes().back().result);
        if (stopped == nullptr) return {};
        return "The user says: \"" + stopped->feedback + "\", so I leave that step out. ";
    }

    const History& history_;
    std::optional<acta::ActionProposal<>> proposal_{};
    std::string answer_{};
};

/// The outputs of a result as the struct that the tool made, or nothing where there were none.
template <class T>
std::optional<T> outputs(const acta::ActionResult& result) {
    const auto* success = std::get_if<acta::ActionSuccessResult>(&result);
    if (success == nullptr) return std::nullopt;
    return acta::validate<T>(success->outputs);
}

/// The result is an error of this type.
inline bool failed_with(const acta::ActionResult& result, std::string_view exception_type) {
    const auto* error = std::get_if<acta::ActionErrorResult>(&result);
    return error != nullptr && error->error && error->error->exception_type == exception_type;
}

}  // namespace explore
