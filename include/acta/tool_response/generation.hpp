// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/tool_response/response_type.hpp"

// Understanding the user and generating agents. response_type.hpp explains the ids.
namespace acta::inline ACTA_ABI {

/// The knowledge of the user's business was extended.
struct UnderstandingUpdatedResponse {
    std::string message{};                      ///< What happened, in words for people.
    std::optional<std::string> session_id{};    ///< The chat session.
    std::vector<std::string> updated_fields{};  ///< The keys of `current_understanding` that changed.
    JsonObject current_understanding{};         ///< Everything known now, by key.

    friend bool operator==(const UnderstandingUpdatedResponse&, const UnderstandingUpdatedResponse&) = default;
};

template <>
struct Describe<UnderstandingUpdatedResponse> {
    using T = UnderstandingUpdatedResponse;
    static constexpr std::string_view doc = "Response for add_understanding tool.";
    static constexpr auto fields = acta::fields(response_fields<T>(ResponseType::understanding_updated),
                                                optional_field("updated_fields", &T::updated_fields),
                                                optional_field("current_understanding", &T::current_understanding));
};

/// A question to the user.
struct ClarifyingQuestion {
    std::string question{};                ///< As it is put to the user.
    std::string keyword{};                 ///< Its subject in a word; names the answer.
    std::optional<std::string> example{};  ///< An example of an answer.

    friend bool operator==(const ClarifyingQuestion&, const ClarifyingQuestion&) = default;
};

template <>
struct Describe<ClarifyingQuestion> {
    using T = ClarifyingQuestion;
    static constexpr std::string_view doc = "A question that needs user clarification.";
    static constexpr auto fields = acta::fields(required("question", &T::question), required("keyword", &T::keyword),
                                                defaulted("example", &T::example));
};

/// The user must answer questions before the tool can continue.
struct ClarificationNeededResponse {
    std::string message{};                        ///< What happened, in words for people.
    std::optional<std::string> session_id{};      ///< The chat session.
    std::vector<ClarifyingQuestion> questions{};  ///< In the order in which to ask them.

    friend bool operator==(const ClarificationNeededResponse&, const ClarificationNeededResponse&) = default;
};

template <>
struct Describe<ClarificationNeededResponse> {
    using T = ClarificationNeededResponse;
    static constexpr std::string_view doc = "Response when the LLM needs more information from the user.";
    static constexpr auto fields = acta::fields(response_fields<T>(ResponseType::clarification_needed),
                                                optional_field("questions", &T::questions));
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

    friend bool operator==(const AgentPreviewResponse&, const AgentPreviewResponse&) = default;
};

template <>
struct Describe<AgentPreviewResponse> {
    using T = AgentPreviewResponse;
    static constexpr std::string_view doc = "Response for previewing a generated agent before saving.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::agent_preview), required("agent_json", &T::agent_json),
                     required("agent_name", &T::agent_name), required("description", &T::description),
                     required("node_count", &T::node_count), defaulted("link_count", &T::link_count));
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

    friend bool operator==(const AgentSavedResponse&, const AgentSavedResponse&) = default;
};

template <>
struct Describe<AgentSavedResponse> {
    using T = AgentSavedResponse;
    static constexpr std::string_view doc = "Response when an agent is saved to the library.";
    static constexpr auto fields = acta::fields(
        response_fields<T>(ResponseType::agent_saved), required("agent_id", &T::agent_id),
        required("agent_name", &T::agent_name), required("library_agent_id", &T::library_agent_id),
        required("library_agent_link", &T::library_agent_link), required("agent_page_link", &T::agent_page_link));
};

}  // namespace acta::inline ACTA_ABI
