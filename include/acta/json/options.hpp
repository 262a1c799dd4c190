// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "acta/json/issue.hpp"

namespace acta::inline ACTA_ABI {

class Observer;

/// Which values are converted to the expected type. `lax` follows pydantic's default rules for JSON input (`"12"` is
/// read as an int); `strict` follows pydantic's strict mode for JSON (docs/reference/json.md, "Conversions").
enum class Strictness { lax, strict };

/// What happens to a key that the description does not name: it is ignored, or is an issue `extra_forbidden`.
enum class UnknownKeys { ignore, forbid };

/// How a document is read. Exceeding a limit throws `ValidationError`.
struct ParseOptions {
    Strictness strictness = Strictness::lax;         ///< Which values are converted.
    UnknownKeys unknown_keys = UnknownKeys::ignore;  ///< Of structs whose description has no `unknown_keys` member.
    /// Nesting depth of arrays and objects. With a higher limit, values nested deeper than some thousands of levels can
    /// be read, but copying such a `Json` recurses in nlohmann's code.
    std::size_t max_depth = 128;
    std::size_t max_bytes = std::size_t{512} * 1024 * 1024;  ///< Size of the text in bytes.
    std::size_t max_issues = 100;                            ///< Reading stops at this number of issues; 0 counts as 1.
    /// Receives the issues that were repaired rather than refused (a history's cursor), unless null.
    std::vector<Issue>* warnings = nullptr;
    Observer* observer = nullptr;  ///< Receives an event for each document, unless null.
};

/// What writing does with text that is not valid UTF-8: `EncodeError`, or U+FFFD for each bad byte.
enum class InvalidUtf8 { refuse, replace };

/// How a value is written.
struct DumpOptions {
    int indent = 0;             ///< Spaces for each level; 0 is the compact form that pydantic writes.
    bool exclude_none = false;  ///< Omit fields that are null.
    bool by_alias = true;       ///< Write a field's alias rather than its name.
    InvalidUtf8 invalid_utf8 = InvalidUtf8::refuse;  ///< What happens to texts and keys that are not UTF-8.
};

}  // namespace acta::inline ACTA_ABI
