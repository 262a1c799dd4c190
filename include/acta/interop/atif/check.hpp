// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "acta/interop/atif/records.hpp"
#include "acta/json/issue.hpp"

namespace acta::inline ACTA_ABI::atif {

/// Returns the rules that an ATIF document breaks beyond its types (RFC 0001 of the Harbor project, section II, and the
/// checks of the project's own validator): the numbering of steps, fields that only the agent's steps have, results of
/// calls that do not exist, parts without content, an unknown version. Empty if there are none.
///
/// @code{.cpp}
/// acta::atif::Document document;
/// document.schema_version = "ATIF-v2.0";
/// assert(acta::atif::check(document).front().type == "atif_version");
/// @endcode
[[nodiscard]] std::vector<Issue> check(const Document& document);

}  // namespace acta::inline ACTA_ABI::atif

#ifndef ACTA_COMPILED
#include "acta/interop/atif/detail/check.inl.hpp"
#endif
