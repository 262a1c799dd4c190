// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acta/compress/compression.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE void SummaryCost::add(const ChatCompletion& completion, const CompletionPrice& price) {
    ++completions;
    if (completion.usage) usage += *completion.usage;
    if (price) cost_usd = cost_usd.value_or(0.0) + price(completion);
}

ACTA_INLINE std::string to_string(const CompressionReport& report) {
    return std::to_string(report.summarised.size()) + " summarised, " + std::to_string(report.failed.size()) +
           " failed, " + std::to_string(report.skipped) + " skipped, " + std::to_string(report.cancelled) +
           " cancelled, " + std::to_string(report.not_due) + " not due";
}

ACTA_INLINE bool CompressionTrigger::reached(std::size_t waiting_episodes, std::size_t waiting_tokens) const noexcept {
    if (episodes == 0 && tokens == 0) return true;
    return (episodes != 0 && waiting_episodes >= episodes) || (tokens != 0 && waiting_tokens >= tokens);
}

}  // namespace acta::inline ACTA_ABI
