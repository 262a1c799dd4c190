// SPDX-License-Identifier: MIT
// expect: acta: the wanted function takes these Arguments and returns this Result
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
acta::RunOptions cheap() {
#if defined(ACTA_COMPILES)
    return {.price = [](const acta::ChatCompletion&) { return 0.5; }};
#else
    return {.price = [](const acta::TokenUsage&) { return 0.5; }};
#endif
}
}  // namespace app
