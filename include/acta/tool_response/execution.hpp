// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/describe/introspection.hpp"
#include "acta/json/timestamp.hpp"
#include "acta/tool_response/detail/texts.hpp"
#include "acta/tool_response/response_type.hpp"

// Runs of agents and their outputs. response_type.hpp explains the ids.
namespace acta::inline ACTA_ABI {

/// A run of an agent was started or scheduled.
struct ExecutionStartedResponse {
    std::string message{};                            ///< What happened, in words for people.
    std::optional<std::string> session_id{};          ///< The chat session.
    std::string execution_id{};                       ///< The run; for a scheduled one, the schedule.
    std::string graph_id{};                           ///< The graph that runs.
    std::string graph_name{};                         ///< The agent's name.
    std::optional<std::string> library_agent_id{};    ///< The entry of the user's library that was run.
    std::optional<std::string> library_agent_link{};  ///< The page of that entry, where the run can be followed.
    std::string status{execution_status::queued};     ///< Usually one of `execution_status`.

    friend bool operator==(const ExecutionStartedResponse&, const ExecutionStartedResponse&) = default;
};

template <>
struct Describe<ExecutionStartedResponse> {
    using T = ExecutionStartedResponse;
    static constexpr std::string_view doc = "Response for run/schedule actions.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::execution_started), required("execution_id", &T::execution_id),
                     required("graph_id", &T::graph_id), required("graph_name", &T::graph_name),
                     defaulted("library_agent_id", &T::library_agent_id),
                     defaulted("library_agent_link", &T::library_agent_link), defaulted("status", &T::status));
    static bool failed(const T& reply) { return execution_status::is_failure(reply.status); }
};

/// One run and its outputs.
struct ExecutionOutputInfo {
    std::string execution_id{};                  ///< The run.
    std::string status{};                        ///< Usually one of `execution_status`.
    std::optional<Timestamp> started_at{};       ///< Empty until it runs.
    std::optional<Timestamp> ended_at{};         ///< Empty while it runs.
    OrderedMap<std::vector<Json>> outputs{};     ///< Each output by name: all its values, in order.
    std::optional<JsonObject> inputs_summary{};  ///< Its inputs.

    friend bool operator==(const ExecutionOutputInfo&, const ExecutionOutputInfo&) = default;
};

template <>
struct Describe<ExecutionOutputInfo> {
    using T = ExecutionOutputInfo;
    static constexpr std::string_view doc = "Summary of a single execution's outputs.";
    static constexpr auto fields =
        acta::fields(required("execution_id", &T::execution_id), required("status", &T::status),
                     defaulted("started_at", &T::started_at), defaulted("ended_at", &T::ended_at),
                     required("outputs", &T::outputs), defaulted("inputs_summary", &T::inputs_summary));
};

/// The outputs of a run of an agent.
struct AgentOutputResponse {
    std::string message{};                            ///< What happened, in words for people.
    std::optional<std::string> session_id{};          ///< The chat session.
    std::string agent_name{};                         ///< A name for people.
    std::string agent_id{};                           ///< The requested agent.
    std::optional<std::string> library_agent_id{};    ///< The entry of the user's library whose runs these are.
    std::optional<std::string> library_agent_link{};  ///< The page of that entry.
    std::optional<ExecutionOutputInfo> execution{};   ///< The requested run, or the newest; empty if there is none.
    std::optional<std::vector<JsonObject>> available_executions{};  ///< Other runs, each with id, status and times.
    std::int64_t total_executions = 0;                              ///< How many runs there are.

    friend bool operator==(const AgentOutputResponse&, const AgentOutputResponse&) = default;
};

template <>
struct Describe<AgentOutputResponse> {
    using T = AgentOutputResponse;
    static constexpr std::string_view doc = "Response for agent_output tool.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::agent_output), required("agent_name", &T::agent_name),
                     required("agent_id", &T::agent_id), defaulted("library_agent_id", &T::library_agent_id),
                     defaulted("library_agent_link", &T::library_agent_link), defaulted("execution", &T::execution),
                     defaulted("available_executions", &T::available_executions),
                     defaulted("total_executions", &T::total_executions));
    static bool failed(const T& reply) {
        return reply.execution && execution_status::is_failure(reply.execution->status);
    }
};

}  // namespace acta::inline ACTA_ABI
