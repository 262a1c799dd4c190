// SPDX-License-Identifier: MIT
// Runs of other agents, in any of the formats that are told apart; what was read is exported as ATIF, and read from
// that as it was.
#include "acta/interop/trajectory.hpp"

#include "fuzz.hpp"

namespace {

void run(std::string_view text) {
    acta::Trajectory trajectory;
    try {
        trajectory = acta::parse_trajectory(text);
    } catch (const acta::ValidationError& error) {
        fuzz::issues_of(error);
        return;
    }
    const auto& history = trajectory.history;
    fuzz::require(history.cursor() <= history.size(), "a cursor beyond the end");
    const std::string written = acta::dump(history);
    fuzz::require(acta::dump(acta::parse<acta::EpisodicActionHistory<>>(written, {.max_depth = 200})) == written,
                  "what was written is read as something else", written);
    if (fuzz::is_deep(text) || !fuzz::is_finite(acta::to_json_value(history))) return;
    for (const acta::AtifVersion version : {acta::AtifVersion::v1_4, acta::AtifVersion::v1_7}) {
        acta::AtifOptions options;
        options.version = version;
        options.context = trajectory.context;
        const std::string atif = acta::dump(acta::to_atif(history, options));
        fuzz::require(acta::parse_trajectory(atif).format == acta::TrajectoryFormat::atif, "not told to be ATIF", atif);
        const auto again = acta::history_from_atif(acta::parse<acta::AtifTrajectory>(atif));
        fuzz::require(again.history == history, "ATIF: another history", written + "\n" + atif);
        fuzz::require(again.context == trajectory.context, "ATIF: another context", written + "\n" + atif);
    }
}

}  // namespace

FUZZ_TARGET(run)
