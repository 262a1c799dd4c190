// SPDX-License-Identifier: MIT
#include "acta/base/duration.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <ratio>
#include <type_traits>

#include "acta/base/stop_token.hpp"
#include "support/catch.hpp"

using acta::base::saturated_cast;
using acta::base::saturated_sum;
using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using TimePoint = std::chrono::steady_clock::time_point;

TEST_CASE("a duration in another unit is the same, or the one at the end that it is beyond") {
    STATIC_REQUIRE(saturated_cast<nanoseconds>(milliseconds(5)) == milliseconds(5));
    STATIC_REQUIRE(saturated_cast<nanoseconds>(milliseconds(-5)) == milliseconds(-5));
    STATIC_REQUIRE(saturated_cast<milliseconds>(microseconds(1999)) == milliseconds(1));
    STATIC_REQUIRE(saturated_cast<nanoseconds>(nanoseconds::max()) == nanoseconds::max());
    STATIC_REQUIRE(saturated_cast<nanoseconds>(milliseconds::max()) == nanoseconds::max());
    STATIC_REQUIRE(saturated_cast<nanoseconds>(milliseconds::min()) == nanoseconds::min());
    STATIC_REQUIRE(saturated_cast<microseconds>(hours::max()) == microseconds::max());
    STATIC_REQUIRE(saturated_cast<microseconds>(nanoseconds::max()) < microseconds::max());
    using Unsigned = std::chrono::duration<std::uint64_t, std::milli>;
    using Short = std::chrono::duration<std::int16_t>;
    STATIC_REQUIRE(saturated_cast<milliseconds>(Unsigned::max()) == milliseconds::max());
    STATIC_REQUIRE(saturated_cast<Short>(hours(24)) == Short::max());
    STATIC_REQUIRE(saturated_cast<Short>(hours(-24)) == Short::min());
    // The largest number of nanoseconds that is a whole number of seconds, and one second more.
    STATIC_REQUIRE(saturated_cast<nanoseconds>(seconds(9'223'372'036)).count() == 9'223'372'036'000'000'000);
    STATIC_REQUIRE(saturated_cast<nanoseconds>(seconds(9'223'372'037)) == nanoseconds::max());
    // And as the program computes it.
    for (const std::int64_t count : {-9'223'372'036, -9'223'372'037, 9'223'372'036, 9'223'372'037}) {
        const bool fits = count % 2 == 0;
        const nanoseconds end = count < 0 ? nanoseconds::min() : nanoseconds::max();
        CHECK(saturated_cast<nanoseconds>(seconds(count)) == (fits ? nanoseconds(count * 1'000'000'000) : end));
    }
    CHECK(saturated_cast<milliseconds>(Unsigned::max()) == milliseconds::max());
    CHECK(saturated_cast<Short>(seconds(32'767)) == Short(32'767));
    CHECK(saturated_cast<Short>(seconds(32'768)) == Short::max());
    CHECK(saturated_cast<Short>(seconds(-32'768)) == Short::min());
    CHECK(saturated_cast<Short>(seconds(-32'769)) == Short::min());
    CHECK(saturated_cast<microseconds>(milliseconds(-5)) == microseconds(-5000));
    CHECK(saturated_cast<milliseconds>(microseconds(-1999)) == milliseconds(-1));
}

TEST_CASE("a moment after or before another is at most the last and at least the first one") {
    constexpr TimePoint now{hours(5)};
    STATIC_REQUIRE(saturated_sum(now, milliseconds(5)) == now + milliseconds(5));
    STATIC_REQUIRE(saturated_sum(now, hours(-6)) == TimePoint(hours(-1)));
    STATIC_REQUIRE(saturated_sum(now, nanoseconds::max()) == TimePoint::max());
    STATIC_REQUIRE(saturated_sum(now, milliseconds::max()) == TimePoint::max());
    STATIC_REQUIRE(saturated_sum(now, milliseconds::min()) == TimePoint::min() + hours(5));
    STATIC_REQUIRE(saturated_sum(TimePoint::max(), hours(1)) == TimePoint::max());
    STATIC_REQUIRE(saturated_sum(TimePoint::min(), hours(-1)) == TimePoint::min());
    STATIC_REQUIRE(saturated_sum(TimePoint::max(), hours(-1)) == TimePoint::max() - hours(1));
    STATIC_REQUIRE(saturated_sum(nanoseconds::max(), nanoseconds(1)) == nanoseconds::max());
}

TEST_CASE("a sum of numbers is at most the largest and at least the smallest one, and an unknown one adds nothing") {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
    struct Row {
        std::int64_t a;
        std::int64_t b;
        std::int64_t sum;
    };
    for (const Row& row : {Row{2, 3, 5}, Row{-2, -3, -5}, Row{2, -3, -1}, Row{0, 0, 0}, Row{largest, 0, largest},
                           Row{largest - 1, 1, largest}, Row{largest, 1, largest}, Row{largest, largest, largest},
                           Row{smallest, 0, smallest}, Row{smallest + 1, -1, smallest}, Row{smallest, -1, smallest},
                           Row{smallest, smallest, smallest}, Row{smallest, largest, -1}}) {
        CAPTURE(row.a, row.b);
        CHECK(saturated_sum(row.a, row.b) == row.sum);
        CHECK(saturated_sum(row.b, row.a) == row.sum);
        CHECK(saturated_sum(std::optional(row.a), std::optional(row.b)) == row.sum);
        CHECK(saturated_sum(std::optional(row.a), std::optional<std::int64_t>()) == row.a);
        CHECK(saturated_sum(std::optional<std::int64_t>(), std::optional(row.a)) == row.a);
    }
    CHECK_FALSE(saturated_sum(std::optional<std::int64_t>(), std::optional<std::int64_t>()));
}

TEST_CASE("a time limit is made of any duration") {
    using acta::TimeLimit;
    STATIC_REQUIRE(TimeLimit(milliseconds(20)) == nanoseconds(20'000'000));
    STATIC_REQUIRE(TimeLimit(milliseconds::max()) == nanoseconds::max());
    STATIC_REQUIRE(TimeLimit(hours::min()) == nanoseconds::min());
    STATIC_REQUIRE_FALSE(std::is_convertible_v<std::chrono::duration<double>, TimeLimit>);
    std::optional<TimeLimit> limit;
    limit = milliseconds::max();
    CHECK(acta::deadline_in(nanoseconds(*limit)) == TimePoint::max());
    limit = seconds(1);
    CHECK(limit == seconds(1));
    limit = {};
    CHECK_FALSE(limit);
}
