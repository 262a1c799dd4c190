// SPDX-License-Identifier: MIT
#include <acta/json/json.hpp>
#include <acta/view/terminal.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "source.hpp"

namespace tools {
namespace {

struct ShowOptions {
    std::vector<std::string> words{};  // of the address
    std::string colour = "auto";
    std::size_t step = 0;  // from 1; 0 for all
    bool errors = false;
    bool json = false;
    bool all = false;
    bool no_pager = false;
    bool lenient = false;
};

std::string json_of(const History& history, const ShowOptions& options) {
    const acta::DumpOptions layout{.indent = 2, .invalid_utf8 = acta::InvalidUtf8::replace};
    if (options.step != 0) return acta::dump(history[options.step - 1], layout);
    if (!options.errors) return acta::dump(history, layout);
    std::vector<acta::Episode<>> failed;
    for (const acta::Episode<>& one : history) {
        if (one.status() == acta::ResultStatus::error || one.status() == acta::ResultStatus::interrupted_by_human)
            failed.push_back(one);
    }
    return acta::dump(failed, layout);
}

void write_page(Output& out, const Run& run, const ShowOptions& options) {
    acta::TerminalOptions page;
    page.colour = wants_colour(options.colour);
    page.width = terminal_width();
    page.errors_only = options.errors;
    if (options.all || options.step != 0) page.max_lines = page.max_call_lines = 0;
    if (options.step != 0) page.first = page.last = options.step - 1;
    out.write(acta::terminal_text(run.name + " (" + run.format + ")") + "\n\n");
    acta::to_terminal(
        run.history, [&](std::string_view text) { out.write(text); }, page);
}

Exit show(const ShowOptions& options) {
    const Run run = read_run(address_of(options.words, Place::any), options.lenient);
    if (options.step > run.history.size())
        throw Failure(Exit::usage, "'" + run.name + "' has " + std::to_string(run.history.size()) +
                                       " steps: there is no step " + std::to_string(options.step));
    Output out(!options.no_pager);
    if (options.json)
        out.write(safe_json(json_of(run.history, options)) + "\n");
    else
        write_page(out, run, options);
    out.finish();
    return Exit::fine;
}

}  // namespace

Command add_show(CLI::App& app) {
    const auto options = std::make_shared<ShowOptions>();
    CLI::App* const show_app = app.add_subcommand("show", "Show a run in the terminal");
    show_app->add_option("FILE", options->words, std::string(file_help))->required()->option_text("FILE [ID]");
    CLI::Option* const errors = show_app->add_flag("--errors", options->errors, "Only the steps that failed");
    show_app->add_option("--step", options->step, "Only step N, counted from 1, in full")
        ->type_name("N")
        ->check(counted_from_one())
        ->excludes(errors);
    show_app->add_flag("--all", options->all, "Show long texts in full");
    show_app->add_flag("--json", options->json, "The run, or what is chosen of it, as acta's JSON");
    show_app->add_option("--color,--colour", options->colour, "auto, always or never; NO_COLOR is respected")
        ->type_name("WHEN")
        ->check(one_of({"auto", "always", "never"}));
    show_app->add_flag("--no-pager", options->no_pager, "Do not page, although this is a terminal ($PAGER, or less)");
    show_app->add_flag("--lenient", options->lenient, "Keep what the strict reader refuses, and say what that was");
    show_app->footer("Example:\n  acta show --errors run.json\n  acta show sqlite:runs.db#task-42");
    return {show_app, [options] { return show(*options); }};
}

}  // namespace tools
