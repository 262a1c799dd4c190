// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "acta/base/error.hpp"
#include "acta/version.hpp"

// Where a history is, for what uses it longer than a call: a run, or a compression in another thread.
namespace acta::inline ACTA_ABI::history_detail {

/// Where an object is: it may be moved, or destroyed, while something refers to it.
template <class T>
struct Location {
    std::recursive_mutex mutex{};  // held while a history that is not shared is used through this, or moved
    T* object = nullptr;           // null when it is gone
    std::atomic<bool> has_run{false};

    /// Returns the object. Throws `Error` if it is gone.
    [[nodiscard]] T& get() const {
        if (object == nullptr)
            throw Error(
                "the history is gone: it was destroyed, assigned to or moved into a SharedHistory while a run or a "
                "compression used it");
        return *object;
    }
};

/// The location of the object that has this member, as far as anything needs it.
template <class T>
class LocationSlot {
public:
    LocationSlot() = default;
    LocationSlot(const LocationSlot&) noexcept {}
    // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): nothing is assigned
    LocationSlot& operator=(const LocationSlot&) noexcept { return *this; }
    ~LocationSlot() { end(); }

    /// Returns the location of `object`.
    [[nodiscard]] const std::shared_ptr<Location<T>>& of(T& object) {
        if (!location_) {
            location_ = std::make_shared<Location<T>>();
            location_->object = &object;
        }
        return location_;
    }
    /// The object is not what it was: what refers to it finds nothing from now on.
    void end() noexcept {
        const auto lock = this->lock();
        if (const auto location = std::exchange(location_, nullptr)) location->object = nullptr;
    }
    /// What referred to the other object refers to `object` now, which has this member.
    void take(LocationSlot& other, T& object) noexcept {
        end();
        location_ = std::exchange(other.location_, nullptr);
        if (location_) location_->object = &object;
    }
    /// Nothing uses the object through its location while the lock exists.
    class Lock {
    public:
        explicit Lock(std::shared_ptr<Location<T>> location) noexcept : location_(std::move(location)) {
            if (location_) location_->mutex.lock();
        }
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;
        ~Lock() {
            if (location_) location_->mutex.unlock();
        }

    private:
        std::shared_ptr<Location<T>> location_;
    };
    /// Waits until nothing uses the object through its location.
    [[nodiscard]] Lock lock() const noexcept { return Lock(location_); }

private:
    std::shared_ptr<Location<T>> location_{};
};

}  // namespace acta::inline ACTA_ABI::history_detail
