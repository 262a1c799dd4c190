// SPDX-License-Identifier: MIT
// How many appends a step of a run takes: with a database each of them waits for the disk.
#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/store/memory_store.hpp"
#include "acta/store/stored_history.hpp"
#include "support/catch.hpp"

namespace {

using Run = acta::StoredHistory<>;

/// Notes the kinds of the records of each append: `action+call`.
class Counting : public acta::MemoryStore {
public:
    acta::Appended append(std::string_view id, acta::Position at, std::span<const acta::NewRecord> records) override {
        std::string kinds;
        for (const acta::NewRecord& one : records) {
            if (!kinds.empty()) kinds += '+';
            kinds += acta::to_string(one.kind);
        }
        const std::lock_guard lock(mutex_);
        appends.push_back(kinds);
        return MemoryStore::append(id, at, records);
    }
    std::vector<std::string> appends{};

private:
    std::mutex mutex_{};
};

acta::SkillRegistry skills(acta::SkillHints hints = {}) {
    acta::SkillRegistry out;
    out.add(
        "work", "Works.", hints, [](int n) { return n; }, "n");
    return out;
}

/// A model that calls the tool so many times in each of so many steps.
auto working(std::size_t steps, std::size_t calls) {
    return [=, step = std::size_t{0}](std::span<const acta::ChatMessage>, const acta::ChatOptions&) mutable {
        acta::ChatCompletion out;
        if (step++ == steps) {
            out.message.content = "Done.";
            return out;
        }
        out.message.content = "Step " + std::to_string(step) + ".";
        out.message.tool_calls.emplace();
        for (std::size_t i = 0; i < calls; ++i)
            out.message.tool_calls->push_back({"call_" + std::to_string(i), {"work", {{"n", step * 1000 + i}}}});
        return out;
    };
}

}  // namespace

TEST_CASE("a step of a run takes two appends, and few more for what is compressed") {
    Counting store;
    Run run = Run::create(store, "task");
    run.register_message(acta::ChatMessage::user("Work."));
    CHECK(acta::run_agent(working(80, 1), skills(), run).answer == "Done.");
    std::map<std::string, std::size_t> counts;
    for (const auto& one : store.appends) ++counts[one];
    for (const auto& [kind, n] : counts) WARN(kind << " " << n);
    CHECK(store.appends.size() <= 3 + 80 * 22 / 10);
    CHECK(acta::read_history(store, "task") == run.snapshot());
}

TEST_CASE("a step of many calls that return at once takes few appends") {
    Counting store;
    Run run = Run::create(store, "task");
    run.register_message(acta::ChatMessage::user("Work."));
    CHECK(acta::run_agent(working(1, 64), skills({.read_only = true}), run).answer == "Done.");
    WARN(store.appends.size());
    CHECK(store.appends.size() <= 3 + 8);
    CHECK(acta::read_history(store, "task") == run.snapshot());
}
