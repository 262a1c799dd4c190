// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/tool_response/detail/texts.hpp"
#include "acta/tool_response/response_type.hpp"

// Finding agents. response_type.hpp explains the ids.
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
    std::optional<JsonObject> inputs{};          ///< Its inputs, as JSON Schema; see `inputs_view`.

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
        defaulted("inputs", &T::inputs, "Input schema for the agent, including field names, types, and defaults"));
};

/// A search found agents.
struct AgentsFoundResponse {
    std::string message{};                         ///< What happened, in words for people.
    std::optional<std::string> session_id{};       ///< The chat session.
    std::string title{texts::agents_found_title};  ///< Heading of the list.
    std::vector<AgentInfo> agents{};               ///< The best first.
    std::int64_t count = 0;                        ///< How many were found.
    std::string name{texts::agents_found_name};    ///< Repeats the type of the reply.

    friend bool operator==(const AgentsFoundResponse&, const AgentsFoundResponse&) = default;
};

template <>
struct Describe<AgentsFoundResponse> {
    using T = AgentsFoundResponse;
    static constexpr std::string_view doc = "Response for find_agent tool.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::agents_found), defaulted("title", &T::title),
                     required("agents", &T::agents), required("count", &T::count), defaulted("name", &T::name));
};

/// A search found nothing. This is not an error.
struct NoResultsResponse {
    std::string message{};                     ///< What happened, in words for people.
    std::optional<std::string> session_id{};   ///< The chat session.
    std::vector<std::string> suggestions{};    ///< What the user may try instead.
    std::string name{texts::no_results_name};  ///< Repeats the type of the reply.

    friend bool operator==(const NoResultsResponse&, const NoResultsResponse&) = default;
};

template <>
struct Describe<NoResultsResponse> {
    using T = NoResultsResponse;
    static constexpr std::string_view doc = "Response when no agents found.";
    static constexpr auto fields = acta::fields(response_fields<T>(ResponseType::no_results),
                                                defaulted("suggestions", &T::suggestions), defaulted("name", &T::name));
};

}  // namespace acta::inline ACTA_ABI
