// SPDX-License-Identifier: MIT
#pragma once

// The loop of an agent, over any model: it calls tools until the model answers without one. The history is right at
// every moment: `save` is called after each change, and a run that ended for whatever reason is resumed where it
// stopped.

#include <acta/acta.hpp>
#include <acta/compress/compressor.hpp>
#include <acta/compress/extractive.hpp>
#include <cstddef>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>

namespace chat_agent {

using History = acta::EpisodicActionHistory<>;

/// Puts a task into the history, unless it is the one at which the last run ended without an answer.
inline void begin(History& history, const std::string& task) {
    const auto* const open = history.current_episode();
    if (open != nullptr && !open->result)
        history.close_open_episode(acta::ActionErrorResult{.reason = "The agent was stopped before it was done."});
    if (history.messages().empty())
        history.register_message(
            acta::ChatMessage::system("Solve the task with the tools. When you know, answer without one."));
    const acta::ChatMessage said = acta::ChatMessage::user(task);
    for (std::size_t i = history.messages().size(); i-- > 0;) {  // since the last answer
        const acta::ChatMessage& message = history.messages()[i].message;
        if (message.role == acta::ChatRole::assistant) break;
        if (message == said) return;
    }
    history.register_message(said);
}

/// Works on the task until there is an answer, which it returns. Older steps are summarised, and the model is shown
/// what fits. Throws what the model throws, and `std::runtime_error` after `max_steps` steps.
template <acta::ChatModel Model>
std::string answer(const Model& model, const acta::SkillRegistry& skills, History& history,
                   const std::function<void()>& save, int max_steps = 20) {
    const acta::MessageOptions window{
        .budget = acta::PromptOptions{.max_tokens = 4000, .max_full_tokens = 16000, .keep_recent = 8}};
    const acta::ChatOptions options{.tools = acta::tools(skills)};
    for (int step = 0; step < max_steps; ++step) {
        acta::StepMetrics metrics = acta::StepMetrics::start();
        const acta::ChatCompletion completion = model(acta::to_messages(history, window), options);
        metrics.add(completion);
        const acta::ActionProposal<> proposal = acta::proposal_from(completion.message);
        if (!acta::has_tool_call(proposal)) {
            history.register_answer(completion.message);
            save();
            return completion.message.content;
        }
        history.register_action(proposal, metrics);
        save();
        for (const auto& call : acta::get_tools(proposal)) std::cout << call << '\n' << std::flush;
        history.register_results(acta::execute(proposal, skills));
        acta::handle_compression(history, acta::ExtractiveSummarizer{});
        save();
    }
    throw std::runtime_error("no answer after " + std::to_string(max_steps) + " steps");
}

}  // namespace chat_agent
