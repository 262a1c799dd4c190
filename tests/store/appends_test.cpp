// SPDX-License-Identifier: MIT
// How many appends a step of a run takes, since a database waits for the disk in each of them, and what lasts when.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/compress/compress.hpp"
#include "acta/store/memory_store.hpp"
#include "acta/store/stored_history.hpp"
#include "support/catch.hpp"

namespace {

using Run = acta::StoredHistory<>;
using Appends = std::vector<std::string>;
using History = acta::EpisodicActionHistory<>;

/// Notes the kinds of the records of each append: `action+call`.
class Counting : public acta::MemoryStore {
public:
    acta::Appended append(std::string_view id, acta::Position at, std::span<const acta::NewRecord> records) override {
        std::string kinds;
        for (const acta::NewRecord& one : records) {
            if (!kinds.empty()) kinds += '+';
            kinds += acta::to_string(one.kind);
        }
        if (on_append) on_append(kinds);
        const acta::Appended done = MemoryStore::append(id, at, records);
        if (after_append) after_append(kinds);
        appends.push_back(kinds);
        return done;
    }
    [[nodiscard]] std::map<std::string, int> counts() const {
        std::map<std::string, int> out;
        for (const std::string& one : appends) ++out[one];
        return out;
    }
    Appends appends{};  // under the lock of the only history
    std::function<void(const std::string& kinds)> on_append{};
    std::function<void(const std::string& kinds)> after_append{};
};

/// Gives the calls of a tool with these hints, which returns its argument after `on_call`.
acta::SkillRegistry working(const acta::SkillHints& hints = {}, std::function<void(int)> on_call = {}) {
    acta::SkillRegistry out;
    out.add(
        "work", "Works.", hints,
        [on_call = std::move(on_call)](int n) {
            if (on_call) on_call(n);
            return n;
        },
        "n");
    return out;
}

acta::ChatCompletion calling(std::size_t step, std::size_t calls) {
    acta::ChatCompletion out;
    out.message.content = "Step " + std::to_string(step) + ".";
    out.message.tool_calls.emplace();
    for (std::size_t i = 0; i < calls; ++i)
        out.message.tool_calls->push_back({"id_" + std::to_string(i), {"work", {{"n", step * 100 + i}}}});
    return out;
}

/// A model that makes `calls` calls of the tool in each of `steps` steps.
auto planning(std::size_t steps, std::size_t calls) {
    return [=, step = std::size_t{0}](std::span<const acta::ChatMessage>, const acta::ChatOptions&) mutable {
        if (step < steps) return calling(step++, calls);
        acta::ChatCompletion out;
        out.message.content = "Done.";
        return out;
    };
}

Run told_to_work(acta::HistoryStore& store) {
    Run::create(store, "task").register_message(acta::ChatMessage::user("Work."));
    return Run::open(store, "task");
}

std::string beginning(const std::string& kind, std::size_t count) {
    std::string out = "action";
    for (std::size_t i = 0; i < count; ++i) out += '+' + kind;
    return out;
}

std::vector<acta::Record> records(acta::HistoryStore& store) {
    std::vector<acta::Record> out;
    store.read("task", {}, [&out](const acta::Record& record) {
        out.push_back(record);
        return true;
    });
    return out;
}

}  // namespace

TEST_CASE("a step of a run takes two appends, and summaries one for many steps") {
    Counting store;
    Run run = told_to_work(store);
    CHECK(acta::run_agent(planning(80, 1), working(), run).answer == "Done.");
    const std::string summaries = beginning("summary", 16).substr(std::string("action+").size());
    CHECK(store.counts() == std::map<std::string, int>{
                                {"message", 2}, {"action+call", 80}, {"call_result", 80}, {summaries, 4}, {"run", 1}});
    CHECK(acta::read_history(store, "task") == run.snapshot());
    // The records are those that a run by hand makes one by one.
    acta::MemoryStore other;
    Run by_hand = told_to_work(other);
    acta::AgentRun driven(working(), by_hand);
    auto model = planning(80, 1);
    while (!std::holds_alternative<acta::RunResult>(driven.next())) {
        if (const auto* const request = std::get_if<acta::AskModel>(&driven.next())) {
            driven.give(model(request->messages, request->options));
        } else {
            const acta::PendingCall one = std::get<acta::RunCalls>(driven.next()).calls.front();
            driven.give(one.call.id, driven.call(one));
        }
    }
    const auto all = records(store);
    const auto expected = records(other);
    REQUIRE(all.size() == expected.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(all[i].kind == expected[i].kind);
        CHECK(all[i].call_id == expected[i].call_id);
        if (all[i].kind == acta::RecordKind::call) CHECK(all[i].body == expected[i].body);
    }
}

TEST_CASE("a step of many calls that return at once takes few appends") {
    Counting store;
    Run run = told_to_work(store);
    CHECK(acta::run_agent(planning(1, 64), working({.read_only = true}), run).answer == "Done.");
    CHECK(store.counts()[beginning("call", 64)] == 1);
    CHECK(acta::read_history(store, "task") == run.snapshot());
}

TEST_CASE("results that come while the store is busy are one append") {
    Counting store;
    Run run = told_to_work(store);
    std::mutex mutex;
    std::condition_variable changed;
    int returned = 0;
    const acta::SkillRegistry skills = working({.read_only = true}, [&](int) {
        const std::lock_guard lock(mutex);
        ++returned;
        changed.notify_all();
    });
    store.on_append = [&](const std::string& kinds) {  // a slow disk
        if (!kinds.starts_with("call_result")) return;
        std::unique_lock lock(mutex);
        CHECK(changed.wait_for(lock, std::chrono::seconds(20), [&] { return returned == 64; }));
    };
    CHECK(acta::run_agent(planning(1, 64), skills, run).answer == "Done.");
    CHECK(store.appends.size() <= 2 + 1 + 3 + 1);
    CHECK(acta::read_history(store, "task") == run.snapshot());
}

TEST_CASE("what is reported is in the store, and a call before it runs") {
    Counting store;
    Run run = told_to_work(store);
    const auto has = [&store](acta::RecordKind kind, const std::string& id) {
        return std::ranges::any_of(records(store),
                                   [&](const acta::Record& one) { return one.kind == kind && one.call_id == id; });
    };
    std::atomic<int> missing{0};
    for (const bool is_watched : {false, true}) {
        acta::RunOptions options;
        if (is_watched) {
            options.on_event = acta::on(
                [&](const acta::CallCompleted& one) {
                    if (!has(acta::RecordKind::call_result, one.call.id)) ++missing;
                },
                [&](const acta::HistoryChanged&) {
                    if (acta::read_history(store, "task").size() != run.size()) ++missing;
                });
        }
        acta::SkillRegistry skills;
        for (const bool is_read_only : {false, true}) {
            skills.add(
                is_read_only ? "look" : "work", "Works.", {.read_only = is_read_only},
                [&](int n, acta::SkillContext& context) {
                    if (!has(acta::RecordKind::call, context.tool_call_id())) ++missing;
                    return n;
                },
                "n");
        }
        acta::ChatCompletion mixed = calling(1, 8);
        for (std::size_t i = 0; i < 8; ++i) {
            acta::AssistantToolCall& one = mixed.message.tool_calls->at(i);
            one.id = std::string(is_watched ? "w" : "u") + std::to_string(i);
            if (i < 4 || i == 6) one.function.name = "look";
        }
        acta::ScriptedChatModel model;
        model.reply(mixed).reply("Done.");
        CHECK(acta::run_agent(model, skills, run, options).answer == "Done.");
        run.register_message(acta::ChatMessage::user("Again."));
    }
    CHECK(missing == 0);
}

TEST_CASE("a question about a call is asked when its step is in the store") {
    Counting store;
    Run run = told_to_work(store);
    acta::RunOptions options;
    options.approve = [&](const acta::AssistantToolCall&) {
        CHECK(acta::read_history(store, "task").size() == 1);
        return acta::Approval::yes();
    };
    CHECK(acta::run_agent(planning(1, 1), working(), run, options).answer == "Done.");
    CHECK(store.appends == Appends{"message", "action", "decision", "call", "call_result", "message", "run"});
}

TEST_CASE("a call that may be kept from running begins on its own") {
    // By a function that gets the events, by a limit, or since the program runs it.
    for (const int way : {0, 1, 2}) {
        Counting store;
        Run run = told_to_work(store);
        acta::RunOptions options;
        acta::stop_source stop;
        options.until.stop = stop.get_token();
        if (way == 0) options.on_event = acta::on([&](const acta::CallStarted&) { stop.request_stop(); });
        if (way == 1) options.limits.tools["work"].max_calls = 0;
        if (way == 2) {
            acta::AgentRun by_hand(working(), run, options);
            by_hand.next();
            by_hand.give(calling(1, 1));
            by_hand.leave();
        } else {
            static_cast<void>(acta::run_agent(planning(1, 1), working(), run, options));
        }
        REQUIRE(store.appends.size() > 1);
        CHECK(store.appends[1] == "action");
    }
}

TEST_CASE("a step that the store refuses has not happened, nor have its calls begun") {
    for (const bool is_stored : {false, true}) {
        Counting store;
        Run run = told_to_work(store);
        const History before = run.snapshot();
        int calls = 0;
        const acta::SkillRegistry skills = working({}, [&](int) { ++calls; });
        const auto fail = [](const std::string& kinds) {
            if (kinds == "action+call") throw acta::StoreError("no space");
        };
        (is_stored ? store.after_append : store.on_append) = fail;
        CHECK_THROWS_AS(acta::run_agent(planning(1, 1), skills, run), acta::StoreError);
        CHECK(run.snapshot() == before);
        CHECK(calls == 0);
        CHECK(run.open_calls().empty());
        store.on_append = store.after_append = {};
        if (is_stored) {  // the answer was lost: the store has the step, with a call that had begun
            CHECK(run.refresh() == 2);
            CHECK(run.open_calls().at(0).begun == true);
        }
        CHECK(acta::run_agent(planning(is_stored ? 0 : 1, 1), skills, run).answer == "Done.");
        CHECK(calls == (is_stored ? 0 : 1));  // its outcome is unknown
        CHECK(acta::read_history(store, "task") == run.snapshot());
    }
}

TEST_CASE("a step and its calls that begin are stored together, or not at all") {
    acta::MemoryStore store;
    Run run = told_to_work(store);
    acta::ActionProposal<> two{.thoughts = "Work."};
    acta::set_calls(two, {{"work", {{"n", 1}}}, {"work", {{"n", 2}}}, {"work", {{"n", 3}}}});
    const auto refused = [&](std::vector<acta::HistoryChange<>> changes) {
        const History before = run.snapshot();
        CHECK_THROWS_AS(run.apply_together(std::move(changes)), acta::Error);
        CHECK(run.snapshot() == before);
        CHECK(run.position().version == 1);
    };
    const acta::ActionRegistered<acta::ActionProposal<>> action{two};
    refused({action, acta::CallBegun{"call_7", {}}});
    refused({action, acta::CallBegun{"call_1", {}}, acta::CallBegun{"call_0", {}}});
    refused({action, acta::FeedbackAdded{"x"}});
    refused({acta::FeedbackAdded{"x"}});
    CHECK_THROWS_AS(run.apply_together({acta::SummarySet{0, "x"}}), std::out_of_range);
    run.apply_together({});
    run.apply_together({action, acta::CallBegun{"call_0", {}}, acta::CallBegun{"call_2", {}}});
    const std::vector<acta::OpenCall> open = run.open_calls();
    CHECK(open.at(0).begun == true);
    CHECK(open.at(0).idempotency_key == "task/2/0");
    CHECK(open.at(1).begun == false);
    CHECK(open.at(2).idempotency_key == "task/2/2");
    CHECK(run.begin_call("call_1").idempotency_key == "task/2/1");
    CHECK(Run::open(store, "task").open_calls() == run.open_calls());
    CHECK_THROWS_AS(run.apply_together({action}), acta::HistoryError);
}

TEST_CASE("results that threads give at the same time have outcomes of their own") {
    Counting store;
    Run run = told_to_work(store);
    acta::AgentRun by_hand(working(), run, {.parallel = acta::CallOverlap::all});
    by_hand.next();
    by_hand.give(calling(1, 12));
    const std::vector<acta::PendingCall> calls = std::get<acta::RunCalls>(by_hand.next()).calls;
    for (const acta::PendingCall& one : calls) static_cast<void>(by_hand.begin(one.call.id));
    run.register_result(calls[5].call.id, acta::ActionSuccessResult{.outputs = "of another"});
    // The first waits in the store until the others are there.
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t begun = 0;
    store.on_append = [&](const std::string&) {
        std::unique_lock lock(mutex);
        changed.wait_for(lock, std::chrono::seconds(20), [&] { return begun == calls.size() + 1; });
    };
    std::atomic<int> refused{0};
    std::atomic<int> not_stored{0};
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i <= calls.size(); ++i) {
        threads.emplace_back([&, i] {
            {
                const std::lock_guard lock(mutex);
                ++begun;
                changed.notify_all();
            }
            const std::string& id = i == calls.size() ? "no such call" : calls[i].call.id;
            try {
                by_hand.give(id, acta::ActionSuccessResult{.outputs = i});
                const auto all = records(store);
                if (std::ranges::none_of(all, [&](const acta::Record& one) {
                        return one.call_id == id && one.kind == acta::RecordKind::call_result;
                    }))
                    ++not_stored;
            } catch (const acta::Error&) {
                ++refused;
            }
        });
    }
    for (std::thread& one : threads) one.join();
    CHECK(refused == 2);
    CHECK(not_stored == 0);
    CHECK(std::holds_alternative<acta::AskModel>(by_hand.next()));
    CHECK(acta::to_string(*run.at(0).result) == "[0, 1, 2, 3, 4, 'of another', 6, 7, 8, 9, 10, 11]");
    CHECK(acta::read_history(store, "task") == run.snapshot());
}

TEST_CASE("results that the store refuses together are not in the history either") {
    for (const bool is_stored : {false, true}) {
        Counting store;
        Run run = told_to_work(store);
        (is_stored ? store.after_append : store.on_append) = [](const std::string& kinds) {
            if (kinds.starts_with("call_result")) throw acta::StoreError("no space");
        };
        const acta::SkillRegistry skills = working({.read_only = true});
        CHECK_THROWS_AS(acta::run_agent(planning(1, 16), skills, run), acta::StoreError);
        CHECK(run.at(0).tool_results.empty());
        store.on_append = store.after_append = {};
        if (is_stored) CHECK(run.refresh() > 0);
        CHECK(acta::run_agent(planning(0, 0), skills, run).answer == "Done.");
        CHECK(run.at(0).tool_results.size() == 16);
        CHECK(acta::read_history(store, "task") == run.snapshot());
    }
}

TEST_CASE("summaries are stored together, unless they cost something") {
    for (const bool costs : {false, true}) {
        Counting store;
        Run run = told_to_work(store);
        for (int i = 0; i < 8; ++i) {
            run.register_action({.thoughts = "Work.", .use_tool = {"work", {{"n", i}}}});
            run.register_result(acta::ActionSuccessResult{.outputs = i});
        }
        store.appends.clear();
        const acta::CompressionOptions options{.keep_recent = 2, .max_parallel = 1};
        const auto summarizer = [costs](std::string_view, const acta::SummaryRequest& request) {
            if (costs) request.on_completion({});
            return std::string("It worked.");
        };
        CHECK(acta::handle_compression(run, summarizer, options).summarised.size() == 6);
        CHECK(store.appends.size() == (costs ? 6 : 1));
        CHECK(acta::read_history(store, "task") == run.snapshot());
    }
}

TEST_CASE("summaries that the store refuses are made again") {
    Counting store;
    Run run = told_to_work(store);
    for (int i = 0; i < 8; ++i) {
        run.register_action({.thoughts = "Work.", .use_tool = {"work", {{"n", i}}}});
        run.register_result(acta::ActionSuccessResult{.outputs = i});
    }
    const History before = run.snapshot();
    store.on_append = [](const std::string&) { throw acta::StoreError("no space"); };
    CHECK_THROWS_AS(acta::handle_compression(run, acta::ExtractiveSummarizer(), {.keep_recent = 2}), acta::StoreError);
    CHECK(run.snapshot() == before);
    store.on_append = {};
    CHECK(acta::handle_compression(run, acta::ExtractiveSummarizer(), {.keep_recent = 2}).summarised.size() == 6);
    CHECK(acta::read_history(store, "task") == run.snapshot());
}

TEST_CASE("a stored history executes calls that return at once with few appends") {
    Counting store;
    Run run = told_to_work(store);
    acta::ActionProposal<> proposal{.thoughts = "Work."};
    std::vector<acta::AssistantFunctionCall> calls;
    for (int i = 0; i < 64; ++i) calls.push_back({"work", {{"n", i}}});
    acta::set_calls(proposal, calls);
    run.register_action(proposal);
    std::mutex mutex;
    std::condition_variable changed;
    int returned = 0;
    const acta::SkillRegistry skills = working({.read_only = true}, [&](int n) {
        std::unique_lock lock(mutex);
        ++returned;
        changed.notify_all();
        if (n != 7) return;
        // The result of the last call that returns is given by another thread.
        changed.wait_for(lock, std::chrono::seconds(20), [&] { return returned == 64; });
        lock.unlock();
        run.register_result("call_7", acta::ActionSuccessResult{.outputs = "of another"});
    });
    CHECK_THROWS_AS(run.execute(skills), acta::HistoryError);
    CHECK(run.open_calls().empty());
    CHECK(acta::to_string(run.at(0).tool_results.at(7).result) == "of another");
    CHECK(acta::read_history(store, "task") == run.snapshot());

    store.appends.clear();
    run.register_action(proposal);
    CHECK(run.execute(working({.read_only = true})).size() == 64);
    CHECK(store.appends.at(1).starts_with("call+call+"));
    CHECK(store.counts()["call"] == 0);
    CHECK(acta::read_history(store, "task") == run.snapshot());

    store.appends.clear();
    calls.resize(2);
    acta::set_calls(proposal, calls);
    run.register_action(proposal);
    CHECK(run.execute(working({.read_only = true})).size() == 2);
    CHECK(store.appends.at(1) == "call+call");

    store.appends.clear();
    run.register_action(proposal);
    CHECK(run.execute(working(), {.parallel = acta::CallOverlap::all}).size() == 2);  // which may not run again
    CHECK(store.counts()["call"] == 2);
    CHECK(store.counts()["call+call"] + store.counts()[""] == 0);
}

TEST_CASE("calls that run at the same time begin together, whatever their skills are") {
    Counting store;
    Run run = told_to_work(store);
    const acta::RunOptions options{.parallel = acta::CallOverlap::all};
    CHECK(acta::run_agent(planning(1, 8), working(), run, options).answer == "Done.");
    CHECK(store.counts()[beginning("call", 8)] == 1);
    Counting other;
    Run more = told_to_work(other);
    CHECK(acta::run_agent(planning(1, 12), working(), more, options).answer == "Done.");
    CHECK(other.counts()[beginning("call", 8)] == 1);  // the others are queued, and have not begun
    CHECK(other.counts()["call"] == 4);
}
