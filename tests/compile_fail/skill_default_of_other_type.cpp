// SPDX-License-Identifier: MIT
// expect: acta: the default of a parameter must convert
#include <acta/acta.hpp>

namespace app {
void add(acta::SkillRegistry& skills) {
#if defined(ACTA_COMPILES)
    skills.add(
        "twice", "Doubles.", [](int n) { return 2 * n; }, acta::param("n", "What.", 1));
#else
    skills.add(
        "twice", "Doubles.", [](int n) { return 2 * n; }, acta::param("n", "What.", "one"));
#endif
}
}  // namespace app
