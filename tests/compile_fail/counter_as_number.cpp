// SPDX-License-Identifier: MIT
// expect: acta: a counter takes a std::string_view
// lines: 15
#include <acta/acta.hpp>

namespace app {
acta::PromptOptions brief() {
#if defined(ACTA_COMPILES)
    return {.count_tokens = [](std::string_view text) { return text.size() / 4; }};
#else
    return {.count_tokens = 4};
#endif
}
}  // namespace app
