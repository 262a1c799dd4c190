// SPDX-License-Identifier: MIT
#include <filesystem>
#include <string>

#include "command.hpp"
#include "support/catch.hpp"

#if __has_include(<acta/view/html.hpp>)

using command::Outcome;
using command::word;

TEST_CASE("The command writes a page, which takes the place of an older one at once") {
    const TempFolder folder;
    write_file(folder / "run.html", "old");
    const std::string page = word(folder / "run.html");
    CHECK(command::acta("html -o " + page + " " + word(folder / "none.json")).code == 3);
    CHECK(read_file(folder / "run.html") == "old");

    const Outcome written = command::acta("html --title 'The Marie' -o " + page + " " + command::sample());
    CHECK(written.code == 0);
    CHECK(written.out.empty());
    CHECK(written.err.empty());
    CHECK_THAT(read_file(folder / "run.html"), starts_with_text("<!doctype html>"));
    CHECK_THAT(read_file(folder / "run.html"), contains_text("The Marie"));
    CHECK(folder.files() == 1);
    CHECK(command::acta("html --title 'The Marie' -o - " + command::sample()).out == read_file(folder / "run.html"));
}

TEST_CASE("A page that cannot be written is an error") {
    CHECK(command::acta("html " + command::sample()).code == 2);
    CHECK(command::acta("html -o /dev/full " + command::sample()).code == 4);
    CHECK(command::acta("html -o - " + command::sample() + " >/dev/full").code == 4);
    CHECK(command::acta("html -o /no/where.html " + command::sample()).code == 4);
}

TEST_CASE("A run is not written over by its own page or conversion, also through a link") {
    const TempFolder folder;
    acta::save(command::three_days(), folder / "run.json");
    const std::string before = read_file(folder / "run.json");
    std::filesystem::create_symlink("run.json", folder / "link.json");
    std::filesystem::create_hard_link(folder / "run.json", folder / "hard.json");
    const std::string run = word(folder / "run.json");
    for (const char* const name : {"run.json", "link.json", "hard.json", "../"}) {
        std::filesystem::path out = folder / name;
        if (std::string(name) == "../") out = (folder / ".") / "run.json";
        const Outcome refused = command::acta("html -o " + word(out) + " " + run);
        CHECK(refused.code == 2);
        CHECK_THAT(refused.err, contains_text("is the run that is read"));
        CHECK(command::acta("convert --to atif -o " + word(out) + " " + run).code == 2);
    }
    CHECK(read_file(folder / "run.json") == before);
}

TEST_CASE("A page hides secrets and cuts outputs where it is asked to") {
    const TempFolder folder;
    auto history = command::three_days();
    command::add_step(history, "api_key=tide-99 " + std::string(3000, 'x'));
    acta::save(history, folder / "run.json");
    const std::string run = word(folder / "run.json");
    CHECK_THAT(command::acta("html -o - " + run).out, contains_text("tide-99"));
    CHECK_THAT(command::acta("html --mask-secrets -o - " + run).out, !contains_text("tide-99"));
    CHECK_THAT(command::acta("html -o - " + run).out, contains_text(std::string(3000, 'x')));
    CHECK_THAT(command::acta("html --max-output-bytes 500 -o - " + run).out, !contains_text(std::string(600, 'x')));
}

#endif
