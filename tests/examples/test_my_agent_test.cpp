// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <filesystem>
#include <string>

#include "example.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

namespace fs = std::filesystem;

namespace {

/// A copy of the recordings.
void copy_recordings(const example::TemporaryFolder& to) {
    for (const auto& file : fs::directory_iterator(paths::source("examples/test_my_agent")))
        fs::copy_file(file.path(), to.path() / file.path().filename());
}

std::string word(const fs::path& path) { return "\"" + path.string() + "\""; }

}  // namespace

TEST_CASE("The tests of an agent pass on their recordings") {
    const example::Run run = example::run("test_my_agent", word(paths::source("examples/test_my_agent")));
    CHECK(run.code == 0);
    CHECK(run.err.empty());
    CHECK_THAT(run.out, contains_text("passed: the pilot answers: answered"));
    CHECK_THAT(run.out, contains_text("passed: a tool that returns something else is noticed: step 1: "
                                      "/results/1/outputs: expected 4.2, found 4.5"));
    CHECK_THAT(run.out, !contains_text("FAILED"));
}

TEST_CASE("The tests of an agent fail where its recordings do not fit") {
    const example::TemporaryFolder folder;
    SECTION("the golden run is another") {
        copy_recordings(folder);
        const fs::path golden = folder.path() / "pilot.golden.json";
        folder.write("pilot.golden.json", example::replaced(example::read_file(golden), "Brest", "Roscoff"));
        const example::Run run = example::run("test_my_agent", word(folder.path()));
        CHECK(run.code == 1);
        CHECK_THAT(run.out, contains_text("FAILED: as before"));
        CHECK_THAT(run.out, contains_text("passed: the tools return what they did"));
    }
    SECTION("the recording was changed") {
        copy_recordings(folder);
        const fs::path file = folder.path() / "pilot.jsonl";
        folder.write("pilot.jsonl", example::replaced(example::read_file(file), "4.2 m at the pier", "9 m"));
        const example::Run run = example::run("test_my_agent", word(folder.path()));
        CHECK(run.code == 1);
        CHECK_THAT(run.out, contains_text("pilot.jsonl', line 17: the answer"));
    }
    SECTION("it is not there") {
        const example::Run run = example::run("test_my_agent", word(folder.path()));
        CHECK(run.code == 1);
        CHECK_THAT(run.out, contains_text("pilot.jsonl"));
    }
    SECTION("it is to be made where CI is set") {
        const example::Run run =
            example::run("test_my_agent", word(folder.path()) + " --record", fs::current_path(), "CI=true");
        CHECK(run.code == 1);
        CHECK_THAT(run.out, contains_text("is not recorded where the environment has CI"));
    }
}

TEST_CASE("The recordings of the tests of an agent are made as they are") {
    const example::TemporaryFolder folder;
    const example::Run run = example::run("test_my_agent", word(folder.path()) + " --record", fs::current_path(),
                                          "CI= ACTA_UPDATE_GOLDEN=1");
    CHECK(run.code == 0);
    for (const char* const name : {"pilot.jsonl", "pilot.golden.json"})
        CHECK(example::read_file(folder.path() / name) ==
              example::read_file(paths::source("examples/test_my_agent/" + std::string(name))));
    CHECK(example::run("test_my_agent").code == 2);
}
