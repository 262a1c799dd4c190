// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <exception>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "acta/observe/scoped_event.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE void ScopedEvent::add(std::initializer_list<EventField> fields) noexcept {
    try {
        for (const EventField& field : fields) event_.fields.push_back(field);
    } catch (...) {
        return;
    }
}

ACTA_INLINE void ScopedEvent::fail(std::string_view error) noexcept {
    event_.failed = true;
    try {
        event_.fields.emplace_back("error", error);
    } catch (...) {
        return;
    }
}

ACTA_INLINE void ScopedEvent::begin(std::string_view name, EventLevel level) {
    event_.name = name;
    event_.level = level;
    exceptions_ = std::uncaught_exceptions();
    start_ = std::chrono::steady_clock::now();
}

ACTA_INLINE void ScopedEvent::end() noexcept {
    event_.duration = std::chrono::steady_clock::now() - start_;
    event_.failed = event_.failed || std::uncaught_exceptions() > exceptions_;
    if (event_.failed) event_.level = EventLevel::error;
    observer_->notify(std::move(event_));
}

}  // namespace acta::inline ACTA_ABI
