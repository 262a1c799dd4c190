// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "acta/history/history.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/json/options.hpp"

// The record of an agent's run, whoever wrote it. The format is recognised by the content, not by a file's name.
namespace acta::inline v0 {

/// The formats that are read.
enum class TrajectoryFormat {
    acta,       ///< A history that acta saved.
    atif,       ///< Agent Trajectory Interchange Format.
    swe_agent,  ///< A `.traj` file of SWE-agent, with steps, messages or both.
    openai,     ///< A list of OpenAI's chat messages, or a request that has one.
    anthropic,  ///< The same of Anthropic's; a session of Claude Code, too.
    autogpt,    ///< A state file, a history or a list of episodes of AutoGPT.
    openhands   ///< The events of an OpenHands conversation.
};

/// A name for people, such as `ATIF trajectory`.
[[nodiscard]] std::string_view to_string(TrajectoryFormat format);

/// How a run is read.
struct TrajectoryOptions {
    /// Keeps what the strict readers refuse: a call whose arguments are not a JSON object has them as `raw_arguments`
    /// and an error result; a `custom` call is one of a function with the argument `input`; a tool's message without an
    /// id answers the next open call, of the tool that it names if it names one; what cannot be read at all is a system
    /// message. `Trajectory::report` lists each. A document that is not JSON, or none of the formats, is refused all
    /// the same; so is a broken history of acta's own.
    bool lenient = false;
    ParseOptions parse{};  ///< Limits of the text.
};

/// A run that was read.
struct Trajectory {
    TrajectoryFormat format = TrajectoryFormat::acta;  ///< As it was recognised.
    EpisodicActionHistory<> history{};  ///< Steps and conversation; thoughts are text whatever the format.
    TrajectoryReport report{};          ///< What was kept as text, changed or dropped.

    friend bool operator==(const Trajectory&, const Trajectory&) = default;
};

/// The format of a document, recognised by its members; nothing where it is none of them. Whether the document is
/// complete shows when it is read.
///
/// @code{.cpp}
/// #include <acta/json/parse.hpp>
/// const acta::Json document = acta::parse<acta::Json>(R"([{"role": "user", "content": "Hello"}])");
/// assert(acta::detect_trajectory(document) == acta::TrajectoryFormat::openai);
/// @endcode
[[nodiscard]] std::optional<TrajectoryFormat> detect_trajectory(const Json& document);

/// Reads a run in any of the formats, from JSON or from JSON lines (messages, or the events of OpenHands or Claude
/// Code, one a line). Throws `ValidationError`, with the location of each issue; its type is `trajectory_unknown` where
/// the document is none of the formats. The text is read twice, the first time to recognise the format.
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

/// The same from a file. Throws `FileError`, too.
[[nodiscard]] Trajectory load_trajectory(const std::filesystem::path& path, const TrajectoryOptions& options = {});

}  // namespace acta::inline v0

#ifndef ACTA_COMPILED
#include "acta/interop/detail/trajectory.inl.hpp"
#endif
