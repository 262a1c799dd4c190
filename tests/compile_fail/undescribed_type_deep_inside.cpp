// SPDX-License-Identifier: MIT
// expect: acta: this type is not described: add
#include <acta/acta.hpp>

namespace app {
struct Inner {
    int depth = 0;
};
struct Outer {
    std::vector<std::optional<Inner>> inner{};
};
}  // namespace app
#if defined(ACTA_COMPILES)
template <>
struct acta::Describe<app::Inner> {
    static constexpr auto fields = acta::fields(acta::required("depth", &app::Inner::depth));
};
#endif
template <>
struct acta::Describe<app::Outer> {
    static constexpr auto fields = acta::fields(acta::required("inner", &app::Outer::inner));
};

namespace app {
Outer read(std::string_view text) { return acta::parse<Outer>(text); }
}  // namespace app
