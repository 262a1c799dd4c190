// SPDX-License-Identifier: MIT
// Prints the table of docs/compression.md on long runs: what a prompt still shows of them, with a rolling summary and
// without.
#include <cstdio>
#include <exception>
#include <string>

#include "acta/compress/compress.hpp"
#include "acta/compress/extractive.hpp"
#include "measure/long_run.hpp"

namespace {

void print_row(const acta_measure::LongRun& run, std::size_t steps, const char* what, const acta::PromptText& prompt) {
    std::printf("| %zu | %s | %zu | %.0f %% | %.0f %% | %.0f %% | %.0f %% | %.0f %% |\n", steps, what,
                prompt.report.tokens, run.percent(run.marked, prompt.text), run.percent(run.repeated, prompt.text),
                run.percent(run.single, prompt.text), run.percent(run.all_marked, prompt.text),
                run.percent(run.all_repeated, prompt.text));
}

}  // namespace

int main() {
    try {
        std::puts("| steps | prompt | tokens | marked | repeated | once | all marked | all repeated |");
        std::puts("|---|---|---|---|---|---|---|---|");
        acta::EpisodicActionHistory<> history;
        acta_measure::LongRun run;
        const acta::RollingSummaryOptions options;
        acta::PromptOptions without = options.prompt;
        without.show_rolling_summary = false;
        while (history.size() < 3000) {
            run.step(history);
            if (history.size() % 10 != 0) continue;
            static_cast<void>(acta::handle_compression(history, acta::ExtractiveSummarizer{}));
            static_cast<void>(acta::update_rolling_summary(history, acta::ExtractiveSummarizer{}, options));
            const std::size_t steps = history.size();
            if (steps != 100 && steps != 300 && steps != 1000 && steps != 3000) continue;
            print_row(run, steps, "with a rolling summary", acta::Prompt(options.prompt).text(history));
            print_row(run, steps, "without", acta::Prompt(without).text(history));
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
