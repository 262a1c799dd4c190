// SPDX-License-Identifier: MIT
// expect: // include acta/tool_response/models.hpp
#include <acta/acta.hpp>
#if defined(ACTA_COMPILES)
#include <acta/tool_response/models.hpp>
#endif

namespace app {
std::string read(std::string_view text) { return acta::parse<acta::AgentsFoundResponse>(text).message; }
}  // namespace app
