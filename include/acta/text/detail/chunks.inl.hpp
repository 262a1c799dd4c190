// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/ascii.hpp"
#include "acta/base/error.hpp"
#include "acta/base/utf8.hpp"
#include "acta/text/chunks.hpp"

namespace acta::inline ACTA_ABI {

namespace text_detail {

/// Splits one text; see `split_into_chunks`.
class Chunker {
public:
    Chunker(std::string_view text, const ChunkOptions& options)
        : text_(text), options_(options), overlap_(std::min(options.overlap_tokens, options.max_tokens / 2)) {
        if (options.max_tokens == 0) throw Error("a chunk of at most 0 tokens cannot hold anything");
    }

    [[nodiscard]] std::vector<TextChunk> run() {
        if (text_.empty()) return {};
        if (const std::size_t all = options_.count_tokens(text_); all <= options_.max_tokens)
            return {{text_, all, 0, 0}};
        make_pieces();
        pack();
        return std::move(chunks_);
    }

private:
    struct Piece {
        std::size_t begin;
        std::size_t end;
        std::size_t tokens;
    };

    [[nodiscard]] std::size_t count(std::size_t begin, std::size_t end) const {
        return options_.count_tokens(text_.substr(begin, end - begin));
    }

    /// Returns the number of tokens that a chunk can hold beside its overlap.
    [[nodiscard]] std::size_t room() const noexcept { return options_.max_tokens - overlap_; }

    void make_pieces() {
        std::size_t at = 0;
        for (const std::string_view sentence : options_.splitter(text_)) {
            if (sentence.empty()) continue;
            if (sentence.data() != text_.data() + at || sentence.size() > text_.size() - at ||
                !utf8::is_boundary(text_, at)) {
                throw Error("the sentence splitter did not return the text in order, at byte " + std::to_string(at));
            }
            const std::size_t end = at + sentence.size();
            add_sentence({at, end, count(at, end)});
            at = end;
        }
        if (at != text_.size()) throw Error("the sentence splitter left out the text from byte " + std::to_string(at));
    }

    // A sentence that fits is one piece. A longer one becomes pieces of about an eighth of the room, so that they still
    // pack well; they are first cut by their number of bytes, which takes one more count of each instead of a search.
    void add_sentence(const Piece& sentence) {
        if (sentence.tokens <= room()) {
            pieces_.push_back(sentence);
            return;
        }
        const std::size_t want = std::max<std::size_t>(room() / 8, 1);
        const std::size_t parts = (sentence.tokens + want - 1) / want;
        const std::size_t stride = std::max<std::size_t>((sentence.end - sentence.begin) / parts, 1);
        for (std::size_t at = sentence.begin; at < sentence.end;) {
            const std::size_t aim = sentence.end - at > stride ? at + stride : sentence.end;
            const std::size_t end = aim == sentence.end ? aim : cut_near(at, aim, sentence.end);
            add_part(at, end);
            at = end;
        }
    }

    // Halves a part until it fits. Depth is bounded by the logarithm of its size.
    void add_part(std::size_t begin, std::size_t end) {
        const std::size_t tokens = count(begin, end);
        if (tokens <= room()) {
            pieces_.push_back({begin, end, tokens});
            return;
        }
        const std::size_t middle = cut_near(begin, begin + (end - begin) / 2, end);
        if (middle == end) {  // one character, which may have to do without overlap
            if (tokens > options_.max_tokens) {
                throw Error("the character at byte " + std::to_string(begin) + " has " + std::to_string(tokens) +
                            " tokens, more than the " + std::to_string(options_.max_tokens) + " of a chunk");
            }
            pieces_.push_back({begin, end, tokens});
            return;
        }
        add_part(begin, middle);
        add_part(middle, end);
    }

    // A place to cut after `begin` near `aim`: after white space in the last half before it, else the end of the code
    // point there. `end` only where one code point is all there is.
    [[nodiscard]] std::size_t cut_near(std::size_t begin, std::size_t aim, std::size_t end) const {
        const auto space = [this](std::size_t i) { return ascii::is_space(text_[i]); };
        for (std::size_t at = aim; at > begin + (aim - begin) / 2; --at) {
            if (space(at - 1) && !space(at)) return at;
        }
        std::size_t at = std::max(aim, begin + 1);
        while (at < end && !utf8::is_boundary(text_, at)) ++at;
        if (at < end) return at;
        for (at = end - 1; at > begin && !utf8::is_boundary(text_, at);) --at;
        return at > begin ? at : end;
    }

    // The fewest chunks that hold the pieces from each one on: `needed_[i]`.
    void plan() {
        needed_.assign(pieces_.size() + 1, 0);
        std::size_t end = pieces_.size();
        std::size_t sum = 0;
        for (std::size_t i = pieces_.size(); i-- > 0;) {
            sum += pieces_[i].tokens;
            while (sum > room() && end > i + 1) sum -= pieces_[--end].tokens;
            needed_[i] = needed_[end] + 1;
        }
    }

    // As few chunks as possible, each ending where it is nearest to an equal share of the rest.
    void pack() {
        plan();
        std::size_t left = 0;
        for (const Piece& piece : pieces_) left += piece.tokens;
        for (std::size_t i = 0; i < pieces_.size();) {
            const std::size_t chunks = needed_[i];
            const std::size_t share = (left + chunks - 1) / chunks;
            std::size_t sum = pieces_[i].tokens;
            std::size_t next = i + 1;
            while (next < pieces_.size() && sum + pieces_[next].tokens <= room() &&
                   (needed_[next] >= chunks || sum + pieces_[next].tokens / 2 < share)) {
                sum += pieces_[next++].tokens;
            }
            emit(i, next);
            left -= sum;
            i = next;
        }
    }

    // The counter may count more for a whole than for its parts: then the overlap is dropped first, and then the chunk
    // is halved.
    void emit(std::size_t first, std::size_t last) {
        const std::size_t begin = pieces_[first].begin;
        const std::size_t end = pieces_[last - 1].end;
        const std::size_t start = overlap_ == 0 || begin == 0 ? begin : overlap_start(first);
        std::size_t tokens = count(start, end);
        if (tokens <= options_.max_tokens) {
            chunks_.push_back({text_.substr(start, end - start), tokens, start, begin - start});
            return;
        }
        if (start != begin) tokens = count(begin, end);
        if (tokens <= options_.max_tokens) {
            chunks_.push_back({text_.substr(begin, end - begin), tokens, begin, 0});
            return;
        }
        const std::size_t middle = first + (last - first) / 2;  // a single piece fits: it was counted as it is
        emit(first, middle);
        emit(middle, last);
    }

    // Whole pieces before `first` as far as they fit; if not even one does, its last words.
    [[nodiscard]] std::size_t overlap_start(std::size_t first) const {
        const std::size_t floor = chunks_.back().offset + chunks_.back().overlap;
        std::size_t sum = 0;
        std::size_t i = first;
        while (i > 0 && pieces_[i - 1].begin >= floor && sum + pieces_[i - 1].tokens <= overlap_) {
            sum += pieces_[--i].tokens;
        }
        const std::size_t begin = pieces_[first].begin;
        if (i != first) return pieces_[i].begin;
        const Piece& before = pieces_[first - 1];
        std::size_t length = (before.end - before.begin) * overlap_ / std::max<std::size_t>(before.tokens, 1);
        for (int tries = 0; tries < 4 && length > 0; ++tries, length /= 2) {
            const std::size_t start = word_start(begin - length, begin);
            if (start == begin || count(start, begin) <= overlap_) return start;
        }
        return begin;
    }

    // The first start of a word from `at` on, else of a code point.
    [[nodiscard]] std::size_t word_start(std::size_t at, std::size_t end) const {
        for (std::size_t i = at; i < end; ++i) {
            if (i > 0 && text_[i - 1] == ' ' && text_[i] != ' ') return i;
        }
        while (at < end && !utf8::is_boundary(text_, at)) ++at;
        return at;
    }

    std::string_view text_;
    const ChunkOptions& options_;
    std::size_t overlap_;
    std::vector<Piece> pieces_;
    std::vector<std::size_t> needed_;
    std::vector<TextChunk> chunks_;
};

}  // namespace text_detail

ACTA_INLINE std::vector<TextChunk> split_into_chunks(std::string_view text, const ChunkOptions& options) {
    return text_detail::Chunker(text, options).run();
}

}  // namespace acta::inline ACTA_ABI
