// SPDX-License-Identifier: MIT
// expect: its default is the initialiser of the member
#include <acta/acta.hpp>

namespace app {
struct Search {
    std::string sort = "date";
};
}  // namespace app
template <>
struct acta::Describe<app::Search> {
#if defined(ACTA_COMPILES)
    static constexpr auto fields = acta::fields(acta::defaulted("sort", &app::Search::sort, "By what."));
#else
    static constexpr auto fields = acta::fields(acta::defaulted("sort", &app::Search::sort, "By what.", "date"));
#endif
};

namespace app {
Search read(std::string_view text) { return acta::parse<Search>(text); }
}  // namespace app
