// SPDX-License-Identifier: MIT
#include <cstdio>

#include "every_header.hpp"

const void* version_in_two();

int main() {
    if (version_in_two() != static_cast<const void*>(&acta::version)) {
        std::puts("acta::version is not one object");
        return 1;
    }
    std::puts("two sources, one acta");
    return 0;
}
