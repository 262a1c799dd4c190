// SPDX-License-Identifier: MIT
#include "acta/history/change.hpp"

#include <cstdint>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/history/shared_history.hpp"
#include "acta/json/json.hpp"
#include "history/random_changes.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
using Proposal = acta::ActionProposal<>;

using Change = acta::HistoryChange<>;

/// Keeps each change.
class Recorder : public acta::HistoryJournal<Proposal> {
public:
    void on_change(const Change& change) override {
        if (is_full) throw std::runtime_error("no space");
        changes.push_back(change);
    }
    [[nodiscard]] std::string idempotency_key(std::string_view /*id*/, std::size_t index) const override {
        return std::to_string(index);
    }
    void look_up(acta::OpenCall& call) const override { call.begun = false; }
    void changes_complete(const History& history) noexcept override { length = history.size(); }
    void replaced() noexcept override { ++replacements; }

    std::vector<Change> changes{};
    bool is_full = false;
    int replacements = 0;
    std::size_t length = 0;  // when it was told that the changes are done
};

}  // namespace

TEST_CASE("the changes in a journal make the same history") {
    std::mt19937 random(7);
    for (int round = 0; round < 30; ++round) {
        Recorder journal;
        History history;
        history.set_journal(&journal);
        History again;
        std::size_t done = 0;
        for (int i = 0; i < 100; ++i) {
            const bool legal = random_changes::try_change(history, random);
            if (!legal) CHECK(journal.changes.size() == done);
            for (; done < journal.changes.size(); ++done) again.apply(journal.changes[done]);
            REQUIRE(acta::dump(again) == acta::dump(history));
        }
        CHECK(done > 30);
    }
}

TEST_CASE("a change that the journal cannot keep does not happen") {
    std::mt19937 random(8);
    Recorder journal;
    History history;
    history.set_journal(&journal);
    int refused = 0;
    const int count = static_cast<int>(test_size(400, 3000));
    for (int i = 0; i < count; ++i) {
        const std::string before = acta::dump(history);
        journal.is_full = true;
        std::mt19937 same = random;
        try {
            static_cast<void>(random_changes::try_change(history, same));
        } catch (const std::runtime_error& error) {
            CHECK(std::string(error.what()) == "no space");
            ++refused;
        }
        REQUIRE(acta::dump(history) == before);
        journal.is_full = false;
        static_cast<void>(random_changes::try_change(history, random));  // and the same is possible afterwards
    }
    CHECK(refused > count / 3);
    History again;
    for (const Change& one : journal.changes) again.apply(one);
    CHECK(again == history);
}

TEST_CASE("a journal gets nothing where nothing changes") {
    Recorder journal;
    History history;
    history.set_journal(&journal);
    history.clear_rolling_summary();
    static_cast<void>(history.take_pending_feedback());
    CHECK(journal.changes.empty());
}

TEST_CASE("a journal belongs to one history, and learns when that is replaced") {
    Recorder journal;
    History history;
    history.set_journal(&journal);
    History copy = history;
    copy.append_user_feedback("to the copy");
    CHECK(journal.changes.empty());
    history = copy;
    CHECK(journal.replacements == 1);
    CHECK(history == copy);
    const History moved = std::move(history);
    CHECK(journal.replacements == 2);
    history.append_user_feedback("here");  // NOLINT(bugprone-use-after-move): it is empty then
    CHECK(journal.changes.size() == 1);
    history.set_journal(nullptr);
    history.append_user_feedback("unheard");
    CHECK(journal.changes.size() == 1);
}

TEST_CASE("the changes of a shared history reach its journal under the lock") {
    Recorder journal;
    acta::SharedHistory<> shared;
    shared.with_lock([&](History& history) { history.set_journal(&journal); });
    shared.lock()->register_action(Proposal{.thoughts = "why", .use_tool = {"look", {}}});
    CHECK(journal.length == 1);
    shared.lock()->register_result(acta::ActionSuccessResult{.outputs = 1});
    History again;
    for (const Change& one : journal.changes) again.apply(one);
    CHECK(again == shared.snapshot());
}

TEST_CASE("a change is the same after its JSON was read") {
    std::mt19937 random(9);
    Recorder journal;
    History history;
    history.set_journal(&journal);
    for (int i = 0; i < 600; ++i) static_cast<void>(random_changes::try_change(history, random));
    history.rewind();
    history.register_action(Proposal{.thoughts = "why", .use_tool = {"look", {}}});
    history.register_sub_run("call_0", {{"episodes", acta::Json::array()}});
    history.register_run({.end = "answered", .after = 1});
    std::set<std::size_t> kinds;
    History again;
    for (const Change& change : journal.changes) {
        const std::string json = acta::dump(change);
        INFO(json);
        const auto read = acta::parse<Change>(json);
        CHECK(read == change);
        CHECK(acta::dump(read) == json);
        again.apply(read);
        kinds.insert(change.index());
    }
    CHECK(again == history);
    CHECK(kinds.size() == std::variant_size_v<Change>);
}

TEST_CASE("the JSON of a change says its kind, its call and what changes") {
    CHECK(acta::dump(Change(acta::FeedbackAdded{"Look."})) == R"({"kind":"feedback","body":{"text":"Look."}})");
    CHECK(acta::dump(Change(acta::FeedbackTaken{})) == R"({"kind":"feedback_taken","body":{}})");
    CHECK(acta::dump(Change(acta::CallBegun{"call_0", "key"})) ==
          R"({"kind":"call","call_id":"call_0","body":{"idempotency_key":"key"}})");
    CHECK(acta::dump(Change(acta::RollingSummarySet{})) == R"({"kind":"rolling_summary","body":{}})");
    CHECK_THROWS_AS(acta::parse<Change>(R"({"kind":"flight","body":{}})"), acta::ValidationError);
    CHECK_THROWS_AS(acta::parse<Change>(R"({"kind":"rewind","body":{}})"), acta::ValidationError);
    CHECK_THROWS_AS(acta::parse<Change>(R"({"kind":"rewind"})"), acta::ValidationError);
}

TEST_CASE("what a change does not say is added before the journal gets it") {
    Recorder journal;
    History history;
    history.set_journal(&journal);
    history.register_action(Proposal{.thoughts = "why", .use_tool = {"look", {{"n", 1}}}}, acta::StepMetrics::start());
    history.apply(acta::CallDecided{.tool_call_id = "call_0", .approved = false});
    CHECK(std::get<acta::CallDecided>(journal.changes.back()).digest == acta::arguments_digest({{"n", 1}}));
    history.apply(acta::CallBegun{"call_0", {}});
    CHECK(std::get<acta::CallBegun>(journal.changes.back()).idempotency_key == "0");
    history.apply(acta::MessageAdded{{.before = 7, .message = acta::ChatMessage::user("Go.")}});
    CHECK(std::get<acta::MessageAdded>(journal.changes.back()).message.before == 1);
    history.apply(acta::SubRunRegistered{{.step = 7, .tool_call_id = "call_0"}});
    CHECK(std::get<acta::SubRunRegistered>(journal.changes.back()).sub_run.step == 0);
    history.apply(acta::ResultRegistered{acta::ActionSuccessResult{.outputs = 1}});
    const auto& result = std::get<acta::ResultRegistered>(journal.changes.back());
    CHECK(result.step == std::size_t{0});
    REQUIRE(result.finished_at);
    CHECK(history[0].metrics->finished_at == result.finished_at);
}

TEST_CASE("a change that does not fit is refused, and changes nothing") {
    Recorder journal;
    History history;
    history.register_action(Proposal{.thoughts = "why", .use_tool = {"look", {}}});
    history.register_result(acta::ActionSuccessResult{.outputs = 1});
    history.set_journal(&journal);
    const History before = history;
    const acta::ActionResult result = acta::ActionSuccessResult{.outputs = 2};
    CHECK_THROWS_AS(history.apply(acta::ResultRegistered{result}), acta::HistoryError);
    CHECK_THROWS_AS(history.apply(acta::ResultRegistered{result, 0}), acta::HistoryError);
    CHECK_THROWS_AS(history.apply(acta::ResultRegistered{result, 1}), std::out_of_range);
    CHECK_THROWS_AS(history.apply(acta::CallResultsRegistered{{{"call_0", result}}}), acta::HistoryError);
    CHECK_THROWS_AS(history.apply(acta::ArgumentsSet{"call_0", {}}), acta::HistoryError);
    CHECK_THROWS_AS(history.apply(acta::CallDecided{.tool_call_id = "call_0"}), acta::HistoryError);
    CHECK_THROWS_AS(history.apply(acta::CallBegun{"call_0", "key"}), acta::HistoryError);
    CHECK_THROWS_AS(history.apply(acta::SubRunRegistered{{.tool_call_id = "call_0"}}), acta::HistoryError);
    CHECK_THROWS_AS(history.apply(acta::Rewound{-1}), acta::HistoryError);
    CHECK_THROWS_AS(history.apply(acta::SummarySet{1, "more"}), std::out_of_range);
    CHECK_THROWS_AS(history.apply(acta::MetricsSet{1, {}}), std::out_of_range);
    CHECK_THROWS_AS(history.apply(acta::RollingSummarySet{acta::RollingSummary{"", 0, 1, {}, {}}}), std::out_of_range);
    CHECK_THROWS_AS(history.apply(acta::ActionRegistered<Proposal>{}), acta::HistoryError);
    CHECK_THROWS_AS(
        history.apply(acta::MessageAdded{{.message = acta::ChatMessage::user("Go."), .metrics = acta::StepMetrics()}}),
        acta::HistoryError);
    history.set_journal(nullptr);
    history.register_action(Proposal{.thoughts = "why", .use_tool = {"look", {}}});
    history.set_journal(&journal);
    acta::AssistantChatMessage answer;
    answer.content = "So.";
    CHECK_THROWS_AS(history.apply(acta::MessageAdded{{.message = answer, .metrics = acta::StepMetrics()}}),
                    acta::HistoryError);
    CHECK_THROWS_AS(history.apply(acta::CallResultsRegistered{{{"call_0", result}, {"call_0", result}}}),
                    acta::HistoryError);
    CHECK(journal.changes.empty());
    history.set_journal(nullptr);
    history.rewind();
    CHECK(history == before);
}

TEST_CASE("taking feedback while none waits changes nothing") {
    Recorder journal;
    History history;
    history.set_journal(&journal);
    CHECK(history.take_pending_feedback().empty());
    CHECK(journal.changes.empty());
    history.append_user_feedback("look");
    CHECK(history.take_pending_feedback().size() == 1);
    CHECK(history.take_pending_feedback().empty());
    CHECK(journal.changes.size() == 2);
}
