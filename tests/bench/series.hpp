// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// Everything beside the model's own works (works.hpp), as tables: a row does one thing with inputs of growing size, so
// that it shows how fast it is, and that its cost follows the size of the input and nothing else.
namespace bench {

/// One thing to do with one input.
struct Job {
    double units = 1;               ///< What a run does so many of: bytes, steps, calls.
    std::function<bool()> run;      ///< False: not the end that is wanted.
    std::function<void()> other{};  ///< The same by other means, where there are any.
};

/// A row: one thing to do with inputs of several sizes.
struct Series {
    std::string name;
    const char* unit;  ///< Of `Job::units`.
    std::function<Job(std::size_t size)> prepare;
    const char* other = "";  ///< What `Job::other` is.
};

/// A table.
struct Section {
    int order;  ///< Where it stands among the others.
    const char* title;
    const char* sizes_of;  ///< What the sizes count.
    std::vector<std::size_t> sizes;
    std::vector<Series> series;
};

/// For the initialiser of a constant, so that a program has the sections of the sources it is made of.
bool add_section(Section section);

/// Those whose title has this in it, in order.
[[nodiscard]] std::vector<const Section*> sections(std::string_view part);

/// Prints the tables. False where a run did not end as it should, or grows out of all proportion.
bool print_sections(std::string_view part, int rounds);

/// For `--benchmark_...`: Google Benchmark's own figures of the same.
void register_sections();

}  // namespace bench
