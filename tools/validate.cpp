// SPDX-License-Identifier: MIT
#include <acta/base/error.hpp>
#include <acta/interop/trajectory.hpp>
#include <acta/json/json.hpp>
#include <acta/view/terminal.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "source.hpp"

namespace tools {
namespace {

std::string counted(std::size_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Reads the runs of a file, and prints what is wrong in it.
Exit check_file(const std::string& source, Output& out) {
    const std::string name = acta::terminal_text(source == "-" ? "standard input" : source);
    acta::TrajectoryOptions options;
    options.parse.max_issues = 10'000;
    std::vector<acta::Issue> warnings;
    options.parse.warnings = &warnings;
    try {
        const std::string text =
            acta::codec::read_file_text(source == "-" ? "/dev/stdin" : source, options.parse.max_bytes, true);
        const std::vector<acta::Trajectory> runs = acta::parse_trajectories(text, options);
        std::size_t steps = 0;
        for (const acta::Trajectory& run : runs) steps += run.history.size();
        out.write(name + ": " + std::string(acta::to_string(runs.front().format)) + ", " +
                  (runs.size() == 1 ? "" : counted(runs.size(), "run") + ", ") + counted(steps, "step") + ": valid\n");
        for (const acta::Issue& warning : warnings)
            out.write("  warning: " + acta::terminal_text(issue_text(warning)) + "\n");
        return Exit::fine;
    } catch (const acta::FileError& error) {
        throw Failure(Exit::input, error.what());
    } catch (const acta::ValidationError& error) {
        out.write(name + ": " + counted(error.issues().size(), "issue") + (error.truncated() ? " and more" : "") +
                  "\n");
        for (const acta::Issue& issue : error.issues()) out.write("  " + acta::terminal_text(issue_text(issue)) + "\n");
        return Exit::differs;
    }
}

}  // namespace

Command add_validate(CLI::App& app) {
    const auto source = std::make_shared<std::string>();
    CLI::App* const validate_app = app.add_subcommand("validate", "Check that a run can be read, and print all issues");
    validate_app->add_option("FILE", *source, std::string(file_help))->required();
    validate_app->footer(
        "Exit code: 0 if the strict reader takes it, 1 if it has issues, 2 or more if it cannot be read.\n\n"
        "Example:\n  acta validate run.json");
    return {validate_app, [source] {
                Output out;
                Exit code = Exit::fine;
                if (is_file(*source)) {
                    code = check_file(*source, out);
                } else {
                    const Run run = read_run(*source);
                    out.write(acta::terminal_text(run.name) + ": " + run.format + ", " +
                              counted(run.history.size(), "step") + ": valid\n");
                }
                out.finish();
                return code;
            }};
}

}  // namespace tools
