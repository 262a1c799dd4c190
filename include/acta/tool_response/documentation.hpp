// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/tool_response/response_type.hpp"

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

    friend bool operator==(const DocSearchResult&, const DocSearchResult&) = default;
};

template <>
struct Describe<DocSearchResult> {
    using T = DocSearchResult;
    static constexpr std::string_view doc = "A single documentation search result.";
    static constexpr auto fields =
        acta::fields(required("title", &T::title), required("path", &T::path), required("section", &T::section),
                     required("snippet", &T::snippet), required("score", &T::score), defaulted("doc_url", &T::doc_url));
};

/// Places in the documentation that a search found.
struct DocSearchResultsResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::vector<DocSearchResult> results{};   ///< The best first.
    std::int64_t count = 0;                   ///< How many were found.
    std::string query{};                      ///< What was searched for.

    friend bool operator==(const DocSearchResultsResponse&, const DocSearchResultsResponse&) = default;
};

template <>
struct Describe<DocSearchResultsResponse> {
    using T = DocSearchResultsResponse;
    static constexpr std::string_view doc = "Response for search_docs tool.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::doc_search_results), required("results", &T::results),
                     required("count", &T::count), required("query", &T::query));
};

/// One page of the documentation.
struct DocPageResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string title{};                      ///< Of the page.
    std::string path{};                       ///< Inside the documentation.
    std::string content{};                    ///< The whole page, as Markdown.
    std::optional<std::string> doc_url{};     ///< The page on the web.

    friend bool operator==(const DocPageResponse&, const DocPageResponse&) = default;
};

template <>
struct Describe<DocPageResponse> {
    using T = DocPageResponse;
    static constexpr std::string_view doc = "Response for get_doc_page tool.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::doc_page), required("title", &T::title),
                     required("path", &T::path), required("content", &T::content), defaulted("doc_url", &T::doc_url));
};

}  // namespace acta::inline ACTA_ABI
