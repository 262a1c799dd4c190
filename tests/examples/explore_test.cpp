// SPDX-License-Identifier: MIT
#include <acta/acta.hpp>
#include <acta/view/terminal.hpp>
#include <algorithm>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "example.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "view/browser.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;

/// A folder with a text, an empty file, a file that is not text, and folders.
class SmallTree {
public:
    SmallTree() {
        folder_.write("tree/notes.txt", "first\nsecond\n");
        folder_.write("tree/empty.txt", "");
        folder_.write("tree/picture.bin", std::string("\x89PNG\0\0\xFF\xFE", 8) + std::string(2000, '\0'));
        folder_.write("tree/code/thing.py", "import os\n\nclass Thing:\n    pass\n\n\ndef main():\n    Thing()\n");
        folder_.write("tree/build/made.py", "def main():\n    pass\n");
    }
    [[nodiscard]] std::string saved() const { return (folder_.path() / "history.json").string(); }
    /// Explores the tree, by its path as a word of the command line.
    [[nodiscard]] example::Run explore(const std::string& options = {}) const {
        const std::string tree = (folder_.path() / "tree").string();
        return example::run("explore", options + " --save '" + saved() + "' '" + tree + "'", folder_.path());
    }
    [[nodiscard]] History history() const { return acta::load<History>(saved()); }

private:
    example::TemporaryFolder folder_{};
};

std::vector<std::string> calls(const History& history) {
    std::vector<std::string> out;
    for (const auto& episode : history) out.push_back(acta::to_string(episode.action.use_tool));
    return out;
}

/// The `exception_type` of the step that makes this call; empty where it did not fail.
std::string failure(const History& history, const std::string& call) {
    for (const auto& episode : history) {
        if (acta::to_string(episode.action.use_tool) != call || !episode.result) continue;
        const auto* error = std::get_if<acta::ActionErrorResult>(&*episode.result);
        if (error != nullptr && error->error) return error->error->exception_type;
    }
    return {};
}

}  // namespace

// To renew the expected text: explore --verbose --save /tmp/h.json tests/data/examples/harbour, then put <folder> and
// <file> for the two paths, <page> for that of the page, <explore> for the program and <time> for times.
TEST_CASE("Explore says the same of the same folder") {
    const example::TemporaryFolder folder;
    const std::string harbour = paths::source("tests/data/examples/harbour");
    const std::string saved = (folder.path() / "h.json").string();
    const example::Run run = example::run("explore", "--verbose --save='" + saved + "' -- '" + harbour + "'");
    CHECK(run.code == 0);
    CHECK(run.err.empty());
    const std::string real = example::fs::canonical(harbour).string();
    const std::string page = (folder.path() / "h.html").string();
    std::string out = example::replaced(run.out, saved, "<file>");
    for (const auto& [text, name] :
         {std::pair(page, "<page>"), {real, "<folder>"}, {paths::example("explore"), "<explore>"}})
        out = example::replaced(out, text, name);
    out = std::regex_replace(out, std::regex("(  | in )[0-9.]+ m?s"), "$1<time>");
    CHECK(out == example::read_file(paths::source("tests/data/examples/explore.txt")));
}

TEST_CASE("Explore answers its questions on a folder that it has never seen") {
    const SmallTree tree;
    const example::Run run = tree.explore();
    REQUIRE(run.code == 0);
    CHECK(run.err.empty());
    CHECK_THAT(run.out, contains_text("Answer: 4 files with 2080 bytes. 3 texts with 10 lines."));
    CHECK_THAT(run.out, contains_text("Answer: In code/thing.py, line 7: def main():\n"));
    CHECK_THAT(run.out, contains_text("\n  picture.bin: 2008 bytes, no text\n"));
    CHECK_THAT(run.out, contains_text("\n  empty.txt: 0 bytes, 0 lines\n"));

    const History history = tree.history();
    CHECK(failure(history, "read_file(path='README.md', lines=5)") == "FileNotFound");
    CHECK(failure(history, "read_file(path='code', lines=5)") == "IsAFolder");
    CHECK(failure(history, "read_file(path='picture.bin', lines=5)") == "NotText");
    CHECK(failure(history, "read_file(path='main.py', lines=5)") == "FileNotFound");
}

TEST_CASE("Explore prints the history that it saves") {
    const SmallTree tree;
    const example::Run run = tree.explore("--verbose");
    const History history = tree.history();
    CHECK(history.size() > 10);
    CHECK(history.cursor() == history.size());
    CHECK(example::section(run.out, "The history as a list") == history.fmt_list() + "\n");
    CHECK(example::section(run.out, "The history as paragraphs") == history.fmt_paragraph());
    CHECK(acta::Json::parse(example::section(run.out, "The JSON Schema of a proposal")) ==
          acta::schema<acta::ActionProposal<>>());
    CHECK_THAT(run.out, contains_text("\n" + std::to_string(history.size()) + " steps: "));
    CHECK_THAT(run.out, contains_text("The record is the same after JSON and back."));
    std::string shown;
    acta::to_terminal(history, [&shown](std::string_view text) { shown += text; });
    CHECK(example::section(run.out, "The history in the terminal") == shown);
    for (std::size_t i = 0; i < history.size(); ++i) {
        CHECK_THAT(run.out, contains_text("\nStep " + std::to_string(i + 1) + ": " +
                                          acta::to_string(history[i].action.use_tool) + "\n"));
    }
}

TEST_CASE("Explore takes no step twice: what it has seen it knows") {
    const SmallTree tree;
    REQUIRE(tree.explore("--question 'what are the largest files' --question 'what is in here?'").code == 0);
    std::vector<std::string> all = calls(tree.history());
    const auto sizes = std::count(all.begin(), all.end(), "file_sizes(folder='.')");
    CHECK(sizes == 1);
    CHECK(all.front() == "file_sizes(folder='.')");
    std::sort(all.begin(), all.end());
    CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
}

TEST_CASE("Explore finds a definition by its name") {
    const SmallTree tree;
    const example::Run found = tree.explore("--question 'where is Thing defined?'");
    CHECK(found.code == 0);
    CHECK_THAT(found.out, contains_text("Answer: In code/thing.py, line 3: class Thing:\n"));
    const example::Run missing = tree.explore("--question='where is Nothing defined'");
    CHECK(missing.code == 0);
    CHECK_THAT(missing.out, contains_text("Answer: I found no definition of Nothing.\n"));
}

TEST_CASE("A step of explore can be interrupted with feedback") {
    const SmallTree tree;
    const example::Run run = tree.explore("--interrupt-at 2 --feedback 'Not that; it is \"secret\".'");
    CHECK(run.code == 0);
    CHECK_THAT(run.out, contains_text("  interrupted_by_human: Not that; it is \"secret\".\n"));
    const History history = tree.history();
    REQUIRE(history.size() > 3);
    REQUIRE(history[1].result);
    CHECK(*history[1].result ==
          acta::ActionResult(acta::ActionInterruptedByHuman{.feedback = "Not that; it is \"secret\"."}));
    CHECK_THAT(history[2].action.thoughts,
               starts_with_text("The user says: \"Not that; it is \"secret\".\", so I leave"));
    CHECK_THAT(history[3].action.thoughts, !starts_with_text("The user says"));
    CHECK(std::ranges::distance(history.with_status(acta::ResultStatus::interrupted_by_human)) == 1);
}

TEST_CASE("Explore says when there was no step to interrupt") {
    const SmallTree tree;
    const example::Run run = tree.explore("--question 'what are the largest files' --interrupt-at 99");
    CHECK(run.code == 0);
    CHECK(run.err == "explore: there was no step 99 to interrupt\n");
    const auto history = tree.history();
    CHECK(std::ranges::distance(history.with_status(acta::ResultStatus::interrupted_by_human)) == 0);
}

TEST_CASE("Every step of explore can be the interrupted one") {
    const SmallTree tree;
    REQUIRE(tree.explore().code == 0);
    const std::size_t steps = tree.history().size();
    for (std::size_t i = 1; i <= steps; ++i) {
        const example::Run run = tree.explore("--interrupt-at " + std::to_string(i));
        INFO("step " << i << "\n" << run.err);
        CHECK(run.code == 0);
        const auto history = tree.history();
        CHECK(std::ranges::distance(history.with_status(acta::ResultStatus::interrupted_by_human)) == 1);
    }
}

TEST_CASE("Explore ends in ten lines, and leaves nothing behind that nobody asked for") {
    const example::TemporaryFolder folder;
    folder.write("tree/a.txt", "a\n");
    folder.write("tmp/.keep", "");
    const example::Run run =
        example::run("explore", "tree", folder.path(), "TMPDIR=" + (folder.path() / "tmp").string());
    REQUIRE(run.code == 0);
    const std::string end = run.out.substr(run.out.find("\n=== Explored ") + 1);
    CHECK(std::ranges::count(end, '\n') <= 10);
    CHECK_THAT(end, contains_text(" failed, 0 interrupted. The record is the same after JSON and back.\n"));
    CHECK_THAT(end, contains_text("\nErrors: read_file: FileNotFound (step "));
    CHECK_THAT(end, contains_text("\nTry also:\n  " + paths::example("explore") + " --verbose '"));
    CHECK_THAT(run.out, !contains_text("The JSON Schema"));
    std::size_t files = 0;
    for (const auto& entry : example::fs::recursive_directory_iterator(folder.path())) files += entry.is_regular_file();
    CHECK(files == 2);
    const example::Run paged = example::run("explore", "--page run.html tree", folder.path());
    CHECK_THAT(paged.out, contains_text("\nThe page of the run, for a browser: run.html\n"));
    CHECK_THAT(example::read_file(folder.path() / "run.html"), ends_with_text("</html>\n"));
}

TEST_CASE("Explore explores the current folder by default") {
    const example::TemporaryFolder folder;
    folder.write("only_this.txt", "a\n");
    const example::Run run = example::run("explore", "--save ../acta_example.json", folder.path());
    CHECK(run.code == 0);
    CHECK_THAT(run.out, starts_with_text("Exploring " + folder.path().string() + "\n"));
    CHECK_THAT(run.out, contains_text("only_this.txt"));
    example::fs::remove(folder.path().parent_path() / "acta_example.json");
}

TEST_CASE("Explore explains itself, and what is wrong with its command line") {
    const example::Run help = example::run("explore", "--help");
    CHECK(help.code == 0);
    CHECK_THAT(help.out, starts_with_text("Usage: explore [options] [FOLDER]\n"));
    CHECK(help.err.empty());

    const auto refused = [](const std::string& arguments, const std::string& why) {
        const example::Run run = example::run("explore", arguments);
        INFO(arguments);
        CHECK(run.code == 2);
        CHECK(run.out.empty());
        CHECK_THAT(run.err, starts_with_text("explore: " + why));
        CHECK_THAT(run.err, contains_text("\nUsage: explore"));
    };
    refused("--colour red", "unknown option --colour");
    refused("--colour", "unknown option, or one without its value: --colour");
    refused("--save", "unknown option, or one without its value: --save");
    refused("--interrupt-at 0", "--interrupt-at wants a number from 1, not '0'");
    refused("--interrupt-at 2x", "--interrupt-at wants a number from 1, not '2x'");
    refused("--interrupt-at 99999999999999999999", "--interrupt-at wants a number");
    refused("--pause -1", "--pause wants a number from 0");
    refused("--feedback hm", "--feedback needs --interrupt-at");
    refused("--question 'why?'", "no plan answers the question 'why?'");
    refused("--question 'where is  defined'", "no plan answers");
    refused("one two", "more than one folder: two");
}

TEST_CASE("Explore fails where there is no folder, and where it cannot save") {
    const example::TemporaryFolder folder;
    folder.write("file.txt", "a\n");
    const example::Run missing = example::run("explore", "there/is/none", folder.path());
    CHECK(missing.code == 1);
    CHECK(missing.out.empty());
    CHECK_THAT(missing.err, contains_text("there/is/none"));
    CHECK(example::run("explore", "file.txt", folder.path()).code == 1);
    const example::Run unsaved = example::run("explore", "--save none/history.json .", folder.path());
    CHECK(unsaved.code == 1);
    CHECK_THAT(unsaved.err, contains_text("Cannot write 'none/history.json'"));
    const example::Run no_page = example::run("explore", "--save h.json --page none/page.html .", folder.path());
    CHECK(no_page.code == 1);
    CHECK_THAT(no_page.err, contains_text("Cannot write 'none/page.html'"));
}

// With ACTA_TEST_PICTURE=docs/pictures/page.png this makes the picture of the README.
TEST_CASE("The page of explore opens in a browser") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    const example::TemporaryFolder folder;
    const std::string page = (folder.path() / "run.html").string();
    const example::Run run = example::run("explore", "--save '" + (folder.path() / "h.json").string() + "' --page '" +
                                                         page + "' --interrupt-at 7 --feedback 'Not now.' '" +
                                                         paths::source("tests/data/examples/harbour") + "'");
    REQUIRE(run.code == 0);
    CHECK(browser::failures(example::read_file(page), "explored") == "");
}

TEST_CASE("On this repository explore meets all three failures") {
    const example::TemporaryFolder folder;
    const std::string saved = (folder.path() / "h.json").string();
    const example::Run run = example::run("explore", "--save '" + saved + "'", paths::source());
    REQUIRE(run.code == 0);
    for (const char* type : {"FileNotFound", "IsAFolder", "NotText"}) CHECK_THAT(run.out, contains_text(type));
}
