// SPDX-License-Identifier: MIT
#include <chrono>
#include <ctime>
#include <string_view>

#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT)
#include "acta/provider/http/http.hpp"

using std::chrono::seconds;

TEST_CASE("Retry-After is read as seconds and as a date in its three forms") {
    const auto wait = [](std::string_view value, std::string_view date = {}) {
        constexpr std::time_t now = 784111777;  // Sun, 06 Nov 1994 08:49:37 GMT
        return acta::http::parse_retry_after(value, date, now);
    };
    CHECK(wait("0") == seconds(0));
    CHECK(wait("120") == seconds(120));
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
    CHECK(wait("99999999999999999999999") > std::chrono::hours(24));  // too large for a number, and far too long
}

#else

TEST_CASE("Retry-After is read with libcurl") { ACTA_SKIP("libcurl is not there"); }

#endif
