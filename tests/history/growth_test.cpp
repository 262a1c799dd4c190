// SPDX-License-Identifier: MIT
// What a long life, or a step of very many calls, costs in memory that is taken: work out of proportion shows there,
// on every machine alike.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "acta/history/history.hpp"
#include "support/catch.hpp"

namespace {

std::atomic<std::size_t> taken{0};  // bytes, since the program began

void* take(std::size_t size) {
    taken += size;
    if (void* const p = std::malloc(size == 0 ? 1 : size)) return p;
    throw std::bad_alloc();
}

}  // namespace

// Of the whole program: the others do not notice.
void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace {

using History = acta::EpisodicActionHistory<>;

std::size_t bytes_of_steps(std::size_t steps) {
    const std::size_t before = taken;
    History history;
    for (std::size_t i = 0; i < steps; ++i) {
        history.register_action({});
        history.register_result(acta::ActionInterruptedByHuman{});
    }
    CHECK(history.size() == steps);
    return taken - before;
}

std::size_t bytes_of_results(std::size_t calls) {
    acta::ActionProposal<> action;
    action.use_tools.resize(calls);
    History history;
    history.register_action(std::move(action));
    const std::vector<std::string> ids = history.tool_call_ids(0);
    const std::size_t before = taken;
    for (std::size_t i = 0; i < calls; ++i)  // in another order than they were made in
        history.register_result(ids[i * 7 % calls], acta::ActionInterruptedByHuman{});
    CHECK(history[0].tool_results.size() == calls);
    CHECK(history[0].result);
    return taken - before;
}

}  // namespace

TEST_CASE("sixteen times the steps take sixteen times the memory") {
    const std::size_t few = bytes_of_steps(1'000);
    CHECK(bytes_of_steps(16'000) < 2 * 16 * few);
}

TEST_CASE("sixteen times the parallel calls take sixteen times the memory") {
    const std::size_t few = bytes_of_results(100);
    CHECK(bytes_of_results(1'600) < 2 * 16 * few);
}
