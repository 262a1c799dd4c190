// SPDX-License-Identifier: MIT
#include "every_header.hpp"

const void* version_in_two();
const void* version_in_two() { return &acta::version; }
