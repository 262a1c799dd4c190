// SPDX-License-Identifier: MIT
// expect: = delete;  // acta: read JSON first: use acta::validate<acta::ActionResult>
#include <acta/acta.hpp>

namespace app {
void note(acta::EpisodicActionHistory<>& history, const acta::Json& json) {
#if defined(ACTA_COMPILES)
    history.register_result(acta::validate<acta::ActionResult>(json));
#else
    history.register_result(json);
#endif
}
}  // namespace app
