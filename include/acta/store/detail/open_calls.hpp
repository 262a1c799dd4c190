// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "acta/history/open_call.hpp"
#include "acta/skill/execute.hpp"
#include "acta/skill/extension.hpp"

// Runs the calls of an open step, whatever the type of its history: compiled once.
namespace acta::inline ACTA_ABI::store_detail {

/// A history, as far as its calls need it.
struct CallSite {
    std::function<CallIdentity(const std::string& id)> begin{};
    std::function<void(const std::string& id, const ActionResult& result)> end{};
};

/// Throws `HistoryError` if one of them has begun.
void require_not_begun(const std::vector<OpenCall>& open);

/// Runs the calls for which `may_run` holds, and gives the others their result without it. Returns all results. Throws
/// what the functions throw, when all calls are over.
std::vector<ToolResult> run_open_calls(const std::vector<OpenCall>& open, const SkillRegistry& skills,
                                       const ExecuteOptions& options,
                                       const std::function<bool(const OpenCall&)>& may_run, const CallSite& site);

}  // namespace acta::inline ACTA_ABI::store_detail

#ifndef ACTA_COMPILED
#include "acta/store/detail/open_calls.inl.hpp"
#endif
