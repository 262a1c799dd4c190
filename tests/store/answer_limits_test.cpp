// SPDX-License-Identifier: MIT
#include <memory>
#include <string>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "acta/store/memory_store.hpp"
#include "acta/store/stored_history.hpp"
#include "support/catch.hpp"
#include "support/deep.hpp"

// A model's server may add anything to an answer: the record of the run is complete and can be read again.
namespace {

using acta::Json;

acta::ChatCompletion deep_answer(const char* call) {
    acta::ChatCompletion out;
    out.message.content = "Hm.";
    out.message.extra["openai"] = Json{{"zz", deep::nested(118)}, {"b", 1}};
    if (call != nullptr) out.message.tool_calls = {{"c1", {call, {{"task", "Look."}}}}};
    return out;
}

}  // namespace

TEST_CASE("a run on a stored history keeps an answer with a member that is too deep, and the runs within it") {
    acta::ScriptedChatModel inner;
    inner.reply(deep_answer("look")).reply(deep_answer(nullptr));
    acta::SkillRegistry inner_skills;
    inner_skills.add(
        "look", "Looks.", [](const std::string&) { return "a, b"; }, acta::param("task", "What for."));
    acta::SkillRegistry skills;
    skills.add(acta::agent_tool("helper", "Helps.", inner, inner_skills));
    acta::ScriptedChatModel model;
    model.reply(deep_answer("helper")).reply(deep_answer(nullptr));

    acta::MemoryStore store;
    {
        auto history = acta::StoredHistory<>::create(store, "run");
        history.register_message(acta::ChatMessage::user("Go."));
        CHECK(acta::run_agent(model, skills, history).end == acta::RunEnd::answered);
    }
    const auto history = acta::read_history(store, "run");
    REQUIRE(history.size() == 1);
    REQUIRE(history.sub_runs().size() == 1);
    CHECK(history.messages().size() == 2);
    CHECK(acta::chat_extension::not_recorded(history[0].action.raw_message->extra).size() == 1);
    CHECK(Json(history[0].action.raw_message->extra)["openai"].dump() == R"({"b":1})");
    CHECK(acta::parse<acta::EpisodicActionHistory<>>(acta::dump(history)) == history);
}
