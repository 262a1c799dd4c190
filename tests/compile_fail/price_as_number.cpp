// SPDX-License-Identifier: MIT
// expect: acta: the wanted function takes these Arguments and returns this Result
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
acta::RunOptions cheap() {
#if defined(ACTA_COMPILES)
    acta::RunOptions options;
    options.price = acta::TokenPrices{.prompt = 0.5};
    options.price = nullptr;
    options.price = {};
    return options;
#else
    acta::RunOptions options;
    options.price = 0.5;
    return options;
#endif
}
}  // namespace app
