// SPDX-License-Identifier: MIT
#include <chrono>
#include <ctime>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "acta/provider/http/http.hpp"
#include "support/catch.hpp"

using std::chrono::seconds;

TEST_CASE("Retry-After is read as seconds and as a date in its three forms") {
    const auto wait = [](std::string_view value, std::string_view date = {}) {
        constexpr std::time_t now = 784111777;  // Sun, 06 Nov 1994 08:49:37 GMT
        return acta::http::parse_retry_after(value, date, now);
    };
    CHECK(wait("0") == seconds(0));
    CHECK(wait("120") == seconds(120));
    CHECK(wait(std::string_view("1207").substr(0, 3)) == seconds(120));
    CHECK(wait("Sun, 06 Nov 1994 08:50:07 GMT") == seconds(30));
    CHECK(wait("Sunday, 06-Nov-94 08:50:07 GMT") == seconds(30));
    CHECK(wait("Sun Nov  6 08:50:07 1994") == seconds(30));
    CHECK(wait("Sun, 06 Nov 1994 08:00:00 GMT") == seconds(0));
    // The server's own clock counts.
    CHECK(wait("Tue, 01 Jan 2030 00:00:05 GMT", "Tue, 01 Jan 2030 00:00:00 GMT") == seconds(5));
    CHECK(wait("Sun, 06 Nov 1994 08:50:07 GMT", "rubbish") == seconds(30));
    CHECK_FALSE(wait(""));
    CHECK_FALSE(wait("soon"));
    CHECK_FALSE(wait("-5"));
    CHECK_FALSE(wait("1.5e3x"));
    constexpr std::chrono::hours ten_years(10 * 365 * 24);
    CHECK(wait("315359999") == ten_years - seconds(1));
    for (const char* const longer : {"315360000", "315360001", "99999999999999999999999"})
        CHECK(wait(longer) == ten_years);
}

TEST_CASE("each part of a date counts, up to the last that there is") {
    const auto at = [](std::string text, std::string_view part, std::string_view other) -> std::optional<seconds> {
        text.replace(text.find(part), part.size(), other);
        const auto out = acta::http::parse_retry_after(text, "Sun, 06 Nov 1994 08:00:00 GMT", 0);
        return out ? std::optional(std::chrono::duration_cast<seconds>(*out)) : std::nullopt;
    };
    using std::chrono::hours;
    using std::chrono::minutes;
    constexpr hours day(24);
    const std::string year = "1994";
    for (const std::string& date :
         {std::string("Sun, 06 Nov 1994 08:00:00 GMT"), std::string("Sun Nov 06 08:00:00 1994"),
          std::string("Sunday, 06-Nov-94 08:00:00 GMT")}) {
        CAPTURE(date);
        CHECK(at(date, "06", "06") == seconds(0));
        CHECK(at(date, "06", "07") == day);
        CHECK(at(date, "06", "30") == 24 * day);
        CHECK(at(date, "08", "23") == hours(15));
        CHECK(at(date, ":00", ":59") == minutes(59));
        CHECK(at(date, ":00:00", ":00:60") == seconds(60));
        CHECK(at(date, "Nov", "Dec") == 30 * day);
        CHECK(at(date, "94", "95") == 365 * day);
        for (const auto& [part, other] :
             std::initializer_list<std::pair<const char*, const char*>>{{"06", "00"},
                                                                        {"06", "31"},
                                                                        {"06", "x"},
                                                                        {"08", "24"},
                                                                        {":00", ":60"},
                                                                        {":00:00", ":00:61"},
                                                                        {"Nov", "Foo"},
                                                                        {"Nov", "ovD"},
                                                                        {"Nov", ""},
                                                                        {":", ";"}})
            CHECK_FALSE(at(date, part, other));
        // Before a date was known, and after all: the past is now.
        CHECK(at(date, "Nov", "Jan") == seconds(0));
    }
    constexpr hours ten_years(10 * 365 * 24);
    const std::string date = "Sun, 06 Nov 1994 08:00:00 GMT";
    CHECK(at(date, year, "9999") == ten_years);
    CHECK(at(date, year, "1970") == seconds(0));
    CHECK_FALSE(at(date, year, "1969"));
    CHECK_FALSE(at(date, year, "0100"));
    // Years of two digits: up to 69 of this century.
    CHECK(at("Sunday, 06-Nov-94 08:00:00 GMT", "94", "69") == ten_years);
    CHECK(at("Sunday, 06-Nov-94 08:00:00 GMT", "94", "70") == seconds(0));
}
