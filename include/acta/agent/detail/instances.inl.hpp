// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/json/json.hpp"

// The instances for the default types that acta::compiled has. Where they are declared, `extern template` keeps them out
// of the sources of a program.
#if defined(ACTA_COMPILED)
namespace acta::inline ACTA_ABI {

template struct codec::Document<ChatMessage>;
template struct codec::Document<AssistantFunctionCall>;
template struct codec::Document<ActionProposal<>>;
template struct codec::Document<ActionResult>;
template struct codec::Document<Episode<ActionProposal<>>>;
template struct codec::Document<EpisodicActionHistory<>>;

template class EpisodicActionHistory<ActionProposal<>>;
template class SharedHistory<ActionProposal<>>;
template std::optional<Stuck> stuck(std::span<const Episode<ActionProposal<>>> episodes, const StuckOptions& options);
template std::optional<Stuck> stuck(const EpisodicActionHistory<>& history, const StuckOptions& options);

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::agent_detail {

template class RecordOf<EpisodicActionHistory<>, ActionProposal<>>;
template class RecordOf<SharedHistory<>, ActionProposal<>>;

}  // namespace acta::inline ACTA_ABI::agent_detail

template class std::vector<acta::AssistantToolCall>;
template class std::vector<acta::ContentPart>;
template class std::vector<acta::ToolDefinition>;
#endif
