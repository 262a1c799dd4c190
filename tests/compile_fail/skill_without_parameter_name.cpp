// SPDX-License-Identifier: MIT
// expect: acta: every parameter needs a name
#include <acta/acta.hpp>

namespace app {
std::string search(const std::string& query, int limit) { return query + std::to_string(limit); }

void add(acta::SkillRegistry& skills) {
    skills.add("search", "Looks for pages.", search, acta::param("query", "What to look for.")
#if defined(ACTA_COMPILES)
                                                         ,
               acta::param("limit", "How many.", 10)
#endif
    );
}
}  // namespace app
