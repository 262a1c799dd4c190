// SPDX-License-Identifier: MIT
#include "acta/base/stop_token.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>
#include <version>

#include "support/catch.hpp"

// Built twice: against the standard library's stop tokens, and with ACTA_NO_STD_STOP_TOKEN against the replacement.

using namespace std::chrono_literals;

#if defined(ACTA_NO_STD_STOP_TOKEN) && defined(__cpp_lib_jthread)
static_assert(!std::is_same_v<acta::stop_token, std::stop_token>);
#endif

TEST_CASE("a stop reaches every token of its source, once") {
    const acta::stop_token none;
    CHECK_FALSE(none.stop_possible());
    CHECK_FALSE(none.stop_requested());

    acta::stop_source source;
    const acta::stop_token token = source.get_token();
    const acta::stop_token copy = token;
    CHECK(token.stop_possible());
    CHECK_FALSE(token.stop_requested());
    CHECK(source.request_stop());
    CHECK_FALSE(source.request_stop());
    CHECK(copy.stop_requested());
    CHECK(copy == token);
    CHECK_FALSE(copy == none);
}

TEST_CASE("a token whose sources are gone can no longer be stopped") {
    std::optional<acta::stop_source> source(std::in_place);
    const acta::stop_token token = source->get_token();
    std::optional<acta::stop_source> second(source);
    source.reset();
    CHECK(token.stop_possible());
    std::optional<acta::stop_source> third(std::move(*second));
    second.reset();
    CHECK(token.stop_possible());
    third.reset();
    CHECK_FALSE(token.stop_possible());
}

TEST_CASE("callbacks run at the stop, at once where it has been, and not after their end") {
    acta::stop_source source;
    std::vector<int> calls;
    const acta::stop_callback first(source.get_token(), [&calls] { calls.push_back(1); });
    {
        const acta::stop_callback gone(source.get_token(), [&calls] { calls.push_back(2); });
    }
    const acta::stop_callback third(source.get_token(), [&calls] { calls.push_back(3); });
    CHECK(calls.empty());
    source.request_stop();
    CHECK(calls.size() == 2);
    const acta::stop_callback late(source.get_token(), [&calls] { calls.push_back(4); });
    CHECK(calls.size() == 3);
    CHECK(calls.back() == 4);
    const acta::stop_callback never(acta::stop_token(), [&calls] { calls.push_back(5); });
    CHECK(calls.size() == 3);
}

TEST_CASE("a callback may end itself while it runs") {
    acta::stop_source source;
    struct Once {
        std::optional<acta::stop_callback<std::function<void()>>> callback{};
        int calls = 0;
    } once;
    once.callback.emplace(source.get_token(), [&once] {
        ++once.calls;
        once.callback.reset();
    });
    source.request_stop();
    CHECK(once.calls == 1);
    CHECK_FALSE(once.callback);
}

TEST_CASE("the end of a callback waits for its run on another thread") {
    acta::stop_source source;
    std::atomic<bool> begun = false;
    std::atomic<bool> finished = false;
    std::optional<acta::jthread> stopper;
    {
        const acta::stop_callback slow(source.get_token(), [&] {
            begun = true;
            std::this_thread::sleep_for(50ms);
            finished = true;
        });
        stopper.emplace([&source] { source.request_stop(); });
        while (!begun) std::this_thread::yield();
    }
    CHECK(finished);
}

TEST_CASE("a thread is stopped and joined at its end") {
    std::atomic<bool> stopped = false;
    {
        const acta::jthread thread([&stopped](const acta::stop_token& stop) {
            while (!stop.stop_requested()) std::this_thread::yield();
            stopped = true;
        });
    }
    CHECK(stopped);

    std::atomic<int> sum = 0;
    std::vector<acta::jthread> threads;
    for (int i = 1; i <= 4; ++i) threads.emplace_back([&sum](int add) { sum += add; }, i);
    threads.front() = acta::jthread();
    threads.clear();
    CHECK(sum == 10);
    CHECK_FALSE(acta::jthread().joinable());
}

TEST_CASE("a wait ends with what it waits for, with a stop, or with its time") {
    std::mutex mutex;
    acta::condition_variable_any changed;
    bool done = false;
    const auto is_done = [&done] { return done; };
    acta::stop_source source;

    std::unique_lock lock(mutex);
    CHECK_FALSE(changed.wait_for(lock, source.get_token(), 1ms, is_done));
    CHECK_FALSE(changed.wait_until(lock, source.get_token(), std::chrono::steady_clock::now() - 1s, is_done));
    {
        const acta::jthread other([&] {
            const std::lock_guard own(mutex);
            done = true;
            changed.notify_one();
        });
        CHECK(changed.wait(lock, source.get_token(), is_done));
        changed.wait(lock, is_done);
    }
    done = false;
    {
        const acta::jthread stopper([&source] {
            std::this_thread::sleep_for(5ms);
            source.request_stop();
        });
        CHECK_FALSE(changed.wait_for(lock, source.get_token(), 1h, is_done));
    }
    CHECK_FALSE(changed.wait(lock, source.get_token(), is_done));
    CHECK(lock.owns_lock());
}

TEST_CASE("a deadline at the end of time is never reached, and one at its beginning has passed") {
    using Clock = std::chrono::steady_clock;
    CHECK(acta::deadline_in(Clock::duration::max()) == Clock::time_point::max());
    CHECK(acta::deadline_in(std::chrono::hours::max()) == Clock::time_point::max());
    CHECK(acta::deadline_in(std::chrono::milliseconds::min()) < Clock::now());
    CHECK(acta::Until{.deadline = acta::deadline_in(0ms)}.is_late());
    CHECK_FALSE(acta::Until{.deadline = acta::deadline_in(std::chrono::milliseconds::max())}.is_over());
    CHECK(acta::Until{.deadline = acta::deadline_in(std::chrono::milliseconds::min())}.is_late());

    std::mutex mutex;
    acta::condition_variable_any changed;
    bool done = false;
    const auto is_done = [&done] { return done; };
    std::unique_lock lock(mutex);
    const auto wait = [&](Clock::time_point end, const acta::stop_token& stop) {
        return acta::base::wait_until(changed, lock, stop, end, is_done);
    };
    CHECK_FALSE(wait(Clock::time_point::min(), {}));
    CHECK_FALSE(wait(Clock::now(), {}));
    CHECK_FALSE(wait(acta::deadline_in(1ms), {}));
    {
        const acta::jthread other([&] {
            const std::lock_guard own(mutex);
            done = true;
            changed.notify_one();
        });
        CHECK(wait(Clock::time_point::max(), {}));
    }
    done = false;
    acta::stop_source source;
    const acta::jthread stopper([&source] {
        std::this_thread::sleep_for(5ms);
        source.request_stop();
    });
    CHECK_FALSE(wait(Clock::time_point::max(), source.get_token()));
    CHECK(source.stop_requested());
}
