// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "support/catch.hpp"

namespace {

const std::vector<std::string> subcommands = {"show",   "html", "convert", "trace", "diff",
                                              "replay", "list", "tail",    "fork",  "prune"};

/// The options in the help of a subcommand, without their hyphens: `errors`, `o`.
std::set<std::string> options_of(const std::string& subcommand) {
    std::istringstream lines(command::acta(subcommand + " --help").out);
    std::set<std::string> out;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("  -")) continue;
        std::ranges::replace(line, ',', ' ');
        std::istringstream words(line);
        for (std::string word; words >> word && word.starts_with('-');)
            out.insert(word.substr(word.find_first_not_of('-')));
    }
    return out;
}

std::string hyphens(const std::string& option) { return option.size() == 1 ? "-" : "--"; }

/// The part of a text from one place to the next.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
    const std::size_t at = text.find(begin);
    if (at == std::string::npos) return {};
    return text.substr(at, text.find(end, at + begin.size()) - at) + " ";
}

bool has_word(const std::string& text, const std::string& word) {
    constexpr std::string_view inside = "abcdefghijklmnopqrstuvwxyz-";
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const char next = at + word.size() < text.size() ? text[at + word.size()] : ' ';
        if (inside.find(next) == std::string_view::npos &&
            (at == 0 || inside.find(text[at - 1]) == std::string_view::npos))
            return true;
    }
    return false;
}

/// Whether a program is there and accepts a file; also true if it is not there.
bool accepts(const std::string& program, const std::string& arguments, const std::string& file) {
    if (std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) != 0) return true;
    return std::system((program + " " + arguments + " '" + file + "' >&2").c_str()) == 0;
}

std::string tool_file(const std::string& name) { return paths::source("tools/" + name); }

}  // namespace

TEST_CASE("Each option stands in the manual and in the completions of each shell") {
    const std::string man = read_file(tool_file("acta.1"));
    const std::string bash = read_file(tool_file("completions/acta.bash"));
    const std::string zsh = read_file(tool_file("completions/_acta"));
    const std::string fish = read_file(tool_file("completions/acta.fish"));
    for (const std::string& subcommand : subcommands) {
        CAPTURE(subcommand);
        const std::set<std::string> options = options_of(subcommand);
        CHECK(options.contains("help"));
        CHECK(options.size() > 2);
        const std::string section = between(man, "\n.It Cm " + subcommand + " ", "\n.It Cm ");
        const std::string words = between(bash, "\n        " + subcommand + ") ", ";;");
        CHECK_THAT(zsh, contains_text("'" + subcommand + ":"));
        CHECK_THAT(fish, contains_text(" -a " + subcommand + " "));
        for (const std::string& option : options) {
            CAPTURE(option);
            const bool is_short = option.size() == 1;
            const bool is_help = option == "h" || option == "help";
            CHECK(has_word(is_help ? man : section, is_short ? "Fl " + option : "Fl -" + option));
            if (!is_short) CHECK(has_word(words, "--" + option));
            CHECK(has_word(zsh, hyphens(option) + option));
            CHECK(has_word(fish, (is_short ? "-s " : "-l ") + option));
        }
    }
    for (const std::string& text : {man, bash, zsh, fish}) CHECK_THAT(text, contains_text("version"));
}

TEST_CASE("Manual and completions have no mistakes that their programs find") {
    CHECK(accepts("mandoc", "-T lint -W warning", tool_file("acta.1")));
    CHECK(accepts("bash", "-n", tool_file("completions/acta.bash")));
    CHECK(accepts("zsh", "-n", tool_file("completions/_acta")));
    CHECK(accepts("fish", "-n", tool_file("completions/acta.fish")));
}

TEST_CASE("The completion of bash offers commands, options and values") {
    if (std::system("command -v bash >/dev/null 2>&1") != 0) ACTA_SKIP("there is no bash");
    const TempFolder folder;
    const auto complete = [&](const std::string& words) {
        const std::string script = "source '" + tool_file("completions/acta.bash") + "'; COMP_WORDS=(acta " + words +
                                   "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _acta; echo \"${COMPREPLY[*]}\"";
        write_file(folder / "script", script);
        static_cast<void>(
            std::system(("bash '" + (folder / "script").string() + "' >'" + (folder / "out").string() + "'").c_str()));
        return read_file(folder / "out");
    };
    CHECK(complete("sh") == "show\n");
    CHECK(complete("show --e") == "--errors\n");
    CHECK(complete("convert --to a") == "anthropic atif acta\n");
    CHECK(complete("show --color ''") == "auto always never\n");
    CHECK(complete("prune --y") == "--yes\n");
}
