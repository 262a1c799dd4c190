// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/history/history.hpp"

// The member functions of EpisodicActionHistory about calls that have no result yet.
namespace acta::inline ACTA_ABI {

/// Returns the place of an open call among the calls of the open step.
template <class P>
std::size_t EpisodicActionHistory<P>::require_open_call(std::string_view tool_call_id) {
    Episode<P>& step = open_step();
    index_calls();
    static_cast<void>(history_detail::place_of_result(step.tool_results, calls_, tool_call_id));
    return calls_.find(tool_call_id);
}

template <class P>
void EpisodicActionHistory<P>::set_arguments(std::string_view tool_call_id, JsonObject arguments) {
    const std::size_t i = require_open_call(tool_call_id);
    std::optional<JsonObject> copy;
    if (i == 0) copy = arguments;
    if (journal_) journal_->arguments(tool_call_id, arguments);
    P& action = open_step().action;
    if (copy) action.use_tool.arguments = *std::move(copy);
    if constexpr (ProposalWithParallelCalls<P>) {
        if (!action.use_tools.empty()) action.use_tools[i].arguments = std::move(arguments);
    }
}

template <class P>
std::vector<OpenCall> EpisodicActionHistory<P>::open_calls() const {
    std::vector<OpenCall> out;
    if (!has_open_step()) return out;
    const Episode<P>& step = record_.episodes[cursor()];
    std::vector<std::string> ids = call_ids(step);
    const auto calls = get_tools(step.action);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto is_its = [&](const ToolResult& one) { return one.tool_call_id == ids[i]; };
        if (std::ranges::any_of(step.tool_results, is_its)) continue;
        out.push_back({.call = {std::move(ids[i]), calls[i]}});
        if (journal_) journal_->look_up(out.back());
    }
    return out;
}

template <class P>
void EpisodicActionHistory<P>::decide(std::string_view tool_call_id, const CallDecision& decision) {
    const std::size_t i = require_open_call(tool_call_id);
    if (journal_) journal_->decision({std::string(tool_call_id), get_tools(open_step().action)[i]}, decision);
}

template <class P>
CallIdentity EpisodicActionHistory<P>::begin_call(std::string_view tool_call_id) {
    const std::size_t i = require_open_call(tool_call_id);
    CallIdentity out{std::string(tool_call_id), cursor(), {}};
    if (journal_) out.idempotency_key = journal_->call(tool_call_id, i);
    return out;
}

}  // namespace acta::inline ACTA_ABI
