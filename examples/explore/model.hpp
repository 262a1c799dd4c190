// SPDX-License-Identifier: MIT
#pragma once

// Who says what the agent does next: a plan, which needs no model, or a model. Needs libcurl for that; where explore is
// built without it, it says so.

#include <acta/acta.hpp>
#include <span>
#include <string>

#include "options.hpp"
#include "plan.hpp"
#include "questions.hpp"

#if defined(EXPLORE_HAS_MODEL)
#include <acta/provider/openai/chat_model.hpp>
#endif

namespace explore {

/// Stands in for a model: proposes the next step of the plan for a question, as far as the history has not got it, or
/// answers.
inline acta::AnyChatModel planned_model(const Question& question, const acta::SharedHistory<>& shared) {
    return [&question, &shared](std::span<const acta::ChatMessage>, const acta::ChatOptions&) {
        const History history = shared.snapshot();
        Plan plan(history);
        question.plan(plan);
        acta::ChatCompletion out;
        if (const auto& proposal = plan.proposal()) {
            out.message.content = proposal->thoughts;
            out.message.tool_calls = {{"step_" + std::to_string(history.size() + 1), proposal->use_tool}};
        } else {
            out.message.content = plan.answer();
        }
        return out;
    };
}

inline acta::AnyChatModel real_model([[maybe_unused]] const Options& options) {
#if defined(EXPLORE_HAS_MODEL)
    return acta::openai::ChatModel({.base_url = *options.model, .model = options.model_name});
#else
    throw UsageError("--model needs an explore that was built with libcurl: configure with -DACTA_CLIENT=ON");
#endif
}

}  // namespace explore
