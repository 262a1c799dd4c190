// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>
#include <variant>

#include "acta/observe/counting_observer.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE void CountingObserver::on_event(const Event& event) {
    const std::lock_guard lock(mutex_);
    auto found = totals_.find(event.name);
    if (found == totals_.end()) found = totals_.emplace(std::string(event.name), EventTotals{}).first;
    EventTotals& total = found->second;
    ++total.count;
    total.failures += event.failed ? 1U : 0U;
    total.time += event.duration;
    total.longest = std::max(total.longest, event.duration);
    const EventValue* const length = event.find("length");
    if (length != nullptr && std::holds_alternative<std::int64_t>(*length)) length_ = std::get<std::int64_t>(*length);
}

ACTA_INLINE EventTotals CountingObserver::totals(std::string_view name) const {
    const std::lock_guard lock(mutex_);
    const auto found = totals_.find(name);
    return found == totals_.end() ? EventTotals{} : found->second;
}

ACTA_INLINE std::map<std::string, EventTotals, std::less<>> CountingObserver::all() const {
    const std::lock_guard lock(mutex_);
    return totals_;
}

ACTA_INLINE std::optional<std::int64_t> CountingObserver::history_length() const {
    const std::lock_guard lock(mutex_);
    return length_;
}

ACTA_INLINE void CountingObserver::reset() {
    const std::lock_guard lock(mutex_);
    totals_.clear();
    length_.reset();
}

}  // namespace acta::inline ACTA_ABI
