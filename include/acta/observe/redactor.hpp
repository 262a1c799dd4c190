// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// Returns a text without the parts that must not be stored or shown, such as keys. Always supplied by the caller:
/// there is no global one. It must not throw; if work is done in parallel, several threads call it.
using Redactor = std::function<std::string(std::string_view)>;

/// Returns the text with `[secret]` in place of each word that has the form of a well-known service's key (`sk-...`,
/// `ghp_...`, a JWT), and of the text after `Bearer`, `api_key=`, `password:` and the like. A safety net below a
/// `Redactor`, not a replacement: it cannot recognise keys without such a form. Linear time.
///
/// @code{.cpp}
/// std::string text = acta::mask_secrets("api_key=tide-99, then sk-0123456789abcdef");
/// // api_key=[secret], then [secret]
/// @endcode
[[nodiscard]] std::string mask_secrets(std::string_view text);

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/observe/detail/redactor.inl.hpp"
#endif
