// SPDX-License-Identifier: MIT
#include "acta/history/shared_history.hpp"
#include "acta/base/stop_token.hpp"

#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/observe/observer.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/prompt/prompt.hpp"
#include "support/at_once.hpp"
#include "support/catch.hpp"
#include "support/steps.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
using Shared = acta::SharedHistory<>;

}  // namespace

TEST_CASE("a lock gives the use of the history, for a call or for a scope") {
    Shared shared;
    shared.lock()->register_action(act("a"));
    shared.lock()->register_result(done());
    {
        const auto history = shared.lock();
        history->register_action(act("b"));
        (*history).register_result(done());
        CHECK(history->size() == 2);
    }
    const Shared& reader = shared;
    static_assert(std::is_same_v<decltype(*reader.lock()), const History&>);
    static_assert(std::is_same_v<decltype(*shared.lock()), History&>);
    const std::string list = reader.lock()->fmt_list();
    CHECK(list == shared.snapshot().fmt_list());
    CHECK(acta::totals(*reader.lock()).steps == 2);
    acta::StepMetrics metrics;
    metrics.prompt_tokens = 7;
    shared.register_answer(acta::AssistantChatMessage{.content = "At noon."}, metrics);
    const History answered = reader.snapshot();
    CHECK(answered.answer()->content == "At noon.");
    CHECK(answered.messages().back().metrics->prompt_tokens == 7);
}

TEST_CASE("a lock is held until its scope ends, and after an exception it is free") {
    Shared shared;
    {
        const auto history = shared.lock();
        CHECK_THROWS_AS(shared.lock(), acta::Error);
        CHECK_THROWS_AS(std::as_const(shared).lock(), acta::Error);
        CHECK_THROWS_AS(shared.snapshot(), acta::Error);
    }
    CHECK_THROWS_AS(shared.lock()->at(0), std::out_of_range);
    CHECK(shared.snapshot().empty());
}

TEST_CASE("the errors of a history come out of a shared one, and leave it unlocked") {
    Shared shared;
    CHECK_THROWS_AS(shared.lock()->register_result(done()), acta::HistoryError);
    CHECK_THROWS_AS(shared.lock()->rewind(-1), acta::HistoryError);
    CHECK_THROWS_AS(shared.lock()->at(0), std::out_of_range);
    CHECK_THROWS_AS(shared.with_lock([](History&) { throw 7; }), int);
    CHECK(shared.lock()->empty());
}

TEST_CASE("with_lock runs several calls as one, and returns a value") {
    Shared shared(acta::parse<History>(R"({"episodes":[],"cursor":0})"));
    const std::size_t size = shared.with_lock([](History& history) {
        history.register_action(act("a"));
        history.register_result(done());
        return history.size();
    });
    CHECK(size == 1);
    const Shared& reader = shared;
    CHECK(reader.with_lock([](const History& history) { return acta::dump(history); }) ==
          acta::dump(shared.snapshot()));
    static_assert(!std::is_copy_constructible_v<Shared> && !std::is_move_constructible_v<Shared>);
}

TEST_CASE("taking the lock twice in one thread is an error, not a hang") {
    Shared shared;
    CHECK_THROWS_AS(shared.with_lock([&shared](History&) { return shared.lock()->size(); }), acta::Error);
    CHECK(shared.lock()->empty());
}

TEST_CASE("a shared history can be watched, and its snapshot is not") {
    acta::CountingObserver counts;
    Shared shared;
    shared.lock()->set_observer(&counts);
    shared.lock()->register_action(act("a"));
    CHECK(counts.history_length() == 1);
    CHECK(shared.snapshot().observer() == nullptr);
}

TEST_CASE("steps of several threads are all there, each whole") {
    Shared shared;
    {
        std::vector<acta::jthread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&shared, t] {
                for (int i = 0; i < 50; ++i) {
                    shared.with_lock([&](History& history) {
                        history.register_action(act("t" + std::to_string(t)));
                        history.register_result(done());
                    });
                    static_cast<void>(shared.lock()->fmt_list());
                }
            });
        }
    }
    CHECK(shared.lock()->size() == 200);
    const History all = shared.snapshot();
    for (const auto& episode : all) CHECK(episode.result.has_value());
}

TEST_CASE("no two histories of a process share an identity, unless one is a copy") {
    const auto add = [](History& history, const char* tool) {
        history.register_action(act(tool));
        history.register_result(done());
    };
    History a;
    add(a, "a");
    History b = a;
    CHECK(a.id(0) == b.id(0));
    add(a, "of a");
    add(b, "of b");
    CHECK(a.id(1) != b.id(1));
    b = a;
    CHECK(a.id(1) == b.id(1));
    CHECK(acta::parse<History>(acta::dump(a)).id(0) != a.id(0));
}

TEST_CASE("a history that was moved from is empty and can be used") {
    History from;
    from.register_action(act("a"));
    from.register_result(done());
    from.append_user_feedback("x");
    History to = std::move(from);
    CHECK(to.size() == 1);
    CHECK(from.empty());  // NOLINT(bugprone-use-after-move)
    CHECK(from.cursor() == 0);
    CHECK(from.current_episode() == nullptr);
    from.register_action(act("b"));
    to = std::move(from);
    CHECK(to[0].action.use_tool.name == "b");
    CHECK(from == History());  // NOLINT(bugprone-use-after-move)
}

TEST_CASE("what refers to a history follows it where it is moved, and finds nothing where it is gone") {
    const auto size_of = [](const acta::LockableHistory& one) {
        return one.with_lock([](acta::HistoryEditor& history) { return history.size(); });
    };
    std::optional<acta::LockableHistory> reference;
    {
        History from;
        from.register_action(act("a"));
        reference.emplace(from);
        CHECK(size_of(*reference) == 1);
        History to = std::move(from);
        CHECK(size_of(*reference) == 1);
        to.register_result(done());
        to.register_action(act("b"));
        CHECK(size_of(*reference) == 2);
        History other;
        other = std::move(to);
        CHECK(size_of(*reference) == 2);
        const History copy = other;
        other.rewind();
        CHECK(size_of(*reference) == 1);
        CHECK(copy.size() == 2);
    }
    CHECK_THROWS_AS(size_of(*reference), acta::Error);
}

TEST_CASE("what takes a view of a history takes a shared one, under its lock") {
    acta::SharedHistory<> shared;
    shared.register_message(acta::ChatMessage::user("When is high water?"));
    shared.register_action(act("a"), acta::StepMetrics{.prompt_tokens = 3});
    shared.register_result(done());
    const History plain = shared.snapshot();
    CHECK(acta::totals(shared).prompt_tokens == 3);
    CHECK(acta::to_messages(shared) == acta::to_messages(plain));
    CHECK(acta::Prompt().text(shared).text == acta::Prompt().text(plain).text);
    std::ostringstream out;
    out << shared;
    CHECK(out.str() == plain.fmt_list());
    {
        const acta::HistoryView view(shared);
        CHECK(view.size() == 1);
        CHECK_THROWS_AS(shared.size(), acta::Error);  // this thread holds the lock
    }
    CHECK(shared.size() == 1);
}

TEST_CASE("a shared history has the members that change a history") {
    acta::SharedHistory<> shared;
    History plain;
    const auto change = [](auto& history) {
        history.register_message(acta::ChatMessage::user("Go."));
        history.register_action(act("a"));
        history.set_arguments("call_0", {{"n", 1}});
        history.decide("call_0", {.approved = true});
        CHECK(history.begin_call("call_0").tool_call_id == "call_0");
        history.register_sub_run("call_0", acta::Json::object());
        history.register_results({{"call_0", done()}});
        history.set_metrics(0, {.prompt_tokens = 3});
        history.set_rolling_summary({"It looked.", 0, 0, {}, {}});
        history.append_user_feedback("More.");
        CHECK(history.take_pending_feedback().size() == 1);
        history.register_answer("So.");
        history.register_run({.end = "answered", .after = 1});
        history.register_action(act("b"));
        history.close_open_episode(done());
        history.register_action(act("c"));
        history.rewind();
        history.apply(acta::FeedbackAdded{"And?"});
    };
    change(shared);
    change(plain);
    CHECK(shared.snapshot() == plain);
    const acta::EpisodeId first = shared.lock()->id(0);
    CHECK(shared.set_summary(first, "one line"));
    CHECK(shared.at(0).summary == "one line");
}

TEST_CASE("several threads may look at one history, whose results came in any order") {
    acta::ActionProposal<> proposal;
    acta::set_calls(proposal, std::vector<acta::AssistantFunctionCall>(300, {"f", {}}));
    acta::EpisodicActionHistory<> history;
    history.register_action(proposal);
    for (int i = 299; i > 0; --i) history.register_result("call_" + std::to_string(i), done(std::to_string(i)));
    const auto& read_only = history;
    std::vector<std::string> seen(4);
    at_once(4, [&](std::size_t thread) { seen[thread] = acta::dump(read_only); });
    CHECK(std::set<std::string>(seen.begin(), seen.end()).size() == 1);
    CHECK(history[0].tool_results.front().tool_call_id == "call_1");
}
