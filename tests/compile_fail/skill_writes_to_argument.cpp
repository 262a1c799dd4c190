// SPDX-License-Identifier: MIT
// expect: acta: a skill takes its arguments by value or by const reference
#include <acta/acta.hpp>

namespace app {
#if defined(ACTA_COMPILES)
void read_text(const std::string& text, const acta::SkillContext&) { static_cast<void>(text); }
#else
void read_text(std::string& text, const acta::SkillContext&) { text.clear(); }
#endif

void add(acta::SkillRegistry& skills) { skills.add("read", "Reads.", read_text, "text"); }
}  // namespace app
