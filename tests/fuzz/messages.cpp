// SPDX-License-Identifier: MIT
// OpenAI's and Anthropic's lists, both ways: what is written keeps the rules of the API, and is read as the same calls
// and results. The text is a list of messages, or the history that one is made of.
#include "acta/interop/anthropic/history.hpp"
#include "acta/interop/openai/history.hpp"
#include "fuzz.hpp"
#include "support/messages_rules.hpp"

namespace {

using acta::Json;
using History = acta::EpisodicActionHistory<>;
using OpenAIMessages = std::vector<acta::OpenAIMessage>;

void require_rules(const rules::Broken& broken, const std::string& text) {
    if (!broken.empty()) fuzz::require(false, broken.front(), text);
}

/// The calls of each step, whether it is finished and how: what must survive whatever is written. A step that neither
/// calls anything nor has a result is a message of the context when it is read back.
std::string exported(const History& history) {
    std::string out;
    for (const auto& episode : history) {
        if (!acta::has_tool_call(episode.action) && !episode.result) continue;
        if (acta::has_tool_call(episode.action))
            for (const auto& call : episode.action.get_tools()) out += acta::dump(call) + "\n";
        out += std::string(episode.result ? to_string(acta::status(*episode.result)) : "open") + "\n";
    }
    return out;
}

void check_openai(const History& history, const std::vector<acta::ContextMessage>& context) {
    acta::HistoryMessagesOptions options;
    options.context = context;
    const std::string text = acta::dump(acta::to_openai_messages(history, options));
    require_rules(rules::openai(Json::parse(text)), text);
    const auto again = acta::history_from_openai_messages(acta::parse<OpenAIMessages>(text));
    fuzz::require(exported(again.history) == exported(history), "OpenAI: other calls or results", text);
    options.context = again.context;
    const std::string rewritten = acta::dump(acta::to_openai_messages(again.history, options));
    fuzz::require(rewritten == text, "OpenAI: the list of what was read is another", text + "\n" + rewritten);
}

void check_anthropic(const History& history, const std::vector<acta::ContextMessage>& context) {
    acta::HistoryMessagesOptions options;
    options.context = context;
    const std::string text = acta::dump(acta::to_anthropic_messages(history, options));
    require_rules(rules::anthropic(Json::parse(text)), text);
    const auto again = acta::history_from_anthropic_messages(acta::parse<acta::AnthropicMessages>(text));
    fuzz::require(exported(again.history) == exported(history), "Anthropic: other calls or results", text);
    options.context = again.context;
    const std::string rewritten = acta::dump(acta::to_anthropic_messages(again.history, options));
    fuzz::require(rewritten == text, "Anthropic: the list of what was read is another", text + "\n" + rewritten);
}

void check(const acta::MessageHistory<>& read) {
    check_openai(read.history, read.context);
    check_anthropic(read.history, read.context);
}

void run(std::string_view text) {
    if (fuzz::is_deep(text)) return;  // outputs nested beyond the limit come back as text
    OpenAIMessages messages;
    if (fuzz::read_twice(text, messages)) {
        try {
            check(acta::history_from_openai_messages(messages));
        } catch (const acta::ValidationError& error) {
            fuzz::issues_of(error);
        }
    }
    acta::AnthropicMessages request;
    if (fuzz::read_twice(text, request)) {
        try {
            check(acta::history_from_anthropic_messages(request));
        } catch (const acta::ValidationError& error) {
            fuzz::issues_of(error);
        }
    }
    History history;
    if (!fuzz::read_twice(text, history)) return;
    check({history, {}});
    acta::HistoryMessagesOptions options;
    options.use_summaries = true;
    options.full_steps = 1;
    const std::string openai = acta::dump(acta::to_openai_messages(history, options));
    require_rules(rules::openai(Json::parse(openai)), openai);
    const std::string anthropic = acta::dump(acta::to_anthropic_messages(history, options));
    require_rules(rules::anthropic(Json::parse(anthropic)), anthropic);
}

}  // namespace

FUZZ_TARGET(run)
