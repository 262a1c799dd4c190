// SPDX-License-Identifier: MIT
// expect: acta: say how it ended: acta::ActionSuccessResult{.outputs = value}
// lines: 15
#include <acta/acta.hpp>

namespace app {
void note(acta::EpisodicActionHistory<>& history) {
#if defined(ACTA_COMPILES)
    history.register_result(acta::ActionSuccessResult{.outputs = "ok"});
#else
    history.register_result("ok");
#endif
}
}  // namespace app
