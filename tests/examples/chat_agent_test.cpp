// SPDX-License-Identifier: MIT
#include <acta/acta.hpp>
#include <string>

#include "example.hpp"
#include "support/catch.hpp"
#include "support/lvalue.hpp"

#if !defined(_WIN32)
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "provider/openai/aimock.hpp"
#include "support/paths.hpp"
#if defined(EXAMPLES_HAVE_SQLITE)
#include <acta/store/json.hpp>
#include <acta/store/sqlite/store.hpp>
#endif

namespace {

using History = acta::EpisodicActionHistory<>;

const std::string key = "sk-example-0123456789";

/// Why there is nothing to test; a model's server is needed, and the program `name`.
std::optional<std::string> problem(const std::string& name) {
    if (!example::fs::exists(paths::example(name))) return name + " was built without libcurl";
    return aimock::problem();
}

/// The answers of a model, one for each number of answers before it.
acta::Json fixtures(const char* text) {
    ::setenv("OPENAI_API_KEY", key.c_str(), 1);
    return acta::Json::parse(text);
}

/// A folder with something in it, and a history beside it.
class Workplace {
public:
    Workplace() {
        folder_.write("here/notes.txt", "high tide at six\n");
        folder_.write("here/more/boats.txt", "seven boats\n");
        folder_.write("secret.txt", "nothing for models\n");
    }
    [[nodiscard]] example::fs::path here() const { return folder_.path() / "here"; }
    [[nodiscard]] example::fs::path saved() const { return folder_.path() / "history.json"; }
#if defined(EXAMPLES_HAVE_SQLITE)
    [[nodiscard]] History history() const {
        acta::sqlite::Store store(saved());
        return acta::parse<History>(acta::export_json(store, "chat"));
    }
    void set_history(const History& history) const {
        example::fs::remove(saved());
        acta::sqlite::Store store(saved());
        acta::import_json(store, "chat", acta::dump(history));
    }
#else
    [[nodiscard]] History history() const { return acta::load<History>(saved()); }
    void set_history(const History& history) const { acta::save(history, saved()); }
#endif
    /// Runs the agent until it has said `last`, and then kills it.
    void killed_agent(const aimock::Server& server, const std::string& task, const std::string& last) const {
        int in[2];
        int out[2];
        REQUIRE(pipe(in) == 0);
        REQUIRE(pipe(out) == 0);
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            dup2(in[0], 0);
            dup2(out[1], 1);
            if (chdir(here().c_str()) != 0) _exit(3);
            execl(paths::example("chat_agent").c_str(), "chat_agent", server.url().c_str(), "gpt-4", saved().c_str(),
                  task.c_str(), static_cast<char*>(nullptr));
            _exit(4);
        }
        close(out[1]);
        std::string said;
        char byte = 0;
        while (said.find(last) == std::string::npos && read(out[0], &byte, 1) == 1) said += byte;
        CHECK_THAT(said, contains_text(last));
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(WIFSIGNALED(status));
        for (const int end : {in[0], in[1], out[0]}) close(end);
    }
    /// Runs the agent with a person who types `replies`.
    [[nodiscard]] example::Run agent(const aimock::Server& server, const std::string& task,
                                     const std::string& replies = {}) const {
        folder_.write("replies", replies);
        return example::run("chat_agent",
                            server.url() + " gpt-4 '" + saved().string() + "' '" + task + "' <'" +
                                (folder_.path() / "replies").string() + "'",
                            here());
    }
    [[nodiscard]] History explored() const { return acta::load<History>(saved()); }
    [[nodiscard]] example::Run explore(const aimock::Server& server, const std::string& options) const {
        return example::run(
            "explore",
            "--model " + server.url() + " --model-name gpt-4 --save '" + saved().string() + "' " + options + " .",
            here());
    }

private:
    example::TemporaryFolder folder_{};
};

std::string status(const History& history, std::size_t i) {
    return history.at(i).result ? std::string(to_string(acta::status(*history.at(i).result))) : "open";
}

const char* const whole_run = R"({"fixtures": [
    {"match": {"turnIndex": 0}, "response": {"content": "I look around.",
        "toolCalls": [{"id": "c0", "name": "read_file", "arguments": {"path": "."}}]}},
    {"match": {"turnIndex": 1, "toolResultContains": "notes.txt"}, "response": {"content": "I read both.",
        "toolCalls": [{"id": "c1", "name": "read_file", "arguments": {"path": "notes.txt"}},
                      {"id": "c2", "name": "read_file", "arguments": {"path": "more/boats.txt"}}]}},
    {"match": {"turnIndex": 2, "toolCallId": "c2", "toolResultContains": "seven boats"}, "response": {
        "toolCalls": [{"id": "c3", "name": "read_file", "arguments": {"path": "../secret.txt"}}]}},
    {"match": {"turnIndex": 3, "toolCallId": "c3", "toolResultContains": "is not below here"}, "response": {
        "toolCalls": [{"id": "c4", "name": "read_files", "arguments": {}}]}},
    {"match": {"turnIndex": 4, "toolResultContains": "not found"}, "response": {
        "toolCalls": [{"id": "c5", "name": "write_file", "arguments": {"path": "a.txt", "text": "at six"}}]}},
    {"match": {"turnIndex": 5}, "response": {
        "toolCalls": [{"id": "c6", "name": "write_file", "arguments": {"path": "b.txt", "text": "seven"}}]}},
    {"match": {"turnIndex": 6}, "response": {"content": "At six, with seven boats."}}
]})";

}  // namespace

TEST_CASE("The agent calls tools until it has an answer, asks before it writes, and keeps its record") {
    if (const auto why = problem("chat_agent")) ACTA_SKIP(*why);
    const aimock::Server server(fixtures(whole_run), key);
    const Workplace place;
    const example::Run run = place.agent(server, "When is high tide?", "y\nNot b.txt.\n");
    INFO(run.err);
    REQUIRE(run.code == 0);
    CHECK_THAT(run.out, starts_with_text("I look around.\nread_file(path='.')\nI read both.\n"));
    CHECK_THAT(run.out, contains_text("\nread_file(path='../secret.txt')\n\nread_files()\n"));
    CHECK_THAT(run.out,
               contains_text("\nwrite_file(path='a.txt', text='at six')\nMay it? Say y, or what to do instead: "
                             "\nwrite_file(path='a.txt', text='at six')\n"));
    CHECK_THAT(run.out, ends_with_text("At six, with seven boats."));
    CHECK(example::read_file(place.here() / "a.txt") == "at six");
    CHECK_FALSE(example::fs::exists(place.here() / "b.txt"));
    const History history = place.history();
    REQUIRE(history.size() == 6);
    CHECK(history[1].tool_results.size() == 2);
    for (const std::size_t i : {0U, 1U, 4U}) CHECK(status(history, i) == "success");
    for (const std::size_t i : {2U, 3U}) CHECK(status(history, i) == "error");
    CHECK_THAT(acta::to_string(*history[5].result), contains_text("Not b.txt."));
    REQUIRE(history.answer() != nullptr);
    CHECK(history.answer()->content == "At six, with seven boats.");
    REQUIRE(history.messages().size() == 2);
    CHECK(history.messages()[0].message == acta::ChatMessage::user("When is high tide?"));
    for (const auto& step : history.episodes()) {
        REQUIRE(step.metrics);
        CHECK(step.metrics->prompt_tokens.value_or(0) > 0);
        CHECK(step.metrics->completion_tokens.value_or(0) > 0);
        CHECK(step.metrics->duration().has_value());
    }
    CHECK(run.err == "\nanswered; " + acta::to_string(acta::totals(history)) + "\n");
    CHECK_THAT(run.err, starts_with_text("\nanswered; 6 steps in "));
    CHECK(example::read_file(place.saved()).find(key) == std::string::npos);
}

TEST_CASE("The agent continues where it was stopped, also in the middle of a step") {
    if (const auto why = problem("chat_agent")) ACTA_SKIP(*why);
    const Workplace place;
    {
        // A server that fails after two answers.
        acta::Json some = fixtures(whole_run);
        auto& list = some["fixtures"];
        while (list.size() > 2) list.erase(list.size() - 1);
        const aimock::Server server(some, key);
        const example::Run run = place.agent(server, "When is high tide?");
        CHECK(run.code == 1);
        CHECK_THAT(run.err, starts_with_text("\nfailed: no answer from http://127.0.0.1:"));
        CHECK_THAT(run.err, contains_text("; 2 steps in "));
        CHECK(place.history().size() == 2);
    }
    const aimock::Server server(fixtures(whole_run), key);
    const example::Run run = place.agent(server, "When is high tide?");
    INFO(run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, starts_with_text("\nread_file(path='../secret.txt')\n"));
    CHECK(place.history().size() == 6);
    CHECK(lvalue(place.history()).messages().size() == 2);     // the task was not said twice
    CHECK_FALSE(example::fs::exists(place.here() / "a.txt"));  // nobody was there to say yes
    // Another task is the next turn, and the model knows what it answered.
    const aimock::Server next(fixtures(R"({"fixtures": [
        {"match": {"userMessage": "And low tide", "turnIndex": 7}, "response": {"content": "At noon."}}]})"),
                              key);
    CHECK(place.agent(next, "And low tide?").out == "At noon.");
    CHECK(place.history().size() == 6);
    CHECK(lvalue(place.history()).messages().size() == 4);

    // A call that was open runs first.
    const aimock::Server other(fixtures(R"({"fixtures": [
        {"match": {"toolResultContains": "high tide at six"}, "response": {"content": "At six."}}]})"),
                               key);
    History open;
    open.register_message(acta::ChatMessage::user("When is high tide?"));
    open.register_action({.thoughts = "I read.", .use_tool = {"read_file", {{"path", "notes.txt"}}}});
    place.set_history(open);
    CHECK(place.agent(other, "When is high tide?").out == "\nread_file(path='notes.txt')\nAt six.");
    CHECK(status(place.history(), 0) == "success");
}

TEST_CASE("The agent follows no link, opens no pipe, and writes no control to the terminal") {
    if (const auto why = problem("chat_agent")) ACTA_SKIP(*why);
    const Workplace place;
    const auto here = place.here();
    std::filesystem::create_symlink("../out.txt", here / "dangling");
    std::filesystem::create_symlink("..", here / "up");
    REQUIRE(::mkfifo((here / "pipe").c_str(), 0600) == 0);
    const aimock::Server server(fixtures(R"({"fixtures": [
    {"match": {"turnIndex": 0}, "response": {"content": "\u001b[2Jcleared",
        "toolCalls": [{"id": "c0", "name": "write_file", "arguments": {"path": "dangling", "text": "x"}}]}},
    {"match": {"turnIndex": 1, "toolResultContains": "behind a link"}, "response": {
        "toolCalls": [{"id": "c1", "name": "read_file", "arguments": {"path": "up/secret.txt"}}]}},
    {"match": {"turnIndex": 2, "toolResultContains": "behind a link"}, "response": {
        "toolCalls": [{"id": "c2", "name": "read_file", "arguments": {"path": "pipe"}}]}},
    {"match": {"turnIndex": 3, "toolResultContains": "is not a file"}, "response": {
        "toolCalls": [{"id": "c3", "name": "\u001b]0;title\u0007", "arguments": {}}]}},
    {"match": {"turnIndex": 4}, "response": {"content": "Done."}}
]})"),
                                key);
    const example::Run run = place.agent(server, "Try it.", "y\ny\n");
    INFO(run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, contains_text("Done."));
    CHECK(run.out.find('\x1b') == std::string::npos);
    CHECK_FALSE(std::filesystem::exists(here / "../out.txt"));
}

TEST_CASE("The agent that was killed goes on where it was") {
    if (const auto why = problem("chat_agent")) ACTA_SKIP(*why);
    const Workplace place;
    const aimock::Server server(fixtures(whole_run), key);
    place.killed_agent(server, "When is high tide?", "May it?");
    CHECK(status(place.history(), 4) == "open");
    const example::Run run = place.agent(server, "When is high tide?", "y\nNot b.txt.\n");
    INFO(run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, starts_with_text("\nwrite_file(path='a.txt', text='at six')\nMay it?"));
    CHECK(place.history().size() == 6);
    CHECK(example::read_file(place.here() / "a.txt") == "at six");
}

TEST_CASE("The agent says what it needs, and what is wrong") {
    if (const auto why = problem("chat_agent")) ACTA_SKIP(*why);
    const example::Run usage = example::run("chat_agent");
    CHECK(usage.code == 2);
    CHECK(usage.err == "chat_agent: give it URL MODEL HISTORY_FILE TASK\n");
    const Workplace place;
    const aimock::Server server(fixtures(whole_run), "sk-another-key-012345");
    const example::Run run = place.agent(server, "When?");
    CHECK(run.code == 1);
    CHECK_THAT(run.err, contains_text("status 401"));
    CHECK(run.err.find(key) == std::string::npos);
}

TEST_CASE("A model explores a folder by native tool calls") {
    if (const auto why = aimock::problem()) ACTA_SKIP(*why);
    const aimock::Server server(fixtures(R"({"fixtures": [
        {"match": {"userMessage": "How many lines", "turnIndex": 0}, "response": {"content": "I count.", "toolCalls": [
            {"id": "c0", "name": "count_lines", "arguments": {"path": "notes.txt"}},
            {"id": "c1", "name": "count_lines", "arguments": {"path": "more"}}]}},
        {"match": {"userMessage": "How many lines", "toolCallId": "c1"}, "response": {"content": "Two lines."}},
        {"match": {"userMessage": "Where are the boats", "turnIndex": 2}, "response": {
            "toolCalls": [{"id": "c2", "name": "search_text", "arguments": {"text": "boats"}}]}},
        {"match": {"userMessage": "Leave that out"}, "response": {"content": "As you like."}},
        {"match": {"toolCallId": "c2", "toolResultContains": "boats.txt"}, "response": {"content": "In more."}}
    ]})"),
                                key);
    const Workplace place;
    const std::string questions = "--question 'How many lines are there?' --question 'Where are the boats?'";
    const example::Run run = place.explore(server, questions);
    if (run.err.find("built with libcurl") != std::string::npos) {
        CHECK(run.code == 2);
        ACTA_SKIP("explore was built without libcurl");
    }
    INFO(run.err << run.out);
    REQUIRE(run.code == 0);
    CHECK_THAT(run.out, contains_text("Step 1: count_lines(path='notes.txt'), count_lines(path='more')\n"
                                      "  because: I count.\n  success: "));
    CHECK_THAT(run.out, contains_text("\nAnswer: Two lines.\n"));
    CHECK_THAT(run.out, contains_text("\nStep 2: search_text(text='boats')\n"));
    CHECK_THAT(run.out, contains_text("\nAnswer: In more.\n"));
    const History history = place.explored();
    REQUIRE(history.size() == 2);
    CHECK(history[0].tool_results.size() == 2);
    CHECK(status(history, 1) == "success");
    CHECK(acta::totals(history).steps_with_tokens == 4);  // two steps and two answers

    // What the user says of a step reaches the model.
    const example::Run interrupted = place.explore(server, questions + " --interrupt-at 2");
    CHECK(interrupted.code == 0);
    CHECK_THAT(interrupted.out, contains_text("\nAnswer: As you like.\n"));
    CHECK(status(place.explored(), 1) == "interrupted_by_human");

    // A model that does not answer ends it, and what was done is kept.
    const example::Run failed = place.explore(server, questions + " --question 'Anything else?'");
    CHECK(failed.code == 1);
    CHECK_THAT(failed.err, starts_with_text("explore: no answer from http://127.0.0.1:"));
    CHECK_THAT(failed.out, contains_text("\n2 steps: 2 succeeded"));
}

TEST_CASE("Explore's options for a model go together") {
    const example::Run run = example::run("explore", "--model-name x");
    CHECK(run.code == 2);
    CHECK_THAT(run.err, starts_with_text("explore: --model-name needs --model"));
}

#else

TEST_CASE("The agent is tested with a shell") { ACTA_SKIP("there is none"); }

#endif
