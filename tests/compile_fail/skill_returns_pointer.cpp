// SPDX-License-Identifier: MIT
// expect: acta: a skill returns a value
// lines: 15
#include <acta/acta.hpp>

namespace app {
void add(acta::SkillRegistry& skills) {
#if defined(ACTA_COMPILES)
    skills.add(
        "find", "Finds the port.",
        [](int number) { return std::optional<std::string>("Port " + std::to_string(number)); }, "number");
#else
    skills.add(
        "find", "Finds the port.", [](int number) { return std::make_unique<std::string>(number, 'x'); }, "number");
#endif
}
}  // namespace app
