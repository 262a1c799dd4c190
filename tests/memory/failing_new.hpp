// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <new>
#include <string>

#include "support/catch.hpp"
#include "support/sizes.hpp"

// `operator new` that can be made to fail, in a program of its own.
namespace memory {

/// What fails: one allocation, after which there is memory again, or that one and all later ones. A single one also
/// reaches what happens while an exception is on its way; with all of them nothing may be allocated there.
enum class Shortage { once, from_then_on };

/// From now on the n-th allocation of the process fails, counted from 1; 0 is none.
void fail(std::size_t n, Shortage shortage) noexcept;
/// Nothing fails any more; whether an allocation did.
bool stop() noexcept;
/// How many allocations have not been given back.
std::ptrdiff_t live() noexcept;
/// How many bytes were ever allocated, given back or not.
std::size_t taken() noexcept;

struct Tried {
    std::size_t allocations = 0;  ///< Each of them failed once.
    std::size_t survived = 0;     ///< No exception came of so many.
};

/// Lets each allocation of `operation(state)`, but those by which nlohmann_json destroys its values, fail in turn,
/// until it goes through without one that fails. `state` is made by `prepare` each time. Nothing but `std::bad_alloc`
/// may come out, and nothing may leak; `check(state, thrown)` returns what is wrong with the state afterwards, or
/// nothing. Of the later ones of many allocations, which loops make, only a part fails: one in two of those from the
/// 40th on, one in ten of those from the 360th on, and so forth. In long builds all do.
template <class Prepare, class Operation, class Check>
Tried out_of_memory(Shortage shortage, const Prepare& prepare, const Operation& operation, const Check& check) {
    Tried tried;
    for (std::size_t n = 0;; n += test_size(1 + n / 40, 1)) {  // with 0, what is made once in a process is made
        const std::ptrdiff_t before = live();
        bool thrown = false;
        bool reached = false;
        std::string fault;
        {
            auto state = prepare();
            fail(n, shortage);
            try {
                operation(state);
            } catch (const std::bad_alloc&) {
                thrown = true;
            } catch (...) {
                stop();
                throw;
            }
            reached = stop();
            fault = check(state, thrown);
        }
        if (!fault.empty()) FAIL("allocation " << n << " failed: " << fault);
        if (n == 0) continue;
        if (live() != before) FAIL("allocation " << n << " failed: " << live() - before << " blocks leak");
        if (!reached) return tried;
        ++tried.allocations;
        if (!thrown) ++tried.survived;
    }
}

/// The same for an operation that changes nothing.
template <class Operation>
Tried out_of_memory(Shortage shortage, const Operation& operation) {
    return out_of_memory(
        shortage, [] { return 0; }, [&](int) { operation(); }, [](int, bool) { return std::string(); });
}

}  // namespace memory

/// Both shortages, and every failure comes out.
#define CHECK_OUT_OF_MEMORY(...)                                                               \
    do {                                                                                       \
        for (const auto shortage : {memory::Shortage::once, memory::Shortage::from_then_on}) { \
            const memory::Tried tried = memory::out_of_memory(shortage, __VA_ARGS__);          \
            CHECK(tried.allocations > 0);                                                      \
            CHECK(tried.survived == 0);                                                        \
        }                                                                                      \
    } while (false)
