// SPDX-License-Identifier: MIT
#include "acta/observe/observer.hpp"
#include "acta/base/stop_token.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/compress/compress.hpp"
#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "acta/skill/arguments_action.hpp"
#include "acta/skill/declaration.hpp"
#include "acta/skill/execute.hpp"
#include "acta/skill/registry.hpp"
#include "support/at_once.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/steps.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
namespace names = acta::event_names;

/// Keeps all events.
class Recorder : public acta::Observer {
public:
    using Observer::Observer;
    std::vector<acta::Event> events{};

protected:
    void on_event(const acta::Event& event) override { events.push_back(event); }
};

class Throwing : public acta::Observer {
protected:
    void on_event(const acta::Event&) override { throw std::runtime_error("the observer is broken"); }
};

std::string text(const acta::Event& event, std::string_view field) {
    const acta::EventValue* const value = event.find(field);
    return value != nullptr && std::holds_alternative<std::string>(*value) ? std::get<std::string>(*value) : "(none)";
}

std::int64_t number(const acta::Event& event, std::string_view field) {
    const acta::EventValue* const value = event.find(field);
    return value != nullptr && std::holds_alternative<std::int64_t>(*value) ? std::get<std::int64_t>(*value) : -1;
}

void step(History& history, const std::string& tool) {
    history.register_action(act(tool));
    history.register_result(done());
}

const std::string key = "sk-proj-0123456789abcdefghij";

}  // namespace

TEST_CASE("a history reports actions, results and rewinds to its observer") {
    Recorder seen;
    History history;
    history.set_observer(&seen);
    step(history, "search");
    history.rewind(1);
    REQUIRE(seen.events.size() == 3);
    const acta::Event& action = seen.events[0];
    CHECK(action.name == names::register_action);
    CHECK(text(action, "tool") == "search");
    CHECK(number(action, "calls") == 1);
    CHECK(number(action, "length") == 1);
    CHECK_FALSE(action.failed);
    CHECK(action.level == acta::EventLevel::info);
    CHECK(action.duration.count() >= 0);
    CHECK(seen.events[1].name == names::register_result);
    CHECK(text(seen.events[1], "status") == "success");
    CHECK(seen.events[2].name == names::rewind);
    CHECK(number(seen.events[2], "dropped") == 1);
    CHECK(number(seen.events[2], "length") == 0);
}

TEST_CASE("what a history refuses is an event that failed") {
    Recorder seen;
    History history;
    history.set_observer(&seen);
    CHECK_THROWS_AS(history.register_result(acta::ActionSuccessResult{"ok"}), acta::HistoryError);
    CHECK_THROWS_AS(history.rewind(-1), acta::HistoryError);
    history.register_action(act("a"));
    CHECK_THROWS_AS(history.register_action(act("b")), acta::HistoryError);
    REQUIRE(seen.events.size() == 4);
    CHECK(seen.events[0].failed);
    CHECK(seen.events[0].level == acta::EventLevel::error);
    CHECK(seen.events[1].failed);
    CHECK_FALSE(seen.events[2].failed);
    CHECK(seen.events[3].failed);
    CHECK(text(seen.events[3], "tool") == "b");
}

TEST_CASE("parts of a step and its closing are events, too") {
    Recorder seen;
    History history;
    history.set_observer(&seen);
    acta::ActionProposal<> two = act("a");
    two.use_tools = {{"a", {}}, {"b", {}}};
    history.register_action(two);
    const std::vector<std::string> ids = history.tool_call_ids(0);
    history.register_result(ids[0], acta::ActionSuccessResult{"ok"});
    history.close_open_episode(acta::ActionErrorResult{"stopped", {}});
    REQUIRE(seen.events.size() == 3);
    CHECK(number(seen.events[0], "calls") == 2);
    CHECK(text(seen.events[1], "tool_call_id") == ids[0]);
    CHECK(text(seen.events[2], "status") == "error");
}

TEST_CASE("an observer belongs to a history as an object, not as a value") {
    Recorder seen;
    History history;
    history.set_observer(&seen);
    step(history, "a");
    History copy = history;
    CHECK(copy == history);
    CHECK(acta::dump(copy) == acta::dump(history));
    CHECK(copy.observer() == nullptr);
    History moved = std::move(copy);
    CHECK(moved.observer() == nullptr);
    history = History();  // a history that is loaded anew stays watched
    CHECK(history.observer() == &seen);
    History other;
    other = history;
    CHECK(other.observer() == nullptr);
    const History taken = std::move(history);
    CHECK(taken.observer() == &seen);
}

TEST_CASE("an event's fields are of the type they are given as, and it may fail without words") {
    Recorder seen;
    {
        acta::ScopedEvent watch(&seen, "own");
        watch.add({{"flag", true}, {"share", 0.5}, {"word", "text"}, {"count", 3U}});
        watch.fail();
    }
    REQUIRE(seen.events.size() == 1);
    const acta::Event& event = seen.events[0];
    CHECK(event.failed);
    CHECK(event.level == acta::EventLevel::error);
    CHECK(event.find("error") == nullptr);
    CHECK(*event.find("flag") == acta::EventValue(true));
    CHECK(*event.find("share") == acta::EventValue(0.5));
    CHECK(text(event, "word") == "text");
    CHECK(number(event, "count") == 3);
}

TEST_CASE("a scope that ends with an exception is an event that failed") {
    Recorder seen;
    try {
        const acta::ScopedEvent event(&seen, "own");
        CHECK(event);
        throw std::runtime_error("x");
    } catch (const std::runtime_error&) {
        acta::ScopedEvent unharmed(&seen, "next", acta::EventLevel::debug);
        unharmed.add({});
    }
    REQUIRE(seen.events.size() == 2);
    CHECK(seen.events[0].failed);
    CHECK_FALSE(seen.events[1].failed);
    CHECK(seen.events[1].level == acta::EventLevel::debug);
    CHECK(seen.events[1].duration < std::chrono::minutes(1));
    acta::ScopedEvent nobody(nullptr, "own");
    CHECK_FALSE(nobody);
    nobody.fail("ignored");
}

TEST_CASE("a slot keeps its observer out of copies and assignments") {
    Recorder seen;
    acta::ObserverSlot slot;
    CHECK(slot.get() == nullptr);
    slot.set(&seen);
    const acta::ObserverSlot copy = slot;
    CHECK(copy.get() == nullptr);
    acta::ObserverSlot other;
    other = slot;
    CHECK(other.get() == nullptr);
    slot = copy;
    CHECK(slot.get() == &seen);
    slot = acta::ObserverSlot();
    CHECK(slot.get() == &seen);
    const acta::ObserverSlot moved = std::move(slot);
    CHECK(moved.get() == &seen);
}

TEST_CASE("a long text of an event is cut on a code point") {
    Recorder seen;
    std::string long_text;
    while (long_text.size() < 2000) long_text += "a\u5317 ";
    seen.notify({.name = "own", .fields = {{"text", long_text}}});
    const std::string shown = text(seen.events.at(0), "text");
    below_at_above("text of an event", 1024, [](std::size_t bytes) {
        Recorder own;
        const std::string exact(bytes, 'x');
        own.notify({.name = "own", .fields = {{"text", exact}}});
        return text(own.events.at(0), "text") == exact;
    });
    CHECK(shown.size() <= acta::Observer::max_text_bytes + 3);
    CHECK(acta::utf8::is_valid(shown));
    CHECK(shown.ends_with("..."));
}

TEST_CASE("an observer that throws breaks nothing") {
    Throwing broken;
    History history;
    history.set_observer(&broken);
    CHECK_NOTHROW(step(history, "a"));
    CHECK(history.size() == 1);
    acta::ParseOptions options;
    options.observer = &broken;
    CHECK(acta::parse<int>("12", options) == 12);
    CHECK_THROWS_AS(acta::parse<int>("x", options), acta::ValidationError);
}

TEST_CASE("an observer does nothing unless it is derived from") {
    acta::Observer nothing;
    History history;
    history.set_observer(&nothing);
    CHECK_NOTHROW(step(history, "a"));
}

TEST_CASE("reading is an event with the type, the size and what is wrong first") {
    Recorder seen;
    acta::ParseOptions options;
    options.observer = &seen;
    CHECK(acta::parse<acta::ChatMessage>(R"({"role":"user","content":"hi"})", options).content == "hi");
    CHECK_THROWS_AS(acta::validate<acta::ChatMessage>(acta::Json(acta::JsonObject{{"role", "nobody"}}), options),
                    acta::ValidationError);
    CHECK_THROWS_AS(acta::parse<acta::ChatMessage>("{", options), acta::ValidationError);
    REQUIRE(seen.events.size() == 3);
    CHECK(seen.events[0].name == names::parse);
    CHECK(text(seen.events[0], "type") == "ChatMessage");
    CHECK(number(seen.events[0], "bytes") == 30);
    CHECK_FALSE(seen.events[0].failed);
    CHECK(seen.events[1].failed);
    CHECK(number(seen.events[1], "issues") == 1);
    CHECK(text(seen.events[1], "error") == "enum at '/role'");
    CHECK(text(seen.events[2], "error") == "json_invalid at ''");
}

TEST_CASE("a document's own text is in no event of its reading") {
    Recorder seen;
    acta::ParseOptions options;
    options.observer = &seen;
    CHECK_THROWS_AS(acta::parse<int>("\"" + key + "\"", options), acta::ValidationError);
    REQUIRE(seen.events.size() == 1);
    for (const acta::EventField& field : seen.events[0].fields) {
        if (const auto* const value = std::get_if<std::string>(&field.value))
            CHECK(value->find(key) == std::string::npos);
    }
}

TEST_CASE("calls of skills are events") {
    Recorder seen;
    acta::SkillRegistry skills;
    skills.add(
        "half", "Halves.", [](int n) { return n / 2; }, "n");
    skills.add("login", "Fails.", []() -> int { throw std::runtime_error("refused: api_key=hush and " + key); });
    acta::SkillRunOptions options;
    options.observer = &seen;
    CHECK(acta::is_success(skills.call("half", {{"n", 4}}, options)));
    CHECK(acta::is_error(skills.call("half", {{"m", 4}}, options)));
    CHECK(acta::is_error(skills.call("login", {}, options)));
    CHECK(acta::is_error(skills.call("nothing", {}, options)));
    REQUIRE(seen.events.size() == 4);
    CHECK(seen.events[0].name == names::skill_call);
    CHECK(text(seen.events[0], "skill") == "half");
    CHECK(text(seen.events[0], "status") == "success");
    CHECK_FALSE(seen.events[0].failed);
    CHECK(seen.events[1].failed);
    CHECK_THAT(text(seen.events[1], "error"), contains_text("n: Field required"));
    CHECK(text(seen.events[2], "error") == "refused: api_key=[secret] and [secret]");
    CHECK_THAT(text(seen.events[3], "error"), contains_text("nothing not found"));
}

TEST_CASE("the calls of a proposal that run in parallel are events") {
    acta::CountingObserver counts;
    acta::SkillRegistry skills;
    skills.add(
        "half", "Halves.", [](int n) { return n / 2; }, "n");
    acta::ActionProposal<> proposal = act("half");
    for (int i = 0; i < 20; ++i) {
        acta::AssistantFunctionCall call{"half", {}};
        if (i % 2 == 0) call.arguments.emplace("n", acta::Json(i));
        proposal.use_tools.push_back(std::move(call));
    }
    acta::ExecuteOptions options;
    options.run.observer = &counts;
    CHECK(acta::execute(proposal, skills, options).size() == 20);
    CHECK(counts.count(names::skill_call) == 20);
    CHECK(counts.failures(names::skill_call) == 10);
}

TEST_CASE("asking a model for arguments is an event") {
    Recorder seen;
    acta::ArgumentsParsingAction action;
    action.skill.name = "search";
    action.ask = "look for tides";
    action.max_attempts = 2;
    action.observer = &seen;
    CHECK(action.run(acta::ScriptedChatModel{"no idea", "search(query='tides')"}).arguments);
    CHECK_FALSE(action.run(acta::ScriptedChatModel{"no", "no"}).arguments);
    REQUIRE(seen.events.size() == 2);
    CHECK(seen.events[0].name == names::ask);
    CHECK(text(seen.events[0], "skill") == "search");
    CHECK(number(seen.events[0], "attempts") == 2);
    CHECK_FALSE(seen.events[0].failed);
    CHECK(seen.events[1].failed);
    CHECK(text(seen.events[1], "error") != "(none)");
}

TEST_CASE("a watched model is a model, and says what it took") {
    Recorder seen;
    acta::ChatCompletion completion;
    completion.message.content = "an answer that is nobody's business";
    completion.model = "small-1";
    completion.finish_reason = "stop";
    completion.usage = acta::TokenUsage{12, 5};
    acta::ScriptedChatModel script;
    script.reply(completion).fail(std::runtime_error("401: Bearer " + key)).fail(7);
    const auto model = acta::observed(script, seen);
    static_assert(acta::ChatModel<decltype(model)>);
    const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("hello")};
    CHECK(model(messages, {}) == completion);
    CHECK_THROWS_AS(model(messages, {}), std::runtime_error);
    CHECK_THROWS_AS(model(messages, {}), int);
    CHECK(script.requests().size() == 3);
    REQUIRE(seen.events.size() == 3);
    CHECK(seen.events[0].name == names::chat_model);
    CHECK(number(seen.events[0], "messages") == 1);
    CHECK(number(seen.events[0], "prompt_tokens") == 12);
    CHECK(number(seen.events[0], "completion_tokens") == 5);
    CHECK(text(seen.events[0], "model") == "small-1");
    for (const acta::EventField& field : seen.events[0].fields) {
        if (const auto* const value = std::get_if<std::string>(&field.value)) CHECK(value->size() < 10);
    }
    CHECK(text(seen.events[1], "error") == "401: Bearer [secret]");
    CHECK(seen.events[1].failed);
    CHECK(seen.events[2].failed);
    acta::Observer* const nobody = nullptr;
    CHECK(acta::observed(acta::ScriptedChatModel{"x"}, nobody)(messages, {}).message.content == "x");
}

TEST_CASE("texts in events pass the redactor, and keys never appear") {
    Recorder seen([](std::string_view given) {
        std::string out(given);
        if (const std::size_t at = out.find("Ada"); at != std::string::npos) out.replace(at, 3, "A.");
        return out;
    });
    History history;
    history.set_observer(&seen);
    history.register_action(act("mail_Ada_" + key));
    history.rewind();
    history.register_action(act("/" + key + "/Ada"));
    CHECK(text(seen.events[0], "tool") == "mail_A._" + key);  // no key has this form
    CHECK(text(seen.events[2], "tool") == "[secret]");
}

TEST_CASE("long texts in events are cut between code points") {
    Recorder seen;
    History history;
    history.set_observer(&seen);
    std::string name = "x";
    for (int i = 0; i < 1000; ++i) name += "\xC3\xA9";
    history.register_action(act(name));
    const std::string shown = text(seen.events[0], "tool");
    CHECK(shown.size() <= acta::Observer::max_text_bytes + 3);
    CHECK_THAT(shown, ends_with_text("\xC3\xA9..."));
    CHECK(name.compare(0, shown.size() - 3, shown, 0, shown.size() - 3) == 0);
}

TEST_CASE("the counting observer counts by name, sums time and keeps the length of the history") {
    acta::CountingObserver counts;
    CHECK_FALSE(counts.history_length());
    CHECK(counts.totals("never") == acta::EventTotals{});
    History history;
    history.set_observer(&counts);
    for (const char* const tool : {"a", "b", "c"}) step(history, tool);
    CHECK(counts.history_length() == 3);
    history.rewind(2);
    CHECK_THROWS_AS(history.rewind(-1), acta::HistoryError);
    CHECK(counts.history_length() == 1);
    CHECK(counts.count(names::register_action) == 3);
    CHECK(counts.count(names::rewind) == 2);
    CHECK(counts.failures(names::rewind) == 1);
    acta::Event event;
    event.name = "mine";
    event.duration = std::chrono::nanoseconds(5);
    counts.notify(event);
    event.duration = std::chrono::nanoseconds(7);
    counts.notify(event);
    CHECK(counts.totals("mine").time.count() == 12);
    CHECK(counts.totals("mine").longest.count() == 7);
    CHECK(counts.all().size() == 4);
    counts.reset();
    CHECK(counts.all().empty());
    CHECK_FALSE(counts.history_length());
}

TEST_CASE("the counting observer is notified and asked by several threads") {
    acta::CountingObserver counts;
    std::atomic<int> wrong{0};
    at_once(4, [&](std::size_t thread) {
        History history;
        history.set_observer(&counts);
        for (int i = 0; i < 100; ++i) step(history, "a");
        const auto name = [](std::size_t of, int i) {
            return "thread " + std::to_string(of % 4) + " " + std::to_string(i % 500);
        };
        for (int i = 0; i < 4000; ++i) {
            counts.notify({.name = name(thread, i)});
            static_cast<void>(counts.totals(name(thread + 1, i)));  // which another thread counts now
            if (counts.count(name(thread, i)) == 0 || (i % 500 == 0 && counts.all().empty()) ||
                !counts.history_length())
                ++wrong;
        }
    });
    CHECK(wrong == 0);
    CHECK(counts.count(names::register_result) == 400);
    CHECK(counts.history_length() == 100);
    CHECK(counts.count("thread 3 499") == 8);
    at_once(2, [&](std::size_t thread) {
        for (int i = 0; i < 2000; ++i) {
            counts.notify({.name = thread == 0 ? "a" : "b"});
            counts.reset();
        }
    });
    CHECK(counts.all().empty());
}

TEST_CASE("a compression is an event, and each of its steps is") {
    Recorder seen;
    History history;
    for (const char* const tool : {"a", "b", "c"}) step(history, tool);
    acta::CompressionOptions options;
    options.keep_recent = 0;
    options.max_parallel = 1;
    options.observer = &seen;
    const auto summarizer = [](std::string_view given, const acta::SummaryRequest& request) -> std::string {
        if (given.find("`b(") != std::string_view::npos) throw std::runtime_error("no summary: " + key);
        request.on_source("chain/first");
        return "short";
    };
    CHECK(acta::handle_compression(history, summarizer, options).failed.size() == 1);
    REQUIRE(seen.events.size() == 4);
    CHECK(seen.events[0].name == names::summarize);
    CHECK(seen.events[0].level == acta::EventLevel::debug);
    CHECK(text(seen.events[0], "source") == "chain/first");
    CHECK(number(seen.events[1], "step") == 1);
    CHECK(seen.events[1].failed);
    CHECK(text(seen.events[1], "error") == "runtime_error('no summary: [secret]')");
    CHECK(seen.events[3].name == names::compress);
    CHECK(number(seen.events[3], "summarised") == 2);
    CHECK(number(seen.events[3], "failed") == 1);
    CHECK(seen.events[3].failed);
}
