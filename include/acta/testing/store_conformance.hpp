// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "acta/store/history_store.hpp"

/// For tests of programs: what a store of one's own must hold to.
namespace acta::inline ACTA_ABI::testing {

/// The store of a check. Checks use ids of their own, so that one store serves for all of them.
struct CheckedStore {
    HistoryStore& store;  ///< The store, which need not be empty.
    /// Opens the same histories another time, as another process would. Without it, checks of durability are skipped.
    std::function<std::unique_ptr<HistoryStore>()> open_again{};
    /// Replaces the body of a record without using the store; an empty one removes the record. Without it, checks of
    /// damage are skipped.
    std::function<void(const std::string& id, std::uint64_t seq, const std::string& body)> damage{};
};

/// A check did not hold; `what()` says what was expected and what came.
class CheckFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// One promise of `HistoryStore`.
struct StoreCheck {
    std::string_view guarantee;              ///< What the promise is part of, such as `durable` or `atomic`.
    std::string_view name;                   ///< What is promised.
    void (*run)(const CheckedStore& store);  ///< Throws `CheckFailed` if it does not hold.
};

/// Returns all checks, guarantee by guarantee. None takes longer than a few milliseconds, but for those of leases,
/// which wait until one expires. In a test of any framework:
///
/// @code{.cpp}
/// #include <acta/store/memory_store.hpp>
/// acta::MemoryStore store;
/// for (const acta::testing::StoreCheck& check : acta::testing::store_checks()) check.run({store});
/// @endcode
[[nodiscard]] std::span<const StoreCheck> store_checks();

}  // namespace acta::inline ACTA_ABI::testing

#ifndef ACTA_COMPILED
#include "acta/testing/detail/store_conformance.inl.hpp"
#endif
