// SPDX-License-Identifier: MIT
// expect: acta: this history may be in use by other threads: pass the history inside
#include <acta/acta.hpp>

std::string text(acta::SharedHistory<>& shared) {
#if defined(ACTA_COMPILES)
    return acta::dump(*shared.lock());
#else
    return acta::dump(shared);
#endif
}
