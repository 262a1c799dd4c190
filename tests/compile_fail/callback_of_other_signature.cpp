// SPDX-License-Identifier: MIT
// expect: acta: the wanted function takes these Arguments and returns this Result
// lines: 15
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
acta::RunOptions careful() {
    acta::RunOptions options;
#if defined(ACTA_COMPILES)
    options.approve = [](const acta::AssistantToolCall&) { return acta::Approval::yes(); };
    options.chat.on_text = nullptr;
#else
    options.approve = [](const std::string&) { return true; };
#endif
    return options;
}
}  // namespace app
