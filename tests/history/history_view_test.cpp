// SPDX-License-Identifier: MIT
#include "acta/history/history_view.hpp"

#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acta/acta.hpp"
#include "support/catch.hpp"

namespace {

struct Goal {
    std::string goal{};
    std::string why{};

    [[nodiscard]] std::string summary() const { return goal + ", since " + why; }
};

using Planned = acta::ActionProposal<Goal>;

}  // namespace

template <>
struct acta::Describe<Goal> {
    static constexpr auto fields =
        acta::fields(acta::required("goal", &Goal::goal), acta::defaulted("why", &Goal::why));
};

namespace {

acta::EpisodicActionHistory<> two_steps() {
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user("When is high tide?"));
    history.register_action({.thoughts = "Look.", .use_tool = {"search", {{"query", "tides"}}}},
                            acta::StepMetrics{.prompt_tokens = 7});
    history.register_result(acta::ActionSuccessResult{.outputs = "at noon"});
    history.register_message(acta::ChatMessage::user("In Brest."));
    history.register_action({.thoughts = "Again.", .use_tool = {"search", {{"query", "Brest"}}}});
    history.append_user_feedback("Hurry up.");
    return history;
}

std::string order_of(const acta::HistoryView& history) {
    std::string out;
    acta::visit_in_order(
        history, [&](const acta::ConversationMessage& said) { out += said.message.content + '\n'; },
        [&](std::size_t i) { out += history.step(i).calls.front().name + ' ' + history.thoughts(i) + '\n'; });
    return out;
}

}  // namespace

TEST_CASE("a view shows what a history has, in order") {
    const acta::EpisodicActionHistory<> history = two_steps();
    const acta::HistoryView view(history);
    CHECK(view.size() == 2);
    CHECK(view.cursor() == 1);
    CHECK(view.messages().size() == 2);
    CHECK(view.pending_feedback().front() == "Hurry up.");
    CHECK(view.rolling_summary() == nullptr);
    CHECK(order_of(view) == "When is high tide?\nsearch Look.\nIn Brest.\nsearch Again.\n");
    CHECK(view.step(0).result->has_value());
    CHECK_FALSE(view.step(1).result->has_value());
    CHECK(view.step(0).metrics->value().prompt_tokens == 7);
    CHECK(view.step(0).summary == nullptr);
    CHECK(view.text(0) == history[0].format());
    CHECK(view.json(0) == acta::to_json_value(history[0]));
    CHECK(view.call_ids(1) == history.tool_call_ids(1));
    CHECK(acta::totals(view) == acta::totals(history));
}

TEST_CASE("a view of some steps has no conversation") {
    const acta::EpisodicActionHistory<> history = two_steps();
    const acta::HistoryView view(history.episodes().first(1));
    CHECK(view.size() == 1);
    CHECK(view.cursor() == 1);
    CHECK(view.messages().empty());
    CHECK(order_of(view) == "search Look.\n");
}

TEST_CASE("a view does not depend on the type of the thoughts") {
    acta::EpisodicActionHistory<Planned> history;
    Planned proposal;
    proposal.thoughts = {"find it", "it is asked for"};
    proposal.use_tool = {"search", {}};
    history.register_action(proposal);
    const acta::HistoryView view(history);
    CHECK(view.json(0)["action"]["thoughts"]["goal"] == "find it");
    CHECK(view.thoughts(0) == acta::thoughts_text(proposal.thoughts));
    CHECK(acta::Prompt().text(history).text == acta::Prompt().text(view).text);
}

TEST_CASE("an editor changes a shared history under its lock, and a plain one") {
    acta::SharedHistory<> shared;
    const acta::LockableHistory lockable(shared);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int k = 0; k < 50; ++k) {
                lockable.with_lock([](acta::HistoryEditor& history) {
                    acta::AssistantChatMessage message;
                    message.content = "Look.";
                    auto proposal = acta::proposal_from(std::move(message));
                    acta::set_calls(proposal, {{"search", {}}});
                    history.register_action(std::move(proposal));
                    history.register_result("call_0", acta::ActionSuccessResult{.outputs = 1});
                });
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(shared.lock()->size() == 200);

    acta::EpisodicActionHistory<> plain = two_steps();
    acta::LockableHistory(plain).with_lock([](acta::HistoryEditor& history) { history.apply(acta::FeedbackTaken{}); });
    CHECK(plain.messages().back().message.content == "Hurry up.");
    CHECK(plain.messages().size() == 3);
    CHECK(acta::LockableHistory(plain).with_lock(
        [](acta::HistoryEditor& history) { return history.set_summary(history.view().id(0), "noon"); }));
    CHECK(plain[0].summary == "noon");
    CHECK_THROWS_AS(acta::LockableHistory(plain).with_lock(
                        [](acta::HistoryEditor& history) { history.register_result("other", acta::ActionResult()); }),
                    acta::HistoryError);
}
