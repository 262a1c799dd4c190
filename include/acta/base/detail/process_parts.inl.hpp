// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <system_error>

#include "acta/base/process.hpp"
#include "acta/base/utility.hpp"

// `SystemProcess` has the same members in process_posix.inl.hpp and process_windows.inl.hpp; these are their types.
namespace acta::inline ACTA_ABI::base {

/// What an output had.
enum class Found { text, nothing, end };

/// How much was written: not all where it would have blocked, or where the process no longer reads.
enum class Written { all, part, unread };

/// What `SystemProcess::wait` waits for, and what it has found.
struct ProcessEvents {
    bool output = false;
    bool errors = false;
    bool end = false;      // of the process
    bool wake = false;     // `SystemProcess::wake` was called
    bool timeout = false;  // found alone
};

[[noreturn]] ACTA_INLINE void throw_process_error(std::string_view action, std::string_view program,
                                                  std::error_code error) {
    throw ProcessError(concat({"Cannot ", action, " '", program, "': ", error.default_error_condition().message()}));
}

}  // namespace acta::inline ACTA_ABI::base
