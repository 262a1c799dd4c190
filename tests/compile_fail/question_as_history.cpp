// SPDX-License-Identifier: MIT
// expect: acta: register the question as a message
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
inline acta::RunResult answer_to_question() {
    const acta::ScriptedChatModel model{"At noon."};
    const acta::SkillRegistry skills;
#if defined(ACTA_COMPILES)
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user("When is high water?"));
    return acta::run_agent(model, skills, history);
#else
    return acta::run_agent(model, skills, "When is high water?");
#endif
}
}  // namespace app
