// SPDX-License-Identifier: MIT
// expect: acta: thoughts are std::string, acta::Json
#include <acta/acta.hpp>

namespace app {
struct Thoughts {
    std::string text{};
#if defined(ACTA_COMPILES)
    [[nodiscard]] std::string summary() const { return text; }
#endif
};
}  // namespace app
template <>
struct acta::Describe<app::Thoughts> {
    static constexpr auto fields = acta::fields(acta::required("text", &app::Thoughts::text));
};

namespace app {
std::string print(const acta::Episode<acta::ActionProposal<Thoughts>>& episode) { return episode.format(); }
}  // namespace app
