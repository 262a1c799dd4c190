// SPDX-License-Identifier: MIT
// expect: acta: a described member must hold its value
#include <acta/acta.hpp>

namespace app {
struct Inner {
    int depth = 0;
};
struct Other {
    std::string name{};
};
struct Outer {
    Inner inner{};
    Other other{};
#if defined(ACTA_COMPILES)
    std::string text{};
#else
    const char* text = nullptr;
#endif
};
}  // namespace app
#if defined(ACTA_COMPILES)
template <>
struct acta::Describe<app::Inner> {
    static constexpr auto fields = acta::fields(acta::required("depth", &app::Inner::depth));
};
template <>
struct acta::Describe<app::Other> {
    static constexpr auto fields = acta::fields(acta::required("name", &app::Other::name));
};
#endif
template <>
struct acta::Describe<app::Outer> {
    static constexpr auto fields =
        acta::fields(acta::required("inner", &app::Outer::inner), acta::required("other", &app::Outer::other),
                     acta::required("text", &app::Outer::text));
};

namespace app {
std::string again(std::string_view text) { return acta::dump(acta::parse<Outer>(text)); }
}  // namespace app
