// SPDX-License-Identifier: MIT
// Only what is new is looked at. Steps are counted, not time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "acta/compress/compress.hpp"
#include "compress/steps.hpp"
#include "support/catch.hpp"
#include "support/lvalue.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
using acta::SummaryRequest;

const auto brief_form = [](std::string_view, const SummaryRequest&) { return "short"; };
const auto throwing = [](std::string_view, const SummaryRequest&) -> std::string { throw 1; };

acta::CompressionOptions one_thread() {
    acta::CompressionOptions options;
    options.max_parallel = 1;
    return options;
}

/// A restored history of so many steps, all with a summary.
History summarised(std::size_t count) {
    acta::Episode<acta::ActionProposal<>> episode = lvalue(steps::finished(1))[0];
    episode.summary = "short";
    acta::HistoryRecord<acta::ActionProposal<>> record;
    record.episodes.assign(count, episode);
    record.cursor = static_cast<std::int64_t>(count);
    return History(std::move(record));
}

struct Looked {
    acta::CompressionReport report;
    std::size_t steps;  ///< Those looked at to find what is due, from the mark of the history on, and once more each.
};

template <class S>
Looked compress(History& history, const S& summarizer, const acta::CompressionOptions& options = one_thread()) {
    const std::size_t begin = acta::LockableHistory(history).with_lock(
        [](acta::HistoryEditor& editor) { return editor.summary_state().first_waiting; });
    const std::size_t end = history.size() - std::min(history.size(), options.keep_recent);
    acta::CompressionReport report = acta::handle_compression(history, summarizer, options);
    const std::size_t tried = report.summarised.size() + report.failed.size();
    return {std::move(report), std::max(begin, end) - begin + tried};
}

/// What is looked at when a step is added to so many and all is compressed again.
std::size_t scanned_for_one_more(std::size_t before) {
    History history = summarised(before);
    // The newest four stay in full, so the first step to be summarised is the first of four more.
    for (std::size_t i = 0; i < 4; ++i) steps::add(history, before + i);
    CHECK(acta::handle_compression(history, brief_form, one_thread()).summarised.empty());
    steps::add(history, before + 4);
    const Looked looked = compress(history, brief_form);
    CHECK(looked.report.summarised.size() == 1);
    return looked.steps;
}

}  // namespace

TEST_CASE("adding a step to 100 000 summarised ones and compressing looks at no more than with 10") {
    CHECK(scanned_for_one_more(100'000) == scanned_for_one_more(10));
}

TEST_CASE("a history that is compressed after each step is looked at twice a step at most") {
    constexpr std::size_t length = 2000;
    History history;
    std::size_t looked = 0;
    for (std::size_t i = 0; i < length; ++i) {
        steps::add(history, i);
        looked += compress(history, brief_form).steps;
    }
    CHECK(looked <= 2 * length);
}

TEST_CASE("steps that failed are not walked over again, once they are given up") {
    constexpr std::size_t length = 2000;
    History history = steps::finished(length);
    for (int i = 0; i < 3; ++i) static_cast<void>(acta::handle_compression(history, throwing, one_thread()));
    std::size_t looked = 0;
    for (std::size_t i = 0; i < 100; ++i) {
        steps::add(history, i);
        looked += compress(history, brief_form).steps;
    }
    CHECK(looked <= 210);
}

TEST_CASE("with a bound on each call, those that were tried least often come first") {
    constexpr std::size_t length = 50;
    History history = steps::finished(length);
    acta::CompressionOptions options = one_thread();
    options.keep_recent = 0;
    options.max_episodes = 1;
    options.max_attempts = 0;
    for (std::size_t i = 0; i < 2 * length; ++i) {
        const auto [report, steps] = compress(history, throwing, options);
        REQUIRE(report.failed.size() == 1);
        CHECK(report.failed[0].step == i % length);
        CHECK(steps == length + 1);
    }
}

TEST_CASE("waiting for a trigger counts the tokens of each step once") {
    constexpr std::size_t length = 2000;
    std::size_t counted = 0;
    acta::CompressionOptions options = one_thread();
    options.trigger.episodes = length + 1;
    options.trigger.tokens = length + 1;
    options.count_tokens = acta::AnyTokenCounter([&counted](std::string_view) -> std::size_t {
        ++counted;
        return 1;
    });
    History history;
    for (std::size_t i = 0; i < length; ++i) {
        steps::add(history, i);
        CHECK(acta::handle_compression(history, brief_form, options).summarised.empty());
    }
    CHECK(counted == length - 4);
}

TEST_CASE("a restored history of unfinished steps is walked over once") {
    constexpr std::size_t length = 2000;
    acta::HistoryRecord<acta::ActionProposal<>> record;
    record.episodes.resize(length);
    History history(record);
    std::size_t looked = 0;
    for (int i = 0; i < 100; ++i) looked += compress(history, brief_form).steps;
    CHECK(looked == length - 4);
}

TEST_CASE("steps that are registered and rewound again and again leave nothing behind") {
    acta::CompressionOptions options = one_thread();
    options.keep_recent = 0;
    options.max_attempts = 0;
    History history = steps::finished(10);
    for (int i = 0; i < 100; ++i) {
        const auto [report, steps] = compress(history, throwing, options);
        CHECK(report.failed.size() == 10);
        CHECK(steps <= 20);
        history.rewind(5);
        for (std::size_t j = 5; j < 10; ++j) steps::add(history, j);
    }
    CHECK(acta::handle_compression(history, brief_form, options).summarised.size() == 10);
}

TEST_CASE("a copy of a history forgets nothing that waits") {
    History history = steps::finished(6);
    acta::CompressionOptions options = one_thread();
    options.keep_recent = 0;
    History copy;
    const auto copies = [&](std::string_view, const SummaryRequest&) -> std::string {
        if (copy.empty()) copy = history;  // in the midst of it: all but one are in hand
        return "short";
    };
    static_cast<void>(acta::handle_compression(history, copies, options));
    CHECK(steps::marks(history) == "++++++");
    CHECK(steps::marks(copy) == "------");
    CHECK(acta::handle_compression(copy, brief_form, options).summarised.size() == 6);
}
