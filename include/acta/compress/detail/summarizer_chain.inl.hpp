// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/error.hpp"
#include "acta/base/unicode.hpp"
#include "acta/compress/detail/summary_text.hpp"
#include "acta/compress/summarizer_chain.hpp"

namespace acta::inline ACTA_ABI {

namespace compress_detail {

/// Asks one summarizer; returns what is wrong with it or its summary, empty for nothing.
[[nodiscard]] ACTA_INLINE std::string failure_of(const NamedSummarizer& one, std::string_view text,
                                                 const SummaryRequest& request, std::string& summary) {
    try {
        summary = one.summarizer(text, request);
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "an exception that is not a std::exception";
    }
    if (unicode::is_blank(summary)) return "returned an empty summary";
    if (request.one_line && has_line_break(summary)) return "returned several lines";
    return {};
}

}  // namespace compress_detail

ACTA_INLINE SummarizerChain& SummarizerChain::add(std::string name, AnySummarizer summarizer) {
    if (name.empty()) throw Error("a summarizer of a chain needs a name");
    for (const NamedSummarizer& one : summarizers_) {
        if (one.name == name) throw Error("the chain already has a summarizer named `" + name + "`");
    }
    summarizers_.push_back({std::move(name), std::move(summarizer)});
    return *this;
}

ACTA_INLINE std::string SummarizerChain::operator()(std::string_view text, const SummaryRequest& request) const {
    if (summarizers_.empty()) throw SummaryError("the chain has no summarizers");
    std::string failures;
    for (const NamedSummarizer& one : summarizers_) {
        if (request.stop.stop_requested()) break;
        std::string inner;
        SummaryRequest its = request;
        its.on_source = [&inner](std::string_view name) { inner = name; };
        std::string summary;
        const std::string failure = compress_detail::failure_of(one, text, its, summary);
        if (failure.empty()) {
            if (request.on_source) request.on_source(inner.empty() ? one.name : one.name + "/" + inner);
            return summary;
        }
        failures += (failures.empty() ? "" : "; ") + one.name + ": " + failure;
    }
    if (request.stop.stop_requested())
        throw SummaryError("stopped before there was a summary" + (failures.empty() ? "" : "; " + failures));
    throw SummaryError("no summarizer of the chain made a summary; " + failures);
}

}  // namespace acta::inline ACTA_ABI
