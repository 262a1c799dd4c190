// SPDX-License-Identifier: MIT
// flags: -fno-exceptions
// expect: acta: exceptions are needed: compile the sources that include acta without -fno-exceptions
#include <acta/acta.hpp>

namespace app {
std::string version();
std::string version() { return acta::version; }
}  // namespace app
