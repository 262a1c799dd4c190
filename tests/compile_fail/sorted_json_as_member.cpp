// SPDX-License-Identifier: MIT
// expect: acta: nlohmann::json sorts its keys: use acta::Json
#include <acta/acta.hpp>

namespace app {
struct Any {
#if defined(ACTA_COMPILES)
    acta::Json value{};
#else
    nlohmann::json value{};
#endif
};
}  // namespace app
template <>
struct acta::Describe<app::Any> {
    static constexpr auto fields = acta::fields(acta::required("value", &app::Any::value));
};

namespace app {
Any read(std::string_view text) { return acta::parse<Any>(text); }
}  // namespace app
