// SPDX-License-Identifier: MIT
// expect: acta: a summarizer takes (std::string_view, const acta::SummaryRequest&)
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
acta::RunOptions brief() {
#if defined(ACTA_COMPILES)
    return {.summarizer = [](std::string_view text, const acta::SummaryRequest&) {
        return std::string(text.substr(0, 40));
    }};
#else
    return {.summarizer = [](std::string_view text) { return std::string(text.substr(0, 40)); }};
#endif
}
}  // namespace app
