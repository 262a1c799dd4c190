// SPDX-License-Identifier: MIT

// The command acta: looks at the runs of agents, in files and in stores. docs/command.md shows each subcommand, acta.1
// is the manual.

#include <acta/base/error.hpp>
#include <acta/base/unicode.hpp>
#include <acta/version.hpp>
#include <acta/view/terminal.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "output.hpp"
#include "source.hpp"

namespace tools {
namespace {

constexpr const char* exit_codes = R"(Exit codes:
  0  done        1  diff, replay: the runs differ; validate: there are issues
  2  wrong command line
  3  a file, a store or a history cannot be read
  4  the output cannot be written, or not be sent
  5  the store refuses the change, or something else failed

acta COMMAND --help says more of a command.)";

/// Returns how the usage names an argument: `FILE`, `[ID]`, `FILE...`.
std::string positional(const CLI::Option& option) {
    if (!option.get_option_text().empty()) return option.get_option_text();
    const std::string name = option.get_name(true) + (option.get_items_expected_max() > 9 ? "..." : "");
    return option.get_required() ? name : "[" + name + "]";
}

/// Lays out the help: no remarks of CLI11's own, and lines that fit a terminal.
class Help : public CLI::Formatter {
public:
    Help() { column_width(28); }
    std::string make_usage(const CLI::App* app, std::string name) const override {
        std::string out = "Usage: " + name + " [OPTIONS]";
        for (const CLI::Option* const one : app->get_options())
            if (one->get_positional()) out += " " + positional(*one);
        return out + (app->get_parent() == nullptr ? " COMMAND\n" : "\n");
    }
    std::string make_option_opts(const CLI::Option* option) const override {
        const std::string type = option->get_type_name();
        return type.empty() || option->get_positional() ? std::string() : " " + type;
    }
    std::string make_option_desc(const CLI::Option* option) const override {
        constexpr std::size_t width = 52;
        std::istringstream words(option->get_description());
        std::string out;
        std::size_t used = 0;
        for (std::string word; words >> word; used += word.size()) {
            const bool breaks = used != 0 && used + 1 + word.size() > width;
            out.append(breaks ? "\n" : used != 0 ? " " : "").append(word);
            used = breaks ? 0 : used + (used != 0 ? 1 : 0);
        }
        return out;
    }
};

void print(const std::string& text) {
    Output out;
    out.write(text);
    out.finish();
}

Exit usage_error(const CLI::App& app, const std::string& message) {
    std::string command = "acta";
    for (const CLI::App* const one : app.get_subcommands()) command += " " + one->get_name();
    complain(message + "\n  `" + command + " --help` lists its options");
    return Exit::usage;
}

/// Names that other programs have for a command or an option.
constexpr std::pair<std::string_view, std::string_view> other_names[] = {
    {"cat", "show"},       {"print", "show"},      {"view", "show"},      {"open", "show"},       {"ls", "list"},
    {"dir", "list"},       {"follow", "tail -f"},  {"watch", "tail -f"},  {"log", "tail"},        {"logs", "tail"},
    {"check", "validate"}, {"verify", "validate"}, {"lint", "validate"},  {"compare", "diff"},    {"cmp", "diff"},
    {"copy", "fork"},      {"cp", "fork"},         {"branch", "fork"},    {"rm", "prune"},        {"delete", "prune"},
    {"erase", "prune"},    {"remove", "prune"},    {"export", "convert"}, {"page", "html"},       {"send", "trace"},
    {"spans", "trace"},    {"otlp", "trace"},      {"--format", "--to"},  {"--count", "--lines"}, {"--full", "--all"},
    {"--from", "--at"}};

/// Returns the one of some names that a word may have been meant to be, as the end of a sentence, or nothing.
std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
    for (const auto& [other, name] : other_names) {
        const std::string known(name.substr(0, name.find(' ')));
        if (word == other && std::ranges::find(names, known) != names.end())
            return ": did you mean " + std::string(name) + "?";
    }
    for (const std::string& name : names) {
        const bool begins = word.size() >= 2 && name.starts_with(word) && name != word;
        if (begins || acta::ascii::is_misspelling(word, name)) return ": did you mean " + name + "?";
    }
    return {};
}

std::vector<std::string> names_of(const std::vector<Command>& commands) {
    std::vector<std::string> names{"help"};
    for (const Command& command : commands) names.push_back(command.app->get_name());
    return names;
}

std::vector<std::string> options_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* const option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

/// Refuses the first word that is neither a command nor an option nor an argument of one.
Exit refuse_extra(const CLI::App& app, const std::vector<Command>& commands) {
    const CLI::App& last = app.get_subcommands().empty() ? app : *app.get_subcommands().front();
    const std::string word = app.remaining(true).front();
    if (word.starts_with("-")) {
        const std::string name = word.substr(0, word.find('='));
        return usage_error(app, "there is no option " + acta::terminal_text(name) + suggestion(name, options_of(last)));
    }
    const std::string shown = "'" + acta::terminal_text(word) + "'";
    if (&last == &app) {
        std::string hint = suggestion(word, names_of(commands));
        if (hint.empty() && names_a_run(word)) hint = ": did you mean show " + acta::terminal_text(word) + "?";
        return usage_error(app, "there is no command " + shown + hint);
    }
    return usage_error(app, "the argument " + shown + " is one too many");
}

/// `acta help COMMAND` is `acta COMMAND --help`.
Command add_help(CLI::App& app, std::vector<std::string> names) {
    const auto name = std::make_shared<std::string>();
    CLI::App* const help_app = app.add_subcommand("help", "Print the help of a command");
    help_app->add_option("COMMAND", *name, "The command; without it, all are listed");
    return {help_app, [&app, name, names = std::move(names)] {
                if (name->empty()) {
                    app.clear();
                    print(app.help());
                    return Exit::fine;
                }
                if (std::ranges::find(names, *name) == names.end()) {
                    return usage_error(
                        app, "there is no command '" + acta::terminal_text(*name) + "'" + suggestion(*name, names));
                }
                print(app.get_subcommand(*name)->help("acta"));
                return Exit::fine;
            }};
}

Exit run(int argc, char** argv) {
    CLI::App app(
        "Looks at the runs of agents: shows, compares, converts and traces them, and manages the stores that hold "
        "them.",
        "acta");
    app.footer(exit_codes);
    app.set_version_flag("--version", std::string("acta ") + acta::version, "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.require_subcommand(0, 1);
    app.formatter(std::make_shared<Help>());
    app.allow_extras();  // refused below, with a suggestion
    std::vector<Command> commands = {add_show(app), add_html(app),   add_convert(app),  add_trace(app),
                                     add_diff(app), add_replay(app), add_validate(app), add_list(app),
                                     add_tail(app), add_fork(app),   add_prune(app)};
    commands.push_back(add_help(app, names_of(commands)));
    for (const Command& command : commands) command.app->group("Commands")->allow_extras();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::ostringstream help;
        std::ostringstream problem;
        if (app.exit(error, help, problem) != 0)
            return app.remaining(true).empty() ? usage_error(app, error.what()) : refuse_extra(app, commands);
        print(help.str());
        return Exit::fine;
    }
    if (!app.remaining(true).empty()) return refuse_extra(app, commands);
    for (const Command& command : commands) {
        if (!command.app->parsed()) continue;
        try {
            return command.run();
        } catch (const WrongArguments& error) {
            return usage_error(app, error.what());
        }
    }
    complain("a command is missing\n\n" + app.help());
    return Exit::usage;
}

}  // namespace
}  // namespace tools

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // a reader that stops early is seen where the output is written
    tools::Exit code = tools::Exit::refused;
    try {
        code = tools::run(argc, argv);
    } catch (const tools::ReaderGone&) {
        code = tools::Exit::fine;
    } catch (const tools::Failure& failure) {
        tools::complain(failure.what());
        code = failure.code();
    } catch (const std::bad_alloc&) {
        tools::complain("there is not enough memory");
    } catch (const std::exception& error) {
        tools::complain(error.what());
    }
    return static_cast<int>(code);
}
