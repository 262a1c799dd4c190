// SPDX-License-Identifier: MIT
// expect: acta: the arguments are ask<T>(model, question, options, attempts)
// lines: 15
#include <acta/acta.hpp>

namespace app {
acta::TokenUsage count(const acta::ScriptedChatModel& model) {
#if defined(ACTA_COMPILES)
    return acta::ask<acta::TokenUsage>(model, "How many tokens?");
#else
    return acta::ask<acta::TokenUsage>("How many tokens?", model);
#endif
}
}  // namespace app
