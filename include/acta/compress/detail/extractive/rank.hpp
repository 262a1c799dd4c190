// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "acta/compress/detail/extractive/text.hpp"

namespace acta::inline ACTA_ABI::compress_detail {

/// log2(n) in units of 1/65536, for n from 1 on. Integers, so that no two machines rank differently.
[[nodiscard]] constexpr std::uint32_t log2_fixed(std::uint32_t n) noexcept {
    std::uint32_t whole = 0;
    for (std::uint32_t rest = n; rest > 1; rest >>= 1) ++whole;
    std::uint64_t x = (std::uint64_t{n} << 32) >> whole;  // n / 2^whole, in 2^-32ths: from 1 up to 2
    std::uint32_t result = whole << 16;
    for (std::uint32_t bit = 1U << 15; bit != 0; bit >>= 1) {
        x = (x >> 16) * (x >> 16);  // squared
        if (x >= (std::uint64_t{2} << 32)) {
            result += bit;
            x >>= 1;
        }
    }
    return result;
}

/// The words of each of several sentences, as `words_of` returns them.
using Words = std::vector<std::vector<std::uint64_t>>;

/// The words, sorted, that more than half of the sentences have; none for fewer than a dozen sentences.
[[nodiscard]] inline std::vector<std::uint64_t> common_words(const Words& sentences) {
    std::vector<std::uint64_t> common;
    if (sentences.size() < 12) return common;
    std::vector<std::uint64_t> all;
    for (const auto& words : sentences) all.insert(all.end(), words.begin(), words.end());
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i < all.size();) {
        const std::size_t first = i;
        while (i < all.size() && all[i] == all[first]) ++i;
        if ((i - first) * 2 > sentences.size()) common.push_back(all[first]);
    }
    return common;
}

inline void drop_words(std::vector<std::uint64_t>& words, const std::vector<std::uint64_t>& dropped) {
    std::erase_if(words, [&](std::uint64_t word) { return std::binary_search(dropped.begin(), dropped.end(), word); });
}

/// TextRank (R. Mihalcea, P. Tarau: TextRank: Bringing Order into Text, EMNLP 2004): sentences vote for one another by
/// the words they share, |a & b| / (log|a| + log|b|), and PageRank with the damping 0.85 adds the votes up. Where the
/// walk starts anew is biased towards what matters beside (J. Otterbacher, G. Erkan, D. Radev: Using Random Walks for
/// Question-focused Sentence Retrieval, HLT/EMNLP 2005). Words of more than half of a dozen sentences or more do not
/// count. Quadratic in the number of sentences, which the caller bounds.
class TextRank {
public:
    /// `bias`: the weight of each sentence when the walk restarts, from 1 on. `restart`: the probability of a restart
    /// in percent.
    TextRank(Words words, const std::vector<std::uint32_t>& bias, std::uint64_t restart = 15)
        : count_(words.size()), overlap_(overlaps(words)) {
        for (const auto& of_one : words) sizes_.push_back(of_one.size());
        const std::vector<std::uint64_t> common = common_words(words);
        for (auto& of_one : words) drop_words(of_one, common);
        shared_ = overlaps(words);
        for (const auto& of_one : words) {
            logs_.push_back(log2_fixed(std::max(static_cast<std::uint32_t>(of_one.size()), 1U)));
        }
        walk(bias, restart);
    }

    /// The share of the walk that a sentence has, in units of 2^-32; all add up to about 1.
    [[nodiscard]] std::uint64_t score(std::size_t i) const { return scores_[i]; }

    /// Whether sentence `j` has at least four fifths of the words of sentence `i`.
    [[nodiscard]] bool repeats(std::size_t i, std::size_t j) const {
        return sizes_[i] > 2 && std::size_t{overlap_[i * count_ + j]} * 5 >= sizes_[i] * 4;
    }

private:
    [[nodiscard]] static std::vector<std::uint16_t> overlaps(const Words& words) {
        const std::size_t count = words.size();
        std::vector<std::uint16_t> out(count * count, 0);
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const auto shared = static_cast<std::uint16_t>(shared_words(words[i], words[j]));
                out[i * count + j] = out[j * count + i] = shared;
            }
        }
        return out;
    }

    [[nodiscard]] std::uint64_t weight(std::size_t i, std::size_t j) const {
        const std::uint64_t shared = shared_[i * count_ + j];
        if (shared == 0) return 0;
        const std::uint64_t sizes = std::uint64_t{logs_[i]} + logs_[j];
        return (shared << 32) / (sizes + 65536);  // plus one, as sentences of one word have the logarithm 0
    }

    // The probabilities of a step from each sentence, in units of 2^-24. From one that shares no word the walk
    // restarts.
    [[nodiscard]] std::vector<std::uint64_t> transitions(const std::vector<std::uint32_t>& bias,
                                                         std::uint64_t all_bias) const {
        std::vector<std::uint64_t> steps(count_ * count_);
        for (std::size_t i = 0; i < count_; ++i) {
            std::uint64_t all = 0;
            for (std::size_t j = 0; j < count_; ++j) all += steps[i * count_ + j] = weight(i, j);
            for (std::size_t j = 0; j < count_ && all != 0; ++j) {
                steps[i * count_ + j] = (steps[i * count_ + j] << 24) / all;
            }
            for (std::size_t j = 0; j < count_ && all == 0; ++j) {
                steps[i * count_ + j] = (std::uint64_t{bias[j]} << 24) / all_bias;
            }
        }
        return steps;
    }

    void walk(const std::vector<std::uint32_t>& bias, std::uint64_t restart) {
        constexpr std::uint64_t one = std::uint64_t{1} << 32;
        constexpr int rounds = 24;  // 0.85^24 is 2 %: the order is settled by then
        std::uint64_t all_bias = 0;
        for (const std::uint32_t one_bias : bias) all_bias += one_bias;
        const std::vector<std::uint64_t> steps = transitions(bias, all_bias);
        for (std::size_t i = 0; i < count_; ++i) scores_.push_back(one * bias[i] / all_bias);
        const std::vector<std::uint64_t> start = scores_;
        for (int round = 0; round < rounds; ++round) {
            std::vector<std::uint64_t> next(count_, 0);
            for (std::size_t i = 0; i < count_; ++i) {
                for (std::size_t j = 0; j < count_; ++j) next[j] += (scores_[i] * steps[i * count_ + j]) >> 24;
            }
            for (std::size_t i = 0; i < count_; ++i) {
                scores_[i] = (start[i] * restart + next[i] * (100 - restart)) / 100;
            }
        }
    }

    std::size_t count_;
    std::vector<std::uint16_t> overlap_;  // of all words
    std::vector<std::uint16_t> shared_;   // of those that count
    std::vector<std::size_t> sizes_;
    std::vector<std::uint32_t> logs_;
    std::vector<std::uint64_t> scores_;
};

}  // namespace acta::inline ACTA_ABI::compress_detail
