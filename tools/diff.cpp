// SPDX-License-Identifier: MIT
#include <acta/base/unicode.hpp>
#include <acta/chat/binary_placeholder.hpp>
#include <acta/history/episode.hpp>
#include <acta/view/terminal.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "align.hpp"
#include "commands.hpp"
#include "source.hpp"

namespace tools {
namespace {

struct DiffOptions {
    std::string a{};
    std::vector<std::string> b{};  // with the id of the first before it
    std::string colour = "auto";
    bool brief = false;
    bool lenient = false;
};

/// Returns the beginning of a text in one line, safe for a terminal.
std::string short_text(std::string text) {
    constexpr std::size_t most_bytes = 100;
    std::ranges::replace(text, '\n', ' ');
    const bool cut = text.size() > most_bytes;
    text.resize(acta::utf8::prefix(text, most_bytes).size());
    return acta::terminal_text(text) + (cut ? "\u2026" : "");
}

std::string calls_text(const acta::Episode<>& step) {
    std::string out;
    for (const auto& call : acta::get_tools(step.action)) {
        out += out.empty() ? "" : ", ";
        acta::append_shown_call(out, call.name, call.arguments);
    }
    return short_text(out);
}

std::string result_text(const acta::Episode<>& step) {
    return step.result ? short_text(acta::to_string(*step.result)) : "(no result)";
}

std::string number(std::size_t index) { return std::to_string(index + 1); }

/// Prints what differs between two runs.
class Report {
public:
    Report(const Run& a, const Run& b, bool colour, Output& out) : a_(a), b_(b), colour_(colour), out_(out) {}

    void add_heads() {
        line('-', "-- " + acta::terminal_text(a_.name + " (" + a_.format + ")"));
        line('+', "++ " + acta::terminal_text(b_.name + " (" + b_.format + ")"));
    }
    void add_first(const StepPair& pair) {
        std::string where = "First difference: ";
        if (pair.a && pair.b)
            where += "step " + number(*pair.a) + (*pair.a == *pair.b ? "" : ", in the second run " + number(*pair.b));
        else if (pair.a)
            where += "step " + number(*pair.a) + " of the first run, which the second has not";
        else
            where += "step " + number(*pair.b) + " of the second run, which the first has not";
        out_.write(where + "\n\n");
    }
    void add(const StepPair& pair) {
        const acta::Episode<>* const a = pair.a ? &a_.history[*pair.a] : nullptr;
        const acta::Episode<>* const b = pair.b ? &b_.history[*pair.b] : nullptr;
        if (a == nullptr && b != nullptr) return line('+', " step " + number(*pair.b) + "  " + calls_text(*b));
        if (b == nullptr && a != nullptr) return line('-', " step " + number(*pair.a) + "  " + calls_text(*a));
        if (a == nullptr || b == nullptr || pair.changes.empty()) return;
        std::string head = "~ step " + number(*pair.a) + (*pair.a == *pair.b ? "" : " \u2192 " + number(*pair.b));
        const bool new_calls = std::ranges::find(pair.changes, "calls") != pair.changes.end();
        if (!new_calls) head += "  " + calls_text(*a);
        for (const std::string& change : pair.changes) head += (change == pair.changes.front() ? "  [" : ", ") + change;
        out_.write(head + "]\n");
        for (const std::string& change : pair.changes) add_change(change, *a, *b, pair.of_subagents);
    }
    void add_message(std::size_t index) {
        const auto text = [&](const History& history) {
            if (index >= history.messages().size()) return std::string("(none)");
            const acta::ConversationMessage& said = history.messages()[index];
            return std::string(acta::to_string(said.message.role)) + ", before step " + number(said.before) + ": " +
                   short_text(said.message.content);
        };
        out_.write("The conversation differs from message " + number(index) + " on:\n");
        line('-', "   " + text(a_.history));
        line('+', "   " + text(b_.history));
    }
    void add_totals(const std::vector<StepPair>& pairs, bool differs) {
        std::size_t added = 0;
        std::size_t dropped = 0;
        std::size_t changed = 0;
        for (const StepPair& pair : pairs) {
            added += pair.a ? 0 : 1;
            dropped += pair.b ? 0 : 1;
            changed += pair.changes.empty() ? 0 : 1;
        }
        if (added + dropped + changed == 0 && !differs) {
            out_.write("The runs are the same: " + std::to_string(a_.history.size()) +
                       (a_.history.size() == 1 ? " step\n\n" : " steps\n\n"));
        } else {
            add_counts(added, dropped, changed);
        }
        add_table();
    }

private:
    void add_counts(std::size_t added, std::size_t dropped, std::size_t changed) {
        out_.write(std::to_string(added) + (added == 1 ? " step added, " : " steps added, ") + std::to_string(dropped) +
                   " dropped, " + std::to_string(changed) + " changed\n\n");
    }
    void add_table() {
        const acta::MetricsTotals a = acta::totals(a_.history);
        const acta::MetricsTotals b = acta::totals(b_.history);
        row("", "first", "second", "difference");
        row("steps", a.steps, b.steps);
        row("errors", errors(a_.history), errors(b_.history));
        if (a.steps_with_tokens != 0 || b.steps_with_tokens != 0) {
            row("tokens to the model", a.prompt_tokens, b.prompt_tokens);
            row("tokens from it", a.completion_tokens, b.completion_tokens);
        }
        if (a.time.count() != 0 || b.time.count() != 0)
            row("time", acta::history_detail::duration_text(a.time), acta::history_detail::duration_text(b.time),
                (b.time < a.time   ? "-"
                 : b.time > a.time ? "+"
                                   : "") +
                    acta::history_detail::duration_text(std::chrono::abs(b.time - a.time)));
        if (a.steps_with_cost != 0 || b.steps_with_cost != 0) row("USD", a.cost_usd, b.cost_usd, 4);
    }
    static std::size_t errors(const History& history) {
        return static_cast<std::size_t>(
            std::ranges::count(history.episodes(), acta::ResultStatus::error, &acta::Episode<>::status));
    }
    void add_change(const std::string& change, const acta::Episode<>& a, const acta::Episode<>& b,
                    const std::pair<std::string, std::string>& of_subagents) {
        if (change == "subagents") {
            line('-', "   " + short_text(of_subagents.first));
            return line('+', "   " + short_text(of_subagents.second));
        }
        const auto text = [&](const acta::Episode<>& step) {
            if (change == "calls") return calls_text(step);
            return change == "thoughts" ? short_text(step.action.thoughts) : result_text(step);
        };
        line('-', "   " + text(a));
        line('+', "   " + text(b));
    }
    void line(char sign, const std::string& text) {
        const std::string_view colour = sign == '-' ? "\x1b[31m" : "\x1b[32m";
        out_.write((colour_ ? std::string(colour) : std::string()) + sign + text + (colour_ ? "\x1b[0m\n" : "\n"));
    }
    void row(const std::string& what, const std::string& a, const std::string& b, const std::string& difference) {
        constexpr std::size_t name_width = 20;
        constexpr std::size_t width = 14;
        std::string text = what;
        text.resize(name_width, ' ');
        for (const std::string& one : {a, b, difference})
            text += std::string(width - std::min(width, one.size()), ' ') + one;
        out_.write(text + "\n");
    }
    static std::string fixed(double value, int digits) {
        const double unit = std::pow(10, digits);
        const auto scaled = static_cast<long long>(std::llround(std::min(std::abs(value) * unit, 9e18)));
        std::string text = std::to_string(scaled);
        const auto places = static_cast<std::size_t>(digits);
        if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
        if (digits > 0) text.insert(text.size() - places, ".");
        return (value < 0 && scaled != 0 ? "-" : "") + text;
    }
    void row(const std::string& what, double a, double b, int digits) {
        const std::string difference = fixed(b - a, digits);
        row(what, fixed(a, digits), fixed(b, digits), (b > a ? "+" : "") + difference);
    }
    template <class Count>
    void row(const std::string& what, Count a, Count b) {
        row(what, static_cast<double>(a), static_cast<double>(b), 0);
    }

    const Run& a_;
    const Run& b_;
    bool colour_;
    Output& out_;
};

Exit diff(const DiffOptions& options) {
    std::vector<std::string> words{options.a};
    words.insert(words.end(), options.b.begin(), options.b.end());
    const std::vector<Address> sources = addresses(words, Place::any);
    for (const Address& source : sources) require_id(source);
    if (sources.size() != 2)
        throw WrongArguments(sources.size() < 2 ? "the second run is missing"
                                                : "the argument '" + sources[2].place + "' is one too many");
    require_one_stdin(sources);
    const Run a = read_run(sources[0], options.lenient);
    const Run b = read_run(sources[1], options.lenient);
    const std::vector<StepPair> pairs = align(a.history, b.history);
    const std::optional<std::size_t> message = first_different_message(a.history, b.history, pairs);
    const auto differs = [](const StepPair& pair) { return !pair.a || !pair.b || !pair.changes.empty(); };
    const auto first = std::ranges::find_if(pairs, differs);
    const bool same = first == pairs.end() && !message;
    Output out;
    Report report(a, b, wants_colour(options.colour), out);
    if (!options.brief) {
        if (!same) report.add_heads();
        if (first != pairs.end()) report.add_first(*first);
        for (const StepPair& pair : pairs) report.add(pair);
        if (message) report.add_message(*message);
        if (!same) out.write("\n");
        report.add_totals(pairs, !same);
    }
    out.finish();
    return same ? Exit::fine : Exit::differs;
}

}  // namespace

Command add_diff(CLI::App& app) {
    const auto options = std::make_shared<DiffOptions>();
    CLI::App* const diff_app = app.add_subcommand("diff", "Compare two runs, step by step");
    diff_app->add_option("A", options->a, std::string(file_help))->required();
    diff_app->add_option("B", options->b, "The same")->required()->expected(1, 3);
    diff_app->add_flag("-q,--quiet", options->brief, "Print nothing: only the exit code says whether they differ");
    diff_app->add_option("--color,--colour", options->colour, "auto, always or never; NO_COLOR is respected")
        ->type_name("WHEN")
        ->check(one_of({"auto", "always", "never"}));
    diff_app->add_flag("--lenient", options->lenient, "Keep what the strict reader refuses, and say what that was");
    diff_app->footer(
        "Times, tokens and cost are compared as totals, and make no difference by themselves.\n"
        "Exit code: 0 if the runs are the same, 1 if they differ, 2 or more if they cannot be compared.\n\n"
        "Example:\n  acta diff monday.json tuesday.json\n  acta diff sqlite:runs.db#task-42 sqlite:runs.db#task-43");
    return {diff_app, [options] { return diff(*options); }};
}

}  // namespace tools
