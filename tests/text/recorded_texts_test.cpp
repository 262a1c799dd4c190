// SPDX-License-Identifier: MIT
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/text/byte_pair.hpp"
#include "acta/text/chunks.hpp"
#include "acta/text/tokens.hpp"
#include "support/catch.hpp"
#include "support/noise.hpp"
#include "support/recorded.hpp"
#include "text/data.hpp"

// Texts made at random, divided and counted as they were when last looked at (CONTRIBUTING.md, "What a change needs").
namespace {

/// Sentences, lists, code and signs of several languages.
std::string text_of(Noise& noise) {
    static const auto parts = parts_of(
        "The tide was high|Mr. Smith|e.g. this|cf. p. 3|No. 5|J. R. R.|U.S.|etc.|at 10.5 m|v1.2.3|www.a.org/x.html|"
        "file.tar.gz|... and|\"He said.\"|(See below.)|What?!|Yes|no|3|a|It's|camelCase_name|HTTPServer|0x1F|12,345.67|"
        "\xE6\xBD\xAE\xE4\xBD\x8D\xE3\x81\xAF\xE9\xAB\x98\xE3\x81\x84|\xE3\x80\x82|\xEF\xBC\x81|\xE3\x80\x8C|"
        "\xE3\x80\x8D|"
        "\xE3\x83\x8B\xE3\x83\xA5|\xED\x95\x9C\xEA\xB5\xAD|\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82|"
        "\xD1\x82.\xD0\xB5.|\xD8\xA7\xD9\x84|\xD8\x9F|\xE0\xA5\xA4|\xE2\x80\xA6|\xC2\xBF|\xC3\xA9t\xC3\xA9|"
        "\xF0\x9F\x99\x82|\xF0\xA0\x80\x80|a1b2c3d4e5f60718|A9c8E7g6I5k4M3o2|a1b2c3d4e5f6071|AB|ABC|we're|I've|you'll|"
        "it'\xC5\xBF|'RE|a\xC5\xBF|internationalization|p.m.|Prof.Dr.rer.nat.habil.x|\xCC\x81|\xFF|\xE2\x80\xA8");
    static const auto ends = parts_of(
        ". |. |.|! |? |?|: |; |, | | | | |\n|\n|\n\n|\n\n\n|\r\n|\t|  |\n- |\n* |\n1. |\n2) |\n# |```\n|\n```\n|~~~|\n "
        "   |"
        ".\" |.) |... |\"|'|)|]|}|(|[|{|=|+|--|==|/|\\|@|#|%|_|<a>|&amp;|$");
    // The first and the last code points of the ranges of scripts.
    static constexpr char32_t bounds[] = {0xBF,   0xC0,   0x36F,  0x370,   0x58F,  0x590,  0x8FF,  0x900,  0xDFF,
                                          0xE00,  0x109F, 0x10A0, 0x1DFF,  0x1E00, 0x1EFF, 0x1F00, 0x1FFF, 0x2000,
                                          0x2E7F, 0x2E80, 0x2FFF, 0x3000,  0x303F, 0x3040, 0x30FF, 0x3100, 0x9FFF,
                                          0xA000, 0xABFF, 0xAC00, 0xD7AF,  0xD7B0, 0xF8FF, 0xF900, 0xFAFF, 0xFB00,
                                          0xFEFF, 0xFF00, 0xFFFF, 0x10000, 0x3FF,  0x400,  0x53F,  0x540};
    std::string out;
    for (std::size_t i = 1 + noise.below(noise.chance(4) ? 120 : 12); i > 0; --i) {
        if (noise.chance(12)) acta::utf8::append(out, bounds[noise.below(std::size(bounds))]);
        out += noise.one_of(parts);
        if (noise.chance(12)) acta::utf8::append(out, bounds[noise.below(std::size(bounds))]);
        if (!noise.chance(8)) out += noise.one_of(ends);
    }
    return out;
}

std::string joined(const std::vector<std::string_view>& pieces) {
    std::string out;
    for (const std::string_view one : pieces) out += std::to_string(one.size()) + "<" + std::string(one) + ">";
    return out;
}

}  // namespace

TEST_CASE("texts are divided and counted as was recorded") {
    const acta::BytePairTokenizer tokenizers[] = {
        acta::BytePairTokenizer::from_file(acta_test::text_data() / "small.tiktoken", acta::TokenEncoding::cl100k_base),
        acta::BytePairTokenizer::from_file(acta_test::text_data() / "small.tiktoken", acta::TokenEncoding::o200k_base)};
    Noise noise(1);
    const auto made = [&] {
        const std::string text = text_of(noise);
        std::string out;
        for (const acta::CodeBlocks blocks : {acta::CodeBlocks::lines, acta::CodeBlocks::whole}) {
            for (const bool lines : {true, false})
                out += joined(acta::RuleSentenceSplitter{blocks, lines}(text)) + "\n";
        }
        out += std::to_string(acta::EstimateTokens{}(text));
        for (const acta::BytePairTokenizer& tokenizer : tokenizers) out += " " + std::to_string(tokenizer(text));
        acta::ChunkOptions options;
        options.max_tokens = 4 + noise.below(40);
        options.overlap_tokens = noise.below(options.max_tokens);
        for (const acta::TextChunk& one : acta::split_into_chunks(text, options))
            out += " " + std::to_string(one.tokens) + "/" + std::to_string(one.overlap) + "<" + std::string(one.text) +
                   ">";
        return out;
    };
    check_recorded("tests/text/texts.txt", results(made, 12, 40, 40));
}
