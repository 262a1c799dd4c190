// SPDX-License-Identifier: MIT
// expect: acta: this type is not described: add
#include <acta/acta.hpp>

namespace app {
struct Plain {
    int depth = 0;
};
}  // namespace app
#if defined(ACTA_COMPILES)
template <>
struct acta::Describe<app::Plain> {
    static constexpr auto fields = acta::fields(acta::required("depth", &app::Plain::depth));
};
#endif

namespace app {
std::string write(const Plain& plain) { return acta::dump(plain); }
}  // namespace app
