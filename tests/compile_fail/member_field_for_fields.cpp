// SPDX-License-Identifier: MIT
// expect: acta: the member of acta::Describe<YourType> is named `fields`
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
    static constexpr auto field = acta::fields(acta::required("text", &app::Query::text));
#endif
};

namespace app {
Query read(std::string_view text) { return acta::parse<Query>(text); }
}  // namespace app
