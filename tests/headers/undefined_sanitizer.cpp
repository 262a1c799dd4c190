// SPDX-License-Identifier: MIT
// Compiles with -fsanitize=undefined of g++ too, which takes fewer expressions for constants.
#include "acta/acta.hpp"

int main() {
    const auto history = acta::parse<acta::EpisodicActionHistory<>>(R"({"episodes": [], "cursor": 0})");
    return acta::dump(history).empty() ? 1 : 0;
}
