// SPDX-License-Identifier: MIT
#pragma once

#include "support/catch.hpp"

#include <cstddef>

/// Calls `accepts` with the number below a limit, with the limit, and with the one above it: it returns whether a thing
/// of this size is taken as it is. `what` is the row of docs/limits.md, where the limit has one; tests/check_docs.py
/// compares both.
template <class Function>
void below_at_above([[maybe_unused]] const char* what, std::size_t limit, const Function& accepts) {
    INFO(what << ": " << limit);
    CHECK(accepts(limit - 1));
    CHECK(accepts(limit));
    CHECK_FALSE(accepts(limit + 1));
}

/// The same for a limit that has no row there.
template <class Function>
void below_at_above(std::size_t limit, const Function& accepts) {
    const char* const none = "limit";
    below_at_above(none, limit, accepts);
}
