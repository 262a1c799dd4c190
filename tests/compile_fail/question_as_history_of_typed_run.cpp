// SPDX-License-Identifier: MIT
// expect: acta: register the question as a message
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
std::optional<acta::TokenUsage> count(const acta::ScriptedChatModel& model, const std::string& question) {
#if defined(ACTA_COMPILES)
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user(question));
    return acta::run_agent<acta::TokenUsage>(model, {}, history, {.limits = {.requests = 3}}).value;
#else
    return acta::run_agent<acta::TokenUsage>(model, {}, question, {.limits = {.requests = 3}}).value;
#endif
}
}  // namespace app
