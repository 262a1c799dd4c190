// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "acta/json/json.hpp"
#include "support/catch.hpp"

namespace {

using acta::Json;

/// The code of the only issue, or `ok`.
template <class T>
std::string code(const std::string& text, acta::Strictness strictness = acta::Strictness::lax) {
    try {
        static_cast<void>(acta::parse<T>(text, {.strictness = strictness}));
        return "ok";
    } catch (const acta::ValidationError& error) {
        REQUIRE(error.issues().size() == 1);
        return error.issues()[0].type;
    }
}

template <class T>
std::string printed(T value) {
    return acta::dump(value);
}

std::string up(std::string digits) {  // the next number away from zero
    std::size_t i = digits.size();
    while (i > 0 && digits[i - 1] == '9') digits[--i] = '0';
    if (i > 0 && digits[i - 1] != '-')
        ++digits[i - 1];
    else
        digits.insert(i, 1, '1');
    return digits;
}

}  // namespace

TEMPLATE_TEST_CASE("every integer type takes its whole range and not one more", "", std::int8_t, std::uint8_t,
                   std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, long,
                   unsigned long, long long, unsigned long long) {
    using T = TestType;
    const std::string min = std::to_string(std::numeric_limits<T>::min());
    const std::string max = std::to_string(std::numeric_limits<T>::max());
    const std::string below = min == "0" ? "-1" : up(min);
    for (const std::string& quote : {std::string(), std::string("\"")}) {
        INFO(quote);
        CHECK(acta::parse<T>(quote + min + quote) == std::numeric_limits<T>::min());
        CHECK(acta::parse<T>(quote + max + quote) == std::numeric_limits<T>::max());
        CHECK(code<T>(quote + up(max) + quote) == "int_parsing_size");
        CHECK(code<T>(quote + below + quote) == "int_parsing_size");
        CHECK(code<T>(quote + "99999999999999999999999" + quote) == "int_parsing_size");
        CHECK(code<T>(quote + "-99999999999999999999999" + quote) == "int_parsing_size");
    }
    CHECK(acta::validate<T>(Json(std::numeric_limits<T>::max())) == std::numeric_limits<T>::max());
    CHECK(acta::validate<T>(Json(std::numeric_limits<T>::min())) == std::numeric_limits<T>::min());
    CHECK_THROWS_AS(acta::validate<T>(Json(std::numeric_limits<double>::max())), acta::ValidationError);
    CHECK(printed(std::numeric_limits<T>::min()) == min);
    CHECK(printed(std::numeric_limits<T>::max()) == max);
    CHECK(acta::parse<T>("-0") == 0);
    CHECK(acta::parse<T>("7.0") == 7);
    CHECK(acta::parse<T>("1e1") == 10);
    CHECK(acta::parse<T>("true") == 1);
    CHECK(code<T>("7.0", acta::Strictness::strict) == "int_type");
    CHECK(code<T>("\"7\"", acta::Strictness::strict) == "int_type");
    CHECK(code<T>("true", acta::Strictness::strict) == "int_type");
    CHECK(code<T>("7.5") == "int_from_float");
    CHECK(code<T>("1e300") == "int_parsing_size");
    CHECK(code<T>("1e999") == "finite_number");
    CHECK(code<T>("null") == "int_type");
}

TEST_CASE("an integer is never read from a float beyond the exact ones") {
    CHECK(acta::parse<std::int64_t>("9007199254740992.0") == 9007199254740992);
    CHECK(acta::parse<std::int64_t>("-9007199254740992.0") == -9007199254740992);
    CHECK(code<std::int64_t>("9007199254740994.0") == "int_parsing_size");
    CHECK(code<std::int64_t>("-9007199254740994.0") == "int_parsing_size");
    CHECK(acta::parse<std::int64_t>("9007199254740993") == 9007199254740993);
    const auto fault = [](const Json& value) {
        try {
            return std::to_string(acta::validate<std::int64_t>(value));
        } catch (const acta::ValidationError& error) {
            return error.issues()[0].type + ": " + error.issues()[0].message;
        }
    };
    CHECK(fault(Json(-3.0)) == "-3");
    CHECK(fault(Json(1e18)) == "int_parsing_size: Unable to parse input string as an integer, exceeded maximum size");
    CHECK(fault(Json(0.5)) == "int_from_float: Input should be a valid integer, got a number with a fractional part");
    for (const double odd : {std::nan(""), HUGE_VAL, -HUGE_VAL})
        CHECK(fault(Json(odd)) == "finite_number: Input should be a finite number");
}

TEST_CASE("a bool is read from integers of up to 18 digits, and from whole numbers of 64 bits") {
    for (const std::string sign : {"", "-"}) {
        CHECK(code<bool>(sign + "999999999999999999") == "bool_parsing");
        CHECK(code<bool>(sign + "1000000000000000000") == "bool_type");
        CHECK(code<bool>(sign + "9223372036854774784.0") == "bool_parsing");
        CHECK(code<bool>(sign + "9223372036854775808.0") == "bool_type");
        CHECK(code<bool>(sign + "0.5") == "bool_type");
    }
    CHECK(code<bool>("18446744073709551615") == "bool_type");
    CHECK(code<bool>("1e999") == "bool_type");
    CHECK(acta::parse<bool>("1"));
    CHECK(acta::parse<bool>("1.0"));
    CHECK_FALSE(acta::parse<bool>("-0.0"));
    CHECK(code<bool>("2") == "bool_parsing");
}

TEST_CASE("a JSON value holds integers from -2^63 to 2^64-1 and refuses what is beyond") {
    CHECK(acta::parse<Json>("18446744073709551615").get<std::uint64_t>() == std::numeric_limits<std::uint64_t>::max());
    CHECK(acta::parse<Json>("-9223372036854775808").get<std::int64_t>() == std::numeric_limits<std::int64_t>::min());
    CHECK(code<Json>("18446744073709551616") == "int_parsing_size");
    CHECK(code<Json>("-9223372036854775809") == "int_parsing_size");
    CHECK(code<Json>("1" + std::string(5000, '0')) == "int_parsing_size");
    CHECK(acta::parse<Json>("0").type() == nlohmann::json::parse("0").type());
    CHECK(acta::parse<Json>("-1").type() == nlohmann::json::parse("-1").type());
    CHECK(acta::parse<Json>("1.0").is_number_float());
}

TEST_CASE("floats that overflow are issues, those that underflow are zeros with their sign") {
    for (const char* text : {"1e309", "-1e309", "1e999999999999", "17976931348623159e292", "0.1e400"}) {
        INFO(text);
        CHECK(code<double>(text) == "finite_number");
        CHECK(code<Json>(text) == "finite_number");
        CHECK(code<int>(text) == "finite_number");
    }
    for (const char* text : {"1e-400", "1e-999999999999", "0.000e999999", "0e400", "0.1e-400"}) {
        INFO(text);
        CHECK(acta::parse<double>(text) == 0.0);
        CHECK_FALSE(std::signbit(acta::parse<double>(text)));
        CHECK(std::signbit(acta::parse<double>("-" + std::string(text))));
        CHECK(std::signbit(acta::parse<Json>("-" + std::string(text)).get<double>()));
    }
    CHECK(acta::parse<double>("0." + std::string(400, '0') + "1e401") == 1.0);
    CHECK(acta::parse<double>("1" + std::string(400, '0') + "e-400") == 1.0);
    CHECK(acta::parse<double>("5e-324") == std::numeric_limits<double>::denorm_min());
    CHECK(acta::parse<double>("2.2250738585072011e-308") == 2.2250738585072011e-308);
    CHECK(std::signbit(acta::parse<double>("-0.0")));
    CHECK_FALSE(std::signbit(acta::parse<double>("-0")));  // an integer, as for Python
}

TEST_CASE("white space of any script around a number in a text does not count") {
    for (const char* const space : {" ", "\\n", "\u0085", "\u00A0", "\u1680", "\u2003", "\u2028", "\u205F", "\u3000"}) {
        INFO(space);
        CHECK(acta::parse<int>(std::string("\"") + space + "7" + space + "\"") == 7);
    }
    for (const char* const other : {"\u200B", "\u2010", "\uFEFF"})
        CHECK_THROWS_AS(acta::parse<int>(std::string("\"") + other + "7\""), acta::ValidationError);
    // In memory a text may be no UTF-8: the beginning of a space is none.
    CHECK_THROWS_AS(acta::validate<int>(acta::Json("\xE2\x80 7")), acta::ValidationError);
}

TEST_CASE("values in memory that JSON does not have are refused") {
    for (const acta::Json& value : {acta::Json::binary({1, 2}), acta::Json(acta::Json::value_t::discarded)}) {
        try {
            static_cast<void>(acta::validate<int>(value));
            FAIL("was read");
        } catch (const acta::ValidationError& error) {
            CHECK(error.issues().front().type == "int_type");
        }
    }
}

TEST_CASE("a float field is the nearest one, also from integers and in single precision") {
    CHECK(acta::parse<double>("9007199254740993") == 9007199254740992.0);
    CHECK(acta::parse<double>("18446744073709551615") == 18446744073709551616.0);
    CHECK(acta::parse<float>("0.1") == 0.1F);
    CHECK(acta::parse<float>("16777217") == 16777216.0F);
    CHECK(acta::dump(acta::parse<float>("0.5")) == "0.5");
}

TEST_CASE("a float field takes an integer beyond 64 bits, as the nearest float") {
    CHECK(acta::parse<double>("18446744073709551616") == 0x1p64);
    CHECK(acta::parse<double>("-9223372036854775809") == -0x1p63);
    CHECK(acta::parse<double>("100000000000000000000000000000") == 1e29);
    CHECK(acta::parse<double>("1" + std::string(308, '0')) == 1e308);
    CHECK(acta::parse<float>("100000000000000000000") == 1e20F);
    CHECK(code<double>("1" + std::string(309, '0')) == "finite_number");
    CHECK(code<double>("-1" + std::string(5000, '0')) == "finite_number");
    CHECK(code<float>("1" + std::string(39, '0')) == "finite_number");
}

TEST_CASE("a number beyond single precision is refused, not made infinite") {
    CHECK(code<float>("3.4028234e38") == "ok");
    CHECK(code<float>("3.5e38") == "finite_number");
    CHECK(code<float>("-1e300") == "finite_number");
}
