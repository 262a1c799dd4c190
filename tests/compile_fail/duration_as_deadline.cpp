// SPDX-License-Identifier: MIT
// expect: acta: a deadline is a point in time, as in acta::deadline_in(std::chrono::seconds(5))
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
void limit(acta::RunOptions& options) {
#if defined(ACTA_COMPILES)
    options.deadline = acta::deadline_in(std::chrono::seconds(5));
#else
    options.deadline = std::chrono::seconds(5);
#endif
}
}  // namespace app
