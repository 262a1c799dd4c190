// SPDX-License-Identifier: MIT
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/store/memory_store.hpp"
#include "acta/store/stored_history.hpp"
#include "memory/failing_new.hpp"
#include "memory/histories.hpp"
#include "store/store_content.hpp"

// Without memory a change of a stored history is in the store and in memory, or in neither.
namespace {

using histories::long_text;
using Stored = acta::StoredHistory<>;

const acta::JsonObject labels{{"team", long_text}};
const std::string history_id = "a history whose id does not fit into a string without an allocation";

/// A store with the history, and perhaps somebody who writes it.
struct Writer {
    explicit Writer(const std::function<void(Stored&)>& prepare) {
        Stored first = Stored::open_or_create(store, history_id, {.labels = labels});
        prepare(first);
    }
    void open() { run.emplace(store); }

    struct Run {
        explicit Run(acta::HistoryStore& store) : history(Stored::open_or_create(store, history_id)) {}
        Stored history;
    };
    acta::MemoryStore store{};
    std::optional<Run> run{};
};

/// All of what is in memory: the history, and what is known of its open calls.
std::string known(const Stored& run) {
    std::string out = acta::dump(run.snapshot());
    for (const acta::OpenCall& call : run.open_calls()) {
        out += call.call.id + (call.begun.value_or(false) ? " begun " : " ") + call.idempotency_key;
        if (call.decision) out += call.decision->by + call.decision->feedback;
    }
    return out;
}

/// Lets each allocation of a change fail. Both have it, or neither has: what is in memory is what opening returns.
void check_both(const std::function<void(Stored&)>& prepare, const std::function<void(Stored&)>& change) {
    const auto make = [&] {
        auto writer = std::make_unique<Writer>(prepare);
        writer->open();
        return writer;
    };
    const std::string before = known(make()->run->history);
    const auto check = [&](const std::unique_ptr<Writer>& writer, bool thrown) -> std::string {
        Stored& run = writer->run->history;
        const std::string now = known(run);
        if (thrown != (now == before)) return thrown ? "the memory has changed" : "nothing has changed";
        const Stored again = Stored::open_or_create(writer->store, history_id);
        if (known(again) != now) return "the store has something else than the memory";
        if (again.position() != run.position()) return "the memory is behind the store";
        run.append_user_feedback("goes on");
        return {};
    };
    for (const auto shortage : {memory::Shortage::once, memory::Shortage::from_then_on}) {
        const memory::Tried tried = memory::out_of_memory(
            shortage, make, [&](const std::unique_ptr<Writer>& writer) { change(writer->run->history); }, check);
        CHECK(tried.allocations > 0);
        CHECK(tried.survived == 0);
    }
}

void nothing(Stored&) {}
void open_step(Stored& run) { run.register_action(histories::parallel_proposal()); }

/// Lets each allocation of a member of the store fail: the store has the whole change, or is as it was.
void check_store(const std::function<void(acta::MemoryStore&)>& change) {
    const auto make = [] { return std::make_unique<Writer>(open_step); };
    const std::string before = content(make()->store);
    const auto changed = make();
    change(changed->store);
    const std::string after = content(changed->store);
    REQUIRE(before != after);
    const auto check = [&](const std::unique_ptr<Writer>& writer, bool thrown) -> std::string {
        const std::string now = content(writer->store);
        if (now == (thrown ? before : after)) return {};
        return thrown ? "the store has changed: " + now : "the store is not what it should be: " + now;
    };
    CHECK_OUT_OF_MEMORY(
        make, [&](const std::unique_ptr<Writer>& writer) { change(writer->store); }, check);
}

}  // namespace

TEST_CASE("without memory a change of a stored history is in the store and in memory, or in neither") {
    check_both(nothing, [](Stored& run) { run.register_message(acta::ChatMessage::user(long_text)); });
    check_both(nothing, [](Stored& run) { run.register_action(histories::parallel_proposal()); });
    check_both(nothing, [](Stored& run) { run.append_user_feedback(long_text); });
    check_both([](Stored& run) { run.append_user_feedback(long_text); },
               [](Stored& run) { static_cast<void>(run.take_pending_feedback()); });
    check_both(open_step, [](Stored& run) { static_cast<void>(run.begin_call("call_1")); });
    check_both(open_step, [](Stored& run) { run.register_result("call_1", histories::success()); });
    check_both(open_step, [](Stored& run) {
        run.register_results({{"call_0", histories::success()}, {"call_1", histories::failure()}});
    });
    check_both(open_step, [](Stored& run) { run.register_result(histories::failure()); });
    check_both(open_step, [](Stored& run) { run.set_arguments("call_0", {{"path", long_text}}); });
    check_both(open_step, [](Stored& run) { run.rewind(); });
}

TEST_CASE("without memory a decision about a call is in the store and in memory, or in neither") {
    check_both(open_step,
               [](Stored& run) { run.decide("call_0", {.approved = false, .by = long_text, .feedback = long_text}); });
}

TEST_CASE("without memory a member of MemoryStore does all or nothing") {
    check_store([](acta::MemoryStore& store) { store.create("another history with a long name", long_text, labels); });
    check_store([](acta::MemoryStore& store) {
        const std::vector<acta::NewRecord> records(
            3, {acta::RecordKind::snapshot, long_text, "{\"text\":\"" + long_text + "\"}"});
        store.append(history_id, {1, 0}, records);
    });
    check_store([](acta::MemoryStore& store) { store.fork(history_id, 1, "a fork of it, with a long name as well"); });
    check_store([](acta::MemoryStore& store) { store.acquire(history_id, long_text, std::chrono::minutes(1)); });
    check_store([](acta::MemoryStore& store) { store.erase(history_id); });
}

TEST_CASE("without memory nothing leaks from reading, finding and listing in MemoryStore") {
    Writer writer(open_step);
    acta::MemoryStore& store = writer.store;
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(store.find(history_id)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(store.list({.labels = labels})); });
    CHECK_OUT_OF_MEMORY([&] { store.read(history_id, {}, [](const acta::Record&) { return true; }); });
}

TEST_CASE("without memory a stored history is opened and read on, or not, and can be later") {
    const auto make = [] { return std::make_unique<Writer>(open_step); };
    const auto opens = [](const std::unique_ptr<Writer>& writer) { writer->open(); };
    const auto check = [](const std::unique_ptr<Writer>& writer, bool thrown) -> std::string {
        if (thrown == writer->run.has_value()) return "it is half open";
        writer->open();
        return writer->run->history.position().version == 1 ? "" : "it has something else";
    };
    CHECK_OUT_OF_MEMORY(make, opens, check);

    const auto behind = [&] {
        auto writer = make();
        writer->open();
        Stored::open_or_create(writer->store, history_id).register_result("call_1", histories::success());
        return writer;
    };
    const auto refresh = [](const std::unique_ptr<Writer>& writer) { writer->run->history.refresh(); };
    const auto read_on = [](const std::unique_ptr<Writer>& writer, bool thrown) -> std::string {
        Stored& run = writer->run->history;
        if (run.position().version != (thrown ? 1U : 2U)) return "a refresh is done by half";
        if (run.open_calls().size() != (thrown ? 2U : 1U)) return "the memory is not where it should be";
        run.refresh();
        run.register_result("call_0", histories::success());
        return run.open_calls().empty() ? "" : "it does not go on";
    };
    CHECK_OUT_OF_MEMORY(behind, refresh, read_on);
}

TEST_CASE("without memory a call that is executed or resumed is in the store what it is in memory") {
    int runs = 0;
    acta::SkillRegistry skills;
    skills.add("read_the_contents_of_a_file", "Reads.", {.read_only = true},
               [&runs](acta::SkillContext&) { return ++runs; });
    const auto step = [](Stored& run) {
        acta::ActionProposal<> action = histories::proposal();
        action.use_tool.arguments = {};
        run.register_action(std::move(action));
    };
    const auto make = [&] {
        auto writer = std::make_unique<Writer>(step);
        writer->open();
        return writer;
    };
    const auto check = [&](const std::unique_ptr<Writer>& writer, bool) -> std::string {
        Stored& run = writer->run->history;
        const Stored again = Stored::open_or_create(writer->store, history_id);
        if (known(again) != known(run)) return "the store has something else than the memory";
        static_cast<void>(run.resume(skills));
        return run.open_calls().empty() ? "" : "it cannot be resumed";
    };
    for (const auto shortage : {memory::Shortage::once, memory::Shortage::from_then_on}) {
        // An allocation that fails inside of the skill is its result, and no exception.
        const auto tried = memory::out_of_memory(
            shortage, make,
            [&](const std::unique_ptr<Writer>& writer) {
                static_cast<void>(writer->run->history.execute(skills, {.max_parallel = 1}));
            },
            check);
        CHECK(tried.allocations > tried.survived);
        const auto begun = [&] {
            auto writer = make();
            static_cast<void>(writer->run->history.begin_call("call_0"));
            return writer;
        };
        const auto resumed = memory::out_of_memory(
            shortage, begun,
            [&](const std::unique_ptr<Writer>& writer) {
                static_cast<void>(writer->run->history.resume(skills, {}, {.max_parallel = 1}));
            },
            check);
        CHECK(resumed.allocations > resumed.survived);
    }
}
