// SPDX-License-Identifier: MIT
// expect: a run without skills has acta::SkillRegistry()
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
acta::RunResult answer(const acta::ScriptedChatModel& model, acta::SharedHistory<>& history) {
#if defined(ACTA_COMPILES)
    return acta::run_agent(model, acta::SkillRegistry(), history);
#else
    return acta::run_agent(model, history);
#endif
}
}  // namespace app
