// SPDX-License-Identifier: MIT
// expect: acta: this type is not described: add
#include <acta/acta.hpp>

namespace app {
struct Page {
    std::string text{};
};
}  // namespace app
#if defined(ACTA_COMPILES)
template <>
struct acta::Describe<app::Page> {
    static constexpr auto fields = acta::fields(acta::required("text", &app::Page::text));
};
#endif

namespace app {
void add(acta::SkillRegistry& skills) {
    skills.add(
        "read", "Reads a page.", [](int number) { return Page{std::to_string(number)}; }, "number");
}
}  // namespace app
