// SPDX-License-Identifier: MIT
#pragma once

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::base {

/// Several functions as one overloaded function, for `std::visit`.
template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};

}  // namespace acta::inline ACTA_ABI::base
