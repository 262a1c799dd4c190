// SPDX-License-Identifier: MIT
#pragma once

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

class Observer;

/// A member that holds the observer of an object without being part of the object's value: a copy has none, and
/// assignment leaves both sides their own. Move construction takes it along, so that a watched object can be returned
/// from a function or kept in a vector.
class ObserverSlot {
public:
    ObserverSlot() = default;
    /// A copy has no observer.
    ObserverSlot(const ObserverSlot&) noexcept {}
    ObserverSlot(ObserverSlot&&) noexcept = default;
    /// Keeps the observer that this side has.
    // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): nothing is assigned
    ObserverSlot& operator=(const ObserverSlot&) noexcept { return *this; }
    /// Keeps the observer that this side has.
    ObserverSlot& operator=(ObserverSlot&&) noexcept { return *this; }
    ~ObserverSlot() = default;

    /// Sets the observer, which must outlive the object; null for none.
    void set(Observer* observer) noexcept { observer_ = observer; }
    /// Returns the observer, or null.
    [[nodiscard]] Observer* get() const noexcept { return observer_; }

private:
    Observer* observer_ = nullptr;
};

}  // namespace acta::inline ACTA_ABI
