// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

#include "acta/json/codec.hpp"
#include "acta/json/parse.hpp"

namespace acta::inline ACTA_ABI::interop_detail {

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

}  // namespace acta::inline ACTA_ABI::interop_detail
