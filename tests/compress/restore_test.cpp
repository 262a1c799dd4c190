// SPDX-License-Identifier: MIT
#include <cstdint>
#include <future>
#include <random>
#include <string>
#include <string_view>

#include "acta/compress/compress.hpp"
#include "acta/history/shared_history.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

// Histories that are restored from a snapshot while they are compressed: a summary of one attempt at a step must not
// land on another one.
namespace {

using History = acta::EpisodicActionHistory<>;

acta::ActionProposal<> deploy() {
    acta::ActionProposal<> proposal;
    proposal.use_tool.name = "deploy";
    return proposal;
}

acta::ActionResult attempt(std::size_t number) {
    return acta::ActionSuccessResult{"attempt " + std::to_string(number) + "."};
}

/// Summarises a step as the outputs that its text shows.
std::string outputs_of(std::string_view text) {
    const std::string_view label = "- **Output:** ";
    const std::size_t begin = text.find(label) + label.size();
    return std::string(text.substr(begin, text.find('.', begin) + 1 - begin));
}

/// The steps whose summary is of other outputs than theirs.
std::size_t mixed_up(const History& history) {
    std::size_t count = 0;
    for (const auto& episode : history) {
        if (episode.summary && *episode.summary != acta::to_string(*episode.result)) ++count;
    }
    return count;
}

}  // namespace

TEST_CASE("a summary does not land on another attempt after a restore") {
    acta::SharedHistory<> shared;
    shared.lock()->register_action(deploy());
    const History snapshot = shared.snapshot();
    shared.lock()->register_result(attempt(1));
    bool restored = false;
    const auto summarizer = [&](std::string_view text, const acta::SummaryRequest&) {
        if (!restored) {
            restored = true;
            shared.with_lock([&](History& history) {
                history = snapshot;
                history.register_result(attempt(2));
            });
        }
        return outputs_of(text);
    };
    acta::CompressionOptions options;
    options.keep_recent = 0;
    options.max_parallel = 1;
    const acta::CompressionReport report = acta::handle_compression(shared, summarizer, options);
    CHECK(report.skipped == 1);
    CHECK_FALSE(shared.lock()->at(0).summary);
    CHECK(acta::handle_compression(shared, summarizer, options).summarised.size() == 1);
    CHECK(shared.lock()->at(0).summary == "attempt 2.");
}

TEST_CASE("restores at any time mix no summaries up") {
    const std::size_t seeds = test_size(6, 20);
    for (std::size_t seed = 0; seed < seeds; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(static_cast<std::uint32_t>(seed));
        acta::SharedHistory<> shared;
        History snapshot;
        std::size_t number = 0;
        std::future<acta::CompressionReport> running;
        acta::CompressionOptions options;
        options.keep_recent = 0;
        const auto summarizer = [](std::string_view text, const acta::SummaryRequest&) { return outputs_of(text); };
        for (int i = 0; i < 200; ++i) {
            const bool compress = random() % 4 == 0;
            const bool take = random() % 3 == 0;
            const bool restore = random() % 3 == 0;
            if (compress) {
                if (running.valid()) running.wait();
                running = acta::handle_compression_async(shared, summarizer, options);
            }
            shared.with_lock([&](History& history) {
                if (history.current_episode() == nullptr)
                    history.register_action(deploy());
                else
                    history.register_result(attempt(++number));
                if (take) snapshot = history;
                if (restore) history = snapshot;
            });
            REQUIRE(mixed_up(shared.snapshot()) == 0);
        }
        if (running.valid()) running.wait();
        CHECK(mixed_up(shared.snapshot()) == 0);
    }
}
