// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acta/history/history.hpp"
#include "acta/interop/detail/json_edits.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/json/dump.hpp"
#include "acta/json/issue.hpp"

// Lenient reading: a document is mended so that the strict reader of its format accepts it, and each change is noted.
namespace acta::inline ACTA_ABI::interop_detail {

/// A call whose arguments were not an object.
struct MalformedCall {
    std::string name{};
    std::string raw{};
};

/// The common state of the menders of all formats: the report, and the calls whose results are errors.
struct Mending {
    TrajectoryReport report{};
    std::vector<MalformedCall> malformed{};
    std::optional<std::size_t> step{};  ///< That the notes are about.

    void note(TrajectoryNoteKind kind, std::vector<LocElement> loc, std::string message) {
        report.push_back({kind, step, std::move(loc), std::move(message)});
    }
};

/// Returns a text unchanged, any other value as its JSON.
[[nodiscard]] std::string json_text(const Json& value);
/// Returns the text of a content in parts, or of any other value.
[[nodiscard]] std::string content_text_of(const Json& content);

/// Makes the arguments of a call an object: text that is not one is kept as `raw_arguments`.
void mend_arguments(Json& arguments, const std::string& name, std::vector<LocElement> loc, Mending& mending);

/// Returns `loc` followed by `steps`.
template <class... Steps>
[[nodiscard]] std::vector<LocElement> extend_path(std::vector<LocElement> loc, const Steps&... steps) {
    (loc.emplace_back(steps), ...);
    return loc;
}

/// Mends a list of messages of OpenAI's or, with `swe_agent`, of SWE-agent's `history`.
void mend_openai_messages(Json& messages, const std::vector<LocElement>& loc, bool swe_agent, Mending& mending);
void mend_anthropic_messages(Json& messages, const std::vector<LocElement>& loc, Mending& mending);

/// Makes the results of malformed calls errors.
[[nodiscard]] EpisodicActionHistory<> with_failed_calls(EpisodicActionHistory<> history, const Mending& mending);

}  // namespace acta::inline ACTA_ABI::interop_detail
