// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/json.hpp"

namespace acta::inline ACTA_ABI::mcp_detail {

/// Reads a block as the member with its `type`, else as the one at `other`.
void decode_content_block(codec::Decoder& d, std::span<const codec::Alternative> members, std::size_t other,
                          void* variant);

/// Returns the index of `T` in `All`.
template <class T, class... All>
consteval std::size_t block_index() {
    std::size_t i = 0;
    std::size_t found = sizeof...(All);
    ((found = std::same_as<T, All> ? i : found, ++i), ...);
    return found;
}

}  // namespace acta::inline ACTA_ABI::mcp_detail

// Content in blocks that are identified by their `type`.
namespace acta::inline ACTA_ABI {

namespace mcp {

/// A block of an unknown type, kept unchanged, so that a newer server does not break an older client.
struct OtherContent {
    JsonObject content{};  ///< As it came, `type` included.

    friend bool operator==(const OtherContent&, const OtherContent&) = default;
};

}  // namespace mcp

template <>
struct Describe<mcp::OtherContent> {
    using representation = JsonObject;
    static const JsonObject& to_representation(const mcp::OtherContent& block) { return block.content; }
    static mcp::OtherContent from_representation(JsonObject content) { return {std::move(content)}; }
};

/// A variant of blocks, one of them `mcp::OtherContent`: a block is read as the member with its `type`, any other as
/// `mcp::OtherContent`. A block without a `type` is an issue (`union_tag_not_found`, `union_tag_invalid`).
template <class... T>
    requires(std::same_as<T, mcp::OtherContent> || ...)
struct Describe<std::variant<T...>> {
    static constexpr std::string_view name = "ContentBlock";

    static void decode(codec::Decoder& d, std::variant<T...>& out) {
        mcp_detail::decode_content_block(d, codec::alternatives<std::variant<T...>>,
                                         mcp_detail::block_index<mcp::OtherContent, T...>(), &out);
    }
};

// The result of a tool in the Model Context Protocol (versions 2025-06-18 to 2026-07-28, "Tools", "Tool Result", and
// the types `CallToolResult` and `ContentBlock` of its schema.ts) as an `ActionResult`, and back. docs/interop.md lists
// the losses.

/// Results of tools in the Model Context Protocol.
namespace mcp {

/// A content block of type `text`.
struct TextContent {
    std::string text{};  ///< The text.
    JsonObject extra{};  ///< Everything else, such as `annotations` and `_meta`.

    friend bool operator==(const TextContent&, const TextContent&) = default;
};
/// A content block of type `image`.
struct ImageContent {
    std::string data{};       ///< In base64.
    std::string mime_type{};  ///< `mimeType`, such as `image/png`.
    JsonObject extra{};       ///< Everything else.

    friend bool operator==(const ImageContent&, const ImageContent&) = default;
};
/// A content block of type `audio`.
struct AudioContent {
    std::string data{};       ///< In base64.
    std::string mime_type{};  ///< `mimeType`, such as `audio/wav`.
    JsonObject extra{};       ///< Everything else.

    friend bool operator==(const AudioContent&, const AudioContent&) = default;
};
/// A resource that the client can read.
struct ResourceLink {
    std::string uri{};   ///< The client requests it by this with `resources/read`.
    std::string name{};  ///< The name for programs, and for people if it has no `title`.
    JsonObject extra{};  ///< Everything else, such as `mimeType`.

    friend bool operator==(const ResourceLink&, const ResourceLink&) = default;
};
/// The contents of a resource: text, or bytes in base64.
struct ResourceContents {
    std::string uri{};                  ///< Where the contents are from.
    std::optional<std::string> text{};  ///< The contents if they are text; then `blob` is empty.
    std::optional<std::string> blob{};  ///< In base64.
    JsonObject extra{};                 ///< Everything else, such as `mimeType`.

    friend bool operator==(const ResourceContents&, const ResourceContents&) = default;
};
/// A resource that is part of the result.
struct EmbeddedResource {
    ResourceContents resource{};  ///< Its contents.
    JsonObject extra{};           ///< Everything else.

    friend bool operator==(const EmbeddedResource&, const EmbeddedResource&) = default;
};

/// A block of a result. Blocks of other types are kept unchanged.
using ContentBlock =
    std::variant<TextContent, ImageContent, AudioContent, ResourceLink, EmbeddedResource, OtherContent>;

/// A server's answer to `tools/call`.
///
/// @code{.cpp}
/// const auto answer = acta::parse<acta::mcp::CallToolResult>(
///     R"({"content": [{"type": "text", "text": "22.5"}], "structuredContent": {"result": 22.5}})");
/// const acta::ActionResult result = acta::mcp::to_action_result(answer);
/// assert(acta::to_string(result) == "22.5");
/// assert(acta::mcp::to_tool_result(result) == answer);
/// @endcode
struct CallToolResult {
    std::vector<ContentBlock> content{};       ///< The content for the model; may be empty.
    std::optional<Json> structured_content{};  ///< An object; from version 2026-07-28 on any JSON. Null is none.
    bool is_error = false;                     ///< Whether the tool failed: `isError`, false if it is missing.
    /// Version 2026-07-28 has `complete`, which is also the meaning of a missing one.
    std::optional<std::string> result_type{};
    std::optional<JsonObject> meta{};  ///< `_meta`
    JsonObject extra{};                ///< Everything else.

    friend bool operator==(const CallToolResult&, const CallToolResult&) = default;
};

}  // namespace mcp

template <>
struct Describe<mcp::TextContent> {
    using T = mcp::TextContent;
    static constexpr auto fields =
        acta::fields(literal("type", "text"), required("text", &T::text), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::ImageContent> {
    using T = mcp::ImageContent;
    static constexpr auto fields = acta::fields(literal("type", "image"), required("data", &T::data),
                                                required("mimeType", &T::mime_type), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::AudioContent> {
    using T = mcp::AudioContent;
    static constexpr auto fields = acta::fields(literal("type", "audio"), required("data", &T::data),
                                                required("mimeType", &T::mime_type), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::ResourceLink> {
    using T = mcp::ResourceLink;
    static constexpr auto fields = acta::fields(literal("type", "resource_link"), required("uri", &T::uri),
                                                required("name", &T::name), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::ResourceContents> {
    using T = mcp::ResourceContents;
    static constexpr auto fields = acta::fields(required("uri", &T::uri), omit_if_empty("text", &T::text),
                                                omit_if_empty("blob", &T::blob), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::EmbeddedResource> {
    using T = mcp::EmbeddedResource;
    static constexpr auto fields =
        acta::fields(literal("type", "resource"), required("resource", &T::resource), unknown_keys(&T::extra));
};
template <>
struct Describe<mcp::CallToolResult> {
    using T = mcp::CallToolResult;
    static constexpr std::string_view name = "CallToolResult";
    static constexpr auto fields =
        acta::fields(defaulted("content", &T::content), omit_if_empty("structuredContent", &T::structured_content),
                     defaulted("isError", &T::is_error), omit_if_empty("resultType", &T::result_type),
                     omit_if_empty("_meta", &T::meta), unknown_keys(&T::extra));
};

namespace mcp {

/// Returns the answer of an MCP server's tool as a result. With `is_error` it is an error, else a success with these
/// outputs:
///
/// - for one text, the text;
/// - for structured content whose JSON is also the text, as the specification recommends, the structured value; for an
///   object `{"result": value}` with the text of a value that is not an object, that value;
/// - for no content, null;
/// - for anything else, such as images, the whole result as JSON.
///
/// The reason of an error consists of its texts, with placeholders for binary content; unless it is just one text,
/// `error.args` holds the whole result.
[[nodiscard]] ActionResult to_action_result(const CallToolResult& result);

/// The version of the protocol that a result is written for.
enum class Version {
    v2025_06_18,  ///< Structured content is an object: any other value becomes its member `result`. The default.
    v2026_07_28   ///< Structured content is any JSON, and there is a `resultType`.
};

/// Returns a result for an MCP client. Outputs that are not text are structured content and, for older clients, a text
/// with the same JSON; outputs returned by `to_action_result` are written unchanged. An error or interruption has
/// `is_error` and gives the reason in words; `_meta` keeps the rest under `acta/result`. `to_action_result` returns an
/// equal result. Throws `EncodeError` if outputs are not UTF-8.
[[nodiscard]] CallToolResult to_tool_result(const ActionResult& result, Version protocol = Version::v2025_06_18);
template <AnyJsonValue J>
void to_tool_result(const J&) = delete;  // acta: JSON is not a result yet: use acta::validate<acta::ActionResult>(json)

}  // namespace mcp

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/mcp/detail/result.inl.hpp"
#endif
