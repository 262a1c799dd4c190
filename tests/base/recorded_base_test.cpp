// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/real.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/unused_names.hpp"
#include "acta/base/utility.hpp"
#include "support/catch.hpp"
#include "support/noise.hpp"
#include "support/recorded.hpp"

// What base makes of random input, as it was when last looked at (CONTRIBUTING.md, "What a change needs").
namespace {

using acta::Json;
namespace base = acta::base;

std::string said(bool yes) { return yes ? "+" : "-"; }

}  // namespace

TEST_CASE("texts are looked at as was recorded") {
    const auto parts = parts_of(
        "a|B|z|0|9|_| |  |\t|\n|\r|\r\n|\x0B|\x0C|\x1B|\x1C|\x1F|\x7F|'|\xC2\x85|\xC2\xAD|\xC2\xA0|\xC3\x9F|\xC3\xA9|"
        "\xCD\x8F|\xCE\xA3|\xD8\xA0|\xE0\xA4\x95|\xE1\x9E\x80|\xE1\xA0\x8E|\xE2\x80\x8B|\xE2\x80\x8C|\xE2\x80\x8D|"
        "\xE2\x80\x8E|\xE2\x80\xA8|\xE2\x80\xA9|\xE2\x83\xA3|\xE2\x9D\xA4|\xE3\x80\x80|\xE6\x97\xA5|\xEF\xB8\x8E|"
        "\xEF\xB8\x8F|\xEF\xBB\xBF|\xEF\xBF\xBD|\xF0\x9F\x91\xA9|\xF0\x9F\x99\x82|\xF3\xA0\x81\xA7|\xF4\x8F\xBF\xBF|"
        "\xFF|\xC3|\xE2\x80|\xF0\x9F|\xED\xA0\x80|\x80|#");
    Noise noise(1);
    const auto made = [&] {
        const std::string text = noise.text(parts, 10);
        const std::size_t at = noise.below(text.size() + 1);
        std::string out = acta::unicode::one_line(text) + "|" + acta::unicode::python_title(text) + "|";
        out += std::string(acta::unicode::trim(text)) + "|" + std::string(acta::ascii::trim(text)) + "|";
        out += std::string(acta::utf8::prefix(text, at)) + "|" + acta::utf8::replace_invalid(text) + "|";
        out += said(acta::unicode::is_blank(text)) + said(acta::utf8::is_boundary(text, at));
        for (const std::size_t number :
             {acta::unicode::next_line(text), acta::utf8::count_code_points(text), acta::utf8::find_invalid(text)})
            out += " " + (number == std::string_view::npos ? "none" : std::to_string(number));
        acta::unicode::split_hidden(
            text, [&](std::string_view piece) { out += "<" + std::string(piece) + ">"; },
            [&](std::string_view bytes, char32_t code) {
                out += std::to_string(bytes.size()) + "/" + std::to_string(static_cast<std::uint32_t>(code));
            });
        return out;
    };
    std::string classes;
    for (char32_t c = 0; c < 0x20000; ++c) {
        const acta::unicode::CharClass of = acta::unicode::char_class(c);
        classes += static_cast<char>('a' + static_cast<int>(of));
        classes += said(acta::unicode::is_letter(of));
        classes += said(acta::unicode::is_pictograph(c)) + said(acta::unicode::is_hidden(c, 0, 0)) +
                   said(acta::unicode::is_hidden(c, 0x1F469, 0x2764)) + said(acta::unicode::is_hidden(0x200D, c, c)) +
                   said(acta::unicode::is_python_printable(c)) + said(acta::unicode::is_python_identifier_part(c));
    }
    check_recorded("tests/base/texts.txt", results(made, 20, 20, 100) + std::to_string(base::fnv1a(classes)) + "\n");
}

TEST_CASE("names are compared and made as was recorded") {
    const auto parts = parts_of("read|write|file|search|web|_|-|.|/|:| |S|e|a|R|x|functions.|");
    Noise noise(2);
    const auto made = [&] {
        std::vector<std::string> names;
        for (std::size_t i = noise.below(6); i > 0; --i) names.push_back(noise.text(parts, 4));
        std::string wanted = names.empty() || noise.chance(4) ? noise.text(parts, 4) : noise.one_of(names);
        if (!wanted.empty() && noise.chance(2)) {
            const std::size_t at = noise.below(wanted.size());
            wanted.erase(at, 1 + noise.below(2));
        }
        if (wanted.size() > 1 && noise.chance(2)) std::swap(wanted[0], wanted[1]);
        if (noise.chance(3)) {
            const std::size_t at = noise.below(wanted.size() + 1);
            wanted.insert(at, noise.one_of(parts));
        }
        std::string out = wanted;
        for (const std::string& name : names) out += "," + name + said(acta::ascii::is_misspelling(wanted, name));
        return out + base::did_you_mean(base::closest_names(wanted, names, noise.below(4)));
    };
    check_recorded("tests/base/names.txt", results(made, 40, 20, 100));
    const std::string longest(64, 'a');
    // No more than 64 bytes are compared, of which a third may differ.
    const std::string same = longest.substr(21);
    CHECK(base::closest_names(same + std::string(22, 'b'), {same + std::string(22, 'x')}).size() == 1);
    CHECK(base::closest_names(same + std::string(21, 'b'), {same.substr(1) + std::string(22, 'x')}).empty());
    for (const std::size_t bytes : {3U, 4U, 64U, 65U}) {
        CAPTURE(bytes);
        CHECK(acta::ascii::is_misspelling(std::string(bytes, 'a'), std::string(bytes, 'a')) ==
              (bytes >= 4 && bytes <= 64));
    }
}

TEST_CASE("a name that is used gets the next number, and keeps within its bytes") {
    std::set<std::string> used;
    base::UnusedNames names(23);
    std::size_t asked = 0;
    const auto make = [&](const std::string& name) {
        std::string out = names.make(name, [&](const std::string& one) {
            ++asked;
            return used.count(one) != 0;
        });
        used.insert(out);
        return out;
    };
    const std::string longest(23, 'n');
    CHECK(make("a") == "a");
    CHECK(make("a") == "a_2");
    used.insert("a_3");
    CHECK(make("a") == "a_4");
    CHECK(make(longest) == longest);
    CHECK(make(longest) == std::string(21, 'n') + "_2");
    for (int i = 5; i < 10; ++i) CHECK(make("a") == "a_" + std::to_string(i));
    CHECK(make("a") == "a_10");
    for (int i = 3; i < 10; ++i) CHECK(make(longest) == std::string(21, 'n') + "_" + std::to_string(i));
    CHECK(make(longest + "x") == longest + "x");
    CHECK(make(longest) == std::string(20, 'n') + "_10");
    CHECK(make("\xE6\x97\xA5" + longest) == "\xE6\x97\xA5" + longest);
    CHECK(asked == 39);  // 21 calls, 22 names
}

TEST_CASE("numbers are written with the fewest digits, and read as they were written") {
    const auto digits = parts_of("0|0|1|2|5|9|9|4|7");
    Noise noise(3);
    const auto made = [&] {
        std::string number = noise.chance(2) ? "-" : "";
        number += noise.chance(3) ? "0" : "1" + noise.text(digits, 18);
        if (!noise.chance(3)) number += "." + noise.text(digits, noise.chance(4) ? 30 : 5);
        if (noise.chance(2)) {
            number += noise.chance(2) ? "e-" : "E+";
            number += std::to_string(noise.below(noise.chance(2) ? 20 : 340));
        }
        double value = 0;
        if (!base::text_to_double(number, value)) return number + " is too large";
        std::string out = number;
        for (const base::RealStyle& style : {base::json_reals, base::RealStyle{-4, true}}) {
            char buffer[base::ShortestDigits::longest];
            const std::string written(buffer, base::write_real(value, buffer, style));
            double again = 1;
            CHECK(base::text_to_double(written, again));
            CHECK(std::memcmp(&value, &again, sizeof value) == 0);
            out += " " + written;
        }
        return out;
    };
    check_recorded("tests/base/numbers.txt", results(made, 60, 20, 100));
    std::vector<std::string> large{"0.0001e400", "123e400", "1e309"};
    std::vector<std::string> small{"-0.0001e-400", "0.0e9", "0." + std::string(400, '0') + "1e10"};
    for (std::size_t length = 4; length < 60; ++length) {
        for (const char digit : {'1', '5', '8', '9'}) {
            large.push_back("1e" + std::string(length, digit));
            small.push_back("-1e-" + std::string(length, digit));
            small.push_back("0e" + std::string(length, digit));
        }
    }
    for (const std::string& number : large) {
        CAPTURE(number);
        double value = 0;
        CHECK_FALSE(base::text_to_double(number, value));
    }
    for (const std::string& number : small) {
        CAPTURE(number);
        double value = 1;
        CHECK(base::text_to_double(number, value));
        CHECK(value == 0);
        CHECK(std::signbit(value) == (number[0] == '-'));
    }
}

TEST_CASE("values are cleaned, compared and measured as was recorded") {
    const auto keys = parts_of("a|b|c|d|e|a\xFF|a\xFE|\xEF\xBF\xBD|");
    Noise noise(4);
    const auto value = [&](const auto& self, std::size_t depth) -> Json {
        switch (noise.below(depth > 0 ? 9 : 6)) {
            case 0: return nullptr;
            case 1: return noise.chance(2);
            case 2: return noise.below(3);
            case 3: return noise.chance(2) ? 9007199254740992.0 : 0.5 * static_cast<double>(noise.below(3));
            case 4: return noise.one_of(parts_of("5|-5|5x||9223372036854775807|9223372036854775808|x\xFF"));
            case 5: return noise.chance(2) ? Json(18446744073709551615U) : Json(9007199254740994.0);
            case 6: {
                Json out = Json::array();
                for (std::size_t i = noise.below(3); i > 0; --i) out.push_back(self(self, depth - 1));
                return out;
            }
            default: {
                Json out = Json::object();
                for (std::size_t i = noise.below(noise.chance(4) ? 16 : 4); i > 0; --i) {
                    const std::string& key = noise.one_of(keys);
                    base::put(out, key, self(self, depth - 1));
                }
                base::drop_repeated_keys(out.get_ref<Json::object_t&>());
                return out;
            }
        }
    };
    const auto made = [&] {
        Json one = value(value, 3);
        const Json other = noise.chance(2) ? one : value(value, 1);
        std::string out = said(base::equal(one, other));
        for (std::size_t levels = 0; levels < 4; ++levels) out += said(base::is_deeper(one, levels));
        const auto number = base::whole_number(one);
        out += number ? std::to_string(*number) : "none";
        base::clean(one);
        if (one.is_object()) {
            const Json* const found = base::find_path(one, "a/b");
            out += found == nullptr ? "none" : found->dump();
            out += base::text_member(one, "c");
            base::assign(one, "d", 7);
        }
        return out + " " + one.dump();
    };
    check_recorded("tests/base/values.txt", results(made, 30, 20, 100));
}

TEST_CASE("texts are joined, and letters that are no hexadecimal digits have no value") {
    CHECK(base::concat({"a", "", "bc"}) == "abc");
    CHECK(base::concat({}).empty());
    std::string digits;
    for (int c = 0; c < 256; ++c) {
        const int value = acta::ascii::hex_value(static_cast<char>(c));
        CHECK((value == -1 || (value >= 0 && value < 16)));
        if (value >= 0) digits += static_cast<char>(c);
    }
    CHECK(digits == "0123456789ABCDEFabcdef");
}

TEST_CASE("the escape of a code unit is read where it is whole") {
    using acta::unicode::escaped_unit;
    CHECK(escaped_unit("\\uD83D") == 0xD83D);
    CHECK(escaped_unit("\\ud83d rest") == 0xD83D);
    CHECK(escaped_unit("\\\\u0041", "\\\\") == 0x41);
    for (const char* const text : {"", "\\", "\\u", "\\uD83", "\\uD83g", "\\xD83D", "uD83D", "D83DD", "\\u-123"}) {
        CAPTURE(text);
        CHECK(escaped_unit(text) == 0);
    }
}
