// SPDX-License-Identifier: MIT
// expect: acta: a described member must hold its value
#include <acta/acta.hpp>

namespace app {
struct Query {
#if defined(ACTA_COMPILES)
    std::string text{};
#else
    const char* text = nullptr;
#endif
};
}  // namespace app
template <>
struct acta::Describe<app::Query> {
    static constexpr auto fields = acta::fields(acta::required("text", &app::Query::text));
};

namespace app {
std::string write(const Query& query) { return acta::dump(query); }
}  // namespace app
