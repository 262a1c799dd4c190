// SPDX-License-Identifier: MIT
// OpenAI's lists of both APIs and Anthropic's, both ways: what is written keeps the rules of the API, and is read as
// the same calls and results. The text is a list of messages, or the history that one is made of.
#include "acta/prompt/messages.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"
#include "fuzz.hpp"
#include "support/messages_rules.hpp"

namespace {

using acta::Json;
using History = acta::EpisodicActionHistory<>;
using Messages = std::vector<acta::ChatMessage>;

void require_rules(const rules::Broken& broken, const std::string& text) {
    if (!broken.empty()) fuzz::require(false, broken.front(), text);
}

/// The calls of each step, whether it is finished and how: what must survive whatever is written. A step that calls
/// nothing is a message of the conversation when it is read back.
std::string exported(const History& history) {
    std::string out;
    for (const auto& episode : history) {
        if (!acta::has_tool_call(episode.action)) continue;
        for (const auto& call : episode.action.get_tools()) out += acta::dump(call) + "\n";
        out += std::string(episode.result ? to_string(acta::status(*episode.result)) : "open") + "\n";
    }
    return out;
}

/// The messages without what is kept of an API's document word for word, which may break its rules as the document did.
Messages bare(Messages messages) {
    for (acta::ChatMessage& message : messages) {
        message.extra = {};
        for (acta::ContentPart& part : message.parts) part.extra = {};
    }
    return messages;
}

void check_rules(const Messages& messages) {
    const Json openai(acta::openai::to_wire(bare(messages)));
    require_rules(rules::openai(openai), openai.dump());
    const Json anthropic(acta::anthropic::to_wire(bare(messages)));
    require_rules(rules::anthropic(anthropic), anthropic.dump());
}

void check(const History& history) {
    const Messages messages = acta::to_messages(history);
    const std::string text = acta::dump(messages);
    const History again = acta::history_from_messages(messages);
    fuzz::require(exported(again) == exported(history), "other calls or results", text);
    fuzz::require(acta::to_messages(again) == messages, "the list of what was read is another", text);

    check_rules(messages);
    const Json openai(acta::openai::to_wire(messages));
    fuzz::require(exported(acta::history_from_messages(acta::openai::from_wire(openai))) == exported(history),
                  "OpenAI: other calls or results", openai.dump());
    const Json items(acta::openai::responses::to_wire(messages));
    fuzz::require(exported(acta::history_from_messages(acta::openai::responses::from_wire(items))) == exported(history),
                  "Responses: other calls or results", items.dump());
    const Json anthropic(acta::anthropic::to_wire(messages));
    fuzz::require(exported(acta::history_from_messages(acta::anthropic::from_wire(anthropic))) == exported(history),
                  "Anthropic: other calls or results", anthropic.dump());

    acta::PromptOptions budget;
    budget.max_tokens = 30;
    budget.max_full_tokens = 60;
    budget.full_output = acta::OutputLimit{.characters = 10};
    check_rules(acta::to_messages(history, {.budget = budget}));
}

template <class Read>
void check_read(const Read& read) {
    try {
        check(read());
    } catch (const acta::ValidationError& error) {
        fuzz::issues_of(error);
    }
}

void run(std::string_view text) {
    if (fuzz::is_deep(text)) return;  // outputs nested beyond the limit come back as text
    Messages messages;
    if (fuzz::read_twice(text, messages)) check_read([&] { return acta::history_from_messages(messages); });
    Json request;
    if (fuzz::read_twice(text, request)) {
        check_read([&] { return acta::history_from_messages(acta::anthropic::from_wire(request)); });
        check_read([&] { return acta::history_from_messages(acta::openai::responses::from_wire(request)); });
    }
    History history;
    if (fuzz::read_twice(text, history)) check(history);
}

}  // namespace

FUZZ_TARGET(run)
