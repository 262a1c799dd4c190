// SPDX-License-Identifier: MIT
// Several threads at one history while it is compressed; to be run under ThreadSanitizer.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/compress/compress.hpp"
#include "acta/observe/observer.hpp"
#include "compress/steps.hpp"
#include "support/catch.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
using Shared = acta::SharedHistory<>;
using acta::SummaryRequest;

/// Lets threads wait until something has happened.
class Gate {
public:
    void open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        opened_.notify_all();
    }
    void wait() {
        std::unique_lock lock(mutex_);
        opened_.wait(lock, [this] { return open_; });
    }

private:
    std::mutex mutex_{};
    std::condition_variable opened_{};
    bool open_ = false;
};

acta::CompressionOptions all_of_it() {
    acta::CompressionOptions options;
    options.keep_recent = 0;
    return options;
}

/// A summary belongs to its step when it names the step's tool.
bool summaries_fit(const History& history) {
    return std::all_of(history.begin(), history.end(), [](const auto& episode) {
        return !episode.summary || *episode.summary == "used " + episode.action.use_tool.name;
    });
}

std::string short_form(std::string_view text, const SummaryRequest&) { return "used " + steps::tool_in(text); }

/// Throws, sleeps, and answers rubbish in turn.
struct Unreliable {
    std::atomic<unsigned> calls{0};

    std::string operator()(std::string_view text, const SummaryRequest& request) {
        switch (calls++ % 5) {
            case 0: throw std::runtime_error("no model");
            case 1: throw 7;
            case 2: std::this_thread::sleep_for(std::chrono::milliseconds(1)); break;
            case 3: return "\n \n";
            default: break;
        }
        return short_form(text, request);
    }
};

}  // namespace

TEST_CASE("register, rewind and format go on from several threads while a compression runs") {
    Shared shared(steps::finished(40));
    acta::CountingObserver counts;
    shared.lock()->set_observer(&counts);
    Unreliable summarizer;
    acta::CompressionOptions options = all_of_it();
    options.observer = &counts;
    options.max_attempts = 0;
    std::atomic<std::size_t> tool = 1000;
    std::atomic<bool> fit = true;  // Catch2 is not for several threads
    {
        std::vector<acta::jthread> threads;
        for (int t = 0; t < 2; ++t) {
            threads.emplace_back([&] {
                for (int i = 0; i < 60; ++i) {
                    shared.with_lock([&](History& history) { steps::add(history, tool++); });
                    if (i % 4 == 3) shared.lock()->rewind(3);
                }
            });
        }
        threads.emplace_back([&] {
            for (int i = 0; i < 60; ++i) {
                static_cast<void>(shared.lock()->fmt_paragraph());
                if (!summaries_fit(shared.snapshot())) fit = false;
            }
        });
        threads.emplace_back([&] {
            for (int i = 0; i < 20; ++i) static_cast<void>(acta::handle_compression(shared, summarizer, options));
        });
        for (int i = 0; i < 20; ++i) static_cast<void>(acta::handle_compression(shared, std::ref(summarizer), options));
    }
    static_cast<void>(acta::handle_compression(shared, short_form, options));
    const History history = shared.snapshot();
    CHECK(fit);
    CHECK(summaries_fit(history));
    CHECK(steps::marks(history) == std::string(history.size(), '+'));
    CHECK(counts.count(acta::event_names::compress) == 41);
    CHECK(counts.failures(acta::event_names::summarize) > 0);
}

TEST_CASE("the lock is not held while a summarizer runs") {
    Shared shared(steps::finished(8));
    const auto report = acta::handle_compression(
        shared,
        [&shared](std::string_view text, const SummaryRequest& request) {
            // From another thread, which would wait for ever.
            const std::size_t size = std::async(std::launch::async, [&shared] { return shared.lock()->size(); }).get();
            return size == 8 ? short_form(text, request) : std::string();
        },
        all_of_it());
    CHECK(report.summarised.size() == 8);
}

TEST_CASE(
    "a step that is rewound away while its summary is made is skipped, and the newer one in its place is not hit") {
    Shared shared(steps::finished(2));
    Gate begun;
    Gate rewound;
    auto future = acta::handle_compression_async(
        shared,
        [&](std::string_view text, const SummaryRequest& request) {
            if (steps::tool_in(text) == "tool_1") {
                begun.open();
                rewound.wait();
            }
            return short_form(text, request);
        },
        all_of_it());
    begun.wait();
    shared.lock()->rewind(1);
    shared.with_lock([](History& history) { steps::add(history, 77); });
    rewound.open();
    const auto report = future.get();
    CHECK(report.summarised.size() == 1);
    CHECK(report.skipped == 1);
    CHECK(steps::marks(shared.snapshot()) == "+-");
}

TEST_CASE("a history that was replaced meanwhile gets no summary of the old one") {
    Shared shared(steps::finished(1));
    const auto report = acta::handle_compression(
        shared,
        [&](std::string_view, const SummaryRequest&) {
            shared.with_lock([](History& history) { history = steps::finished(3); });
            return "of the old one";
        },
        all_of_it());
    CHECK(report.skipped == 1);
    CHECK(steps::marks(shared.snapshot()) == "---");
    CHECK(acta::handle_compression(shared, short_form, all_of_it()).summarised.size() == 3);
}

TEST_CASE("a summary of one attempt does not land on another after a restore") {
    Shared shared;
    shared.lock()->register_action(steps::proposal(0));
    const History open = shared.snapshot();
    shared.lock()->register_result(steps::result("the first attempt"));
    const auto restores = [&](std::string_view, const SummaryRequest&) {
        shared.with_lock([&](History& history) {
            history = open;
            history.register_result(steps::result("the second attempt"));
        });
        return "the first attempt did it";
    };
    const auto report = acta::handle_compression(shared, restores, all_of_it());
    CHECK(report.skipped == 1);
    CHECK(report.summarised.empty());
    CHECK(steps::marks(shared.snapshot()) == "-");
    // It still waits for a summary of its own.
    CHECK(acta::handle_compression(shared, short_form, all_of_it()).summarised.size() == 1);
    CHECK(steps::marks(shared.snapshot()) == "+");
}

TEST_CASE("steps that wait for a summarizer are formatted when their turn comes") {
    Shared shared(steps::finished(3));
    acta::CompressionOptions options = all_of_it();
    options.max_parallel = 1;
    int calls = 0;
    const auto report = acta::handle_compression(
        shared,
        [&](std::string_view text, const SummaryRequest& request) {
            if (++calls == 1) shared.lock()->rewind(2);
            return short_form(text, request);
        },
        options);
    CHECK(calls == 1);  // nobody asked for those that were gone
    CHECK(report.skipped == 2);
}

TEST_CASE("two compressions at a time share the work, and ask for no step twice") {
    Shared shared(steps::finished(60));
    std::atomic<int> calls = 0;
    const auto summarizer = [&](std::string_view text, const SummaryRequest& request) {
        ++calls;
        std::this_thread::yield();
        return short_form(text, request);
    };
    acta::CompressionOptions options = all_of_it();
    options.max_episodes = 20;
    auto one = acta::handle_compression_async(shared, summarizer, options);
    auto two = acta::handle_compression_async(shared, summarizer, options);
    CHECK(one.get().summarised.size() + two.get().summarised.size() == 40);
    CHECK(calls == 40);
    CHECK(summaries_fit(shared.snapshot()));
}

TEST_CASE("a compression that finds its steps taken by another takes the next ones") {
    Shared shared(steps::finished(5));
    acta::CompressionOptions options = all_of_it();
    options.max_episodes = 2;
    acta::CompressionOptions counting = options;
    counting.trigger.tokens = 1;
    std::optional<acta::CompressionReport> other;
    // Tokens are counted between the choice of the steps and their being taken.
    counting.count_tokens = acta::AnyTokenCounter([&](std::string_view) -> std::size_t {
        if (!other) other = acta::handle_compression(shared, short_form, options);
        return 10;
    });
    const auto report = acta::handle_compression(shared, short_form, counting);
    CHECK(other.value().summarised.size() == 2);
    CHECK(report.summarised.size() == 2);
    CHECK(steps::marks(shared.snapshot()) == "++++-");
}

TEST_CASE("a compression can be stopped in the middle") {
    Shared shared(steps::finished(50));
    acta::stop_source source;
    acta::CompressionOptions options = all_of_it();
    options.until.stop = source.get_token();
    options.max_parallel = 3;
    std::atomic<int> sleepers = 0;
    auto future = acta::handle_compression_async(
        shared,
        [&](std::string_view text, const SummaryRequest& request) -> std::string {
            if (steps::tool_in(text).size() < 7) return short_form(text, request);  // the first ten
            ++sleepers;
            while (!request.until.stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            throw std::runtime_error("stopped");
        },
        options);
    while (sleepers < 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    shared.with_lock([](History& history) { steps::add(history, 99); });  // it is not locked by those that sleep
    source.request_stop();
    const auto report = future.get();
    CHECK(report.summarised.size() == 10);
    CHECK(report.cancelled == 40);
    CHECK(report.failed.empty());
    CHECK(acta::handle_compression(shared, short_form, all_of_it()).summarised.size() == 41);
}

TEST_CASE("a future that is dropped waits for what runs") {
    Shared shared(steps::finished(5));
    {
        const auto dropped = acta::handle_compression_async(  // NOLINT(bugprone-unused-local-non-trivial-variable)
            shared,
            [](std::string_view text, const SummaryRequest& request) {
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                return short_form(text, request);
            },
            all_of_it());
    }
    CHECK(steps::marks(shared.snapshot()) == "+++++");
}

TEST_CASE("a compression from within the lock is an error, not a hang") {
    Shared shared(steps::finished(5));
    CHECK_THROWS_AS(shared.with_lock([&](History&) { return acta::handle_compression(shared, short_form); }),
                    acta::Error);
}

TEST_CASE("the price of completions and the cost are asked for by one thread at a time") {
    History history = steps::finished(8);
    std::atomic<int> inside{0};
    std::atomic<int> together{0};
    const auto alone = [&] {  // gives another thread the time to come
        if (++inside > 1) ++together;
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        --inside;
    };
    acta::CompressionOptions options;
    options.keep_recent = 0;
    options.max_parallel = 4;
    std::barrier<> meeting(4);
    const auto summarizer = [&](std::string_view, const acta::SummaryRequest& request) -> std::string {
        meeting.arrive_and_wait();
        request.on_completion({});
        return "short";
    };
    options.price = [&](const acta::ChatCompletion&) {
        alone();
        return 1.0;
    };
    const auto priced = acta::handle_compression(history, summarizer, options);
    CHECK(priced.cost.completions == 8);
    CHECK(together == 0);
}
