// SPDX-License-Identifier: MIT
// Prompts of histories whose texts are all the same input: no form shows a step, a message or a status that is not
// there.
#include "fuzz.hpp"
#include "support/prompt_structure.hpp"

namespace {

std::vector<std::string> sorted(const std::string& text) {
    std::vector<std::string> out = prompts::all_structure(prompts::history_of(text));
    std::sort(out.begin(), out.end());
    return out;
}

void run(std::string_view text) {
    static const std::vector<std::string> expected = sorted("x");
    if (!acta::utf8::is_valid(text) || text.empty()) return;
    const std::string hostile = "x" + std::string(text);
    const std::vector<std::string> found = sorted(hostile);  // fewer where a long text leaves no space for all steps
    fuzz::require(std::includes(expected.begin(), expected.end(), found.begin(), found.end()), "a forged line",
                  hostile);
    const std::string contained = acta::contained(text);
    fuzz::require(acta::contained(contained) == contained, "contained twice it is something else", contained);
}

}  // namespace

FUZZ_TARGET(run)
