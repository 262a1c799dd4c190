// SPDX-License-Identifier: MIT
// Splitting, counting and summaries of any text: nothing is lost, no bound is passed.
#include "acta/compress/extractive.hpp"
#include "acta/observe/observer.hpp"
#include "acta/text/byte_pair.hpp"
#include "acta/text/chunks.hpp"
#include "fuzz.hpp"

namespace {

/// All single bytes and a few pairs, as a file of ranks.
std::string make_ranks() {
    const std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    unsigned rank = 0;
    const auto add = [&](unsigned first, unsigned second, bool pair) {
        out += letters[first >> 2U];
        out += letters[(first & 3U) << 4U | second >> 4U];
        out += pair ? letters[(second & 0xFU) << 2U] : '=';
        out.append("= ").append(std::to_string(rank++)).append("\n");
    };
    for (unsigned byte = 0; byte < 256; ++byte) add(byte, 0, false);
    for (const std::string_view pair : {"th", "er", "  ", "in", "00", "e ", "\n\n", "''"})
        add(static_cast<unsigned char>(pair[0]), static_cast<unsigned char>(pair[1]), true);
    return out;
}

void check_tokens(std::string_view text) {
    static const std::string ranks = make_ranks();
    for (const auto encoding : {acta::TokenEncoding::cl100k_base, acta::TokenEncoding::o200k_base}) {
        static const acta::BytePairTokenizer older(ranks, acta::TokenEncoding::cl100k_base);
        static const acta::BytePairTokenizer newer(ranks, acta::TokenEncoding::o200k_base);
        const auto& tokenizer = encoding == acta::TokenEncoding::cl100k_base ? older : newer;
        const auto tokens = tokenizer.encode(text);
        fuzz::require(tokenizer.decode(tokens) == text, "tokens that are not the text");
        fuzz::require(tokenizer(text) == tokens.size(), "another number of tokens");
    }
    try {
        (void)acta::BytePairTokenizer(text, acta::TokenEncoding::cl100k_base);
    } catch (const acta::RanksError&) {
        return;
    }
}

void check_chunks(const std::string& text, std::size_t overlap) {
    acta::ChunkOptions options;
    options.max_tokens = 20;
    options.overlap_tokens = overlap;
    std::string joined;
    for (const acta::TextChunk& chunk : acta::split_into_chunks(text, options)) {
        fuzz::require(chunk.tokens <= options.max_tokens, "a chunk above the limit");
        fuzz::require(chunk.overlap < chunk.text.size(), "a chunk of nothing new");
        fuzz::require(chunk.offset + chunk.overlap == joined.size(), "a chunk in another place");
        joined += chunk.text.substr(chunk.overlap);
    }
    fuzz::require(joined == text, "chunks that are not the text");
}

void check_summary(const std::string& text) {
    acta::SummaryRequest request;
    request.max_tokens = 30;
    try {
        const std::string summary = acta::ExtractiveSummarizer{}(text, request);
        fuzz::require(!summary.empty() && summary.find('\n') == std::string::npos, "a summary of no or several lines");
        fuzz::require(acta::EstimateTokens{}(summary) <= request.max_tokens, "a summary above the limit", summary);
        fuzz::require(acta::utf8::is_valid(summary), "a summary that is not UTF-8", summary);
    } catch (const acta::SummaryError&) {
        // Control characters alone are no content.
        fuzz::require(acta::compress_detail::one_line(text).empty(), "text without a summary", text);
    }
}

void run(std::string_view text) {
    check_tokens(text);
    std::size_t size = 0;
    for (const std::string_view sentence : acta::AnySentenceSplitter{}(text)) size += sentence.size();
    fuzz::require(size == text.size(), "sentences that are not the text");
    (void)acta::mask_secrets(text);
    const std::string clean = acta::utf8::replace_invalid(text);
    fuzz::require(acta::utf8::is_valid(clean), "still not UTF-8");
    check_chunks(clean, 0);
    check_chunks(clean, 6);
    check_summary(clean);
}

}  // namespace

FUZZ_TARGET(run)
