// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "acta/chat/message.hpp"
#include "acta/json/json.hpp"
#include "acta/testing/golden_run.hpp"

namespace acta::inline ACTA_ABI::testing_detail {

ACTA_INLINE std::string environment(const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes it
    return value == nullptr ? "" : value;
}

ACTA_INLINE bool is_ci() {
    const std::string value = environment("CI");
    return !value.empty() && value != "false";
}

}  // namespace acta::inline ACTA_ABI::testing_detail

namespace acta::inline ACTA_ABI::testing {

ACTA_INLINE TrajectoryMatch golden_run(std::span<const ChatMessage> run, const std::filesystem::path& file,
                                       const TrajectoryMatchOptions& options) {
    const bool updates = testing_detail::environment("ACTA_UPDATE_GOLDEN") == "1";
    const std::string name = file.string();
    if (updates && testing_detail::is_ci())
        return {.matches = false, .message = "ACTA_UPDATE_GOLDEN is set, and CI too: " + name + " is not updated"};

    TrajectoryMatch out{.matches = false, .message = name + " does not exist"};
    std::error_code ignored;  // if it cannot be looked at, it cannot be read either
    if (std::filesystem::status(file, ignored).type() != std::filesystem::file_type::not_found)
        out = trajectory_match(run, load<std::vector<ChatMessage>>(file), options);
    if (out) return out;
    if (!updates) {
        out.message += "\nACTA_UPDATE_GOLDEN=1 in the environment writes the run to " + name;
        return out;
    }
    save(std::vector<ChatMessage>(run.begin(), run.end()), file, {.indent = 2});
    return {.message = name + " has been written"};
}

}  // namespace acta::inline ACTA_ABI::testing
