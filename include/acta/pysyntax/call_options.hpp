// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// The cost of reading, added to where `CallOptions::stats` points, so that a test can check that the work grows with
/// the size of a text and no faster.
struct ScanStats {
    std::size_t bytes = 0;  ///< bytes scanned, each as often as it was
};

/// How `parse_call`, `parse_calls`, `parse_arguments` and `parse_literal` read.
struct CallOptions {
    /// How deep brackets of any kind may nest in a value. Reading recurses, so more than 500 is taken as 500; CPython
    /// stops at 200.
    std::size_t max_depth = 128;
    /// Counts the work, if set. Must outlive the call.
    ScanStats* stats = nullptr;
};

}  // namespace acta::inline ACTA_ABI
