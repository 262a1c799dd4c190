// SPDX-License-Identifier: MIT
// expect: const&& = delete;  // acta: keep the history in a variable
#include <acta/acta.hpp>

namespace app {
inline int words() {
    int count = 0;
#if defined(ACTA_COMPILES)
    const auto history = acta::parse<acta::EpisodicActionHistory<>>("{}");
    for (const auto& said : history.messages()) count += said.message.content.empty() ? 0 : 1;
#else
    for (const auto& said : acta::parse<acta::EpisodicActionHistory<>>("{}").messages())
        count += said.message.content.empty() ? 0 : 1;
#endif
    return count;
}
}  // namespace app
