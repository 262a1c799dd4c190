// SPDX-License-Identifier: MIT
// expect: acta: thoughts are std::string, acta::Json
#include <acta/acta.hpp>

namespace app {
struct Plan {
    std::string goal{};
    [[nodiscard]] std::string summary() const { return goal; }
};
}  // namespace app
#if defined(ACTA_COMPILES)
template <>
struct acta::Describe<app::Plan> {
    static constexpr auto fields = acta::fields(acta::required("goal", &app::Plan::goal));
};
#endif

namespace app {
acta::EpisodicActionHistory<acta::ActionProposal<Plan>> history;
}  // namespace app
