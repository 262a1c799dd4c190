// SPDX-License-Identifier: MIT
#include "acta/history/episode.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/history/shared_history.hpp"
#include "acta/json/json.hpp"
#include "history/random_changes.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
using Proposal = acta::ActionProposal<>;

void set_finish(History& history, std::size_t step, const std::optional<acta::Timestamp>& at) {
    if (!at) return;
    acta::StepMetrics metrics = *history[step].metrics;
    metrics.finished_at = at;
    history.set_metrics(step, metrics);
}

/// Keeps each change as a function that repeats it.
class Recorder : public acta::HistoryJournal<Proposal> {
public:
    void action(const acta::Episode<>& step) override {
        keep([step](History& h) { h.register_action(step.action, step.metrics); });
    }
    void result(std::size_t step, const acta::ActionResult& result, const std::optional<acta::Timestamp>& at) override {
        keep([=](History& h) {
            if (step == h.cursor())
                h.register_result(result);
            else
                h.close_open_episode(result);
            set_finish(h, step, at);
        });
    }
    void call_results(std::span<const acta::ToolResult> results, const std::optional<acta::Timestamp>& at) override {
        keep([results = std::vector<acta::ToolResult>(results.begin(), results.end()), at](History& h) {
            const std::size_t step = h.cursor();
            h.register_results(results);
            set_finish(h, step, at);
        });
    }
    void arguments(std::string_view id, const acta::JsonObject& arguments) override {
        keep([id = std::string(id), arguments](History& h) { h.set_arguments(id, arguments); });
    }
    void decision(const acta::AssistantToolCall& call, const acta::CallDecision& decision) override {
        keep([id = call.id, decision](History& h) { h.decide(id, decision); });
    }
    std::string call(std::string_view id, std::size_t index) override {
        keep([id = std::string(id)](History& h) { static_cast<void>(h.begin_call(id)); });
        return std::to_string(index);
    }
    void look_up(acta::OpenCall& call) const override { call.begun = false; }
    void rewind(std::int64_t steps) override {
        keep([steps](History& h) { h.rewind(steps); });
    }
    void message(const acta::ConversationMessage& said) override {
        keep([said](History& h) {
            if (said.metrics)
                h.register_answer(acta::to_assistant_message(said.message), said.metrics);
            else
                h.register_message(said.message);
        });
    }
    void feedback(std::string_view text) override {
        keep([text = std::string(text)](History& h) { h.append_user_feedback(text); });
    }
    void feedback_taken() override {
        keep([](History& h) { static_cast<void>(h.take_pending_feedback()); });
    }
    void summary(std::size_t step, std::string_view text) override {
        keep([step, text = std::string(text)](History& h) { h.set_summary(h.id(step), text); });
    }
    void rolling_summary(const acta::RollingSummary* summary) override {
        keep([set = summary == nullptr ? std::nullopt : std::optional(*summary)](History& h) {
            if (set)
                h.set_rolling_summary(*set);
            else
                h.clear_rolling_summary();
        });
    }
    void metrics(std::size_t step, const acta::StepMetrics& metrics) override {
        keep([=](History& h) { h.set_metrics(step, metrics); });
    }
    void changes_complete(const History& history) noexcept override { length = history.size(); }
    void replaced() noexcept override { ++replacements; }

    std::vector<std::function<void(History&)>> changes{};
    bool is_full = false;
    int replacements = 0;
    std::size_t length = 0;  // when it was told that the changes are done

private:
    void keep(std::function<void(History&)> change) {
        if (is_full) throw std::runtime_error("no space");
        changes.push_back(std::move(change));
    }
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
            for (; done < journal.changes.size(); ++done) journal.changes[done](again);
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
    for (const auto& one : journal.changes) one(again);
    CHECK(again == history);
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
    for (const auto& one : journal.changes) one(again);
    CHECK(again == shared.snapshot());
}
