// SPDX-License-Identifier: MIT
// expect: acta: return acta::Approval::yes() or acta::Approval::no("why"), not bool
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
acta::RunResult run(const acta::ScriptedChatModel& model, acta::EpisodicActionHistory<>& history) {
#if defined(ACTA_COMPILES)
    const auto may_run = [](const acta::AssistantToolCall&) { return acta::Approval::no("Not today."); };
#else
    const auto may_run = [](const acta::AssistantToolCall&) { return true; };
#endif
    return acta::run_agent(model, {}, history, {.approve = may_run});
}
}  // namespace app
