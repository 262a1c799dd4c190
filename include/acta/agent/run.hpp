// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "acta/agent/agent_run.hpp"
#include "acta/agent/detail/run_arguments.hpp"

namespace acta::inline ACTA_ABI::agent_detail {

/// Drives a run to its end, or until it waits for a decision.
/// It copies skills and options, so that programs do not compile the copying.
[[nodiscard]] RunResult drive(ChatModelRef model, const SkillRegistry& skills, LockableHistory history,
                              const RunOptions& options);

/// The type of an answer.
struct AnswerType {
    Json schema{};
    std::string not_strict{};                           ///< Why servers do not enforce it; empty if they can.
    std::function<void(std::string_view json)> read{};  ///< Throws `ValidationError`.
    std::function<void()> forget{};                     ///< Forgets what was read.
};

template <class T>
[[nodiscard]] AnswerType answer_type(std::optional<T>& value) {
    auto [schema, not_strict] = chat_extension::answer_schema<T>();
    return {std::move(schema), std::move(not_strict), [&value](std::string_view json) { value = parse<T>(json); },
            [&value] { value.reset(); }};
}

}  // namespace acta::inline ACTA_ABI::agent_detail

namespace acta::inline ACTA_ABI {

/// Lets a model work with the tools of a registry until it answers (docs/reference/agent.md, "The loop"): it is shown
/// the history, its calls become a step and run, each result is registered as it comes, and older steps are
/// summarised. Pending feedback is taken before each request.
///
/// What a model or a tool does is never thrown: a call that fails has an error as its result, which the model sees, and
/// a model that fails ends the run. The history is right at every moment, so that a run that ended for whatever reason,
/// a crash included, is continued by another `run_agent`: calls of the last step without results are run first. If the
/// history ends with an answer, that is returned and the model is not asked.
///
/// Throws `Error` if there is nothing to work on, and what the functions of `options` throw. No other thread may use
/// the history during the run; a `SharedHistory` has an overload of its own.
///
/// @code{.cpp}
/// #include <acta/chat/chat_model.hpp>
/// acta::SkillRegistry skills;
/// skills.add("high_water", "When high water is.", [](const std::string& port) { return port + " 12:15"; },
///            acta::param("port", "The name of the port."));
/// acta::ScriptedChatModel model;   // or acta::openai::ChatModel
/// model.reply_call("high_water", {{"port", "Brest"}}).reply("At 12:15.");
///
/// acta::EpisodicActionHistory<> history;
/// history.register_message(acta::ChatMessage::user("When is high water in Brest?"));
/// const acta::RunResult run = acta::run_agent(model, skills, history);
/// assert(run.end == acta::RunEnd::answered);
/// assert(run.answer == "At 12:15.");
/// @endcode
template <ChatModel Model, ProposalWithParallelCalls P>
    requires std::constructible_from<std::remove_cvref_t<decltype(P::thoughts)>, const std::string&>
RunResult run_agent(Model&& model, const SkillRegistry& skills, EpisodicActionHistory<P>& history,
                    const RunOptions& options = RunOptions()) {
    return agent_detail::drive(ChatModelRef(model), skills, LockableHistory(history), options);
}

/// As above, while other threads keep using the history: it is only locked to read and to change it. Feedback that they
/// append reaches the model with the next request. Throws also `HistoryError` if they take back the step that is open.
template <ChatModel Model, ProposalWithParallelCalls P>
    requires std::constructible_from<std::remove_cvref_t<decltype(P::thoughts)>, const std::string&>
RunResult run_agent(Model&& model, const SkillRegistry& skills, SharedHistory<P>& history,
                    const RunOptions& options = RunOptions()) {
    return agent_detail::drive(ChatModelRef(model), skills, LockableHistory(history), options);
}

/// The outcome of a run with a typed answer.
template <class T>
struct TypedRunResult : RunResult {
    std::optional<T> value{};  ///< The answer; empty unless the run ended as `answered`.
};

/// Lets a model work until it answers with JSON of a described type (`acta::Describe`), which is asked for, read and
/// refused as by `ask<T>`; the schema is in the instructions of a model without native calls and with
/// `ChatOptions::schema_in_text`. An answer that does not fit is in the history too; the model reads what is wrong, and
/// is asked again, at most `RunOptions::max_answer_attempts` times in all. `RunOptions::on_answer` is called with
/// answers that fit. A type whose schema servers do not enforce is reported (`SchemaNotStrict`). Otherwise as
/// `run_agent` without a type.
///
/// @code{.cpp}
/// #include <acta/chat/chat_model.hpp>
/// acta::ScriptedChatModel model{"Thirty.", R"({"prompt_tokens": 30})"};
/// acta::EpisodicActionHistory<> history;
/// history.register_message(acta::ChatMessage::user("How many tokens?"));
/// const auto run = acta::run_agent<acta::TokenUsage>(model, acta::SkillRegistry(), history);
/// assert(run.value->prompt_tokens == 30);
/// @endcode
template <class T, ChatModel Model, ProposalWithParallelCalls P>
    requires std::constructible_from<std::remove_cvref_t<decltype(P::thoughts)>, const std::string&>
[[nodiscard]] TypedRunResult<T> run_agent(Model&& model, const SkillRegistry& skills, EpisodicActionHistory<P>& history,
                                          const RunOptions& options = {}) {
    TypedRunResult<T> out;
    static_cast<RunResult&>(out) = agent_detail::drive_typed(ChatModelRef(model), skills, LockableHistory(history),
                                                             options, agent_detail::answer_type(out.value));
    return out;
}
/// The same for a history that other threads keep using.
template <class T, ChatModel Model, ProposalWithParallelCalls P>
    requires std::constructible_from<std::remove_cvref_t<decltype(P::thoughts)>, const std::string&>
[[nodiscard]] TypedRunResult<T> run_agent(Model&& model, const SkillRegistry& skills, SharedHistory<P>& history,
                                          const RunOptions& options = {}) {
    TypedRunResult<T> out;
    static_cast<RunResult&>(out) = agent_detail::drive_typed(ChatModelRef(model), skills, LockableHistory(history),
                                                             options, agent_detail::answer_type(out.value));
    return out;
}

/// Does not compile, and says what the arguments are. `Of` keeps the first from being the T of a typed answer.
template <int Of = 0, class Model, class Skills = SkillRegistry, class History, class Options = RunOptions>
    requires agent_detail::NotRun<Model, const Skills&, History, const Options&>
RunResult run_agent(Model&&, const Skills&, History&&, const Options& = {}) {
    agent_detail::explain_run<Model, const Skills&, History, const Options&>();
    return {};
}
/// The same for a run with a typed answer.
template <class T, class Model, class Skills = SkillRegistry, class History, class Options = RunOptions>
    requires agent_detail::NotRun<Model, const Skills&, History, const Options&>
TypedRunResult<T> run_agent(Model&&, const Skills&, History&&, const Options& = {}) {
    agent_detail::explain_run<Model, const Skills&, History, const Options&>();
    return {};
}
/// The same where an argument is missing.
template <int Of = 0, class First, class Second>
RunResult run_agent(First&&, Second&&) {
    agent_detail::explain_run<First, Second>();
    return {};
}
/// The same for a run with a typed answer.
template <class T, class First, class Second>
TypedRunResult<T> run_agent(First&&, Second&&) {
    agent_detail::explain_run<First, Second>();
    return {};
}

/// Returns an agent as a tool, with one parameter, `task`: each call is a run of its own with this model, these skills
/// and options, and its answer is the result. If the run ends otherwise, the result is an error that says how.
///
/// Within a run (`run_agent`, `AgentRun`) its tokens and cost count in that run and its limits; stop, deadline,
/// observer and, where the options have none, `approve` and `price` are those of that run; and its history is kept with
/// the step (`EpisodicActionHistory::sub_runs`). A call that waits for a decision is refused there, since it could not
/// be decided later.
///
/// @code{.cpp}
/// #include <acta/chat/chat_model.hpp>
/// acta::ScriptedChatModel reader{"High water is at 12:15."};
/// acta::ScriptedChatModel writer;
/// writer.reply_call("researcher", {{"task", "When is high water in Brest?"}}).reply("At 12:15.");
///
/// acta::SkillRegistry skills;
/// skills.add(acta::agent_tool("researcher", "Looks things up.", reader, {}));
/// acta::EpisodicActionHistory<> history;
/// history.register_message(acta::ChatMessage::user("Ask when high water is."));
/// assert(acta::run_agent(writer, skills, history).answer == "At 12:15.");
/// assert(history.sub_runs().size() == 1);
/// @endcode
[[nodiscard]] RunTimeTool agent_tool(std::string name, std::string description, AnyChatModel model,
                                     SkillRegistry skills, RunOptions options = {});
/// Does not compile, and says what the third argument is.
template <class Model, class Skills = SkillRegistry>
    requires(!ChatModel<Model>)
RunTimeTool agent_tool(std::string, std::string, Model&&, const Skills&, const RunOptions& = {}) {
    chat_extension::require_chat_model<Model>();
    std::terminate();
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/agent/detail/run.inl.hpp"
#endif
