// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <initializer_list>
#include <string_view>

#include "acta/observe/observer.hpp"

namespace acta::inline ACTA_ABI {

/// Reports a piece of work to an observer when the scope ends: its duration, the fields that were added, and that it
/// failed if an exception ends the scope. Without an observer it costs one test of a pointer.
///
/// acta's own operations use it, and so can yours:
///
/// @code{.cpp}
/// acta::Observer observer;  // usually a class of yours that overrides `on_event`
/// {
///     acta::ScopedEvent event(&observer, "load_index");
///     if (event) event.add({{"documents", 42}});
/// }  // here the observer is notified
/// @endcode
class ScopedEvent {
public:
    /// Starts the clock. `observer` may be null; else it must outlive the event, as `name` must.
    ScopedEvent(Observer* observer, std::string_view name, EventLevel level = EventLevel::info) : observer_(observer) {
        if (observer_ != nullptr) begin(name, level);
    }
    ScopedEvent(const ScopedEvent&) = delete;
    ScopedEvent& operator=(const ScopedEvent&) = delete;
    /// Notifies the observer. An event that failed has `EventLevel::error`.
    ~ScopedEvent() {
        if (observer_ != nullptr) end();
    }

    /// Returns whether there is an observer. Ask before making fields.
    [[nodiscard]] explicit operator bool() const noexcept { return observer_ != nullptr; }

    /// Adds fields. If memory runs out, the event has fewer: the work that it reports may already be done.
    void add(std::initializer_list<EventField> fields) noexcept;
    /// Marks the work as failed.
    void fail() noexcept { event_.failed = true; }
    /// Marks the work as failed, with a field `error`.
    void fail(std::string_view error) noexcept;

private:
    void begin(std::string_view name, EventLevel level);
    void end() noexcept;

    Observer* observer_;
    Event event_{};
    int exceptions_ = 0;  // in flight when the event began
    std::chrono::steady_clock::time_point start_{};
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/observe/detail/scoped_event.inl.hpp"
#endif
