// SPDX-License-Identifier: MIT
// expect: acta: a model is an object that can be asked
// lines: 20
#include <acta/acta.hpp>

namespace app {
acta::TokenUsage count(const acta::ScriptedChatModel& model) {
#if defined(ACTA_COMPILES)
    return acta::ask<acta::TokenUsage>(model, "How many tokens?", {.model = "gpt-4"});
#else
    return acta::ask<acta::TokenUsage>("gpt-4", "How many tokens?", {.temperature = 0});
#endif
}
}  // namespace app
