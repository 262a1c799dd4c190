// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "acta/base/error.hpp"
#include "acta/store/record.hpp"

namespace acta::inline ACTA_ABI {

/// A store cannot do what was asked. `what()` names the store, the history and the reason. Nothing was changed, unless
/// a derived class says otherwise.
class StoreError : public Error {
public:
    using Error::Error;
};

/// There is no history of this id.
class StoreNotFound : public StoreError {
public:
    using StoreError::StoreError;
};

/// There is a history of this id already, so that it cannot be made.
class StoreExists : public StoreError {
public:
    using StoreError::StoreError;
};

/// The history was erased.
class StoreGone : public StoreError {
public:
    using StoreError::StoreError;
};

/// Somebody else has appended in the meantime: the history is not where the writer believed it to be.
class StoreConflict : public StoreError {
public:
    /// An error whose `what()` is `message`.
    StoreConflict(const std::string& message, std::uint64_t expected, std::uint64_t found)
        : StoreError(message), expected_(expected), found_(found) {}

    /// Returns the version that the writer expected.
    [[nodiscard]] std::uint64_t expected() const noexcept { return expected_; }
    /// Returns the version that the history has.
    [[nodiscard]] std::uint64_t found() const noexcept { return found_; }

private:
    std::uint64_t expected_;
    std::uint64_t found_;
};

/// The lease belongs to somebody else, or did not last.
class LeaseLost : public StoreError {
public:
    using StoreError::StoreError;
};

/// The store, or a record in it, was written by a newer acta.
class StoreTooNew : public StoreError {
public:
    using StoreError::StoreError;
};

/// A record cannot be read. `what()` has its history, its number and the path in its body.
class StoreCorrupt : public StoreError {
public:
    /// An error whose `what()` is `message`.
    StoreCorrupt(const std::string& message, std::uint64_t seq) : StoreError(message), seq_(seq) {}

    /// Returns the number of the record.
    [[nodiscard]] std::uint64_t seq() const noexcept { return seq_; }

private:
    std::uint64_t seq_;
};

}  // namespace acta::inline ACTA_ABI
