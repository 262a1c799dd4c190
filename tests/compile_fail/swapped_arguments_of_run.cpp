// SPDX-License-Identifier: MIT
// expect: acta: the arguments are run_agent(model, skills, history, options)
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
acta::RunResult answer(const acta::ScriptedChatModel& model, acta::SkillRegistry& skills,
                       acta::EpisodicActionHistory<>& history) {
#if defined(ACTA_COMPILES)
    return acta::run_agent(model, skills, history);
#else
    return acta::run_agent(model, history, skills);
#endif
}
}  // namespace app
