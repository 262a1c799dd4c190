// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "acta/interop/anthropic/history.hpp"
#include "acta/interop/openai/history.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/messages_random.hpp"
#include "support/messages_rules.hpp"
#include "support/sizes.hpp"
#include "support/thoughts.hpp"

// A history as a list of messages: the rules of the APIs hold for every list, and it is read back as it was.
namespace {

/// How many are made at random for a test.
std::uint32_t histories() { return static_cast<std::uint32_t>(test_size(200, 400)); }

using acta::HistoryMessagesOptions;
using History = acta::EpisodicActionHistory<>;

std::vector<acta::OpenAIMessage> openai_again(const std::vector<acta::OpenAIMessage>& messages) {
    return acta::parse<std::vector<acta::OpenAIMessage>>(acta::dump(messages));
}
acta::AnthropicMessages anthropic_again(const acta::AnthropicMessages& messages) {
    return acta::parse<acta::AnthropicMessages>(acta::dump(messages));
}

/// The calls, and what came of each and of the step: what must survive. The ids may be others.
acta::Json exported(const acta::Episode<>& episode, const std::vector<std::string>& ids) {
    acta::Json out = acta::JsonObject();
    acta::Json calls = acta::JsonArray();
    const auto tools = episode.action.get_tools();
    for (const auto& call : tools) calls.push_back(acta::to_json_value(call));
    out["calls"] = std::move(calls);
    out["result"] = acta::to_json_value(episode.result);
    acta::Json own = acta::JsonObject();
    for (const auto& one : episode.tool_results) {
        const auto place = std::find(ids.begin(), ids.end(), one.tool_call_id) - ids.begin();
        own[std::to_string(place)] = acta::to_json_value(one.result);
    }
    out["tool_results"] = std::move(own);
    return out;
}

/// What a list of a history's messages is read as: a step that neither calls anything nor has a result is an answer of
/// the assistant, which belongs to the context.
struct Expected {
    std::vector<std::size_t> steps{};     // those that stay steps
    std::vector<std::string> thoughts{};  // of these; the API may combine consecutive messages of the assistant
    std::vector<acta::ContextMessage> context{};
    std::vector<std::string> pending{};
};

Expected expected_of(const History& history, const std::vector<acta::ContextMessage>& context, bool combined) {
    Expected out;
    std::string talk;  // what the assistant said in the message before, where the next one is combined with it
    auto next = context.begin();
    for (std::size_t i = 0; i < history.size(); ++i) {
        for (; next != context.end() && next->step <= i; ++next) {
            out.context.push_back({out.steps.size(), next->message});
            talk.clear();
        }
        const std::string& thoughts = history[i].action.thoughts;
        if (combined && !acta::ascii::is_blank(talk))
            talk += acta::ascii::is_blank(thoughts) ? "" : "\n\n" + thoughts;
        else
            talk = thoughts;
        if (acta::has_tool_call(history[i].action) || history[i].result) {
            out.steps.push_back(i);
            out.thoughts.push_back(std::exchange(talk, {}));
        } else {
            out.context.push_back({out.steps.size(), acta::ChatMessage::assistant(thoughts)});
        }
    }
    for (const std::string& feedback : history.pending_feedback()) {
        if (out.steps.empty())
            out.context.push_back({0, acta::ChatMessage::user(feedback)});
        else
            out.pending.push_back(feedback);
    }
    return out;
}

void check_same(const History& read, const History& written, const Expected& expected, bool exact_text) {
    REQUIRE(read.size() == expected.steps.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
        INFO("step " << i);
        const std::size_t from = expected.steps[i];
        CHECK(exported(read[i], read.tool_call_ids(i)).dump() ==
              exported(written[from], written.tool_call_ids(from)).dump());
        const std::string& thoughts = expected.thoughts[i];
        const bool called = acta::has_tool_call(written[from].action);
        const bool vanishes = !exact_text && (acta::ascii::is_blank(thoughts) || (!called && thoughts == "(no text)"));
        CHECK(read[i].action.thoughts == (vanishes ? "" : thoughts));
    }
    const bool open = !read.empty() && !read.episodes().back().result;
    CHECK(read.cursor() == read.size() - (open ? 1U : 0U));
    CHECK(read.record().pending_user_feedback == expected.pending);
}

}  // namespace

TEST_CASE("OpenAI's rules hold for the messages of every history, and it is read back the same") {
    for (std::uint32_t seed = 0; seed < histories(); ++seed) {
        RandomHistories random(seed);
        const History history = random.history();
        HistoryMessagesOptions options;
        options.context = random.context(history.size());
        const auto messages = acta::to_openai_messages(history, options);
        const std::string text = acta::dump(messages);
        INFO("seed " << seed << "\n" << acta::dump(history) << "\n" << text);
        CHECK(rules::openai(acta::Json::parse(text)) == rules::Broken{});
        const auto back = acta::history_from_openai_messages(openai_again(messages));
        const Expected expected = expected_of(history, options.context, false);
        check_same(back.history, history, expected, true);
        if (history.size() > 0) {
            CHECK(back.context == expected.context);
        }
        // The list of what was read is the list.
        options.context = back.context;
        CHECK(acta::dump(acta::to_openai_messages(back.history, options)) == text);
    }
}

TEST_CASE("Anthropic's rules hold for the messages of every history, and it is read back the same") {
    for (std::uint32_t seed = 0; seed < histories(); ++seed) {
        RandomHistories random(seed);
        const History history = random.history();
        HistoryMessagesOptions options;
        options.context = random.context(history.size());
        const auto messages = acta::to_anthropic_messages(history, options);
        const std::string text = acta::dump(messages);
        INFO("seed " << seed << "\n" << acta::dump(history) << "\n" << text);
        CHECK(rules::anthropic(acta::Json::parse(text)) == rules::Broken{});
        const auto back = acta::history_from_anthropic_messages(anthropic_again(messages));
        check_same(back.history, history, expected_of(history, options.context, true), false);
        options.context = back.context;
        CHECK(acta::dump(acta::to_anthropic_messages(back.history, options)) == text);
    }
}

TEST_CASE("the rules hold where old steps are replaced by their summaries") {
    for (std::uint32_t seed = 0; seed < histories(); ++seed) {
        RandomHistories random(seed);
        const History history = random.history();
        HistoryMessagesOptions options;
        options.use_summaries = true;
        options.full_steps = seed % 4;
        const auto openai = acta::to_openai_messages(history, options);
        const auto anthropic = acta::to_anthropic_messages(history, options);
        INFO("seed " << seed << "\n" << acta::dump(openai) << "\n" << acta::dump(anthropic));
        CHECK(rules::openai(acta::Json::parse(acta::dump(openai))) == rules::Broken{});
        CHECK(rules::anthropic(acta::Json::parse(acta::dump(anthropic))) == rules::Broken{});
        for (const auto& back : {acta::history_from_openai_messages(openai_again(openai)).history,
                                 acta::history_from_anthropic_messages(anthropic_again(anthropic)).history}) {
            const Expected expected = expected_of(history, {}, false);
            REQUIRE(back.size() == expected.steps.size());
            for (std::size_t i = 0; i < back.size(); ++i) {
                INFO("step " << i);
                const std::size_t from = expected.steps[i];
                const acta::Episode<>& written = history[from];
                const bool summarised = history.size() - from > options.full_steps && written.summary && written.result;
                CHECK(back[i].result.has_value() == written.result.has_value());
                if (back[i].result) {
                    CHECK(acta::status(*back[i].result) == acta::status(*written.result));
                }
                CHECK(back[i].summary.has_value() == summarised);
                if (summarised) {
                    CHECK(back[i].summary == written.summary);
                }
                const auto tools = written.action.get_tools();
                CHECK(std::equal(tools.begin(), tools.end(), back[i].action.get_tools().begin(),
                                 back[i].action.get_tools().end()));
            }
        }
    }
}

TEST_CASE("a damaged list is refused, or what was read of it keeps the rules again") {
    std::size_t refused = 0;
    std::size_t read = 0;
    for (std::uint32_t seed = 0; seed < histories(); ++seed) {
        RandomHistories random(seed);
        const History history = random.history();
        acta::Json list = acta::Json::parse(acta::dump(acta::to_openai_messages(history)));
        if (list.empty()) continue;
        // A message is lost, or comes twice, or has lost a key; or the text itself is damaged.
        const std::size_t at = random.below(list.size());
        const std::size_t way = random.below(4);
        if (way == 0) list.erase(at);
        if (way == 1) list.push_back(acta::Json(list[at]));
        if (way == 2) list[at].erase(list[at].begin());
        std::string text = list.dump();
        if (way == 3) text[random.below(text.size())] = "\"{}[]:,1x"[random.below(9)];
        INFO("seed " << seed << "\n" << text);
        try {
            const auto back = acta::history_from_openai_messages(acta::parse<std::vector<acta::OpenAIMessage>>(text));
            const auto openai = acta::Json::parse(acta::dump(acta::to_openai_messages(back.history)));
            const auto anthropic = acta::Json::parse(acta::dump(acta::to_anthropic_messages(back.history)));
            CHECK(rules::openai(openai) == rules::Broken{});
            CHECK(rules::anthropic(anthropic) == rules::Broken{});
            ++read;
        } catch (const acta::ValidationError& error) {
            CHECK_FALSE(error.issues().empty());
            ++refused;
        }
    }
    CHECK(refused > histories() / 8);
    CHECK(read > histories() / 8);
}

TEST_CASE("the rules find what breaks them") {
    RandomHistories random(1);
    History history;
    history.register_action({.thoughts = "a", .use_tool = {"f", {}}});
    history.register_result(acta::ActionErrorResult{"no", {}});
    acta::Json openai = acta::Json::parse(acta::dump(acta::to_openai_messages(history)));
    acta::Json anthropic = acta::Json::parse(acta::dump(acta::to_anthropic_messages(history)));
    REQUIRE(openai.size() == 2);
    REQUIRE(anthropic["messages"].size() == 3);
    acta::Json twice = openai;
    twice.push_back(openai[1]);
    CHECK(rules::openai(twice).size() == 1);
    acta::Json none = acta::JsonArray();
    none.push_back(openai[0]);
    CHECK(rules::openai(none).size() == 1);
    anthropic["messages"][2]["content"][0]["content"] = " ";
    CHECK(rules::anthropic(anthropic) == rules::Broken{"an error without text"});
    anthropic["messages"].erase(2);
    CHECK(rules::anthropic(anthropic) == rules::Broken{"calls without results at the end"});
}

TEST_CASE("a step closed as a whole says its result once") {
    History history;
    acta::ActionProposal<> proposal;
    proposal.use_tools = {{"a", {}}, {"b", {}}, {"c", {}}};
    history.register_action(proposal);
    history.register_result("call_1", acta::ActionSuccessResult{.outputs = "second"});
    history.close_open_episode(acta::ActionErrorResult{"cut", {}});
    std::vector<std::string> texts;
    for (const auto& message : acta::to_openai_messages(history)) {
        if (const auto* tool = std::get_if<acta::OpenAIToolMessage>(&message))
            texts.push_back(std::get<std::string>(*tool->content));
    }
    CHECK(texts == std::vector<std::string>{"Result of the step as a whole: Action failed: 'cut'", "second",
                                            "See the result of the step as a whole."});
}

TEST_CASE("a single call that was answered by its id is read back as answered as a whole") {
    History history;
    history.register_action({.thoughts = "", .use_tool = {"f", {}}});
    history.register_result("call_0", acta::ActionSuccessResult{.outputs = "x"});
    const auto back = acta::history_from_openai_messages(acta::to_openai_messages(history)).history;
    CHECK(back[0].tool_results.empty());
    CHECK(acta::to_string(*back[0].result) == "x");
}

TEST_CASE("tools have other names where the API wants them") {
    History history;
    history.register_action({.thoughts = "", .use_tool = {"web.search", {}}});
    HistoryMessagesOptions options;
    options.tool_name = [](std::string_view name) {
        std::string out(name);
        std::replace(out.begin(), out.end(), '.', '_');
        return out;
    };
    acta::ReadMessagesOptions back;
    back.tool_name = [](std::string_view name) { return name == "web_search" ? "web.search" : std::string(name); };
    const auto openai = acta::to_openai_messages(history, options);
    CHECK_THAT(acta::dump(openai), contains_text("\"web_search\""));
    CHECK(acta::history_from_openai_messages(openai, back).history[0].action.use_tool.name == "web.search");
    const auto anthropic = acta::to_anthropic_messages(history, options);
    CHECK_THAT(acta::dump(anthropic), contains_text("\"web_search\""));
    CHECK(acta::history_from_anthropic_messages(anthropic, back).history[0].action.use_tool.name == "web.search");
}

TEST_CASE("structured thoughts are said as the model said them, else by their summary") {
    acta::EpisodicActionHistory<acta::ActionProposal<Plan>> history;
    acta::ActionProposal<Plan> proposal;
    proposal.thoughts.text = "the plan";
    proposal.use_tool = {"f", {}};
    history.register_action(proposal);
    history.register_result(acta::ActionSuccessResult{.outputs = 1});
    proposal.raw_message.emplace().content = "raw words";
    history.register_action(proposal);
    const auto openai = acta::history_from_openai_messages(acta::to_openai_messages(history)).history;
    CHECK(openai[0].action.thoughts == "the plan");
    CHECK(openai[1].action.thoughts == "raw words");
    CHECK(acta::to_string(*openai[0].result) == "1");
    CHECK(acta::history_from_anthropic_messages(acta::to_anthropic_messages(history)).history == openai);
}

TEST_CASE("only an empty history has no messages, and nothing is said of nothing") {
    CHECK(acta::to_openai_messages(History()).empty());
    CHECK(acta::to_anthropic_messages(History()).messages.empty());
    CHECK(acta::history_from_openai_messages({}).history.empty());
    CHECK(acta::history_from_anthropic_messages({}).history.empty());
}

TEST_CASE("many calls with the same id take no time that grows with their square") {
    // Counted in ids: with a search from the start for each, this would be 10^10 steps and never end.
    acta::interop_detail::CallIds ids(40, true);
    for (int i = 0; i < 100000; ++i) static_cast<void>(ids.next("call"));
    CHECK(ids.next("call") == "call_100001");
    CHECK(ids.next("call_100001") == "call_100001_2");
}

TEST_CASE("text that is not UTF-8 is an error that names its place") {
    History history;
    history.register_action({.thoughts = "", .use_tool = {"f", {{"x", "\xFF"}}}});
    CHECK_THROWS_AS(acta::to_openai_messages(history), acta::EncodeError);
    History outputs;
    outputs.register_action({.thoughts = "", .use_tool = {"f", {}}});
    acta::ActionSuccessResult success;
    success.outputs = acta::JsonArray{acta::Json("\xFF")};
    outputs.register_result(success);
    CHECK_THROWS_AS(acta::to_openai_messages(outputs), acta::EncodeError);
    CHECK_THROWS_AS(acta::to_anthropic_messages(outputs), acta::EncodeError);
}
