// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "acta/history/history_view.hpp"
#include "acta/json/json.hpp"
#include "acta/observe/observer.hpp"

// A run as text for people who read it in a terminal.
namespace acta::inline ACTA_ABI {

struct TerminalOptions;

namespace view_detail {
void write_terminal(const HistoryView& run, const TerminalOptions& options,
                    const std::function<void(std::string_view)>& sink);
}  // namespace view_detail

/// Returns the text with a visible mark in place of everything that could control a terminal or show text other than it
/// is, so that it can be printed wherever it comes from:
/// - control characters other than line feed and tab become their symbols: `␛` for an escape, `␡` for a delete;
/// - other characters that `unicode::is_hidden` names become `⟨U+202E⟩`: C1 controls, characters that change the
///   direction of text, the separators U+2028 and U+2029, and invisible characters; joiners and selectors of variants
///   stay in emoji and in scripts that need them;
/// - a byte that is not UTF-8 becomes `⟨0xFF⟩`.
///
/// Applied twice it changes nothing more. Linear.
///
/// @code{.cpp}
/// std::string text = acta::terminal_text("\x1b[2J" "gone");   // ␛[2Jgone
/// @endcode
[[nodiscard]] std::string terminal_text(std::string_view text);

/// How a run is written.
struct TerminalOptions {
    bool colour = false;     ///< Marks errors, names and numbers by colour (SGR sequences).
    std::size_t width = 80;  ///< Columns of the terminal, at least 20: longer lines are broken between words.
    /// How many lines of each thought, output and message are shown; 0 for all. The rest is counted in one line.
    std::size_t max_lines = 12;
    std::size_t max_call_lines = 3;  ///< The same for each call with its arguments.
    bool errors_only = false;        ///< Only the steps that failed or were interrupted, without the conversation.
    std::size_t first = 0;           ///< The first step that is shown, by its index.
    std::size_t last = std::numeric_limits<std::size_t>::max();  ///< The last one.
    Redactor redactor{};                                         ///< Gets every text first, unless it is empty.
};

/// Writes a run for people: the conversation, and for each step a numbered block with its thoughts, its calls, and
/// their results; errors are marked. The run of an agent that was a tool (`sub_runs`) is a line below its call, with
/// how it ended and its totals; with `max_lines` 0 it follows whole, indented. Summaries are with their steps, and
/// the last line has the totals: steps, time, tokens and cost as far as the history knows them, and errors. Every text
/// has passed `terminal_text`, with placeholders for binary content. `sink` gets the text block by block. Linear. When
/// this throws, the sink has received the beginning.
///
/// @code{.cpp}
/// #include <iostream>
/// acta::EpisodicActionHistory<> history;
/// history.register_action({.thoughts = "Find the figures.", .use_tool = {"web_search", {{"query", "tides"}}}});
/// history.register_result(acta::ActionSuccessResult{.outputs = "3 results"});
/// acta::to_terminal(history, [](std::string_view text) { std::cout << text; });
/// // Step 1
/// //   Find the figures.
/// //   > web_search(query='tides')
/// //     3 results
/// //
/// // 1 step
/// @endcode
template <TextSink Sink>
void to_terminal(const HistoryView& history, Sink&& sink, const TerminalOptions& options = {}) {
    view_detail::write_terminal(history, options, [&sink](std::string_view text) { sink(text); });
}

/// The same for a history of several threads, as it is at this moment. The sink is called without its lock.
template <class P, TextSink Sink>
void to_terminal(const SharedHistory<P>& history, Sink&& sink, const TerminalOptions& options = {}) {
    to_terminal(history.snapshot(), sink, options);
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/view/detail/terminal.inl.hpp"
#endif
