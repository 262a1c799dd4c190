// SPDX-License-Identifier: MIT
#include "acta/base/retry.hpp"

#include <chrono>
#include <optional>
#include <thread>

#include "acta/base/stop_token.hpp"
#include "support/catch.hpp"

namespace {

using acta::RetryOptions;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr double most = 0.999999;

std::optional<nanoseconds> delay(int attempt, double jitter, std::optional<milliseconds> asked = {}) {
    acta::base::retry_clock().jitter = [jitter] { return jitter; };
    const auto out = acta::base::retry_delay({.max_attempts = 100}, attempt, asked);
    acta::base::retry_clock() = {};
    return out;
}

}  // namespace

TEST_CASE("three attempts are the default, and the last one is not repeated") {
    CHECK(RetryOptions{}.max_attempts == 3);
    CHECK(acta::base::retry_delay({}, 2));
    CHECK_FALSE(acta::base::retry_delay({}, 3));
    CHECK_FALSE(acta::base::retry_delay({.max_attempts = 0}, 1));
    CHECK(delay(99, 0));
    CHECK_FALSE(delay(100, 0));
}

TEST_CASE("waits double up to a limit, and jitter takes up to half of one away") {
    CHECK(delay(1, most) > milliseconds(499));
    CHECK(delay(1, most) <= milliseconds(500));
    CHECK(delay(1, 0) == milliseconds(250));
    CHECK(delay(2, 0) == milliseconds(500));
    CHECK(delay(6, 0) == milliseconds(8000));
    CHECK(delay(7, 0) == milliseconds(10000));
    CHECK(delay(90, 0) == milliseconds(10000));
    const RetryOptions none{.max_attempts = 5, .first_delay = milliseconds(0), .max_delay = milliseconds(0)};
    CHECK(acta::base::retry_delay(none, 4) == nanoseconds(0));
    const RetryOptions wrong{.max_attempts = 5, .first_delay = milliseconds(-5), .max_delay = milliseconds(-1)};
    CHECK(acta::base::retry_delay(wrong, 2) == nanoseconds(0));
}

TEST_CASE("the larger of the server's wish and our own back-off is waited for") {
    CHECK(delay(1, 0.0, seconds(20)) == seconds(20));
    CHECK(*delay(1, most, seconds(20)) > seconds(20));
    CHECK(*delay(1, most, seconds(20)) <= milliseconds(20250));
    // A server that says "at once", or a time in the past, is not asked in a tight loop.
    CHECK(delay(1, 0.0, seconds(0)) == milliseconds(250));
    CHECK(delay(4, 0.0, seconds(0)) == seconds(2));
    CHECK(delay(4, 0.0, milliseconds(10)) == seconds(2));
}

TEST_CASE("a server that wants too long a wait is not asked again") {
    CHECK(delay(1, 0.0, seconds(60)));
    CHECK_FALSE(delay(1, 0.0, milliseconds(60001)));
}

TEST_CASE("jitter is from 0 up to 1, and not constant") {
    bool differs = false;
    const double first = acta::base::jitter();
    for (int i = 0; i < 1000; ++i) {
        const double one = acta::base::jitter();
        REQUIRE((one >= 0 && one < 1));
        differs = differs || one != first;
    }
    CHECK(differs);
}

TEST_CASE("the longest and the shortest of all times are waits like any other") {
    using Delay = std::optional<nanoseconds>;
    const auto delay_of = [](RetryOptions options, int attempt, double jitter, std::optional<milliseconds> asked = {}) {
        options.max_attempts = 1000;
        acta::base::retry_clock().jitter = [jitter] { return jitter; };
        const auto out = acta::base::retry_delay(options, attempt, asked);
        acta::base::retry_clock() = {};
        return out;
    };
    constexpr milliseconds longest = milliseconds::max();
    constexpr milliseconds shortest = milliseconds::min();
    CHECK(delay_of({.max_delay = longest}, 1, 0) == milliseconds(250));
    CHECK(delay_of({.max_delay = longest}, 8, 0) == seconds(32));
    CHECK(delay_of({.max_delay = longest}, 900, 1) == nanoseconds::max());
    CHECK(delay_of({.max_delay = longest}, 900, 0) > std::chrono::hours(24 * 365 * 100));
    CHECK(delay_of({.first_delay = longest}, 1, 0) == seconds(10));
    CHECK(delay_of({.first_delay = longest, .max_delay = longest}, 1, 1) == nanoseconds::max());
    CHECK(delay_of({.first_delay = shortest}, 3, 0) == nanoseconds(0));
    CHECK(delay_of({.max_delay = shortest}, 3, 0) == nanoseconds(0));
    CHECK(delay_of({.first_delay = milliseconds(0), .max_delay = longest}, 900, 0) == nanoseconds(0));

    CHECK(delay_of({.max_retry_after = longest}, 1, most, longest) == nanoseconds::max());
    CHECK(delay_of({.max_delay = longest, .max_retry_after = longest}, 900, 1, longest) == nanoseconds::max());
    CHECK(delay_of({}, 1, 0, longest) == Delay());
    CHECK(delay_of({}, 1, 0, shortest) == milliseconds(250));
    CHECK(delay_of({.max_retry_after = shortest}, 1, 0, milliseconds(0)) == Delay());
    CHECK(delay_of({.max_retry_after = shortest}, 1, 0, shortest) == milliseconds(250));
}

TEST_CASE("a wait of all time lasts until the stop, and one that is over before it began does not last") {
    acta::base::retry_wait(nanoseconds::min(), {});
    acta::base::retry_wait(nanoseconds(0), {});
    acta::stop_source stop;
    const acta::jthread stopper([&stop] {
        std::this_thread::sleep_for(milliseconds(5));
        stop.request_stop();
    });
    acta::base::retry_wait(nanoseconds::max(), stop.get_token());
    CHECK(stop.stop_requested());
}
