// SPDX-License-Identifier: MIT
// expect: acta: a run is written to the history: keep it in a variable that is not const
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
std::optional<acta::TokenUsage> count(const acta::ScriptedChatModel& model,
                                      const acta::EpisodicActionHistory<>& history) {
#if defined(ACTA_COMPILES)
    acta::EpisodicActionHistory<> copy = history;
    return acta::run_agent<acta::TokenUsage>(model, {}, copy).value;
#else
    return acta::run_agent<acta::TokenUsage>(model, {}, history).value;
#endif
}
}  // namespace app
