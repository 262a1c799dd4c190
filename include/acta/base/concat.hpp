// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "acta/version.hpp"

// Messages made of parts. Chains of + would do, but each is compiled into every source that parses.
namespace acta::inline ACTA_ABI::base {

/// Appends each part to `out`. No part may refer to `out` itself.
inline void append(std::string& out, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) out += part;
}
/// Returns the concatenation of the parts.
inline std::string concat(std::initializer_list<std::string_view> parts) {
    std::string out;
    append(out, parts);
    return out;
}

}  // namespace acta::inline ACTA_ABI::base
