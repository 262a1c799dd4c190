// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "acta/version.hpp"

// The fixed texts of replies, in one place. They are the defaults of the members; to replace or translate one, set the
// member: `BlockListResponse{.message = …, .usage_hint = my_hint}`.
namespace acta::inline ACTA_ABI::texts {

/// `AgentsFoundResponse::title`, shown above the agents.
inline constexpr std::string_view agents_found_title = "Available Agents";
/// `AgentsFoundResponse::name` and `NoResultsResponse::name`, which repeat the type of the reply.
inline constexpr std::string_view agents_found_name = "agents_found";
inline constexpr std::string_view no_results_name = "no_results";
/// `BlockListResponse::usage_hint`, for the model that reads the reply.
inline constexpr std::string_view block_usage_hint =
    "To execute a block, call run_block with block_id set to the block's 'id' field and input_data containing the "
    "required fields from input_schema.";
/// The default of `InputField::type`.
inline constexpr std::string_view input_type = "string";
/// `AsyncProcessingResponse::status`, which distinguishes it from `OperationStartedResponse`.
inline constexpr std::string_view operation_accepted = "accepted";

}  // namespace acta::inline ACTA_ABI::texts

/// The states of a run that the platform documents; others are possible.
namespace acta::inline ACTA_ABI::execution_status {

inline constexpr std::string_view incomplete = "INCOMPLETE";
inline constexpr std::string_view queued = "QUEUED";
inline constexpr std::string_view running = "RUNNING";
inline constexpr std::string_view completed = "COMPLETED";
inline constexpr std::string_view terminated = "TERMINATED";  ///< Stopped before its end.
inline constexpr std::string_view failed = "FAILED";

/// Returns whether a run with this status ended without success. Case is ignored.
[[nodiscard]] constexpr bool is_failure(std::string_view status) noexcept {
    const auto same = [status](std::string_view name) {
        if (status.size() != name.size()) return false;
        for (std::size_t i = 0; i < name.size(); ++i) {
            const char c = status[i];
            if ((c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c) != name[i]) return false;
        }
        return true;
    };
    return same(failed) || same(terminated);
}

}  // namespace acta::inline ACTA_ABI::execution_status
