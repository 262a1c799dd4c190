// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "acta/history/history_view.hpp"
#include "acta/json/json.hpp"
#include "acta/observe/observer.hpp"

namespace acta::inline ACTA_ABI {

struct HtmlOptions;

namespace view_detail {
void write_page(const HistoryView& run, const HtmlOptions& options, const std::function<void(std::string_view)>& sink);
}  // namespace view_detail

/// How a run becomes a page.
struct HtmlOptions {
    std::string title{};  ///< The heading of the page; `Run` if it is empty.
    /// Gets every text of the run, and the title, before it is cut and written, unless it is empty.
    Redactor redactor{};
    /// The most bytes of an output, of the arguments of a step's calls, of thoughts, of a message: of each of them the
    /// beginning is in the page, and how much was cut.
    std::size_t max_output_bytes = 65'536;
};

/// Writes a run as one HTML page, which opens from a file, with its steps and messages in order, errors first, a search
/// and links to steps (docs/view.md). The page needs no server and loads nothing; its `Content-Security-Policy` lets no
/// other script run and no address be fetched, so that a run with hostile content can be sent on. `sink` is called with
/// each piece of the page, of some kilobytes as a rule. Binary content becomes a placeholder, control characters become
/// marks, and bytes that are not UTF-8 as U+FFFD.
///
/// The runs of agents that were tools (`sub_runs`) are in their calls, folded. Takes time linear in the history, and
/// memory for a step, or for one of these runs, and some bytes for each other one beside it. Throws `EncodeError`, as
/// `dump` does, for times that JSON cannot hold and for enum values without a name; the sink has then received the
/// beginning.
///
/// @code{.cpp}
/// #include <fstream>
/// #include <string_view>
/// acta::EpisodicActionHistory<> history;
/// history.register_action({.thoughts = "Find the figures.", .use_tool = {"web_search", {{"query", "tides"}}}});
/// history.register_result(acta::ActionSuccessResult{.outputs = "3 results"});
/// std::ofstream file("run.html", std::ios::binary);
/// acta::to_html(history, [&file](std::string_view piece) { file << piece; }, {.title = "Tides"});
/// @endcode
template <TextSink Sink>
void to_html(const HistoryView& history, Sink&& sink, const HtmlOptions& options = {}) {
    view_detail::write_page(history, options, [&sink](std::string_view piece) { sink(piece); });
}

/// The same for a copy of the history as it is now.
template <class P, TextSink Sink>
void to_html(const SharedHistory<P>& history, Sink&& sink, const HtmlOptions& options = {}) {
    to_html(history.snapshot(), sink, options);
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/view/detail/html.inl.hpp"
#endif
