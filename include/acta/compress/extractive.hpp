// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "acta/compress/compress.hpp"
#include "acta/text/chunks.hpp"
#include "acta/text/tokens.hpp"

namespace acta::inline ACTA_ABI {

/// Options of `ExtractiveSummarizer`.
struct ExtractiveOptions {
    /// The longest summary, by `count_tokens`, from 1 to a million; a request may ask for fewer.
    std::size_t max_tokens = 120;
    AnyTokenCounter count_tokens{};  ///< Counts the tokens of summaries; an estimate by default.
    /// Called with at most 64 KiB at a time.
    AnySentenceSplitter splitter{RuleSentenceSplitter{CodeBlocks::lines}};
};

/// A summarizer that needs no model: it quotes the parts of a text that carry most. Deterministic, the same on every
/// machine; a summary is always one line, and never longer than `max_tokens` of the options or of the request.
///
/// With `SummaryRequest::step` the summary has the calls with their main arguments, the status, sentences that report
/// an error, the sentences with the most paths, URLs, numbers and identifiers, and as many others of these as fit. Of
/// any other text it has the last three. Sentences with words of the question of the request come first. The
/// instruction of the request is ignored, and so is its deadline, as it never waits.
///
/// Takes time linear in the text and bounded memory: the text is read 64 KiB at a time, and at most 128 sentences are
/// considered. The counter only sees what may be shown. Throws `SummaryError` for a blank text (`No content`), a bound
/// in which nothing fits, and when it is stopped.
///
/// @code{.cpp}
/// acta::ExtractiveSummarizer summarize({.max_tokens = 60});
/// std::string summary = summarize("Long text ...");
///
/// acta::Episode<> episode;
/// episode.action.use_tool = {"read_file", {{"path", "a.txt"}}};
/// episode.result = acta::ActionSuccessResult{.outputs = "one line"};
/// const acta::SummaryStep step = acta::summary_step(episode);
/// acta::SummaryRequest request;
/// request.step = &step;
/// std::string of_step = summarize(episode.format(), request);   // read_file(path='a.txt') -> success: one line
/// @endcode
class ExtractiveSummarizer {
public:
    ExtractiveSummarizer() = default;
    /// A summarizer with these options.
    explicit ExtractiveSummarizer(ExtractiveOptions options) : options_(std::move(options)) {}

    /// Returns the summary of a text, or of the step of the request.
    [[nodiscard]] std::string operator()(std::string_view text, const SummaryRequest& request = {}) const;

    /// The options that it was made with.
    [[nodiscard]] const ExtractiveOptions& options() const noexcept { return options_; }

private:
    ExtractiveOptions options_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/compress/detail/extractive.inl.hpp"
#endif

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI {
extern template AnySummarizer::AnySummarizer(ExtractiveSummarizer&& summarizer);
}  // namespace acta::inline ACTA_ABI
#endif
