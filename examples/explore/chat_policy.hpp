// SPDX-License-Identifier: MIT
#pragma once

// A policy with a model behind it: it receives the question and the history, and calls tools until it answers. Needs
// libcurl; where explore is built without it there is none, and it says so.

#include <acta/acta.hpp>
#include <string>

#include "options.hpp"
#include "plan.hpp"

#if defined(EXPLORE_HAS_MODEL)
#include <acta/provider/openai/chat_model.hpp>
#include <vector>
#endif

namespace explore {

#if defined(EXPLORE_HAS_MODEL)

class ChatPolicy {
public:
    ChatPolicy(const Options& options, const acta::SkillRegistry& tools)
        : model_({.base_url = *options.model, .model = options.model_name}), tools_(acta::tools(tools)) {}

    /// Asks what follows the history that there is.
    void ask(const std::string& question, History& history) const {
        if (history.messages().empty())
            history.register_message(
                acta::ChatMessage::system("You explore a folder with the tools, and answer questions about it. Call "
                                          "tools until you know; then answer in a few words, without a tool."));
        history.register_message(acta::ChatMessage::user(question));
    }
    /// What the model wants to do; its answer is registered, and is a proposal that calls nothing. Adds what the model
    /// took.
    [[nodiscard]] acta::ActionProposal<> next(History& history, acta::StepMetrics& metrics) const {
        const acta::ChatCompletion completion = model_(acta::to_messages(history), {.tools = tools_});
        metrics.add(completion);
        acta::ActionProposal<> proposal = acta::proposal_from(completion.message);
        if (!acta::has_tool_call(proposal)) history.register_answer(completion.message);
        return proposal;
    }

private:
    acta::openai::ChatModel model_;
    std::vector<acta::ToolDefinition> tools_;
};

using acta::has_tool_call;

#else

class ChatPolicy {
public:
    ChatPolicy(const Options&, const acta::SkillRegistry&) {
        throw UsageError("--model needs an explore that was built with libcurl: configure with -DACTA_CLIENT=ON");
    }
    void ask(const std::string&, History&) const {}
    [[nodiscard]] acta::ActionProposal<> next(History&, acta::StepMetrics&) const { return {}; }
};

inline bool has_tool_call(const acta::ActionProposal<>&) { return false; }

#endif

}  // namespace explore
