// SPDX-License-Identifier: MIT
// expect: acta: say whose message it is: acta::ChatMessage::user(text)
// lines: 15
#include <acta/acta.hpp>

namespace app {
void ask(acta::EpisodicActionHistory<>& history) {
#if defined(ACTA_COMPILES)
    history.register_message(acta::ChatMessage::user("When is high water?"));
#else
    history.register_message("When is high water?");
#endif
}
}  // namespace app
