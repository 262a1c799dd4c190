// SPDX-License-Identifier: MIT
#include "memory.hpp"

#include <cstdlib>
#include <new>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace {

bool counting = false;
std::ptrdiff_t live = 0;  // what was taken before is given back too, so it may fall below 0
std::ptrdiff_t peak = 0;

std::ptrdiff_t size_of([[maybe_unused]] void* p) noexcept {
#if defined(__GLIBC__)
    return static_cast<std::ptrdiff_t>(malloc_usable_size(p));
#else
    return 0;
#endif
}

void* counted(void* p) {
    if (p == nullptr) throw std::bad_alloc();
    if (counting) {
        live += size_of(p);
        if (live > peak) peak = live;
    }
    return p;
}

void give_back(void* p) noexcept {
    if (counting && p != nullptr) live -= size_of(p);
    std::free(p);
}

void* aligned(std::size_t size, std::size_t alignment) {
    return counted(std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment));
}

}  // namespace

namespace bench {

void start_counting() noexcept {
    live = 0;
    peak = 0;
    counting = true;
}

std::size_t counted_now() noexcept { return static_cast<std::size_t>(live > 0 ? live : 0); }

std::size_t stop_counting() noexcept {
    counting = false;
    return static_cast<std::size_t>(peak);
}

}  // namespace bench

void* operator new(std::size_t size) { return counted(std::malloc(size == 0 ? 1 : size)); }
void* operator new[](std::size_t size) { return counted(std::malloc(size == 0 ? 1 : size)); }
void* operator new(std::size_t size, std::align_val_t a) { return aligned(size, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return aligned(size, static_cast<std::size_t>(a)); }
void operator delete(void* p) noexcept { give_back(p); }
void operator delete[](void* p) noexcept { give_back(p); }
void operator delete(void* p, std::size_t) noexcept { give_back(p); }
void operator delete[](void* p, std::size_t) noexcept { give_back(p); }
void operator delete(void* p, std::align_val_t) noexcept { give_back(p); }
void operator delete[](void* p, std::align_val_t) noexcept { give_back(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { give_back(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { give_back(p); }
