// SPDX-License-Identifier: MIT
// expect: for an enum `values`
// lines: 15
#include <acta/acta.hpp>

namespace app {
enum class Query { brief };
}  // namespace app
template <>
struct acta::Describe<app::Query> {
#if defined(ACTA_COMPILES)
    static constexpr auto values = acta::values<app::Query>({{ "short", app::Query::brief }});
#else
    static constexpr auto value = acta::values<app::Query>({{"short", app::Query::brief}});
#endif
};

namespace app {
Query read(std::string_view text) { return acta::parse<Query>(text); }
}  // namespace app
