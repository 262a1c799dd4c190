// SPDX-License-Identifier: MIT
#pragma once

#include "acta/json/json.hpp"
#include "acta/provider/openai/detail/reply.hpp"
#include "support/catch.hpp"

/// What went wrong when helpers of the client and of trajectories had the same names: the order of the includes decided
/// which of them a null content met.
inline void check_openai_reply() {
    const acta::Json body = acta::Json::parse(
        R"({"choices":[{"message":{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[)"
        R"({"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}}]})");
    const acta::ChatCompletion read = acta::openai_detail::read_completion(body, {});
    REQUIRE(read.message.tool_calls);
    CHECK(read.message.content.empty());
    CHECK(read.message.reasoning_content == "Hm.");
    CHECK(acta::parse_trajectory(R"([{"role":"assistant","content":null,"tool_calls":[{"id":"c1","function":)"
                                 R"({"name":"look","arguments":"{}"}}]}])")
              .history.size() == 1);
}
