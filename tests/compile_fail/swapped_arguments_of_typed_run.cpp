// SPDX-License-Identifier: MIT
// expect: acta: the arguments are run_agent(model, skills, history, options)
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
std::optional<acta::TokenUsage> count(const acta::ScriptedChatModel& model, const acta::SkillRegistry& skills,
                                      acta::EpisodicActionHistory<>& history) {
#if defined(ACTA_COMPILES)
    return acta::run_agent<acta::TokenUsage>(model, skills, history, {.limits = {.requests = 3}}).value;
#else
    return acta::run_agent<acta::TokenUsage>(skills, model, history, {.limits = {.requests = 3}}).value;
#endif
}
}  // namespace app
