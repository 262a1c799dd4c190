// SPDX-License-Identifier: MIT
#include "acta/compress/compress.hpp"
#include "acta/compress/chat_summarizer.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/compress/rolling_summary.hpp"
#include "memory/failing_new.hpp"
#include "memory/histories.hpp"

// A compression without memory: the summaries that were made are kept, and the other steps wait for the next one.
namespace {

using histories::History;
using memory::Shortage;

History closed() {
    History history = histories::every_kind();
    history.close_open_episode(histories::success());
    return history;
}

acta::CompressionOptions options_of(std::size_t threads) {
    acta::CompressionOptions options;
    options.keep_recent = 0;
    options.max_parallel = threads;
    return options;
}

std::string summary(std::string_view, const acta::SummaryRequest&) {
    return "A summary that is too long for a string to hold it without an allocation.";
}

/// Nothing but summaries may have changed, and a compression with memory finds all the rest.
std::string lost_steps(History history) {
    const History before = closed();
    std::size_t waiting = 0;
    for (std::size_t i = 0; i < history.size(); ++i) {
        auto episode = history[i];
        if (!episode.summary) ++waiting;
        episode.summary = before[i].summary;
        if (!(episode == before[i])) return "a step has changed";
    }
    acta::CompressionOptions options = options_of(1);
    options.max_attempts = 0;
    const auto report = acta::handle_compression(history, summary, options);
    if (report.summarised.size() != waiting || report.not_due != 0) return "steps are lost to the next compression";
    return {};
}

acta::SummarizeTextOptions options_of_text() {
    acta::SummarizeTextOptions options;
    options.window_tokens = 700;
    return options;
}

template <class Compress>
void check_compression(const Compress& compress) {
    const History history = closed();
    for (const Shortage shortage : {Shortage::once, Shortage::from_then_on}) {
        const auto tried = memory::out_of_memory(
            shortage, [&] { return history; }, compress, [](const History& h, bool) { return lost_steps(h); });
        CHECK(tried.allocations > 0);
    }
}

}  // namespace

TEST_CASE("without memory a compression loses no step") {
    for (const std::size_t threads : {1U, 4U}) {
        check_compression([&](History& history) {
            static_cast<void>(acta::handle_compression(history, summary, options_of(threads)));
        });
    }
    check_compression([](History& history) {
        static_cast<void>(acta::handle_compression(history, acta::ExtractiveSummarizer{}, options_of(1)));
    });
}

TEST_CASE("without memory a compression that counts tokens loses no step") {
    check_compression([](History& history) {
        acta::CompressionOptions options = options_of(1);
        options.trigger.tokens = 1;
        static_cast<void>(acta::handle_compression(history, summary, options));
    });
}

TEST_CASE("without memory summarizers that fail, one after the other, lose no step") {
    check_compression([](History& history) {
        const auto fails = [](std::string_view, const acta::SummaryRequest&) -> std::string {
            throw std::runtime_error(histories::long_text);
        };
        acta::SummarizerChain chain;
        chain.add("first", fails);
        chain.add("second", acta::ExtractiveSummarizer{});
        static_cast<void>(acta::handle_compression(history, chain, options_of(1)));
    });
}

// With libc++ 16, std::async waits forever where it finds no memory for the thread.
#if !defined(_LIBCPP_VERSION)
TEST_CASE("without memory a compression in a thread of its own loses no step, and its future says why it ended") {
    check_compression([](History& history) {
        static_cast<void>(acta::handle_compression_async(history, summary, options_of(2)).get());
    });
    for (const Shortage shortage : {Shortage::once, Shortage::from_then_on}) {
        const auto tried = memory::out_of_memory(
            shortage, [] { return std::make_unique<acta::SharedHistory<acta::ActionProposal<>>>(closed()); },
            [](const auto& shared) { acta::handle_compression_async(*shared, summary, options_of(2)).get(); },
            [](const auto& shared, bool) { return lost_steps(shared->snapshot()); });
        CHECK(tried.allocations > 0);
    }
}
#endif

TEST_CASE("without memory there is no prompt and no text of a history") {
    History history = closed();
    static_cast<void>(acta::handle_compression(history, summary, [] {
        acta::CompressionOptions options;
        options.keep_recent = 2;
        return options;
    }()));
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(history.fmt_paragraph()); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(history.fmt_list()); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::Prompt().text(history)); });
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::Prompt().messages(history)); });
}

TEST_CASE("without memory a text is not summarised") {
    std::string text;
    for (std::size_t i = 0; i < 80; ++i)
        text += "This is sentence " + std::string(i + 1, 'i') + " of a text, and it says so itself. ";
    // std::stable_sort asks for memory and works without it.
    const auto sorted = [&] { static_cast<void>(acta::ExtractiveSummarizer{}(text, {})); };
    CHECK(memory::out_of_memory(memory::Shortage::once, sorted).allocations > 100);
    CHECK(memory::out_of_memory(memory::Shortage::from_then_on, sorted).allocations > 100);
    CHECK_OUT_OF_MEMORY([&] { static_cast<void>(acta::summarize_text(text, summary, options_of_text())); });
}
