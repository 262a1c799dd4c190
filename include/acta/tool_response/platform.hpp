// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/describe/describe.hpp"
#include "acta/tool_response/models.hpp"
#include "acta/tool_response/reply.hpp"

// Replies that the platform has today besides those of `ResponseType`. Their types are texts. Replies with the type
// `mcp_tool_output` have two forms, and those that are not described here have structs within structs: they are
// `UnknownResponse`, kept whole.
namespace acta::inline ACTA_ABI {

/// The goal cannot be reached as it is; another one is suggested.
struct SuggestedGoalResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string suggested_goal{};             ///< The other goal.
    std::string reason{};                     ///< Why the goal needs to be changed.
    std::string original_goal{};              ///< The user's own goal.
    std::string goal_type{"vague"};           ///< `vague` or `unachievable`.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const SuggestedGoalResponse&, const SuggestedGoalResponse&) = default;
};

template <>
struct Describe<SuggestedGoalResponse> : tool_response_detail::Description<SuggestedGoalResponse> {
    static constexpr auto fields = reply("suggested_goal", required_members<&T::suggested_goal>,
                                         defaulted_members<&T::reason, &T::original_goal, &T::goal_type>);
};

/// An agent was generated and can be previewed; it is not saved.
struct BuilderPreviewResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    JsonObject agent_json{};                  ///< The agent.
    std::string agent_name{};                 ///< A name for people.
    std::string description{};                ///< What it does.
    std::int64_t node_count = 0;              ///< The blocks of its graph.
    std::int64_t link_count = 0;              ///< The links between them.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const BuilderPreviewResponse&, const BuilderPreviewResponse&) = default;
};

template <>
struct Describe<BuilderPreviewResponse> : tool_response_detail::Description<BuilderPreviewResponse> {
    static constexpr auto fields = reply(
        "agent_builder_preview", required_members<&T::agent_json, &T::agent_name, &T::description, &T::node_count>,
        defaulted_members<&T::link_count>);
};

/// An agent was saved to the user's library.
struct BuilderSavedResponse {
    std::string message{};                        ///< What happened, in words for people.
    std::optional<std::string> session_id{};      ///< The chat session.
    std::string agent_id{};                       ///< The new agent.
    std::string agent_name{};                     ///< A name for people.
    std::optional<std::int64_t> graph_version{};  ///< The version of its graph.
    std::string library_agent_id{};               ///< The entry of the library.
    std::string library_agent_link{};             ///< The page of that entry.
    std::string agent_page_link{};                ///< The page where the agent's graph is edited.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const BuilderSavedResponse&, const BuilderSavedResponse&) = default;
};

template <>
struct Describe<BuilderSavedResponse> : tool_response_detail::Description<BuilderSavedResponse> {
    static constexpr auto fields = reply(
        "agent_builder_saved", required_members<&T::agent_id, &T::agent_name>, defaulted_members<&T::graph_version>,
        required_members<&T::library_agent_id, &T::library_agent_link, &T::agent_page_link>);
};

/// The user must answer questions before an agent is generated.
struct BuilderClarificationResponse {
    std::string message{};                        ///< What happened, in words for people.
    std::optional<std::string> session_id{};      ///< The chat session.
    std::vector<ClarifyingQuestion> questions{};  ///< The questions.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const BuilderClarificationResponse&, const BuilderClarificationResponse&) = default;
};

template <>
struct Describe<BuilderClarificationResponse> : tool_response_detail::Description<BuilderClarificationResponse> {
    static constexpr auto fields = reply("agent_builder_clarification_needed", defaulted_members<&T::questions>);
};

/// The check of a graph.
struct BuilderValidationResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    bool valid = false;                       ///< Whether it can run.
    std::vector<std::string> errors{};        ///< What is wrong.
    std::int64_t error_count = 0;             ///< How many errors there are.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const BuilderValidationResponse&, const BuilderValidationResponse&) = default;
};

template <>
struct Describe<BuilderValidationResponse> : tool_response_detail::Description<BuilderValidationResponse> {
    static bool failed(const T& reply) { return !reply.valid; }
    static constexpr auto fields = reply("agent_builder_validation_result", required_members<&T::valid>,
                                         defaulted_members<&T::errors, &T::error_count>);
};

/// A graph with its errors fixed, as far as possible.
struct BuilderFixResponse {
    std::string message{};                         ///< What happened, in words for people.
    std::optional<std::string> session_id{};       ///< The chat session.
    std::optional<JsonObject> fixed_agent_json{};  ///< The agent, unless it is in a file.
    std::optional<std::string> fixed_agent_ref{};  ///< The file that has it.
    std::optional<std::string> fix_diff{};         ///< The changes to it.
    std::vector<std::string> fixes_applied{};      ///< The changes in words.
    std::int64_t fix_count = 0;                    ///< How many changes there are.
    bool valid_after_fix = false;                  ///< Whether the agent can run now.
    std::vector<std::string> remaining_errors{};   ///< What is still wrong.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const BuilderFixResponse&, const BuilderFixResponse&) = default;
};

template <>
struct Describe<BuilderFixResponse> : tool_response_detail::Description<BuilderFixResponse> {
    static bool failed(const T& reply) { return !reply.valid_after_fix; }
    static constexpr auto fields =
        reply("agent_builder_fix_result",
              defaulted_members<&T::fixed_agent_json, &T::fixed_agent_ref, &T::fix_diff, &T::fixes_applied,
                                &T::fix_count, &T::valid_after_fix, &T::remaining_errors>);
};

/// A person must approve the run of a block.
struct ReviewRequiredResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string block_id{};                   ///< The block.
    std::string block_name{};                 ///< A name for people.
    std::string review_id{};                  ///< The review.
    std::string graph_exec_id{};              ///< The run that waits for it.
    JsonObject input_data{};                  ///< The inputs to be approved.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const ReviewRequiredResponse&, const ReviewRequiredResponse&) = default;
};

template <>
struct Describe<ReviewRequiredResponse> : tool_response_detail::Description<ReviewRequiredResponse> {
    static constexpr auto fields =
        reply("review_required",
              required_members<&T::block_id, &T::block_name, &T::review_id, &T::graph_exec_id, &T::input_data>);
};

/// The end of a shell command.
struct BashExecResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string output{};                     ///< What it wrote to its standard output.
    std::string errors{};                     ///< What it wrote to its standard error.
    std::int64_t exit_code = 0;               ///< 0 if it succeeded.
    bool timed_out = false;                   ///< Whether it was stopped after its time.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const BashExecResponse&, const BashExecResponse&) = default;
};

template <>
struct Describe<BashExecResponse> : tool_response_detail::Description<BashExecResponse> {
    static bool failed(const T& reply) { return reply.exit_code != 0 || reply.timed_out; }
    static constexpr auto fields = reply("bash_exec", required("stdout", &T::output), required("stderr", &T::errors),
                                         required_members<&T::exit_code>, defaulted_members<&T::timed_out>);
};

/// A page of the web.
struct WebFetchResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string url{};                        ///< Its address.
    std::int64_t status_code = 0;             ///< The status of HTTP.
    std::string content_type{};               ///< Its media type.
    std::string content{};                    ///< Its text.
    std::optional<std::string> title{};       ///< Its title.
    std::int64_t content_length = 0;          ///< The size of the whole page in bytes.
    bool truncated = false;                   ///< Whether the text is cut.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const WebFetchResponse&, const WebFetchResponse&) = default;
};

template <>
struct Describe<WebFetchResponse> : tool_response_detail::Description<WebFetchResponse> {
    static bool failed(const T& reply) { return reply.status_code >= 400; }
    static constexpr auto fields =
        reply("web_fetch", required_members<&T::url, &T::status_code, &T::content_type, &T::content>,
              defaulted_members<&T::title, &T::content_length, &T::truncated>);
};

/// Pages of the web that a search found.
struct WebSearchResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string query{};                      ///< What was searched for.
    std::string answer{};                     ///< An answer that was written from them.
    std::vector<JsonObject> results{};        ///< The pages: `title`, `url`, `snippet`.
    std::int64_t search_requests = 0;         ///< How many searches it took.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const WebSearchResponse&, const WebSearchResponse&) = default;
};

template <>
struct Describe<WebSearchResponse> : tool_response_detail::Description<WebSearchResponse> {
    static constexpr auto fields = reply("web_search", required_members<&T::query>,
                                         defaulted_members<&T::answer, &T::results, &T::search_requests>);
};

/// A request for a feature was filed, or joined to one.
struct FeatureRequestCreatedResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string issue_id{};                   ///< The request.
    std::string issue_identifier{};           ///< Its name in the tracker.
    std::string issue_title{};                ///< Its title.
    std::string issue_url{};                  ///< Its page.
    bool is_new_issue = false;                ///< Whether it was not there before.
    std::string customer_name{};              ///< Who asks for it.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const FeatureRequestCreatedResponse&, const FeatureRequestCreatedResponse&) = default;
};

template <>
struct Describe<FeatureRequestCreatedResponse> : tool_response_detail::Description<FeatureRequestCreatedResponse> {
    static constexpr auto fields =
        reply("feature_request_created", required_members<&T::issue_id, &T::issue_identifier, &T::issue_title,
                                                          &T::issue_url, &T::is_new_issue, &T::customer_name>);
};

/// A browser opened a page.
struct BrowserNavigateResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string url{};                        ///< Its address.
    std::string title{};                      ///< Its title.
    std::string snapshot{};                   ///< Its elements, with their references.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const BrowserNavigateResponse&, const BrowserNavigateResponse&) = default;
};

template <>
struct Describe<BrowserNavigateResponse> : tool_response_detail::Description<BrowserNavigateResponse> {
    static constexpr auto fields = reply("browser_navigate", required_members<&T::url, &T::title, &T::snapshot>);
};

/// A browser acted on its page.
struct BrowserActResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string action{};                     ///< What it did.
    std::string current_url{};                ///< The address of the page after it.
    std::string snapshot{};                   ///< The elements of that page.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const BrowserActResponse&, const BrowserActResponse&) = default;
};

template <>
struct Describe<BrowserActResponse> : tool_response_detail::Description<BrowserActResponse> {
    static constexpr auto fields = reply("browser_act", required_members<&T::action>,
                                         defaulted_members<&T::current_url>, required_members<&T::snapshot>);
};

/// A picture of a page is in the workspace.
struct BrowserScreenshotResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string file_id{};                    ///< The file.
    std::string filename{};                   ///< Its name.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const BrowserScreenshotResponse&, const BrowserScreenshotResponse&) = default;
};

template <>
struct Describe<BrowserScreenshotResponse> : tool_response_detail::Description<BrowserScreenshotResponse> {
    static constexpr auto fields = reply("browser_screenshot", required_members<&T::file_id, &T::filename>);
};

/// A folder was deleted.
struct FolderDeletedResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string folder_id{};                  ///< The folder.
    JsonObject extra{};  ///< Unknown fields, if they were read with `UnknownKeys::keep`; written back.

    friend bool operator==(const FolderDeletedResponse&, const FolderDeletedResponse&) = default;
};

template <>
struct Describe<FolderDeletedResponse> : tool_response_detail::Description<FolderDeletedResponse> {
    static constexpr auto fields = reply("folder_deleted", required_members<&T::folder_id>);
};

}  // namespace acta::inline ACTA_ABI
