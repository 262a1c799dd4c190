// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/ascii.hpp"
#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/unicode.hpp"
#include "acta/compress/detail/extractive/facts.hpp"
#include "acta/compress/detail/extractive/text.hpp"
#include "acta/compress/summarizer.hpp"
#include "acta/text/sentences.hpp"

namespace acta::inline ACTA_ABI::compress_detail {

/// A sentence of the text that is summarised.
struct Sentence {
    std::string_view text{};  ///< Trimmed.
    std::size_t index = 0;    ///< Its number in the text.
    std::size_t part = 0;     ///< The part of the body that it belongs to.
    ErrorSign error = ErrorSign::none;
    std::size_t facts = 0;
};

/// Keeps the latest of many sentences.
class Latest {
public:
    explicit Latest(std::size_t capacity) : capacity_(capacity) {}
    void add(const Sentence& sentence) {
        if (kept_.size() < capacity_)
            kept_.push_back(sentence);
        else
            kept_[next_++ % capacity_] = sentence;
    }
    [[nodiscard]] const std::vector<Sentence>& kept() const noexcept { return kept_; }

private:
    std::size_t capacity_;
    std::size_t next_ = 0;
    std::vector<Sentence> kept_;
};

/// Keeps the sentences of a text that are worth ranking, at most `max_kept` however long the text: the first 16 and the
/// last 16, the first 24 and the last 24 that report an error, and the 48 with the most facts. A sentence that
/// was seen lately is not taken again; among the last 48, sentences that only differ in digits are the same. Constant
/// memory.
class SentenceSieve {
public:
    static constexpr std::size_t edge = 16;
    static constexpr std::size_t errors = 24;
    static constexpr std::size_t rich = 48;
    static constexpr std::size_t max_kept = 2 * edge + 2 * errors + rich;

    /// How much of a sentence was seen lately.
    struct Seen {
        bool exact = false;  ///< All of it.
        bool shape = false;  ///< All but its digits.
    };

    [[nodiscard]] Seen look(std::string_view sentence) {
        Hash exact;
        Hash shape;
        for (const char c : sentence) {
            if (c == ' ' || c == '\t') continue;
            exact.add(static_cast<unsigned char>(c));
            shape.add(ascii::is_digit(c) ? '0' : static_cast<unsigned char>(c));
        }
        return {seen(exact_, exact.value), seen(shape_, shape.value)};
    }

    void add(const Sentence& sentence, const Seen& seen) {
        if (seen.exact) return;
        if (first_.size() < edge) first_.push_back(sentence);
        last_.add(sentence);
        if (sentence.error == ErrorSign::report) {
            if (first_errors_.size() < errors)
                first_errors_.push_back(sentence);
            else
                last_errors_.add(sentence);
        }
        if (!seen.shape) add_rich(sentence);
    }

    /// The sentences that were kept, in the order of the text.
    [[nodiscard]] std::vector<Sentence> take() {
        std::vector<Sentence> all = std::move(first_);
        const std::array<const std::vector<Sentence>*, 4> parts = {&last_.kept(), &first_errors_, &last_errors_.kept(),
                                                                   &rich_};
        for (const auto* part : parts) all.insert(all.end(), part->begin(), part->end());
        std::sort(all.begin(), all.end(), [](const Sentence& a, const Sentence& b) { return a.index < b.index; });
        const auto same = [](const Sentence& a, const Sentence& b) { return a.index == b.index; };
        all.erase(std::unique(all.begin(), all.end(), same), all.end());
        return all;
    }

private:
    // A table of the hashes that were seen last. Each has one place, so that old ones are forgotten.
    using Table = std::vector<std::uint64_t>;
    static bool seen(Table& table, std::uint64_t hash) {
        return std::exchange(table[(hash ^ (hash >> 32)) % table.size()], hash) == hash;
    }

    static bool richer(const Sentence& a, const Sentence& b) {
        return a.facts != b.facts ? a.facts > b.facts : a.index < b.index;
    }

    void add_rich(Sentence sentence) {
        if (sentence.error != ErrorSign::none) sentence.facts += 3;
        if (rich_.size() == rich) {
            if (!richer(sentence, rich_.front())) return;
            std::pop_heap(rich_.begin(), rich_.end(), richer);
            rich_.pop_back();
        }
        rich_.push_back(sentence);
        std::push_heap(rich_.begin(), rich_.end(), richer);
    }

    Table exact_ = Table(1024);
    Table shape_ = Table(1024);
    std::vector<Sentence> first_;
    Latest last_{edge};
    std::vector<Sentence> first_errors_;
    Latest last_errors_{errors};
    std::vector<Sentence> rich_;
};

/// Reads a text of any length sentence by sentence, in blocks of at most 64 KiB that end at the end of a line if there
/// is one. A sentence of more than 400 bytes is taken in parts of at most 240.
class SentenceReader {
public:
    SentenceReader(const AnySentenceSplitter& splitter, stop_token stop)
        : splitter_(splitter), stop_(std::move(stop)) {}

    void read(std::string_view text, FactTable& facts, SentenceSieve& sieve, bool failed) {
        ++part_;
        while (!text.empty()) {
            if (stop_.stop_requested()) throw SummaryError("stopped before there was a summary");
            const std::string_view block = text.substr(0, block_end(text));
            text.remove_prefix(block.size());
            for (const std::string_view sentence : splitter_(block)) {
                if (sentence.data() < block.data() || sentence.data() + sentence.size() > block.data() + block.size()) {
                    throw Error("the sentence splitter returned a piece that is not part of the text");
                }
                add(ascii::trim(sentence), facts, sieve, failed);
            }
        }
    }

private:
    static constexpr std::size_t max_block = std::size_t{64} * 1024;
    static constexpr std::size_t max_sentence = 400;
    static constexpr std::size_t max_part = 240;

    [[nodiscard]] static std::size_t block_end(std::string_view text) {
        if (text.size() <= max_block) return text.size();
        if (const std::size_t line = text.rfind('\n', max_block - 1); line != std::string_view::npos) return line + 1;
        return boundary(text, max_block);
    }

    [[nodiscard]] static std::size_t boundary(std::string_view text, std::size_t at) {
        while (at > 0 && !unicode::is_boundary(text, at)) --at;
        return at;
    }

    void add(std::string_view sentence, FactTable& facts, SentenceSieve& sieve, bool failed) {
        while (sentence.size() > max_sentence) {
            const std::size_t end = part_end(sentence);
            add_part(ascii::trim(sentence.substr(0, end)), facts, sieve, failed);
            sentence.remove_prefix(end);
        }
        add_part(ascii::trim(sentence), facts, sieve, failed);
    }

    // After the last blank or punctuation mark that leaves a part of some length, else between two characters.
    [[nodiscard]] static std::size_t part_end(std::string_view sentence) {
        const std::string_view part = sentence.substr(0, boundary(sentence, max_part));
        for (const std::string_view marks : {std::string_view("\n;"), std::string_view(",}]"), std::string_view(" ")}) {
            const std::size_t at = part.find_last_of(marks);
            if (at != std::string_view::npos && at > max_part / 2) return at + 1;
        }
        for (std::size_t i = part.size(); i > max_part / 2; --i) {  // U+3001, U+FF0C, U+FF1B
            const std::string_view c = part.substr(i >= 3 ? i - 3 : 0, 3);
            if (c == "\xE3\x80\x81" || c == "\xEF\xBC\x8C" || c == "\xEF\xBC\x9B") return i;
        }
        return part.size();
    }

    void add_part(std::string_view part, FactTable& facts, SentenceSieve& sieve, bool failed) {
        if (!has_word(part)) return;
        Sentence sentence{part, index_++, part_ - 1, failed ? ErrorSign::report : ErrorSign::none, 0};
        std::string_view words = part;
        if (is_listed_line(part)) words.remove_prefix(part.find_first_not_of("0123456789") + 1);
        if (!failed) sentence.error = words.size() == part.size() ? error_sign(part) : listed_error_sign(words);
        // The numbers of lines that differ in nothing else are not news.
        const SentenceSieve::Seen seen = sieve.look(part);
        sentence.facts = facts.add(part, Origin::body, seen.shape && part.size() > 24);
        if (words.size() == part.size() || has_word(words)) sieve.add(sentence, seen);
    }

    // A line of a listing handles errors more often than it reports one: only one that begins with the word counts.
    [[nodiscard]] static ErrorSign listed_error_sign(std::string_view line) {
        const std::string_view rest = ascii::trim(line);
        std::size_t end = 0;
        while (end < rest.size() && ascii::is_alpha(rest[end])) ++end;
        return is_error_word(rest.substr(0, end)) ? error_sign(rest) : ErrorSign::none;
    }

    const AnySentenceSplitter& splitter_;
    stop_token stop_;
    std::size_t index_ = 0;
    std::size_t part_ = 0;
};

}  // namespace acta::inline ACTA_ABI::compress_detail
