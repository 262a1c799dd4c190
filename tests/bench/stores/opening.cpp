// SPDX-License-Identifier: MIT
#include <cstdio>
#include <string>
#include <vector>

#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "acta/store/stored_history.hpp"
#include "common.hpp"

namespace bench {

namespace {

using acta::sqlite::Store;
using acta::sqlite::Synchronous;
using History = acta::EpisodicActionHistory<>;
using Stored = acta::StoredHistory<>;

/// What it takes to have a history in memory, in seconds.
struct Opening {
    std::size_t steps = 0;
    double megabytes = 0;  // of its JSON
    double loading = 0;    // that, from a file
    double records = 0;    // opening it from the records of its steps
    double snapshot = 0;   // from a snapshot of all of it
};

/// Grows the history by steps as a run makes them: a call of a model that begins, its result and its summary.
void add_steps(Stored& run, std::size_t count) {
    for (std::size_t i = run.size(); i < count; ++i) {
        const std::string n = std::to_string(i);
        acta::AssistantChatMessage message;
        message.content = "I look at the file number " + n + " next.";
        message.tool_calls = {{"call_" + n, {"read_file", {{"path", "src/part_" + n + ".cpp"}, {"lines", 40}}}}};
        auto action = acta::proposal_from<acta::ActionProposal<>>(message);
        action.use_tool = message.tool_calls->front().function;
        run.register_action(std::move(action), acta::StepMetrics::start());
        run.begin_call("call_" + n);
        run.register_result("call_" + n,
                            acta::ActionSuccessResult{.outputs = std::string(300, 'x') + "\n\"" + n + "\""});
        const acta::EpisodeId id = run.lock()->id(i);
        run.set_summary(id, "Read the file number " + n + ".");
    }
}

Opening measure(Store& store, const std::filesystem::path& folder, Stored& run) {
    Opening out{.steps = run.size()};
    const History history = run.snapshot();
    const auto file = folder / "history.json";
    acta::save(history, file);
    out.megabytes = bytes_on_disk(file) / 1e6;
    const std::string with_snapshot = "with a snapshot of " + std::to_string(out.steps);
    const acta::HistoryInfo info = run.fork(with_snapshot);
    const acta::NewRecord whole{acta::RecordKind::snapshot, {}, acta::dump(history), {}};
    store.append(with_snapshot, info.position, {&whole, 1});
    std::vector<double> loading;
    std::vector<double> records;
    std::vector<double> snapshot;
    bool is_same =
        Stored::open(store, run.id()).snapshot() == history && Stored::open(store, with_snapshot).snapshot() == history;
    const auto open = [&](const std::string& id) {
        return elapsed_seconds([&] { is_same = is_same && Stored::open(store, id).size() == out.steps; });
    };
    for (int round = 0; round < 9; ++round) {  // in turn, so that a busy moment of the machine is in all of them
        loading.push_back(elapsed_seconds([&] { is_same = is_same && acta::load<History>(file).size() == out.steps; }));
        records.push_back(open(run.id()));
        snapshot.push_back(open(with_snapshot));
    }
    if (!is_same) std::printf("WRONG HISTORY\n");
    out.loading = median(loading);
    out.records = median(records);
    out.snapshot = median(snapshot);
    return out;
}

}  // namespace

void print_opening(const std::filesystem::path& folder, std::size_t most) {
    Store store(folder / "opening.db", {.synchronous = Synchronous::normal});
    auto run = Stored::create(store, "task");
    std::printf(
        "\n### A history in SQLite: opening\n\n| steps | MB of JSON | `load` of its JSON, ms | opened, ms | times that "
        "| opened at a snapshot of all, ms | times that |\n|---|---|---|---|---|---|---|\n");
    for (std::size_t steps = 1000; steps <= most; steps *= 10) {
        add_steps(run, steps);
        const Opening one = measure(store, folder, run);
        std::printf("| %zu | %.1f | %.1f | %.1f | %.2f | %.1f | %.2f |\n", one.steps, one.megabytes, 1e3 * one.loading,
                    1e3 * one.records, one.records / one.loading, 1e3 * one.snapshot, one.snapshot / one.loading);
        std::fflush(stdout);
    }
}

}  // namespace bench
