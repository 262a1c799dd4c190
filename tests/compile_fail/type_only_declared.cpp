// SPDX-License-Identifier: MIT
// expect: // include acta/interop/atif/atif.hpp
#include <acta/acta.hpp>
#if defined(ACTA_COMPILES)
#include <acta/interop/atif/atif.hpp>
#endif

namespace app {
std::string read(std::string_view text) { return acta::parse<acta::atif::Document>(text).schema_version; }
}  // namespace app
