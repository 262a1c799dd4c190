// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/history/conversation.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/metrics.hpp"
#include "acta/history/rolling_summary.hpp"

namespace acta::inline ACTA_ABI {
struct TerminalOptions;
}

namespace acta::inline ACTA_ABI::view_detail {

/// A step without the type of its proposal. Refers to the episode.
struct Step {
    std::string thoughts{};
    std::span<const AssistantFunctionCall> calls{};
    std::vector<std::string> call_ids{};
    const ActionResult* result = nullptr;
    std::span<const ToolResult> tool_results{};
    const std::string* summary = nullptr;
    const StepMetrics* metrics = nullptr;
};

template <class P>
[[nodiscard]] Step step_of(const Episode<P>& episode) {
    return {thoughts_text(episode.action.thoughts),
            get_tools(episode.action),
            call_ids(episode),
            episode.result ? &*episode.result : nullptr,
            episode.tool_results,
            episode.summary ? &*episode.summary : nullptr,
            episode.metrics ? &*episode.metrics : nullptr};
}

/// The text of a run, block by block. Refers to the options.
class TerminalPage {
public:
    explicit TerminalPage(const TerminalOptions& options) : options_(options) {}

    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    void clear() noexcept { text_.clear(); }
    [[nodiscard]] bool shows(std::size_t index, ResultStatus status) noexcept;
    void add(const ConversationMessage& said);
    void add(std::size_t index, const Step& step);
    void finish(const RollingSummary* rolling, std::span<const std::string> feedback, const MetricsTotals& totals);

private:
    enum class Colour { plain, bold, dim, red, cyan };

    void add_coloured(Colour colour, std::string_view text);
    /// Adds the lines of a text, which is not yet safe to print, `first` before the first of them and as many blanks
    /// before the others.
    void add_text(std::string_view first, std::string_view text, std::size_t max_lines, Colour colour = Colour::plain);
    void add_call(const AssistantFunctionCall& call);
    void add_result(const ActionResult* result);
    void add_calls(const Step& step);
    [[nodiscard]] std::string redacted(std::string_view text) const;
    [[nodiscard]] bool shows_conversation() const noexcept;

    const TerminalOptions& options_;
    std::string text_{};
    std::size_t failed_ = 0;
    std::size_t interrupted_ = 0;
    std::size_t unfinished_ = 0;
};

}  // namespace acta::inline ACTA_ABI::view_detail
