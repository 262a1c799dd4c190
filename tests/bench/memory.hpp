// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

// The heap as the program's own operator new and delete see it. One thread.
namespace bench {

/// Starts counting from here.
void start_counting() noexcept;
/// Returns the bytes that are taken now beyond those at the start.
[[nodiscard]] std::size_t counted_now() noexcept;
/// Ends counting; returns the most bytes that were taken at once beyond those at the start, with what
/// malloc rounds up to. 0 where malloc does not tell sizes.
[[nodiscard]] std::size_t stop_counting() noexcept;

template <class Work>
std::size_t peak_memory(const Work& work) {
    start_counting();
    work();
    return stop_counting();
}

}  // namespace bench
