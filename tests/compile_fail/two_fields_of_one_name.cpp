// SPDX-License-Identifier: MIT
// expect: acta: two fields of this description have the same name
#include <acta/acta.hpp>

namespace app {
struct Query {
    std::string text{};
    int limit = 0;
};
}  // namespace app
template <>
struct acta::Describe<app::Query> {
#if defined(ACTA_COMPILES)
    static constexpr auto fields =
        acta::fields(acta::required("text", &app::Query::text), acta::required("limit", &app::Query::limit));
#else
    static constexpr auto fields =
        acta::fields(acta::required("text", &app::Query::text), acta::required("text", &app::Query::limit));
#endif
};

namespace app {
Query read(std::string_view text) { return acta::parse<Query>(text); }
}  // namespace app
