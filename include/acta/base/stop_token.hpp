// SPDX-License-Identifier: MIT
#pragma once

#include <version>

#include "acta/version.hpp"

// libc++ has <stop_token> only behind a flag, and Apple's clang not at all. Define ACTA_NO_STD_STOP_TOKEN to use the
// replacement everywhere, in all sources of a program alike.
#if defined(__cpp_lib_jthread) && !defined(ACTA_NO_STD_STOP_TOKEN)

#include <condition_variable>
#include <stop_token>
#include <thread>

namespace acta::inline ACTA_ABI {

/// Tells work to stop: `std::stop_token`, or a replacement with the same interface if the standard library has none.
/// Likewise the other names in this header.
using std::stop_token;

/// Requests a stop from every `stop_token` that it made.
using std::stop_source;

/// Calls a function once stop is requested, at once if it already was.
using std::stop_callback;

/// A thread that is stopped and joined when it is destroyed.
using std::jthread;

/// A condition variable whose waits end when a stop is requested.
using std::condition_variable_any;

}  // namespace acta::inline ACTA_ABI

#else
#include "acta/base/detail/stop_token.hpp"  // IWYU pragma: export
#endif
