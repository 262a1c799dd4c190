// SPDX-License-Identifier: MIT
#include "growth/compared.hpp"

#include <atomic>
#include <cstddef>

// The linker gives calls of a function to `__wrap_...`, and those of `__real_...` to the function itself.
extern "C" {
int __real_memcmp(const void* a, const void* b, std::size_t size) noexcept;  // NOLINT(bugprone-reserved-identifier)
int __real_bcmp(const void* a, const void* b, std::size_t size) noexcept;    // NOLINT(bugprone-reserved-identifier)
int __wrap_memcmp(const void* a, const void* b, std::size_t size) noexcept;  // NOLINT(bugprone-reserved-identifier)
int __wrap_bcmp(const void* a, const void* b, std::size_t size) noexcept;    // NOLINT(bugprone-reserved-identifier)
}

namespace {

std::atomic<std::size_t> count{0};

}  // namespace

std::size_t growth::compared() noexcept { return count; }

int __wrap_memcmp(const void* a, const void* b, std::size_t size) noexcept {
    count.fetch_add(1, std::memory_order_relaxed);
    return __real_memcmp(a, b, size);
}

int __wrap_bcmp(const void* a, const void* b, std::size_t size) noexcept {
    count.fetch_add(1, std::memory_order_relaxed);
    return __real_bcmp(a, b, size);
}
