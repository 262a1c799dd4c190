// SPDX-License-Identifier: MIT
// A program that dies at any moment, and another one that goes on: no effect comes twice, and what is unknown is said.
#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/json/json.hpp"
#include "acta/store/memory_store.hpp"
#include "acta/store/stored_history.hpp"
#include "support/catch.hpp"

namespace {

using Run = acta::StoredHistory<>;
using Kinds = std::vector<std::string>;

struct Died : std::runtime_error {
    Died() : std::runtime_error("died") {}
};

/// A store whose program dies at one of its appends: before it is stored, or after that.
class Mortal : public acta::MemoryStore {
public:
    acta::Appended append(std::string_view id, acta::Position at, std::span<const acta::NewRecord> records) override {
        if (is_dead || (dies_at == appends && !dies_after)) die();
        const acta::Appended done = MemoryStore::append(id, at, records);
        if (dies_at == appends++ && dies_after) die();
        return done;
    }
    void revive() {
        is_dead = false;
        dies_at = -1;
    }
    int appends = 0;
    int dies_at = -1;
    bool dies_after = false;

private:
    void die() {
        is_dead = true;
        throw Died();
    }
    bool is_dead = false;
};

/// The world outside, where calls have their effects.
struct World {
    std::mutex mutex{};
    std::map<int, int> counts{};                    // how often it was counted, by number
    std::map<std::string, std::set<int>> by_key{};  // what was counted once for each key

    acta::SkillRegistry skills() {
        acta::SkillRegistry out;
        out.add(
            "count", "Counts.",
            [this](int n) {
                const std::lock_guard lock(mutex);
                return ++counts[n];
            },
            "n");
        out.add(
            "count_once", "Counts once for each key.", {.uses_idempotency_key = true},
            [this](int n, acta::SkillContext& context) {
                const std::lock_guard lock(mutex);
                if (by_key[context.idempotency_key()].insert(n).second) ++counts[n];
                return n;
            },
            "n");
        out.add(
            "look", "Looks.", {.read_only = true},
            [this](int n) {
                const std::lock_guard lock(mutex);
                ++looks;
                return n;
            },
            "n");
        return out;
    }
    int looks = 0;
};

acta::ActionProposal<> calls(std::initializer_list<std::pair<const char*, int>> wanted) {
    acta::ActionProposal<> out{.thoughts = "Count."};
    std::vector<acta::AssistantFunctionCall> made;
    for (const auto& [name, n] : wanted) made.push_back({name, {{"n", n}}});
    acta::set_calls(out, made);
    return out;
}

Kinds kinds(acta::HistoryStore& store, const std::string& id) {
    Kinds out;
    store.read(id, {}, [&out](const acta::Record& record) {
        out.push_back(std::string(acta::to_string(record.kind)) + ' ' + record.call_id);
        return true;
    });
    return out;
}

std::string error_type(const acta::ActionResult& result) {
    const auto* const error = std::get_if<acta::ActionErrorResult>(&result);
    return error == nullptr || !error->error ? "" : error->error->exception_type;
}

/// A model that calls three tools in the first step and one in the second, by what it is shown.
acta::ChatCompletion plan(std::span<const acta::ChatMessage> messages, const acta::ChatOptions&) {
    acta::ChatCompletion out;
    int steps = 0;
    for (const acta::ChatMessage& one : messages) steps += one.tool_calls.empty() ? 0 : 1;
    if (steps == 0) {
        out.message.tool_calls = {
            {"a", {"count_once", {{"n", 1}}}}, {"b", {"look", {{"n", 2}}}}, {"c", {"count", {{"n", 3}}}}};
    } else if (steps == 1) {
        out.message.tool_calls = {{"a", {"count_once", {{"n", 4}}}}};
    } else {
        out.message.content = "Done.";
    }
    return out;
}

/// Runs an agent whose program dies at an append, and another one after it. Returns whether it came to that append.
bool run_with_death(int append, bool dies_after, std::size_t max_parallel) {
    Mortal store;
    World world;
    const acta::SkillRegistry skills = world.skills();
    acta::RunOptions options{.max_parallel = max_parallel, .parallel = acta::CallOverlap::all};
    options.approve = [](const acta::AssistantToolCall&) { return acta::Approval::yes(); };
    store.dies_at = append;
    store.dies_after = dies_after;
    bool died = false;
    try {
        Run run = Run::open_or_create(store, "task");
        run.register_message(acta::ChatMessage::user("Count."));
        static_cast<void>(acta::run_agent(plan, skills, run, options));
    } catch (const Died&) {
        died = true;
    }
    store.revive();
    Run run = Run::open_or_create(store, "task");
    if (run.messages().empty()) run.register_message(acta::ChatMessage::user("Count."));
    CHECK(acta::run_agent(plan, skills, run, options).answer == "Done.");
    CHECK(run.size() == 2);
    CHECK(world.counts[1] == 1);
    CHECK(world.counts[4] == 1);
    CHECK(world.looks >= 1);
    const acta::ActionResult third = run.at(0).tool_results.at(2).result;
    if (error_type(third) == "OutcomeUnknown")
        CHECK(world.counts[3] <= 1);
    else
        CHECK(world.counts[3] == 1);
    CHECK(Run::open_or_create(store, "task").snapshot() == run.snapshot());
    return died;
}

}  // namespace

TEST_CASE("an agent that dies at any append goes on, and no effect comes twice") {
    for (const bool dies_after : {false, true}) {
        for (const std::size_t max_parallel : {std::size_t{1}, std::size_t{3}}) {
            int appends = 0;
            while (run_with_death(appends, dies_after, max_parallel)) ++appends;
            const int apart = 1 + 1 + 3 * 3 + 1 + 3 + 1 + 1;  // messages, actions; decision, call and result; the end
            CHECK((max_parallel == 1 ? appends == apart : appends <= apart));  // results that come together are one
        }
    }
}

TEST_CASE("a call is in the store before it runs, and its result as soon as it is there") {
    acta::MemoryStore store;
    Run run = Run::open_or_create(store, "task");
    World world;
    acta::SkillRegistry skills = world.skills();
    std::vector<Kinds> seen;
    skills.add(
        "see", "Sees.",
        [&](int n) {
            seen.push_back(kinds(store, "task"));
            return n;
        },
        "n");
    run.register_action(calls({{"see", 1}, {"see", 2}}));
    const std::vector<acta::ToolResult> done = run.execute(skills, {.max_parallel = 1});
    CHECK(seen == std::vector<Kinds>{{"action ", "call call_0"},
                                     {"action ", "call call_0", "call_result call_0", "call call_1"}});
    REQUIRE(done.size() == 2);
    CHECK(done[1].tool_call_id == "call_1");
    CHECK(acta::to_string(done[1].result) == "2");
    CHECK(acta::to_string(*run.at(0).result) == "[1, 2]");
    CHECK(run.execute(skills).empty());
    CHECK(run.resume(skills).empty());
}

TEST_CASE("a call knows which one it is") {
    acta::MemoryStore store;
    Run run = Run::open_or_create(store, "task");
    acta::SkillRegistry skills;
    std::vector<acta::CallIdentity> seen;
    skills.add("see", "Sees.", [&](acta::SkillContext& context) {
        seen.push_back({context.tool_call_id(), context.step(), context.idempotency_key()});
    });
    for (int step = 0; step < 2; ++step) {
        acta::ActionProposal<> two{.thoughts = "See."};
        acta::set_calls(two, {{"see", {}}, {"see", {}}});
        run.register_action(two);
        run.execute(skills, {.max_parallel = 1});
    }
    CHECK(seen == std::vector<acta::CallIdentity>{{"call_0", 0, "task/1/0"},
                                                  {"call_1", 0, "task/1/1"},
                                                  {"call_0", 1, "task/6/0"},
                                                  {"call_1", 1, "task/6/1"}});
    seen.clear();
    acta::EpisodicActionHistory<> plain;
    plain.register_action({.thoughts = "See.", .use_tool = {"see", {}}});
    plain.register_results(acta::execute(plain[0].action, skills));
    CHECK(seen == std::vector<acta::CallIdentity>{{"call_0", 0, ""}});
}

TEST_CASE("an id that comes again after a rewind is another call") {
    acta::MemoryStore store;
    Run run = Run::open_or_create(store, "task");
    run.register_action(calls({{"count", 1}}));
    const std::string first = run.begin_call("call_0").idempotency_key;
    CHECK(run.begin_call("call_0").idempotency_key == first);
    run.rewind();
    run.register_action(calls({{"count", 1}}));
    CHECK(run.open_calls().at(0).begun == false);
    CHECK(run.begin_call("call_0").idempotency_key != first);
}

TEST_CASE("the results of a step that was taken back do not go into another one") {
    acta::MemoryStore store;
    Run run = Run::open_or_create(store, "task");
    acta::SkillRegistry skills;
    skills.add(
        "count", "Counts, and takes the step back.",
        [&run](int n) {
            run.rewind();
            run.register_action(calls({{"count", 2}}));
            return n;
        },
        "n");
    run.register_action(calls({{"count", 1}}));
    const std::uint64_t before = run.position().version;
    CHECK_THROWS_AS(run.execute(skills), acta::HistoryError);
    CHECK(run.size() == 1);
    CHECK(run.open_calls().at(0).begun == false);
    CHECK(run.position().version == before + 3);
}

TEST_CASE("a run that left does not give its results to the steps of the next one in a store") {
    acta::MemoryStore store;
    World world;
    const acta::SkillRegistry skills = world.skills();
    Run history = Run::open_or_create(store, "task");
    history.register_message(acta::ChatMessage::user("Count."));
    const auto calling = [](acta::AgentRun& run) {
        static_cast<void>(run.next());
        acta::ChatCompletion completion;
        completion.message.content = "count(n=1)";
        run.give(completion);
        return std::get<acta::RunCalls>(run.next()).calls.front();
    };
    acta::AgentRun left(skills, history, {.native_calls = false});
    const acta::PendingCall first = calling(left);
    static_cast<void>(left.begin(first.call.id));
    left.leave();
    acta::AgentRun run(skills, history, {.native_calls = false});
    const acta::PendingCall second = calling(run);
    CHECK(second.call.id != first.call.id);
    CHECK_THROWS_AS(left.give(first.call.id, acta::ActionSuccessResult{.outputs = "late"}), acta::Error);
    CHECK_THROWS_AS(history.register_result(first.call.id, acta::ActionSuccessResult{.outputs = "late"}), acta::Error);
    CHECK_THROWS_AS(history.set_arguments(first.call.id, {}), acta::Error);
    CHECK_THROWS_AS(history.decide(first.call.id, {}), acta::Error);
    CHECK_THROWS_AS(history.begin_call(first.call.id), acta::Error);
    CHECK_THROWS_AS(history.register_sub_run(first.call.id, acta::Json::object()), acta::Error);
    run.give(second.call.id, run.call(second));
    CHECK(acta::to_string(*history.at(1).result) == "1");
    CHECK(acta::read_history(store, "task") == *history.lock());
}

TEST_CASE("the runs of tools end when the store of the run around them fails") {
    Mortal store;
    Run history = Run::create(store, "task");
    history.register_message(acta::ChatMessage::user("Lead."));
    std::promise<void> is_asked;
    std::atomic<int> requests{0};
    const auto waiting = [&](std::span<const acta::ChatMessage>, const acta::ChatOptions& chat) {
        if (++requests == 1) is_asked.set_value();
        for (int i = 0; i < 20'000 && !chat.until.stop.stop_requested(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        acta::ChatCompletion out;
        out.message.tool_calls = {{"a", {"unknown", {}}}};
        return out;
    };
    acta::SkillRegistry skills;
    skills.add(acta::agent_tool("team", "Works.", waiting, {}));
    skills.add("last", "Its result is not stored.", [&] {
        is_asked.get_future().wait();
        store.dies_at = store.appends;
    });
    acta::ChatCompletion both;
    both.message.tool_calls = {{"a", {"team", {{"task", "Go."}}}}, {"b", {"last", {}}}};
    acta::ScriptedChatModel lead;
    lead.reply(both).reply("Done.");
    const acta::RunOptions options{.parallel = acta::CallOverlap::all};
    CHECK_THROWS_AS(acta::run_agent(lead, skills, history, options), Died);
    CHECK(requests == 1);
}

TEST_CASE("what had begun is not executed but resumed") {
    acta::MemoryStore store;
    World world;
    const acta::SkillRegistry skills = world.skills();
    Run::open_or_create(store, "task")
        .register_action(calls({{"count", 1}, {"count_once", 2}, {"look", 3}, {"count", 4}, {"count", 5}}));
    {
        Run dies = Run::open_or_create(store, "task");
        for (const char* id : {"call_0", "call_1", "call_2", "call_4"}) static_cast<void>(dies.begin_call(id));
    }
    Run run = Run::open_or_create(store, "task");
    const std::uint64_t before = run.position().version;
    try {
        run.execute(skills);
        FAIL("it was executed");
    } catch (const acta::HistoryError& error) {
        CHECK(error.code() == acta::HistoryErrorCode::call_begun);
        CHECK(std::string(error.what()) == "The call 'call_0' has begun before: resume decides about it");
    }
    CHECK(run.position().version == before);
    std::vector<std::string> asked;
    const auto done = run.resume(skills, [&](const acta::AssistantToolCall& call) {
        asked.push_back(call.id);
        return call.id == "call_4";
    });
    CHECK(asked == std::vector<std::string>{"call_0", "call_4"});
    CHECK(error_type(done.at(0).result) == "OutcomeUnknown");
    CHECK(world.counts == std::map<int, int>{{2, 1}, {4, 1}, {5, 1}});
    CHECK(world.by_key.count("task/1/1") == 1);
    CHECK(world.looks == 1);
    CHECK(run.open_calls().empty());
}

TEST_CASE("the calls of an answer that was cut off or refused are closed without running") {
    for (const std::string reason : {"length", "content_filter", "max_tokens", "error", "pause_turn", "stop", ""}) {
        CAPTURE(reason);
        const bool runs = reason == "pause_turn" || reason == "stop" || reason.empty();
        acta::MemoryStore store;
        World world;
        const acta::SkillRegistry skills = world.skills();
        for (const bool resumes : {false, true}) {
            auto run = Run::create(store, resumes ? "resumed" : "executed");
            acta::ActionProposal<> proposal{.thoughts = "Count."};
            acta::set_calls(proposal, {{"count", {{"n", 1}}}, {"look", {}}});
            run.register_action(proposal, acta::StepMetrics{.finish_reason = reason});
            const auto results = resumes ? run.resume(skills) : run.execute(skills);
            REQUIRE(results.size() == 2);
            REQUIRE(run.at(0).result);
            const auto* const error = std::get_if<acta::ActionErrorResult>(&results[0].result);
            REQUIRE((error == nullptr) == runs);
            if (runs) continue;
            CHECK(error->error->exception_type == "NotRun");
            CHECK(error->reason == "The call did not run: the answer with it was cut off or refused (" + reason + ").");
            CHECK(acta::status(results[1].result) == acta::ResultStatus::error);
        }
        CHECK(world.counts[1] == (runs ? 2 : 0));
    }
}

TEST_CASE("a fork resumes a call with the key with which it began") {
    acta::MemoryStore store;
    World world;
    const acta::SkillRegistry skills = world.skills();
    Run run = Run::open_or_create(store, "task");
    run.register_action(calls({{"count_once", 1}, {"count_once", 2}}));
    static_cast<void>(run.begin_call("call_0"));
    run.fork("other");
    run.resume(skills);
    Run other = Run::open_or_create(store, "other");
    other.resume(skills);
    CHECK(world.counts == std::map<int, int>{{1, 1}, {2, 2}});  // the second call is one of each of them
    CHECK(world.by_key.count("other/1/1") == 1);
}

TEST_CASE("what was approved or refused is not asked again, unless the arguments changed") {
    acta::MemoryStore store;
    World world;
    const acta::SkillRegistry skills = world.skills();
    Run::open_or_create(store, "task").register_message(acta::ChatMessage::user("Count."));
    {
        Run run = Run::open_or_create(store, "task");
        run.register_action(calls({{"count", 1}, {"count", 2}, {"count", 3}}));
        run.decide("call_0", {.by = "anna"});
        run.decide("call_1", {.approved = false, .by = "anna", .feedback = "Not that one."});
        run.decide("call_2", {.by = "anna"});
        run.set_arguments("call_2", {{"n", 30}});
        CHECK_THROWS_AS(run.decide("call_7", {}), acta::HistoryError);
    }
    const std::vector<acta::OpenCall> open = Run::open_or_create(store, "task").open_calls();
    CHECK(open.at(0).decision == acta::CallDecision{.by = "anna"});
    CHECK(open.at(1).decision == acta::CallDecision{false, "anna", "Not that one."});
    CHECK_FALSE(open.at(2).decision);
    Run run = Run::open_or_create(store, "task");
    std::vector<std::string> asked;
    acta::RunOptions options;
    options.approve = [&asked](const acta::AssistantToolCall& call) {
        asked.push_back(call.id);
        return acta::Approval{.arguments = acta::JsonObject{{"n", 31}}, .by = "bert"};
    };
    const auto answer = [](std::span<const acta::ChatMessage>, const acta::ChatOptions&) {
        acta::ChatCompletion out;
        out.message.content = "Done.";
        return out;
    };
    CHECK(acta::run_agent(answer, skills, run, options).answer == "Done.");
    CHECK(asked == std::vector<std::string>{"call_2"});
    CHECK(world.counts == std::map<int, int>{{1, 1}, {31, 1}});
    CHECK(std::get<acta::ActionInterruptedByHuman>(run.at(0).tool_results.at(1).result).feedback == "Not that one.");
    std::vector<std::string> decisions;
    store.read("task", {}, [&](const acta::Record& record) {
        if (record.kind == acta::RecordKind::decision) decisions.push_back(record.call_id + ' ' + record.body);
        return true;
    });
    REQUIRE(decisions.size() == 6);
    CHECK_THAT(decisions[0], contains_text(R"("approved":true,"by":"anna","digest":")"));
    CHECK_THAT(decisions[1], contains_text(R"("approved":false,"by":"anna","feedback":"Not that one.","digest":")"));
    CHECK(decisions[4] == R"(call_2 {"arguments":{"n":31}})");
    CHECK_THAT(decisions[5], contains_text(R"("by":"bert")"));
}

TEST_CASE("a call that was refused does not run when its step is executed or resumed") {
    for (const bool resumes : {false, true}) {
        acta::MemoryStore store;
        World world;
        const acta::SkillRegistry skills = world.skills();
        Run run = Run::create(store, "task");
        run.register_action(calls({{"count", 1}, {"count", 2}}));
        run.decide("call_0", {.by = "anna"});
        run.decide("call_1", {.approved = false, .by = "anna", .feedback = "Not that one."});
        const auto results = resumes ? run.resume(skills) : run.execute(skills);
        REQUIRE(results.size() == 2);
        CHECK(world.counts == std::map<int, int>{{1, 1}});
        CHECK(std::get<acta::ActionInterruptedByHuman>(results[1].result).feedback == "Not that one.");
    }
}

TEST_CASE("a decision about other arguments than the call has does not count") {
    acta::MemoryStore store;
    Run::open_or_create(store, "task").register_action(calls({{"count", 1}}));
    const std::vector<acta::NewRecord> forged = {
        {acta::RecordKind::decision, "call_0", R"({"approved": true, "digest": "0123456789abcdef"})"}};
    store.append("task", {1, 0}, forged);
    CHECK_FALSE(Run::open_or_create(store, "task").open_calls().at(0).decision);
}

TEST_CASE("records of calls that are not open cannot be read") {
    acta::MemoryStore store;
    const auto fault = [&store](const std::string& id, acta::RecordKind kind, const char* body) {
        Run::open_or_create(store, id).register_action(calls({{"count", 1}}));
        const std::vector<acta::NewRecord> bad = {{kind, "call_3", body}};
        store.append(id, {1, 0}, bad);
        try {
            static_cast<void>(Run::open_or_create(store, id));
        } catch (const acta::StoreCorrupt& error) {
            return std::string(error.what());
        }
        return std::string("nothing was thrown");
    };
    CHECK_THAT(fault("a", acta::RecordKind::call, R"({"idempotency_key": "k"})"),
               contains_text("history 'a', record 2 (call): "));
    CHECK_THAT(fault("b", acta::RecordKind::decision, R"({"approved": true})"),
               contains_text("history 'b', record 2 (decision): "));
}

TEST_CASE("no snapshot is made while a step is open") {
    acta::MemoryStore store;
    Run run = Run::open_or_create(store, "task");
    for (int i = 0; i < 1000; ++i) {
        run.rewind(1);
        run.register_action({.thoughts = std::string(900, 't'), .use_tool = {"count", {{"n", i}}}});
        static_cast<void>(run.begin_call("call_0"));
        run.register_result("call_0", acta::ActionSuccessResult{.outputs = i});
    }
    const std::uint64_t snapshot = store.find("task")->snapshot;
    REQUIRE(snapshot > 0);
    std::string before;
    store.read("task", {snapshot - 1, snapshot - 1}, [&before](const acta::Record& record) {
        before = acta::to_string(record.kind);
        return true;
    });
    CHECK((before == "call_result" || before == "rewind"));
    run.register_action(calls({{"count", 1}}));
    static_cast<void>(run.begin_call("call_0"));
    CHECK(Run::open_or_create(store, "task").open_calls() == run.open_calls());
    CHECK(run.open_calls().at(0).begun == true);
}

TEST_CASE("an error of the store ends the step, and no further call runs") {
    Mortal store;
    World world;
    const acta::SkillRegistry skills = world.skills();
    Run run = Run::open_or_create(store, "task");
    run.register_action(calls({{"count", 1}, {"count", 2}, {"count", 3}}));
    store.dies_at = 3;  // the second call begins
    CHECK_THROWS_AS(run.execute(skills, {.max_parallel = 1}), Died);
    CHECK(world.counts == std::map<int, int>{{1, 1}});
    store.revive();
    run.resume(skills);
    CHECK(world.counts == std::map<int, int>{{1, 1}, {2, 1}, {3, 1}});
}

TEST_CASE("what comes late for a call of one step does not go into another one that has a call of its id") {
    acta::MemoryStore store;
    auto run = acta::StoredHistory<>::create(store, "task");
    const auto records = [&store] {
        std::string out;
        store.read("task", {1}, [&out](const acta::Record& one) {
            out += std::string(to_string(one.kind)) + one.call_id + one.body;
            return true;
        });
        return out;
    };
    run.register_action({.thoughts = "One.", .use_tool = {"look", {}}});
    const acta::CallIdentity one = run.begin_call(acta::CallIdentity{"call_0", 0, {}});
    run.decide(one, {.approved = true});
    run.set_arguments(one, {{"at", 1}});
    run.register_sub_run(one, acta::Json::object());
    run.register_result(one, acta::ActionSuccessResult{.outputs = 1});
    run.register_action({.thoughts = "Two.", .use_tool = {"look", {}}});
    const auto refused = [&](const acta::CallIdentity& late) {
        const std::string before = records();
        const auto history = run.snapshot();
        CHECK_THROWS_AS(run.decide(late, {.approved = true}), acta::HistoryError);
        CHECK_THROWS_AS(run.set_arguments(late, {{"at", 2}}), acta::HistoryError);
        CHECK_THROWS_AS(run.register_sub_run(late, acta::Json::object()), acta::HistoryError);
        CHECK_THROWS_AS(run.begin_call(late), acta::HistoryError);
        CHECK_THROWS_AS(run.register_result(late, acta::ActionSuccessResult{.outputs = 2}), acta::HistoryError);
        CHECK(records() == before);
        CHECK(run.snapshot() == history);
    };
    refused(one);
    // The step is taken back, and another one has its place.
    const acta::CallIdentity two = run.begin_call("call_0");
    run.rewind();
    run.register_action({.thoughts = "Other.", .use_tool = {"look", {}}});
    refused(two);
    CHECK(run.open_calls().size() == 1);
    run.register_result(run.begin_call("call_0"), acta::ActionSuccessResult{.outputs = 3});
    CHECK(acta::to_string(*run.at(1).result) == "3");
    CHECK(acta::read_history(store, "task") == run.snapshot());
}
