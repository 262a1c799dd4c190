// SPDX-License-Identifier: MIT
// expect: acta: a proposal is acta::ActionProposal<Thoughts>
#include <acta/acta.hpp>

namespace app {
struct Step {
    std::string thoughts{};
#if defined(ACTA_COMPILES)
    acta::AssistantFunctionCall use_tool{};
#else
    std::string use_tool{};
#endif
};
}  // namespace app
template <>
struct acta::Describe<app::Step> {
    static constexpr auto fields = acta::fields(acta::required("thoughts", &app::Step::thoughts),
                                                acta::required("use_tool", &app::Step::use_tool));
};

namespace app {
std::string print(const acta::EpisodicActionHistory<Step>& history) { return history.fmt_list(); }
}  // namespace app
