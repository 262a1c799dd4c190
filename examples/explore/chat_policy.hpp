// SPDX-License-Identifier: MIT
#pragma once

// A policy with a model behind it: it receives the question and the history, and calls tools until it answers. Needs
// libcurl; where explore is built without it there is none, and it says so.

#include <acta/acta.hpp>
#include <string>

#include "options.hpp"
#include "plan.hpp"

#if defined(EXPLORE_HAS_MODEL)
#include <acta/interop/openai/history.hpp>
#include <acta/provider/openai/chat_model.hpp>
#include <vector>
#endif

namespace explore {

#if defined(EXPLORE_HAS_MODEL)

class ChatPolicy {
public:
    ChatPolicy(const Options& options, const acta::SkillRegistry& tools)
        : model_({.base_url = *options.model, .model = options.model_name}), tools_(tools.tool_definitions()) {
        messages_.context.push_back(
            {0, acta::ChatMessage::system("You explore a folder with the tools, and answer questions about it. Call "
                                          "tools until you know; then answer in a few words, without a tool.")});
    }

    /// Asks what follows the history that there is.
    void ask(const std::string& question, const History& history) {
        messages_.context.push_back({history.size(), acta::ChatMessage::user(before_ + question)});
    }
    /// What the model wants to do, or its answer: a proposal that calls nothing. Adds what the model took.
    [[nodiscard]] acta::ActionProposal<> next(const History& history, acta::StepMetrics& metrics) {
        const auto messages =
            acta::openai::from_wire(acta::to_json_value(acta::to_openai_messages(history, messages_)));
        const acta::ChatCompletion completion = model_(messages, {.tools = tools_});
        metrics.add(completion);
        acta::ActionProposal<> proposal = acta::proposal_from(completion.message);
        // An answer is no step, so the model hears of it with the next question.
        if (!acta::has_tool_call(proposal))
            before_ = "You answered: \"" + proposal.thoughts + "\". The next question: ";
        return proposal;
    }

private:
    acta::openai::ChatModel model_;
    std::vector<acta::ToolDefinition> tools_;
    acta::HistoryMessagesOptions messages_{};
    std::string before_{};
};

using acta::has_tool_call;

#else

class ChatPolicy {
public:
    ChatPolicy(const Options&, const acta::SkillRegistry&) {
        throw UsageError("--model needs an explore that was built with libcurl: configure with -DACTA_CLIENT=ON");
    }
    void ask(const std::string&, const History&) {}
    [[nodiscard]] acta::ActionProposal<> next(const History&, acta::StepMetrics&) { return {}; }
};

inline bool has_tool_call(const acta::ActionProposal<>&) { return false; }

#endif

}  // namespace explore
