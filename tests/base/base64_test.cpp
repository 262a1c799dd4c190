// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include "acta/base/utility.hpp"
#include "support/catch.hpp"

TEST_CASE("bytes and base64 are converted both ways") {
    // RFC 4648, section 10, and bytes that need both other letters.
    const std::vector<std::pair<std::string, std::string>> pairs{
        {"f", "Zg=="},         {"fo", "Zm8="},         {"foo", "Zm9v"},         {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}, {"\xfb\xff\xbf", "+/+/"}};
    for (const auto& [bytes, text] : pairs) {
        CHECK(acta::base::base64(bytes) == text);
        std::string out = "-";
        CHECK(acta::base::append_base64(text, out));
        CHECK(out == "-" + bytes);
    }
    CHECK(acta::base::base64("").empty());
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string all;
    CHECK(acta::base::append_base64(letters, all));
    CHECK(acta::base::base64(all) == letters);
}

TEST_CASE("what is not base64 is refused") {
    std::vector<std::string> texts{"", "Zg", "Zg=", "Z===", "====", "Zh==", "Zm9=", "Zm 9", "Zg==Zg==", "Zg=a"};
    for (const char c : {'@', '[', '`', '{', ':', '*', ',', '.', '_', '\x80'})
        texts.push_back(std::string("AA") + c + "A");
    for (const std::string& text : texts) {
        INFO(text);
        std::string out;
        CHECK_FALSE(acta::base::append_base64(text, out));
    }
}
