// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/describe/constraints.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/json.hpp"
#include "acta/tool_response/models.hpp"
#include "acta/tool_response/platform.hpp"
#include "acta/tool_response/reply.hpp"

// Details of agents and their requirements for a run. reply.hpp explains the ids.
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
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const InputField&, const InputField&) = default;
};

template <>
struct Describe<InputField> : tool_response_detail::Description<InputField> {
    static constexpr std::string_view doc = "Input field specification.";
    static constexpr auto fields =
        part(required_members<&T::name>, defaulted_members<&T::type, &T::description, &T::required>,
             defaulted("default", &T::default_value), defaulted_members<&T::options, &T::format>);
};

/// How a run of an agent can be started.
struct ExecutionOptions {
    bool manual = true;     ///< By the user, at once.
    bool scheduled = true;  ///< By the clock.
    bool webhook = false;   ///< By an event from outside.
    JsonObject extra{};     ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const ExecutionOptions&, const ExecutionOptions&) = default;
};

template <>
struct Describe<ExecutionOptions> : tool_response_detail::Description<ExecutionOptions> {
    static constexpr std::string_view doc = "Available execution options for an agent.";
    static constexpr auto fields = part(defaulted_members<&T::manual, &T::scheduled, &T::webhook>);
};

/// A credential without its secret: one that the user has, or one that an agent requires.
struct CredentialsMetaInput {
    std::string id{};                    ///< Of the credential; for a requirement, the name of the input.
    std::optional<std::string> title{};  ///< A name for people.
    std::string provider{};              ///< The service it is for, such as `github`.
    std::string type{};                  ///< `api_key`, `oauth2`, `user_password` or `host_scoped`.
    JsonObject extra{};                  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const CredentialsMetaInput&, const CredentialsMetaInput&) = default;
};

template <>
struct Describe<CredentialsMetaInput> : tool_response_detail::Description<CredentialsMetaInput> {
    static constexpr auto fields =
        part(required_members<&T::id>, defaulted_members<&T::title>, required_members<&T::provider>,
             required("type", &T::type, "", one_of("api_key", "oauth2", "user_password", "host_scoped")));
};

/// Details of one agent.
struct AgentDetails {
    std::string id{};                                 ///< The requested agent, as `AgentInfo::id`.
    std::string name{};                               ///< A name for people.
    std::string description{};                        ///< What it does.
    bool in_library = false;                          ///< Whether it is in the user's own library.
    JsonObject inputs{};                              ///< Its inputs, as JSON Schema.
    std::vector<CredentialsMetaInput> credentials{};  ///< The credentials it requires.
    ExecutionOptions execution_options{};             ///< How a run can be started.
    std::optional<JsonObject> trigger_info{};  ///< For an agent that an event starts: the event and its settings.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const AgentDetails&, const AgentDetails&) = default;
};

template <>
struct Describe<AgentDetails> : tool_response_detail::Description<AgentDetails> {
    static constexpr std::string_view doc = "Detailed agent information.";
    static constexpr auto fields = part(required_members<&T::id, &T::name, &T::description>,
                                        defaulted_members<&T::in_library, &T::inputs, &T::credentials>,
                                        optional_members<&T::execution_options>, defaulted_members<&T::trigger_info>);
};

/// Details of one agent.
struct AgentDetailsResponse {
    std::string message{};                        ///< What happened, in words for people.
    std::optional<std::string> session_id{};      ///< The chat session.
    AgentDetails agent{};                         ///< The agent.
    bool user_authenticated = false;              ///< Whether the user is logged in.
    std::optional<std::string> graph_id{};        ///< The graph that runs when the agent runs.
    std::optional<std::int64_t> graph_version{};  ///< The version of the graph that is described.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const AgentDetailsResponse&, const AgentDetailsResponse&) = default;
};

template <>
struct Describe<AgentDetailsResponse> : tool_response_detail::Description<AgentDetailsResponse> {
    static constexpr std::string_view doc = "Response for get_details action.";
    static constexpr auto fields = reply(ResponseType::agent_details, required_members<&T::agent>,
                                         defaulted_members<&T::user_authenticated, &T::graph_id, &T::graph_version>);
};

/// Which requirements the user meets.
struct UserReadiness {
    bool has_all_credentials = false;  ///< Whether no credential is missing.
    JsonObject missing_credentials{};  ///< By the name of the input.
    bool ready_to_run = false;         ///< Whether a run would be started now.
    JsonObject extra{};                ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const UserReadiness&, const UserReadiness&) = default;
};

template <>
struct Describe<UserReadiness> : tool_response_detail::Description<UserReadiness> {
    static constexpr std::string_view doc = "User readiness status.";
    static constexpr auto fields =
        part(defaulted_members<&T::has_all_credentials, &T::missing_credentials, &T::ready_to_run>);
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
    /// `credentials`, `inputs` and `execution_modes`.
    OrderedMap<std::vector<Json>> requirements = tool_response_detail::no_requirements();
    UserReadiness user_readiness{};  ///< Which of them the user meets.
    JsonObject extra{};              ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const SetupInfo&, const SetupInfo&) = default;
};

template <>
struct Describe<SetupInfo> : tool_response_detail::Description<SetupInfo> {
    static constexpr std::string_view doc = "Complete setup information.";
    static constexpr auto fields =
        part(required_members<&T::agent_id, &T::agent_name>, optional_members<&T::requirements, &T::user_readiness>);
};

/// An agent's requirements for a run, and which of them the user meets.
struct SetupRequirementsResponse {
    std::string message{};                        ///< What happened, in words for people.
    std::optional<std::string> session_id{};      ///< The chat session.
    SetupInfo setup_info{};                       ///< The requirements.
    std::optional<std::string> graph_id{};        ///< The graph that runs when the agent runs; empty for a block.
    std::optional<std::int64_t> graph_version{};  ///< The version of the graph that is described.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const SetupRequirementsResponse&, const SetupRequirementsResponse&) = default;
};

template <>
struct Describe<SetupRequirementsResponse> : tool_response_detail::Description<SetupRequirementsResponse> {
    static constexpr std::string_view doc = "Response for validate action.";
    static constexpr auto fields = reply(ResponseType::setup_requirements, required_members<&T::setup_info>,
                                         defaulted_members<&T::graph_id, &T::graph_version>);
};

// Selects the member of a variant of replies for a reply, and reads it as that.

namespace tool_response_detail {

/// The members of a variant of replies. Indices of missing members are the number of members.
struct ReplyMembers {
    std::span<const std::string_view> types;  // empty of UnknownResponse
    std::size_t started;
    std::size_t asynchronous;
    std::size_t unknown;
};

/// The findings of one pass over a reply's own keys. If a key repeats, its last value counts.
struct ReplyPreview {
    bool type_is_text = false;
    std::string type{};
    bool accepted = false;
    bool has_operation = false;  // its id, and not null
    bool has_tool = false;
};

ReplyPreview preview_reply(codec::Decoder& d);

/// Returns the member for a type, or the number of members. The two replies that share a type are distinguished by
/// their keys: an operation of the platform's own has its id and the tool's name, one that was handed over says
/// `accepted`.
std::size_t member_of(const ReplyMembers& members, const ReplyPreview& preview);

/// Returns the member indicated by the first key, if that is `type` and leaves no doubt; else the number of members.
std::size_t guess_reply(codec::Decoder& d, const ReplyMembers& members);

/// Reads a reply: in one pass if it begins with `type`, as servers write it; else after a first pass over its keys.
void decode_reply(codec::Decoder& d, const ReplyMembers& members, std::span<const codec::Alternative> alternatives,
                  void* variant);

template <class T>
consteval bool is_reply_member() {
    return ToolReply<T> || std::same_as<T, UnknownResponse>;
}

/// Returns whether no two members have the same type, except the two that may.
template <class... T>
consteval bool types_are_distinct() {
    constexpr std::array<std::string_view, sizeof...(T)> types{reply_type<T>...};
    constexpr std::array<bool, sizeof...(T)> asynchronous{std::same_as<T, AsyncProcessingResponse>...};
    constexpr std::array<bool, sizeof...(T)> started{std::same_as<T, OperationStartedResponse>...};
    for (std::size_t i = 0; i < types.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const bool may = (asynchronous[i] && started[j]) || (started[i] && asynchronous[j]);
            if (types[i] == types[j] && !may) return false;
        }
    }
    return true;
}

template <class T, class... All>
consteval std::size_t index_of() {
    std::size_t i = 0;
    std::size_t found = sizeof...(All);
    ((found = std::same_as<T, All> ? i : found, ++i), ...);
    return found;
}

}  // namespace tool_response_detail

/// A variant of replies. Its `tag` is the key that the schema requires of each member.
template <class... T>
    requires(std::same_as<T, UnknownResponse> || ...)
struct Describe<std::variant<T...>> {
    static constexpr std::string_view name = "ToolResponse";
    static constexpr std::string_view tag = "type";

    static void decode(codec::Decoder& d, std::variant<T...>& out) {
        static_assert((tool_response_detail::is_reply_member<T>() && ...),
                      "acta: a reply of your own needs the members `std::string message{}` and "
                      "`std::optional<std::string> session_id{}` and a description that begins with "
                      "acta::response_fields<Mine>(\"its type\")");
        static_assert(tool_response_detail::types_are_distinct<T...>(),
                      "acta: two replies of this variant have the same type: give your own a type of its own");
        static constexpr std::array<std::string_view, sizeof...(T)> types{tool_response_detail::reply_type<T>...};
        static constexpr tool_response_detail::ReplyMembers members{
            types, tool_response_detail::index_of<OperationStartedResponse, T...>(),
            tool_response_detail::index_of<AsyncProcessingResponse, T...>(),
            tool_response_detail::index_of<UnknownResponse, T...>()};
        tool_response_detail::decode_reply(d, members, codec::alternatives<std::variant<T...>>, &out);
    }
};

namespace tool_response_detail {

template <class Variant>
inline constexpr auto reply_titles = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string (*)(), sizeof...(I)>{
        &introspection::type_title<std::variant_alternative_t<I, Variant>>...};
}(std::make_index_sequence<std::variant_size_v<Variant>>{});

/// Reads with `read(out)`. Exceptions name the reply that was being read, if it was known by then: `out` holds it.
template <ToolResponseVariant R, class Read>
R read_reply(const Read& read) {
    R out{UnknownResponse{}};
    try {
        read(out);
    } catch (const ValidationError& error) {
        if (std::holds_alternative<UnknownResponse>(out)) throw;
        const auto issues = error.issues();
        throw ValidationError(reply_titles<R>[out.index()](), std::vector<Issue>(issues.begin(), issues.end()),
                              error.truncated());
    }
    return out;
}

}  // namespace tool_response_detail

// Every reply of the platform's tools as one type. To use only a few of them, include just their headers.

/// The platform's replies, replies of your own, and unknown ones. A reply of your own is a described struct:
///
///     struct WeatherResponse {
///         std::string message{};
///         std::optional<std::string> session_id{};
///         double celsius = 0;
///     };
///     template <> struct acta::Describe<WeatherResponse> {
///         static constexpr auto fields = acta::fields(acta::response_fields<WeatherResponse>("weather"),
///                                                     acta::required("celsius", &WeatherResponse::celsius));
///     };
///     auto reply = acta::parse_tool_response<WeatherResponse>(text);
template <class... Mine>
using BasicToolResponse =
    std::variant<AgentsFoundResponse, NoResultsResponse, AgentDetailsResponse, SetupRequirementsResponse,
                 ExecutionStartedResponse, NeedLoginResponse, ErrorResponse, InputValidationErrorResponse,
                 AgentOutputResponse, UnderstandingUpdatedResponse, AgentPreviewResponse, AgentSavedResponse,
                 ClarificationNeededResponse, DocSearchResultsResponse, DocPageResponse, BlockListResponse,
                 BlockOutputResponse, OperationStartedResponse, OperationPendingResponse, OperationInProgressResponse,
                 AsyncProcessingResponse, WorkspaceFileListResponse, WorkspaceFileContentResponse,
                 WorkspaceFileMetadataResponse, WorkspaceWriteResponse, WorkspaceDeleteResponse, SuggestedGoalResponse,
                 BuilderPreviewResponse, BuilderSavedResponse, BuilderClarificationResponse, BuilderValidationResponse,
                 BuilderFixResponse, ReviewRequiredResponse, BashExecResponse, WebFetchResponse, WebSearchResponse,
                 FeatureRequestCreatedResponse, BrowserNavigateResponse, BrowserActResponse, BrowserScreenshotResponse,
                 FolderDeletedResponse, Mine..., UnknownResponse>;

/// Any reply of the platform's tools.
using ToolResponse = BasicToolResponse<>;

/// Reads a reply as a variant of your own: `parse_tool_response<std::variant<ErrorResponse, UnknownResponse>>(text)`.
template <ToolResponseVariant R>
[[nodiscard]] R parse_tool_response(std::string_view text, const ParseOptions& options = {}) {
    return tool_response_detail::read_reply<R>(
        [&](R& out) { codec::read_text_document(text, options, codec::reading_of(out)); });
}
/// @overload
template <ToolResponseVariant R>
[[nodiscard]] R validate_tool_response(const Json& json, const ParseOptions& options = {}) {
    return tool_response_detail::read_reply<R>(
        [&](R& out) { codec::read_json_document(json, options, codec::reading_of(out)); });
}

/// Reads a reply by its `type`, which is required (docs/reference/tool_response.md, "Reading a reply").
/// `operation_started` is `AsyncProcessingResponse` if its status is `accepted` or if it lacks `operation_id` or
/// `tool_name`, else `OperationStartedResponse`. An unknown type becomes `UnknownResponse`. Throws `ValidationError`,
/// whose title is the reply's name (`ErrorResponse`) once its type has been read, else `ToolResponse`.
template <ToolReply... Mine>
[[nodiscard]] BasicToolResponse<Mine...> parse_tool_response(std::string_view text, const ParseOptions& options = {}) {
    return acta::parse_tool_response<BasicToolResponse<Mine...>>(text, options);
}
/// Reads a reply from a JSON value.
template <ToolReply... Mine>
[[nodiscard]] BasicToolResponse<Mine...> validate_tool_response(const Json& json, const ParseOptions& options = {}) {
    return acta::validate_tool_response<BasicToolResponse<Mine...>>(json, options);
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/tool_response/detail/tool_response.inl.hpp"
#endif
