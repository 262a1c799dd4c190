// SPDX-License-Identifier: MIT
// An agent that is killed at every point of its run, and resumed by another process.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/json/json.hpp"
#include "acta/store/sqlite/store.hpp"
#include "acta/store/stored_history.hpp"
#include "store/sqlite/folder.hpp"
#include "support/catch.hpp"

namespace {

constexpr acta::sqlite::Options quick{.synchronous = acta::sqlite::Synchronous::normal};  // no power is cut here

/// Counts down to the moment at which the program kills itself.
class Fate {
public:
    explicit Fate(int events) : left_(events) {}
    void event() {
        if (left_-- == 0) raise(SIGKILL);
    }

private:
    int left_;
};

class FatedStore : public acta::sqlite::Store {
public:
    FatedStore(const std::filesystem::path& file, Fate& fate) : Store(file, quick), fate_(fate) {}
    acta::Appended append(std::string_view id, acta::Position at, std::span<const acta::NewRecord> records) override {
        fate_.event();
        const acta::Appended done = Store::append(id, at, records);
        fate_.event();
        return done;
    }

private:
    Fate& fate_;
};

/// Tools whose effects are lines in a file: `<number> <key>`.
acta::SkillRegistry tools_in(const std::filesystem::path& effects, Fate& fate) {
    const auto effect = [&effects, &fate](int n, acta::SkillContext& context) {
        fate.event();
        std::ofstream(effects, std::ios::app) << n << ' ' << context.idempotency_key() << '\n';
        fate.event();
        return n;
    };
    acta::SkillRegistry out;
    out.add("count_once", "Counts once for each key.", {.uses_idempotency_key = true}, effect, "n");
    out.add("count", "Counts.", effect, "n");
    return out;
}

acta::ChatCompletion two_steps(std::span<const acta::ChatMessage> messages, const acta::ChatOptions&) {
    acta::ChatCompletion out;
    int steps = 0;
    for (const acta::ChatMessage& one : messages) steps += one.tool_calls.empty() ? 0 : 1;
    if (steps == 0)
        out.message.tool_calls = {{"a", {"count_once", {{"n", 1}}}}, {"b", {"count", {{"n", 2}}}}};
    else if (steps == 1)
        out.message.tool_calls = {{"a", {"count_once", {{"n", 3}}}}};
    else
        out.message.content = "Done.";
    return out;
}

/// Runs the agent in a process of its own. Returns whether that ended by itself.
bool run_agent_until(const TemporaryFolder& folder, int events) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        try {
            Fate fate(events);
            FatedStore store(folder.file(), fate);
            const std::filesystem::path effects = folder.file("effects");
            auto run = acta::StoredHistory<>::open_or_create(store, "task");
            if (run.messages().empty()) run.register_message(acta::ChatMessage::user("Count."));
            const acta::RunResult result =
                acta::run_agent(two_steps, tools_in(effects, fate), run, {.max_parallel = 1});
            _exit(result.answer == "Done." ? 0 : 1);
        } catch (...) {
            _exit(2);
        }
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status)) return false;
    REQUIRE(WEXITSTATUS(status) == 0);
    return true;
}

bool is_unknown(const acta::ActionResult& result) {
    const auto* const error = std::get_if<acta::ActionErrorResult>(&result);
    return error != nullptr && error->error && error->error->exception_type == "OutcomeUnknown";
}

}  // namespace

TEST_CASE("an agent that is killed at any point and resumed has no effect twice") {
    int points = 0;
    int unknown = 0;
    for (bool was_killed = true; was_killed; ++points) {
        const TemporaryFolder folder;
        was_killed = !run_agent_until(folder, points);
        if (was_killed) REQUIRE(run_agent_until(folder, -1));
        std::map<int, std::vector<std::string>> effects;
        std::ifstream file(folder.file("effects"));
        std::string key;
        for (int n = 0; file >> n >> key;) effects[n].push_back(key);
        INFO(points);
        for (const int n : {1, 3}) {  // whoever has the effects has one for each key
            CHECK(std::set<std::string>(effects[n].begin(), effects[n].end()).size() == 1);
            CHECK(effects[n].size() <= 2);
        }
        acta::sqlite::Store store(folder.file(), quick);
        const auto run = acta::StoredHistory<>::open_or_create(store, "task");
        CHECK(run.size() == 2);
        const bool is_said = is_unknown(run.at(0).tool_results.at(1).result);
        CHECK((is_said ? effects[2].size() <= 1 : effects[2].size() == 1));
        unknown += is_said ? 1 : 0;
    }
    // Before and after each append and each effect. The first call of a step begins with it, in one append.
    CHECK(points == 1 + 2 * (1 + 2 + 2 * 3 - 2 + 1 + 1) + 2 * 3);
    CHECK(unknown == 4);  // after the call began, around the effect, before the result is stored
}
