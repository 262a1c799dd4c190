// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/utility.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/prompt/prompt.hpp"
#include "support/catch.hpp"
#include "support/messages_random.hpp"
#include "support/recorded.hpp"

// Prompts of histories made at random, as they were when last looked at (CONTRIBUTING.md, "What a change needs").
namespace {

using acta::Json;
using History = acta::EpisodicActionHistory<>;

std::string long_text(RandomHistories& random) {
    std::string out;
    for (std::size_t i = 1 + random.below(40); i > 0; --i) out += "line " + std::to_string(i) + " of the log\n";
    return out;
}

/// What a tool returns in parts: as an MCP server does, or as a list, in which other parts are not shown as such.
Json parts_of_output(RandomHistories& random) {
    Json parts = Json::array();
    for (std::size_t i = 1 + random.below(3); i > 0; --i) {
        switch (random.below(5)) {
            case 0: parts.push_back({{"type", "image"}, {"data", "AAAA"}, {"mimeType", "image/png"}}); break;
            case 1: parts.push_back({{"type", "image"}, {"media_type", "image/png"}, {"data", "AAAA"}}); break;
            case 2: parts.push_back({{"type", "resource_link"}, {"uri", "file:///a"}}); break;
            default: parts.push_back({{"type", "text"}, {"text", random.chance(50) ? "See." : long_text(random)}});
        }
    }
    if (random.chance(50)) return parts;
    return Json{{"content", std::move(parts)}, {"isError", false}};
}

/// With long outputs and arguments, results of MCP tools with images, reasoning, and a rolling summary.
History changed(const History& of, RandomHistories& random) {
    acta::HistoryRecord<acta::ActionProposal<>> record = of.record();
    for (acta::Episode<>& step : record.episodes) {
        auto* const success = step.result ? std::get_if<acta::ActionSuccessResult>(&*step.result) : nullptr;
        if (success != nullptr && step.tool_results.empty()) {
            if (random.chance(40)) success->outputs = long_text(random);
            if (random.chance(30)) success->outputs = parts_of_output(random);
        }
        if (step.action.raw_message && random.chance(40))
            step.action.raw_message->reasoning_content = long_text(random);
        if (step.action.raw_message && random.chance(20)) step.action.raw_message->extra = {{"openai", {{"id", "r"}}}};
        if (!step.action.raw_message && random.chance(20))
            step.action.use_tool.arguments = acta::JsonObject{{"text", long_text(random)}, {"n", 1}};
    }
    const std::size_t finished = record.episodes.size();
    History out(std::move(record));
    if (finished > 3 && random.chance(50))
        out.set_rolling_summary(
            {.text = "Both were done.", .first = 0, .last = static_cast<std::int64_t>(random.below(3))});
    if (random.chance(10)) out.register_message(acta::ChatMessage::system("Be brief."));
    if (random.chance(20)) {
        acta::ChatMessage image = acta::ChatMessage::user("Look.");
        image.parts = {{.text = "Look."}, {.type = "image", .media_type = "image/png", .data = "AAAA"}};
        out.register_message(image);
    }
    return out;
}

acta::PromptOptions options_of(RandomHistories& random) {
    acta::PromptOptions out;
    const std::size_t characters = random.chance(50) ? 2 : 20;  // of a token
    const auto budget = [&] { return random.chance(40) ? acta::no_limit : (40 + random.below(1400)) / characters; };
    out.count_tokens = [characters](std::string_view text) { return text.size() / characters; };
    out.max_tokens = budget();
    out.max_full_tokens = budget();
    out.max_rolling_tokens = budget();
    out.keep_recent = random.below(5);
    out.full_stride = 1 + random.below(3);
    constexpr double slacks[] = {0, 0, 0.25, 0.3, 0.9, 1.5, -1};
    out.slack = slacks[random.below(std::size(slacks))];
    if (random.chance(30))
        out.full_output = acta::OutputLimit{.characters = 40 + random.below(100), .tail = random.below(30)};
    if (random.chance(30)) out.older_output = acta::OutputLimit{.characters = 30 + random.below(60)};
    if (random.chance(20)) out.keep = [](const acta::PromptStep& step) { return step.index % 3 != 1; };
    if (random.chance(20)) out.keep_output = [](const acta::PromptStep& step) { return step.index % 2 == 0; };
    return out;
}

std::string text_of(const acta::PromptReport& report) {
    std::string out;
    for (const acta::PromptCount& one : {report.full, report.older, report.rolling, report.omitted})
        out +=
            std::to_string(one.steps) + "/" + std::to_string(one.characters) + "/" + std::to_string(one.tokens) + " ";
    for (const std::size_t one : {report.unmeasured_steps, report.cut_texts, report.first_step, report.first_hidden,
                                  report.hidden_steps, report.shown_messages, report.hidden_messages,
                                  report.rolling_messages, report.pending_feedback, report.tokens})
        out += std::to_string(one) + " ";
    return out + "\n";
}

std::string digest_of(const std::string& text) { return std::to_string(acta::base::fnv1a(text)) + "\n"; }

/// Messages as another program may have them: one is missing, there twice, in another order or from another role; or
/// its id or its parts are others.
void change(std::vector<acta::ChatMessage>& messages, RandomHistories& random) {
    if (messages.empty()) return;
    const std::size_t at = random.below(messages.size());
    acta::ChatMessage one = messages[at];
    switch (random.below(8)) {
        case 0: messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(at)); return;
        case 1: messages.push_back(one); return;
        case 2: std::swap(messages[at], messages[random.below(messages.size())]); return;
        case 3: one.role = one.role == acta::ChatRole::user ? acta::ChatRole::system : acta::ChatRole::user; break;
        case 4: one.tool_call_id = random.id(); break;
        case 5: one.parts = {{.text = random.text()}}; break;
        case 6: one.parts = {{.text = one.content}, {.text = random.text()}}; break;
        default: one.parts = {{.text = random.text()}, {.type = "image", .media_type = "image/png", .data = "AAAA"}};
    }
    if (!one.parts.empty()) one.content = acta::parts_text(one.parts);
    messages[at] = std::move(one);
}

std::string read_back(const std::vector<acta::ChatMessage>& messages) {
    try {
        const History history = acta::history_from_messages<>(messages);
        return acta::dump(history.record());
    } catch (const acta::Error& error) {
        return error.what();
    }
}

/// Of each history its prompt in native calls as JSON; of those in other forms a digest; and the reports. Of further
/// ones a digest of all of it, and of what is read from its messages, as they are and changed.
std::string prompts_of_all() {
    RandomHistories random(9);
    std::string out;
    for (int i = 0; i < 600; ++i) {
        const History history = changed(random.with_conversation(random.history()), random);
        const acta::PromptOptions options = options_of(random);
        const acta::PromptText text = acta::Prompt(options).text(history);
        acta::PromptMessages messages = acta::Prompt(options).messages(history);
        acta::PromptMessages native = acta::prompt_extension::native_prompt(history, options);
        const std::string number = std::to_string(i);
        const std::string said = acta::dump(native.messages) + "\n";
        std::string all = number + " text " + text_of(text.report) + digest_of(text.text) + number + " messages " +
                          text_of(messages.report) + digest_of(acta::dump(messages.messages)) + number + " native " +
                          text_of(native.report) + (i < 12 ? said : digest_of(said));
        if (i < 40) {
            out += all;
            continue;
        }
        for (std::vector<acta::ChatMessage>* read : {&messages.messages, &native.messages}) {
            for (int times = 0; times < 3; ++times) {
                all += read_back(*read);
                change(*read, random);
            }
        }
        out += number + " " + digest_of(all);
    }
    return out;
}

}  // namespace

TEST_CASE("prompts are those that were recorded") { check_recorded("tests/prompt/prompts.txt", prompts_of_all()); }
