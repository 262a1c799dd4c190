// SPDX-License-Identifier: MIT
// expect: acta: a summarizer is called with (std::string_view text
#include <acta/acta.hpp>

#include <string>

#include "acta/compress/compress.hpp"

namespace app {
void compress(acta::EpisodicActionHistory<>& history) {
#if defined(ACTA_COMPILES)
    acta::handle_compression(
        history, [](std::string_view text, const acta::SummaryRequest&) { return std::string(text.substr(0, 40)); });
#else
    acta::handle_compression(history, [](std::string_view text) { return std::string(text.substr(0, 40)); });
#endif
}
}  // namespace app
