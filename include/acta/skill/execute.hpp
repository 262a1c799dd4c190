// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/schema/schema.hpp"
#include "acta/skill/declaration.hpp"
#include "acta/skill/registry.hpp"

namespace acta::inline ACTA_ABI::base {
class Workers;
}  // namespace acta::inline ACTA_ABI::base

namespace acta::inline ACTA_ABI {

/// A disagreement between a declaration and the functions behind it.
struct SkillFinding {
    /// The kinds of findings.
    enum class Kind {
        no_function,           ///< The skill is declared, but no function has its name.
        missing_parameter,     ///< The parameter is declared, but the function does not have it.
        undeclared_parameter,  ///< The function needs the parameter, but it is not declared.
        other_type,            ///< The function takes a type other than the declared one.
        bad_example            ///< The answer of an example cannot be read, or does not fit the function.
    };
    /// The kind of disagreement.
    Kind kind = Kind::no_function;
    std::string entity{};     ///< The kind of agent that has the skill.
    std::string skill{};      ///< The name of the skill.
    std::string parameter{};  ///< The parameter, for the kinds that concern one.
    /// The finding in words.
    std::string message{};

    friend bool operator==(const SkillFinding&, const SkillFinding&) = default;
    /// Prints `to_string`.
    friend std::ostream& operator<<(std::ostream& out, const SkillFinding& finding);
};

/// Returns `Assistant.search: the function has no parameter 'limit'`.
[[nodiscard]] std::string to_string(const SkillFinding& finding);
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const SkillFinding& finding) { return out << to_string(finding); }

/// Compares a declaration with the functions behind it. Returns the findings in the order of the declaration: skills
/// without a function, parameters missing or of another type, examples that cannot be read or do not fit.
///
/// @code{.cpp}
/// acta::SkillsDeclaration declaration;   // see acta::load_yaml
/// acta::SkillRegistry skills;
/// for (const acta::SkillFinding& finding : acta::check(declaration, skills)) std::string text = to_string(finding);
/// @endcode
[[nodiscard]] std::vector<SkillFinding> check(const SkillsDeclaration& declaration, const SkillRegistry& registry);

// Runs whole proposals: one call, or several in parallel.

/// Which calls of a step run at the same time.
enum class CallOverlap {
    all,     ///< All of them.
    hinted,  ///< Those whose skills are read-only (`SkillHints::read_only`). Each other one runs alone.
    none     ///< None: they run in the order of the model.
};

/// Options of `execute`.
struct ExecuteOptions {
    SkillRunOptions run{};         ///< Of each call.
    std::size_t max_parallel = 8;  ///< Calls at the same time; 0 is taken as 1.
    /// Which calls run at the same time. A call that runs alone waits for those before it, and those after it wait.
    CallOverlap parallel = CallOverlap::hinted;
};

namespace skill_detail {
/// Whether calls of a skill of this name may run at the same time as others.
[[nodiscard]] bool may_overlap(const SkillRegistry& registry, std::string_view name, CallOverlap parallel);
/// Returns the end of the calls, of `count`, that run at the same time as the one at `begin`: neighbours for which
/// `overlaps` holds, or the one alone.
[[nodiscard]] std::size_t group_end(std::size_t begin, std::size_t count,
                                    const std::function<bool(std::size_t)>& overlaps);
/// Calls `work` with each index below `count`, and waits for the end: with those of neighbours for which `overlaps`
/// holds at the same time, on this thread and others, and with each other one alone. `work` must not throw.
void run_calls(base::Workers& workers, std::size_t count, std::size_t max_parallel,
               const std::function<bool(std::size_t)>& overlaps, const std::function<void(std::size_t)>& work);
[[nodiscard]] std::vector<ToolResult> execute_calls(std::span<const AssistantFunctionCall> calls,
                                                    std::vector<std::string> ids, const SkillRegistry& registry,
                                                    const ExecuteOptions& options);

/// Whether a call of an open step may run, given that it may have begun before: if it has not, or if that is harmless,
/// or else if `rerun` says so. Without `rerun`, a call of which no store knows may run.
[[nodiscard]] bool may_run(const OpenCall& open, const SkillRegistry& registry,
                           const std::function<bool(const AssistantToolCall&)>& rerun);
/// Whether the calls of an answer run: not if it was cut off or refused, since they may lack a part.
[[nodiscard]] constexpr bool has_whole_calls(FinishReason finish) noexcept {
    return finish != FinishReason::length && finish != FinishReason::content_filter && finish != FinishReason::error;
}
/// The result of a call whose answer ended for this reason, in the server's words, if it does not run because of that.
[[nodiscard]] std::optional<ActionResult> cut_off(std::string_view finish_reason, const ErrorOptions& options);
/// The result of a call that may not run again.
[[nodiscard]] ActionResult outcome_unknown(const ErrorOptions& options);
/// The result of a call that was refused.
[[nodiscard]] ActionResult refused(std::string feedback);
/// A text as the result of a call.
[[nodiscard]] ActionResult succeeded(std::string text);
/// An error of this type, as the result of a call.
[[nodiscard]] ActionResult failed(const std::string& type, std::string_view message, const ErrorOptions& options);
/// The result of a call that did not run, since the run was stopped.
[[nodiscard]] ActionResult cancelled(const ErrorOptions& options);
}  // namespace skill_detail

/// Runs the calls of a proposal, those of read-only skills in parallel (`ExecuteOptions::parallel`), and returns one
/// result for each, in their order; none if the proposal calls nothing (`has_tool_call`). A call that fails has an
/// error as its result. The ids are those under which a history takes the results.
///
/// @code{.cpp}
/// acta::SkillRegistry skills;
/// skills.add("add", "Adds two numbers.", [](int a, int b) { return a + b; }, "a", "b");
///
/// acta::ActionProposal<> proposal;
/// proposal.use_tool = {"add", {{"a", 1}, {"b", 2}}};
/// for (auto& [id, result] : acta::execute(proposal, skills)) {
///     std::string text = acta::to_string(result);   // 3; history.register_result(id, result) takes it
/// }
/// @endcode
template <Proposal P>
[[nodiscard]] std::vector<ToolResult> execute(const P& proposal, const SkillRegistry& registry,
                                              const ExecuteOptions& options = {}) {
    if (!has_tool_call(proposal)) return {};
    return skill_detail::execute_calls(get_tools(proposal), call_ids(proposal), registry, options);
}

}  // namespace acta::inline ACTA_ABI

// What other components use beyond the public API: running the calls of a step in parallel, and the results of those
// that do not run.
namespace acta::inline ACTA_ABI::skill_extension {

using skill_detail::argument_issues;
using skill_detail::cancelled;
using skill_detail::clean_result;
using skill_detail::cut_off;
using skill_detail::failed;
using skill_detail::group_end;
using skill_detail::has_whole_calls;
using skill_detail::may_overlap;
using skill_detail::may_run;
using skill_detail::outcome_unknown;
using skill_detail::refused;
using skill_detail::run_calls;
using skill_detail::succeeded;

}  // namespace acta::inline ACTA_ABI::skill_extension

// The skills of a registry as tools in the form of a model's API.
namespace acta::inline ACTA_ABI {

/// The API that tools are written for.
enum class ToolDialect {
    openai_chat,       ///< Chat completions: `tools` of the request.
    openai_responses,  ///< Responses: `tools` of the request.
    anthropic,         ///< Messages: `tools` of the request.
    mcp                ///< Model Context Protocol: `tools` of the result of `tools/list`.
};

/// Whether OpenAI holds a model to the schema (`strict: true`).
enum class ToolStrictness {
    never,
    /// If the schema can be expressed; otherwise the tool is not strict and has its plain schema. In a strict tool
    /// every parameter is required: a model also sends a value for those that have a default.
    where_possible,
    always  ///< `SchemaError` if it cannot be expressed.
};

/// How tools are defined.
struct ToolDefinitionOptions {
    /// For OpenAI's APIs. The others have no equivalent, or one that supports less than these schemas need (Anthropic's
    /// `strict` has neither maps nor recursion).
    ToolStrictness strictness = ToolStrictness::where_possible;
    /// With `key_value_lists` strict tools may have maps; `restore_arguments` turns a model's arguments back.
    SchemaMaps maps = SchemaMaps::refuse;
};

/// The tools of a registry in the form of an API, and the skill behind each.
struct ApiTools {
    Json tools = JsonArray();  ///< As the request has it.
    ToolNames names{};         ///< Between the skills' names and those of `tools`.
    /// A line for each description that was cut, because the API takes no longer one.
    std::vector<std::string> report{};
};

/// Returns the skills of a registry for `ChatOptions::tools`, in the order in which they were added, under their own
/// names: a client writes them in the form of its API and under names that it accepts, and calls come back with the
/// original names.
///
/// @code{.cpp}
/// acta::SkillRegistry skills;
/// skills.add("math.add", "Adds two numbers.", [](int a, int b) { return a + b; }, acta::param("a"), acta::param("b"));
/// const acta::ChatOptions options{.tools = acta::tools(skills)};
/// assert(options.tools.front().name == "math.add");
/// @endcode
[[nodiscard]] std::vector<ToolDefinition> tools(const SkillRegistry& registry);

/// Returns the same in the form of an API, under names that it accepts, for a request that is put together without a
/// client. Throws `SchemaError` with the skill's name if a tool must be strict but cannot be.
///
/// @code{.cpp}
/// acta::SkillRegistry skills;
/// skills.add("math.add", "Adds two numbers.", [](int a, int b) { return a + b; }, acta::param("a"), acta::param("b"));
/// const acta::ApiTools made = acta::tools(skills, acta::ToolDialect::openai_chat);
/// const acta::JsonObject request{{"model", "gpt-4o"}, {"tools", made.tools}};
/// // The model's answer calls a tool; its name leads back to the skill.
/// const acta::AssistantFunctionCall call{"math_add", {{"a", 1}, {"b", 2}}};
/// assert(acta::to_string(skills.call(made.names.to_skill(call))) == "3");
/// @endcode
[[nodiscard]] ApiTools tools(const SkillRegistry& registry, ToolDialect dialect,
                             const ToolDefinitionOptions& options = {});

/// Returns the arguments of a strict tool that was defined with `SchemaMaps::key_value_lists` in the form that the
/// skill takes.
[[nodiscard]] JsonObject restore_arguments(const RegisteredSkill& skill, JsonObject arguments);

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/skill/detail/execute.inl.hpp"
#endif
