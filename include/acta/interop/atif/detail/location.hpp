// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "acta/json/issue.hpp"

namespace acta::inline ACTA_ABI::interop_detail {

using Loc = std::vector<LocElement>;

/// Returns the location of a step's field in an ATIF document.
[[nodiscard]] inline Loc loc_of_step(std::size_t step, std::initializer_list<LocElement> rest) {
    Loc loc{std::string("steps"), step};
    loc.insert(loc.end(), rest.begin(), rest.end());
    return loc;
}

}  // namespace acta::inline ACTA_ABI::interop_detail
