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
    auto history = Stored::open(store, "task");
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
        auto desk = Stored::open(store, "task");
        REQUIRE(desk.open_calls().size() == 3);
        CHECK(desk.lock()->runs().back().end == "waiting");
        desk.decide("a", {.approved = true, .by = "Eve"});
        desk.decide("b", {.approved = false, .by = "Eve", .feedback = "Keep it."});
        desk.set_arguments("c", {{"path", "c.bak"}});
        desk.decide("c", {.approved = true, .by = "Eve"});
    }
    auto history = Stored::open(store, "task");
    int asked = 0;
    acta::ScriptedChatModel model{"Done."};
    CHECK(acta::run_agent(model, removals.skills(), history, asking_later(asked)).answer == "Done.");
    CHECK(asked == 0);
    std::vector<std::string> removed = removals.removed();
    std::ranges::sort(removed);
    CHECK(removed == std::vector<std::string>{"a", "c.bak"});
    CHECK_THAT(acta::to_string(history.at(0).tool_results[2].result), contains_text("Keep it."));
    CHECK(Stored::open(store, "task").lock()->runs().size() == 2);
}

TEST_CASE("a run in a store that is continued asks about the calls that nobody has decided") {
    acta::MemoryStore store;
    Removals removals;
    begin_waiting_run(store, removals);
    Stored::open(store, "task").decide("b", {.approved = true});
    auto history = Stored::open(store, "task");
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
        auto history = Stored::open(store, "task");
        history.register_message(acta::ChatMessage::user("Go."));
        acta::ScriptedChatModel model;
        model.fail(std::runtime_error("the connection was lost"));
        static_cast<void>(acta::run_agent(model, {}, history));
    }
    auto history = Stored::open(store, "task");
    REQUIRE(history.lock()->runs().size() == 1);
    CHECK(acta::to_string(history.lock()->runs()[0]) == "failed: the connection was lost");
}

TEST_CASE("a store keeps the runs of agents that are tools") {
    acta::MemoryStore store;
    {
        auto history = Stored::open(store, "task");
        history.register_message(acta::ChatMessage::user("Go."));
        acta::SkillRegistry skills;
        skills.add(acta::agent_tool("reader", "Reads.", acta::ScriptedChatModel{"Noon."}, {}));
        acta::ScriptedChatModel lead;
        lead.reply_call("reader", {{"task", "Read."}}).reply("Done.");
        CHECK(acta::run_agent(lead, skills, history).answer == "Done.");
    }
    const auto history = Stored::open(store, "task");
    REQUIRE(history.lock()->sub_runs().size() == 1);
    CHECK_THAT(acta::dump(history.lock()->sub_runs()[0]), contains_text("Noon."));
}

TEST_CASE("a note of somebody else that begins like one of acta's leaves the history readable") {
    acta::MemoryStore store;
    acta::Position at;
    {
        auto history = Stored::open(store, "task");
        history.register_message(acta::ChatMessage::user("Go."));
        at = history.position();
    }
    for (const char* const body :
         {R"({"run":{"by":"Ann"}})", R"({"sub_run":{"step":7,"tool_call_id":"x","history":{}}})", R"({"run":{})",
          R"({"run":{"end":3}})"}) {
        const std::vector<acta::NewRecord> note = {{acta::RecordKind::note, {}, body}};
        REQUIRE_NOTHROW(store.append("task", at, note));
        ++at.version;
    }
    const auto history = Stored::open(store, "task");
    CHECK(history.lock()->runs().empty());
    CHECK(history.lock()->sub_runs().empty());
    CHECK(history.messages().size() == 1);
}
