// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/describe/introspection.hpp"
#include "acta/tool_response/detail/texts.hpp"
#include "acta/tool_response/response_type.hpp"

// Blocks: the parts of graphs, which can also be run alone.
namespace acta::inline ACTA_ABI {

/// An input of a block.
struct BlockInputFieldInfo {
    std::string name{};                   ///< As the caller of the tool names it.
    std::string type{};                   ///< A type of JSON Schema: `string`, `integer`, `array`, …
    std::string description{};            ///< What it is for.
    bool required = false;                ///< Whether a run without it is refused.
    std::optional<Json> default_value{};  ///< `default` in JSON: the value that is used when none is given.

    friend bool operator==(const BlockInputFieldInfo&, const BlockInputFieldInfo&) = default;
};

template <>
struct Describe<BlockInputFieldInfo> {
    using T = BlockInputFieldInfo;
    static constexpr std::string_view doc = "Information about a block input field.";
    static constexpr auto fields = acta::fields(
        acta::required("name", &T::name), acta::required("type", &T::type), defaulted("description", &T::description),
        defaulted("required", &T::required), defaulted("default", &T::default_value));
};

/// A block that a search found.
struct BlockInfoSummary {
    std::string id{};                                    ///< The `block_id` of the tool run_block.
    std::string name{};                                  ///< A name for people.
    std::string description{};                           ///< What it does.
    std::vector<std::string> categories{};               ///< The categories it is listed under.
    JsonObject input_schema{};                           ///< Its inputs, as JSON Schema; see `inputs_view`.
    JsonObject output_schema{};                          ///< Its outputs, as JSON Schema.
    std::vector<BlockInputFieldInfo> required_inputs{};  ///< The inputs without a default.

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
        optional_field("required_inputs", &T::required_inputs, "List of required input fields for this block"));
};

/// Blocks that a search found.
struct BlockListResponse {
    std::string message{};                            ///< What happened, in words for people.
    std::optional<std::string> session_id{};          ///< The chat session.
    std::vector<BlockInfoSummary> blocks{};           ///< The best first.
    std::int64_t count = 0;                           ///< How many were found.
    std::string query{};                              ///< What was searched for.
    std::string usage_hint{texts::block_usage_hint};  ///< For the model: how a block is run.

    friend bool operator==(const BlockListResponse&, const BlockListResponse&) = default;
};

template <>
struct Describe<BlockListResponse> {
    using T = BlockListResponse;
    static constexpr std::string_view doc = "Response for find_block tool.";
    static constexpr auto fields = acta::fields(response_fields<T>(ResponseType::block_list),
                                                required("blocks", &T::blocks), required("count", &T::count),
                                                required("query", &T::query), defaulted("usage_hint", &T::usage_hint));
};

/// The outputs of a run of one block.
struct BlockOutputResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string block_id{};                   ///< The block that ran.
    std::string block_name{};                 ///< A name for people.
    OrderedMap<std::vector<Json>> outputs{};  ///< Each output by name: all its values, in order.
    bool success = true;                      ///< Whether the block succeeded.

    friend bool operator==(const BlockOutputResponse&, const BlockOutputResponse&) = default;
};

template <>
struct Describe<BlockOutputResponse> {
    using T = BlockOutputResponse;
    static constexpr std::string_view doc = "Response for run_block tool.";
    static constexpr auto fields = acta::fields(
        response_fields<T>(ResponseType::block_output), required("block_id", &T::block_id),
        required("block_name", &T::block_name), required("outputs", &T::outputs), defaulted("success", &T::success));
    static bool failed(const T& reply) { return !reply.success; }
};

}  // namespace acta::inline ACTA_ABI
