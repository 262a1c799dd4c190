// SPDX-License-Identifier: MIT
// expect: outside your namespace, before its first use
#include <acta/acta.hpp>

namespace app {
struct Query {
    std::string text{};
};
#if !defined(ACTA_COMPILES)
// A template of one's own with the same name: acta does not look here.
template <class T>
struct Describe;
template <>
struct Describe<Query> {
    static constexpr auto fields = acta::fields(acta::required("text", &Query::text));
};
#endif
}  // namespace app
#if defined(ACTA_COMPILES)
template <>
struct acta::Describe<app::Query> {
    static constexpr auto fields = acta::fields(acta::required("text", &app::Query::text));
};
#endif

namespace app {
Query read(std::string_view text) { return acta::parse<Query>(text); }
}  // namespace app
