// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <future>
#include <utility>

#include "acta/compress/compression.hpp"
#include "acta/compress/detail/history_access.hpp"
#include "acta/compress/summarizer.hpp"
#include "acta/history/history.hpp"
#include "acta/history/shared_history.hpp"

namespace acta::inline ACTA_ABI {

/// Summarises the finished steps that have no summary and are older than the newest `keep_recent`, several at a time
/// (docs/reference/compress.md, "Compression"). An exception from the summarizer and an unusable summary (empty,
/// several lines where one was asked for, much too long) fail that one step: they are in the report and are not thrown.
/// No other thread may use the history meanwhile; a `SharedHistory` has an overload of its own.
///
/// Linear in the steps from the oldest one that waits for a summary: those before it are not looked at again.
/// Throws what `options.progress` and `options.count_tokens` throw.
///
/// @code{.cpp}
/// acta::EpisodicActionHistory<> history;
/// auto summarize = [](std::string_view text, const acta::SummaryRequest&) {   // or acta::ExtractiveSummarizer{}
///     return std::string(text.substr(0, text.find('\n')));
/// };
/// acta::CompressionOptions options;
/// options.keep_recent = 2;
/// acta::CompressionReport report = acta::handle_compression(history, summarize, options);
/// std::string outcome = acta::to_string(report);   // 0 summarised, 0 failed, 0 skipped, 0 cancelled, 0 not due
/// @endcode
template <class P, class S>
CompressionReport handle_compression(EpisodicActionHistory<P>& history, S&& summarizer,
                                     const CompressionOptions& options = {}) {
    return compress_detail::compress(history, compress_detail::summarizer_ref(summarizer), options);
}

/// As above, while other threads keep using the history: it is locked to take a text and to store a summary, never
/// while a summarizer runs. A summary only reaches the very step it was made of: if that was rewound away, replaced by
/// a restored history, finished anew or given a summary in the meantime, the step is skipped. Throws `Error` when
/// called from within `with_lock`.
template <class P, class S>
CompressionReport handle_compression(SharedHistory<P>& history, S&& summarizer,
                                     const CompressionOptions& options = {}) {
    return compress_detail::compress(history, compress_detail::summarizer_ref(summarizer), options);
}

/// Runs `handle_compression` in a thread of its own. The future holds the report or the exception. Its destructor waits
/// for the end, as that of `std::async` does: keep it as long as the compression should run beside other work, and
/// cancel with `options.stop`. The summarizer is moved or copied (pass `std::ref(summarizer)` to refer to it). The
/// history must outlive the future, and no one may use it meanwhile; a `SharedHistory` may be used.
///
/// @code{.cpp}
/// acta::SharedHistory<> history;
/// auto summarize = [](std::string_view text, const acta::SummaryRequest&) {   // or acta::ExtractiveSummarizer{}
///     return std::string(text.substr(0, text.find('\n')));
/// };
/// std::future<acta::CompressionReport> report = acta::handle_compression_async(history, summarize);
/// history.append_user_feedback("Hurry up.");   // the agent continues meanwhile
/// std::size_t summarised = report.get().summarised.size();
/// @endcode
template <class P, class S>
[[nodiscard]] std::future<CompressionReport> handle_compression_async(EpisodicActionHistory<P>& history, S&& summarizer,
                                                                      CompressionOptions options = {}) {
    compress_detail::require_summarizer<S>();
    return std::async(std::launch::async,
                      [&history, any = AnySummarizer(std::forward<S>(summarizer)), options = std::move(options)] {
                          return handle_compression(history, any, options);
                      });
}
/// As above, for a history that other threads use at the same time.
template <class P, class S>
[[nodiscard]] std::future<CompressionReport> handle_compression_async(SharedHistory<P>& history, S&& summarizer,
                                                                      CompressionOptions options = {}) {
    compress_detail::require_summarizer<S>();
    return std::async(std::launch::async,
                      [&history, any = AnySummarizer(std::forward<S>(summarizer)), options = std::move(options)] {
                          return handle_compression(history, any, options);
                      });
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/compress/detail/compressor.inl.hpp"
#endif
