// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "acta/base/boxed.hpp"
#include "acta/view/detail/run_source.hpp"

namespace acta::inline ACTA_ABI::view_detail {

/// The text of a run, block by block. Refers to the options.
class TerminalPage {
public:
    explicit TerminalPage(const TerminalOptions& options) : options_(options) {}

    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    void clear() noexcept { text_.clear(); }
    void add(const ConversationMessage& said);
    void add(const RunSource& run, std::size_t index);
    void finish(const RunSource& run);

private:
    enum class Colour { plain, bold, dim, red, cyan };

    void add_coloured(Colour colour, std::string_view text);
    /// Adds the lines of a text, which is not yet safe to print, `first` before the first of them and as many blanks
    /// before the others.
    void add_text(std::string_view first, std::string_view text, std::size_t max_lines, Colour colour = Colour::plain);
    void add_metrics(const Boxed<StepMetrics>& metrics);
    void add_call(const AssistantFunctionCall& call);
    void add_result(const ActionResult* result);
    void add_calls(const RunSource& run, std::size_t index);
    [[nodiscard]] bool shows(std::size_t index, ResultStatus status) noexcept;
    [[nodiscard]] std::string redacted(std::string_view text) const;
    [[nodiscard]] bool shows_conversation() const noexcept;

    const TerminalOptions& options_;
    std::string text_{};
    std::size_t failed_ = 0;
    std::size_t interrupted_ = 0;
    std::size_t unfinished_ = 0;
};

}  // namespace acta::inline ACTA_ABI::view_detail
