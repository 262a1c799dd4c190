// SPDX-License-Identifier: MIT
#include <sstream>
#include <string>

#include "acta/tool_response/operation_tracker.hpp"
#include "acta/tool_response/tool_response.hpp"
#include "support/catch.hpp"

namespace {

using acta::OperationEvent;
using acta::OperationStage;

acta::OperationStartedResponse started(const std::string& id, std::optional<std::string> task = std::nullopt) {
    return {.message = "m", .operation_id = id, .tool_name = "create_agent", .task_id = std::move(task)};
}
acta::OperationPendingResponse pending(const std::string& id) {
    return {.message = "m", .operation_id = id, .tool_name = "create_agent"};
}
acta::OperationInProgressResponse running(const std::string& call) { return {.message = "m", .tool_call_id = call}; }
const acta::AgentSavedResponse saved{.message = "m", .agent_id = "a"};
const acta::ErrorResponse broken{.message = "m"};

}  // namespace

TEST_CASE("an operation goes from started to done") {
    acta::OperationTracker operations;
    const auto first = operations.update("c1", acta::ToolResponse(started("o1", "t1")));
    REQUIRE(first);
    CHECK(first.event == OperationEvent::advanced);
    CHECK(first.operation->stage == OperationStage::started);
    CHECK(first.operation->tool_name == "create_agent");

    CHECK(operations.update("c1", pending("o1")).event == OperationEvent::advanced);
    CHECK(operations.find_call("c1")->stage == OperationStage::pending);
    CHECK(operations.find_operation("o1") == operations.find_call("c1"));
    CHECK(operations.find_task("t1") == operations.find_call("c1"));

    CHECK(operations.update("c1", saved).event == OperationEvent::advanced);
    CHECK(operations.find_call("c1")->stage == OperationStage::done);
    CHECK(operations.operations().size() == 1);
    CHECK(acta::to_string(operations.find_call("c1")->stage) == "done");
    std::ostringstream printed;
    printed << first.event << ' ' << operations.find_call("c1")->stage << ' ' << acta::ResponseType::agent_saved;
    CHECK(printed.str() == "advanced done agent_saved");
}

TEST_CASE("ids are linked when they appear") {
    acta::OperationTracker operations;
    REQUIRE(operations.update("c1", acta::AsyncProcessingResponse{.message = "m"}));
    CHECK_FALSE(operations.find_call("c1")->operation_id);
    CHECK(operations.update("c1", acta::AsyncProcessingResponse{.message = "m", .task_id = "t1"}).event ==
          OperationEvent::unchanged);
    CHECK(operations.find_task("t1") == operations.find_call("c1"));
    CHECK(operations.update("c1", pending("o1")));
    CHECK(operations.find_operation("o1") == operations.find_call("c1"));
    CHECK(operations.find_operation("o2") == nullptr);
}

TEST_CASE("an operation fails by an error") {
    acta::OperationTracker operations;
    REQUIRE(operations.update("c1", started("o1")));
    CHECK(operations.update("c1", broken).operation->stage == OperationStage::failed);
    CHECK(operations.find_call("c1")->finished());
}

TEST_CASE("an in-progress reply is a repeated call, not a stage") {
    acta::OperationTracker operations;
    REQUIRE(operations.update("c1", started("o1")));
    const auto again = operations.update("c2", running("c1"));
    CHECK(again);
    CHECK(again.event == OperationEvent::repeated_call);
    CHECK(again.operation->stage == OperationStage::started);
    CHECK(again.operation->repeats == 1);
    CHECK(operations.operations().size() == 1);
    CHECK(operations.find_call("c2") == operations.find_call("c1"));
    CHECK(operations.update("c1", running("c1")).operation->repeats == 2);

    // What comes for the repeated call is the operation's.
    CHECK(operations.update("c2", saved).operation->tool_call_id == "c1");
    const auto late = operations.update("c3", running("c1"));
    CHECK_FALSE(late);
    CHECK(late.event == OperationEvent::out_of_order);
    // And the same call may start an operation of its own.
    CHECK(operations.update("c2", started("o2")).event == OperationEvent::advanced);
    CHECK(operations.find_call("c2")->operation_id == "o2");
}

TEST_CASE("replies that do not fit are reported and change nothing") {
    acta::OperationTracker operations;
    CHECK(operations.update("c1", pending("o1")).event == OperationEvent::unknown_call);
    CHECK(operations.update("c1", saved).event == OperationEvent::unknown_call);
    CHECK(operations.update("c1", running("c9")).event == OperationEvent::unknown_call);
    CHECK(operations.operations().empty());
    CHECK_FALSE(operations.update("c1", saved).problem.empty());

    REQUIRE(operations.update("c1", started("o1")));
    REQUIRE(operations.update("c1", pending("o1")));
    const auto back = operations.update("c1", started("o1"));
    CHECK(back.event == OperationEvent::out_of_order);
    CHECK(back.problem == "'started' cannot follow 'pending' of call 'c1'");
    CHECK(operations.update("c1", pending("o1")).event == OperationEvent::unchanged);
    REQUIRE(operations.update("c1", saved));
    CHECK(operations.update("c1", saved).event == OperationEvent::out_of_order);
    CHECK(operations.update("c1", broken).event == OperationEvent::out_of_order);
    CHECK(operations.update("c1", pending("o1")).event == OperationEvent::out_of_order);
    CHECK(operations.find_call("c1")->stage == OperationStage::done);

    const auto unknown = operations.update("c1", acta::parse_tool_response(R"({"type":"new"})"));
    CHECK_FALSE(unknown);
    CHECK(unknown.event == OperationEvent::unknown_reply);
    CHECK(acta::to_string(unknown.event) == "unknown_reply");
}

TEST_CASE("an id belongs to one operation") {
    acta::OperationTracker operations;
    REQUIRE(operations.update("c1", started("o1", "t1")));
    CHECK(operations.update("c2", started("o1")).event == OperationEvent::id_conflict);
    CHECK(operations.update("c2", started("o2", "t1")).event == OperationEvent::id_conflict);
    CHECK(operations.find_call("c2") == nullptr);
    CHECK(operations.update("c1", pending("o9")).event == OperationEvent::id_conflict);
    CHECK(operations.find_call("c1")->stage == OperationStage::started);
    CHECK(operations.find_operation("o9") == nullptr);
    REQUIRE(operations.update("c2", started("", "")));  // empty ids are none
    REQUIRE(operations.update("c3", started("", "")));
}

TEST_CASE("finished operations can be forgotten, and a tracker is a value") {
    acta::OperationTracker operations;
    REQUIRE(operations.update("c1", started("o1", "t1")));
    REQUIRE(operations.update("c2", started("o2", "t2")));
    REQUIRE(operations.update("c4", running("c1")));
    REQUIRE(operations.update("c1", saved));
    const acta::OperationTracker before = operations;
    operations.forget_finished();
    CHECK(operations.operations().size() == 1);
    CHECK(operations.find_call("c1") == nullptr);
    CHECK(operations.find_call("c4") == nullptr);
    CHECK(operations.find_task("t1") == nullptr);
    CHECK(operations.find_operation("o2")->tool_call_id == "c2");
    CHECK(operations.update("c2", saved).operation->stage == OperationStage::done);
    CHECK(before.find_task("t1")->stage == OperationStage::done);
    CHECK(before.find_call("c2")->stage == OperationStage::started);
}

TEST_CASE("the path to take up a stream again") {
    CHECK(acta::reconnect_path(started("o", "task-1")) == "/chat/tasks/task-1/stream");
    CHECK_FALSE(acta::reconnect_path(started("o")));
    CHECK_FALSE(acta::reconnect_path(started("o", "")));
    CHECK(acta::reconnect_path(acta::AsyncProcessingResponse{.message = "m", .task_id = "a/b?c#d%e é"}) ==
          "/chat/tasks/a%2Fb%3Fc%23d%25e%20%C3%A9/stream");
    CHECK_FALSE(acta::reconnect_path(pending("o")));
    CHECK_FALSE(acta::reconnect_path(acta::ToolResponse(broken)));
    CHECK(acta::reconnect_path(acta::ToolResponse(started("o", "t"))) == "/chat/tasks/t/stream");
    CHECK_FALSE(acta::reconnect_path(acta::parse_tool_response(R"({"type":"new","task_id":"t"})")));

    // No id can lead to another path.
    CHECK_FALSE(acta::reconnect_path(started("o", ".")));
    CHECK_FALSE(acta::reconnect_path(started("o", "..")));
    CHECK(acta::reconnect_path(started("o", "../x")) == "/chat/tasks/..%2Fx/stream");
    CHECK(acta::percent_encode("AZaz09-._~") == "AZaz09-._~");
    CHECK(acta::percent_encode(std::string_view("\0\n\x7f\xff", 4)) == "%00%0A%7F%FF");
    CHECK(acta::percent_encode("").empty());
}
