// SPDX-License-Identifier: MIT
// expect: acta: this type is not described: add
#include <acta/acta.hpp>

namespace app {
struct Search {
    std::string query{};
};
}  // namespace app
#if defined(ACTA_COMPILES)
template <>
struct acta::Describe<app::Search> {
    static constexpr auto fields = acta::fields(acta::required("query", &app::Search::query));
};
#endif

namespace app {
void add(acta::SkillRegistry& skills) {
    skills.add("search", "Looks for pages.", [](const Search& search) { return search.query; });
}
}  // namespace app
