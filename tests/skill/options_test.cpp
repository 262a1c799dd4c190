// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/json/json.hpp"
#include "acta/observe/observer.hpp"
#include "acta/skill/execute.hpp"
#include "support/catch.hpp"

// Every option of a call with a value that is not its default, and where it arrives. A new member does not compile
// before it is covered here.
namespace {

using acta::JsonObject;
using acta::SkillContext;
using acta::SkillRunOptions;
using Clock = std::chrono::steady_clock;

/// The events as texts.
class EventTexts : public acta::Observer {
public:
    void on_event(const acta::Event& event) override {
        std::string text(event.name);
        for (const acta::EventField& field : event.fields) {
            const auto* const words = std::get_if<std::string>(&field.value);
            text += " " + std::string(field.name) + "=" + std::string(words == nullptr ? "?" : *words);
        }
        if (event.failed) text += " failed";
        texts.push_back(std::move(text));
    }
    std::vector<std::string> texts{};
};

struct OuterRunOfTest : acta::OuterRun {
    OuterRunOfTest() : OuterRun(Kind::run) {}
};

std::string type_of_error(const acta::ActionResult& result) {
    const auto* const error = std::get_if<acta::ActionErrorResult>(&result);
    return error == nullptr ? acta::to_string(result) : error->error->exception_type;
}

}  // namespace

TEST_CASE("every option of a call arrives") {
    SkillRunOptions options;
    auto& [extra, until, unknown_arguments, detach_on_timeout, errors, observer, on_progress, call, outer] = options;
    extra = {{"user", "Eve"}, {"text", "not taken"}, {"other", "ignored"}};
    acta::stop_source source;
    until = {source.get_token(), Clock::now() + std::chrono::hours(1)};
    unknown_arguments = acta::UnknownKeys::ignore;
    detach_on_timeout = false;
    errors.redactor = [](std::string_view) { return std::string("redacted"); };
    EventTexts events;
    observer = &events;
    std::vector<double> progress;
    on_progress = [&progress](const acta::SkillProgress& one) { progress.push_back(one.done); };
    call = {"call_7", 3, "its key"};
    OuterRunOfTest run;
    outer = &run;

    acta::SkillRegistry skills;
    std::optional<std::thread::id> thread;
    skills.add(
        "say", "Says.",
        [&](const std::string& text, const std::string& user, SkillContext& context) {
            context.report_progress({.done = 0.25});
            CHECK(context.stop_token().stop_possible());
            CHECK(context.deadline() == until.deadline);
            CHECK(context.tool_call_id() == "call_7");
            CHECK(context.idempotency_key() == "its key");
            return user + " says " + text;
        },
        "text", "user");
    skills.add("fail", "Fails.", [&] {
        thread = std::this_thread::get_id();
        throw std::runtime_error("the key is 7");
    });
    CHECK(acta::to_string(skills.call("say", {{"text", "hello"}, {"new", 1}}, options)) == "Eve says hello");
    CHECK(progress == std::vector<double>{0.25});
    const acta::ActionResult failed = skills.call("fail", {}, options);
    CHECK(std::get<acta::ActionErrorResult>(failed).error->message == "redacted");
    CHECK((thread == std::this_thread::get_id()));  // not one that could be left
    CHECK(events.texts.size() == 2);
    CHECK(events.texts[0] == "skill_call skill=say status=success");
    CHECK(events.texts[1] == "skill_call skill=fail status=error error=redacted failed");
    source.request_stop();
    CHECK(type_of_error(skills.call("say", {{"text", "hello"}}, options)) == "Cancelled");
    until = {{}, Clock::now() - std::chrono::hours(1)};
    CHECK(type_of_error(skills.call("say", {{"text", "hello"}}, options)) == "Timeout");
}

TEST_CASE("whether the arguments of a call fit is known without it") {
    acta::SkillRegistry skills;
    skills.add(
        "count", "Counts.", [](int n) { return n; }, "n");
    const auto fault = [&](const acta::AssistantFunctionCall& call, const SkillRunOptions& options = {}) {
        const std::optional<acta::ActionResult> found = skills.fault(call, options);
        return found ? type_of_error(*found) : "none";
    };
    CHECK(fault({"count", {{"n", 1}}}) == "none");
    CHECK(fault({"count", {}}) == "InvalidArguments");
    CHECK(fault({"count", {}}, {.extra = {{"n", 1}}}) == "none");
    CHECK(fault({"count", {{"n", 1}, {"m", 1}}}) == "InvalidArguments");
    CHECK(fault({"count", {{"n", 1}, {"m", 1}}}, {.unknown_arguments = acta::UnknownKeys::ignore}) == "none");
    CHECK(fault({"counts", {{"n", 1}}}) == "SkillNotFound");
}

TEST_CASE("every option of executing a proposal arrives") {
    acta::ExecuteOptions options;
    auto& [run, max_parallel, parallel] = options;
    std::mutex mutex;
    std::condition_variable here;
    std::size_t inside = 0;
    std::size_t most = 0;
    std::vector<std::string> ids;
    acta::SkillRegistry skills;
    const auto meet = [&](const std::string& user, SkillContext& context) {
        std::unique_lock lock(mutex);
        ids.push_back(context.tool_call_id());
        most = std::max(most, ++inside);
        here.notify_all();
        const std::size_t wanted = parallel == acta::CallOverlap::none ? 1 : max_parallel;
        here.wait_for(lock, std::chrono::seconds(20), [&] { return most >= wanted; });
        --inside;
        return user;
    };
    skills.add("write", "Meets.", meet, "user");
    skills.add("look", "Meets.", {.read_only = true}, meet, "user");
    run.extra = {{"user", "Eve"}};
    acta::ActionProposal<> proposal;
    // How many of three calls run at the same time.
    const auto together = [&](const char* name) {
        acta::set_calls(proposal, {{name, {}}, {name, {}}, {name, {}}});
        ids.clear();
        most = 0;
        for (const acta::ToolResult& one : acta::execute(proposal, skills, options))
            CHECK(acta::to_string(one.result) == "Eve");
        std::ranges::sort(ids);
        CHECK(ids == std::vector<std::string>{"call_0", "call_1", "call_2"});
        return most;
    };
    parallel = acta::CallOverlap::all;
    for (max_parallel = 1; max_parallel <= 3; ++max_parallel) CHECK(together("write") == max_parallel);
    parallel = acta::CallOverlap::none;
    CHECK(together("look") == 1);
    parallel = acta::CallOverlap::hinted;
    max_parallel = 3;
    CHECK(together("look") == 3);
}

TEST_CASE("which calls of an open step may run, and which at the same time") {
    acta::SkillRegistry skills;
    const auto add = [&skills](const char* name, const acta::SkillHints& hints) {
        skills.add(name, "Works.", hints, [] { return 1; });
    };
    add("plain", {});
    add("reads", {.read_only = true});
    add("writes", {.read_only = false});
    add("again", {.idempotent = true});
    add("keyed", {.uses_idempotency_key = true});
    struct Row {
        const char* name;
        std::optional<bool> begun;
        const char* key;
        std::optional<bool> rerun;  // what the function says, if there is one
        bool may_run;
    };
    const std::vector<Row> rows{
        {"plain", false, "k", false, true},         {"plain", true, "k", true, true},
        {"plain", true, "k", false, false},         {"plain", true, "k", std::nullopt, false},
        {"plain", std::nullopt, "", false, false},  {"plain", std::nullopt, "", std::nullopt, true},
        {"writes", true, "k", std::nullopt, false}, {"reads", true, "", false, true},
        {"again", true, "", false, true},           {"keyed", true, "k", false, true},
        {"keyed", true, "", false, false},          {"keyed", true, "", true, true},
        {"none", true, "k", std::nullopt, false},   {"none", std::nullopt, "", std::nullopt, true},
    };
    for (const Row& row : rows) {
        INFO(row.name << " " << (row.begun ? (*row.begun ? "begun" : "not begun") : "unknown") << " " << row.key);
        const acta::OpenCall open{{"id", {row.name, {}}}, row.begun, row.key, {}};
        std::function<bool(const acta::AssistantToolCall&)> rerun;
        if (row.rerun)
            rerun = [&](const acta::AssistantToolCall& call) {
                CHECK(call.id == "id");
                return *row.rerun;
            };
        CHECK(acta::skill_extension::may_run(open, skills, rerun) == row.may_run);
    }
    using acta::CallOverlap;
    for (const char* const name : {"plain", "reads", "writes", "none"}) {
        CHECK(acta::skill_extension::may_overlap(skills, name, CallOverlap::all));
        CHECK_FALSE(acta::skill_extension::may_overlap(skills, name, CallOverlap::none));
        CHECK(acta::skill_extension::may_overlap(skills, name, CallOverlap::hinted) == (std::string(name) == "reads"));
    }
}
