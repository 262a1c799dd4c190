// SPDX-License-Identifier: MIT
// expect: acta: the object of a member function must outlive the registry
#include <acta/acta.hpp>

#include "acta/skill/skill.hpp"

namespace app {
struct Counter {
    [[nodiscard]] int get() const { return 1; }
};

void add(acta::SkillRegistry& skills) {
#if defined(ACTA_COMPILES)
    static const Counter counter;
    skills.add("get", "Gets.", &Counter::get, counter);
#else
    skills.add("get", "Gets.", &Counter::get, Counter());
#endif
}
}  // namespace app
