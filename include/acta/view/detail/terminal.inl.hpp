// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "acta/base/text_places.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/history.hpp"
#include "acta/history/history_view.hpp"
#include "acta/json/json.hpp"
#include "acta/view/terminal.hpp"

namespace acta::inline ACTA_ABI::view_detail {

/// The text of a run, block by block. Refers to the options.
class TerminalPage {
public:
    explicit TerminalPage(const TerminalOptions& options) : options_(options) {}

    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    void clear() noexcept { text_.clear(); }
    void add(const ConversationMessage& said);
    void add(const HistoryView& run, std::size_t index);
    void finish(const HistoryView& run);

private:
    enum class Colour { plain, bold, dim, red, cyan };

    void add_coloured(Colour colour, std::string_view text);
    /// Adds the lines of a text, which is not yet safe to print, `first` before the first of them and as many blanks
    /// before the others.
    void add_text(std::string_view first, std::string_view text, std::size_t max_lines, Colour colour = Colour::plain);
    void add_metrics(const Boxed<StepMetrics>& metrics);
    void add_call(const AssistantFunctionCall& call);
    void add_result(const ActionResult* result);
    void add_calls(const HistoryView& run, std::size_t index);
    /// Adds runs of agents that calls of the step were.
    void add_sub_runs(std::span<const SubRun* const> runs);
    void add_sub_run(const SubRun& run);
    [[nodiscard]] std::span<const SubRun* const> sub_runs_of(const HistoryView& run, std::size_t index);
    [[nodiscard]] bool shows(std::size_t index, ResultStatus status) noexcept;
    [[nodiscard]] std::string redacted(std::string_view text) const;
    [[nodiscard]] bool shows_conversation() const noexcept;

    const TerminalOptions& options_;
    std::string text_{};
    std::optional<std::map<std::size_t, std::vector<const SubRun*>>> sub_runs_{};  // by step, once one was asked for
    std::size_t failed_ = 0;
    std::size_t interrupted_ = 0;
    std::size_t unfinished_ = 0;
};

}  // namespace acta::inline ACTA_ABI::view_detail

namespace acta::inline ACTA_ABI {

namespace view_detail {

ACTA_INLINE void append_hex(std::string& out, std::uint32_t value, std::size_t digits) {
    constexpr std::string_view hex = "0123456789ABCDEF";
    while (digits < 8 && (value >> (4 * digits)) != 0) ++digits;
    for (std::size_t i = digits; i-- > 0;) out += hex[(value >> (4 * i)) & 0xFU];
}

ACTA_INLINE void append_mark(std::string& out, char32_t c) {
    constexpr char32_t symbols = 0x2400;  // of the control characters, in their order
    constexpr char32_t symbol_of_delete = 0x2421;
    if (c < 0x20 || c == 0x7F) {
        char bytes[4];
        out.append(bytes, utf8::encode(c == 0x7F ? symbol_of_delete : symbols + c, bytes));
        return;
    }
    out += "\u27E8U+";
    append_hex(out, static_cast<std::uint32_t>(c), 4);
    out += "\u27E9";
}

/// Returns how many columns a character takes: two for those of East Asia and pictures, none for marks and joiners.
[[nodiscard]] ACTA_INLINE std::size_t columns(const unicode::Char& c) noexcept {
    const char32_t code = c.code;
    if (code < 0x300) return 1;
    if (c.cls == unicode::CharClass::mark || code == 0x200C || code == 0x200D) return 0;
    const bool wide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF && code != 0x303F) ||
                      (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
                      (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
                      (code >= 0xFFE0 && code <= 0xFFE6) || (code >= 0x1F300 && code <= 0x1FAFF) ||
                      (code >= 0x20000 && code <= 0x3FFFD);
    return wide ? 2 : 1;
}

/// Returns the text with blanks in place of tabs, whose width depends on their column, and the line ends of Windows
/// as those of others.
[[nodiscard]] ACTA_INLINE std::string with_plain_blanks(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\t')
            out += "    ";
        else if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n')
            out += text[i];
    }
    return out;
}

/// Returns the length in bytes of the first line of a text if it must fit into `width` columns, at least one character.
[[nodiscard]] ACTA_INLINE std::size_t line_length(std::string_view text, std::size_t width) {
    std::size_t used = 0;
    std::size_t after_blank = 0;
    for (std::size_t at = 0; at < text.size();) {
        const unicode::Char c = unicode::char_at(text, at);
        if (c.code == U'\n') return at;
        used += columns(c);
        if (used > width && c.code == U' ') return at + c.length;  // which is not shown
        if (used > width && at > 0) return after_blank != 0 ? after_blank : at;
        at += c.length;
        if (c.code == U' ') after_blank = at;
    }
    return text.size();
}

/// Calls `each` with the lines of a text, and returns how many lines were omitted beyond `max_lines`.
template <class Each>
std::size_t for_each_line(std::string_view text, std::size_t width, std::size_t max_lines, const Each& each) {
    for (std::size_t shown = 0; !text.empty(); ++shown) {
        if (max_lines != 0 && shown == max_lines) return 1 + static_cast<std::size_t>(std::ranges::count(text, '\n'));
        const std::size_t length = line_length(text, width);
        std::string_view line = text.substr(0, length);
        text.remove_prefix(std::min(text.size(), length + (length < text.size() && text[length] == '\n' ? 1 : 0)));
        while (line.ends_with(' ')) line.remove_suffix(1);
        each(line);
    }
    return 0;
}

[[nodiscard]] ACTA_INLINE std::string count_of(std::size_t count, std::string_view one, std::string_view many) {
    return std::to_string(count).append(" ").append(count == 1 ? one : many);
}

/// Returns what a step took, such as `1.2 s, 1200 tokens to the model, 80 from it`; empty if nothing is known.
[[nodiscard]] ACTA_INLINE std::string metrics_text(const StepMetrics& metrics) {
    MetricsTotals totals;
    totals.add(metrics);
    std::string text = to_string(totals);
    for (const std::string_view head : {"1 step", " in ", ", "}) {
        if (text.starts_with(head)) text.erase(0, head.size());
    }
    if (!metrics.model.empty()) text.append(text.empty() ? "" : ", ").append(metrics.model);
    std::ranges::replace(text, '\n', ' ');  // so that a name cannot pass for the next step
    return text;
}

ACTA_INLINE bool TerminalPage::shows(std::size_t index, ResultStatus status) noexcept {
    failed_ += status == ResultStatus::error ? 1 : 0;
    interrupted_ += status == ResultStatus::interrupted_by_human ? 1 : 0;
    unfinished_ += status == ResultStatus::did_not_finish ? 1 : 0;
    const bool wanted =
        !options_.errors_only || status == ResultStatus::error || status == ResultStatus::interrupted_by_human;
    return wanted && index >= options_.first && index <= options_.last;
}

ACTA_INLINE bool TerminalPage::shows_conversation() const noexcept {
    return !options_.errors_only && options_.first == 0 && options_.last == TerminalOptions().last;
}

ACTA_INLINE std::string TerminalPage::redacted(std::string_view text) const {
    return options_.redactor ? options_.redactor(text) : std::string(text);
}

ACTA_INLINE void TerminalPage::add_coloured(Colour colour, std::string_view text) {
    constexpr std::string_view codes[] = {"", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[36m"};
    if (!options_.colour || colour == Colour::plain || text.empty()) {
        text_ += text;
        return;
    }
    text_.append(codes[static_cast<std::size_t>(colour)]).append(text).append("\x1b[0m");
}

ACTA_INLINE void TerminalPage::add_text(std::string_view first, std::string_view text, std::size_t max_lines,
                                        Colour colour) {
    constexpr std::size_t least = 20;
    const std::size_t indent = first.size();
    const std::size_t width = std::max(options_.width, least) - std::min(indent, least / 2);
    std::string safe = terminal_text(with_plain_blanks(redacted(text)));
    while (safe.ends_with('\n')) safe.pop_back();
    bool begun = false;
    const std::size_t left = for_each_line(safe, width, max_lines, [&](std::string_view line) {
        if (!begun || !line.empty()) add_coloured(colour, begun ? std::string(indent, ' ') : std::string(first));
        add_coloured(colour, line);
        text_ += '\n';
        begun = true;
    });
    if (left != 0) {
        text_.append(indent, ' ');
        add_coloured(Colour::dim, "\u2026 " + count_of(left, "more line", "more lines"));
        text_ += '\n';
    }
    if (!begun && !ascii::is_blank(first)) {  // an empty text, but what it is
        while (first.ends_with(' ')) first.remove_suffix(1);
        add_coloured(colour, first);
        text_ += '\n';
    }
}

ACTA_INLINE void TerminalPage::add_metrics(const Boxed<StepMetrics>& metrics) {
    if (!metrics) return;
    const std::string took = terminal_text(redacted(metrics_text(*metrics)));
    text_ += took.empty() ? "" : "  ";
    add_coloured(Colour::dim, took);
}

ACTA_INLINE void TerminalPage::add_call(const AssistantFunctionCall& call) {
    std::string text;
    append_shown_call(text, call.name, call.arguments);
    add_text("  > ", text, options_.max_call_lines, Colour::cyan);
}

ACTA_INLINE void TerminalPage::add_result(const ActionResult* result) {
    if (result == nullptr) {
        text_ += "    ";
        add_coloured(Colour::dim, "(no result)");
        text_ += '\n';
    } else if (const auto* const success = std::get_if<ActionSuccessResult>(result)) {
        add_text("    ", shown_text(success->outputs), options_.max_lines);
    } else if (const auto* const error = std::get_if<ActionErrorResult>(result)) {
        std::string text = hide_binary(error->reason);
        if (error->error && !error->error->exception_type.empty())
            text.insert(0, error->error->exception_type + (text.empty() ? "" : ": "));
        add_text("  ! ", text, options_.max_lines, Colour::red);
    } else {
        const auto& interrupted = std::get<ActionInterruptedByHuman>(*result);
        add_text("  ! ", "Interrupted by a human: " + hide_binary(interrupted.feedback), options_.max_lines,
                 Colour::red);
    }
}

ACTA_INLINE void TerminalPage::add_calls(const HistoryView& run, std::size_t index) {
    const auto step = run.step(index);
    const std::span<const SubRun* const> runs = sub_runs_of(run, index);
    if (step.calls.size() < 2 || step.results.empty()) {
        for (const AssistantFunctionCall& call : step.calls) add_call(call);
        add_result(*step.result ? &**step.result : nullptr);
        return add_sub_runs(runs);
    }
    const std::vector<std::string> ids = run.call_ids(index);
    const base::TextPlaces results(step.results, &ToolResult::tool_call_id);
    const base::TextPlaces calls(ids, std::identity());
    std::map<std::size_t, std::vector<const SubRun*>> runs_of;  // calls; those of none come last
    for (const SubRun* const one : runs) runs_of[calls.find(one->tool_call_id).value_or(ids.size())].push_back(one);
    for (std::size_t i = 0; i < step.calls.size(); ++i) {
        add_call(step.calls[i]);
        const std::optional<std::size_t> own = results.find(ids.at(i));
        add_result(own ? &step.results[*own].result : nullptr);
        if (const auto found = runs_of.find(i); found != runs_of.end()) add_sub_runs(found->second);
    }
    if (const auto others = runs_of.find(ids.size()); others != runs_of.end()) add_sub_runs(others->second);
}

ACTA_INLINE std::span<const SubRun* const> TerminalPage::sub_runs_of(const HistoryView& run, std::size_t index) {
    if (!sub_runs_) {
        sub_runs_.emplace();
        for (const SubRun& one : run.sub_runs()) (*sub_runs_)[one.step].push_back(&one);
    }
    const auto found = sub_runs_->find(index);
    return found == sub_runs_->end() ? std::span<const SubRun* const>() : found->second;
}

ACTA_INLINE void TerminalPage::add_sub_runs(std::span<const SubRun* const> runs) {
    const std::size_t shown = options_.max_lines == 0 ? runs.size() : std::min(runs.size(), options_.max_lines);
    for (const SubRun* const one : runs.first(shown)) add_sub_run(*one);
    if (shown == runs.size()) return;
    text_ += "    ";
    add_coloured(Colour::dim, "\u2026 " + count_of(runs.size() - shown, "more subagent", "more subagents"));
    text_ += '\n';
}

/// Returns how a run ended, such as `ended with an answer`.
[[nodiscard]] ACTA_INLINE std::string end_of_run(const HistoryView& run) {
    if (const RunRecord* const ended = unanswered_run(run)) return "ended: " + hide_binary(to_string(*ended));
    if (!run.messages().empty() && run.messages().back().before >= run.size() &&
        run.messages().back().message.role == ChatRole::assistant)
        return "ended with an answer";
    if (run.size() == 0) return "did nothing";
    constexpr std::string_view ends[] = {"ended without an answer", "ended with an error", "was interrupted by a human",
                                         "did not finish"};
    return std::string(ends[static_cast<std::size_t>(status(*run.step(run.size() - 1).result))]);
}

/// The run of an agent that was a tool is a line, and where texts are shown in full it is shown whole, indented.
ACTA_INLINE void TerminalPage::add_sub_run(const SubRun& run) {
    std::optional<EpisodicActionHistory<>> history;
    try {
        history = validate<EpisodicActionHistory<>>(run.history);
    } catch (const ValidationError&) {
        return add_text("    ", "Subagent: its run is in another form", 1, Colour::dim);
    }
    const HistoryView view(*history);
    std::size_t failed = 0;
    for (std::size_t i = 0; i < view.size(); ++i)
        failed += status(*view.step(i).result) == ResultStatus::error ? 1U : 0U;
    std::string line = "Subagent " + end_of_run(view) + ": " + to_string(acta::totals(view));
    if (failed != 0) line += "; " + count_of(failed, "error", "errors");
    std::ranges::replace(line, '\n', ' ');
    add_text("    ", line, 3, Colour::bold);
    if (options_.max_lines != 0 || options_.errors_only) return;
    TerminalOptions options = options_;
    options.first = 0;
    options.last = TerminalOptions().last;
    options.width -= std::min(options.width, std::size_t{6});
    TerminalPage page(options);
    visit_in_order(
        view, [&page](const ConversationMessage& said) { page.add(said); },
        [&page, &view](std::size_t index) { page.add(view, index); });
    std::string_view text = page.text();
    while (text.ends_with('\n')) text.remove_suffix(1);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        text_.append("    |").append(end == 0 ? "" : " ").append(text.substr(0, end)).append("\n");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

ACTA_INLINE void TerminalPage::add(const HistoryView& run, std::size_t index) {
    const auto step = run.step(index);
    const ResultStatus status = acta::status(*step.result);
    if (!shows(index, status)) return;
    add_coloured(Colour::bold, "Step " + std::to_string(index + 1));
    if (status != ResultStatus::success) {
        constexpr std::string_view words[] = {"", "ERROR", "INTERRUPTED", "not finished"};
        text_ += "  ";
        add_coloured(status == ResultStatus::did_not_finish ? Colour::dim : Colour::red,
                     words[static_cast<std::size_t>(status)]);
    }
    add_metrics(*run.step(index).metrics);
    text_ += '\n';
    add_text("  ", hide_binary(run.thoughts(index)), options_.max_lines);
    add_calls(run, index);
    if (step.summary != nullptr) add_text("  Summary: ", hide_binary(*step.summary), options_.max_lines, Colour::dim);
    text_ += '\n';
}

ACTA_INLINE void TerminalPage::add(const ConversationMessage& said) {
    if (!shows_conversation()) return;
    const ChatMessage& message = said.message;
    constexpr std::string_view names[] = {"System", "User", "Assistant", "Tool"};
    const auto role = static_cast<std::size_t>(message.role);
    add_coloured(Colour::bold, names[std::min(role, std::size(names) - 1)]);
    add_metrics(said.metrics);
    text_ += '\n';
    if (message.reasoning_content && !message.reasoning_content->empty())
        add_text("  (", *message.reasoning_content + ")", options_.max_lines, Colour::dim);
    add_text("  ", hide_binary(message.content), options_.max_lines);
    text_ += '\n';
}

ACTA_INLINE void TerminalPage::finish(const HistoryView& run) {
    if (const RollingSummary* const rolling = run.rolling_summary(); rolling != nullptr && shows_conversation()) {
        add_coloured(Colour::bold, "Summary of steps " + std::to_string(rolling->first + 1) + " to " +
                                       std::to_string(rolling->last + 1));
        text_ += '\n';
        add_text("  ", hide_binary(to_string(*rolling)), options_.max_lines);
        text_ += '\n';
    }
    for (const std::string& one : run.pending_feedback()) {
        if (!shows_conversation()) break;
        add_coloured(Colour::bold, "Feedback that the agent has not taken");
        text_ += '\n';
        add_text("  ", hide_binary(one), options_.max_lines);
        text_ += '\n';
    }
    if (const RunRecord* const ended = unanswered_run(run)) {
        add_coloured(Colour::bold, "How the last run ended");
        text_ += '\n';
        add_text("  ", hide_binary(to_string(*ended)), options_.max_lines);
        text_ += '\n';
    }
    text_ += to_string(acta::totals(run));
    std::string_view separator = "; ";
    const auto add_count = [&](std::size_t count, std::string_view one, std::string_view many, Colour colour) {
        if (count == 0) return;
        text_ += separator;
        add_coloured(colour, count_of(count, one, many));
        separator = ", ";
    };
    add_count(failed_, "error", "errors", Colour::red);
    add_count(interrupted_, "interruption", "interruptions", Colour::red);
    add_count(unfinished_, "step not finished", "steps not finished", Colour::plain);
    text_ += '\n';
}

ACTA_INLINE void write_terminal(const HistoryView& run, const TerminalOptions& options,
                                const std::function<void(std::string_view)>& sink) {
    TerminalPage page(options);
    const auto flush = [&] {
        if (!page.text().empty()) sink(page.text());
        page.clear();
    };
    visit_in_order(
        run,
        [&](const ConversationMessage& said) {
            page.add(said);
            flush();
        },
        [&](std::size_t index) {
            page.add(run, index);
            flush();
        });
    page.finish(run);
    flush();
}

}  // namespace view_detail

ACTA_INLINE std::string terminal_text(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    unicode::split_hidden(
        text, [&out](std::string_view piece) { out += piece; },
        [&out](std::string_view bytes, char32_t code) {
            if (bytes.size() > 1 || code < 0x80) return view_detail::append_mark(out, code);
            out += "\u27E80x";
            view_detail::append_hex(out, static_cast<unsigned char>(bytes.front()), 2);
            out += "\u27E9";
        });
    return out;
}

}  // namespace acta::inline ACTA_ABI
