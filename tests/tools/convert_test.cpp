// SPDX-License-Identifier: MIT
#include <acta/interop/trajectory.hpp>
#include <acta/json/json.hpp>
#include <string>

#include "command.hpp"
#include "support/catch.hpp"

using command::word;

TEST_CASE("A run is converted to each format, and is the same run there") {
    const TempFolder folder;
    for (const auto& [to, format] :
         {std::pair{"openai", acta::TrajectoryFormat::openai},
          std::pair{"anthropic", acta::TrajectoryFormat::anthropic}, std::pair{"atif", acta::TrajectoryFormat::atif},
          std::pair{"acta", acta::TrajectoryFormat::acta}}) {
        CAPTURE(to);
        const std::string file = word(folder / to);
        const auto converted =
            command::acta(std::string("convert --to ") + to + " -o " + file + " " + command::sample());
        CHECK(converted.code == 0);
        CHECK(converted.out.empty());
        CHECK(converted.err.empty());
        CHECK(acta::load_trajectory(folder / to).format == format);
        CHECK(command::acta("diff -q " + command::sample() + " " + file).code == 0);
    }
    CHECK(folder.files() == 4);
}

TEST_CASE("A conversion goes to standard output, or takes the place of a file at once") {
    const TempFolder folder;
    const auto out = command::acta("convert --to acta " + command::sample());
    CHECK(acta::parse<acta::EpisodicActionHistory<>>(out.out).size() == 5);
    CHECK(command::acta("convert --to acta -o - " + command::sample()).out == out.out);

    write_file(folder / "old.json", "old");
    CHECK(command::acta("convert --to acta -o " + word(folder / "old.json") + " " + word(folder / "none")).code == 3);
    CHECK(read_file(folder / "old.json") == "old");
    CHECK(command::acta("convert --to acta -o " + word(folder / "old.json") + " " + command::sample()).code == 0);
    CHECK(read_file(folder / "old.json") == out.out);

    const auto nowhere = command::acta("convert --to acta -o " + word(folder / "no/where") + " " + command::sample());
    CHECK(nowhere.code == 4);
    CHECK_THAT(nowhere.err, contains_text("No such file or directory"));
    const auto unknown = command::acta("convert --to yaml " + command::sample());
    CHECK(unknown.code == 2);
    CHECK_THAT(unknown.err, contains_text("'yaml' is not one of openai, anthropic, atif, acta"));
}
