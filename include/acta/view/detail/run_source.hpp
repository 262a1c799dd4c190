// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "acta/base/utility.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/prompt.hpp"

namespace acta::inline ACTA_ABI {

struct HtmlOptions;      // acta/view/html.hpp
struct TerminalOptions;  // acta/view/terminal.hpp

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::view_detail {

/// A run without the type of its proposals, so that all but a few functions are compiled once.
struct RunSource {
    prompt_extension::StepSource steps{};
    MetricsTotals totals{};
    const Boxed<StepMetrics>& (*metrics_at)(const void* first, std::size_t i) = nullptr;
    Json (*json_at)(const void* first, std::size_t i) = nullptr;

    [[nodiscard]] const Boxed<StepMetrics>& metrics(std::size_t i) const { return metrics_at(steps.first, i); }
    [[nodiscard]] Json json(std::size_t i) const { return json_at(steps.first, i); }
};

template <class P>
RunSource run_of(const EpisodicActionHistory<P>& history) {
    return {prompt_extension::steps_of(history), acta::totals(history),
            [](const void* first, std::size_t i) -> const Boxed<StepMetrics>& {
                return static_cast<const Episode<P>*>(first)[i].metrics;
            },
            [](const void* first, std::size_t i) { return to_json_value(static_cast<const Episode<P>*>(first)[i]); }};
}

/// Calls `message(const ConversationMessage&)` or `step(i)` for each message and step, in order.
template <class Message, class Step>
void each_row(const RunSource& run, Message message, Step step) {
    std::size_t next = 0;
    for (std::size_t i = 0; i <= run.steps.size; ++i) {
        for (; next < run.steps.said.size() && (run.steps.said[next].before <= i || i == run.steps.size); ++next)
            message(run.steps.said[next]);
        if (i < run.steps.size) step(i);
    }
}

using ViewSink = std::function<void(std::string_view)>;

void write_page(const RunSource& run, const HtmlOptions& options, const ViewSink& sink);
void write_terminal(const RunSource& run, const TerminalOptions& options, const ViewSink& sink);

}  // namespace acta::inline ACTA_ABI::view_detail
