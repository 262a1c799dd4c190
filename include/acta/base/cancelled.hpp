// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acta/base/error.hpp"

namespace acta::inline ACTA_ABI {

/// A deadline has passed before the work was done. Thrown by models, skills and requests; a skill's result is then an
/// error of type `Timeout`.
class Timeout : public Error {
public:
    /// An error whose `what()` is `message`.
    explicit Timeout(const std::string& message = "the deadline has passed") : Error(message) {}
};

/// The work was stopped by its `stop_token`. Thrown by models, skills and requests; a skill's result is then an error
/// of type `Cancelled`.
class Cancelled : public Error {
public:
    /// An error whose `what()` is `message`.
    explicit Cancelled(const std::string& message = "the call was cancelled") : Error(message) {}
};

}  // namespace acta::inline ACTA_ABI
