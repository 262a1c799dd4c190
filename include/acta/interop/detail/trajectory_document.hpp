// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/interop/claude_code/detail/lines.hpp"
#include "acta/interop/openhands/detail/events.inl.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/json/options.hpp"
#include "acta/json/parse.hpp"

// The document of a run: one JSON value, or one per line.
namespace acta::inline ACTA_ABI::interop_detail {

struct TrajectoryDocument {
    Json value{};
    bool is_lines = false;  ///< `value` is a list of the lines' values.
};

/// Returns the values of JSON lines; nothing if the first line that is not blank is not a JSON object. Lenient reading
/// omits other lines that are not JSON, such as the last one of a run that was cut off.
inline std::optional<Json> read_json_lines(std::string_view text, bool lenient, const ParseOptions& options,
                                           TrajectoryReport& report) {
    Json lines = Json::array();
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        try {
            Json value = parse<Json>(line, options);
            if (lines.empty() && !value.is_object()) return std::nullopt;
            lines.push_back(std::move(value));
        } catch (const ValidationError& error) {
            if (lines.empty()) return std::nullopt;
            if (lenient) {
                report.push_back(
                    {TrajectoryNoteKind::dropped,
                     {},
                     {lines.size()},
                     "Line " + std::to_string(number) + " is not JSON: " + error.issues().front().message});
                continue;
            }
            std::vector<Issue> issues(error.issues().begin(), error.issues().end());
            for (Issue& issue : issues) {
                issue.loc.insert(issue.loc.begin(), lines.size());
                issue.line = number;
            }
            throw ValidationError("Trajectory", std::move(issues), error.truncated());
        }
    }
    if (lines.empty()) return std::nullopt;
    return lines;
}

/// Returns the value of a document's lines: a list, or a document in one line.
inline Json lines_value(Json lines, TrajectoryReport& report) {
    if (is_claude_code(lines) && !is_openhands(lines)) return claude_code_messages(lines, report);
    const bool is_message = !string_member(lines.front(), "role").empty();
    if (lines.size() == 1 && !is_message) return std::move(lines.front());
    return lines;
}

inline TrajectoryDocument read_trajectory_document(std::string_view text, bool lenient, const ParseOptions& options,
                                                   TrajectoryReport& report) {
    try {
        Json value = parse<Json>(text, options);
        // A single line.
        if (!string_member(value, "role").empty() || is_claude_code_line(value))
            return {lines_value(Json::array({std::move(value)}), report), true};
        return {std::move(value), false};
    } catch (const ValidationError& error) {
        if (error.issues().front().type == "json_invalid") {
            if (std::optional<Json> lines = read_json_lines(text, lenient, options, report))
                return {lines_value(*std::move(lines), report), true};
        }
        throw ValidationError("Trajectory", {error.issues().begin(), error.issues().end()}, error.truncated());
    }
}

}  // namespace acta::inline ACTA_ABI::interop_detail
