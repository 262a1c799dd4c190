// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

extern "C" {

/// Keeps a history, as JSON, and makes a list of structs.
void acta_bench_prepare(const char* history, std::size_t size);
/// Reads (0) or writes (1) the history, reads (2) or writes (3) the list. Returns the bytes of its JSON.
std::size_t acta_bench_run(int work);
}
