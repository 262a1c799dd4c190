// SPDX-License-Identifier: MIT
// expect: acta: summaries are written to the history: keep it in a variable that is not const
// lines: 15
#include <acta/acta.hpp>

#include "acta/compress/compress.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/compress/rolling_summary.hpp"

namespace app {
acta::RollingSummaryReport compress(std::string_view text) {
#if defined(ACTA_COMPILES)
    auto history = acta::parse<acta::EpisodicActionHistory<>>(text);
    return acta::update_rolling_summary(history, acta::ExtractiveSummarizer{});
#else
    return acta::update_rolling_summary(acta::parse<acta::EpisodicActionHistory<>>(text), acta::ExtractiveSummarizer{});
#endif
}
}  // namespace app
