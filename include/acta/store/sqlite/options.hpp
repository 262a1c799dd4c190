// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

#include "acta/version.hpp"

/// Histories in an SQLite file. Needs SQLite 3.37 or newer (target `acta::sqlite`).
namespace acta::inline ACTA_ABI::sqlite {

/// How much of what was appended outlives a power cut. A killed program loses nothing either way.
enum class Synchronous {
    full,   ///< All of it.
    normal  ///< The last appends may be lost, but never a part of one. Several times as fast.
};

/// Options of a store.
struct Options {
    Synchronous synchronous = Synchronous::full;   ///< What a power cut may cost.
    std::chrono::milliseconds busy_timeout{5000};  ///< How long to wait for another process that writes.
};

}  // namespace acta::inline ACTA_ABI::sqlite
