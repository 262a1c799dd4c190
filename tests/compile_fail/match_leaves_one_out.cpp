// SPDX-License-Identifier: MIT
// expect: acta: match needs a function for each of
#include <acta/acta.hpp>

namespace app {
int count(const acta::ActionResult& result) {
    return acta::match(
        result, [](const acta::ActionSuccessResult&) { return 1; }, [](const acta::ActionErrorResult&) { return 2; }
#if defined(ACTA_COMPILES)
        ,
        [](const acta::ActionInterruptedByHuman&) { return 3; }
#endif
    );
}
}  // namespace app
