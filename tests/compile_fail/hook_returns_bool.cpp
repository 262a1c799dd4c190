// SPDX-License-Identifier: MIT
// expect: acta: RunOptions says what this function takes and returns
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
acta::RunOptions options() {
#if defined(ACTA_COMPILES)
    return {.on_answer = [](const acta::AssistantChatMessage&) { return std::nullopt; }};
#else
    return {.on_answer = [](const acta::AssistantChatMessage&) { return true; }};
#endif
}
}  // namespace app
