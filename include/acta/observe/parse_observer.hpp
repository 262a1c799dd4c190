// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// How the reading of a document went.
struct ParseReport {
    std::string type{};                  ///< title of the type that was read
    std::optional<std::size_t> bytes{};  ///< size of the text; empty if a `Json` was read
    std::int64_t nanoseconds = 0;        ///< how long it took
    bool failed = false;                 ///< whether it ended with an exception
    std::size_t issues = 0;              ///< number of issues of a `ValidationError`
    std::string error{};                 ///< type and place of the first issue
};

/// The part of `Observer` (acta/observe/observer.hpp) that reading a document needs; derive from `Observer` instead. It
/// is separate so that events are compiled only where there are observers, not in every source that parses.
class ParseObserver {
public:
    ParseObserver() = default;
    ParseObserver(const ParseObserver&) = delete;
    ParseObserver& operator=(const ParseObserver&) = delete;

    /// Returns the time of a monotonic clock in nanoseconds. It comes from the observer, as <chrono> is slow to compile
    /// for those who have none.
    [[nodiscard]] virtual std::int64_t nanoseconds() const noexcept = 0;
    /// Called after each document that was read.
    virtual void notify_of_parse(const ParseReport& report) noexcept = 0;

protected:
    ~ParseObserver() = default;  // never destroyed through this type
};

}  // namespace acta::inline ACTA_ABI
