// SPDX-License-Identifier: MIT
#include <acta/testing/recorded_run.hpp>
#include <acta/view/terminal.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "source.hpp"

namespace tools {
namespace {

struct ReplayOptions {
    std::vector<std::string> words{};
    bool brief = false;
    bool lenient = false;
};

Exit replay(const ReplayOptions& options) {
    const Address source = address_of(options.words, Place::any);
    const Run run = read_run(source, options.lenient);
    acta::testing::ReplayedRun again;
    std::size_t answers = 0;
    try {
        answers = acta::testing::recording_of(run.history).size();
        again = acta::testing::replay(run.history);
    } catch (const acta::testing::RecordingError& error) {
        throw Failure(Exit::input, acta::terminal_text(run.name) + ": " + error.what());
    }
    const auto counted = [](std::size_t count, const std::string& what) {
        return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
    };
    Output out;
    if (again.divergence) {
        if (!options.brief) out.write(acta::terminal_text(to_string(*again.divergence)) + "\n");
    } else if (!options.brief) {
        out.write("The run is the same: " + counted(run.history.size(), "step") + " from " +
                  counted(answers, "answer") + " of the model\n");
    }
    out.finish();
    return again.divergence ? Exit::differs : Exit::fine;
}

}  // namespace

Command add_replay(CLI::App& app) {
    const auto options = std::make_shared<ReplayOptions>();
    CLI::App* const replay_app = app.add_subcommand("replay", "Make a run again from its record");
    replay_app->add_option("FILE", options->words, std::string(file_help))->required()->option_text("FILE [ID]");
    replay_app->add_flag("-q,--quiet", options->brief, "Print nothing: only the exit code says whether it differs");
    replay_app->add_flag("--lenient", options->lenient, "Keep what the strict reader refuses, and say what that was");
    replay_app->footer(
        "Neither a model nor a tool is called: the answers and the results are those of the record.\n"
        "Exit code: 0 if the run is the same, 1 if it differs, 2 or more if it cannot be made again.\n\n"
        "Example:\n  acta replay monday.json\n  acta replay sqlite:runs.db#task-42");
    return {replay_app, [options] { return replay(*options); }};
}

}  // namespace tools
