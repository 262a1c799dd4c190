// SPDX-License-Identifier: MIT
// expect: std::string description
#include <acta/acta.hpp>

namespace app {
std::string search(const std::string& query) { return query; }

void add(acta::SkillRegistry& skills) {
#if defined(ACTA_COMPILES)
    skills.add("search", "Looks for pages.", search, acta::param("query"));
#else
    skills.add("search", search, acta::param("query"));
#endif
}
}  // namespace app
