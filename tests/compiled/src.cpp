// SPDX-License-Identifier: MIT
// The one source of a program that has the definitions, where no CMake builds acta::compiled.
#include "acta/src.hpp"
