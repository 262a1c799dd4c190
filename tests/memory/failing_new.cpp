// SPDX-License-Identifier: MIT
#include "memory/failing_new.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#if defined(__GLIBC__)
#include <dlfcn.h>
#include <execinfo.h>
#endif

namespace {

// Several threads may allocate at the same time.
std::atomic<std::ptrdiff_t> blocks{0};
std::atomic<std::size_t> bytes{0};
std::atomic<std::size_t> made{0};
std::atomic<std::size_t> first_failing{0};
std::atomic<bool> later_too{false};
std::atomic<bool> failed{false};

#if defined(__GLIBC__)
bool destroys_json(void* address) noexcept {
    ::Dl_info info{};
    return ::dladdr(address, &info) != 0 && info.dli_sname != nullptr &&
           std::string_view(info.dli_sname).find("json_value7destroy") != std::string_view::npos;
}

/// The same, by what is known of the address: to look for a name takes long.
bool known_to_destroy_json(void* address) noexcept {
    constexpr std::uintptr_t destroys = 1;  // beside the address, which is left out of 2
    static std::array<std::atomic<std::uintptr_t>, 4096> known{};
    const std::uintptr_t key = reinterpret_cast<std::uintptr_t>(address) << 1U;
    std::atomic<std::uintptr_t>& place = known[(key >> 1U) % known.size()];
    const std::uintptr_t found = place.load();
    if ((found & ~destroys) == key) return (found & destroys) != 0;
    const bool answer = destroys_json(address);
    place = key | (answer ? destroys : 0);
    return answer;
}
#endif

/// Whether nlohmann_json allocates to destroy a list or an object. Where it cannot, it ends the program, and no user of
/// it can do anything about that. (The program exports its functions, so that their names are known.)
bool is_destruction_of_json() noexcept {
#if defined(__GLIBC__)
    std::array<void*, 24> frames{};
    const int depth = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    for (int i = 0; i < depth; ++i) {
        if (known_to_destroy_json(frames[static_cast<std::size_t>(i)])) return true;
    }
#endif
    return false;
}

bool fails() noexcept {
    const std::size_t first = first_failing.load();
    if (first == 0) return false;
    const std::size_t n = ++made;
    if (later_too.load() ? n < first : n != first) return false;
    if (is_destruction_of_json()) {
        --made;  // the next one in its place
        return false;
    }
    failed = true;
    return true;
}

void* counted(void* p, std::size_t size) {
    if (p == nullptr) throw std::bad_alloc();
    ++blocks;
    bytes += size;
    return p;
}

void* plain(std::size_t size) {
    if (fails()) throw std::bad_alloc();
    return counted(std::malloc(size == 0 ? 1 : size), size);
}

void* aligned(std::size_t size, std::align_val_t alignment) {
    if (fails()) throw std::bad_alloc();
    const auto unit = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(unit, (size + unit - 1) / unit * unit), size);
}

void* without_exception(std::size_t size) noexcept {
    try {
        return plain(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
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
std::size_t taken() noexcept { return bytes; }

}  // namespace memory

void* operator new(std::size_t size) { return plain(size); }
void* operator new[](std::size_t size) { return plain(size); }
// As the standard library's do; AddressSanitizer has its own, which would not fit the others.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return without_exception(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return without_exception(size); }
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
