// SPDX-License-Identifier: MIT
#include <chrono>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/base/retry.hpp"
#include "acta/chat/chat_model.hpp"
#include "agent/driver.hpp"
#include "support/catch.hpp"
#include "support/steps.hpp"

// What `RunOptions::on_event` is called with.
namespace {

using acta::ChatMessage;
using acta::RunEnd;
using acta::RunEvent;
using acta::RunOptions;
using acta::RunResult;
using History = acta::EpisodicActionHistory<>;

template <class... F>
acta::base::Overloaded<F...> overloaded(F... f) {  // clang 16 deduces no arguments of an aggregate
    return {std::move(f)...};
}

/// Returns an event as one line.
std::string line(const RunEvent& event) {
    return std::visit(
        overloaded(
            [](const acta::TextDelta& text) { return "text " + text.text; },
            [](const acta::ReasoningDelta& text) { return "reasoning " + text.text; },
            [](const acta::CallDelta& part) { return "part " + part.name; },
            [](const acta::AnswerRestarted&) { return std::string("restarted"); },
            [](const acta::RequestStarted& one) {
                return "ask " + std::to_string(one.number) + " " + std::to_string(one.request.messages.size());
            },
            [](const acta::RequestCompleted& one) {
                return "answer " + std::to_string(one.number) + " " + one.completion.message.content;
            },
            [](const acta::RequestFailed& one) {
                return "failure " + std::to_string(one.number) + " " + one.error.message +
                       (one.will_retry ? ", again" : "");
            },
            [](const acta::CallStarted& one) { return "call " + one.call.id; },
            [](const acta::CallProgressed& one) { return "progress " + one.call.id + " " + one.progress.message; },
            [](const acta::CallRetried& one) {
                return "retry " + one.call.id + " " + std::to_string(one.attempt) + " " + acta::to_string(one.result) +
                       " " + std::to_string(one.delay / std::chrono::milliseconds(1));
            },
            [](const acta::CallCompleted& one) { return "result " + one.call.id + " " + acta::to_string(one.result); },
            [](const acta::StepCompleted& one) { return "step " + std::to_string(one.step); },
            [](const acta::HistoryChanged&) { return std::string("change"); },
            [](const acta::HistoryCompressed& one) {
                return "compressed " + std::to_string(one.report.summarised.size());
            },
            [](const acta::SummaryExtended& one) { return "extended " + std::to_string(one.report.steps); },
            [](const acta::SchemaNotStrict& one) { return "not strict " + one.reason; },
            [](const acta::RunCompleted& one) { return "end " + acta::to_string(one.result); },
            [](const acta::SubRunEvent& one) { return one.call.function.name + "/" + line(one.event); }),
        event);
}

using Lines = std::vector<std::string>;

/// Notes the events of a run, but for changes of the history.
RunOptions noting(Lines& lines) {
    RunOptions options;
    options.on_event = [&lines](const RunEvent& event) {
        if (!line(event).ends_with("change")) lines.push_back(line(event));
    };
    return options;
}

acta::ChatCompletion calling(const std::string& name, acta::JsonObject arguments = {}) {
    acta::ChatCompletion out;
    out.message.tool_calls = {{"c_" + name, {name, std::move(arguments)}}};
    return out;
}

}  // namespace

TEST_CASE("the events of a run come in order, after on_text and the functions of the chat options") {
    acta::base::retry_clock().jitter = [] { return 0.0; };
    acta::base::retry_clock().wait = [](std::chrono::nanoseconds, const acta::stop_token&) {};
    Lines lines;
    RunOptions options = noting(lines);
    options.on_text = [&lines](std::string_view text) { lines.push_back("on_text " + std::string(text)); };
    options.chat.on_event = [&lines](const acta::ChatDelta&) { lines.push_back("own"); };
    options.limits.tools["work"].max_retries = 1;
    int asked_so_far = 0;
    const auto model = [&](std::span<const ChatMessage>, const acta::ChatOptions& chat) {
        if (++asked_so_far == 1)
            throw acta::ChatModelError("too long", {.fault = acta::ChatModelFault::context_too_long});
        if (asked_so_far == 2) {
            chat.on_event(acta::ReasoningDelta{"Hm."});
            chat.on_event(acta::CallDelta{.name = "work"});
            return calling("work");
        }
        chat.on_text("Done.");
        chat.on_event(acta::TextDelta{"Done."});
        acta::ChatCompletion out;
        out.message.content = "Done.";
        return out;
    };
    acta::SkillRegistry skills;
    int tried = 0;
    skills.add("work", "Works.", [&tried](acta::SkillContext& context) -> std::string {
        context.report_progress({.message = "half"});
        if (++tried == 1) throw acta::RetrySkill("busy");
        return "worked";
    });
    History history = asked_to("Go.");
    CHECK(driven::run_agent(model, skills, history, options).answer == "Done.");
    CHECK(lines == Lines{"ask 1 1",
                         "failure 1 too long, again",
                         "ask 2 1",
                         "own",
                         "reasoning Hm.",
                         "own",
                         "part work",
                         "answer 2 ",
                         "call c_work",
                         "progress c_work half",
                         "retry c_work 1 " +
                             acta::to_string(acta::ActionResult(acta::ActionErrorResult{.reason = "busy"})) + " 250",
                         "progress c_work half",
                         "result c_work worked",
                         "step 0",
                         "extended 1",
                         "ask 3 2",
                         "on_text Done.",
                         "own",
                         "text Done.",
                         "answer 3 Done.",
                         "end answered"});
    acta::base::retry_clock() = {};
}

TEST_CASE("the parts of an answer that broke off are void after an event") {
    acta::ScriptedChatModel model;
    model.reply_by([](std::span<const ChatMessage>, const acta::ChatOptions& chat) {
        CHECK_FALSE(chat.restart);
        chat.on_event(acta::TextDelta{"Do"});
        chat.on_event(acta::AnswerRestarted{});
        chat.on_event(acta::TextDelta{"Done."});
        return acta::ChatCompletion{.message = {.content = "Done."}};
    });
    Lines lines;
    RunOptions options = noting(lines);
    options.chat.restart = false;  // is passed on as it is
    History history = asked_to("Go.");
    CHECK(driven::run_agent(model, {}, history, options).answer == "Done.");
    CHECK(lines == Lines{"ask 1 1", "text Do", "restarted", "text Done.", "answer 1 Done.", "end answered"});
}

TEST_CASE("the error of a run has what the model said of it as values") {
    using std::chrono::milliseconds;
    std::optional<acta::RunError> reported;
    RunOptions options;
    options.on_event = acta::on([&](const acta::RequestFailed& failed) { reported = failed.error; });
    const auto failing = [&](auto exception) {
        acta::ScriptedChatModel model;
        model.fail(std::move(exception));
        History history = asked_to("Go.");
        const acta::RunResult run = driven::run_agent(model, {}, history, options);
        REQUIRE(run.error);
        CHECK(run.error == reported);
        CHECK(history.runs().back().error == acta::ErrorInfo(*run.error));
        return *run.error;
    };
    const acta::ChatModelFailure busy{.fault = acta::ChatModelFault::status,
                                      .status = 529,
                                      .type = "overloaded_error",
                                      .is_transient = true,
                                      .retry_after = milliseconds(2000),
                                      .attempts = 3};
    const acta::RunError overloaded_model = failing(acta::ChatModelError("overloaded", busy));
    CHECK(overloaded_model.message == "overloaded");
    CHECK(overloaded_model.is_transient());
    CHECK(overloaded_model.status() == 529);
    CHECK(overloaded_model.retry_after() == milliseconds(2000));
    CHECK(overloaded_model.failure == busy);
    CHECK(failing(acta::Timeout("late")).is_transient());
    const acta::RunError other = failing(std::runtime_error("no"));
    CHECK_FALSE(other.failure);
    CHECK_FALSE(other.is_transient());
    CHECK(other.status() == 0);
    CHECK_FALSE(other.retry_after());
}

TEST_CASE("a request that failed is an event, and so is the end of the run") {
    Lines lines;
    acta::ScriptedChatModel model;
    model.fail(std::runtime_error("no connection"));
    History history = asked_to("Go.");
    CHECK(driven::run_agent(model, {}, history, noting(lines)).end == RunEnd::failed);
    CHECK(lines == Lines{"ask 1 1", "failure 1 no connection", "end failed: no connection"});
    // A run that finds the answer only ends.
    lines.clear();
    history.register_answer("Done.");
    CHECK(driven::run_agent(model, {}, history, noting(lines)).answer == "Done.");
    CHECK(lines == Lines{"end answered"});
}

TEST_CASE("the events of agents that are tools say of which call they are") {
    Lines inner_lines;
    Lines lines;
    acta::ScriptedChatModel digger{"Found."};
    acta::SkillRegistry of_reader;
    of_reader.add(acta::agent_tool("digger", "Digs.", digger, {}));
    acta::ScriptedChatModel reader;
    reader.reply(calling("digger", {{"task", "Dig."}})).reply("Noon.");
    acta::SkillRegistry skills;
    skills.add(acta::agent_tool("reader", "Reads.", reader, of_reader, noting(inner_lines)));
    acta::ScriptedChatModel lead;
    lead.reply(calling("reader", {{"task", "Read."}})).reply("Done.");
    History history = asked_to("Go.");
    CHECK(driven::run_agent(lead, skills, history, noting(lines)).answer == "Done.");
    const Lines of_inner{"ask 1 1",
                         "part digger",
                         "answer 1 ",
                         "call c_digger",
                         "digger/ask 1 1",
                         "digger/text Found.",
                         "digger/answer 1 Found.",
                         "digger/end answered",
                         "result c_digger Found.",
                         "step 0",
                         "ask 2 3",
                         "text Noon.",
                         "answer 2 Noon.",
                         "end answered"};
    CHECK(inner_lines == of_inner);
    Lines wanted{"ask 1 1", "part reader", "answer 1 ", "call c_reader"};
    for (const std::string& one : of_inner) wanted.push_back("reader/" + one);
    for (const char* one :
         {"result c_reader Noon.", "step 0", "ask 2 3", "text Done.", "answer 2 Done.", "end answered"})
        wanted.push_back(one);
    CHECK(lines == wanted);
}

TEST_CASE("an exception of on_event ends the run at each of its events") {
    for (std::size_t fails_at = 0; fails_at < 40; ++fails_at) {
        acta::ScriptedChatModel reader{"Noon."};
        acta::SkillRegistry skills;
        skills.add(acta::agent_tool("reader", "Reads.", reader, {}));
        acta::ScriptedChatModel lead;
        lead.reply(calling("reader", {{"task", "Read."}})).reply("Done.");
        std::size_t seen = 0;
        RunOptions options;
        options.on_event = [&](const RunEvent&) {
            if (seen++ == fails_at) throw std::domain_error("no more");
        };
        History history = asked_to("Go.");
        try {
            const RunResult run = driven::run_agent(lead, skills, history, options);
            CHECK(run.answer == "Done.");
            CHECK(seen <= fails_at);
            CHECK(seen > 15);
            return;
        } catch (const std::domain_error&) {
            CHECK(seen == fails_at + 1);  // it is not called again
        }
        CHECK(driven::run_agent(acta::ScriptedChatModel{"Done."}, skills, history).answer == "Done.");
    }
    FAIL("the run was never left alone");
}

TEST_CASE("steps that leave the prompt together are summarised together, or as the trigger says") {
    for (const acta::CompressionTrigger& trigger :
         {acta::CompressionTrigger{}, {.episodes = 1}, {.episodes = 2}, {.tokens = 1}}) {
        std::string summarised;
        RunOptions options{.budget = {.keep_recent = 2, .full_stride = 3},
                           .compression = {.keep_recent = 2, .trigger = trigger},
                           .stuck = {.same_result = 0}};
        options.on_event = acta::on([&](const acta::StepCompleted& one) { summarised += std::to_string(one.step); },
                                    [&](const acta::HistoryCompressed& one) {
                                        summarised += "[" + std::to_string(one.report.summarised.size()) + "]";
                                    });
        int asked = 0;
        const auto model = [&](std::span<const ChatMessage>, const acta::ChatOptions&) {
            if (++asked == 9) {
                acta::ChatCompletion out;
                out.message.content = "Done.";
                return out;
            }
            return calling("work");
        };
        acta::SkillRegistry skills;
        skills.add("work", "Works.", [] { return "worked"; });
        History history = asked_to("Go.");
        CHECK(driven::run_agent(model, skills, history, options).answer == "Done.");
        INFO(trigger.episodes << " " << trigger.tokens);
        if (trigger.episodes == 2)
            CHECK(summarised == "0123[2]45[2]67[2]");
        else if (trigger.episodes == 1 || trigger.tokens == 1)
            CHECK(summarised == "012[1]3[1]4[1]5[1]6[1]7[1]");
        else
            CHECK(summarised == "01234[3]567[3]");
    }
}
