// SPDX-License-Identifier: MIT
// expect: acta: a model is an object that can be asked
// lines: 20
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
acta::RunResult answer(const acta::ScriptedChatModel& model, const acta::SkillRegistry& skills,
                       acta::EpisodicActionHistory<>& history) {
#if defined(ACTA_COMPILES)
    return acta::run_agent(model, skills, history, {.chat = {.model = "gpt-4"}});
#else
    return acta::run_agent("gpt-4", skills, history);
#endif
}
}  // namespace app
