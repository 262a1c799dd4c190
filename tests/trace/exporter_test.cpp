// SPDX-License-Identifier: MIT
#include "acta/trace/exporter.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "support/catch.hpp"
#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include "acta/provider/http/curl.hpp"
#include "provider/http/socket_server.hpp"
#endif

// What is sent, what is dropped, and how long the program waits.
namespace {

using acta::Json;
using acta::http::Reply;
using acta::http::Request;
using acta::http::Sink;
using acta::trace::ExportCounts;
using acta::trace::Exporter;
using acta::trace::ExporterOptions;
using acta::trace::Span;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

Span span(const std::string& name = "chat") {
    return {.trace_id = std::string(32, '1'),
            .span_id = std::string(16, '2'),
            .name = name,
            .attributes = {{"gen_ai.operation.name", name}}};
}

ExporterOptions quick() {
    ExporterOptions out{.delay = milliseconds(1)};
    out.retry = {.max_attempts = 3, .call_timeout = milliseconds(300), .first_delay = milliseconds(2)};
    return out;
}

Reply answer(int status, std::string body = {}) {
    Reply out;
    out.status = status;
    out.body = std::move(body);
    return out;
}

/// Keeps what the exporter says.
class Log : public acta::Observer {
public:
    [[nodiscard]] std::string all() const {
        const std::lock_guard lock(mutex_);
        return text_;
    }

private:
    void on_event(const acta::Event& event) override {
        const std::lock_guard lock(mutex_);
        const bool is_warning = event.level == acta::EventLevel::warning;
        text_ += std::string(event.name) + (is_warning && event.failed ? "!" : is_warning || event.failed ? "?" : "");
        for (const acta::EventField& field : event.fields) {
            text_ += " " + std::string(field.name) + "=";
            if (const auto* const number = std::get_if<std::int64_t>(&field.value)) text_ += std::to_string(*number);
            if (const auto* const text = std::get_if<std::string>(&field.value)) text_ += *text;
        }
        text_ += "\n";
    }

    mutable std::mutex mutex_{};
    std::string text_{};
};

milliseconds since(steady_clock::time_point begun) {
    return std::chrono::duration_cast<milliseconds>(steady_clock::now() - begun);
}

std::uint64_t accounted(const ExportCounts& counts) { return counts.waiting + counts.sent + counts.lost(); }

}  // namespace

TEST_CASE("spans are sent in batches") {
    std::vector<std::size_t> sizes;
    Request last;
    ExporterOptions options{.url = "https://collector.example/otel/", .headers = {"X-Key: 7"}, .max_batch = 3};
    Exporter exporter(
        [&](const Request& request, const Sink&) {
            last = request;
            const Json body = acta::parse<Json>(request.body);
            sizes.push_back(body["resourceSpans"][0]["scopeSpans"][0]["spans"].size());
            return answer(200, "{}");
        },
        options);
    for (int i = 0; i < 7; ++i) exporter.add(span());
    const ExportCounts counts = exporter.shutdown(milliseconds(2000));
    CHECK(counts == ExportCounts{.added = 7, .sent = 7});
    CHECK(sizes == std::vector<std::size_t>{3, 3, 1});
    CHECK(last.url == "https://collector.example/otel/v1/traces");
    CHECK(last.headers == std::vector<std::string>{"X-Key: 7", "Content-Type: application/json"});
    CHECK(last.method == "POST");
}

TEST_CASE("what a batch leaves over waits for others, as it would have") {
    std::vector<std::size_t> sizes;
    std::function<void(int)> add;
    Exporter exporter(
        [&](const Request& request, const Sink&) {
            const Json body = acta::parse<Json>(request.body);
            sizes.push_back(body["resourceSpans"][0]["scopeSpans"][0]["spans"].size());
            if (sizes.size() == 1) add(4);  // one more than a batch
            if (sizes.size() == 2) add(1);
            return answer(200, "{}");
        },
        {.url = "https://collector.example/", .max_batch = 3, .delay = std::chrono::hours(1)});
    add = [&exporter](int count) {
        for (int i = 0; i < count; ++i) exporter.add(span());
    };
    add(3);
    while (exporter.counts().sent < 6) std::this_thread::sleep_for(milliseconds(1));
    std::this_thread::sleep_for(milliseconds(20));  // in which nothing is sent
    add(1);
    CHECK(exporter.shutdown(milliseconds(2000)) == ExportCounts{.added = 9, .sent = 9});
    CHECK(sizes == std::vector<std::size_t>{3, 3, 3});
}

TEST_CASE("a span waits for others no longer than the delay") {
    std::promise<void> sent;
    Exporter exporter(
        [&](const Request&, const Sink&) {
            sent.set_value();
            return answer(200);
        },
        {.delay = milliseconds(30)});
    std::this_thread::sleep_for(milliseconds(20));  // until its thread waits
    const auto begun = steady_clock::now();
    exporter.add(span());
    REQUIRE(sent.get_future().wait_for(std::chrono::seconds(5)) == std::future_status::ready);
    CHECK(since(begun) >= milliseconds(30));
    CHECK(exporter.flush(milliseconds(2000)));
}

TEST_CASE("a slow collector does not slow the program, and what does not fit is counted and reported") {
    Log log;
    std::promise<void> go;
    std::shared_future<void> gone = go.get_future().share();
    ExporterOptions options = quick();
    options.max_queue = 5;
    options.max_batch = 2;
    options.observer = &log;
    Exporter exporter(
        [gone](const Request&, const Sink&) {
            gone.wait();
            return answer(200);
        },
        options);
    exporter.add(span());
    std::this_thread::sleep_for(milliseconds(50));  // it is being sent
    const auto begun = steady_clock::now();
    for (int i = 0; i < 1000; ++i) exporter.add(span());
    CHECK(since(begun) < milliseconds(200));
    CHECK(exporter.counts().dropped_full == 995);
    CHECK_FALSE(exporter.flush(milliseconds(20)));
    go.set_value();
    const ExportCounts counts = exporter.shutdown(milliseconds(2000));
    CHECK(counts == ExportCounts{.added = 1001, .sent = 6, .dropped_full = 995});
    CHECK_THAT(log.all(), contains_text("trace_export! spans=2 dropped=995 dropped_in_all=995 attempts=1 status=200 "
                                        "error=the queue was full"));
}

TEST_CASE("each report has the spans that were dropped since the last one, and the counts have all") {
    Log log;
    std::promise<void> go;
    std::atomic<int> requests = 0;
    Exporter* exporter = nullptr;
    ExporterOptions options{.max_queue = 1, .max_batch = 1, .observer = &log};
    const auto overflow = [&](int count) {
        for (int i = 0; i < count; ++i) exporter->add(span());
    };
    Exporter own(
        [&](const Request&, const Sink&) {
            if (requests++ == 0) go.get_future().wait();
            if (requests == 1) overflow(3);  // one waits
            if (requests == 2) overflow(5);
            return answer(200);
        },
        options);
    exporter = &own;
    own.add(span());
    go.set_value();
    while (own.counts().sent < 3) std::this_thread::sleep_for(milliseconds(1));
    const ExportCounts counts = own.shutdown(milliseconds(2000));
    CHECK(counts == ExportCounts{.added = 9, .sent = 3, .dropped_full = 6});
    const std::string rest = " attempts=1 status=200";
    CHECK(log.all() == "trace_export spans=1 dropped=0 dropped_in_all=2" + rest + "\n" +
                           "trace_export! spans=1 dropped=2 dropped_in_all=6" + rest + " error=the queue was full\n" +
                           "trace_export! spans=1 dropped=4 dropped_in_all=6" + rest + " error=the queue was full\n");
}

TEST_CASE("what is lost is the sum of what was dropped and rejected") {
    const ExportCounts counts{.added = 30,
                              .waiting = 1,
                              .sent = 2,
                              .dropped_full = 4,
                              .dropped_failed = 5,
                              .dropped_shutdown = 8,
                              .rejected = 10};
    CHECK(counts.lost() == 27);
}

TEST_CASE("a batch may have as many bytes as its limit") {
    const auto first_batch = [](std::size_t max_batch_bytes) {
        std::size_t first = 0;
        Exporter exporter(
            [&](const Request& request, const Sink&) {
                const Json body = acta::parse<Json>(request.body);
                if (first == 0) first = body["resourceSpans"][0]["scopeSpans"][0]["spans"].size();
                return answer(200);
            },
            {.max_batch = 4, .max_batch_bytes = max_batch_bytes, .delay = std::chrono::hours(1)});
        for (int i = 0; i < 4; ++i) exporter.add(span());
        exporter.shutdown(milliseconds(2000));
        return first;
    };
    const auto least_for = [&](std::size_t spans) {
        std::size_t low = 1;
        std::size_t high = 100'000;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (first_batch(middle) >= spans)
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    };
    CHECK(least_for(4) == 2 * least_for(2));
}

TEST_CASE("metrics are not sent before there are any") {
    std::atomic<int> requests = 0;
    ExporterOptions options{.metrics = acta::trace::MetricNames::released, .metrics_interval = milliseconds(2)};
    Exporter exporter([&](const Request&, const Sink&) { return ++requests, answer(200); }, options);
    std::this_thread::sleep_for(milliseconds(20));
    CHECK(exporter.shutdown(milliseconds(2000)) == ExportCounts());
    CHECK(requests == 0);
}

TEST_CASE("the bytes that wait are limited") {
    ExporterOptions options{.max_queue_bytes = 100'000, .delay = std::chrono::hours(1)};
    Exporter exporter([](const Request&, const Sink&) { return answer(200); }, options);
    const std::string text(10'000, 'x');
    for (int i = 0; i < 20; ++i) {  // whatever the text is of
        Span big = span();
        if (i % 4 == 0) big.attributes.push_back({"gen_ai.input.messages", text});
        if (i % 4 == 1) big.name = text;
        if (i % 4 == 2) big.error_message = text;
        if (i % 4 == 3) big.trace_state = text;
        exporter.add(big);
    }
    CHECK(exporter.counts().waiting == 9);
    CHECK(exporter.counts().dropped_full == 11);
}

TEST_CASE("a report says why a request failed, also if the queue was full as well") {
    Log log;
    ExporterOptions options{.max_queue = 1, .delay = std::chrono::hours(1), .observer = &log};
    Exporter exporter([](const Request&, const Sink&) { return answer(400, R"({"message": "no"})"); }, options);
    for (int i = 0; i < 3; ++i) exporter.add(span());
    CHECK(exporter.shutdown(milliseconds(2000)) == ExportCounts{.added = 3, .dropped_full = 2, .dropped_failed = 1});
    CHECK(log.all() ==
          "trace_export! spans=0 dropped=3 dropped_in_all=3 attempts=1 status=400 error=the collector answered with "
          "400: no\n");
}

TEST_CASE("a shutdown repeats a request while there is time") {
    int requests = 0;
    ExporterOptions options = quick();
    options.delay = std::chrono::hours(1);
    Exporter exporter([&](const Request&, const Sink&) { return answer(++requests < 3 ? 503 : 200); }, options);
    exporter.add(span());
    CHECK(exporter.shutdown(milliseconds(5000)) == ExportCounts{.added = 1, .sent = 1});
    CHECK(requests == 3);
}

TEST_CASE("what a shutdown has no time to send is counted") {
    Exporter exporter(
        [](const Request& request, const Sink&) -> Reply {
            std::this_thread::sleep_until(request.deadline);
            throw acta::Timeout("too slow");
        },
        {.max_batch = 1, .delay = std::chrono::hours(1)});
    for (int i = 0; i < 3; ++i) exporter.add(span());
    CHECK(exporter.shutdown(milliseconds(50)) == ExportCounts{.added = 3, .dropped_shutdown = 3});
}

TEST_CASE("a request that a collector refuses for now is repeated") {
    const int status = GENERATE(429, 502, 503, 504);
    int requests = 0;
    Exporter exporter([&](const Request&, const Sink&) { return answer(++requests < 3 ? status : 200); }, quick());
    exporter.add(span());
    CHECK(exporter.flush(milliseconds(2000)));
    CHECK(exporter.counts() == ExportCounts{.added = 1, .sent = 1});
    CHECK(requests == 3);
}

TEST_CASE("a request that a collector refuses is not repeated") {
    const int status = GENERATE(400, 401, 404, 413, 500);
    Log log;
    int requests = 0;
    ExporterOptions options = quick();
    options.observer = &log;
    options.headers = {"Authorization: Bearer tide-secret-99"};
    Exporter exporter(
        [&](const Request&, const Sink&) {
            ++requests;
            return answer(status, R"({"code": 3, "message": "no tide-secret-99 here"})");
        },
        options);
    exporter.add(span());
    CHECK(exporter.flush(milliseconds(2000)));
    CHECK(exporter.shutdown(milliseconds(2000)) == ExportCounts{.added = 1, .dropped_failed = 1});
    CHECK(requests == 1);
    CHECK_THAT(log.all(), contains_text("dropped=1 dropped_in_all=1 attempts=1 status=" + std::to_string(status) +
                                        " error=the collector answered with " + std::to_string(status) + ": no "));
    CHECK(log.all().find("tide-secret") == std::string::npos);
}

TEST_CASE("spans that a collector rejects are counted") {
    Exporter exporter(
        [&](const Request&, const Sink&) {
            return answer(200, R"({"partialSuccess": {"rejectedSpans": "2", "errorMessage": "too old"}})");
        },
        quick());
    for (int i = 0; i < 3; ++i) exporter.add(span());
    exporter.flush(milliseconds(2000));
    const ExportCounts counts = exporter.shutdown(milliseconds(2000));
    CHECK(counts.sent + counts.rejected == 3);
    CHECK(counts.rejected >= 2);
    Log log;
    Exporter whole(
        [&](const Request&, const Sink&) { return answer(200, R"({"partialSuccess": {"rejectedSpans": 2}})"); },
        {.max_batch = 3, .delay = std::chrono::hours(1), .observer = &log});
    for (int i = 0; i < 3; ++i) whole.add(span());
    CHECK(whole.shutdown(milliseconds(2000)) == ExportCounts{.added = 3, .sent = 1, .rejected = 2});
    CHECK_THAT(log.all(), starts_with_text("trace_export! spans=1 dropped=2 dropped_in_all=2 attempts=1 status=200"));
}

TEST_CASE("Retry-After is observed, and the shutdown does not wait for it") {
    std::atomic<int> requests = 0;
    ExporterOptions options = quick();
    Exporter exporter(
        [&](const Request&, const Sink&) {
            ++requests;
            Reply out = answer(503);
            out.headers = {{"retry-after", "30"}};
            return out;
        },
        options);
    for (int i = 0; i < 3; ++i) exporter.add(span());
    std::this_thread::sleep_for(milliseconds(100));
    CHECK(requests == 1);
    const auto begun = steady_clock::now();
    const ExportCounts counts = exporter.shutdown(milliseconds(500));
    CHECK(since(begun) < milliseconds(650));
    CHECK(counts == ExportCounts{.added = 3, .dropped_shutdown = 3});
}

TEST_CASE("a transport that throws is a request that failed") {
    int requests = 0;
    const auto [fault, times] = GENERATE(table<acta::http::Fault, int>(
        {{acta::http::Fault::connection, 3}, {acta::http::Fault::security, 1}, {acta::http::Fault::configuration, 1}}));
    Exporter exporter(
        [&, what = fault](const Request&, const Sink&) -> Reply {
            ++requests;
            throw acta::http::Error(what, "no connection");
        },
        quick());
    exporter.add(span());
    CHECK(exporter.flush(milliseconds(5000)));
    CHECK(exporter.counts() == ExportCounts{.added = 1, .dropped_failed = 1});
    CHECK(requests == times);
}

TEST_CASE("the shutdown keeps its deadline with a transport that does not end") {
    const bool ends_before = GENERATE(true, false);  // the exporter is gone
    const auto requests = std::make_shared<std::atomic<int>>(0);
    Log log;
    auto never = std::make_shared<std::promise<void>>();
    auto ended = std::make_shared<std::promise<void>>();
    std::future<void> is_ended = ended->get_future();
    {
        ExporterOptions options = quick();
        options.max_batch = 1;
        options.observer = &log;
        options.shutdown_timeout = milliseconds(100);
        options.metrics = acta::trace::MetricNames::released;
        Exporter exporter(
            [future = never->get_future().share(), ended, requests](const Request&, const Sink&) {
                ++*requests;
                future.wait();
                ended->set_value();
                return answer(200);
            },
            options);
        for (int i = 0; i < 3; ++i) exporter.add(span());
        const auto begun = steady_clock::now();
        const ExportCounts counts = exporter.shutdown(milliseconds(100));
        CHECK(since(begun) < milliseconds(400));
        CHECK(counts == ExportCounts{.added = 3, .dropped_shutdown = 3});
        CHECK(log.all() ==
              "trace_export! spans=0 dropped=3 dropped_in_all=3 attempts=0 error=the transport did not end at the "
              "deadline of the shutdown\n");
        CHECK(exporter.shutdown(milliseconds(100)) == counts);
        exporter.add(span());
        CHECK(exporter.counts().dropped_full == 1);
        if (ends_before) {
            never->set_value();
            CHECK(is_ended.wait_for(std::chrono::seconds(5)) == std::future_status::ready);
            std::this_thread::sleep_for(milliseconds(20));
            CHECK(exporter.counts() == ExportCounts{.added = 4, .dropped_full = 1, .dropped_shutdown = 3});
        }
    }
    if (!ends_before) {  // the exporter and what it was given are gone
        never->set_value();
        CHECK(is_ended.wait_for(std::chrono::seconds(5)) == std::future_status::ready);
        std::this_thread::sleep_for(milliseconds(20));
    }
    CHECK(*requests == 1);  // that of the metrics is not made any more
}

TEST_CASE("a sink may be called after the end of the exporter") {
    acta::trace::SpanSink sink;
    {
        Exporter exporter([](const Request&, const Sink&) { return answer(200); }, quick());
        sink = exporter.sink();
    }
    sink(span());
}

TEST_CASE("each span is counted once, whatever happens") {
    std::atomic<int> requests = 0;
    ExporterOptions options = quick();
    options.max_queue = 50;
    options.max_batch = 7;
    Exporter exporter(
        [&](const Request&, const Sink&) {
            const int statuses[] = {200, 503, 400, 200, 429};
            return answer(statuses[requests++ % 5]);
        },
        options);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 500; ++k) exporter.add(span());
        });
    for (int i = 0; i < 20; ++i) {
        const ExportCounts counts = exporter.counts();
        CHECK(accounted(counts) == counts.added);
    }
    threads.clear();
    const ExportCounts counts = exporter.shutdown(milliseconds(2000));
    CHECK(counts.added == 2000);
    CHECK(counts.waiting == 0);
    CHECK(accounted(counts) == 2000);
    CHECK(counts.sent > 0);
}

TEST_CASE("metrics are sent, also of spans that were dropped") {
    std::mutex mutex;
    std::vector<std::string> metrics;
    ExporterOptions options = quick();
    options.max_queue = 1;
    options.metrics = acta::trace::MetricNames::released;
    Exporter exporter(
        [&](const Request& request, const Sink&) {
            const std::lock_guard lock(mutex);
            if (request.url.ends_with("/v1/metrics")) metrics.push_back(request.body);
            return answer(200);
        },
        options);
    for (int i = 0; i < 50; ++i) exporter.add(span());
    exporter.shutdown(milliseconds(2000));
    REQUIRE(metrics.size() == 1);
    CHECK_THAT(metrics.front(), contains_text(R"("count":"50")"));
}

TEST_CASE("metrics that a collector refuses are reported, and those that it takes are not") {
    for (const int status : {200, 400}) {
        Log log;
        ExporterOptions options{.delay = std::chrono::hours(1), .observer = &log};
        options.metrics = acta::trace::MetricNames::released;
        Exporter exporter(
            [status](const Request& request, const Sink&) {
                return answer(request.url.ends_with("/v1/metrics") ? status : 200, R"({"message": "no"})");
            },
            options);
        exporter.add(span());
        CHECK(exporter.shutdown(milliseconds(2000)) == ExportCounts{.added = 1, .sent = 1});
        const std::string traces = "trace_export spans=1 dropped=0 dropped_in_all=0 attempts=1 status=200\n";
        CHECK(log.all() == traces + (status == 200
                                         ? ""
                                         : "trace_export spans=0 dropped=0 dropped_in_all=0 attempts=1 "
                                           "status=400 error=metrics: the collector answered with 400: no\n"));
    }
}

TEST_CASE("an exporter that cannot send is refused") {
    const auto transport = [](const Request&, const Sink&) { return answer(200); };
    CHECK_THROWS_AS(Exporter({}), acta::Error);
    CHECK_THROWS_AS(Exporter(transport, {.url = "localhost:4318"}), acta::Error);
    CHECK_THROWS_AS(Exporter(transport, {.url = ""}), acta::Error);
}

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)

TEST_CASE("a collector over HTTP") {
    std::mutex mutex;
    std::vector<std::string> bodies;
    std::atomic<int> requests = 0;
    faulty::Server server([&](faulty::Connection& connection) {
        while (true) {
            const faulty::Request request = connection.read();
            if (request.head.empty()) return;
            if (++requests == 1) {
                connection.answer("429 Too Many Requests", "{}", "Retry-After: 1\r\n");
                continue;
            }
            if (requests == 2) {
                connection.answer("503 Service Unavailable", "no");
                continue;
            }
            const std::lock_guard lock(mutex);
            bodies.push_back(request.head + request.body);
            connection.answer(R"({"partialSuccess":{}})");
        }
    });
    ExporterOptions options = quick();
    options.url = "http://127.0.0.1:" + std::to_string(server.port());
    Exporter exporter(&acta::http::send, options);
    const auto begun = steady_clock::now();
    exporter.add(span("execute_tool search"));
    REQUIRE(exporter.flush(milliseconds(5000)));
    CHECK(since(begun) >= milliseconds(1000));  // Retry-After
    CHECK(exporter.shutdown(milliseconds(1000)) == ExportCounts{.added = 1, .sent = 1});
    REQUIRE(bodies.size() == 1);
    CHECK_THAT(bodies.front(), starts_with_text("POST /v1/traces HTTP/1.1\r\n"));
    CHECK_THAT(bodies.front(), contains_text("Content-Type: application/json"));
    CHECK_THAT(bodies.front(), contains_text("execute_tool search"));
}

TEST_CASE("a collector over HTTP that does not answer, or is absent") {
    const bool is_absent = GENERATE(false, true);
    faulty::Server server([](faulty::Connection& connection) { connection.wait_for_end(); });
    ExporterOptions options = quick();
    const int port = is_absent ? 1 : server.port();
    options.url = "http://127.0.0.1:" + std::to_string(port);
    options.retry.call_timeout = std::chrono::seconds(30);
    options.retry.first_delay = std::chrono::seconds(30);
    Exporter exporter(&acta::http::send, options);
    for (int i = 0; i < 10; ++i) exporter.add(span());
    std::this_thread::sleep_for(milliseconds(50));
    const auto begun = steady_clock::now();
    const ExportCounts counts = exporter.shutdown(milliseconds(300));
    CHECK(since(begun) < milliseconds(600));
    CHECK(counts.added == 10);
    CHECK(counts.lost() == 10);
}

#endif
