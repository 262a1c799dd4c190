// SPDX-License-Identifier: MIT
#pragma once

// Where the files are that tests read and the programs that they run. Only paths.cpp is compiled with these paths, so
// that ccache finds what another checkout has compiled.

#include <string>
#include <string_view>

namespace paths {

/// The path of a file of the repository, or the repository itself.
[[nodiscard]] std::string source(std::string_view name = {});
/// The path of a file in tests/golden.
[[nodiscard]] std::string golden(std::string_view name);
/// The path of a file in the folder ACTA_SHARED_DATA_DIR, which may not exist.
[[nodiscard]] std::string shared_data(std::string_view name = {});
/// The path of a program in examples/, as it was built.
[[nodiscard]] std::string example(std::string_view name);
/// The build folder.
[[nodiscard]] std::string build();
/// The interpreter for tests that run Python; empty if there is none.
[[nodiscard]] std::string python();

}  // namespace paths
