// SPDX-License-Identifier: MIT
// expect: acta: a member function needs its object: register a lambda that calls it
#include <acta/acta.hpp>

namespace app {
struct Counter {
    [[nodiscard]] int get() const { return 1; }
};

void add(acta::SkillRegistry& skills) {
#if defined(ACTA_COMPILES)
    static const Counter counter;
    skills.add("get", "Gets.", [] { return counter.get(); });
#else
    skills.add("get", "Gets.", &Counter::get);
#endif
}
}  // namespace app
