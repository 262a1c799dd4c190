// SPDX-License-Identifier: MIT
#include "support/paths.hpp"

namespace paths {
namespace {

std::string below(const char* folder, std::string_view name) {
    std::string path = folder;
    if (!name.empty()) path.append("/").append(name);
    return path;
}

}  // namespace

std::string source(std::string_view name) { return below(ACTA_SOURCE_DIR, name); }
std::string golden(std::string_view name) { return below(ACTA_SOURCE_DIR "/tests/golden", name); }
std::string shared_data(std::string_view name) { return below(ACTA_SHARED_DATA_DIR, name); }
std::string example(std::string_view name) { return below(ACTA_BUILD_DIR "/examples", name); }
std::string build() { return ACTA_BUILD_DIR; }
std::string python() { return ACTA_PYTHON; }

}  // namespace paths
