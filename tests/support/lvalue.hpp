// SPDX-License-Identifier: MIT
#pragma once

/// Returns a temporary as an lvalue, for an expression that reads a member of it and keeps nothing.
template <class T>
const T& lvalue(const T& value) {
    return value;
}
