// SPDX-License-Identifier: MIT
// Runs of other agents, in any of the formats, read strictly and leniently; what was read is exported as ATIF and
// AutoGPT's state, and read from them as it was.
#include "acta/interop/trajectory.hpp"

#include "acta/interop/atif/atif.hpp"
#include "acta/interop/autogpt/autogpt.hpp"
#include "acta/json/json.hpp"

#include "fuzz.hpp"

namespace {

void check(const acta::Trajectory& trajectory, std::string_view text) {
    const auto& history = trajectory.history;
    fuzz::require(history.cursor() <= history.size(), "a cursor beyond the end");
    const std::string written = acta::dump(history);
    fuzz::require(acta::dump(acta::parse<acta::EpisodicActionHistory<>>(written, {.max_depth = 200})) == written,
                  "what was written is read as something else", written);
    if (fuzz::is_deep(text) || !fuzz::is_finite(acta::to_json_value(history))) return;
    for (const acta::atif::Version version : {acta::atif::Version::v1_4, acta::atif::Version::v1_7}) {
        acta::atif::Options options;
        options.version = version;
        const std::string atif = acta::dump(acta::atif::to_document(history, options));
        fuzz::require(acta::parse_trajectory(atif).format == acta::TrajectoryFormat::atif, "not recognised as ATIF",
                      atif);
        const auto again = acta::atif::to_history(acta::parse<acta::atif::Document>(atif));
        fuzz::require(again == history, "ATIF: another history", written + "\n" + atif);
    }
    const acta::Json autogpt = acta::autogpt::to_document(history);
    fuzz::require(acta::autogpt::read(autogpt).history.size() == history.size(), "AutoGPT: another history", written);
}

void run(std::string_view text) {
    bool strict = true;
    try {
        check(acta::parse_trajectory(text), text);
    } catch (const acta::ValidationError& error) {
        fuzz::issues_of(error);
        strict = false;
    }
    try {
        check(acta::parse_trajectory(text, {.lenient = true}), text);
    } catch (const acta::ValidationError& error) {
        fuzz::issues_of(error);
        fuzz::require(!strict, "lenient reading refuses what strict reading takes");
    }
}

}  // namespace

FUZZ_TARGET(run)
