// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "acta/store/memory_store.hpp"
#include "acta/store/stored_history.hpp"
#include "agent/driver.hpp"
#include "support/catch.hpp"
#include "support/steps.hpp"

// A run that is cut anywhere is continued by the next one: the record is right each time, and no call that has a result
// runs again.
namespace {

using acta::ChatMessage;
using acta::RunEnd;
using acta::RunOptions;
using History = acta::EpisodicActionHistory<>;

struct Cut : std::runtime_error {
    Cut() : std::runtime_error("cut") {}
};

/// A tool that counts how often it was called with each number.
class Counter {
public:
    [[nodiscard]] acta::SkillRegistry skills() {
        acta::SkillRegistry out;
        out.add(
            "count", "Counts.",
            [this](int n, acta::SkillContext& context) {
                context.report_progress({.done = 0.5});
                const std::lock_guard lock(mutex_);
                ++counts_[n];
                return n;
            },
            acta::param("n", "A number."));
        return out;
    }
    [[nodiscard]] const std::map<int, int>& counts() const { return counts_; }

private:
    std::mutex mutex_{};
    std::map<int, int> counts_{};
};

/// A model that counts to eight in three steps, by what it is shown: it has no memory of its own.
acta::ChatCompletion counts(std::span<const ChatMessage> messages, const acta::ChatOptions& chat) {
    const auto steps = std::ranges::count_if(messages, [](const ChatMessage& one) { return !one.tool_calls.empty(); });
    acta::ChatCompletion out;
    if (steps == 3) {
        out.message.content = "Eight.";
        if (chat.on_text) chat.on_text(out.message.content);
        return out;
    }
    out.message.tool_calls.emplace();
    for (int n = 1; n <= (steps == 1 ? 4 : 2); ++n) {
        const int number = static_cast<int>(steps) * 10 + n;
        out.message.tool_calls->push_back({"c" + std::to_string(number), {"count", {{"n", number}}}});
    }
    return out;
}

/// Throws at the event of this number, from 0.
RunOptions cut_at(int& events_left, std::size_t max_parallel) {
    const auto event = [&events_left] {
        if (events_left-- == 0) throw Cut();
    };
    RunOptions options{.max_parallel = max_parallel, .parallel = acta::CallOverlap::all};
    options.approve = [event](const acta::AssistantToolCall&) {
        event();
        return acta::Approval::yes();
    };
    options.on_text = [event](std::string_view) { event(); };
    options.on_event = [event](const acta::RunEvent&) { event(); };
    return options;
}

void check_record(const History& history) {
    CHECK(acta::parse<History>(acta::dump(history)) == history);
    for (std::size_t i = 0; i < history.size(); ++i) {
        if (i + 1 < history.size()) CHECK(history[i].result.has_value());
        for (const acta::ToolResult& one : history[i].tool_results) {
            const std::vector<std::string> ids = history.tool_call_ids(i);
            CHECK(std::ranges::find(ids, one.tool_call_id) != ids.end());
        }
    }
}

/// Runs to the end with one cut. Returns whether there was an event of this number.
bool run_with_cut(int event, std::size_t max_parallel, bool reload) {
    Counter counter;
    const acta::SkillRegistry skills = counter.skills();
    History history = asked_to("Count to eight.");
    int left = event;
    bool cut = false;
    try {
        static_cast<void>(driven::run_agent(counts, skills, history, cut_at(left, max_parallel)));
    } catch (const Cut&) {
        cut = true;
    }
    check_record(history);
    if (reload) history = acta::parse<History>(acta::dump(history));
    const acta::RunResult run = driven::run_agent(counts, skills, history);
    CHECK(run.end == RunEnd::answered);
    CHECK(run.answer == "Eight.");
    check_record(history);
    CHECK(history.size() == 3);
    CHECK(history.messages().size() == 2);
    CHECK(counter.counts().size() == 8);
    for (const auto& [number, times] : counter.counts()) {
        INFO(number);
        CHECK(times == 1);
    }
    return cut;
}

/// A store that calls a function at one of its appends, before or after the append is done.
class WatchedStore : public acta::MemoryStore {
public:
    acta::Appended append(std::string_view id, acta::Position at, std::span<const acta::NewRecord> records) override {
        const std::lock_guard lock(mutex_);
        const bool is_now = left_-- == 0;
        if (is_now && !after_) then_();
        const acta::Appended appended = MemoryStore::append(id, at, records);
        if (is_now && after_) then_();
        return appended;
    }
    void watch(int append, bool after, std::function<void()> then) {
        left_ = append;
        after_ = after;
        then_ = std::move(then);
    }
    /// Whether the append of this number came.
    [[nodiscard]] bool was_called() const { return left_ < 0; }

private:
    std::mutex mutex_{};
    int left_ = -1;
    bool after_ = false;
    std::function<void()> then_{};
};

/// A history in a store that counts to eight, in two runs.
struct StoredCount {
    WatchedStore store{};
    Counter counter{};
    acta::SkillRegistry skills = counter.skills();

    StoredCount() {
        acta::StoredHistory<>::create(store, "task").register_message(ChatMessage::user("Count to eight."));
    }
    acta::RunResult run(const RunOptions& options) {
        auto history = acta::StoredHistory<>::open(store, "task");
        return driven::run_agent(counts, skills, history, options);
    }
    /// How many calls may have run or not. The others have their own outcome, or were cancelled.
    [[nodiscard]] int unknown_outcomes() {
        const History history = acta::StoredHistory<>::open(store, "task").snapshot();
        check_record(history);
        int unknown = 0;
        for (const acta::Episode<>& step : history.episodes()) {
            for (const acta::ToolResult& one : step.tool_results) {
                if (const auto* const error = std::get_if<acta::ActionErrorResult>(&one.result)) {
                    const bool is_unknown = error->error->exception_type == "OutcomeUnknown";
                    CHECK((is_unknown || error->error->exception_type == "Cancelled"));
                    if (is_unknown) ++unknown;
                } else {
                    CHECK("c" + acta::to_string(one.result) == one.tool_call_id);
                }
            }
        }
        for (const auto& [number, times] : counter.counts()) CHECK(times == 1);
        return unknown;
    }
};

}  // namespace

TEST_CASE("a run that is cut after any event is continued, and no finished call runs again") {
    for (const std::size_t max_parallel : {std::size_t{1}, std::size_t{4}}) {
        int events = 0;
        while (run_with_cut(events, max_parallel, false)) ++events;
        CHECK(events == 8 * 5 + 3 * 2 + 4 * 2 + 3);  // of calls, steps, requests and the run
        for (int event = 0; event < events; event += 3) static_cast<void>(run_with_cut(event, max_parallel, true));
    }
}

TEST_CASE("a run that is cut again and again ends all the same") {
    Counter counter;
    const acta::SkillRegistry skills = counter.skills();
    History history = asked_to("Count to eight.");
    int cuts = 0;
    for (;; ++cuts) {
        int left = 6;  // enough to approve the calls of a step, and to run one
        try {
            if (driven::run_agent(counts, skills, history, cut_at(left, 2)).end == RunEnd::answered) break;
        } catch (const Cut&) {
        }
        REQUIRE(cuts < 100);
    }
    CHECK(cuts > 3);
    for (const auto& [number, times] : counter.counts()) CHECK(times == 1);
}

TEST_CASE("calls that a crash left open are run again only if they may") {
    Counter counter;
    const acta::SkillRegistry skills = counter.skills();
    History history = asked_to("Count to eight.");
    acta::ActionProposal<> proposal;
    acta::set_calls(proposal, {{"count", {{"n", 1}}}, {"count", {{"n", 2}}}, {"count", {{"n", 3}}}});
    history.register_action(proposal);
    history.register_result("call_1", acta::ActionSuccessResult{.outputs = 2});
    const auto answer = [](std::span<const ChatMessage>, const acta::ChatOptions&) {
        acta::ChatCompletion out;
        out.message.content = "Done.";
        return out;
    };
    std::vector<std::string> asked_about;
    RunOptions options;
    options.rerun = [&](const acta::AssistantToolCall& call) {
        asked_about.push_back(call.id);
        return call.id == "call_2";
    };
    CHECK(driven::run_agent(answer, skills, history, options).answer == "Done.");
    CHECK(asked_about == std::vector<std::string>{"call_0", "call_2"});
    CHECK(counter.counts() == std::map<int, int>{{3, 1}});
    CHECK_THAT(acta::to_string(history[0].tool_results[0].result), contains_text("outcome is unknown"));
    const auto& error = std::get<acta::ActionErrorResult>(history[0].tool_results[0].result).error;
    CHECK(error->exception_type == "OutcomeUnknown");
    CHECK(acta::to_string(history[0].tool_results[2].result) == "3");
}

TEST_CASE("a run whose store fails at any append throws that, and is continued without running a call twice") {
    struct Broken : std::runtime_error {
        Broken() : std::runtime_error("the disk is full") {}
    };
    for (const std::size_t max_parallel : {std::size_t{1}, std::size_t{4}}) {
        for (int append = 0;; ++append) {
            INFO("append " << append << ", " << max_parallel << " at once");
            StoredCount one;
            int completed = 0;
            RunOptions options{.max_parallel = max_parallel, .parallel = acta::CallOverlap::all};
            options.on_event = acta::on([&](const acta::CallCompleted&) { ++completed; });
            one.store.watch(append, false, [] { throw Broken(); });
            bool is_broken = false;
            try {
                static_cast<void>(one.run(options));
            } catch (const Broken&) {
                is_broken = true;
            }
            const auto stored = acta::StoredHistory<>::open(one.store, "task").snapshot();
            int results = 0;
            for (const acta::Episode<>& step : stored.episodes()) results += static_cast<int>(step.tool_results.size());
            CHECK(completed <= results);  // none is reported that the store does not have
            CHECK(one.store.was_called() == is_broken);
            if (!is_broken) break;
            CHECK(one.run({.max_parallel = max_parallel}).answer == "Eight.");
            CHECK(one.unknown_outcomes() <= static_cast<int>(max_parallel));
            REQUIRE(append < 100);
        }
    }
}

TEST_CASE("a run that is stopped at any append of its store leaves no call begun that did not run") {
    for (const std::size_t max_parallel : {std::size_t{1}, std::size_t{4}}) {
        for (int append = 0;; ++append) {
            INFO("append " << append << ", " << max_parallel << " at once");
            StoredCount one;
            acta::stop_source source;
            one.store.watch(append, true, [&] { source.request_stop(); });
            const RunOptions options{.max_parallel = max_parallel,
                                     .parallel = acta::CallOverlap::all,
                                     .until = {.stop = source.get_token()}};
            const RunEnd end = one.run(options).end;
            CHECK(one.unknown_outcomes() == 0);
            if (!one.store.was_called()) break;
            if (end != RunEnd::answered) CHECK(one.run({.max_parallel = max_parallel}).answer == "Eight.");
            CHECK(one.unknown_outcomes() == 0);
            REQUIRE(append < 100);
        }
    }
}

TEST_CASE("calls that have begun in a store run again only if they may") {
    StoredCount one;
    {
        auto history = acta::StoredHistory<>::open(one.store, "task");
        acta::ActionProposal<> proposal;
        acta::set_calls(proposal, {{"count", {{"n", 0}}}, {"count", {{"n", 1}}}});
        history.register_action(proposal);
        static_cast<void>(history.begin_call("call_0"));
    }
    acta::ScriptedChatModel model{"Done."};
    auto history = acta::StoredHistory<>::open(one.store, "task");
    CHECK(driven::run_agent(model, one.skills, history).answer == "Done.");
    CHECK(one.counter.counts() == std::map<int, int>{{1, 1}});
    CHECK_THAT(acta::to_string(history.at(0).tool_results[0].result), contains_text("outcome is unknown"));
}

TEST_CASE("no function of the options is called after one has thrown, whichever it was") {
    for (int call = 0;; ++call) {
        INFO("call " << call);
        Counter counter;
        History history = asked_to("Count to eight.");
        int left = call;
        int late = 0;
        bool has_thrown = false;
        const auto use = [&](bool may_throw) {
            if (has_thrown) ++late;
            if (!may_throw || left-- != 0) return;
            has_thrown = true;
            throw Cut();
        };
        RunOptions options{.max_parallel = 1};
        options.compression = {.keep_recent = 1, .trigger = {.episodes = 1}};
        options.summarizer = [&](std::string_view, const acta::SummaryRequest&) {
            use(false);  // what it throws is the failure of a summary
            return std::string("Counted.");
        };
        options.prepare = [&](acta::AskModel&) { use(true); };
        options.approve = [&](const acta::AssistantToolCall&) { return use(true), acta::Approval::yes(); };
        options.on_answer = [&](const acta::AssistantChatMessage&) { return use(true), std::nullopt; };
        options.on_text = [&](std::string_view) { use(true); };
        options.on_event = [&](const acta::RunEvent&) { use(true); };
        options.price = [&](const acta::ChatCompletion&) { return use(true), 0.0; };
        const auto model = [&](std::span<const ChatMessage> messages, const acta::ChatOptions& chat) {
            if (history.empty()) history.append_user_feedback("Faster.");
            return counts(messages, chat);
        };
        std::string answer;
        try {
            answer = driven::run_agent(model, counter.skills(), history, options).answer;
        } catch (const Cut&) {
        }
        CHECK(answer == (has_thrown ? "" : "Eight."));
        CHECK(late == 0);
        check_record(history);
        if (!has_thrown) break;
        REQUIRE(call < 1000);
    }
}
