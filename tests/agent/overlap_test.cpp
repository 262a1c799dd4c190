// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/skill/execute.hpp"
#include "acta/store/memory_store.hpp"
#include "acta/store/stored_history.hpp"
#include "support/catch.hpp"

// Which calls of a step run at the same time, and in which order.
namespace {

using acta::CallOverlap;
using acta::ChatMessage;

/// Tools that note their calls. A call ends when as many calls have begun as `wait_for` says.
class Desk {
public:
    /// Of the number of a call.
    using WaitFor = std::size_t (*)(int n);

    explicit Desk(WaitFor wait_for) : wait_for_(wait_for) {
        skills_.add(
            "read", "Reads.", {.read_only = true}, [this](int n) { return enter("read", n); }, "n");
        skills_.add(
            "write", "Writes.", [this](int n) { return enter("write", n); }, "n");
    }

    [[nodiscard]] const acta::SkillRegistry& skills() const { return skills_; }
    [[nodiscard]] std::vector<std::string> names() const { return names_; }
    /// The most calls at the same time.
    [[nodiscard]] int most() const { return most_; }
    /// Whether a call of `write` had another one beside it.
    [[nodiscard]] bool was_disturbed() const { return is_disturbed_; }

private:
    int enter(const std::string& name, int n) {
        std::unique_lock lock(mutex_);
        names_.push_back(name + " " + std::to_string(n));
        most_ = std::max(most_, ++inside_);
        if (name == "write") ++writers_;
        if (writers_ > 0 && inside_ > 1) is_disturbed_ = true;
        entered_.notify_all();
        entered_.wait_for(lock, std::chrono::seconds(20), [this, n] { return names_.size() >= wait_for_(n); });
        if (name == "write") --writers_;
        --inside_;
        return n;
    }

    WaitFor wait_for_;
    acta::SkillRegistry skills_{};
    std::mutex mutex_{};
    std::condition_variable entered_{};
    std::vector<std::string> names_{};
    int inside_ = 0;
    int writers_ = 0;
    int most_ = 0;
    bool is_disturbed_ = false;
};

const std::vector<acta::AssistantFunctionCall> calls = {{"read", {{"n", 0}}},  {"read", {{"n", 1}}},
                                                        {"write", {{"n", 2}}}, {"write", {{"n", 3}}},
                                                        {"read", {{"n", 4}}},  {"read", {{"n", 5}}}};

acta::ActionProposal<> proposal() {
    acta::ActionProposal<> out;
    acta::set_calls(out, calls);
    return out;
}

void run(const Desk& desk, CallOverlap parallel) {
    acta::ChatCompletion completion;
    completion.message.tool_calls.emplace();
    for (const acta::AssistantFunctionCall& call : calls)
        completion.message.tool_calls->push_back({"id_" + std::to_string(completion.message.tool_calls->size()), call});
    acta::ScriptedChatModel model;
    model.reply(completion).reply("Done.");
    acta::EpisodicActionHistory<> history;
    history.register_message(ChatMessage::user("Go."));
    CHECK(acta::run_agent(model, desk.skills(), history, {.parallel = parallel}).answer == "Done.");
    CHECK(acta::to_string(*history[0].result) == "[0, 1, 2, 3, 4, 5]");
}

void execute(const Desk& desk, CallOverlap parallel) {
    CHECK(acta::execute(proposal(), desk.skills(), {.parallel = parallel}).size() == calls.size());
}

void execute_stored(const Desk& desk, CallOverlap parallel) {
    acta::MemoryStore store;
    auto history = acta::StoredHistory<>::create(store, "task");
    history.register_action(proposal());
    CHECK(history.execute(desk.skills(), {.parallel = parallel}).size() == calls.size());
}

// How many calls have begun before a call ends.
std::size_t its_neighbours(int n) { return n < 2 ? 2 : n < 4 ? 0 : 6; }
std::size_t all_of_them(int /*n*/) { return 6; }
std::size_t none_of_them(int /*n*/) { return 0; }

}  // namespace

TEST_CASE("only calls of read-only skills overlap, and each other one runs alone, in the order of the model") {
    CHECK(acta::RunOptions().parallel == CallOverlap::hinted);
    for (const auto start : {run, execute, execute_stored}) {
        Desk desk(its_neighbours);
        start(desk, CallOverlap::hinted);
        CHECK(desk.most() == 2);
        CHECK_FALSE(desk.was_disturbed());
        const std::vector<std::string> names = desk.names();
        CHECK(names[2] == "write 2");
        CHECK(names[3] == "write 3");
    }
}

TEST_CASE("all calls of a step overlap, or none, if the options say so") {
    for (const auto start : {run, execute, execute_stored}) {
        Desk all(all_of_them);
        start(all, CallOverlap::all);
        CHECK(all.most() == 6);
        CHECK(all.was_disturbed());
        Desk none(none_of_them);
        start(none, CallOverlap::none);
        CHECK(none.most() == 1);
        CHECK(none.names() == std::vector<std::string>{"read 0", "read 1", "write 2", "write 3", "read 4", "read 5"});
    }
}

TEST_CASE("an agent that is a tool overlaps with other calls if all of its skills are read-only") {
    const Desk desk(none_of_them);
    acta::SkillRegistry reading;
    reading.add("look", "Looks.", {.read_only = true}, [] { return 1; });
    const acta::ScriptedChatModel model{"Done."};
    CHECK(acta::agent_tool("a", "A.", model, reading).hints.read_only == true);
    CHECK(acta::agent_tool("a", "A.", model, {}).hints.read_only == true);
    CHECK_FALSE(acta::agent_tool("a", "A.", model, desk.skills()).hints.read_only.has_value());
}
