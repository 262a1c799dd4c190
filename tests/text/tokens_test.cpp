// SPDX-License-Identifier: MIT
#include "acta/text/tokens.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>

#include "acta/base/json_value.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "text/data.hpp"

using acta::AnyTokenCounter;
using acta::EstimateTokens;
using acta::Json;
using acta::TokenEncoding;

static_assert(acta::TokenCounter<EstimateTokens>);
static_assert(acta::TokenCounter<AnyTokenCounter>);
static_assert(!acta::TokenCounter<int>);

namespace {

// The bound that docs/text.md and `EstimateTokens` state.
constexpr double bound = 0.15;

double error_of(const Json& row, TokenEncoding encoding) {
    const std::string text = acta_test::read(acta_test::counted_file(row));
    const double exact = row.at(encoding == TokenEncoding::cl100k_base ? "cl100k_base" : "o200k_base").get<double>();
    return static_cast<double>(EstimateTokens{encoding}(text)) / exact - 1;
}

void check_estimates(const std::string& origin) {
    for (const Json& row : Json::parse(acta_test::read(acta_test::text_data() / "token_counts.json"))) {
        if (row.at("origin") != origin) continue;
        CAPTURE(row.at("file"));
        REQUIRE(std::filesystem::file_size(acta_test::counted_file(row)) == row.at("bytes").get<std::uintmax_t>());
        CHECK(std::abs(error_of(row, TokenEncoding::cl100k_base)) <= bound);
        CHECK(std::abs(error_of(row, TokenEncoding::o200k_base)) <= bound);
    }
}

}  // namespace

TEST_CASE("the estimate keeps its bound on our own texts") { check_estimates("samples"); }

TEST_CASE("the estimate keeps its bound on the data of others") {
    if (!std::filesystem::exists(paths::shared_data("swe-agent"))) {
        ACTA_SKIP("the data of others is not there");
    }
    check_estimates("shared");
}

TEST_CASE("short texts are estimated well") {
    const auto estimate = [](std::string_view text) { return EstimateTokens{}(text); };
    CHECK(estimate("") == 0);
    CHECK(estimate(" ") == 1);
    CHECK(estimate("a") == 1);
    CHECK(estimate("\xFF") == 1);
    CHECK(estimate("Hello, world!") == 4);
    CHECK(estimate("The sea is never the same twice.") == 8);
    CHECK(estimate("1234567") == 3);
    CHECK(estimate(std::string(1000, ' ')) <= 12);
}

TEST_CASE("the estimate never counts more tokens than bytes twice over, whatever the bytes") {
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; b += 3) {
            const std::string text = {static_cast<char>(static_cast<unsigned char>(a)),
                                      static_cast<char>(static_cast<unsigned char>(b)),
                                      'x',
                                      '\xE6',
                                      '\xBC',
                                      '\xA2'};
            CHECK(EstimateTokens{}(text) <= 2 * text.size());
            CHECK(EstimateTokens{TokenEncoding::cl100k_base}(text.substr(0, 5)) >= 1);
        }
    }
}

TEST_CASE("any counter fits") {
    CHECK(AnyTokenCounter{}("The sea.") == EstimateTokens{}("The sea."));
    CHECK(AnyTokenCounter{EstimateTokens{TokenEncoding::cl100k_base}}(
              "\u6F22\u5B57\u6F22\u5B57\u6F22\u5B57\u6F22\u5B57") == 9);
    const AnyTokenCounter by_bytes = [](std::string_view text) { return text.size(); };
    const AnyTokenCounter copy = by_bytes;
    CHECK(copy("four") == 4);
}
