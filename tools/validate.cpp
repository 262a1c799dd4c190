// SPDX-License-Identifier: MIT
#include <acta/base/error.hpp>
#include <acta/interop/trajectory.hpp>
#include <acta/json/json.hpp>
#include <acta/view/terminal.hpp>
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "source.hpp"

namespace tools {
namespace {

std::string counted(std::size_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Adds the issues of the runs of a history's subagents, with those within them, and counts them.
void check_sub_runs(const History& history, const std::vector<acta::LocElement>& loc, std::vector<acta::Issue>& issues,
                    std::size_t& count) {
    for (std::size_t i = 0; i < history.sub_runs().size(); ++i) {
        ++count;
        std::vector<acta::LocElement> within = loc;
        within.insert(within.end(), {std::string("sub_runs"), i, std::string("history")});
        try {
            check_sub_runs(acta::validate<History>(history.sub_runs()[i].history), within, issues, count);
        } catch (const acta::ValidationError& error) {
            for (acta::Issue issue : error.issues()) {
                issue.loc.insert(issue.loc.begin(), within.begin(), within.end());
                issues.push_back(std::move(issue));
            }
        }
    }
}

/// Prints the issues of a file.
Exit print_issues(const std::string& name, std::span<const acta::Issue> issues, bool truncated, Output& out) {
    out.write(name + ": " + counted(issues.size(), "issue") + (truncated ? " and more" : "") + "\n");
    for (const acta::Issue& issue : issues) out.write("  " + acta::terminal_text(issue_text(issue)) + "\n");
    return Exit::differs;
}

/// Returns how many notes say that something was dropped.
std::size_t count_dropped(const std::vector<acta::Trajectory>& runs) {
    std::size_t out = 0;
    for (const acta::Trajectory& run : runs) {
        out += static_cast<std::size_t>(
            std::ranges::count(run.report, acta::TrajectoryNoteKind::dropped, &acta::TrajectoryNote::kind));
    }
    return out;
}

/// Prints the notes on the runs of a file.
void print_notes(const std::vector<acta::Trajectory>& runs, Output& out) {
    for (const acta::Trajectory& run : runs) {
        for (const acta::TrajectoryNote& note : run.report) {
            acta::Issue at;
            at.loc = note.loc;
            const std::string place = at.pointer();
            out.write("  " + std::string(acta::to_string(note.kind)) +
                      (place.empty() ? "" : " at " + acta::terminal_text(place)) + ": " +
                      acta::terminal_text(note.message) + "\n");
        }
    }
}

/// Reads the runs of a file, and prints what is wrong in it.
Exit check_file(const std::string& path, Output& out) {
    const std::string name = acta::terminal_text(path == "-" ? "standard input" : path);
    acta::TrajectoryOptions options;
    options.parse.max_issues = 10'000;
    std::vector<acta::Issue> warnings;
    options.parse.warnings = &warnings;
    try {
        const std::string text =
            acta::codec::read_file_text(path == "-" ? "/dev/stdin" : path, options.parse.max_bytes, true);
        const std::vector<acta::Trajectory> runs = acta::parse_trajectories(text, options);
        std::size_t steps = 0;
        std::size_t subagents = 0;
        std::vector<acta::Issue> issues;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            steps += runs[i].history.size();
            std::vector<acta::LocElement> loc;
            if (runs.size() > 1) loc.emplace_back(i);
            check_sub_runs(runs[i].with_sub_runs(), loc, issues, subagents);
        }
        if (!issues.empty()) return print_issues(name, issues, false, out);
        const std::size_t dropped = count_dropped(runs);
        out.write(name + ": " + std::string(acta::to_string(runs.front().format)) + ", " +
                  (runs.size() == 1 ? "" : counted(runs.size(), "run") + ", ") + counted(steps, "step") +
                  (subagents == 0 ? "" : ", " + counted(subagents, "subagent")) + ": " +
                  (dropped == 0 ? "valid" : "readable, but " + counted(dropped, "piece") + " dropped") + "\n");
        for (const acta::Issue& warning : warnings)
            out.write("  warning: " + acta::terminal_text(issue_text(warning)) + "\n");
        print_notes(runs, out);
        return dropped == 0 ? Exit::fine : Exit::differs;
    } catch (const acta::FileError& error) {
        throw Failure(Exit::input, error.what());
    } catch (const acta::ValidationError& error) {
        return print_issues(name, error.issues(), error.truncated(), out);
    }
}

Exit check(const Address& source, Output& out) {
    if (!source.in_store) return check_file(source.place, out);
    const Run run = read_run(source);
    out.write(acta::terminal_text(run.name) + ": " + run.format + ", " + counted(run.history.size(), "step") +
              ": valid\n");
    return Exit::fine;
}

/// Checks all runs, also if one of them cannot be read.
Exit validate(const std::vector<std::string>& words) {
    const std::vector<Address> sources = addresses(words, Place::any);
    for (const Address& source : sources) require_id(source);
    require_one_stdin(sources);
    Output out;
    Exit worst = Exit::fine;
    for (const Address& source : sources) {
        try {
            worst = std::max(worst, check(source, out));
        } catch (const Failure& failure) {
            if (failure.code() != Exit::input || sources.size() == 1) throw;
            out.flush();
            complain(failure.what());
            worst = std::max(worst, failure.code());
        }
    }
    out.finish();
    return worst;
}

}  // namespace

Command add_validate(CLI::App& app) {
    const auto words = std::make_shared<std::vector<std::string>>();
    CLI::App* const validate_app = app.add_subcommand("validate", "Check that runs can be read, and print all issues");
    validate_app->add_option("FILE", *words, std::string(file_help) + "; several may be given")->required();
    validate_app->footer(
        "Exit code: 0 if all are valid, so that the strict reader takes them and drops nothing, 1 if one is not, 3 if "
        "one\ncannot be read; the others are checked then, too.\n\n"
        "Example:\n  acta validate run.json\n  acta validate runs/*.json && echo fine");
    return {validate_app, [words] { return validate(*words); }};
}

}  // namespace tools
