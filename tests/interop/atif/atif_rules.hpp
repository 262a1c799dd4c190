// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>

#include "acta/json/timestamp.hpp"
#include "support/catch.hpp"

// The rules of the format, RFC 0001 section II, as a validator of its own: fields by version, and what must agree.
namespace atif_rules {

using acta::Json;
using Keys = std::set<std::string>;

inline void check_keys(const Json& object, const Keys& required, const Keys& optional, const std::string& where) {
    INFO(where);
    REQUIRE(object.is_object());
    for (const std::string& key : required) CHECK(object.contains(key));
    for (const auto& [key, value] : object.items()) {
        INFO(key);
        CHECK(required.count(key) + optional.count(key) == 1);
        CHECK(!value.is_null());
    }
}

inline void check_step(const Json& step, int version, std::size_t number) {
    const std::string where = "step " + std::to_string(number);
    Keys optional = {"timestamp",  "model_name",  "reasoning_effort", "reasoning_content",
                     "tool_calls", "observation", "metrics",          "extra"};
    if (version >= 5) optional.insert("is_copied_context");
    if (version >= 7) optional.insert("llm_call_count");
    check_keys(step, {"step_id", "source", "message"}, optional, where);
    CHECK(step["step_id"] == number);
    CHECK((step["message"].is_string() || (version >= 6 && step["message"].is_array())));
    const auto source = step["source"].get<std::string>();
    CHECK(Keys{"system", "user", "agent"}.count(source) == 1);
    if (source != "agent") {
        for (const char* const key : {"model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"})
            CHECK(!step.contains(key));
    }
    Keys ids;
    if (step.contains("tool_calls")) {
        for (const Json& call : step["tool_calls"]) {
            check_keys(call, {"tool_call_id", "function_name", "arguments"}, {}, where);
            CHECK(call["arguments"].is_object());
            CHECK(ids.insert(call["tool_call_id"].get<std::string>()).second);
        }
    }
    if (step.contains("observation")) {
        check_keys(step["observation"], {"results"}, {}, where);
        for (const Json& result : step["observation"]["results"]) {
            check_keys(result, {"content"}, version >= 7 ? Keys{"source_call_id", "extra"} : Keys{"source_call_id"},
                       where);
            if (result.contains("extra")) CHECK(result["extra"] == Json::parse(R"({"is_error": true})"));
            CHECK(result["content"].is_string());
            if (result.contains("source_call_id")) CHECK(ids.count(result["source_call_id"].get<std::string>()) == 1);
        }
    }
    if (step.contains("timestamp")) CHECK(acta::parse_timestamp(step["timestamp"].get<std::string>()).has_value());
    if (step.contains("metrics"))
        check_keys(step["metrics"], {}, {"prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd", "extra"},
                   where);
}

inline void check_document(const Json& document, int version) {
    check_keys(document, {"schema_version", "session_id", "agent", "steps", "final_metrics", "extra"}, {"notes"},
               "root");
    CHECK(document["schema_version"] == "ATIF-v1." + std::to_string(version));
    Keys agent = {"model_name", "extra"};
    if (version >= 5) agent.insert("tool_definitions");
    check_keys(document["agent"], {"name", "version"}, agent, "agent");
    CHECK(!document["steps"].empty());
    for (std::size_t i = 0; i < document["steps"].size(); ++i) check_step(document["steps"][i], version, i + 1);
    check_keys(document["final_metrics"], {"total_steps"},
               {"total_prompt_tokens", "total_completion_tokens", "total_cached_tokens", "total_cost_usd"},
               "final_metrics");
    CHECK(document["final_metrics"]["total_steps"] == document["steps"].size());
}

}  // namespace atif_rules
