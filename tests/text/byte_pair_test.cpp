// SPDX-License-Identifier: MIT
#include "acta/text/byte_pair.hpp"

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/text/tokens.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"
#include "text/data.hpp"

using acta::BytePairTokenizer;
using acta::Json;
using acta::TokenEncoding;

static_assert(acta::TokenCounter<BytePairTokenizer>);

namespace {

constexpr TokenEncoding encodings[] = {TokenEncoding::cl100k_base, TokenEncoding::o200k_base};

const char* name_of(TokenEncoding encoding) {
    return encoding == TokenEncoding::cl100k_base ? "cl100k_base" : "o200k_base";
}

std::string small_ranks() { return acta_test::read(acta_test::text_data() / "small.tiktoken"); }

// `small_ranks` with its first line replaced.
std::string with_first_line(const std::string& line) {
    const std::string ranks = small_ranks();
    return line + ranks.substr(ranks.find('\n'));
}

std::size_t line_of(const std::string& ranks) {
    try {
        const BytePairTokenizer tokenizer(ranks, TokenEncoding::cl100k_base);
    } catch (const acta::RanksError& error) {
        return error.line();
    }
    return 999999;
}

}  // namespace

TEST_CASE("small ranks yield the tokens of js-tiktoken") {
    const Json expected = Json::parse(acta_test::read(acta_test::text_data() / "small_tokens.json"));
    for (const TokenEncoding encoding : encodings) {
        const auto tokenizer = BytePairTokenizer::from_file(acta_test::text_data() / "small.tiktoken", encoding);
        CHECK(tokenizer.vocabulary_size() == 556);
        CHECK(tokenizer.encoding() == encoding);
        for (const Json& row : expected) {
            const auto text = row.at("text").get<std::string>();
            CAPTURE(name_of(encoding), text);
            const auto tokens = row.at(name_of(encoding)).get<std::vector<std::uint32_t>>();
            CHECK(tokenizer.encode(text) == tokens);
            CHECK(tokenizer(text) == tokens.size());
            CHECK(tokenizer.decode(tokens) == text);
        }
    }
}

TEST_CASE("real ranks yield the committed counts") {
    // The folder with cl100k_base.tiktoken and o200k_base.tiktoken, see docs/text.md.
    const char* const folder = std::getenv("ACTA_TIKTOKEN_DIR");
    if (folder == nullptr) ACTA_SKIP("ACTA_TIKTOKEN_DIR names no folder with ranks files");
    const Json rows = Json::parse(acta_test::read(acta_test::text_data() / "token_counts.json"));
    for (const TokenEncoding encoding : encodings) {
        const auto tokenizer = BytePairTokenizer::from_file(
            std::filesystem::path(folder) / (std::string(name_of(encoding)) + ".tiktoken"), encoding);
        for (const Json& row : rows) {
            const auto path = acta_test::counted_file(row);
            if (!std::filesystem::exists(path)) continue;
            const std::string text = acta_test::read(path);
            CAPTURE(path, name_of(encoding));
            REQUIRE(text.size() == row.at("bytes").get<std::size_t>());
            CHECK(tokenizer(text) == row.at(name_of(encoding)).get<std::size_t>());
            CHECK(tokenizer.decode(tokenizer.encode(text)) == text);
        }
    }
}

TEST_CASE("any bytes come back as they were") {
    std::mt19937 random(7);
    const BytePairTokenizer cl100k(small_ranks(), TokenEncoding::cl100k_base);
    const BytePairTokenizer o200k(small_ranks(), TokenEncoding::o200k_base);
    const std::string letters = "aA1 \n\r'sS/.\xC5\xBF\xE6\xBC\xA2\xF0\x9F\x80\x80\xCC\x81";
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        for (std::size_t n = random() % 40; n > 0; --n) {
            text += round % 2 == 0 ? static_cast<char>(static_cast<unsigned char>(random() % 256))
                                   : letters[random() % letters.size()];
        }
        CHECK(cl100k.decode(cl100k.encode(text)) == text);
        CHECK(o200k.decode(o200k.encode(text)) == text);
    }
}

TEST_CASE("one piece is split into tokens, however long it is") {
    const std::size_t size = test_size(150'000, 1'000'000);
    const BytePairTokenizer tokenizer(small_ranks(), TokenEncoding::o200k_base);
    for (const std::string_view part : {"a", " ", "A\xE4\xB8\xAD"}) {
        std::string text;
        while (text.size() < size) text += part;
        CHECK(tokenizer(text) <= text.size());
    }
}

TEST_CASE("a malformed ranks file is refused with its line") {
    CHECK(line_of(small_ranks()) == 999999);
    CHECK(line_of(with_first_line("")) == 0);  // the byte 13 is missing
    CHECK(line_of(with_first_line("DQ== 0\r")) == 999999);
    CHECK(line_of(with_first_line("DQ==")) == 1);
    CHECK(line_of(with_first_line("DQ== ")) == 1);
    CHECK(line_of(with_first_line("DQ== -1")) == 1);
    CHECK(line_of(with_first_line("DQ== 4294967295")) == 1);
    CHECK(line_of(with_first_line("DQ== 99999999999999999999")) == 1);
    CHECK(line_of(with_first_line("DQ= 0")) == 1);
    CHECK(line_of(with_first_line("DR== 0")) == 1);  // bits that base64 leaves unused
    CHECK(line_of(with_first_line("D*== 0")) == 1);
    CHECK(line_of(with_first_line("==== 0")) == 1);
    CHECK(line_of(with_first_line(" 0")) == 1);
    CHECK(line_of(small_ranks() + "DQ== 9000\n") == 557);
    CHECK(line_of(small_ranks() + "AAAAAAAA 0\n") == 557);
    CHECK(line_of("") == 0);
    CHECK_THROWS_WITH(BytePairTokenizer("x", TokenEncoding::o200k_base), contains_text("line 1: "));
}

TEST_CASE("a file that is not there and a rank that is not known are errors") {
    CHECK_THROWS_AS(BytePairTokenizer::from_file("/no/such.tiktoken", TokenEncoding::o200k_base), acta::FileError);
    CHECK_THROWS_WITH(BytePairTokenizer::from_file("/no/such.tiktoken", TokenEncoding::o200k_base),
                      contains_text("/no/such.tiktoken"));
    CHECK_THROWS_AS(BytePairTokenizer::from_file(acta_test::text_data(), TokenEncoding::o200k_base), acta::FileError);
    const BytePairTokenizer tokenizer(small_ranks(), TokenEncoding::o200k_base);
    CHECK_THROWS_AS(tokenizer.decode({100000}), acta::Error);
}
