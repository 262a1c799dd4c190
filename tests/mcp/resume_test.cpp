// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/mcp/client.hpp"
#include "acta/store/sqlite/store.hpp"
#include "acta/store/stored_history.hpp"
#include "mcp/common.hpp"
#include "store/processes.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

// An agent that is killed while a server (server.py) works on a call, and continues from its store.
namespace {

namespace mcp = acta::mcp;

/// Runs the agent, with a scripted model and the tools of a server, until it answers.
std::string run_with_server(const TempFolder& folder, bool trusts_hints) {
    const mcp::Client server = mcp::Client::stdio({paths::python(), paths::source("tests/mcp/server.py")},
                                                  {.name = "sea", .trust_hints = trusts_hints});
    acta::SkillRegistry skills;
    skills.add(server.tools({.allow = {"crash"}}));
    acta::sqlite::Store store((folder / "run.db").string());
    processes::Run run = processes::Run::open_or_create(store, "run");
    acta::ScriptedChatModel model;
    if (run.position().version == 0) {
        run.register_message(acta::ChatMessage::user("Sail."));
        model.reply_call("crash", {{"file", (folder / "calls").string()}});
    }
    model.reply("done");
    static_cast<void>(acta::run_agent(model, skills, run));
    return run.with_lock([](const acta::EpisodicActionHistory<>& history) { return history.fmt_list(); });
}

std::string kill_and_continue(bool trusts_hints) {
    const TempFolder folder;
    const int status =
        processes::wait_for(processes::start([&] { static_cast<void>(run_with_server(folder, trusts_hints)); }));
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGKILL);
    return run_with_server(folder, trusts_hints);
}

}  // namespace

TEST_CASE("an agent that was killed during a server's call does not know its outcome, or repeats it by trusted hints") {
    CHECK(mcp_tests::has(kill_and_continue(false), "interrupted while this call was open. Its outcome is unknown."));
    CHECK(mcp_tests::has(kill_and_continue(true), ": call 2"));
}
