// SPDX-License-Identifier: MIT
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "acta/store/memory_store.hpp"
#include "acta/store/stored_history.hpp"
#include "support/catch.hpp"

// What a run registers can be written and read again, whatever the model, the tools and the functions give it.
namespace {

using acta::Approval;
using acta::ChatMessage;
using acta::Json;
using acta::RunOptions;
using History = acta::EpisodicActionHistory<>;

const std::string bad = "bad \xff\xc3 bytes";

Json deep() {
    Json out = "core";
    for (int i = 0; i < 150; ++i) out = i % 2 == 0 ? Json::array({out}) : Json{{"in", out}};
    return out;
}

/// What may be hostile in a run.
struct Hostile {
    std::vector<acta::ChatCompletion> replies{};
    std::function<Json()> tool = [] { return Json(1); };
    RunOptions options{};
    std::optional<std::string> failure{};
};

acta::ChatCompletion calling(acta::JsonObject arguments = {}) {
    acta::ChatCompletion out;
    out.message.tool_calls = {{"a", {"work", std::move(arguments)}}};
    return out;
}

acta::ChatCompletion answer(std::string text) {
    acta::ChatCompletion out;
    out.message.content = std::move(text);
    return out;
}

void run(const Hostile& hostile, const std::function<void(acta::ChatModelRef, const acta::SkillRegistry&)>& start) {
    acta::ScriptedChatModel model;
    for (const acta::ChatCompletion& reply : hostile.replies) model.reply(reply);
    if (hostile.failure)
        model.fail(std::runtime_error(*hostile.failure));
    else
        model.reply("Done.");
    acta::SkillRegistry skills;
    skills.add(
        "work", "Works.", [&hostile](const Json&) { return hostile.tool(); }, acta::param("x", "X.", Json(1)));
    start(model, skills);
}

void check_record(const Hostile& hostile) {
    History history;
    history.register_message(ChatMessage::user("Go."));
    run(hostile, [&](acta::ChatModelRef model, const acta::SkillRegistry& skills) {
        static_cast<void>(acta::run_agent(model, skills, history, hostile.options));
    });
    CHECK(history.size() + history.runs().size() > 0);
    CHECK(acta::parse<History>(acta::dump(history, {.round_trip = true})) == history);
    acta::MemoryStore store;
    auto stored = acta::StoredHistory<>::create(store, "task");
    stored.register_message(ChatMessage::user("Go."));
    run(hostile, [&](acta::ChatModelRef model, const acta::SkillRegistry& skills) {
        static_cast<void>(acta::run_agent(model, skills, stored, hostile.options));
    });
    CHECK(acta::read_history(store, "task") == stored.snapshot());
    // As the run of a tool.
    History outer;
    outer.register_message(ChatMessage::user("Lead."));
    run(hostile, [&](acta::ChatModelRef model, const acta::SkillRegistry& skills) {
        acta::SkillRegistry team;
        team.add(acta::agent_tool("worker", "Works.", acta::AnyChatModel(model), skills, hostile.options));
        acta::ScriptedChatModel lead;
        lead.reply_call("worker", {{"task", "Go."}}).reply("Done.");
        static_cast<void>(acta::run_agent(lead, team, outer));
    });
    CHECK(outer.sub_runs().size() == 1);
    CHECK(acta::parse<History>(acta::dump(outer, {.round_trip = true})) == outer);
}

}  // namespace

TEST_CASE("a run records what a model says so that it can be read again") {
    acta::ChatCompletion said = calling({{bad, bad}, {"deep", deep()}});
    said.message.content = bad;
    said.message.reasoning_content = bad;
    said.message.extra = {{"deep", deep()}, {bad, bad}, {"number", std::numeric_limits<double>::infinity()}};
    said.message.tool_calls->front().id = bad;
    said.message.tool_calls->push_back({"b", {bad, {}}});
    said.model = bad;
    said.finish_reason = bad;
    acta::ChatCompletion last = said;
    last.message.tool_calls.reset();
    check_record({.replies = {said, last}});
    last.finish_reason = "stop";
    check_record({.replies = {said, said, last}});
    check_record({.replies = {said}, .options = {.native_calls = false}});
    check_record({.replies = {answer("work(x='" + bad + "')")}, .options = {.native_calls = false}});
    check_record({.replies = {answer("work(x=" + std::string(150, '[') + std::string(150, ']') + ")")},
                  .options = {.native_calls = false}});
    check_record({.failure = bad});
}

TEST_CASE("a run records what tools return so that it can be read again") {
    for (const Json& output : {deep(), Json(bad), Json{{bad, std::numeric_limits<double>::quiet_NaN()}}})
        check_record({.replies = {calling()}, .tool = [&] { return output; }});
    check_record({.replies = {calling()}, .tool = []() -> Json { throw std::runtime_error(bad); }});
}

TEST_CASE("a run records what its functions return so that it can be read again") {
    const auto approving = [](const Approval& approval) {
        return Hostile{.replies = {calling()},
                       .options = {.approve = [approval](const acta::AssistantToolCall&) { return approval; }}};
    };
    check_record(approving(Approval::with({{bad, bad}})));
    check_record(approving(Approval::with({{"deep", deep()}})));
    check_record(approving(Approval::with({{"x", std::numeric_limits<double>::infinity()}})));
    check_record(approving(Approval::no(bad)));
    Approval by = Approval::yes();
    by.by = bad;
    check_record(approving(by));
    int refused = 0;
    check_record({.replies = {answer("No.")},
                  .options = {.on_answer = [&](const acta::AssistantChatMessage&) -> std::optional<std::string> {
                      if (++refused % 2 == 1) return bad;
                      return std::nullopt;
                  }}});
    Hostile summarized{.replies = {calling(), calling({{"x", 2}}), calling({{"x", 3}})}};
    summarized.options.summarizer = [](std::string_view, const acta::SummaryRequest&) { return bad; };
    summarized.options.compression.keep_recent = 1;
    check_record(summarized);
    check_record({.replies = {calling()}, .options = {.price = [](const acta::ChatCompletion&) {
                                              return std::numeric_limits<double>::infinity();
                                          }}});
}

TEST_CASE("a run records results that it is given so that they can be read again") {
    for (const acta::ActionResult& result : {acta::ActionResult(acta::ActionSuccessResult{.outputs = deep()}),
                                             acta::ActionResult(acta::ActionSuccessResult{.outputs = bad}),
                                             acta::ActionResult(acta::ActionErrorResult{.reason = bad}),
                                             acta::ActionResult(acta::ActionInterruptedByHuman{.feedback = bad})}) {
        const acta::SkillRegistry skills;
        History history;
        history.register_message(ChatMessage::user("Go."));
        acta::AgentRun by_hand(skills, history);
        by_hand.next();
        by_hand.give(calling());
        by_hand.next();
        by_hand.give("a", result);
        by_hand.leave();
        CHECK(history[0].result.has_value());
        CHECK(acta::parse<History>(acta::dump(history, {.round_trip = true})) == history);
    }
}
