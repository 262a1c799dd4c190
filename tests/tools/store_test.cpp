// SPDX-License-Identifier: MIT
#include <acta/json/json.hpp>
#include <acta/store/stored_history.hpp>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "command.hpp"
#include "support/catch.hpp"
#include "support/thoughts.hpp"

#if defined(TOOLS_HAVE_SQLITE)
#include <acta/store/sqlite/store.hpp>
#endif
#if defined(TOOLS_HAVE_POSTGRES)
#include <acta/store/postgres/store.hpp>

#include "store/postgres/server.hpp"
#endif

using command::Outcome;
using command::word;

namespace {

/// Two histories: `task-1` of three steps and a rewind, and `task-2`, which is empty.
void fill_for_command(acta::HistoryStore& store) {
    auto run = acta::StoredHistory<>::open_or_create(store, "task-1", {.labels = {{"team", "tides"}, {"n", 3}}});
    run.register_message(acta::ChatMessage::user("When is high tide?"));
    command::add_step(run, "monday");
    command::add_step(run, "tuesday", true);
    command::add_step(run, "never");
    run.rewind(1);
    command::add_step(run, "wednesday");
    static_cast<void>(acta::StoredHistory<>::open_or_create(store, "task-2"));
}

/// Each command takes `STORE#ID` and `STORE ID`.
void check_addresses(const std::string& store) {
    const std::string apart = "'" + store + "' task-1";
    const std::string joined = "'" + store + "#task-1'";
    for (const std::string words :
         {"show @", "html -o - @", "convert --to acta @", "validate @", "list @", "list --json @", "tail @",
          "tail @ -n 1", "diff @ @", "prune @", "show --step 2 @ --all"}) {
        CAPTURE(words);
        const auto with = [&](const std::string& address) {
            std::string out = words;
            for (std::size_t at = out.find('@'); at != std::string::npos; at = out.find('@', at + address.size()))
                out.replace(at, 1, address);
            return command::acta(out);
        };
        const Outcome two = with(apart);
        const Outcome one = with(joined);
        CHECK(two.code == 0);
        CHECK(one.code == 0);
        CHECK(one.out == two.out);
        CHECK(with(joined + " task-2").code == (words.starts_with("validate") ? 3 : 2));
        CHECK(with("'" + store + "#'").code == 2);
        CHECK(with("'" + store + "' nothing").code == 3);
        CHECK(with("'" + store + "#nothing'").code == 3);
    }
    CHECK_THAT(command::acta("list " + joined).out, !contains_text("task-2"));
    CHECK_THAT(command::acta("prune " + joined + " --label team=other").out, starts_with_text("0 histories would be"));
    CHECK(command::acta("diff -q " + joined + " '" + store + "' task-2").code == 1);
    CHECK(command::acta("diff -q " + apart + " '" + store + "#task-2'").code == 1);
    const Outcome missing = command::acta("diff " + apart);
    CHECK(missing.code == 2);
    CHECK_THAT(missing.err, contains_text("the second run is missing"));
    CHECK(command::acta("validate " + apart + " " + joined + " '" + store + "' task-2").code == 0);
    CHECK(command::acta("validate " + apart + " '" + store + "'").code == 2);

    CHECK(command::acta("fork " + joined + " by-one-word --at 1").code == 0);
    CHECK(command::acta("prune --yes '" + store + "#by-one-word'").out == "1 history erased\n");
    CHECK(command::acta("prune --yes '" + store + "' by-one-word").code == 3);
    CHECK(command::acta("fork '" + store + "' task-1").code == 2);
    CHECK(command::acta("fork " + joined + " task-1 more").code == 2);
}

/// What every store answers. `store` is a word of the shell without quotes.
void check_commands(acta::HistoryStore& inside, const std::string& store) {
    const std::string quoted = "'" + store + "'";
    const Outcome list = command::acta("list " + quoted);
    CHECK(list.code == 0);
    CHECK_THAT(list.out, starts_with_text("ID       RECORDS  UPDATED               LABELS\ntask-1"));
    CHECK_THAT(list.out, contains_text(R"({"team":"tides","n":3})"));
    CHECK_THAT(list.out, contains_text("\ntask-2         0  "));
    CHECK_THAT(command::acta("list --label n=3 --json " + quoted).out, starts_with_text(R"({"id":"task-1",)"));
    CHECK_THAT(command::acta("list --prefix task-2 " + quoted).out, !contains_text("task-1"));

    CHECK_THAT(command::acta("show '" + store + "#task-1'").out, ends_with_text("\n3 steps; 1 error\n"));
    const Outcome tail = command::acta("tail -n 2 " + quoted + " task-1");
    CHECK(tail.code == 0);
    CHECK_THAT(tail.out, contains_text("  action "));
    CHECK_THAT(tail.out, contains_text("  result "));
    CHECK_THAT(tail.out, !contains_text("rewind"));
    CHECK_THAT(command::acta("tail -n 3 --json " + quoted + " task-1").out, contains_text(R"("kind":"rewind")"));
    CHECK(command::acta("tail -n 0 " + quoted + " task-1").out.empty());
    CHECK(command::acta("tail " + quoted + " nothing").code == 3);
    CHECK(command::acta("show '" + store + "#nothing'").code == 3);
    CHECK(command::acta("show " + quoted).code == 2);

    check_addresses(store);
    CHECK(command::acta("fork --at 2 " + quoted + " task-1 copy").code == 0);
    CHECK(acta::StoredHistory<>::open_or_create(inside, "copy").size() == 2);
    CHECK(acta::StoredHistory<>::open_or_create(inside, "copy").at(1).status() == acta::ResultStatus::error);
    CHECK(command::acta("fork " + quoted + " task-1 whole").code == 0);
    CHECK(command::acta("diff -q '" + store + "#task-1' '" + store + "#whole'").code == 0);
    CHECK(command::acta("diff -q '" + store + "#task-1' '" + store + "#copy'").code == 1);
    const Outcome taken = command::acta("fork " + quoted + " task-1 copy");
    CHECK(taken.code == 5);
    CHECK_THAT(taken.err, contains_text("copy"));
    CHECK(command::acta("fork --at 4 " + quoted + " task-1 more").code == 2);
    CHECK(command::acta("fork " + quoted + " nothing more").code == 3);
}

void check_prune(acta::HistoryStore& inside, const std::string& quoted) {
    CHECK(command::acta("prune " + quoted).code == 2);
    CHECK(command::acta("prune --yes " + quoted).code == 2);
    CHECK(command::acta("prune --before soon " + quoted).code == 2);
    CHECK(command::acta("prune --before 1d " + quoted).out == "0 histories would be erased\n");
    const std::string conditions = "prune --label team=tides --before 0s " + quoted;
    const std::size_t before = inside.list().size();
    const Outcome dry = command::acta(conditions);
    CHECK(dry.code == 0);
    CHECK_THAT(dry.out, contains_text("task-1"));
    CHECK_THAT(dry.out, ends_with_text("\n3 histories would be erased; --yes erases\n"));
    CHECK(inside.list().size() == before);
    CHECK(command::acta(conditions + " --yes").out == "3 histories erased\n");
    CHECK(inside.list().size() == before - 3);
    CHECK(command::acta("tail " + quoted + " task-1").code == 3);
}

}  // namespace

#if defined(TOOLS_HAVE_SQLITE)

TEST_CASE("The command lists, shows, forks and prunes the histories of an SQLite file") {
    const TempFolder folder;
    acta::sqlite::Store store(folder / "runs#1.db");
    fill_for_command(store);
    check_commands(store, "sqlite:" + (folder / "runs#1.db").string());
    CHECK(command::acta("list " + word(folder / "runs#1.db")).code == 0);
    const Outcome file = command::acta("show " + word(folder / "runs#1.db"));
    CHECK(file.code == 2);
    CHECK_THAT(file.err, contains_text("is a store: name a history in it"));
    CHECK(command::acta("show " + word(folder / "runs#1.db#task-1")).out.ends_with("\n3 steps; 1 error\n"));
    CHECK(command::acta("show " + word(folder / "runs#1.db") + " task-1").code == 0);
    check_prune(store, word(folder / "runs#1.db"));
}

TEST_CASE("The command never makes an SQLite file, nor turns another file into one") {
    const TempFolder folder;
    for (const std::string words : {"list ", "tail ", "fork ", "prune --prefix x "}) {
        CAPTURE(words);
        const std::string more = words == "tail " ? " x" : words == "fork " ? " x y" : "";
        const Outcome outcome = command::acta(words + "sqlite:" + word(folder / "none.db") + more);
        CHECK(outcome.code == 3);
        CHECK_THAT(outcome.err, contains_text("there is no file"));
    }
    CHECK(command::acta("show sqlite:" + word(folder / "none.db#x")).code == 3);
    CHECK(folder.files() == 0);
    write_file(folder / "empty.db", "");
    CHECK(command::acta("list " + word(folder / "empty.db")).code == 3);
    CHECK(read_file(folder / "empty.db").empty());
    CHECK(folder.files() == 1);
}

TEST_CASE("The command lists and shows the histories of a file on a file system that is read-only") {
    const TempFolder folder;
    {
        acta::sqlite::Store store(folder / "runs.db");
        auto run = acta::StoredHistory<>::open_or_create(store, "task");
        command::add_step(run, "monday");
    }
    REQUIRE(folder.files() == 1);
    // Root may write where permissions forbid it, so that a mount is what refuses.
    const std::string here = word(folder.path());
    const std::string mount = "unshare -m sh -c 'mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && ";
    if (std::system((mount + "! touch \"$0/x\"' " + here + " >/dev/null 2>&1").c_str()) != 0)
        ACTA_SKIP("no right to mount a folder read-only");
    const std::string program = "\"" + paths::build() + "/tools/acta\" ";
    const Outcome list = command::shell(mount + program + "list \"$0/runs.db\"' " + here);
    CHECK(list.code == 0);
    CHECK_THAT(list.out, contains_text("\ntask "));
    const Outcome show = command::shell(mount + program + "show \"sqlite:$0/runs.db#task\"' " + here);
    CHECK(show.code == 0);
    CHECK_THAT(show.out, contains_text("monday"));
    CHECK(folder.files() == 1);
}

TEST_CASE("The command shows and forks a stored history whose thoughts are a program's own struct") {
    const TempFolder folder;
    {
        acta::sqlite::Store store(folder / "runs.db");
        auto run = acta::StoredHistory<acta::ActionProposal<Plan>>::open_or_create(store, "task");
        for (const char* const text : {"Look.", "Sail."}) {
            run.register_action({.thoughts = {.text = text, .steps = {"one"}}, .use_tool = {"f", {}}});
            run.register_result(acta::ActionSuccessResult{.outputs = "ok"});
        }
    }
    const std::string store = "sqlite:" + word(folder / "runs.db");
    const Outcome shown = command::acta("show " + store + "'#task'");
    CHECK(shown.code == 0);
    CHECK_THAT(shown.out, contains_text("text: Sail."));
    CHECK_THAT(shown.err, contains_text("Thoughts of another type are read as text, in 2 steps"));
    CHECK(command::acta("fork " + store + " task copy --at 1").code == 0);
}

TEST_CASE("The command follows a history while another program writes it") {
    const TempFolder folder;
    acta::sqlite::Store store(folder / "runs.db");
    auto run = acta::StoredHistory<>::open_or_create(store, "task");
    std::string seen;
    std::atomic<bool> has_seen = false;
    std::thread follower([&] {
        seen = command::acta("tail -n 0 -f sqlite:" + word(folder / "runs.db") + " task | head -n 2").out;
        has_seen = true;
    });
    for (int i = 0; !has_seen; ++i) {  // it has to start first, however long that takes
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        command::add_step(run, std::to_string(i));
    }
    follower.join();
    CHECK_THAT(seen, contains_text("  action "));
    CHECK_THAT(seen, contains_text("\n"));
}

TEST_CASE("Hostile labels, ids and records of a store cannot control the terminal") {
    const TempFolder folder;
    acta::sqlite::Store store(folder / "runs.db");
    const std::string id = "a\u202Eb";
    auto run = acta::StoredHistory<>::open_or_create(store, id, {.labels = {{"k" + command::evil, command::evil}}});
    command::add_step(run, command::evil);
    const std::string file = word(folder / "runs.db");
    for (const std::string& words : {"list " + file, "list --json " + file, "tail " + file + " '" + id + "'",
                                     "tail --json " + file + " '" + id + "'", "prune --before 0s " + file,
                                     "fork " + file + " '" + id + "' '" + id + "2'", "tail " + file + " 'x\x1b[2J'",
                                     "show sqlite:" + word(folder / ("runs.db#" + id))}) {
        CAPTURE(words);
        const Outcome outcome = command::acta(words);
        CHECK(outcome.out.size() + outcome.err.size() > 0);
        CHECK_FALSE(command::has_controls(outcome.out));
        CHECK_FALSE(command::has_controls(outcome.err));
    }
}

#endif

#if defined(TOOLS_HAVE_POSTGRES)

TEST_CASE("The command lists, shows, forks and prunes the histories of a PostgreSQL database") {
    if (const std::string why = PostgresServer::missing(); !why.empty()) ACTA_SKIP(why);
    const PostgresServer server;
    const std::string url = "postgres://acta@127.0.0.1:" + std::to_string(server.port()) + "/postgres";
    const Outcome empty = command::acta("list '" + url + "'");
    CHECK(empty.code == 3);
    CHECK_THAT(empty.err, contains_text("acta does not create stores"));
    CHECK(server.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'acta'") == "0");

    acta::postgres::Store store(server.address());
    fill_for_command(store);
    check_commands(store, url);
    CHECK(command::acta("list 'postgres:" + server.address() + "'").out == command::acta("list '" + url + "'").out);
    check_prune(store, "'" + url + "'");
}

#endif
