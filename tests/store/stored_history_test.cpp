// SPDX-License-Identifier: MIT
#include "acta/store/stored_history.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "acta/store/json.hpp"
#include "acta/store/memory_store.hpp"
#include "support/catch.hpp"

namespace {

using Stored = acta::StoredHistory<>;
using History = acta::EpisodicActionHistory<>;
using Kind = acta::RecordKind;

std::vector<acta::Record> records(acta::HistoryStore& store, const std::string& id) {
    std::vector<acta::Record> out;
    store.read(id, {}, [&out](const acta::Record& record) {
        out.push_back(record);
        return true;
    });
    return out;
}
std::string kinds(acta::HistoryStore& store, const std::string& id) {
    std::string out;
    for (const acta::Record& record : records(store, id)) {
        if (!out.empty()) out += ' ';
        out += acta::to_string(record.kind);
    }
    return out;
}

/// A store that fails when it is told to: before it has stored, or afterwards.
class Unreliable : public acta::MemoryStore {
public:
    acta::Appended append(std::string_view id, acta::Position at, std::span<const acta::NewRecord> records) override {
        if (fail_before) throw acta::StoreError("history 'x': no space");
        const acta::Appended done = MemoryStore::append(id, at, records);
        if (fail_after) throw acta::StoreError("history 'x': the connection was lost");
        return done;
    }
    bool fail_before = false;
    bool fail_after = false;
};

/// A store that does not check that it gives each record.
class Incomplete : public acta::MemoryStore {
public:
    void read(std::string_view id, acta::RecordRange range,
              const std::function<bool(const acta::Record&)>& each) override {
        MemoryStore::read(id, range, [&](const acta::Record& record) { return record.seq == missing || each(record); });
    }
    std::uint64_t missing = 0;
};

std::string fault(acta::HistoryStore& store, const std::string& id) {
    try {
        static_cast<void>(Stored::open_or_create(store, id));
        return "nothing was thrown";
    } catch (const acta::StoreError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("a stored history goes on where it was") {
    acta::MemoryStore store;
    {
        Stored run = Stored::open_or_create(store, "task", {.labels = {{"team", "tides"}}});
        run.register_message(acta::ChatMessage::user("When?"));
        run.register_action({.thoughts = "Look.", .use_tool = {"look", {}}}, acta::StepMetrics::start());
        run.register_result(acta::ActionSuccessResult{.outputs = 3});
        run.append_user_feedback("faster");
        CHECK(run.position() == acta::Position{4, 0});
    }
    Stored run = Stored::open_or_create(store, "task");
    CHECK(run.position() == acta::Position{4, 0});
    CHECK(run.id() == "task");
    CHECK(run.size() == 1);
    CHECK(run.at(0).metrics->finished_at.has_value());
    CHECK(acta::totals(*run.lock()).steps == 1);
    CHECK(run.take_pending_feedback() == std::vector<std::string>{"faster"});
    CHECK(kinds(store, "task") == "message action result feedback feedback_taken");
    CHECK(store.find("task")->labels == acta::JsonObject{{"team", "tides"}});
    CHECK(store.find("task")->type == "ActionProposal");
}

TEST_CASE("a change that failed is not taken for one like it of another call") {
    Unreliable store;
    Stored run = Stored::open_or_create(store, "task");
    acta::ActionProposal<> both{.thoughts = "Look.", .use_tool = {"look", {}}};
    both.use_tools = {both.use_tool, both.use_tool};
    run.register_action(both);
    store.fail_before = true;
    CHECK_THROWS_AS(run.decide("call_0", {}), acta::StoreError);
    store.fail_before = false;
    run.decide("call_1", {});
    std::string decided;
    store.read("task", {}, [&](const acta::Record& record) {
        if (record.kind == acta::RecordKind::decision) decided += record.call_id;
        return true;
    });
    CHECK(decided == "call_1");
}

TEST_CASE("a lost answer to a result with its time is a conflict, after which the result is there once") {
    Unreliable store;
    Stored run = Stored::open_or_create(store, "task");
    run.register_action({.thoughts = "Look.", .use_tool = {"look", {}}},
                        acta::StepMetrics{.started_at = acta::Timestamp::now()});
    const acta::ActionSuccessResult result{.outputs = 1};
    store.fail_after = true;
    CHECK_THROWS_AS(run.register_result(result), acta::StoreError);
    CHECK_FALSE(run.at(0).result);
    store.fail_after = false;
    // The time when it finished is another one from the next microsecond on.
    for (const auto lost = acta::Timestamp::now(); acta::Timestamp::now() == lost;) std::this_thread::yield();
    CHECK_THROWS_AS(run.register_result(result), acta::StoreConflict);
    CHECK(run.refresh() == 1);
    CHECK(run.at(0).result == acta::ActionResult(result));
    CHECK(kinds(store, "task") == "action result");
}

TEST_CASE("two objects that are at the same place never pass for one") {
    acta::MemoryStore store;
    Stored one = Stored::open_or_create(store, "task");
    Stored two = Stored::open_or_create(store, "task");
    one.register_message(acta::ChatMessage::user("Go."));
    CHECK_THROWS_AS(two.register_message(acta::ChatMessage::user("Go.")), acta::StoreConflict);
    two.refresh();
    one.register_action({.thoughts = "why", .use_tool = {"count", {}}});
    CHECK_THROWS_AS(two.register_action({.thoughts = "why", .use_tool = {"count", {}}}), acta::StoreConflict);
    two.refresh();
    acta::SkillRegistry skills;
    int counted = 0;
    skills.add("count", "Counts.", [&counted] { return ++counted; });
    one.execute(skills);
    CHECK_THROWS_AS(two.execute(skills), acta::StoreConflict);
    CHECK(counted == 1);
    two.refresh();
    one.register_action({.thoughts = "why", .use_tool = {"count", {}}});
    two.refresh();
    one.decide("call_0", {.approved = true});
    CHECK_THROWS_AS(two.decide("call_0", {.approved = true}), acta::StoreConflict);
    two.refresh();
    acta::ScriptedChatModel model;
    model.reply_call("count", {}).reply("Done.");
    acta::ScriptedChatModel other = model;
    static_cast<void>(acta::run_agent(model, skills, one));
    CHECK_THROWS_AS(acta::run_agent(other, skills, two), acta::StoreConflict);
    CHECK(counted == 3);
}

TEST_CASE("what a model says in bytes that no record has is kept with replacement characters") {
    acta::SkillRegistry skills;
    skills.add(
        "echo", "Repeats.", [](const std::string& text) { return text; }, "text");
    acta::ChatCompletion first;
    first.message.content = "I\xFF see";
    first.message.tool_calls = {{std::string("a\0\xFF", 3), {"echo", {{"text", "b\xFE"}}}}};
    acta::ScriptedChatModel model;
    model.reply(std::move(first)).reply("Done\xFF.");
    acta::MemoryStore store;
    Stored run = Stored::open_or_create(store, "task");
    run.register_message(acta::ChatMessage::user("Go."));
    CHECK(acta::run_agent(model, skills, run).answer == "Done\uFFFD.");
    CHECK(Stored::open_or_create(store, "task").snapshot() == run.snapshot());
}

TEST_CASE("a lease that went to another ends writing") {
    acta::MemoryStore store;
    Stored run = Stored::open_or_create(store, "task");
    static_cast<void>(store.acquire("task", "other", std::chrono::minutes(1)));
    CHECK_THROWS_AS(run.append_user_feedback("late"), acta::LeaseLost);
    CHECK(run.with_lock([](const History& h) { return h.pending_feedback().empty(); }));
}

TEST_CASE("a lease keeps others out as long as its holder lives, and no longer") {
    using namespace std::chrono_literals;
    acta::MemoryStore store;
    const acta::OpenOptions mine{.lease = acta::LeaseOptions{.holder = "one", .time = 1h}};
    const acta::OpenOptions theirs{.lease = acta::LeaseOptions{.holder = "two", .time = 1h}};
    {
        Stored run = Stored::open_or_create(store, "task", mine);
        CHECK(run.position().epoch == 1);
        CHECK_THROWS_AS(Stored::open_or_create(store, "task", theirs), acta::LeaseLost);
        Stored reader = Stored::open_or_create(store, "task");
        CHECK(store.find("task")->position == acta::Position{0, 1});
        run.append_user_feedback("hello");
        CHECK(reader.refresh() == 1);
        CHECK_THROWS_AS(reader.append_user_feedback("too"), acta::LeaseLost);
        Stored restarted = Stored::open_or_create(store, "task", mine);  // by its name
        CHECK_THROWS_AS(run.append_user_feedback("late"), acta::LeaseLost);
        restarted.append_user_feedback("again");
    }
    Stored run = Stored::open_or_create(store, "task", theirs);
    CHECK(run.position() == acta::Position{2, 3});
    CHECK(store.find("task")->lease->holder == "two");
    store.erase("task");
    CHECK_THROWS_AS(run.append_user_feedback("late"), acta::StoreGone);
}

TEST_CASE("a lease is prolonged again and again as long as its holder lives") {
    using namespace std::chrono_literals;
    acta::MemoryStore store;
    const Stored run = Stored::open_or_create(
        store, "task", {.lease = acta::LeaseOptions{.holder = "one", .time = std::chrono::milliseconds(30)}});
    const auto until = [&store] { return *store.find("task")->lease->until.instant(); };
    for (int times = 0; times < 3; ++times) {  // nobody else wants it, so it is not lost even if this is late
        for (const auto before = until(); until() == before;) std::this_thread::sleep_for(1ms);
    }
    CHECK(run.position().epoch == 1);
}

TEST_CASE("each option of an opening arrives, and a lease may be asked for any time") {
    using std::chrono::milliseconds;
    acta::MemoryStore store;
    const auto opened = [&store](const std::string& id, milliseconds most) {
        acta::OpenOptions options;
        auto& [labels, lease] = options;  // a new member is to be covered, too
        labels = {{"team", id}};
        auto& [holder, time] = lease.emplace();
        holder = "holder of " + id;
        time = most;
        Stored run = Stored::open_or_create(store, id, options);
        run.append_user_feedback("hello");
        const acta::HistoryInfo info = store.find(id).value();
        CHECK(info.labels == labels);
        CHECK(info.lease.value().holder == holder);
        return *info.lease->until.instant() - std::chrono::system_clock::now();
    };
    const auto hour = opened("hour", std::chrono::hours(1));
    CHECK(hour <= std::chrono::hours(1));
    CHECK(hour > std::chrono::minutes(50));
    const auto longest = opened("longest", milliseconds::max());
    CHECK(longest > std::chrono::hours(24 * 365 * 99));
    CHECK(longest <= std::chrono::hours(24 * 365 * 100));
    for (const milliseconds time : {milliseconds(0), milliseconds(-1), milliseconds::min()})
        CHECK(opened("shortest", time) <= milliseconds(3));
}

TEST_CASE("a history goes from one store to another as JSON") {
    Unreliable from;
    acta::MemoryStore to;
    {
        Stored run = Stored::open_or_create(from, "task");
        run.register_message(acta::ChatMessage::user("When?"));
        run.register_action({.thoughts = "Look.", .use_tool = {"look", {{"z", 1}, {"a", "\u2028"}}}},
                            acta::StepMetrics::start());
        run.register_result(acta::ActionSuccessResult{.outputs = 1.5});
        run.register_action({.thoughts = "Look again.", .use_tool = {"look", {}}});
        run.append_user_feedback("faster");
    }
    const std::string text = acta::export_json(from, "task");
    CHECK(text == acta::dump(Stored::open_or_create(from, "task").snapshot()));
    const acta::HistoryInfo info = acta::import_json(to, "copy", text, {{"team", "tides"}});
    CHECK(info.position.version == 1);
    CHECK(info.labels == acta::JsonObject{{"team", "tides"}});
    CHECK(acta::export_json(to, "copy") == text);
    Stored run = Stored::open_or_create(to, "copy");
    CHECK(run.open_calls().at(0).begun == true);  // for all that is known
    run.register_result(acta::ActionSuccessResult{.outputs = 2});
    CHECK(acta::dump(Stored::open_or_create(to, "copy").snapshot()) == acta::dump(run.snapshot()));

    CHECK_THROWS_AS(acta::import_json(to, "copy", text), acta::StoreExists);
    CHECK_THROWS_AS(acta::import_json(to, "bad", "{\"episodes\": 3}"), acta::ValidationError);
    CHECK_FALSE(to.find("bad"));
    CHECK_THROWS_AS(acta::export_json(to, "bad"), acta::StoreNotFound);
    CHECK_FALSE(to.find("bad"));
    Unreliable full;
    full.fail_before = true;
    CHECK_THROWS_AS(acta::import_json(full, "copy", text), acta::StoreError);
    full.fail_before = false;
    CHECK(acta::import_json(full, "copy", text).position.version == 1);
    CHECK(acta::export_json(full, "copy") == text);
}

TEST_CASE("a history that does not exist is neither opened nor read, and names that are near are said") {
    acta::MemoryStore store;
    static_cast<void>(Stored::create(store, "harbour"));
    CHECK_THROWS_AS(Stored::create(store, "harbour"), acta::StoreExists);
    const std::string message = "there is no history 'harbor'; did you mean 'harbour'?";
    CHECK_THROWS_MATCHES(Stored::open(store, "harbor"), acta::StoreNotFound, Catch::Matchers::Message(message));
    CHECK_THROWS_MATCHES(acta::read_history(store, "harbor"), acta::StoreNotFound, Catch::Matchers::Message(message));
    CHECK_THROWS_MATCHES(acta::read_history(store, "x"), acta::StoreNotFound,
                         Catch::Matchers::Message("there is no history 'x'"));
    CHECK(store.list({}).size() == 1);
}

TEST_CASE("an erased history can be neither written nor opened") {
    acta::MemoryStore store;
    Stored run = Stored::open_or_create(store, "task");
    store.erase("task");
    CHECK_THROWS_AS(run.append_user_feedback("late"), acta::StoreGone);
    CHECK_THROWS_AS(Stored::open_or_create(store, "task"), acta::StoreGone);
}

TEST_CASE("a snapshot stands for what was replaced") {
    acta::MemoryStore store;
    Stored run = Stored::open_or_create(store, "task");
    const auto step = [&run](int i) {
        run.register_action({.thoughts = std::string(500, 't'), .use_tool = {"look", {{"n", i}}}});
        run.register_result(acta::ActionSuccessResult{.outputs = std::string(2000, 'o')});
    };
    for (int i = 0; i < 200; ++i) step(i);
    CHECK(store.find("task")->snapshot == 0);  // a history that only grows needs none
    for (int i = 0; i < 1000; ++i) {
        run.rewind(1);
        step(i);
    }
    std::size_t snapshots = 0;
    std::size_t rest = 0;
    for (const acta::Record& record : records(store, "task"))
        (record.kind == Kind::snapshot ? snapshots : rest) += record.body.size();
    CHECK(snapshots > 0);
    CHECK(snapshots <= rest / 4);
    const Stored again = Stored::open_or_create(store, "task");
    CHECK(again.snapshot() == run.snapshot());
    CHECK(again.position() == run.position());
    // Who opens a history for which a snapshot is due leaves it as it is.
    const std::uint64_t before = store.find("task")->snapshot - 1;
    store.fork("task", before, "without");
    Stored without = Stored::open_or_create(store, "without");
    CHECK(without.position().version == before);
    CHECK(store.find("without")->position.version == before);
    without.append_user_feedback("go on");  // who changes it, does not
    CHECK(store.find("without")->snapshot == before + 2);
}

TEST_CASE("a record that cannot be read is an error with its place") {
    acta::MemoryStore store;
    const auto append = [&](const std::string& id, Kind kind, const char* body) {
        if (!store.find(id)) store.create(id);
        const std::vector<acta::NewRecord> one = {{kind, {}, body}};
        store.append(id, store.find(id)->position, one);
    };
    append("broken", Kind::feedback, R"({"text": "fine"})");
    append("broken", Kind::message, R"({"before": 0, "message": {"role": "user", "content": 5}})");
    CHECK_THAT(fault(store, "broken"), contains_text("history 'broken', record 2 (message): "));
    CHECK_THAT(fault(store, "broken"), contains_text("message.content"));
    append("early", Kind::result, R"({"result": {"status": "success", "outputs": 1}, "step": 0})");
    CHECK(fault(store, "early") ==
          "history 'early', record 1 (result): there is no step at index 0: the history has 0 steps");
    append("nowhere", Kind::metrics, R"({"step": 4, "metrics": {}})");
    CHECK(fault(store, "nowhere") ==
          "history 'nowhere', record 1 (metrics): there is no step at index 4: the history has 0 steps");
    append("below", Kind::metrics, R"({"step": -1, "metrics": {}})");
    CHECK_THAT(fault(store, "below"), contains_text("history 'below', record 1 (metrics): "));
}

TEST_CASE("a record that a store leaves out is missed") {
    Incomplete store;
    Stored run = Stored::open_or_create(store, "task");
    for (const char* const text : {"a", "b", "c"}) run.append_user_feedback(text);
    CHECK(fault(store, "task") == "nothing was thrown");
    for (const std::uint64_t seq : {1U, 2U, 3U}) {
        store.missing = seq;
        CHECK(fault(store, "task") == "history 'task', record " + std::to_string(seq) + ": it is missing");
    }
}

TEST_CASE("no snapshot is made of a history that was assigned to") {
    acta::MemoryStore store;
    Stored run = Stored::open_or_create(store, "task");
    run.with_lock([](History& history) {
        history.register_message(acta::ChatMessage::user(std::string(1'000'000, 'x')));
        history = History();
    });
    CHECK(kinds(store, "task") == "message");
}

TEST_CASE("a history that was assigned to is not written on") {
    acta::MemoryStore store;
    Stored run = Stored::open_or_create(store, "task");
    run.append_user_feedback("a");
    run.with_lock([](History& history) { history = History(); });
    CHECK_THROWS_AS(run.append_user_feedback("b"), acta::StoreError);
    CHECK_THROWS_AS(run.refresh(), acta::StoreError);
    CHECK(kinds(store, "task") == "feedback");
}

TEST_CASE("a refresh that fails changes nothing, and the history is still kept") {
    acta::MemoryStore store;
    Stored run = Stored::open_or_create(store, "task");
    const std::vector<acta::NewRecord> bad = {{Kind::feedback, {}, R"({"text": "a"})"}, {Kind::feedback, {}, "{}"}};
    store.append("task", run.position(), bad);
    CHECK_THROWS_AS(run.refresh(), acta::StoreCorrupt);
    CHECK(run.with_lock([](const History& h) { return h.pending_feedback().empty(); }));
    CHECK_THROWS_AS(run.append_user_feedback("b"), acta::StoreConflict);
}

TEST_CASE("an agent works on a stored history, and another process continues it") {
    acta::MemoryStore store;
    int calls = 0;
    acta::SkillRegistry skills;
    skills.add("look", "Looks.", [&calls] { return ++calls; });
    {
        Stored run = Stored::open_or_create(store, "task");
        run.register_message(acta::ChatMessage::user("How many?"));
        acta::ScriptedChatModel model;
        model.reply_call("look", {}).fail(std::runtime_error("no connection"));
        CHECK(acta::run_agent(model, skills, run).end == acta::RunEnd::failed);
    }
    Stored run = Stored::open_or_create(store, "task");
    acta::ScriptedChatModel model;
    model.reply("One.");
    CHECK(acta::run_agent(model, skills, run).answer == "One.");
    CHECK(calls == 1);
    CHECK(kinds(store, "task") == "message action call call_result run message run");
    CHECK(Stored::open_or_create(store, "task").snapshot() == run.snapshot());
}

TEST_CASE("several threads change one stored history") {
    acta::MemoryStore store;
    Stored run = Stored::open_or_create(store, "task");
    {
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&run] {
                for (int i = 0; i < 50; ++i) run.append_user_feedback("hello");
            });
        }
        for (std::thread& thread : threads) thread.join();
    }
    CHECK(run.position().version == 200);
    CHECK(Stored::open_or_create(store, "task").snapshot() == run.snapshot());
}
