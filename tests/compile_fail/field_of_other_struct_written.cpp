// SPDX-License-Identifier: MIT
// expect: acta: this description has a member of another struct
// lines: 15
#include <acta/acta.hpp>

namespace app {
struct Place {
    acta::JsonObject rest{};
};
struct Query {
    std::string text{};
    acta::JsonObject rest{};
};
}  // namespace app
template <>
struct acta::Describe<app::Query> {
#if defined(ACTA_COMPILES)
    static constexpr auto fields =
        acta::fields(acta::required("text", &app::Query::text), acta::unknown_keys(&app::Query::rest));
#else
    static constexpr auto fields =
        acta::fields(acta::required("text", &app::Query::text), acta::unknown_keys(&app::Place::rest));
#endif
};

namespace app {
std::string write(const Query& query) { return acta::dump(query); }
}  // namespace app
