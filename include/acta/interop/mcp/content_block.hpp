// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string_view>
#include <utility>
#include <variant>

#include "acta/interop/mcp/detail/content_block.hpp"

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
        interop_detail::decode_content_block(d, codec::alternatives<std::variant<T...>>,
                                             interop_detail::block_index<mcp::OtherContent, T...>(), &out);
    }
};

}  // namespace acta::inline ACTA_ABI
