// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "acta/base/stop_token.hpp"
#include "acta/store/history_store.hpp"

namespace acta::inline ACTA_ABI::store_detail {

/// Holds a lease: a thread of its own prolongs it, however long the owner is busy with something else.
class LeaseKeeper {
public:
    /// Acquires it. Throws `StoreError`, in particular `LeaseLost` if another holder has it.
    LeaseKeeper(HistoryStore& store, std::string_view id, std::string_view holder, std::chrono::milliseconds time);
    LeaseKeeper(const LeaseKeeper&) = delete;
    LeaseKeeper& operator=(const LeaseKeeper&) = delete;
    /// Releases it.
    ~LeaseKeeper();

    [[nodiscard]] std::uint64_t epoch() const noexcept { return lease_.epoch; }

private:
    void keep(const stop_token& stop);

    HistoryStore& store_;
    std::string id_;
    std::chrono::milliseconds time_;
    Lease lease_;
    std::mutex mutex_{};
    condition_variable_any stopped_{};
    jthread thread_{};
};

}  // namespace acta::inline ACTA_ABI::store_detail

#ifndef ACTA_COMPILED
#include "acta/store/detail/lease_keeper.inl.hpp"
#endif
