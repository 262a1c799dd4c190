// SPDX-License-Identifier: MIT
// expect: acta: a time needs a unit, as in std::chrono::seconds(5)
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
acta::RunResult run(const acta::ScriptedChatModel& model, acta::EpisodicActionHistory<>& history) {
#if defined(ACTA_COMPILES)
    return acta::run_agent(model, {}, history, {.call_timeout = std::chrono::seconds(5)});
#else
    return acta::run_agent(model, {}, history, {.call_timeout = 5});
#endif
}
}  // namespace app
