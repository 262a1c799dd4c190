// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acta/history/history_view.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE MetricsTotals totals(const HistoryView& history) {
    MetricsTotals out;
    visit_in_order(
        history, [&](const ConversationMessage& said) { out.add(said.metrics); },
        [&](std::size_t i) { out.add(*history.step(i).metrics); });
    out.steps = history.size();
    return out;
}

ACTA_INLINE const RunRecord* unanswered_run(const HistoryView& history) noexcept {
    if (history.runs().empty()) return nullptr;
    const RunRecord& last = history.runs().back();
    return last.after == history.size() && last.end != "answered" ? &last : nullptr;
}

ACTA_INLINE void HistoryEditor::apply(HistoryChange<> change) { make(std::move(change)); }

ACTA_INLINE void HistoryEditor::apply_together(std::vector<HistoryChange<>> changes) {
    make_together(std::move(changes));
}

ACTA_INLINE bool HistoryEditor::set_summary(EpisodeId id, std::string summary) {
    const std::optional<std::size_t> step = view().find(id);
    if (step) apply(SummarySet{*step, std::move(summary)});
    return step.has_value();
}

}  // namespace acta::inline ACTA_ABI
