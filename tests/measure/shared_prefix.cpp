// SPDX-License-Identifier: MIT
// Prints how much of a request the one before it begins with: what a provider's prompt cache can have. Of 50 requests
// of a run of 60 steps, each with an argument of 500 and an output of 2000 characters. For docs/benchmarks.md.
#include <algorithm>
#include <cstdio>
#include <string>

#include "acta/compress/compress.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/messages.hpp"

namespace {

void measure(const char* name, const acta::PromptOptions& budget) {
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user("Read all parts of the log, and say when the pump ran dry."));
    std::string before;
    double all = 0;
    double shared = 0;
    for (int step = 0; step < 60; ++step) {
        history.register_action({.thoughts = "I read part " + std::to_string(step) + ".",
                                 .use_tool = {"read_log", {{"part", step}, {"filter", std::string(500, 'a')}}}});
        history.register_result(acta::ActionSuccessResult{
            .outputs = "Part " + std::to_string(step) + ": " + std::string(2000, static_cast<char>('a' + step % 26))});
        acta::CompressionOptions compression;
        compression.keep_recent = budget.keep_recent;
        static_cast<void>(acta::handle_compression(history, acta::ExtractiveSummarizer{}, compression));
        const std::string now = acta::dump(acta::to_messages(history, {.budget = budget}));
        if (step >= 10) {
            all += static_cast<double>(now.size());
            shared += static_cast<double>(std::ranges::mismatch(before, now).in1 - before.begin());
        }
        before = now;
    }
    std::printf("| %s | %.0f | %.0f | %.0f %% |\n", name, all / 50, shared / 50, 100 * shared / all);
}

}  // namespace

int main() {
    std::puts("| budget | bytes of a request | of them as in the one before | |\n|---|---|---|---|");
    acta::PromptOptions budget;
    budget.max_full_tokens = 100'000;
    budget.keep_recent = 8;
    measure("8 steps in full, one leaves at a time", budget);
    budget.full_stride = 8;
    measure("8 to 15 steps in full, 8 leave at a time (`full_stride`)", budget);
    budget.max_tokens = 100'000;
    measure("the same, with a budget for the lines of all others", budget);
    budget.keep_recent = 1000;
    measure("all steps in full", budget);
}
