// SPDX-License-Identifier: MIT
// expect: // include acta/tool_response/discovery.hpp
#include <acta/acta.hpp>
#if defined(ACTA_COMPILES)
#include <acta/tool_response/discovery.hpp>
#endif

namespace app {
std::string read(std::string_view text) { return acta::parse<acta::AgentsFoundResponse>(text).message; }
}  // namespace app
