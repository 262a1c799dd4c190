// SPDX-License-Identifier: MIT
#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "acta/store/memory_store.hpp"
#include "acta/store/stored_history.hpp"
#include "support/catch.hpp"

// A run that waits for a person: one program asks, another one decides, a third one continues.
namespace {

using acta::Approval;
using acta::RunEnd;
using Stored = acta::StoredHistory<>;

class Removals {
public:
    Removals() {
        skills_.add(
            "remove", "Removes a file.",
            [this](const std::string& path) {
                const std::scoped_lock lock(mutex_);  // the calls of a step run at the same time
                removed_.push_back(path);
            },
            acta::param("path", "The file."));
        skills_.add("look", "Looks.", [] { return "a, b"; });
    }
    Removals(const Removals&) = delete;
    Removals& operator=(const Removals&) = delete;
    ~Removals() = default;

    [[nodiscard]] const acta::SkillRegistry& skills() const { return skills_; }
    [[nodiscard]] const std::vector<std::string>& removed() const { return removed_; }

private:
    acta::SkillRegistry skills_{};
    std::mutex mutex_{};
    std::vector<std::string> removed_{};
};

/// Asks a person, who is not there, about each removal.
acta::RunOptions asking_later(int& asked) {
    acta::RunOptions options;
    options.approve = [&asked](const acta::AssistantToolCall& call) {
        ++asked;
        return call.function.name == "remove" ? Approval::later() : Approval::yes();
    };
    return options;
}

/// A store with a run that waits for decisions on the calls a, b and c.
void begin_waiting_run(acta::HistoryStore& store, const Removals& removals) {
    acta::ScriptedChatModel model;
    acta::ChatCompletion calls;
    calls.message.tool_calls = {{"a", {"remove", {{"path", "a"}}}},
                                {"look", {"look", {}}},
                                {"b", {"remove", {{"path", "b"}}}},
                                {"c", {"remove", {{"path", "c"}}}}};
    model.reply(calls);
    auto history = Stored::open_or_create(store, "task");
    history.register_message(acta::ChatMessage::user("Remove them."));
    int asked = 0;
    const acta::RunResult run = acta::run_agent(model, removals.skills(), history, asking_later(asked));
    CHECK(run.end == RunEnd::waiting);
    CHECK(run.waiting.size() == 3);
    CHECK(asked == 4);
    CHECK(history.at(0).tool_results.size() == 1);
    CHECK(removals.removed().empty());
}

}  // namespace

TEST_CASE("a run in a store waits, is decided by another program, and continued by a third") {
    acta::MemoryStore store;
    Removals removals;
    begin_waiting_run(store, removals);
    {
        auto desk = Stored::open_or_create(store, "task");
        REQUIRE(desk.open_calls().size() == 3);
        CHECK(desk.lock()->runs().back().end == "waiting");
        desk.decide("a", {.approved = true, .by = "Eve"});
        desk.decide("b", {.approved = false, .by = "Eve", .feedback = "Keep it."});
        desk.set_arguments("c", {{"path", "c.bak"}});
        desk.decide("c", {.approved = true, .by = "Eve"});
    }
    auto history = Stored::open_or_create(store, "task");
    int asked = 0;
    acta::ScriptedChatModel model{"Done."};
    CHECK(acta::run_agent(model, removals.skills(), history, asking_later(asked)).answer == "Done.");
    CHECK(asked == 0);
    std::vector<std::string> removed = removals.removed();
    std::ranges::sort(removed);
    CHECK(removed == std::vector<std::string>{"a", "c.bak"});
    CHECK_THAT(acta::to_string(history.at(0).tool_results[2].result), contains_text("Keep it."));
    CHECK(Stored::open_or_create(store, "task").lock()->runs().size() == 2);
}

TEST_CASE("a run in a store that is continued asks about the calls that nobody has decided") {
    acta::MemoryStore store;
    Removals removals;
    begin_waiting_run(store, removals);
    Stored::open_or_create(store, "task").decide("b", {.approved = true});
    auto history = Stored::open_or_create(store, "task");
    int asked = 0;
    acta::ScriptedChatModel model{"Done."};
    const acta::RunResult run = acta::run_agent(model, removals.skills(), history, asking_later(asked));
    CHECK(run.end == RunEnd::waiting);
    CHECK(asked == 2);
    CHECK(run.waiting.size() == 2);
    CHECK(removals.removed() == std::vector<std::string>{"b"});
}

TEST_CASE("a store keeps how runs ended") {
    acta::MemoryStore store;
    {
        auto history = Stored::open_or_create(store, "task");
        history.register_message(acta::ChatMessage::user("Go."));
        acta::ScriptedChatModel model;
        model.fail(std::runtime_error("the connection was lost"));
        static_cast<void>(acta::run_agent(model, {}, history));
    }
    auto history = Stored::open_or_create(store, "task");
    REQUIRE(history.lock()->runs().size() == 1);
    CHECK(acta::to_string(history.lock()->runs()[0]) == "failed: the connection was lost");
}

TEST_CASE("a store keeps the runs of agents that are tools") {
    acta::MemoryStore store;
    {
        auto history = Stored::open_or_create(store, "task");
        history.register_message(acta::ChatMessage::user("Go."));
        acta::SkillRegistry skills;
        skills.add(acta::agent_tool("reader", "Reads.", acta::ScriptedChatModel{"Noon."}, {}));
        acta::ScriptedChatModel lead;
        lead.reply_call("reader", {{"task", "Read."}}).reply("Done.");
        CHECK(acta::run_agent(lead, skills, history).answer == "Done.");
    }
    const auto history = Stored::open_or_create(store, "task");
    REQUIRE(history.lock()->sub_runs().size() == 1);
    CHECK_THAT(acta::dump(history.lock()->sub_runs()[0]), contains_text("Noon."));
}

namespace {

/// A stored history with an open step and a call `call_0`, and this record after them.
std::string opened_with(acta::RecordKind kind, const char* body) {
    acta::MemoryStore store;
    acta::Position at;
    {
        auto history = Stored::open_or_create(store, "task");
        history.register_message(acta::ChatMessage::user("Go."));
        history.register_action({.thoughts = "Ask.", .use_tool = {"reader", {}}});
        at = history.position();
    }
    const std::vector<acta::NewRecord> records = {{kind, {}, body}};
    store.append("task", at, records);
    try {
        const auto history = Stored::open_or_create(store, "task");
        const auto lock = history.lock();
        CHECK(lock->messages().size() == 1);
        return std::to_string(lock->runs().size()) + " runs, " + std::to_string(lock->sub_runs().size()) + " sub runs";
    } catch (const acta::StoreCorrupt& error) {
        CHECK(error.seq() == 3);
        return error.what();
    }
}

}  // namespace

TEST_CASE("damaged records of runs make the history unreadable") {
    using enum acta::RecordKind;
    CHECK(opened_with(run, R"({"run":{"end":"answered","after":0}})") == "1 runs, 0 sub runs");
    CHECK(opened_with(sub_run, R"({"sub_run":{"step":0,"tool_call_id":"call_0","history":{}}})") ==
          "0 runs, 1 sub runs");
    for (const char* const body : {R"({"run":{"end":3,"after":0}})", R"({"run":{)", R"({"text":"Go."})"})
        CHECK_THAT(opened_with(run, body), contains_text("history 'task', record 3 (run): "));
    for (const char* const body :
         {R"({"sub_run":{"step":0,"tool_call_id":"call_7","history":{}}})",
          R"({"sub_run":{"step":1,"tool_call_id":"call_0","history":{}}})", R"({"sub_run":{"step":0}})", "{}"})
        CHECK_THAT(opened_with(sub_run, body), contains_text("history 'task', record 3 (sub_run): "));
}

TEST_CASE("runs in the notes of older histories are read, and other notes are for people") {
    using enum acta::RecordKind;
    CHECK(opened_with(note, R"({"run":{"end":"answered","after":0}})") == "1 runs, 0 sub runs");
    CHECK(opened_with(note, R"({"sub_run":{"step":0,"tool_call_id":"call_0","history":{}}})") == "0 runs, 1 sub runs");
    for (const char* const body :
         {R"({"run":{"by":"Ann"}})", R"({"sub_run":{"step":7,"tool_call_id":"x","history":{}}})", R"({"run":{)",
          R"({"run":{"end":3}})", R"({"text":"Go on."})", "Go on."})
        CHECK(opened_with(note, body) == "0 runs, 0 sub runs");
}
