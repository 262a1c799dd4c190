// SPDX-License-Identifier: MIT
// expect: acta: a model is an object that can be asked
// lines: 20
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
std::optional<acta::TokenUsage> count(const acta::ScriptedChatModel& model, acta::EpisodicActionHistory<>& history) {
#if defined(ACTA_COMPILES)
    return acta::run_agent<acta::TokenUsage>(model, {}, history, {.chat = {.model = "gpt-4"}}).value;
#else
    return acta::run_agent<acta::TokenUsage>(std::string("gpt-4"), {}, history, {.limits = {.requests = 3}}).value;
#endif
}
}  // namespace app
