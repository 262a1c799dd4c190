// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

// What is measured, as functions that the benchmarks and the summary share.
namespace bench {

/// Does one thing with the generated history, start to end.
struct Work {
    const char* name;
    void (*run)();  ///< Destroys what it makes, unless there is `destroy`.
    /// The work of nlohmann_json's that this one is compared with: an index into `works`.
    std::size_t baseline;
    double wanted_ratio;  ///< How many times as fast as the baseline it must be; 0 for no demand.
    double hoped_ratio;
    double wanted_memory;        ///< How much memory it may add, of the document's size; 0 for no demand.
    void (*destroy)() = +[] {};  ///< Called after `run`, and not measured.
};

/// Where the works stand in `works`.
enum : std::size_t {
    decode,
    decode_strict,
    decode_kept,
    nlohmann_decode,
    nlohmann_decode_kept,
    nlohmann_accept,
    copy,
    encode,
    encode_to_sink,
    nlohmann_encode,
    work_count
};

extern const std::array<Work, work_count> works;

/// The text of the generated history.
std::string_view document();

/// Whether acta and the baseline say the same of the document, both ways; says on stderr what differs.
bool works_agree();

}  // namespace bench
