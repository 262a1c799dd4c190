// SPDX-License-Identifier: MIT
#include <chrono>
#include <thread>

#include "acta/observe/observer.hpp"
#include "acta/skill/arguments_action.hpp"
#include "acta/skill/execute.hpp"
#include "memory/failing_new.hpp"
#include "memory/histories.hpp"

// A call always returns a result, even if memory runs out.
namespace {

using acta::ActionResult;
using histories::long_text;
using memory::Shortage;

acta::SkillRegistry registry() {
    acta::SkillRegistry out;
    out.add(
        "repeat_a_text", "Says it again.",
        [](const std::string& text, int times) {
            std::string all;
            for (int i = 0; i < times; ++i) all += text;
            return all;
        },
        acta::param("text", "What."), acta::param("times", "How often.", 2));
    out.add("fails_at_once", "Fails.", []() -> std::string { throw std::runtime_error(long_text); });
    return out;
}

acta::AssistantFunctionCall call_of(std::string name, acta::JsonObject arguments = {}) {
    return {std::move(name), std::move(arguments)};
}

bool is_out_of_memory(const ActionResult& result) {
    const auto* const error = std::get_if<acta::ActionErrorResult>(&result);
    return error != nullptr && error->error && error->error->exception_type == "bad_alloc";
}

/// Each allocation of a call fails; what comes is its result, or the error that says why there is none.
void check_results(const acta::AssistantFunctionCall& call, const acta::SkillRunOptions& options = {}) {
    const acta::SkillRegistry skills = registry();
    const ActionResult wanted = skills.call(call, options);
    for (const Shortage shortage : {Shortage::once, Shortage::from_then_on}) {
        std::size_t without = 0;
        const auto tried = memory::out_of_memory(
            shortage, [] { return ActionResult(); }, [&](ActionResult& result) { result = skills.call(call, options); },
            [&](const ActionResult& result, bool) -> std::string {
                if (is_out_of_memory(result)) ++without;
                return is_out_of_memory(result) || result == wanted ? "" : "it is " + acta::to_string(result);
            });
        CHECK(tried.survived == tried.allocations);
        CHECK(without > 0);
    }
}

}  // namespace

TEST_CASE("without memory a call of a skill returns the error that says so, and needs none for it") {
    check_results(call_of("repeat_a_text", {{"text", long_text}}));
    check_results(call_of("repeat_a_text", {{"text", long_text}, {"times", "many"}}));
    check_results(call_of("fails_at_once"));
    check_results(call_of("there_is_no_skill_of_this_name"));
    acta::CountingObserver observer;
    acta::SkillRunOptions watched;
    watched.observer = &observer;
    check_results(call_of("repeat_a_text", {{"text", long_text}}), watched);
    check_results(call_of("fails_at_once"), watched);
}

TEST_CASE("without memory a call in a thread of its own returns a result, too") {
    const acta::AssistantFunctionCall call = call_of("repeat_a_text", {{"text", long_text}});
    const ActionResult wanted = registry().call(call);
    const std::ptrdiff_t before = memory::live();
    {
        const acta::SkillRegistry skills = registry();
        acta::SkillRunOptions limited;
        limited.until.deadline = acta::deadline_in(std::chrono::hours(1));
        for (const Shortage shortage : {Shortage::once, Shortage::from_then_on}) {
            for (std::size_t n = 1;; ++n) {
                memory::fail(n, shortage);
                const ActionResult result = skills.call(call, limited);
                const bool reached = memory::stop();
                if (!is_out_of_memory(result) && !(result == wanted)) FAIL("allocation " << n << " failed");
                if (!reached) break;
            }
        }
    }
    // The threads may end after their results are there.
    for (int i = 0; i < 10'000 && memory::live() != before; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::ptrdiff_t after = memory::live();
    CHECK(after == before);
}

TEST_CASE("an error whose redactor throws is a result without its text") {
    acta::SkillRunOptions options;
    options.errors.redactor = [](std::string_view) -> std::string { throw std::logic_error("no"); };
    const ActionResult result = registry().call("fails_at_once", {}, options);
    CHECK(acta::to_string(result) == "Action failed: 'unknown error'");
}

TEST_CASE("without memory the calls of a proposal have all their results, or none of them is run") {
    acta::ActionProposal<> proposal;
    proposal.use_tools = {call_of("repeat_a_text", {{"text", long_text}}), call_of("fails_at_once"),
                          call_of("repeat_a_text", {{"text", long_text}, {"times", 1}})};
    const acta::SkillRegistry skills = registry();
    const auto wanted = acta::execute(proposal, skills);
    for (const std::size_t parallel : {1U, 3U}) {
        acta::ExecuteOptions options;
        options.max_parallel = parallel;
        for (const Shortage shortage : {Shortage::once, Shortage::from_then_on}) {
            const auto tried = memory::out_of_memory(
                shortage, [] { return std::vector<acta::ToolResult>(); },
                [&](auto& results) { results = acta::execute(proposal, skills, options); },
                [&](const auto& results, bool thrown) -> std::string {
                    if (thrown) return results.empty() ? "" : "some are there";
                    for (std::size_t i = 0; i < wanted.size(); ++i) {
                        if (!is_out_of_memory(results[i].result) && !(results[i] == wanted[i])) return "another result";
                    }
                    return {};
                });
            CHECK(tried.allocations > 0);
        }
    }
}

TEST_CASE("without memory a skill is registered or not") {
    const auto add = [](acta::SkillRegistry& skills) {
        skills.add(
            "one_more_skill_with_a_long_name", "Does nothing.", [](const std::string&) {}, "text");
    };
    const auto check = [](const acta::SkillRegistry& skills, bool thrown) -> std::string {
        const bool known = skills.contains("one_more_skill_with_a_long_name");
        return known == !thrown && skills.names().size() == skills.size() && skills.size() == (known ? 3U : 2U)
                   ? ""
                   : "it is there by half";
    };
    CHECK_OUT_OF_MEMORY([] { return registry(); }, add, check);
}

TEST_CASE("without memory an action of a skill has a result") {
    const acta::SkillAction action{{.name = "repeat_a_text"}, {{"text", long_text}}};
    const acta::SkillRegistry skills = registry();
    const auto tried = memory::out_of_memory(
        Shortage::from_then_on, [] { return ActionResult(); }, [&](ActionResult& out) { out = action.run(skills); },
        [](const ActionResult& out, bool) { return is_out_of_memory(out) || acta::is_success(out) ? "" : "no"; });
    CHECK(tried.survived == tried.allocations);
}
