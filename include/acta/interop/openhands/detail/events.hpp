// SPDX-License-Identifier: MIT
#pragma once

#include "acta/base/json_value.hpp"
#include "acta/interop/trajectory_report.hpp"

namespace acta::inline ACTA_ABI::interop_detail {

/// Returns whether a value is a list of OpenHands' events, of its first or its second generation ("V0", "V1").
[[nodiscard]] bool is_openhands(const Json& document);

/// Returns the events as OpenAI's messages: messages stay, actions become calls of the assistant, observations their
/// results. Other events (changes of state, condensations) are noted as dropped.
[[nodiscard]] Json openhands_messages(const Json& events, TrajectoryReport& report);

}  // namespace acta::inline ACTA_ABI::interop_detail
