// SPDX-License-Identifier: MIT
// expect: acta: this description has a member of another struct
// lines: 15
#include <acta/acta.hpp>

namespace app {
struct Place {
    std::string name{};
};
struct Query {
    std::string text{};
    std::string place{};
};
}  // namespace app
template <>
struct acta::Describe<app::Query> {
#if defined(ACTA_COMPILES)
    static constexpr auto fields =
        acta::fields(acta::required("text", &app::Query::text), acta::required("place", &app::Query::place));
#else
    static constexpr auto fields =
        acta::fields(acta::required("text", &app::Query::text), acta::required("place", &app::Place::name));
#endif
};

namespace app {
Query read(std::string_view text) { return acta::parse<Query>(text); }
}  // namespace app
