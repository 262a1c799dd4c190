// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "acta/chat/message.hpp"
#include "acta/describe/describe.hpp"
#include "acta/history/history.hpp"

// Trajectories of SWE-agent (`.traj` files; its documentation, "Output files"): the run as `trajectory`, a list of
// steps, and `history`, the messages between model and tools. Demonstrations have `history` alone.
namespace acta::inline ACTA_ABI {

/// Trajectories of SWE-agent.
namespace swe_agent {

/// The function that a model calls.
struct Function {
    std::string name{};                                 ///< The tool that is called, such as `bash`.
    std::variant<std::string, JsonObject> arguments{};  ///< The text of a JSON object, as most APIs write it, or one.

    friend bool operator==(const Function&, const Function&) = default;
};

/// One call of an assistant's message.
struct ToolCall {
    std::string id{};     ///< A tool's message refers to it in `tool_call_ids`.
    Function function{};  ///< The called function, with its arguments.

    friend bool operator==(const ToolCall&, const ToolCall&) = default;
};

/// A message of `history`.
struct Message {
    ChatRole role = ChatRole::user;  ///< Who speaks; results come from `tool`, or without function calls from `user`.
    /// Text, or typed parts, only the text of which is read.
    std::optional<std::variant<std::string, std::vector<JsonObject>>> content{};
    std::optional<std::string> thought{};  ///< Of an assistant's message: the answer without the command.
    std::optional<std::string> action{};   ///< The command, as it was run.
    /// Of an assistant's message: its function calls; empty without any.
    std::optional<std::vector<ToolCall>> tool_calls{};
    std::optional<std::vector<std::string>> tool_call_ids{};  ///< Of a tool's message: the calls that it answers.
    std::optional<bool> is_demo{};  ///< The message belongs to a demonstration, not to the run.

    friend bool operator==(const Message&, const Message&) = default;
};

/// A step of `trajectory`.
struct Step {
    std::string action{};                      ///< The command, as it was run; empty if the model gave none.
    std::optional<std::string> observation{};  ///< The output of the command.
    std::optional<std::string> response{};     ///< The whole answer of the model.
    /// The answer without the command. If there is none, `response` is read as the thoughts.
    std::optional<std::string> thought{};

    friend bool operator==(const Step&, const Step&) = default;
};

/// A `.traj` file: one of the two lists, or both.
struct Document {
    std::optional<std::vector<Step>> trajectory{};  ///< The commands that were run, in order; empty in demonstrations.
    /// The messages between the model and its tools; empty if they were not saved.
    std::optional<std::vector<Message>> history{};
    std::optional<JsonObject> info{};  ///< Exit status, submission, statistics.

    friend bool operator==(const Document&, const Document&) = default;
};

/// Reads the history in a SWE-agent trajectory. Function calls come from `history`, the output of the commands from
/// `trajectory`; a step without function calls becomes a call of the command's first word with the argument `command`.
/// The two lists are aligned by their actions and thoughts: a step that is only in `trajectory` (a repeated query,
/// `submit`) is a command between the others, and a message without a step keeps its own result. If no action is in
/// both, `trajectory` is used. Demonstrations are omitted; prompts, and answers without a command, are the
/// conversation. SWE-agent records no status: outputs that are its own messages of a failure (cancelled, not executed,
/// an edit refused) or the shell's (`command not found`) are errors, all others successes. Execution times are not
/// kept. Linear if the lists agree, else the product of the lengths that differ. Throws `ValidationError`, with the
/// location of each issue, if arguments are not a JSON object or a result belongs to no call.
///
/// @code{.cpp}
/// #include <acta/json/json.hpp>
/// const auto document = acta::parse<acta::swe_agent::Document>(R"({"trajectory": [
///     {"action": "ls docs", "observation": "tides.md", "thought": "Look around."}]})");
/// const acta::EpisodicActionHistory<> run = acta::swe_agent::to_history(document);
/// assert(acta::to_string(run[0]) == "Executed `ls(command='ls docs')`: tides.md");
/// @endcode
[[nodiscard]] EpisodicActionHistory<> to_history(const Document& document);

}  // namespace swe_agent

template <>
struct Describe<swe_agent::Function> {
    static constexpr auto fields = acta::fields(required("name", &swe_agent::Function::name),
                                                required("arguments", &swe_agent::Function::arguments));
};

template <>
struct Describe<swe_agent::ToolCall> {
    static constexpr auto fields = acta::fields(required("id", &swe_agent::ToolCall::id), literal("type", "function"),
                                                required("function", &swe_agent::ToolCall::function));
};

template <>
struct Describe<swe_agent::Message> {
    using Self = swe_agent::Message;
    static constexpr auto fields =
        acta::fields(required("role", &Self::role), omit_if_empty("content", &Self::content),
                     omit_if_empty("thought", &Self::thought), omit_if_empty("action", &Self::action),
                     omit_if_empty("tool_calls", &Self::tool_calls),
                     omit_if_empty("tool_call_ids", &Self::tool_call_ids), omit_if_empty("is_demo", &Self::is_demo));
};

template <>
struct Describe<swe_agent::Step> {
    using Self = swe_agent::Step;
    static constexpr auto fields =
        acta::fields(required("action", &Self::action), omit_if_empty("observation", &Self::observation),
                     omit_if_empty("response", &Self::response), omit_if_empty("thought", &Self::thought));
};

template <>
struct Describe<swe_agent::Document> {
    using Self = swe_agent::Document;
    static constexpr auto fields =
        acta::fields(omit_if_empty("trajectory", &Self::trajectory), omit_if_empty("history", &Self::history),
                     omit_if_empty("info", &Self::info));
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/interop/swe_agent/detail/swe_agent.inl.hpp"
#endif
