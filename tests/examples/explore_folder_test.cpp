// SPDX-License-Identifier: MIT

// The parts of the demo by themselves, on folders that mean no good.
#include <acta/acta.hpp>
#include <string>
#include <variant>

#include "../../examples/explore/plan.hpp"
#include "../../examples/explore/questions.hpp"
#include "../../examples/explore/toolbox.hpp"
#include "example.hpp"
#include "support/catch.hpp"

#if !defined(_WIN32)
#include <sys/stat.h>
#endif

namespace {

namespace fs = std::filesystem;

std::string failure(const acta::ActionResult& result) {
    const auto* error = std::get_if<acta::ActionErrorResult>(&result);
    return error != nullptr && error->error ? error->error->exception_type : "";
}

}  // namespace

TEST_CASE("A path survives as text") {
    for (const std::string name :
         {"plain.txt", "two words", "gr\xC3\xBC\xC3\x9F.txt", "bad\xFF\xC3.txt", "back\\slash", "back\\x41",
          "new\nline\x1B[31m", "c1\xC2\x9B", "\\", "\\x", "tab\t", "\xF0\x9F\x8C\x8A"}) {
        const std::string text = explore::path_text(fs::path(name));
        INFO(text);
        CHECK(acta::utf8::is_valid(text));
        CHECK(text.find_first_of("\n\x1B\t") == std::string::npos);
        CHECK(explore::path_from_text(text) == fs::path(name));
    }
    CHECK(explore::path_text(fs::path("bad\xFF")) == "bad\\xFF");
}

TEST_CASE("A folder shows nothing from outside of it") {
    const example::TemporaryFolder outer;
    outer.write("secret.txt", "secret\n");
    outer.write("inner/a.txt", "a\n");
    outer.write("inner-too/b.txt", "b\n");
    fs::create_symlink("../secret.txt", outer.path() / "inner/link.txt");
    fs::create_symlink("a.txt", outer.path() / "inner/good.txt");
    const explore::Folder folder(outer.path() / "inner");
    const std::string absolute = (outer.path() / "secret.txt").string();
    for (const std::string& path : {std::string("../secret.txt"), std::string("link.txt"), absolute, std::string(".."),
                                    std::string("../inner-too/b.txt"), std::string("none/../../secret.txt")}) {
        INFO(path);
        CHECK_THROWS_AS(folder.read(path), explore::OutsideOfFolder);
        CHECK_THROWS_AS(folder.names(path), explore::OutsideOfFolder);
    }
    CHECK(folder.read("good.txt") == "a\n");
    CHECK(folder.read("../inner/a.txt") == "a\n");
    CHECK_THROWS_AS(folder.read(std::string("a.txt\0b", 7)), explore::FileNotFound);
    CHECK_THROWS_AS(folder.read(std::string(100'000, 'x')), explore::Unreadable);
    CHECK_THROWS_AS(folder.names("a.txt"), explore::NotAFolder);
    CHECK_THROWS_AS(explore::Folder(outer.path() / "none"), fs::filesystem_error);
    CHECK_THROWS_AS(explore::Folder(outer.path() / "secret.txt"), fs::filesystem_error);
}

TEST_CASE("A walk has an end and an order") {
    const example::TemporaryFolder outer;
    for (const char* name : {"b.txt", "a/2.txt", "a/1.txt", "B.txt", ".git/config", "build/x.txt", "out/CMakeCache.txt",
                             "venv/CACHEDIR.TAG", ".hidden/h.txt"})
        outer.write(name, "x\n");
    fs::create_directory_symlink("..", outer.path() / "a/loop");
    fs::create_symlink("itself", outer.path() / "itself");
    fs::path deep = "deep";
    for (int i = 0; i < 60; ++i) deep /= "d";
    outer.write(deep / "bottom.txt", "x\n");

    const explore::Folder folder(outer.path());
    const explore::Walk walk = folder.walk(".");
    std::string names;
    for (const explore::FoundFile& file : walk.files) names += explore::path_text(file.path) + " ";
    CHECK(names == ".hidden/h.txt B.txt a/1.txt a/2.txt b.txt ");
    CHECK(walk.left_out == 3);  // two links, and what is too deep
    CHECK_THROWS_AS(folder.read("itself"), explore::Unreadable);
    CHECK_THROWS_AS(folder.walk("none"), explore::FileNotFound);
}

#if !defined(_WIN32)
TEST_CASE("Pipes, odd names and large files do not stop the tools") {
    const example::TemporaryFolder outer;
    REQUIRE(::mkfifo((outer.path() / "pipe").c_str(), 0600) == 0);
    outer.write("odd\xFF\n.txt", "find me\n");
    outer.write("escape.txt", "\x1B[31mfind me\xC2\x9B\n");
    outer.write("long.txt", std::string(100'000, 'x') + " find me\n");
    outer.write("large.txt", "");
    fs::resize_file(outer.path() / "large.txt", explore::max_file_bytes + 1);  // zero bytes
    const explore::Folder folder(outer.path());
    const acta::SkillRegistry tools = explore::folder_tools(folder);

    CHECK(failure(tools.call({"read_file", {{"path", "pipe"}}})) == "Unreadable");
    const acta::ActionResult found = tools.call({"search_text", {{"text", "find me"}}});
    const auto matches = explore::outputs<explore::TextMatches>(found);
    REQUIRE(matches);
    REQUIRE(matches->matches.size() == 3);
    CHECK(matches->matches[0].text == "\\x1B[31mfind me\\xC2\\x9B");
    CHECK(matches->matches[1].text == std::string(160, 'x') + "...");
    CHECK(matches->matches[2].path == "odd\\xFF\\x0A.txt");
    CHECK(matches->files_left_out == 2);
    const auto again = tools.call({"read_file", {{"path", matches->matches[2].path}}});
    CHECK(again == acta::ActionResult(acta::ActionSuccessResult{.outputs = "find me"}));
    CHECK_NOTHROW(acta::dump(found));
    CHECK(failure(tools.call({"count_lines", {{"path", "large.txt"}}})) == "NotText");
}
#endif

TEST_CASE("Tools check what they are given") {
    const example::TemporaryFolder outer;
    outer.write("a.txt", "one\r\ntwo two2\nthree");
    outer.write("empty.txt", "");
    const explore::Folder folder(outer.path());
    const acta::SkillRegistry tools = explore::folder_tools(folder);
    const auto text = [&tools](acta::JsonObject arguments) {
        return acta::to_string(tools.call({"read_file", std::move(arguments)}));
    };
    CHECK(text({{"path", "a.txt"}, {"lines", 1}}) == "one");
    CHECK(text({{"path", "a.txt"}, {"first_line", 3}}) == "three");
    CHECK(text({{"path", "a.txt"}, {"first_line", 4}}) == "Action failed: ''a.txt' has only 3 lines'");
    CHECK(text({{"path", "a.txt"}, {"first_line", 9223372036854775807}}) ==
          "Action failed: ''a.txt' has only 3 lines'");
    CHECK(text({{"path", "empty.txt"}}).empty());
    CHECK(failure(tools.call({"read_file", {}})) == "InvalidArguments");
    CHECK(failure(tools.call({"read_file", {{"path", "a.txt"}, {"lines", 0}}})) == "InvalidArguments");
    CHECK(failure(tools.call({"read_file", {{"path", "a.txt"}, {"encoding", "latin1"}}})) == "InvalidArguments");
    CHECK(failure(tools.call({"search_text", {{"text", "a\nb"}}})) == "invalid_argument");
    CHECK(failure(tools.call({"format_disk", {}})) == "SkillNotFound");

    const auto found = [&tools](const char* wanted, bool whole_words) {
        acta::AssistantFunctionCall call{"search_text", {{"text", wanted}, {"whole_words", whole_words}}};
        return explore::outputs<explore::TextMatches>(tools.call(call)).value().matches.size();
    };
    CHECK(found("two2", true) == 1);
    CHECK(found("wo", false) == 1);
    CHECK(found("wo", true) == 0);
    CHECK(found("thre", true) == 0);
    for (const acta::ToolDefinition& tool : acta::tools(tools)) CHECK(tool.parameters.contains("properties"));
}

TEST_CASE("A plan goes on from a loaded history") {
    const example::TemporaryFolder outer;
    outer.write("a.txt", "a\n");
    const explore::Folder folder(outer.path());
    const acta::SkillRegistry tools = explore::folder_tools(folder);
    const explore::Question question = explore::find_question("what is in here").value();
    explore::History history;
    std::string answer;
    for (int i = 0; i < 50 && answer.empty(); ++i) {
        history = acta::parse<explore::History>(acta::dump(history));  // as if the agent had been started anew
        explore::Plan plan(history);
        question.plan(plan);
        answer = plan.answer();
        if (!plan.proposal()) continue;
        history.register_action(*plan.proposal());
        history.register_result(tools.call(plan.proposal()->use_tool));
    }
    CHECK_THAT(answer, starts_with_text("1 file with 2 bytes. 1 text with 1 line."));
    CHECK(history.size() == 4);
}
