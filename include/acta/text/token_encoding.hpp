// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace acta::inline v0 {

/// The two token encodings that acta knows: how a text is cut before byte pairs are merged, and what a token costs on
/// average. Which model uses which is the provider's word; unknown models are nearest to `o200k_base`.
enum class TokenEncoding : std::uint8_t {
    cl100k_base,  ///< GPT-4, GPT-3.5, text-embedding-3
    o200k_base,   ///< GPT-4o, o1 and later
};

}  // namespace acta::inline v0
