// SPDX-License-Identifier: MIT
// expect: acta: skills are called as const
#include <acta/acta.hpp>

namespace app {
void add(acta::SkillRegistry& skills) {
    int calls = 0;
#if defined(ACTA_COMPILES)
    skills.add("count", "Counts.", [calls] { return calls + 1; });
#else
    skills.add("count", "Counts.", [calls]() mutable { return ++calls; });
#endif
}
}  // namespace app
