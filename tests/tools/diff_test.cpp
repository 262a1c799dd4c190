// SPDX-License-Identifier: MIT
#include <acta/json/json.hpp>
#include <string>

#include "command.hpp"
#include "support/catch.hpp"

using command::Outcome;
using command::word;

namespace {

using History = acta::EpisodicActionHistory<>;

/// Two runs in files.
class TwoRuns {
public:
    Outcome diff(const std::string& options = {}) const {
        acta::save(a, folder_ / "a.json");
        acta::save(b, folder_ / "b.json");
        return command::acta("diff " + options + " " + word(folder_ / "a.json") + " " + word(folder_ / "b.json"));
    }

    acta::EpisodicActionHistory<> a = command::three_days();
    acta::EpisodicActionHistory<> b = command::three_days();

private:
    TempFolder folder_{};
};

}  // namespace

TEST_CASE("Runs that are the same have exit code 0, whatever they cost") {
    TwoRuns runs;
    acta::StepMetrics metrics;
    metrics.prompt_tokens = 1200;
    metrics.cost_usd = 0.5;
    runs.b.set_metrics(0, metrics);
    const Outcome outcome = runs.diff();
    CHECK(outcome.code == 0);
    CHECK(outcome.err.empty());
    CHECK_THAT(outcome.out, starts_with_text("The runs are the same: 3 steps\n"));
    CHECK_THAT(outcome.out, contains_text("tokens to the model              0          1200         +1200\n"));
    CHECK_THAT(outcome.out, contains_text("USD                         0.0000        0.5000       +0.5000\n"));
    CHECK(runs.diff("-q").out.empty());
}

TEST_CASE("Steps that were added, dropped and changed are found, and the first difference") {
    TwoRuns runs;
    runs.b.rewind(2);
    command::add_step(runs.b, "sunday");
    command::add_step(runs.b, "wednesday");
    command::add_step(runs.b, "thursday");
    const Outcome changed = runs.diff();
    CHECK(changed.code == 1);
    CHECK_THAT(changed.out, contains_text("First difference: step 2\n\n~ step 2  [calls, thoughts, result]\n"
                                          "-   tides(day='tuesday')\n+   tides(day='sunday')\n"));
    CHECK_THAT(changed.out, contains_text("\n+ step 4  tides(day='thursday')\n"));
    CHECK_THAT(changed.out, contains_text("\n1 step added, 0 dropped, 1 changed\n"));
    CHECK(runs.diff("--quiet").code == 1);

    TwoRuns dropped;
    dropped.b = {};
    dropped.b.register_message(acta::ChatMessage::user("When is high tide?"));
    command::add_step(dropped.b, "tuesday", true);
    command::add_step(dropped.b, "wednesday");
    dropped.a.register_answer("At noon.");
    dropped.b.register_answer("At noon.");  // behind another step than in the first run, and yet at the same place
    const Outcome outcome = dropped.diff();
    CHECK_THAT(outcome.out, !contains_text("conversation"));
    CHECK(outcome.code == 1);
    CHECK_THAT(outcome.out, contains_text("First difference: step 1 of the first run, which the second has not\n\n"
                                          "- step 1  tides(day='monday')\n\n"));
}

TEST_CASE("A result that is another is a difference, and so is a message") {
    TwoRuns runs;
    runs.b.rewind(1);
    command::add_step(runs.b, "wednesday", true);
    const Outcome result = runs.diff();
    CHECK(result.code == 1);
    CHECK_THAT(
        result.out,
        contains_text("~ step 3  tides(day='wednesday')  [result]\n-   12:00\n+   Action failed: 'no such day'\n"));

    TwoRuns talk;
    talk.b.register_answer("At noon.");
    const Outcome message = talk.diff();
    CHECK(message.code == 1);
    CHECK_THAT(message.out, contains_text("The conversation differs from message 2 on:\n-   (none)\n"
                                          "+   assistant, before step 4: At noon.\n"));
}

TEST_CASE("Runs of subagents are compared as runs are, and the first difference is named") {
    const auto with = [](const History& history, std::vector<History> inner) {
        auto record = history.record();
        for (const History& one : inner)
            record.sub_runs.push_back({1, history.tool_call_ids(1)[0], acta::to_json_value(one)});
        return History(std::move(record));
    };
    const History three = command::three_days();
    History two = command::three_days();
    two.rewind(1);
    History dear = two;
    acta::StepMetrics metrics;
    metrics.cost_usd = 0.5;
    dear.set_metrics(0, metrics);
    TwoRuns runs;
    runs.a = with(three, {two});
    runs.b = with(three, {dear});
    CHECK(runs.diff().code == 0);
    runs.b = with(three, {three});
    const Outcome longer = runs.diff();
    CHECK(longer.code == 1);
    CHECK_THAT(longer.out, contains_text("~ step 2  tides(day='tuesday')  [subagents]\n-   subagent 1, no such step\n"
                                         "+   subagent 1, step 3: tides(day='wednesday')\n"));
    CHECK_THAT(longer.out, contains_text("\n0 steps added, 0 dropped, 1 changed\n"));
    runs.b = with(three, {two, two});
    CHECK_THAT(runs.diff().out, contains_text("-   1 subagent\n+   2 subagents\n"));
    runs.a = with(three, {with(three, {two})});
    runs.b = with(three, {with(three, {three})});
    CHECK_THAT(runs.diff().out, contains_text("+   subagent 1, step 2, subagent 1, step 3: tides(day='wednesday')\n"));
    auto record = three.record();
    record.sub_runs = {{1, "x", acta::Json("\x1b[2J")}};
    runs.b = History(std::move(record));
    CHECK_THAT(runs.diff().out, contains_text("+   subagent 1, in another form\n"));
}

TEST_CASE("Runs that cannot be compared have an exit code of 2 or more") {
    CHECK(command::acta("diff " + command::sample()).code == 2);
    CHECK(command::acta("diff - -").code == 2);
    CHECK(command::acta("diff " + command::sample() + " /nothing/there").code == 3);
    CHECK(command::acta("diff " + command::sample() + " " + command::sample() + " >/dev/full").code == 4);
}

TEST_CASE("Long runs are compared quickly") {
    TwoRuns runs;
    for (int i = 0; i < 1500; ++i) {
        command::add_step(runs.a, std::to_string(i));
        if (i % 10 != 3) command::add_step(runs.b, std::to_string(i));
    }
    CHECK_THAT(runs.diff().out, contains_text("\n0 steps added, 150 dropped, 0 changed\n"));
}
