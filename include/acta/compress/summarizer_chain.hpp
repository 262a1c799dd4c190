// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "acta/compress/summarizer.hpp"

namespace acta::inline ACTA_ABI {

/// A summarizer and its name in reports.
struct NamedSummarizer {
    std::string name;          ///< Not empty, and unique in its chain.
    AnySummarizer summarizer;  ///< The summarizer.
};

/// Several summarizers in one: each is asked only if all before it failed, so that a history is compressed even when no
/// model answers. It reports through `SummaryRequest::on_source` which one made the summary; a chain in a chain is
/// named `outer/inner`. An empty summary, or one of several lines where one was asked for, counts as a failure.
///
/// A deadline that has passed skips none of them: it ends the waiting for a model, while one that waits for nothing
/// (`ExtractiveSummarizer`) can still help. A stop ends the whole chain.
///
/// @code{.cpp}
/// auto model = [](std::string_view, const acta::SummaryRequest&) -> std::string {   // or an acta::ChatSummarizer
///     throw acta::SummaryError("no network");
/// };
/// auto first_words = [](std::string_view text, const acta::SummaryRequest&) {
///     return std::string(text.substr(0, 80));
/// };
/// acta::SummarizerChain summarize{{"model", model}, {"first words", first_words}};
/// std::string summary = summarize("Long text ...");
/// @endcode
class SummarizerChain {
public:
    SummarizerChain() = default;
    /// Throws as `add`.
    SummarizerChain(std::initializer_list<NamedSummarizer> summarizers) {
        for (const NamedSummarizer& one : summarizers) add(one.name, one.summarizer);
    }

    /// Appends a summarizer, to be asked after all others. Throws `Error` if the name is empty or already in the chain.
    SummarizerChain& add(std::string name, AnySummarizer summarizer);

    /// The number of summarizers.
    [[nodiscard]] std::size_t size() const noexcept { return summarizers_.size(); }

    /// Returns the first summary that does not fail. Throws `SummaryError` with the errors of all if there is none, if
    /// it was stopped, or if the chain is empty.
    [[nodiscard]] std::string operator()(std::string_view text, const SummaryRequest& request = {}) const;

private:
    std::vector<NamedSummarizer> summarizers_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/compress/detail/summarizer_chain.inl.hpp"
#endif
