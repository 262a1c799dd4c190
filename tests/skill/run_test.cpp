// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>
#include <tuple>

#include "acta/base/stop_token.hpp"
#include "acta/describe/pattern.hpp"
#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "acta/skill/arguments_action.hpp"
#include "acta/skill/execute.hpp"
#include "support/catch.hpp"

namespace {

using namespace std::chrono_literals;
using acta::ActionResult;
using acta::SkillContext;
using acta::SkillRegistry;
using acta::SkillRunOptions;

std::string error_type(const ActionResult& result) {
    const auto* const error = std::get_if<acta::ActionErrorResult>(&result);
    return error != nullptr && error->error ? error->error->exception_type : "none";
}

/// Waits, looking at its context, until it should stop; far too long for any test.
std::string wait_politely(const SkillContext& context) {
    for (int i = 0; i < 10'000; ++i) {
        context.check();
        std::this_thread::sleep_for(1ms);
    }
    return "done";
}

/// A gate that a test opens, so that calls left behind end with it.
struct Gate {
    std::atomic<bool> open = false;
    std::atomic<int> entered = 0;
    std::atomic<int> passed = 0;
    void wait() {
        ++entered;
        while (!open) std::this_thread::sleep_for(1ms);
        ++passed;
    }
};

/// Calls `name` with deadlines that grow until one passes while the function runs, not before: a machine may be so busy
/// that a short one is over before the call begins.
ActionResult call_with_deadline(const SkillRegistry& skills, const char* name, const acta::JsonObject& arguments,
                                SkillRunOptions options, const std::atomic<int>& begun) {
    const int before = begun;
    for (std::chrono::milliseconds time = 20ms;; time *= 4) {
        options.until.deadline = acta::deadline_in(time);
        ActionResult result = skills.call(name, arguments, options);
        if (begun > before) return result;
    }
}

class MyError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

acta::ActionProposal<> proposal_of(const std::vector<acta::AssistantFunctionCall>& calls) {
    acta::ActionProposal<> proposal;
    acta::set_calls(proposal, calls);
    return proposal;
}

}  // namespace

TEST_CASE("whatever a function throws is a result") {
    SkillRegistry skills;
    skills.add("own", "", []() -> int { throw MyError("no luck"); });
    skills.add("number", "", [] { throw 5; });
    skills.add("nested", "", [] {
        try {
            throw MyError("inner");
        } catch (...) {
            std::throw_with_nested(std::runtime_error("outer"));
        }
    });
    skills.add("late", "", [] { throw acta::Timeout("gave up"); });
    skills.add("unfit", "", [] { throw acta::InvalidArguments("not on Sundays"); });
    CHECK(error_type(skills.call("own", {})) == "MyError");
    CHECK(to_string(skills.call("own", {})) == "Action failed: 'no luck'");
    CHECK(error_type(skills.call("number", {})) == "int");
    const ActionResult nested = skills.call("nested", {});
    CHECK(std::get<acta::ActionErrorResult>(nested).error->args.size() == 2);
    CHECK(error_type(skills.call("late", {})) == "Timeout");
    CHECK(error_type(skills.call("unfit", {})) == "InvalidArguments");
    SkillRunOptions options;
    options.errors.redactor = [](std::string_view) { return std::string("***"); };
    CHECK(std::get<acta::ActionErrorResult>(skills.call("own", {}, options)).reason == "***");
}

TEST_CASE("a deadline ends the reading of arguments") {
    SkillRegistry skills;
    skills.add(
        "search", "", [](const std::string& text) { return text; },
        acta::param("text", "", acta::pattern("(a?){1000}(a?){1000}b")));
    SkillRunOptions options;
    options.until.deadline = acta::deadline_in(std::chrono::milliseconds(50));
    CHECK(error_type(skills.call("search", {{"text", std::string(1'000'000, 'a')}}, options)) == "Timeout");
}

TEST_CASE("calls of an answer that was cut off or refused lack a part") {
    using acta::FinishReason;
    using acta::skill_extension::has_whole_calls;
    for (const FinishReason finish : {FinishReason::length, FinishReason::content_filter, FinishReason::error})
        CHECK_FALSE(has_whole_calls(finish));
    for (const FinishReason finish : {FinishReason::stop, FinishReason::tool_calls, FinishReason::unknown})
        CHECK(has_whole_calls(finish));
}

TEST_CASE("arguments that are no JSON object are refused with what is wrong with them") {
    acta::SkillRegistry skills;
    skills.add(
        "adds", "", [](int n) { return n + 1; }, "n");
    const acta::ActionResult result = skills.call("adds", {{"unreadable_arguments", R"({"n": 1)"}});
    CHECK(error_type(result) == "InvalidArguments");
    CHECK_THAT(acta::to_string(result),
               contains_text("the arguments of adds are not a JSON object: Invalid JSON: EOF while parsing"));
}

TEST_CASE("a function that looks at its context stops in time") {
    SkillRegistry skills;
    std::atomic<int> begun = 0;
    skills.add("wait", "", [&begun](const SkillContext& context) {
        ++begun;
        return wait_politely(context);
    });
    CHECK(error_type(call_with_deadline(skills, "wait", {}, {}, begun)) == "Timeout");

    acta::stop_source stop;
    SkillRunOptions stopped;
    stopped.until.stop = stop.get_token();
    const acta::jthread stopper([&stop, &begun, before = begun.load()] {
        while (begun == before) std::this_thread::sleep_for(1ms);
        stop.request_stop();
    });
    CHECK(error_type(skills.call("wait", {}, stopped)) == "Cancelled");
    // Now it does not begin at all.
    CHECK(error_type(skills.call("wait", {}, stopped)) == "Cancelled");
}

TEST_CASE("a context says what its call was given") {
    acta::stop_source stop;
    const auto soon = acta::deadline_in(1h);
    const SkillContext context({stop.get_token(), soon});
    CHECK(context.deadline() == soon);
    CHECK_FALSE(context.stop_token().stop_requested());
    CHECK_FALSE(context.should_stop());
    CHECK_NOTHROW(context.check());
    stop.request_stop();
    CHECK(context.stop_token().stop_requested());
    CHECK(context.should_stop());
    CHECK_THROWS_AS(context.check(), acta::Cancelled);
    const SkillContext late({.deadline = acta::deadline_in(-1ms)});
    CHECK(late.should_stop());
    CHECK_THROWS_AS(late.check(), acta::Timeout);
    CHECK_FALSE(SkillContext().should_stop());
}

TEST_CASE("an error that a function returns is made fit for JSON") {
    SkillRegistry skills;
    skills.add("bad", "", []() -> ActionResult {
        acta::ActionErrorResult result;
        result.reason = "r\xff";
        result.error.emplace();
        result.error->message = "m\xff";
        result.error->exception_type = "t\xff";
        result.error->repr = "p\xff";
        result.error->args = {acta::JsonArray{"a\xff"}};
        return result;
    });
    const ActionResult result = skills.call("bad", {});
    const auto& error = std::get<acta::ActionErrorResult>(result);
    CHECK(error.reason == "r\uFFFD");
    CHECK(error.error->message == "m\uFFFD");
    CHECK(error.error->exception_type == "t\uFFFD");
    CHECK(error.error->repr == "p\uFFFD");
    CHECK(acta::parse<ActionResult>(acta::dump(result)) == result);
}

TEST_CASE("a function that cannot look is left behind") {
    const auto gate = std::make_shared<Gate>();
    SkillRegistry skills;
    skills.add(
        "block", "",
        [gate](const std::string& text) {
            gate->wait();
            return text;
        },
        "text");
    skills.add("future", "", [gate](const SkillContext&) {
        return std::async(std::launch::async, [gate] {
            gate->wait();
            return 1;
        });
    });
    skills.add("quick", "", [] { return "here"; });
    for (const char* name : {"block", "future"}) {
        const acta::JsonObject arguments =
            std::string(name) == "block" ? acta::JsonObject{{"text", "x"}} : acta::JsonObject{};
        CHECK(error_type(call_with_deadline(skills, name, arguments, {}, gate->entered)) == "Timeout");
        acta::stop_source stop;
        SkillRunOptions stopped;
        stopped.until.stop = stop.get_token();
        const acta::jthread stopper([&stop, &gate, before = gate->entered.load()] {
            while (gate->entered == before) std::this_thread::sleep_for(1ms);
            stop.request_stop();
        });
        CHECK(error_type(skills.call(name, arguments, stopped)) == "Cancelled");
    }
    SkillRunOptions limited;
    limited.until.deadline = acta::deadline_in(1h);
    CHECK(to_string(skills.call("quick", {}, limited)) == "here");
    // A thread of its own is for what cannot be stopped otherwise, where there is something to stop it.
    std::thread::id ran_in;
    const auto note = [&ran_in] {
        ran_in = std::this_thread::get_id();
        return 1;
    };
    skills.add("noted", "", note);
    skills.add("asks", "", [&](const SkillContext&) { return note(); });
    for (const auto& [name, options, is_here] : {std::tuple("noted", limited, false), std::tuple("asks", limited, true),
                                                 std::tuple("noted", SkillRunOptions(), true)}) {
        INFO(name);
        CHECK(to_string(skills.call(name, {}, options)) == "1");
        CHECK((ran_in == std::this_thread::get_id()) == is_here);
    }
    gate->open = true;
    while (gate->passed < 4) std::this_thread::sleep_for(1ms);
    // What was done counts, however late it was, where the call waits for it.
    limited.detach_on_timeout = false;
    std::atomic<int> begun = 0;
    skills.add("slow", "", [&begun](const SkillContext& context) {
        ++begun;
        while (!context.should_stop()) std::this_thread::sleep_for(1ms);
        return "late";
    });
    CHECK(to_string(call_with_deadline(skills, "slow", {}, limited, begun)) == "late");
}

TEST_CASE("a proposal is executed, one result for each call in order") {
    SkillRegistry skills;
    skills.add(
        "echo", "", [](int n) { return n; }, "n");
    skills.add("fails", "", []() -> int { throw MyError("no"); });
    acta::ActionProposal<> single;
    single.use_tool = {"echo", {{"n", 1}}};
    const auto one = execute(single, skills);
    REQUIRE(one.size() == 1);
    CHECK(one[0].tool_call_id == "call_0");
    CHECK(to_string(one[0].result) == "1");

    acta::ActionProposal<> several =
        proposal_of({{"echo", {{"n", 1}}}, {"fails", {}}, {"none", {}}, {"echo", {{"n", 4}}}});
    several.raw_message.emplace().tool_calls.emplace();
    for (const char* id : {"a", "b", "c", "d"}) several.raw_message->tool_calls->push_back({id, {}});
    std::vector<std::string> results;
    for (const acta::ToolResult& call : execute(several, skills))
        results.push_back(call.tool_call_id + " " + to_string(call.result));
    CHECK(results ==
          std::vector<std::string>{"a 1", "b Action failed: 'no'", "c Action failed: 'none not found'", "d 4"});
}

TEST_CASE("a proposal without a call is executed to no results") {
    CHECK(execute(acta::ActionProposal<>{.thoughts = "Noon.", .use_tool = {}}, SkillRegistry()).empty());
}

TEST_CASE("parallel calls are bounded") {
    SkillRegistry skills;
    std::atomic<int> running = 0;
    std::atomic<int> most = 0;
    std::atomic<int> wanted = 1;  // a call ends when that many have run at once
    skills.add("work", "", [&] {
        const int now = ++running;
        int seen = most;
        while (now > seen && !most.compare_exchange_weak(seen, now)) {
        }
        while (most < wanted) std::this_thread::sleep_for(1ms);
        --running;
    });
    const acta::ActionProposal<> proposal = proposal_of(std::vector<acta::AssistantFunctionCall>(12, {"work", {}}));
    for (const std::size_t bound : {std::size_t{1}, std::size_t{3}, std::size_t{0}}) {
        most = 0;
        CHECK(execute(proposal, skills, {.max_parallel = bound, .parallel = acta::CallOverlap::all}).size() == 12);
        CHECK(most <= static_cast<int>(std::max<std::size_t>(bound, 1)));
    }
    most = 0;
    wanted = 2;
    CHECK(execute(proposal, skills, {.parallel = acta::CallOverlap::all}).size() == 12);
    CHECK(most > 1);
}

TEST_CASE("executed calls go into a history by their ids, whatever the model called them") {
    SkillRegistry skills;
    skills.add(
        "echo", "", [](int n) { return n; }, "n");
    for (const std::vector<const char*>& ids : std::vector<std::vector<const char*>>{
             {}, {"a", "b"}, {"same", "same"}, {"", ""}, {"a"}, {"call_1", "call_0"}}) {
        acta::ActionProposal<> proposal = proposal_of({{"echo", {{"n", 1}}}, {"echo", {{"n", 2}}}});
        if (!ids.empty()) proposal.raw_message.emplace().tool_calls.emplace();
        for (const char* id : ids) proposal.raw_message->tool_calls->push_back({id, {}});
        acta::EpisodicActionHistory<> history;
        history.register_action(proposal_of({{"echo", {}}}));
        history.register_result(acta::ActionSuccessResult{});
        history.register_action(proposal);
        acta::EpisodicActionHistory<> at_once = history;
        for (auto& [id, result] : execute(proposal, skills)) history.register_result(id, result);
        CHECK(history.current_episode() == nullptr);
        CHECK(to_string(*history[1].result) == "[1, 2]");
        CHECK(to_string(history[1].tool_results[1].result) == "2");
        at_once.register_results(execute(proposal, skills));
        CHECK(at_once == history);
    }
}

TEST_CASE("the result of a single call goes into a history by its id as without one") {
    SkillRegistry skills;
    skills.add(
        "echo", "", [](int n) { return n; }, "n");
    acta::ActionProposal<> proposal;
    proposal.use_tool = {"echo", {{"n", 7}}};
    for (const char* id : {"", "a"}) {
        if (*id != 0) proposal.raw_message.emplace().tool_calls.emplace().push_back({id, proposal.use_tool});
        acta::EpisodicActionHistory<> history;
        history.register_action(proposal);
        for (auto& [call, result] : execute(proposal, skills)) history.register_result(call, result);
        CHECK(std::get<acta::ActionSuccessResult>(*history[0].result).outputs == 7);
        CHECK(history[0].tool_results.empty());
        history.register_action(proposal);
        history.register_results(execute(proposal, skills));
        CHECK(history[1] == history[0]);
    }
}

TEST_CASE("an output that no record can have is an error that says so") {
    acta::SkillRegistry skills;
    skills.add("deep", "Nests.", [] {
        acta::Json deep = 1;
        for (int i = 0; i < 140; ++i) deep = acta::Json::array({std::move(deep)});
        return deep;
    });
    skills.add("large", "Grows.", [] { return std::string(acta::max_content_bytes, 'x'); });
    skills.add("measure", "Measures.", [] { return std::vector<double>{1, std::nan(""), HUGE_VAL}; });
    const auto error = [&](const char* skill) {
        const acta::ActionResult result = skills.call(skill, {});
        const auto& failed = std::get<acta::ActionErrorResult>(result);
        return failed.error.value().exception_type + ": " + failed.reason.substr(0, 50);
    };
    CHECK_THAT(error("deep"), starts_with_text("InvalidOutput: the output cannot be recorded: at '/0/0"));
    CHECK(error("large") == "InvalidOutput: the output cannot be recorded: at '': Input should");
    // As pydantic writes numbers that JSON does not have.
    CHECK(std::get<acta::ActionSuccessResult>(skills.call("measure", {})).outputs ==
          acta::Json({1.0, nullptr, nullptr}));
}

TEST_CASE("numbers in arguments that are not finite are the model's error") {
    acta::SkillRegistry skills;
    skills.add(
        "calc", "Calculates.", [](double x) { return x; }, "x");
    skills.add(
        "keep", "Keeps.", [](const acta::Json& x) { return x; }, "x");
    for (const acta::Json& number : {acta::Json("inf"), acta::Json("NaN"), acta::Json(HUGE_VAL)}) {
        const acta::ActionResult result = skills.call("calc", {{"x", number}});
        CHECK_THAT(acta::to_string(result), contains_text("x: Input should be a finite number"));
    }
    CHECK_THAT(acta::to_string(skills.call(acta::parse_call("calc(x=1e999)").call)), contains_text("a finite number"));
    CHECK(acta::is_error(skills.call("keep", {{"x", {{"y", std::nan("")}}}})));
    CHECK(acta::is_success(skills.call("keep", {{"x", "inf"}})));
}
