// SPDX-License-Identifier: MIT
#include <map>
#include <string>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "support/catch.hpp"

// Which calls a person is asked about.
namespace {

using acta::Approval;
using acta::ChatMessage;

struct Outcome {
    acta::EpisodicActionHistory<> history{};
    std::vector<std::string> asked{};                // ids
    std::map<std::string, std::string> completed{};  // results in events, by id
    std::vector<std::string> ran{};                  // texts
};

Outcome run(const std::vector<acta::AssistantToolCall>& calls, acta::RunOptions options) {
    Outcome out;
    acta::SkillRegistry skills;
    skills.add(
        "remove", "Removes a file.",
        [&out](const std::string& path) {
            out.ran.push_back(path);
            return path;
        },
        "path");
    acta::ChatCompletion completion;
    completion.message.tool_calls = calls;
    acta::ScriptedChatModel model;
    model.reply(completion).reply("Done.");
    out.history.register_message(ChatMessage::user("Go."));
    if (!options.approve)
        options.approve = [&out](const acta::AssistantToolCall& call) {
            out.asked.push_back(call.id);
            return call.id == "refused" ? Approval::no("Not that.") : Approval::yes();
        };
    options.on_event = acta::on([&out](const acta::CallCompleted& done) {
        CHECK(out.completed.emplace(done.call.id, acta::to_string(done.result)).second);
    });
    CHECK(acta::run_agent(model, skills, out.history, options).answer == "Done.");
    return out;
}

}  // namespace

TEST_CASE("a person is not asked about calls that cannot run, and their results say why") {
    acta::Json deep = "a";
    for (int i = 0; i < 150; ++i) deep = acta::Json::array({deep});
    const Outcome done = run({{"good", {"remove", {{"path", "a"}}}},
                              {"unknown", {"delete", {{"path", "b"}}}},
                              {"missing", {"remove", {}}},
                              {"wrong", {"remove", {{"path", 1}}}},
                              {"unreadable", {"remove", {{"path", deep}}}},
                              {"refused", {"remove", {{"path", "c"}}}},
                              {"beyond", {"remove", {{"path", "d"}}}}},
                             {.limits = {.calls_per_step = 6}});
    CHECK(done.asked == std::vector<std::string>{"good", "refused"});
    CHECK(done.ran == std::vector<std::string>{"a"});
    REQUIRE(done.completed.size() == 7);
    CHECK(done.completed.at("good") == "a");
    CHECK_THAT(done.completed.at("unknown"), contains_text("delete not found"));
    CHECK_THAT(done.completed.at("missing"), contains_text("path: Field required"));
    CHECK_THAT(done.completed.at("wrong"), contains_text("path: Input should be a valid string"));
    CHECK_THAT(done.completed.at("unreadable"), contains_text("levels deep"));
    CHECK_THAT(done.completed.at("refused"), contains_text("Not that."));
    CHECK_THAT(done.completed.at("beyond"), contains_text("at most 6 calls"));
    for (const acta::ToolResult& one : done.history[0].tool_results)
        CHECK(acta::to_string(one.result) == done.completed.at(one.tool_call_id));
}

TEST_CASE("calls of a step that is continued are limited by their places in it") {
    acta::SkillRegistry skills;
    skills.add("look", "Looks.", [] { return "seen"; });
    for (std::size_t done = 0; done < 3; ++done) {
        acta::EpisodicActionHistory<> history;
        history.register_message(ChatMessage::user("Go."));
        acta::ActionProposal<> proposal;
        acta::set_calls(proposal, {{"look", {}}, {"look", {}}, {"look", {}}});
        history.register_action(proposal);
        history.register_result("call_" + std::to_string(done), acta::ActionSuccessResult{.outputs = "before"});
        const acta::ScriptedChatModel model{"Done."};
        const acta::RunOptions options{.limits = {.calls_per_step = 2}};
        CHECK(acta::run_agent(model, skills, history, options).answer == "Done.");
        for (std::size_t i = 0; i < 3; ++i) {
            INFO(i << " of a step whose call " << done << " was done");
            const std::string result = acta::to_string(history[0].tool_results[i].result);
            CHECK_THAT(result, contains_text(i == done ? "before" : i < 2 ? "seen" : "at most 2 calls"));
        }
    }
}

TEST_CASE("a call whose outcome is unknown is reported as completed") {
    acta::EpisodicActionHistory<> history;
    history.register_message(ChatMessage::user("Go."));
    history.register_action({.thoughts = "Remove it.", .use_tool = {"remove", {{"path", "a"}}}});
    acta::RunOptions options;
    options.rerun = [](const acta::AssistantToolCall&) { return false; };
    std::vector<std::string> completed;
    options.on_event =
        acta::on([&](const acta::CallCompleted& done) { completed.push_back(acta::to_string(done.result)); });
    const acta::ScriptedChatModel model{"Done."};
    CHECK(acta::run_agent(model, {}, history, options).answer == "Done.");
    REQUIRE(completed.size() == 1);
    CHECK(completed[0] == acta::to_string(*history[0].result));
}
