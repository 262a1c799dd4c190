// SPDX-License-Identifier: MIT
#pragma once

#include "acta/json/dump.hpp"
#include "acta/store/detail/call_log.hpp"

namespace acta::inline ACTA_ABI::store_detail {

ACTA_INLINE std::string digest(const JsonObject& arguments) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char byte : dump(arguments)) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
    std::string out(16, '0');
    for (auto digit = out.rbegin(); digit != out.rend(); ++digit, hash >>= 4U) *digit = "0123456789abcdef"[hash & 15U];
    return out;
}

}  // namespace acta::inline ACTA_ABI::store_detail
