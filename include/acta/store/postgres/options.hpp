// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "acta/version.hpp"

/// Histories in a PostgreSQL database. Needs libpq, and a server of version 13 or newer (target `acta::postgres`).
namespace acta::inline ACTA_ABI::postgres {

/// Options of a store.
struct Options {
    std::size_t connections = 8;  ///< How many connections it has at most, at least 1. Each is opened when needed.
    /// How long a statement may take at most: waiting for a free connection, connecting if there is none, and waiting for
    /// the answer. Most calls are one statement, `read` one for each thousand records.
    std::chrono::milliseconds timeout{10'000};
    /// Whether statements are prepared, so that the server does not plan each append anew. Switch it off behind a
    /// transaction pooler that does not keep track of prepared statements (PgBouncer before 1.21).
    bool prepared_statements = true;
    /// The schema of the tables, so that one database may have several stores. 1 to 63 bytes.
    std::string schema = "acta";
};

}  // namespace acta::inline ACTA_ABI::postgres
