// SPDX-License-Identifier: MIT
// expect: acta: a model is an object that can be asked
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
acta::RunTimeTool reader(const acta::ScriptedChatModel& model) {
#if defined(ACTA_COMPILES)
    return acta::agent_tool("reader", "Reads.", model, {});
#else
    return acta::agent_tool("reader", "Reads.", "gpt-4", {});
#endif
}
}  // namespace app
