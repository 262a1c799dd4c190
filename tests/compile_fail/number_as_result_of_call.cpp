// SPDX-License-Identifier: MIT
// expect: acta: say how it ended: acta::ActionSuccessResult{.outputs = value}
// lines: 15
#include <acta/acta.hpp>

namespace app {
void note(acta::EpisodicActionHistory<>& history, int sum) {
#if defined(ACTA_COMPILES)
    history.register_result("call_0", acta::ActionSuccessResult{.outputs = sum});
#else
    history.register_result("call_0", sum);
#endif
}
}  // namespace app
