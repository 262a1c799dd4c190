// SPDX-License-Identifier: MIT
#include "acta/history/history.hpp"

#include <functional>

#include "acta/compress/compress.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/observe/observer.hpp"
#include "memory/failing_new.hpp"
#include "memory/histories.hpp"

// Every change of a history has the strong guarantee: it is done, or the history is what it was.
namespace {

using histories::History;
using histories::long_text;

/// What cannot be seen in the JSON of a history must also be whole: identities, and the steps that wait for a summary.
std::string broken(History history) {
    for (std::size_t i = 0; i < history.size(); ++i) {
        if (i != 0 && history.id(i - 1) >= history.id(i)) return "the identities do not ascend";
    }
    std::size_t waiting = 0;
    for (const auto& episode : history) waiting += episode.result && !episode.summary ? 1U : 0U;
    acta::CompressionOptions options;
    options.keep_recent = 0;
    options.max_parallel = 1;
    const auto report = acta::handle_compression(
        history, [](std::string_view, const acta::SummaryRequest&) { return std::string("done"); }, options);
    if (report.summarised.size() != waiting || report.not_due != 0) return "steps are lost to the compression";
    return {};
}

void check_strong(const History& before, const std::function<void(History&)>& change) {
    History after = before;
    change(after);
    const auto check = [&](const History& history, bool thrown) -> std::string {
        if (!(history == (thrown ? before : after))) return thrown ? "it has changed" : "it is not what it should be";
        return broken(history);
    };
    CHECK_OUT_OF_MEMORY([&] { return before; }, [&](History& history) { change(history); }, check);
}

/// As `history`, but scanned for a compression, including its open step.
History scanned(History history = histories::every_kind()) {
    acta::CompressionOptions options;
    options.keep_recent = 0;
    options.trigger.episodes = 100;
    static_cast<void>(acta::handle_compression(
        history, [](std::string_view, const acta::SummaryRequest&) { return std::string("done"); }, options));
    return history;
}

}  // namespace

TEST_CASE("without memory a step is opened or not") {
    History history = histories::every_kind();
    history.close_open_episode(histories::success());
    check_strong(history, [](History& h) { h.register_action(histories::proposal()); });
    check_strong(history, [](History& h) { h.register_action(histories::parallel_proposal()); });
    check_strong(History(), [](History& h) { h.register_action(histories::proposal()); });
}

TEST_CASE("without memory a step is closed or not, also one that a compression has passed") {
    for (const History& history : {histories::every_kind(), scanned()}) {
        check_strong(history, [](History& h) { h.register_result(histories::success()); });
        check_strong(history, [](History& h) { h.register_result(histories::failure()); });
        check_strong(history, [](History& h) { h.close_open_episode(histories::success()); });
    }
}

TEST_CASE("without memory the result of a call is noted or not") {
    History open = histories::every_kind();
    open.rewind();
    open.register_action(histories::parallel_proposal());
    History history = scanned(open);
    check_strong(history, [](History& h) { h.register_result("call_1", histories::success()); });
    history.register_result("call_1", histories::success());
    const auto last = [](History& h) { h.register_result("call_0", histories::failure()); };
    check_strong(history, last);
}

TEST_CASE("without memory feedback, messages and summaries are there or not") {
    const History history = histories::every_kind();
    check_strong(history, [](History& h) { h.append_user_feedback(long_text); });
    check_strong(history, [](History& h) { static_cast<void>(h.take_pending_feedback()); });
    check_strong(history, [](History& h) { h.register_message(acta::ChatMessage::user(long_text)); });
    check_strong(history, [](History& h) { h.set_summary(h.id(1), long_text); });
    check_strong(scanned(), [](History& h) { h.set_summary(h.id(1), long_text); });
    check_strong(history, [](History& h) { h.set_metrics(1, {.prompt_tokens = 7}); });
}

TEST_CASE("rewinding needs no memory") {
    const auto needs_none = [](const std::function<void(History&)>& change) {
        const auto tried = memory::out_of_memory(
            memory::Shortage::from_then_on, [] { return histories::every_kind(); }, change,
            [](const History& history, bool) { return broken(history); });
        CHECK(tried.allocations == 0);
    };
    needs_none([](History& h) { h.rewind(); });
    needs_none([](History& h) { h.rewind(2); });
    needs_none([](History& h) { h.rewind(100); });
    needs_none([](History& h) { const History moved(std::move(h)); });
}

TEST_CASE("without memory a refused change of a history changes nothing") {
    const History history = histories::every_kind();
    const auto refused = [&](const std::function<void(History&)>& change) {
        const auto attempt = [&](History& h) {
            try {
                change(h);
            } catch (const acta::HistoryError&) {
                return;
            }
        };
        const auto check = [&](const History& h, bool) -> std::string {
            return h == history ? broken(h) : "it has changed";
        };
        CHECK_OUT_OF_MEMORY([&] { return history; }, attempt, check);
    };
    refused([](History& h) { h.register_action(histories::proposal()); });
    refused([](History& h) { h.register_result("no_such_call_in_this_step", histories::success()); });
    refused([](History& h) { h.rewind(-1); });
}

TEST_CASE("without memory a copy of a history is made or not, and an assignment is done or not") {
    const History history = scanned();
    CHECK_OUT_OF_MEMORY([&] { const History copy(history); });
    History other;
    other.register_action(histories::proposal("before"));
    check_strong(other, [&](History& h) { h = history; });
}

TEST_CASE("an observer that finds no memory is not notified, and nothing else is lost") {
    const History history = histories::every_kind();
    acta::CountingObserver observer;
    const auto close = [&](History& h) {
        h.set_observer(&observer);
        h.register_result(histories::success());
        h.register_action(histories::proposal());
        h.rewind();
        h.set_observer(nullptr);
    };
    History done = history;
    close(done);
    History closed = history;
    closed.register_result(histories::success());
    for (const auto shortage : {memory::Shortage::once, memory::Shortage::from_then_on}) {
        memory::out_of_memory(
            shortage, [&] { return history; }, close,
            [&](const History& h, bool thrown) -> std::string {
                if (!(h == history || h == closed) || (!thrown && !(h == done))) return "it is neither old nor new";
                return broken(h);
            });
    }
}

TEST_CASE("without memory a shared history is whole and free again") {
    using Shared = acta::SharedHistory<acta::ActionProposal<>>;
    const History history = histories::every_kind();
    const auto change = [](const std::unique_ptr<Shared>& shared) {
        shared->lock()->register_result(histories::success());
        static_cast<void>(shared->snapshot());
        shared->lock()->register_action(histories::proposal());
        static_cast<void>(shared->lock()->fmt_list());
    };
    const auto check = [](const std::unique_ptr<Shared>& shared, bool) { return broken(shared->snapshot()); };
    CHECK_OUT_OF_MEMORY([&] { return std::make_unique<Shared>(history); }, change, check);
}
