// SPDX-License-Identifier: MIT
// expect: acta: a list of fields is made by acta::fields
// lines: 15
#include <acta/acta.hpp>

namespace app {
struct Query {
    std::string text{};
};
}  // namespace app
template <>
struct acta::Describe<app::Query> {
#if defined(ACTA_COMPILES)
    static constexpr auto fields = acta::fields(acta::required("text", &app::Query::text));
#else
    static constexpr auto fields = acta::field(acta::required("text", &app::Query::text));
#endif
};

namespace app {
Query read(std::string_view text) { return acta::parse<Query>(text); }
}  // namespace app
