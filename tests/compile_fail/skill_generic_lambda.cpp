// SPDX-License-Identifier: MIT
// expect: acta: the function's parameters cannot be seen
#include <acta/acta.hpp>

namespace app {
void add(acta::SkillRegistry& skills) {
#if defined(ACTA_COMPILES)
    skills.add(
        "twice", "Doubles.", [](int n) { return 2 * n; }, "n");
#else
    skills.add(
        "twice", "Doubles.", [](auto n) { return 2 * n; }, "n");
#endif
}
}  // namespace app
