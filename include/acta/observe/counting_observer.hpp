// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "acta/observe/observer.hpp"

namespace acta::inline ACTA_ABI {

/// The totals of all events of one name.
struct EventTotals {
    std::uint64_t count = 0;              ///< number of events
    std::uint64_t failures = 0;           ///< number of events that failed
    std::chrono::nanoseconds time{0};     ///< sum of the durations, including parallel ones
    std::chrono::nanoseconds longest{0};  ///< the longest duration

    friend bool operator==(const EventTotals&, const EventTotals&) = default;
};

/// Counts events by name, the failed ones among them, and their durations, and remembers the length of the history.
/// Thread-safe.
///
/// @code{.cpp}
/// acta::CountingObserver counts;
/// counts.notify({.name = "started", .failed = true});
/// std::uint64_t failures = counts.failures("started");  // 1
/// @endcode
class CountingObserver : public Observer {
public:
    using Observer::Observer;

    /// Returns the totals of this name; all zero if there was no such event.
    [[nodiscard]] EventTotals totals(std::string_view name) const;
    /// Returns the totals of each name that occurred.
    [[nodiscard]] std::map<std::string, EventTotals, std::less<>> all() const;
    /// Returns the number of events of this name.
    [[nodiscard]] std::uint64_t count(std::string_view name) const { return totals(name).count; }
    /// Returns the number of failed events of this name.
    [[nodiscard]] std::uint64_t failures(std::string_view name) const { return totals(name).failures; }
    /// Returns the number of steps of the history that was changed last; empty before any was.
    [[nodiscard]] std::optional<std::int64_t> history_length() const;
    /// Forgets all events.
    void reset();

protected:
    /// Counts the event.
    void on_event(const Event& event) override;

private:
    mutable std::mutex mutex_{};
    std::map<std::string, EventTotals, std::less<>> totals_{};
    std::optional<std::int64_t> length_{};
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/observe/detail/counting_observer.inl.hpp"
#endif
