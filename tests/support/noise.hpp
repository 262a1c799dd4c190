// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "acta/base/utility.hpp"
#include "acta/json/json.hpp"

/// Returns the parts of a text that are separated by '|'.
inline std::vector<std::string> parts_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> out;
    for (std::string one; std::getline(in, one, '|');) out.push_back(one);
    return out;
}

/// Choices made at random, the same on every machine.
class Noise {
public:
    explicit Noise(unsigned seed) : random_(seed) {}

    std::size_t below(std::size_t n) { return random_() % n; }
    /// One of `n` times.
    bool chance(std::size_t n) { return below(n) == 0; }
    const std::string& one_of(const std::vector<std::string>& parts) { return parts[below(parts.size())]; }
    /// Up to `most` of the parts, one after another.
    std::string text(const std::vector<std::string>& parts, std::size_t most) {
        std::string out;
        for (std::size_t i = 1 + below(most); i > 0; --i) out += one_of(parts);
        return out;
    }

private:
    std::mt19937 random_;
};

/// What a recorded file (support/recorded.hpp) has of a function of random input: the results of the first `whole`
/// calls of `make`, each a line of JSON; then digests, each of as many further results as `group` says.
template <class Function>
std::string results(const Function& make, std::size_t whole, std::size_t digests, std::size_t group) {
    std::string out;
    for (std::size_t i = 0; i < whole; ++i)
        out += acta::Json(make()).dump(-1, ' ', true, acta::Json::error_handler_t::replace) + "\n";
    for (std::size_t i = 0; i < digests; ++i) {
        std::string all;
        for (std::size_t n = 0; n < group; ++n) all += make() + '\n';
        out += std::to_string(acta::base::fnv1a(all)) + "\n";
    }
    return out;
}
