// SPDX-License-Identifier: MIT
// expect: acta: RunOptions says what this function takes and returns
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
void count_steps(acta::RunOptions& options, int& count) {
#if defined(ACTA_COMPILES)
    options.on_step = [&count](std::size_t) { ++count; };
#else
    options.on_step = [&count] { ++count; };
#endif
}
}  // namespace app
