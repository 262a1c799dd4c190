// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/base/unicode.hpp"
#include "acta/compress/detail/summary_prompt.hpp"
#include "acta/compress/detail/summary_text.hpp"
#include "acta/compress/summarizer.hpp"
#include "acta/compress/text_summary.hpp"
#include "acta/text/chunks.hpp"

// Summaries of texts that are longer than the window of a model: chunk by chunk, then together.
namespace acta::inline ACTA_ABI::compress_detail {

/// Asks one question: a text of at most `ChunkedWork::limit` tokens, the instruction, and the most tokens of the
/// answer.
using AskFunction = std::function<std::string(std::string_view, const std::string&, std::size_t)>;

/// The tokens of a question beside its words: the roles of two messages, and the quotation marks.
inline constexpr std::size_t around = 12;

/// The most tokens of a text in one question: the window minus the answer, and minus 50 for the words around the text;
/// a longer instruction counts in full. Throws `SummaryError` if fewer than 32 are left.
[[nodiscard]] inline std::size_t chunk_limit(std::size_t window_tokens, std::size_t max_tokens,
                                             std::string_view instruction, const AnyTokenCounter& counter) {
    constexpr std::size_t least = 32;
    const std::size_t words =
        std::max(counter(system_prompt(instruction)), counter(system_prompt(combine_instruction)));
    const std::size_t beside = std::max<std::size_t>(50, words + around);
    if (window_tokens < beside + least || window_tokens - beside - least < max_tokens) {
        throw SummaryError("a window of " + std::to_string(window_tokens) +
                           " tokens is too small: the instruction takes " + std::to_string(beside) + ", the summary " +
                           std::to_string(max_tokens) + ", and the text needs " + std::to_string(least));
    }
    return window_tokens - beside - max_tokens;
}

/// Summarises one text with questions that each fit the window.
class ChunkedWork {
public:
    std::string instruction{};
    std::size_t max_tokens = 500;
    std::size_t limit = 0;  ///< Of a text in one question, in tokens.
    std::size_t overlap_tokens = 0;
    AnySentenceSplitter splitter{};
    AnyTokenCounter count_tokens{};
    stop_token stop{};
    AskFunction ask{};

    [[nodiscard]] TextSummary run(std::string_view text) const {
        if (unicode::is_blank(text)) throw SummaryError("No content");
        if (max_tokens == 0) throw SummaryError("a summary of at most 0 tokens holds nothing");
        ChunkOptions options{limit, overlap_tokens, splitter, {}};
        options.count_tokens = [this](std::string_view part) { return quoted_tokens(count_tokens, part); };
        TextSummary out;
        const std::vector<TextChunk> chunks = split_into_chunks(text, options);
        const std::size_t of_part = chunks.size() == 1 ? max_tokens : part_tokens();
        for (const TextChunk& chunk : chunks) {
            if (unicode::is_blank(chunk.text)) continue;
            out.parts.push_back({asked(chunk.text, instruction, of_part), std::string(chunk.text)});
        }
        out.summary = combined(out.parts);
        return out;
    }

private:
    // Two partial summaries always fit into one question, so that each round of combining at least halves their number.
    [[nodiscard]] std::size_t part_tokens() const {
        return std::min(max_tokens, std::max<std::size_t>((limit - 8) / 2, 1));
    }

    [[nodiscard]] std::string asked(std::string_view text, const std::string& what, std::size_t most) const {
        if (stop.stop_requested()) throw SummaryError("stopped before there was a summary");
        std::string summary = ask(text, what, most);
        if (unicode::is_blank(summary)) throw SummaryError("the summarizer returned an empty summary");
        if (const std::size_t tokens = count_tokens(summary); tokens > most) {
            throw SummaryError("the summarizer returned a summary of " + std::to_string(tokens) +
                               " tokens, and at most " + std::to_string(most) + " were asked for");
        }
        return summary;
    }

    [[nodiscard]] std::string combined(const std::vector<PartialSummary>& parts) const {
        if (parts.size() == 1) return parts.front().summary;
        std::vector<std::string> left;
        left.reserve(parts.size());
        for (const PartialSummary& part : parts) left.push_back(part.summary);
        for (;;) {
            std::vector<std::string> groups;
            std::vector<std::size_t> sizes;
            for (std::size_t at = 0; at < left.size(); at += sizes.back()) {
                sizes.push_back(group_size(left, at));
                groups.push_back(joined(left, at, sizes.back()));
            }
            if (groups.size() == 1) return asked(groups.front(), std::string(combine_instruction), max_tokens);
            if (groups.size() == left.size()) {
                throw SummaryError("not two of the partial summaries fit together in " + std::to_string(limit) +
                                   " tokens");
            }
            for (std::size_t i = 0; i < groups.size(); ++i) {
                if (sizes[i] > 1) groups[i] = asked(groups[i], std::string(combine_instruction), part_tokens());
            }
            left = std::move(groups);
        }
    }

    [[nodiscard]] static std::string joined(const std::vector<std::string>& all, std::size_t first, std::size_t count) {
        std::string out;
        for (std::size_t i = first; i < first + count; ++i) {
            if (i > first) out += "\n\n";
            out += all[i];
        }
        return out;
    }

    // As many as fit from `first` on. The sum of their counts is a first estimate; the joined text decides.
    [[nodiscard]] std::size_t group_size(const std::vector<std::string>& all, std::size_t first) const {
        std::size_t count = 1;
        std::size_t tokens = quoted_tokens(count_tokens, all[first]);
        while (first + count < all.size()) {
            tokens += 2 + quoted_tokens(count_tokens, all[first + count]);
            if (tokens > limit) break;
            ++count;
        }
        while (count > 1 && quoted_tokens(count_tokens, joined(all, first, count)) > limit) --count;
        return count;
    }
};

}  // namespace acta::inline ACTA_ABI::compress_detail
