// SPDX-License-Identifier: MIT
// expect: acta: the history comes first, then the summarizer
// lines: 15
#include <acta/acta.hpp>

#include "acta/compress/compress.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/compress/rolling_summary.hpp"

namespace app {
acta::CompressionReport compress(acta::EpisodicActionHistory<>& history) {
#if defined(ACTA_COMPILES)
    return acta::handle_compression(history, acta::ExtractiveSummarizer{});
#else
    return acta::handle_compression(acta::ExtractiveSummarizer{}, history);
#endif
}
}  // namespace app
