// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/describe/introspection.hpp"
#include "acta/describe/one_of.hpp"
#include "acta/tool_response/detail/texts.hpp"
#include "acta/tool_response/response_type.hpp"

// Details of agents and their requirements for a run. response_type.hpp explains the ids.
namespace acta::inline ACTA_ABI {

/// An input of an agent.
struct InputField {
    std::string name{};                          ///< As the caller of the tool names it.
    std::string type{texts::input_type};         ///< A type of JSON Schema: `string`, `integer`, `array`, …
    std::string description{};                   ///< What it is for.
    bool required = false;                       ///< Whether a run without it is refused.
    std::optional<Json> default_value{};         ///< `default` in JSON: the value that is used when none is given.
    std::optional<std::vector<Json>> options{};  ///< The only values it may have.
    std::optional<std::string> format{};         ///< More of the type, such as `date` or `email`.

    friend bool operator==(const InputField&, const InputField&) = default;
};

template <>
struct Describe<InputField> {
    using T = InputField;
    static constexpr std::string_view doc = "Input field specification.";
    static constexpr auto fields = acta::fields(
        acta::required("name", &T::name), defaulted("type", &T::type), defaulted("description", &T::description),
        defaulted("required", &T::required), defaulted("default", &T::default_value), defaulted("options", &T::options),
        defaulted("format", &T::format));
};

/// How a run of an agent can be started.
struct ExecutionOptions {
    bool manual = true;     ///< By the user, at once.
    bool scheduled = true;  ///< By the clock.
    bool webhook = false;   ///< By an event from outside.

    friend bool operator==(const ExecutionOptions&, const ExecutionOptions&) = default;
};

template <>
struct Describe<ExecutionOptions> {
    using T = ExecutionOptions;
    static constexpr std::string_view doc = "Available execution options for an agent.";
    static constexpr auto fields = acta::fields(defaulted("manual", &T::manual), defaulted("scheduled", &T::scheduled),
                                                defaulted("webhook", &T::webhook));
};

/// A credential without its secret: one that the user has, or one that an agent requires.
struct CredentialsMetaInput {
    std::string id{};                    ///< Of the credential; for a requirement, the name of the input.
    std::optional<std::string> title{};  ///< A name for people.
    std::string provider{};              ///< The service it is for, such as `github`.
    std::string type{};                  ///< `api_key`, `oauth2`, `user_password` or `host_scoped`.

    friend bool operator==(const CredentialsMetaInput&, const CredentialsMetaInput&) = default;
};

template <>
struct Describe<CredentialsMetaInput> {
    using T = CredentialsMetaInput;
    static constexpr auto fields =
        acta::fields(required("id", &T::id), defaulted("title", &T::title), required("provider", &T::provider),
                     required("type", &T::type, "", one_of("api_key", "oauth2", "user_password", "host_scoped")));
};

/// Details of one agent.
struct AgentDetails {
    std::string id{};                                 ///< The requested agent, as `AgentInfo::id`.
    std::string name{};                               ///< A name for people.
    std::string description{};                        ///< What it does.
    bool in_library = false;                          ///< Whether it is in the user's own library.
    JsonObject inputs{};                              ///< Its inputs, as JSON Schema; see `inputs_view`.
    std::vector<CredentialsMetaInput> credentials{};  ///< The credentials it requires.
    ExecutionOptions execution_options{};             ///< How a run can be started.
    std::optional<JsonObject> trigger_info{};  ///< For an agent that an event starts: the event and its settings.

    friend bool operator==(const AgentDetails&, const AgentDetails&) = default;
};

template <>
struct Describe<AgentDetails> {
    using T = AgentDetails;
    static constexpr std::string_view doc = "Detailed agent information.";
    static constexpr auto fields = acta::fields(
        required("id", &T::id), required("name", &T::name), required("description", &T::description),
        defaulted("in_library", &T::in_library), defaulted("inputs", &T::inputs),
        defaulted("credentials", &T::credentials), optional_field("execution_options", &T::execution_options),
        defaulted("trigger_info", &T::trigger_info));
};

/// Details of one agent.
struct AgentDetailsResponse {
    std::string message{};                        ///< What happened, in words for people.
    std::optional<std::string> session_id{};      ///< The chat session.
    AgentDetails agent{};                         ///< The agent.
    bool user_authenticated = false;              ///< Whether the user is logged in.
    std::optional<std::string> graph_id{};        ///< The graph that runs when the agent runs.
    std::optional<std::int64_t> graph_version{};  ///< The version of the graph that is described.

    friend bool operator==(const AgentDetailsResponse&, const AgentDetailsResponse&) = default;
};

template <>
struct Describe<AgentDetailsResponse> {
    using T = AgentDetailsResponse;
    static constexpr std::string_view doc = "Response for get_details action.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::agent_details), required("agent", &T::agent),
                     defaulted("user_authenticated", &T::user_authenticated), defaulted("graph_id", &T::graph_id),
                     defaulted("graph_version", &T::graph_version));
};

/// Which requirements the user meets.
struct UserReadiness {
    bool has_all_credentials = false;  ///< Whether no credential is missing.
    JsonObject missing_credentials{};  ///< By the name of the input; see `missing_credentials_view`.
    bool ready_to_run = false;         ///< Whether a run would be started now.

    friend bool operator==(const UserReadiness&, const UserReadiness&) = default;
};

template <>
struct Describe<UserReadiness> {
    using T = UserReadiness;
    static constexpr std::string_view doc = "User readiness status.";
    static constexpr auto fields = acta::fields(defaulted("has_all_credentials", &T::has_all_credentials),
                                                defaulted("missing_credentials", &T::missing_credentials),
                                                defaulted("ready_to_run", &T::ready_to_run));
};

namespace tool_response_detail {
inline OrderedMap<std::vector<Json>> no_requirements() {
    OrderedMap<std::vector<Json>> out;
    for (const char* const key : {"credentials", "inputs", "execution_modes"}) out.emplace(key, std::vector<Json>());
    return out;
}
}  // namespace tool_response_detail

/// An agent's requirements for a run.
struct SetupInfo {
    std::string agent_id{};    ///< The agent that is to run; for the block tools, the block.
    std::string agent_name{};  ///< A name for people.
    /// `credentials`, `inputs` and `execution_modes`; see `requirements_view`.
    OrderedMap<std::vector<Json>> requirements = tool_response_detail::no_requirements();
    UserReadiness user_readiness{};  ///< Which of them the user meets.

    friend bool operator==(const SetupInfo&, const SetupInfo&) = default;
};

template <>
struct Describe<SetupInfo> {
    using T = SetupInfo;
    static constexpr std::string_view doc = "Complete setup information.";
    static constexpr auto fields = acta::fields(
        required("agent_id", &T::agent_id), required("agent_name", &T::agent_name),
        optional_field("requirements", &T::requirements), optional_field("user_readiness", &T::user_readiness));
};

/// An agent's requirements for a run, and which of them the user meets.
struct SetupRequirementsResponse {
    std::string message{};                        ///< What happened, in words for people.
    std::optional<std::string> session_id{};      ///< The chat session.
    SetupInfo setup_info{};                       ///< The requirements.
    std::optional<std::string> graph_id{};        ///< The graph that runs when the agent runs; empty for a block.
    std::optional<std::int64_t> graph_version{};  ///< The version of the graph that is described.

    friend bool operator==(const SetupRequirementsResponse&, const SetupRequirementsResponse&) = default;
};

template <>
struct Describe<SetupRequirementsResponse> {
    using T = SetupRequirementsResponse;
    static constexpr std::string_view doc = "Response for validate action.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::setup_requirements), required("setup_info", &T::setup_info),
                     defaulted("graph_id", &T::graph_id), defaulted("graph_version", &T::graph_version));
};

}  // namespace acta::inline ACTA_ABI
