// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// The token encodings that acta knows: how a text is split before byte pairs are merged, and what its tokens cost on
/// average. The provider says which model uses which; `o200k_base` comes nearest to unknown models.
enum class TokenEncoding : std::uint8_t {
    cl100k_base,  ///< GPT-4, GPT-3.5, text-embedding-3
    o200k_base,   ///< GPT-4o, o1 and later
};

}  // namespace acta::inline ACTA_ABI
