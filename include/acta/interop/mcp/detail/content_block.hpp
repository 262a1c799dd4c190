// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

#include "acta/json/codec.hpp"
#include "acta/json/parse.hpp"

namespace acta::inline ACTA_ABI::interop_detail {

/// Reads a block as the member with its `type`, else as the one at `other`.
inline void decode_content_block(codec::Decoder& d, std::span<const codec::Alternative> members, std::size_t other,
                                 void* variant) {
    if (d.in.peek() != codec::Token::object) {
        d.refuse("dict_type", "Input should be an object");
        return;
    }
    const void* const where = d.in.where();
    const codec::Preview preview = codec::preview_object(d, "type", members);
    if (!preview.has_tag || !preview.tag_is_text) {
        if (preview.has_tag)
            d.issue("union_tag_invalid",
                    "Input tag '" + python_str(preview.tag_value) + "' found using 'type' is not a string", where);
        else
            d.issue("union_tag_not_found", "Unable to extract tag using discriminator 'type'", where);
        d.in.skip();
        return;
    }
    std::size_t chosen = other;
    for (std::size_t m = 0; m < members.size(); ++m) {
        if (members[m].record != nullptr && codec::tag_of(*members[m].record, "type") == preview.tag_text) chosen = m;
    }
    d.in.peek();
    members[chosen].decode(d, members[chosen].emplace(variant));
}

/// Returns the index of `T` in `All`.
template <class T, class... All>
consteval std::size_t block_index() {
    std::size_t i = 0;
    std::size_t found = sizeof...(All);
    ((found = std::same_as<T, All> ? i : found, ++i), ...);
    return found;
}

}  // namespace acta::inline ACTA_ABI::interop_detail
