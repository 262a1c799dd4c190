// SPDX-License-Identifier: MIT
// expect: acta: this enum is not described: add
#include <acta/acta.hpp>

namespace app {
enum class Colour { red, green };
struct Lamp {
    Colour colour = Colour::red;
};
}  // namespace app
#if defined(ACTA_COMPILES)
template <>
struct acta::Describe<app::Colour> {
    static constexpr auto values =
        acta::values<app::Colour>({{"red", app::Colour::red}, {"green", app::Colour::green}});
};
#endif
template <>
struct acta::Describe<app::Lamp> {
    static constexpr auto fields = acta::fields(acta::required("colour", &app::Lamp::colour));
};

namespace app {
Lamp read(std::string_view text) { return acta::parse<Lamp>(text); }
}  // namespace app
