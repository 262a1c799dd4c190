// SPDX-License-Identifier: MIT
#include "measure/prompt_cost.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "support/catch.hpp"

// With a prompt cache, the default budget of a run costs about as little as any; docs/compression.md has the tables.

TEST_CASE("the default budget costs at most a tenth more than all steps in full, and less in long runs") {
    constexpr std::size_t columns[] = {12, 40, 80};
    const acta::PromptOptions usual = acta::RunOptions().budget;
    for (const std::size_t words : {100U, 300U}) {
        acta_measure::Steps steps;
        for (std::size_t i = 0; i < 9; ++i) {
            acta::Episode<>& step = steps.emplace_back();
            step.action = {.thoughts = "Look at part " + std::to_string(i) + ".", .use_tool = {"read", {{"part", i}}}};
            std::string output;
            for (std::size_t w = 0; w < words; ++w) output += "reading " + std::to_string(37 * w + i) + "\n";
            step.result = acta::ActionSuccessResult{.outputs = output};
        }
        const auto by_default = acta_measure::play(steps, usual, columns);
        const auto whole = acta_measure::play(steps, acta_measure::all_in_full(usual), columns);
        acta::PromptOptions one_leaves = usual;
        one_leaves.full_stride = 1;
        const auto single = acta_measure::play(steps, one_leaves, columns);
        for (std::size_t i = 0; i < std::size(columns); ++i) {
            CAPTURE(words, columns[i]);
            CHECK(by_default[i].price() <= 1.1 * std::min(whole[i].price(), single[i].price()));
        }
        CHECK(by_default.back().price() < 0.8 * whole.back().price());
    }
}
