// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <exception>

#include "acta/store/detail/lease_keeper.hpp"

namespace acta::inline ACTA_ABI::store_detail {

ACTA_INLINE LeaseKeeper::LeaseKeeper(HistoryStore& store, std::string_view id, std::string_view holder,
                                     std::chrono::milliseconds time)
    : store_(store),
      id_(id),
      time_(std::max(time, std::chrono::milliseconds(3))),
      lease_(store.acquire(id, holder, time_)) {
    try {
        thread_ = jthread([this](const stop_token& stop) { keep(stop); });
    } catch (...) {  // the system has no more threads
        store_.release(id_, lease_);
        throw;
    }
}

ACTA_INLINE LeaseKeeper::~LeaseKeeper() {
    thread_.request_stop();
    thread_.join();
    try {
        store_.release(id_, lease_);
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): it expires
    }
}

ACTA_INLINE void LeaseKeeper::keep(const stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stopped_.wait_for(lock, stop, time_ / 3, [&stop] { return stop.stop_requested(); })) {
        try {
            static_cast<void>(store_.renew(id_, lease_, time_));
        } catch (const LeaseLost&) {
            return;  // the next append says so
        } catch (const StoreGone&) {
            return;
        } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the store may be there next time
        }
    }
}

}  // namespace acta::inline ACTA_ABI::store_detail
