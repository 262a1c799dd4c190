// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/timestamp.hpp"
#include "acta/tool_response/reply.hpp"
#include "acta/version.hpp"

// The fixed texts of replies, in one place. They are the defaults of the members; to replace or translate one, set the
// member: `BlockListResponse{.message = …, .usage_hint = my_hint}`.
namespace acta::inline ACTA_ABI::texts {

/// `AgentsFoundResponse::title`, shown above the agents.
inline constexpr std::string_view agents_found_title = "Available Agents";
/// `AgentsFoundResponse::name`, which repeats the type of the reply.
inline constexpr std::string_view agents_found_name = "agents_found";
/// `NoResultsResponse::name`.
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

inline constexpr std::string_view incomplete = "INCOMPLETE";  ///< Not started yet.
inline constexpr std::string_view queued = "QUEUED";          ///< Waiting to start.
inline constexpr std::string_view running = "RUNNING";        ///< In progress.
inline constexpr std::string_view completed = "COMPLETED";    ///< Ended with success.
inline constexpr std::string_view terminated = "TERMINATED";  ///< Stopped before its end.
inline constexpr std::string_view failed = "FAILED";          ///< Ended without success.

/// Returns whether a run with this status ended without success. Case is ignored.
[[nodiscard]] constexpr bool is_failure(std::string_view status) noexcept {
    return ascii::equals_ignoring_case(status, failed) || ascii::equals_ignoring_case(status, terminated);
}

}  // namespace acta::inline ACTA_ABI::execution_status

// Blocks: the parts of graphs, which can also be run alone.
namespace acta::inline ACTA_ABI {

/// An input of a block.
struct BlockInputFieldInfo {
    std::string name{};                   ///< As the caller of the tool names it.
    std::string type{};                   ///< A type of JSON Schema: `string`, `integer`, `array`, …
    std::string description{};            ///< What it is for.
    bool required = false;                ///< Whether a run without it is refused.
    std::optional<Json> default_value{};  ///< `default` in JSON: the value that is used when none is given.
    JsonObject extra{};                   ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const BlockInputFieldInfo&, const BlockInputFieldInfo&) = default;
};

template <>
struct Describe<BlockInputFieldInfo> {
    using T = BlockInputFieldInfo;
    static constexpr std::string_view doc = "Information about a block input field.";
    static constexpr auto fields = acta::fields(
        acta::required("name", &T::name), acta::required("type", &T::type), defaulted("description", &T::description),
        defaulted("required", &T::required), defaulted("default", &T::default_value), kept_keys(&T::extra));
};

/// A block that a search found.
struct BlockInfoSummary {
    std::string id{};                                    ///< The `block_id` of the tool run_block.
    std::string name{};                                  ///< A name for people.
    std::string description{};                           ///< What it does.
    std::vector<std::string> categories{};               ///< The categories it is listed under.
    JsonObject input_schema{};                           ///< Its inputs, as JSON Schema.
    JsonObject output_schema{};                          ///< Its outputs, as JSON Schema.
    std::vector<BlockInputFieldInfo> required_inputs{};  ///< The inputs without a default.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const BlockInfoSummary&, const BlockInfoSummary&) = default;
};

template <>
struct Describe<BlockInfoSummary> {
    using T = BlockInfoSummary;
    static constexpr std::string_view doc = "Summary of a block for search results.";
    static constexpr auto fields = acta::fields(
        required("id", &T::id), required("name", &T::name), required("description", &T::description),
        required("categories", &T::categories), required("input_schema", &T::input_schema),
        required("output_schema", &T::output_schema),
        optional_field("required_inputs", &T::required_inputs, "List of required input fields for this block"),
        kept_keys(&T::extra));
};

/// Blocks that a search found.
struct BlockListResponse {
    std::string message{};                            ///< What happened, in words for people.
    std::optional<std::string> session_id{};          ///< The chat session.
    std::vector<BlockInfoSummary> blocks{};           ///< The best first.
    std::int64_t count = 0;                           ///< How many were found.
    std::string query{};                              ///< What was searched for.
    std::string usage_hint{texts::block_usage_hint};  ///< For the model: how a block is run.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const BlockListResponse&, const BlockListResponse&) = default;
};

template <>
struct Describe<BlockListResponse> {
    using T = BlockListResponse;
    static constexpr std::string_view doc = "Response for find_block tool.";
    static constexpr auto fields = acta::fields(
        response_fields<T>(ResponseType::block_list), required("blocks", &T::blocks), required("count", &T::count),
        required("query", &T::query), defaulted("usage_hint", &T::usage_hint), kept_keys(&T::extra));
};

/// The outputs of a run of one block.
struct BlockOutputResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string block_id{};                   ///< The block that ran.
    std::string block_name{};                 ///< A name for people.
    OrderedMap<std::vector<Json>> outputs{};  ///< Each output by name: all its values, in order.
    bool success = true;                      ///< Whether the block succeeded.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const BlockOutputResponse&, const BlockOutputResponse&) = default;
};

template <>
struct Describe<BlockOutputResponse> {
    using T = BlockOutputResponse;
    static constexpr std::string_view doc = "Response for run_block tool.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::block_output), required("block_id", &T::block_id),
                     required("block_name", &T::block_name), required("outputs", &T::outputs),
                     defaulted("success", &T::success), kept_keys(&T::extra));
    static bool failed(const T& reply) { return !reply.success; }
};

}  // namespace acta::inline ACTA_ABI

// Finding agents. reply.hpp explains the ids.
namespace acta::inline ACTA_ABI {

/// An agent that a search found. Unknown properties are empty; which optional members are set depends on `source`.
struct AgentInfo {
    std::string
        id{};  ///< For further requests: `<creator>/<agent>` in the marketplace, the `library_agent_id` in a library.
    std::string name{};                          ///< A name for people.
    std::string description{};                   ///< What it does.
    std::string source{};                        ///< Where it was found: `marketplace` or `library`.
    bool in_library = false;                     ///< Whether it is in the user's own library.
    std::optional<std::string> creator{};        ///< Its author.
    std::optional<std::string> category{};       ///< Its category in the marketplace.
    std::optional<double> rating{};              ///< Average rating of the marketplace's users.
    std::optional<std::int64_t> runs{};          ///< How often it was run.
    std::optional<bool> is_featured{};           ///< Whether the marketplace features it.
    std::optional<std::string> status{};         ///< State of an agent of a library: healthy, waiting, in error.
    std::optional<bool> can_access_graph{};      ///< Whether the user may see its graph.
    std::optional<bool> has_external_trigger{};  ///< Whether an event from outside starts it.
    std::optional<bool> new_output{};            ///< Whether it has outputs that the user has not seen.
    std::optional<std::string> graph_id{};       ///< The graph that runs when the agent runs.
    std::optional<JsonObject> inputs{};          ///< Its inputs, as JSON Schema.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const AgentInfo&, const AgentInfo&) = default;
};

template <>
struct Describe<AgentInfo> {
    using T = AgentInfo;
    static constexpr std::string_view doc = "Information about an agent.";
    static constexpr auto fields = acta::fields(
        required("id", &T::id), required("name", &T::name), required("description", &T::description),
        required("source", &T::source, "marketplace or library"), defaulted("in_library", &T::in_library),
        defaulted("creator", &T::creator), defaulted("category", &T::category), defaulted("rating", &T::rating),
        defaulted("runs", &T::runs), defaulted("is_featured", &T::is_featured), defaulted("status", &T::status),
        defaulted("can_access_graph", &T::can_access_graph),
        defaulted("has_external_trigger", &T::has_external_trigger), defaulted("new_output", &T::new_output),
        defaulted("graph_id", &T::graph_id),
        defaulted("inputs", &T::inputs, "Input schema for the agent, including field names, types, and defaults"),
        kept_keys(&T::extra));
};

/// A search found agents.
struct AgentsFoundResponse {
    std::string message{};                         ///< What happened, in words for people.
    std::optional<std::string> session_id{};       ///< The chat session.
    std::string title{texts::agents_found_title};  ///< Heading of the list.
    std::vector<AgentInfo> agents{};               ///< The best first.
    std::int64_t count = 0;                        ///< How many were found.
    std::string name{texts::agents_found_name};    ///< Repeats the type of the reply.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const AgentsFoundResponse&, const AgentsFoundResponse&) = default;
};

template <>
struct Describe<AgentsFoundResponse> {
    using T = AgentsFoundResponse;
    static constexpr std::string_view doc = "Response for find_agent tool.";
    static constexpr auto fields = acta::fields(
        response_fields<T>(ResponseType::agents_found), defaulted("title", &T::title), required("agents", &T::agents),
        required("count", &T::count), defaulted("name", &T::name), kept_keys(&T::extra));
};

/// A search found nothing. This is not an error.
struct NoResultsResponse {
    std::string message{};                     ///< What happened, in words for people.
    std::optional<std::string> session_id{};   ///< The chat session.
    std::vector<std::string> suggestions{};    ///< What the user may try instead.
    std::string name{texts::no_results_name};  ///< Repeats the type of the reply.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const NoResultsResponse&, const NoResultsResponse&) = default;
};

template <>
struct Describe<NoResultsResponse> {
    using T = NoResultsResponse;
    static constexpr std::string_view doc = "Response when no agents found.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::no_results), defaulted("suggestions", &T::suggestions),
                     defaulted("name", &T::name), kept_keys(&T::extra));
};

}  // namespace acta::inline ACTA_ABI

// Search results and pages of the platform's documentation.
namespace acta::inline ACTA_ABI {

/// A place in the documentation that a search found.
struct DocSearchResult {
    std::string title{};                   ///< Of the page.
    std::string path{};                    ///< Path of the page inside the documentation, by which it is requested.
    std::string section{};                 ///< The heading inside the page.
    std::string snippet{};                 ///< Some lines of the section, to be shown.
    double score = 0;                      ///< How well it matches the query; higher is better.
    std::optional<std::string> doc_url{};  ///< The page on the web.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const DocSearchResult&, const DocSearchResult&) = default;
};

template <>
struct Describe<DocSearchResult> {
    using T = DocSearchResult;
    static constexpr std::string_view doc = "A single documentation search result.";
    static constexpr auto fields =
        acta::fields(required("title", &T::title), required("path", &T::path), required("section", &T::section),
                     required("snippet", &T::snippet), required("score", &T::score), defaulted("doc_url", &T::doc_url),
                     kept_keys(&T::extra));
};

/// Places in the documentation that a search found.
struct DocSearchResultsResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::vector<DocSearchResult> results{};   ///< The best first.
    std::int64_t count = 0;                   ///< How many were found.
    std::string query{};                      ///< What was searched for.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const DocSearchResultsResponse&, const DocSearchResultsResponse&) = default;
};

template <>
struct Describe<DocSearchResultsResponse> {
    using T = DocSearchResultsResponse;
    static constexpr std::string_view doc = "Response for search_docs tool.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::doc_search_results), required("results", &T::results),
                     required("count", &T::count), required("query", &T::query), kept_keys(&T::extra));
};

/// One page of the documentation.
struct DocPageResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string title{};                      ///< Of the page.
    std::string path{};                       ///< Inside the documentation.
    std::string content{};                    ///< The whole page, as Markdown.
    std::optional<std::string> doc_url{};     ///< The page on the web.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const DocPageResponse&, const DocPageResponse&) = default;
};

template <>
struct Describe<DocPageResponse> {
    using T = DocPageResponse;
    static constexpr std::string_view doc = "Response for get_doc_page tool.";
    static constexpr auto fields = acta::fields(
        response_fields<T>(ResponseType::doc_page), required("title", &T::title), required("path", &T::path),
        required("content", &T::content), defaulted("doc_url", &T::doc_url), kept_keys(&T::extra));
};

}  // namespace acta::inline ACTA_ABI

// Obstacles to a call: a missing login, an error, inputs that do not fit. reply.hpp explains the ids.
namespace acta::inline ACTA_ABI {

/// The user must log in first.
struct NeedLoginResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::optional<JsonObject>
        agent_info{};    ///< The agent that was to run, so that the run can be resumed after the login.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const NeedLoginResponse&, const NeedLoginResponse&) = default;
};

template <>
struct Describe<NeedLoginResponse> {
    using T = NeedLoginResponse;
    static constexpr std::string_view doc = "Response when login is needed.";
    static constexpr auto fields = acta::fields(response_fields<T>(ResponseType::need_login),
                                                defaulted("agent_info", &T::agent_info), kept_keys(&T::extra));
    static bool failed(const T&) { return true; }
};

/// The tool failed.
struct ErrorResponse {
    std::string message{};                    ///< For the user.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::optional<std::string> error{};   ///< What failed, for programs and logs: a code, or the text of an exception.
    std::optional<JsonObject> details{};  ///< Details.
    JsonObject extra{};                   ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const ErrorResponse&, const ErrorResponse&) = default;
};

template <>
struct Describe<ErrorResponse> {
    using T = ErrorResponse;
    static constexpr std::string_view doc = "Response for errors.";
    static constexpr auto fields = acta::fields(response_fields<T>(ResponseType::error), defaulted("error", &T::error),
                                                defaulted("details", &T::details), kept_keys(&T::extra));
    static bool failed(const T&) { return true; }
};

/// The given inputs do not fit the agent; nothing was run.
struct InputValidationErrorResponse {
    std::string message{};                           ///< What happened, in words for people.
    std::optional<std::string> session_id{};         ///< The chat session.
    std::vector<std::string> unrecognized_fields{};  ///< The given inputs that the agent does not have.
    JsonObject inputs{};                             ///< Its inputs, as JSON Schema.
    std::optional<std::string> graph_id{};           ///< The graph that was to run.
    std::optional<std::int64_t> graph_version{};     ///< The version of the graph whose inputs these are.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const InputValidationErrorResponse&, const InputValidationErrorResponse&) = default;
};

template <>
struct Describe<InputValidationErrorResponse> {
    using T = InputValidationErrorResponse;
    static constexpr std::string_view doc = "Response when run_agent receives unknown input fields.";
    static constexpr auto fields = acta::fields(
        response_fields<T>(ResponseType::input_validation_error),
        required("unrecognized_fields", &T::unrecognized_fields, "List of input field names that were not recognized"),
        required("inputs", &T::inputs, "The agent's valid input schema for reference"),
        defaulted("graph_id", &T::graph_id), defaulted("graph_version", &T::graph_version), kept_keys(&T::extra));
    static bool failed(const T&) { return true; }
};

}  // namespace acta::inline ACTA_ABI

// Runs of agents and their outputs. reply.hpp explains the ids.
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
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const ExecutionStartedResponse&, const ExecutionStartedResponse&) = default;
};

template <>
struct Describe<ExecutionStartedResponse> {
    using T = ExecutionStartedResponse;
    static constexpr std::string_view doc = "Response for run/schedule actions.";
    static constexpr auto fields = acta::fields(
        response_fields<T>(ResponseType::execution_started), required("execution_id", &T::execution_id),
        required("graph_id", &T::graph_id), required("graph_name", &T::graph_name),
        defaulted("library_agent_id", &T::library_agent_id), defaulted("library_agent_link", &T::library_agent_link),
        defaulted("status", &T::status), kept_keys(&T::extra));
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
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const ExecutionOutputInfo&, const ExecutionOutputInfo&) = default;
};

template <>
struct Describe<ExecutionOutputInfo> {
    using T = ExecutionOutputInfo;
    static constexpr std::string_view doc = "Summary of a single execution's outputs.";
    static constexpr auto fields = acta::fields(required("execution_id", &T::execution_id),
                                                required("status", &T::status), defaulted("started_at", &T::started_at),
                                                defaulted("ended_at", &T::ended_at), required("outputs", &T::outputs),
                                                defaulted("inputs_summary", &T::inputs_summary), kept_keys(&T::extra));
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
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

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
                     defaulted("total_executions", &T::total_executions), kept_keys(&T::extra));
    static bool failed(const T& reply) {
        return reply.execution && execution_status::is_failure(reply.execution->status);
    }
};

}  // namespace acta::inline ACTA_ABI

// Understanding the user and generating agents. reply.hpp explains the ids.
namespace acta::inline ACTA_ABI {

/// The knowledge of the user's business was extended.
struct UnderstandingUpdatedResponse {
    std::string message{};                      ///< What happened, in words for people.
    std::optional<std::string> session_id{};    ///< The chat session.
    std::vector<std::string> updated_fields{};  ///< The keys of `current_understanding` that changed.
    JsonObject current_understanding{};         ///< Everything known now, by key.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const UnderstandingUpdatedResponse&, const UnderstandingUpdatedResponse&) = default;
};

template <>
struct Describe<UnderstandingUpdatedResponse> {
    using T = UnderstandingUpdatedResponse;
    static constexpr std::string_view doc = "Response for add_understanding tool.";
    static constexpr auto fields = acta::fields(
        response_fields<T>(ResponseType::understanding_updated), optional_field("updated_fields", &T::updated_fields),
        optional_field("current_understanding", &T::current_understanding), kept_keys(&T::extra));
};

/// A question to the user.
struct ClarifyingQuestion {
    std::string question{};                ///< As it is put to the user.
    std::string keyword{};                 ///< Its subject in a word; names the answer.
    std::optional<std::string> example{};  ///< An example of an answer.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const ClarifyingQuestion&, const ClarifyingQuestion&) = default;
};

template <>
struct Describe<ClarifyingQuestion> {
    using T = ClarifyingQuestion;
    static constexpr std::string_view doc = "A question that needs user clarification.";
    static constexpr auto fields = acta::fields(required("question", &T::question), required("keyword", &T::keyword),
                                                defaulted("example", &T::example), kept_keys(&T::extra));
};

/// The user must answer questions before the tool can continue.
struct ClarificationNeededResponse {
    std::string message{};                        ///< What happened, in words for people.
    std::optional<std::string> session_id{};      ///< The chat session.
    std::vector<ClarifyingQuestion> questions{};  ///< In the order in which to ask them.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const ClarificationNeededResponse&, const ClarificationNeededResponse&) = default;
};

template <>
struct Describe<ClarificationNeededResponse> {
    using T = ClarificationNeededResponse;
    static constexpr std::string_view doc = "Response when the LLM needs more information from the user.";
    static constexpr auto fields = acta::fields(response_fields<T>(ResponseType::clarification_needed),
                                                optional_field("questions", &T::questions), kept_keys(&T::extra));
};

/// An agent was generated and can be previewed. It is not saved, so it has no id yet.
struct AgentPreviewResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    JsonObject agent_json{};                  ///< The whole agent, as it would be saved.
    std::string agent_name{};                 ///< A name for people.
    std::string description{};                ///< What it does.
    std::int64_t node_count = 0;              ///< Blocks in its graph.
    std::int64_t link_count = 0;              ///< Links between them.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const AgentPreviewResponse&, const AgentPreviewResponse&) = default;
};

template <>
struct Describe<AgentPreviewResponse> {
    using T = AgentPreviewResponse;
    static constexpr std::string_view doc = "Response for previewing a generated agent before saving.";
    static constexpr auto fields = acta::fields(
        response_fields<T>(ResponseType::agent_preview), required("agent_json", &T::agent_json),
        required("agent_name", &T::agent_name), required("description", &T::description),
        required("node_count", &T::node_count), defaulted("link_count", &T::link_count), kept_keys(&T::extra));
};

/// An agent was saved to the user's library.
struct AgentSavedResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string agent_id{};                   ///< The new agent.
    std::string agent_name{};                 ///< A name for people.
    std::string library_agent_id{};           ///< The entry of the user's library that was made for it.
    std::string library_agent_link{};         ///< The page of that entry.
    std::string agent_page_link{};            ///< The page where the agent's graph is edited.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const AgentSavedResponse&, const AgentSavedResponse&) = default;
};

template <>
struct Describe<AgentSavedResponse> {
    using T = AgentSavedResponse;
    static constexpr std::string_view doc = "Response when an agent is saved to the library.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::agent_saved), required("agent_id", &T::agent_id),
                     required("agent_name", &T::agent_name), required("library_agent_id", &T::library_agent_id),
                     required("library_agent_link", &T::library_agent_link),
                     required("agent_page_link", &T::agent_page_link), kept_keys(&T::extra));
};

}  // namespace acta::inline ACTA_ABI

// Long-running calls. Two replies have the type `operation_started`: in one the platform itself continues in the
// background, in the other another service took over; tool_response.hpp says how they are distinguished, and
// reply.hpp explains the ids.
namespace acta::inline ACTA_ABI {

/// The call continues in the background, on the platform itself.
struct OperationStartedResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string operation_id{};               ///< The long-running call.
    std::string tool_name{};                  ///< The tool that was called.
    std::optional<std::string> task_id{};     ///< Its event stream, if there is one.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const OperationStartedResponse&, const OperationStartedResponse&) = default;
};

template <>
struct Describe<OperationStartedResponse> {
    using T = OperationStartedResponse;
    static constexpr std::string_view doc =
        "Response when a long-running operation has been started in the background.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::operation_started), required("operation_id", &T::operation_id),
                     required("tool_name", &T::tool_name), defaulted("task_id", &T::task_id), kept_keys(&T::extra));
};

/// Placeholder for the call's result in the chat's history until the result arrives.
struct OperationPendingResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string operation_id{};               ///< The long-running call.
    std::string tool_name{};                  ///< The tool that was called.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const OperationPendingResponse&, const OperationPendingResponse&) = default;
};

template <>
struct Describe<OperationPendingResponse> {
    using T = OperationPendingResponse;
    static constexpr std::string_view doc =
        "Response stored in chat history while a long-running operation is executing.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::operation_pending), required("operation_id", &T::operation_id),
                     required("tool_name", &T::tool_name), kept_keys(&T::extra));
};

/// The same call was made again while the first one was still running: nothing new was started.
struct OperationInProgressResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string tool_call_id{};               ///< The call that is running.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const OperationInProgressResponse&, const OperationInProgressResponse&) = default;
};

template <>
struct Describe<OperationInProgressResponse> {
    using T = OperationInProgressResponse;
    static constexpr std::string_view doc = "Response when an operation is already in progress.";
    static constexpr auto fields = acta::fields(response_fields<T>(ResponseType::operation_in_progress),
                                                required("tool_call_id", &T::tool_call_id), kept_keys(&T::extra));
};

/// Another service took over and will report when it is done. Its type is also `operation_started`.
struct AsyncProcessingResponse {
    std::string message{};                          ///< What happened, in words for people.
    std::optional<std::string> session_id{};        ///< The chat session.
    std::string status{texts::operation_accepted};  ///< `accepted`.
    std::optional<std::string> operation_id{};      ///< The long-running call, if it has an id.
    std::optional<std::string> task_id{};           ///< Its event stream, if there is one.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const AsyncProcessingResponse&, const AsyncProcessingResponse&) = default;
};

template <>
struct Describe<AsyncProcessingResponse> {
    using T = AsyncProcessingResponse;
    static constexpr std::string_view doc = "Response when an operation has been delegated to async processing.";
    static constexpr auto fields = acta::fields(
        response_fields<T>(ResponseType::operation_started), defaulted("status", &T::status),
        defaulted("operation_id", &T::operation_id), defaulted("task_id", &T::task_id), kept_keys(&T::extra));
};

}  // namespace acta::inline ACTA_ABI

// The files of a user's workspace.
namespace acta::inline ACTA_ABI {

/// A file of the workspace.
struct WorkspaceFileInfoData {
    std::string file_id{};        ///< Stays the same when the file is moved.
    std::string name{};           ///< The last part of the path.
    std::string path{};           ///< Inside the workspace.
    std::string mime_type{};      ///< Such as `text/csv`.
    std::int64_t size_bytes = 0;  ///< Size of the file.
    JsonObject extra{};           ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const WorkspaceFileInfoData&, const WorkspaceFileInfoData&) = default;
};

template <>
struct Describe<WorkspaceFileInfoData> {
    using T = WorkspaceFileInfoData;
    static constexpr std::string_view doc = "Workspace file information.";
    static constexpr auto fields = acta::fields(required("file_id", &T::file_id), required("name", &T::name),
                                                required("path", &T::path), required("mime_type", &T::mime_type),
                                                required("size_bytes", &T::size_bytes), kept_keys(&T::extra));
};

/// The files of the workspace, or some of them.
struct WorkspaceFileListResponse {
    std::string message{};                       ///< What happened, in words for people.
    std::optional<std::string> session_id{};     ///< The chat session.
    std::vector<WorkspaceFileInfoData> files{};  ///< The files that are listed.
    std::int64_t total_count = 0;                ///< Number of files, including those not listed here.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const WorkspaceFileListResponse&, const WorkspaceFileListResponse&) = default;
};

template <>
struct Describe<WorkspaceFileListResponse> {
    using T = WorkspaceFileListResponse;
    static constexpr std::string_view doc = "Response containing a list of workspace files.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::workspace_file_list), required("files", &T::files),
                     required("total_count", &T::total_count), kept_keys(&T::extra));
};

/// The content of a file of the workspace.
struct WorkspaceFileContentResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string file_id{};                    ///< The file; stays the same when it is moved.
    std::string name{};                       ///< The last part of the path.
    std::string path{};                       ///< Inside the workspace.
    std::string mime_type{};                  ///< Such as `text/csv`.
    std::string content_base64{};             ///< Its content, in base64.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const WorkspaceFileContentResponse&, const WorkspaceFileContentResponse&) = default;
};

template <>
struct Describe<WorkspaceFileContentResponse> {
    using T = WorkspaceFileContentResponse;
    static constexpr std::string_view doc = "Response containing workspace file content.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::workspace_file_content), required("file_id", &T::file_id),
                     required("name", &T::name), required("path", &T::path), required("mime_type", &T::mime_type),
                     required("content_base64", &T::content_base64), kept_keys(&T::extra));
};

/// Metadata of a file of the workspace and where to download it.
struct WorkspaceFileMetadataResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string file_id{};                    ///< The file; stays the same when it is moved.
    std::string name{};                       ///< The last part of the path.
    std::string path{};                       ///< Inside the workspace.
    std::string mime_type{};                  ///< Such as `text/csv`.
    std::int64_t size_bytes = 0;              ///< Size of the file.
    std::string download_url{};               ///< Where to download it.
    std::optional<std::string> preview{};     ///< The beginning of a text.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const WorkspaceFileMetadataResponse&, const WorkspaceFileMetadataResponse&) = default;
};

template <>
struct Describe<WorkspaceFileMetadataResponse> {
    using T = WorkspaceFileMetadataResponse;
    static constexpr std::string_view doc = "Response containing workspace file metadata and a download URL.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::workspace_file_metadata), required("file_id", &T::file_id),
                     required("name", &T::name), required("path", &T::path), required("mime_type", &T::mime_type),
                     required("size_bytes", &T::size_bytes), required("download_url", &T::download_url),
                     defaulted("preview", &T::preview), kept_keys(&T::extra));
};

/// A file was written to the workspace.
struct WorkspaceWriteResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string file_id{};                    ///< The file; stays the same when it is moved.
    std::string name{};                       ///< The last part of the path.
    std::string path{};                       ///< Inside the workspace.
    std::int64_t size_bytes = 0;              ///< As written.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const WorkspaceWriteResponse&, const WorkspaceWriteResponse&) = default;
};

template <>
struct Describe<WorkspaceWriteResponse> {
    using T = WorkspaceWriteResponse;
    static constexpr std::string_view doc = "Response after writing a file to the workspace.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::workspace_file_written), required("file_id", &T::file_id),
                     required("name", &T::name), required("path", &T::path), required("size_bytes", &T::size_bytes),
                     kept_keys(&T::extra));
};

/// A file of the workspace was deleted, or could not be.
struct WorkspaceDeleteResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string file_id{};                    ///< The file; stays the same when it is moved.
    bool success = false;                     ///< Whether the file is gone.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const WorkspaceDeleteResponse&, const WorkspaceDeleteResponse&) = default;
};

template <>
struct Describe<WorkspaceDeleteResponse> {
    using T = WorkspaceDeleteResponse;
    static constexpr std::string_view doc = "Response after deleting a file from the workspace.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::workspace_file_deleted), required("file_id", &T::file_id),
                     required("success", &T::success), kept_keys(&T::extra));
    static bool failed(const T& reply) { return !reply.success; }
};

}  // namespace acta::inline ACTA_ABI
