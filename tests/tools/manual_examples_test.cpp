// SPDX-License-Identifier: MIT
#include <acta/json/json.hpp>
#include <acta/store/stored_history.hpp>
#include <cstddef>
#include <cstdlib>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "command.hpp"
#include "support/catch.hpp"

#if defined(TOOLS_HAVE_SQLITE)
#include <acta/store/sqlite/store.hpp>

namespace {

/// Adds a step of the run that docs/command.md shows.
template <class History>
void add_harbour_step(History& history, const std::string& thoughts, const acta::AssistantFunctionCall& call,
                      acta::ActionResult result, std::int64_t tokens) {
    acta::StepMetrics metrics;
    metrics.prompt_tokens = tokens;
    metrics.completion_tokens = tokens / 10;
    metrics.cost_usd = static_cast<double>(tokens) / 1e6;
    history.register_action({.thoughts = thoughts, .use_tool = call}, metrics);
    history.register_result(std::move(result));
}

template <class History>
void fill_harbour(History& history, const std::string& day, bool knows_file) {
    using Success = acta::ActionSuccessResult;
    history.register_message(acta::ChatMessage::user("When can the Marie leave?"));
    add_harbour_step(history, "I look up the tides.", {"tides", {{"day", day}}},
                     Success{.outputs = "low 01:55 0.9 m\nhigh 08:10 4.6 m"}, 1200);
    if (!knows_file)
        add_harbour_step(history, "The sill decides how much water there is.", {"read_file", {{"path", "sill.txt"}}},
                         acta::ActionErrorResult{"no such file: sill.txt"}, 1500);
    add_harbour_step(history, "How deep is the sill?", {"read_file", {{"path", "sill_depth.txt"}}},
                     Success{.outputs = "0.4 m above chart datum"}, 1700);
    history.register_answer("From 06:50 to 09:25.");
}

/// Makes the files that docs/command.md speaks of.
void write_harbour_files(const TempFolder& folder) {
    acta::EpisodicActionHistory<> monday;
    fill_harbour(monday, "monday", false);
    acta::save(monday, folder / "monday.json");
    acta::EpisodicActionHistory<> tuesday;
    fill_harbour(tuesday, "tuesday", true);
    acta::save(tuesday, folder / "tuesday.json");
    acta::sqlite::Store store(folder / "runs.db");
    auto run = acta::StoredHistory<>::open_or_create(store, "task-42", {.labels = {{"team", "tides"}}});
    fill_harbour(run, "monday", false);
    auto other = acta::StoredHistory<>::open_or_create(store, "task-43", {.labels = {{"team", "tides"}}});
    fill_harbour(other, "tuesday", true);
}

struct Shown {
    std::string command{};
    std::string output{};
};

/// The commands of a document, and what they print there: blocks of `console`, with `$ ` before each command.
std::vector<Shown> commands_of(const std::string& document) {
    std::vector<Shown> out;
    std::istringstream lines(document);
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```"))
            inside = line == "```console";
        else if (inside && line.starts_with("$ "))
            out.push_back({line.substr(2), ""});
        else if (inside && !out.empty())
            out.back().output += line + "\n";
    }
    return out;
}

std::string without_times(const std::string& text) {
    return std::regex_replace(text, std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z)"), "TIME");
}

}  // namespace

TEST_CASE("The examples of docs/command.md are what the command prints") {
    const TempFolder folder;
    write_harbour_files(folder);
    const std::vector<Shown> commands = commands_of(read_file(paths::source("docs/command.md")));
    CHECK(commands.size() >= 10);
    std::string actual;  // what the document should say
    for (const Shown& one : commands) {
        CAPTURE(one.command);
#if !__has_include(<acta/view/html.hpp>)
        if (one.command.starts_with("acta html")) continue;
#endif
        const std::string line = "cd '" + (folder / "").string() + "' && PATH='" + paths::build() +
                                 "/tools':$PATH && unset PAGER COLUMNS && { " + one.command +
                                 "; } >out 2>&1 </dev/null";
        static_cast<void>(std::system(line.c_str()));
        const std::string output = read_file(folder / "out");
        actual += "$ " + one.command + "\n" + output;
        CHECK(without_times(output) == without_times(one.output));
    }
    if (std::getenv("ACTA_PRINT_EXAMPLES") != nullptr) std::cout << actual;
}

#endif
