// SPDX-License-Identifier: MIT
// The compiler refuses this by itself and says that the namespace is the matter.
// expect: enclos
#include <acta/acta.hpp>

namespace app {
struct Query {
    std::string text{};
};
#if defined(ACTA_COMPILES)
}
#endif
template <>
struct acta::Describe<app::Query> {
    static constexpr auto fields = acta::fields(acta::required("text", &app::Query::text));
};
#if !defined(ACTA_COMPILES)
}
#endif

namespace app {
Query read(std::string_view text) { return acta::parse<Query>(text); }
}  // namespace app
