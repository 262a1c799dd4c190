// SPDX-License-Identifier: MIT
// expect: acta: a model is called with (std::span<const acta::ChatMessage>, const acta::ChatOptions&)
// lines: 20
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>

namespace app {
acta::RunResult answer(acta::EpisodicActionHistory<>& history) {
#if defined(ACTA_COMPILES)
    return acta::run_agent(
        [](std::span<const acta::ChatMessage>, const acta::ChatOptions&) { return acta::ChatCompletion(); }, {},
        history);
#else
    return acta::run_agent([](const std::string&) { return acta::ChatCompletion(); }, {}, history);
#endif
}
}  // namespace app
