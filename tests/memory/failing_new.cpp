// SPDX-License-Identifier: MIT
#include "memory/failing_new.hpp"

#include <atomic>
#include <cstdlib>

namespace {

// Several threads may allocate at the same time.
std::atomic<std::ptrdiff_t> blocks{0};
std::atomic<std::size_t> made{0};
std::atomic<std::size_t> first_failing{0};
std::atomic<bool> later_too{false};
std::atomic<bool> failed{false};

bool fails() noexcept {
    const std::size_t first = first_failing.load();
    if (first == 0) return false;
    const std::size_t n = ++made;
    const bool now = later_too.load() ? n >= first : n == first;
    if (now) failed = true;
    return now;
}

void* counted(void* p) {
    if (p == nullptr) throw std::bad_alloc();
    ++blocks;
    return p;
}

void* plain(std::size_t size) {
    if (fails()) throw std::bad_alloc();
    return counted(std::malloc(size == 0 ? 1 : size));
}

void* aligned(std::size_t size, std::align_val_t alignment) {
    if (fails()) throw std::bad_alloc();
    const auto unit = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(unit, (size + unit - 1) / unit * unit));
}

void give_back(void* p) noexcept {
    if (p == nullptr) return;
    --blocks;
    std::free(p);
}

}  // namespace

namespace memory {

void fail(std::size_t n, Shortage shortage) noexcept {
    made = 0;
    failed = false;
    later_too = shortage == Shortage::from_then_on;
    first_failing = n;
}

bool stop() noexcept {
    first_failing = 0;
    return failed;
}

std::ptrdiff_t live() noexcept { return blocks; }

}  // namespace memory

void* operator new(std::size_t size) { return plain(size); }
void* operator new[](std::size_t size) { return plain(size); }
void* operator new(std::size_t size, std::align_val_t a) { return aligned(size, a); }
void* operator new[](std::size_t size, std::align_val_t a) { return aligned(size, a); }
void operator delete(void* p) noexcept { give_back(p); }
void operator delete[](void* p) noexcept { give_back(p); }
void operator delete(void* p, std::size_t) noexcept { give_back(p); }
void operator delete[](void* p, std::size_t) noexcept { give_back(p); }
void operator delete(void* p, std::align_val_t) noexcept { give_back(p); }
void operator delete[](void* p, std::align_val_t) noexcept { give_back(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { give_back(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { give_back(p); }
