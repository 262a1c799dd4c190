// SPDX-License-Identifier: MIT
#include <array>
#include <cstdio>
#include <string>

#include "pysyntax/python3.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#if !defined(_WIN32)

namespace {

struct Outcome {
    std::string output;
    int status = -1;
};

Outcome run(const std::string& arguments) {
    Outcome out;
    std::FILE* const pipe = ::popen(("'" + paths::example("tool_responses") + "' " + arguments + " 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> buffer{};
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) out.output.append(buffer.data(), n);
    out.status = ::pclose(pipe);
    return out;
}

}  // namespace

TEST_CASE("the example reacts to each reply and ends with a history") {
    const Outcome out = run("< /dev/null");
    CHECK(out.status == 0);
    for (
        const char* const part :
        {"+ c1 agents_found: Found 1 agent.\n  Tide tables (marketplace): Tells the tides of a harbour. Rated 4.5.\n",
         "  needed by Tide tables: {\"credentials\":", "  missing credential noaa_key: {\"id\":\"noaa_key\"",
         "  run e1 is COMPLETED after 90 s\n  high: 04:12\n  high: 16:40\n",
         "+ c4 operation_in_progress: Still working on it.\n", "- c5 block_output: The block failed.\n",
         "  try instead: Book a flight.\n",
         R"(  not known to this client, kept as it came: {"type":"agent_cloned","message":"Cloned by a newer server.",)"
         R"("copy_of":"g-17"})",
         "! c8 4 validation errors for AgentsFoundResponse\nagents.0.id\n",
         "! c9 1 validation error for ToolResponse\n", "! 1 validation error for Line\n  Invalid JSON",
         "\n3 lines could not be read. What was done:\n", "4. Executed `create_agent()`: Saved.\n",
         "5. Executed `run_block()`: Action failed: 'The block failed.'\n",
         "7. Executed `clone_agent()`: Cloned by a newer server.\n"}) {
        CHECK_THAT(out.output, contains_text(part));
    }
}

TEST_CASE("the example reads standard input") {
    const python3::Folder folder;
    const std::string file =
        folder.write("replies", R"({"call":"c1","tool":"t","reply":{"type":"no_results","message":"None."}})"
                                "\r\n\n"
                                R"({"call":"c2","tool":"t","reply":{"type":"error"}})");
    const Outcome out = run("- < '" + file + "'");
    CHECK(out.status == 0);
    CHECK_THAT(out.output,
               starts_with_text("+ c1 no_results: None.\n! c2 1 validation error for ErrorResponse\nmessage\n"));
    CHECK_THAT(out.output, ends_with_text("1. Executed `t()`: None.\n"));
    CHECK(run("--help < /dev/null").status != 0);
}

#endif
