// SPDX-License-Identifier: MIT
// expect: acta: a field is a data member, and this is a function
#include <acta/acta.hpp>

namespace app {
struct Query {
    std::string text{};
    [[nodiscard]] std::string upper() const { return text; }
};
}  // namespace app
template <>
struct acta::Describe<app::Query> {
#if defined(ACTA_COMPILES)
    static constexpr auto fields = acta::fields(acta::required("text", &app::Query::text));
#else
    static constexpr auto fields = acta::fields(acta::required("upper", &app::Query::upper));
#endif
};

namespace app {
Query read(std::string_view text) { return acta::parse<Query>(text); }
}  // namespace app
