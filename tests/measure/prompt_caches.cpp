// SPDX-License-Identifier: MIT
// Prints the tables of docs/compression.md on prompt caches: what the requests of runs cost, in thousands of the price
// of a new token, for several budgets. The steps of trajectories are played again and again, until a run has as many
// as the column says.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <variant>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/base/unicode.hpp"
#include "acta/interop/trajectory.hpp"
#include "acta/prompt/prompt.hpp"
#include "acta/text/tokens.hpp"
#include "measure/prompt_cost.hpp"

namespace {

using acta_measure::Steps;

/// The columns: how many steps a run has had.
constexpr std::size_t columns[] = {12, 25, 50, 100, 200, 400, 1000};

/// Returns the steps with outputs of about this share of their length.
Steps scaled(Steps steps, double share) {
    for (acta::Episode<>& step : steps) {
        auto* const result = step.result ? std::get_if<acta::ActionSuccessResult>(&*step.result) : nullptr;
        if (result == nullptr || !result->outputs.is_string()) continue;
        const std::string text = result->outputs.get<std::string>();
        const auto size = static_cast<std::size_t>(static_cast<double>(text.size()) * share);
        std::string out;
        while (out.size() < size && !text.empty()) out += text.substr(0, std::min(text.size(), size - out.size()));
        result->outputs = std::string(acta::utf8::prefix(out, size));
    }
    return steps;
}

struct Row {
    std::string name{};
    acta::PromptOptions budget{};
};

std::vector<Row> all_rows() {
    std::vector<Row> out;
    const acta::PromptOptions usual = acta::RunOptions().budget;
    out.push_back({"default", usual});
    out.push_back({"all steps in full", acta_measure::all_in_full(usual)});
    for (const std::size_t stride : {1U, 8U, 16U, 32U}) {
        for (const std::size_t tokens : {24'000U, 48'000U}) {
            acta::PromptOptions one = usual;
            one.full_stride = stride;
            one.max_full_tokens = tokens;
            out.push_back({std::to_string(stride) + ", " + std::to_string(tokens / 1000) + " 000", one});
        }
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s <trajectory>...\n", argv[0]);
        return 2;
    }
    try {
        Steps steps;
        for (int i = 1; i < argc; ++i) {
            const acta::EpisodicActionHistory<> history = acta::load_trajectory(argv[i], {.lenient = true}).history;
            for (std::size_t s = 0; s < history.size(); ++s) steps.push_back(history.at(s));
        }
        for (const double share : {0.2, 1.0, 8.0}) {
            const Steps played = scaled(steps, share);
            std::size_t tokens = 0;
            for (const acta::Episode<>& step : played) tokens += acta::EstimateTokens()(step.format());
            std::printf("\n\n%zu steps of %zu tokens, again and again\n\n| `full_stride`, `max_full_tokens` |",
                        played.size(), tokens / played.size());
            for (const std::size_t column : columns) std::printf(" %zu |", column);
            std::printf("\n|---|");
            for (std::size_t i = 0; i < std::size(columns); ++i) std::printf("---|");
            for (const Row& row : all_rows()) {
                std::printf("\n| %s |", row.name.c_str());
                for (const acta_measure::Tokens& sum : acta_measure::play(played, row.budget, columns))
                    std::printf(" %.1f |", sum.price() / 1000);
                std::fflush(stdout);
            }
        }
        std::printf("\n");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
