// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <variant>

#include "acta/json/codec.hpp"
#include "acta/json/dump.hpp"
#include "acta/json/parse.hpp"
#include "acta/tool_response/blocks.hpp"
#include "acta/tool_response/detail/reply_choice.hpp"
#include "acta/tool_response/details.hpp"
#include "acta/tool_response/discovery.hpp"
#include "acta/tool_response/documentation.hpp"
#include "acta/tool_response/errors.hpp"
#include "acta/tool_response/execution.hpp"
#include "acta/tool_response/generation.hpp"
#include "acta/tool_response/operations.hpp"
#include "acta/tool_response/reply.hpp"
#include "acta/tool_response/workspace.hpp"

// Every reply of the platform's tools as one type. To use only a few of them, include just their headers.
namespace acta::inline ACTA_ABI {

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
using BasicToolResponse = std::variant<
    AgentsFoundResponse, NoResultsResponse, AgentDetailsResponse, SetupRequirementsResponse, ExecutionStartedResponse,
    NeedLoginResponse, ErrorResponse, InputValidationErrorResponse, AgentOutputResponse, UnderstandingUpdatedResponse,
    AgentPreviewResponse, AgentSavedResponse, ClarificationNeededResponse, DocSearchResultsResponse, DocPageResponse,
    BlockListResponse, BlockOutputResponse, OperationStartedResponse, OperationPendingResponse,
    OperationInProgressResponse, AsyncProcessingResponse, WorkspaceFileListResponse, WorkspaceFileContentResponse,
    WorkspaceFileMetadataResponse, WorkspaceWriteResponse, WorkspaceDeleteResponse, Mine..., UnknownResponse>;

/// Any reply of the platform's tools.
using ToolResponse = BasicToolResponse<>;

/// Reads a reply by its `type`, which is required (docs/reference/tool_response.md, "Reading a reply").
/// `operation_started` is `AsyncProcessingResponse` if its status is `accepted` or if it lacks `operation_id` or
/// `tool_name`, else `OperationStartedResponse`. An unknown type becomes `UnknownResponse`. Throws `ValidationError`,
/// whose title is the reply's name (`ErrorResponse`) once its type has been read, else `ToolResponse`.
template <ToolReply... Mine>
[[nodiscard]] BasicToolResponse<Mine...> parse_tool_response(std::string_view text, const ParseOptions& options = {}) {
    using R = BasicToolResponse<Mine...>;
    return tool_response_detail::read_reply<R>(
        [&](R& out) { codec::read_text_document(text, options, codec::reading_of(out)); });
}
/// Reads a reply from a JSON value.
template <ToolReply... Mine>
[[nodiscard]] BasicToolResponse<Mine...> validate_tool_response(const Json& json, const ParseOptions& options = {}) {
    using R = BasicToolResponse<Mine...>;
    return tool_response_detail::read_reply<R>(
        [&](R& out) { codec::read_json_document(json, options, codec::reading_of(out)); });
}

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

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/tool_response/detail/tool_response.inl.hpp"
#endif
