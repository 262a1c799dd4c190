// SPDX-License-Identifier: MIT
// expect: = delete;  // acta: keep the history
#include <acta/agent/agent_run.hpp>
#include <acta/history/history.hpp>

namespace app {
inline acta::RunResult run(const acta::SkillRegistry& skills, acta::EpisodicActionHistory<>& kept) {
#if defined(ACTA_COMPILES)
    return acta::AgentRun(skills, kept, {.native_calls = false}).leave();
#else
    return acta::AgentRun(skills, acta::EpisodicActionHistory<>(kept), {.native_calls = false}).leave();
#endif
}
}  // namespace app
