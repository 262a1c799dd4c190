// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::schema_detail {

/// Returns the title that pydantic makes of a key: `Session Id` for `session_id` (`str.title`, underscores as blanks,
/// trimmed).
[[nodiscard]] std::string title_of(std::string_view key);

/// Returns a title with every character but ASCII letters, digits, `.`, `-` and `_` replaced by `_`, as pydantic names
/// its definitions.
[[nodiscard]] std::string safe_name(std::string_view title);

}  // namespace acta::inline ACTA_ABI::schema_detail
