// SPDX-License-Identifier: MIT
#pragma once

// First, so that this is the first error. GNU's compilers and clang continue after #error, with thousands of further
// errors, but not after an #include that they do not find.
#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error "acta needs C++20: compile with -std=c++20 (MSVC: /std:c++20), with g++ 12, clang 16 or newer"
#include "acta needs C++20: compile with -std=c++20"
#endif

#include <version>

// The version is also available as macros, so that a source can be written for two releases.
#define ACTA_VERSION_MAJOR 0
#define ACTA_VERSION_MINOR 1
#define ACTA_VERSION_PATCH 0

#if !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#error \
    "acta: exceptions are needed: compile the sources that include acta without -fno-exceptions; others of the program may keep it, where these sources catch what acta throws"
#endif

// Precedes the definition of a function that the library acta::compiled or acta::compiled_client contains. Those
// targets define ACTA_COMPILED for whatever links them. Without it acta is header-only, and every source that needs
// such a function compiles it.
#if defined(ACTA_COMPILED)
#define ACTA_INLINE
#else
#define ACTA_INLINE inline
#endif

// Settings that change the memory layout of values or the behaviour of functions must be the same in all sources of a
// program. The name of the inline namespace states them, so functions that take or return acta's types have different
// names in sources with different settings, and no linker takes one for the other.
#if defined(JSON_DIAGNOSTICS) && JSON_DIAGNOSTICS
#define ACTA_DETAIL_DIAGNOSTICS _diagnostics
#else
#define ACTA_DETAIL_DIAGNOSTICS
#endif
#if defined(JSON_DIAGNOSTIC_POSITIONS) && JSON_DIAGNOSTIC_POSITIONS
#define ACTA_DETAIL_POSITIONS _positions
#else
#define ACTA_DETAIL_POSITIONS
#endif
// ACTA_NO_SIMD selects the portable code of json/detail/simd.hpp.
#if !defined(ACTA_NO_SIMD) && \
    ((defined(__GNUC__) && defined(__SSE2__)) || (defined(__ARM_NEON) && defined(__aarch64__)))
#define ACTA_DETAIL_SIMD
#else
#define ACTA_DETAIL_SIMD _no_simd
#endif
// ACTA_NO_STD_STOP_TOKEN selects the replacement of base/stop_token.hpp.
#if defined(__cpp_lib_jthread) && !defined(ACTA_NO_STD_STOP_TOKEN)
#define ACTA_DETAIL_STOP_TOKEN
#else
#define ACTA_DETAIL_STOP_TOKEN _no_std_stop_token
#endif
#define ACTA_DETAIL_JOINED(a, b, c, d) v0##a##b##c##d
#define ACTA_DETAIL_JOIN(a, b, c, d) ACTA_DETAIL_JOINED(a, b, c, d)
#define ACTA_ABI \
    ACTA_DETAIL_JOIN(ACTA_DETAIL_DIAGNOSTICS, ACTA_DETAIL_POSITIONS, ACTA_DETAIL_SIMD, ACTA_DETAIL_STOP_TOKEN)

// The name of a program's own type with members of acta's types shows none of this. For such types a setting decides
// whether a variable is thread-local: GNU's linkers reject a name that is both, and report it. MSVC's has a pragma.
#if defined(__GNUC__)
namespace acta::settings_detail {

#if defined(JSON_DIAGNOSTICS) && JSON_DIAGNOSTICS
[[gnu::used]] inline thread_local constinit char all_sources_agree_on_JSON_DIAGNOSTICS = 0;
#else
[[gnu::used]] inline constinit char all_sources_agree_on_JSON_DIAGNOSTICS = 0;
#endif

#if defined(JSON_DIAGNOSTIC_POSITIONS) && JSON_DIAGNOSTIC_POSITIONS
[[gnu::used]] inline thread_local constinit char all_sources_agree_on_JSON_DIAGNOSTIC_POSITIONS = 0;
#else
[[gnu::used]] inline constinit char all_sources_agree_on_JSON_DIAGNOSTIC_POSITIONS = 0;
#endif

#if defined(__cpp_lib_jthread) && !defined(ACTA_NO_STD_STOP_TOKEN)
[[gnu::used]] inline constinit char all_sources_agree_on_stop_token = 0;
#else
[[gnu::used]] inline thread_local constinit char all_sources_agree_on_stop_token = 0;
#endif

}  // namespace acta::settings_detail
#elif defined(_MSC_VER)
#define ACTA_DETAIL_QUOTED(name) #name
#define ACTA_DETAIL_QUOTE(name) ACTA_DETAIL_QUOTED(name)
#pragma detect_mismatch("acta: settings", ACTA_DETAIL_QUOTE(ACTA_ABI))
#undef ACTA_DETAIL_QUOTED
#undef ACTA_DETAIL_QUOTE
#endif

namespace acta::inline ACTA_ABI {

/// The version of the headers in use, as `major.minor.patch`.
inline constexpr const char* version = "0.1.0";

}  // namespace acta::inline ACTA_ABI
