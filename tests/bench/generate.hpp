// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "acta/history/history.hpp"

// A history like those that agents leave behind, the same on every machine.
namespace bench {

/// splitmix64: the standard's distributions differ between libraries, this does not.
class Random {
public:
    explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t next() noexcept {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }
    std::size_t below(std::size_t n) noexcept { return static_cast<std::size_t>(next() % n); }
    std::size_t between(std::size_t low, std::size_t high) noexcept { return low + below(high - low + 1); }
    /// True so many times in a thousand.
    bool per_mille(std::size_t chance) noexcept { return below(1000) < chance; }

private:
    std::uint64_t state_;
};

/// Text of about `size` bytes with the mixture of bytes that the issue asks for.
std::string text(Random& random, std::size_t size);

inline constexpr std::size_t usual_episodes = 11'000;

acta::EpisodicActionHistory<> history(std::size_t episodes = usual_episodes);

/// Steps of some 250 bytes, as histories of very many have them: text or JSON, and one in six failed. No summaries.
acta::EpisodicActionHistory<> short_history(std::size_t episodes);
/// The step that would be next.
acta::Episode<> short_step(Random& random);

/// One figure of the generated history: what it should be and what it is, in percent.
struct Share {
    std::string name;
    double wanted;
    double found;
    [[nodiscard]] bool good() const { return found - wanted <= 1.5 && wanted - found <= 1.5; }
};

/// The shares that the issue names, counted in the finished history.
std::vector<Share> shares(const acta::EpisodicActionHistory<>& history);

}  // namespace bench
