// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "acta/version.hpp"

namespace acta::inline v0 {

namespace detail {

/// How the reading of a document went.
struct ParseReport {
    std::string type{};
    std::optional<std::size_t> bytes{};  // of text
    std::chrono::nanoseconds duration{0};
    bool failed = false;
    std::size_t issues = 0;
    std::string error{};  // the first issue
};

}  // namespace detail

/// What reading a document needs of an `Observer` (acta/observe/observer.hpp), which is one: derive from that. It
/// stands apart so that what events are made of is compiled where observers are, and not in every source that parses.
class ParseObserver {
public:
    ParseObserver() = default;
    ParseObserver(const ParseObserver&) = delete;
    ParseObserver& operator=(const ParseObserver&) = delete;

    /// acta tells of a reading.
    virtual void notify_of_parse(const detail::ParseReport& report) noexcept = 0;

protected:
    ~ParseObserver() = default;  // nobody destroys what only watches
};

}  // namespace acta::inline v0
