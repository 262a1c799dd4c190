// SPDX-License-Identifier: MIT
// expect: acta: a run is written to the history: keep it in a variable that is not const
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
acta::RunResult resume(const acta::ScriptedChatModel& model, std::string_view text) {
#if defined(ACTA_COMPILES)
    auto history = acta::parse<acta::EpisodicActionHistory<>>(text);
    return acta::run_agent(model, {}, history);
#else
    return acta::run_agent(model, {}, acta::parse<acta::EpisodicActionHistory<>>(text));
#endif
}
}  // namespace app
