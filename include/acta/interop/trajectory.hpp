// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "acta/history/history.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/json/issue.hpp"

// The record of an agent's run, in any known format, which is recognised by the content, not by a file's name.
namespace acta::inline ACTA_ABI {

/// The formats that are read.
enum class TrajectoryFormat {
    acta,              ///< A history that acta saved.
    atif,              ///< Agent Trajectory Interchange Format.
    swe_agent,         ///< A `.traj` file of SWE-agent, with steps, messages or both.
    openai,            ///< A list of OpenAI's chat messages, or a request that has one, with its response.
    anthropic,         ///< The same for Anthropic's.
    autogpt,           ///< A state file, a history or a list of episodes of AutoGPT.
    openhands,         ///< The events of an OpenHands conversation, or a row of one of its evaluations.
    claude_code,       ///< A session of Claude Code, or of one of its subagents.
    codex,             ///< A session ("rollout") of Codex.
    openai_responses,  ///< Items of OpenAI's Responses API, as sessions of its Agents SDK have them.
    langchain,         ///< Messages that LangChain dumped.
    mini_swe_agent,    ///< A trajectory of mini-swe-agent.
    goose,             ///< A session of goose.
    llama_index        ///< Messages that LlamaIndex dumped.
};

/// Returns a name for people, such as `ATIF trajectory`.
[[nodiscard]] std::string_view to_string(TrajectoryFormat format);

/// Options of reading a run.
struct TrajectoryOptions {
    /// Keeps content that the strict readers refuse: a call whose arguments are not a JSON object gets them as
    /// `raw_arguments` and an error result; a `custom` call becomes one of a function with the argument `input`; a
    /// tool's message without an id answers the next open call, of the named tool if it names one; unreadable content
    /// becomes a system message. `Trajectory::report` lists each. A document that is not JSON, or in none of the
    /// formats, is still refused; so is a broken history of acta's own.
    bool lenient = false;
    ParseOptions parse{};  ///< Limits of the text.
};

/// A run that was read.
struct Trajectory {
    TrajectoryFormat format = TrajectoryFormat::acta;  ///< As it was recognised.
    EpisodicActionHistory<> history{};                 ///< Steps and conversation; thoughts are text in every format.
    /// The runs of subagents in a run of another program, each with the call of `history` that began it. They are not
    /// part of its run: `with_sub_runs` puts them in. A history of acta's own has them already.
    std::vector<SubRun> sub_runs{};
    TrajectoryReport report{};  ///< Everything that was kept as text, changed or dropped.

    /// Returns the history with the runs of its subagents in it (`EpisodicActionHistory::sub_runs`).
    [[nodiscard]] EpisodicActionHistory<> with_sub_runs() const;

    friend bool operator==(const Trajectory&, const Trajectory&) = default;
};

/// Returns the format of a document, recognised by its members; nothing if it is in none of them. Whether the document
/// is complete is only checked when it is read.
///
/// @code{.cpp}
/// #include <acta/json/json.hpp>
/// const acta::Json document = acta::parse<acta::Json>(R"([{"role": "user", "content": "Hello"}])");
/// assert(acta::detect_trajectory(document) == acta::TrajectoryFormat::openai);
/// @endcode
[[nodiscard]] std::optional<TrajectoryFormat> detect_trajectory(const Json& document);

/// Reads a run in any of the formats, from JSON or from JSON lines (messages, items or events, one per line). Throws
/// `ValidationError`, with the location of each issue; its type is `trajectory_unknown` if the document is in none of
/// the formats. The text is read twice, the first time to recognise the format.
///
/// @code{.cpp}
/// const std::string_view text = R"([{"role": "user", "content": "How deep is it?"},
///     {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function",
///         "function": {"name": "depth", "arguments": "{\"at\": "}}]},
///     {"role": "tool", "tool_call_id": "c1", "content": "Invalid arguments"}])";
/// const acta::Trajectory run = acta::parse_trajectory(text, {.lenient = true});
/// assert(run.format == acta::TrajectoryFormat::openai);
/// assert(run.history[0].action.use_tool.arguments.at("raw_arguments") == "{\"at\": ");
/// assert(acta::is_error(*run.history[0].result));
/// assert(run.report.size() == 1);
/// @endcode
[[nodiscard]] Trajectory parse_trajectory(std::string_view text, const TrajectoryOptions& options = {});

/// Reads all runs in a text, such as the rows of an evaluation's `output.jsonl`; `parse_trajectory` reads the first and
/// notes how many there are. The locations in reports and issues begin with the index of the run, if there are several.
/// Throws `ValidationError` if one of them cannot be read.
[[nodiscard]] std::vector<Trajectory> parse_trajectories(std::string_view text, const TrajectoryOptions& options = {});

/// Reads the run in a file, as `parse_trajectory`. Also throws `FileError`.
[[nodiscard]] Trajectory load_trajectory(const std::filesystem::path& path, const TrajectoryOptions& options = {});

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/interop/detail/trajectory.inl.hpp"
#endif
