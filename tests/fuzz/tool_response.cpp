// SPDX-License-Identifier: MIT
// A reply of any type.
#include "acta/tool_response/tool_response.hpp"

#include "acta/interop/tool_response_result.hpp"
#include "fuzz.hpp"

namespace {

void run(std::string_view text) {
    acta::ToolResponse reply{acta::UnknownResponse{}};
    const bool good = fuzz::read_twice(
        text, reply, [](std::string_view document) { return acta::parse_tool_response(document); },
        [](const acta::Json& json) { return acta::validate_tool_response(json); });
    if (good) (void)acta::to_string(acta::result_from_tool_response(reply));
}

}  // namespace

FUZZ_TARGET(run)
