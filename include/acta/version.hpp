// SPDX-License-Identifier: MIT
#pragma once

// The version is kept as macros too, so that a source can be written for two releases.
#define ACTA_VERSION_MAJOR 0
#define ACTA_VERSION_MINOR 1
#define ACTA_VERSION_PATCH 0

#if !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#error \
    "acta: exceptions are needed: compile the sources that include acta without -fno-exceptions; others of the program may keep it, where these sources catch what acta throws"
#endif

// Stands before the definition of a function that the library acta::compiled or acta::compiled_client holds. Those
// targets define ACTA_COMPILED for whatever links them. Without it acta is header-only, and every source that needs
// such a function compiles it.
#if defined(ACTA_COMPILED)
#define ACTA_INLINE
#else
#define ACTA_INLINE inline
#endif

namespace acta::inline v0 {

/// The version of the headers in use, as `major.minor.patch`.
inline constexpr const char* version = "0.1.0";

}  // namespace acta::inline v0
