// SPDX-License-Identifier: MIT
#include <exception>
#include <string>

#include "acta/describe/pattern.hpp"
#include "support/catch.hpp"
#include "support/noise.hpp"
#include "support/recorded.hpp"

// Patterns made at random, which are refused or found in texts as they were when last looked at (CONTRIBUTING.md, "What
// a change needs"). pattern_test.cpp compares the common ones with std::regex.
TEST_CASE("patterns are refused and found as was recorded") {
    auto parts = parts_of(
        "a|b|A|z|0|_|-|.|^|$|(|)|(?:|[|]|[^|[a-|*|+|?|{|}|{2}|{0,1}|{,3}|{2,|{1,0}|,|\\|\\d|\\D|\\w|\\W|\\s|\\S|\\b|"
        "\\B|"
        "\\.|\\x41|\\u00e9|\\uD800|\\n|\\t|\\-|\\A|\\p{L}|\\1|(?=|(?<|(?i)|*?|\xC3\xA9|\xF0\x9F\x99\x82|\xED\x9F\xBF|"
        "\xEE\x80\x80|\xFF| |[a-z]|[^0-9]|[A-Z_a]+|[\\d.]|[^\\w-]*|[\\S]|[\xC3\xA9-\xEE\x80\x80]|[z-a]|(b*)|(a.)+|"
        ".*|a?|b{2,3}|[^\\D]|[]a]|[\\]]");
    for (const char* const one : {"|", "(a|b)", "(|0)?"}) parts.emplace_back(one);
    const auto texts =
        parts_of("a|b|A|z|0|9|_|-|.| |\n|\t|\xC3\xA9|\xF0\x9F\x99\x82|\xED\x9F\xBF|\xEE\x80\x80|{|}|,|(|[|]");
    Noise noise(4);
    const auto made = [&] {
        const std::string pattern = noise.text(parts, noise.chance(3) ? 8 : 3);
        std::string out = pattern + "|";
        try {
            acta::describe_detail::check_pattern(pattern);
        } catch (const std::exception& error) {
            return out + error.what();
        }
        for (int i = 0; i < 6; ++i) {
            const std::string text = noise.text(texts, 4);
            out += text + (acta::describe_detail::contains_match(text, pattern, nullptr) ? " yes, " : " no, ");
        }
        return out;
    };
    check_recorded("tests/describe/patterns.txt", results(made, 60, 60, 200));
}
