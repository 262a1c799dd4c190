// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/unicode.hpp"
#include "acta/compress/compress.hpp"
#include "acta/compress/detail/extractive_facts.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/text/chunks.hpp"

namespace acta::inline ACTA_ABI::compress_detail {

/// A sentence of the text that is summarised.
struct Sentence {
    std::string_view text{};  ///< Trimmed.
    std::size_t index = 0;    ///< Its number in the text.
    std::size_t part = 0;     ///< The part of the body that it belongs to.
    ErrorSign error = ErrorSign::none;
    std::size_t facts = 0;
};

/// Keeps the sentences of a text that a summary may quote, at most 128 however long the text: the first and the last
/// 16, the first and the last 24 that report an error, and the 48 with the most facts. A sentence that was seen lately
/// is not taken again; among the last 48, sentences that only differ in digits are the same. Constant memory.
class SentenceSieve {
public:
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
        if (first_.size() < max_edge) first_.push_back(sentence);
        add_latest(last_, max_edge, sentence);
        if (sentence.error == ErrorSign::report) {
            if (first_errors_.size() < max_errors)
                first_errors_.push_back(sentence);
            else
                add_latest(last_errors_, max_errors, sentence);
        }
        if (!seen.shape) add_rich(sentence);
    }

    /// The sentences that were kept, in the order of the text.
    [[nodiscard]] std::vector<Sentence> take() {
        std::vector<Sentence> all = std::move(first_);
        all.insert(all.end(), last_.begin(), last_.end());
        all.insert(all.end(), first_errors_.begin(), first_errors_.end());
        all.insert(all.end(), last_errors_.begin(), last_errors_.end());
        all.insert(all.end(), rich_.begin(), rich_.end());
        std::sort(all.begin(), all.end(), [](const Sentence& a, const Sentence& b) { return a.index < b.index; });
        const auto same = [](const Sentence& a, const Sentence& b) { return a.index == b.index; };
        all.erase(std::unique(all.begin(), all.end(), same), all.end());
        return all;
    }

private:
    static constexpr std::size_t max_edge = 16;
    static constexpr std::size_t max_errors = 24;
    static constexpr std::size_t max_rich = 48;

    static void add_latest(std::deque<Sentence>& latest, std::size_t max, const Sentence& sentence) {
        if (latest.size() == max) latest.pop_front();
        latest.push_back(sentence);
    }

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
        if (rich_.size() == max_rich) {
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
    std::deque<Sentence> last_;
    std::vector<Sentence> first_errors_;
    std::deque<Sentence> last_errors_;
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
            const std::string_view c = part.substr(i - 3, 3);
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

/// The longest beginning of a text that has at most `max_tokens`. Throws `SummaryError` if not even one character fits.
[[nodiscard]] ACTA_INLINE std::string fit(std::string_view text, std::size_t max_tokens,
                                          const AnyTokenCounter& counter) {
    if (counter(text) <= max_tokens) return std::string(text);
    for (const std::string_view end : {ellipsis, std::string_view{}}) {
        std::size_t low = 0;
        std::size_t high = text.size();  // known to be too long
        std::string best;
        while (low + 1 < high) {
            const std::size_t middle = low + (high - low) / 2;
            std::string kept(utf8::prefix(text, middle));
            kept += end;
            if (kept.size() > end.size() && counter(kept) <= max_tokens) {
                low = middle;
                best = std::move(kept);
            } else {
                // A cut inside the first character keeps nothing, but that does not mean that it is too long.
                if (kept.size() == end.size())
                    low = middle;
                else
                    high = middle;
            }
        }
        if (!best.empty()) return best;
    }
    throw SummaryError("a summary of at most " + std::to_string(max_tokens) + " tokens holds not even one character");
}

/// Makes one summary.
class Extraction {
public:
    Extraction(std::string_view text, const SummaryRequest& request, const ExtractiveOptions& options)
        : text_(text),
          request_(request),
          options_(options),
          max_tokens_(std::min({request.max_tokens, options.max_tokens, most_tokens})) {}

    [[nodiscard]] std::string run() {
        if (max_tokens_ == 0) throw SummaryError("a summary of at most 0 tokens holds nothing");
        if (request_.step != nullptr) {
            step_.read(*request_.step);
            read_head();
        } else {
            if (unicode::is_blank(text_)) throw SummaryError("No content");
            step_.body.push_back({{}, text_});
        }
        if (count(head_) >= max_tokens_) return fit(head_, max_tokens_, options_.count_tokens);
        read_sentences();
        choose();
        return assemble();
    }

private:
    struct Choice {
        std::string shown{};
        bool chosen = false;
    };

    [[nodiscard]] std::size_t count(std::string_view text) const { return options_.count_tokens(text); }

    // The calls and their status, in at most two fifths of the tokens. With few tokens, the other arguments are dropped
    // first, then the main argument, then the name.
    void read_head() {
        struct Form {
            CallLimits limits;
            std::size_t percent;
        };
        static constexpr std::array<Form, 7> forms = {{{{4, 8, 120}, 40},
                                                       {{4, 8, 60}, 40},
                                                       {{3, 4, 40}, 40},
                                                       {{2, 2, 60}, 40},
                                                       {{1, 1, 48}, 50},
                                                       {{1, 1, 20}, 60},
                                                       {{1, 0, 0}, 100}}};
        const auto& all_calls = request_.step->calls;
        const std::vector<CallText> calls = call_texts(all_calls);
        const std::string outcome(step_.status);
        head_ = outcome;
        for (const Form& form : forms) {
            std::string head = short_calls(calls, all_calls.size(), form.limits) + " -> " + outcome;
            if (count(head) * 100 > max_tokens_ * form.percent) continue;
            head_ = std::move(head);
            break;
        }
        facts_.add(utf8::prefix(step_.calls, max_context), Origin::call);
        facts_.add(utf8::prefix(step_.thoughts, max_context), Origin::reasoning);
    }

    void read_sentences() {
        SentenceSieve sieve;
        SentenceReader reader(options_.splitter, request_.until.stop);
        for (const BodyPart& part : step_.body) reader.read(part.text, facts_, sieve, step_.failed);
        sentences_ = sieve.take();
    }

    void choose() {
        const std::size_t used = count(head_) + 1;
        budget_ = max_tokens_ > used ? max_tokens_ - used : 0;
        if (whole_body()) {
            choose_facts(budget_);
            return;
        }
        order();
        if (step_.body.size() > 1) take_first_of_parts();
        take_errors();
        for (const std::size_t i : order_) take(i, budget_ * 13 / 20);
        choose_facts(budget_);
        for (const std::size_t i : order_) take(i, budget_);
    }

    // At least one sentence of the result of each call.
    void take_first_of_parts() {
        for (std::size_t i = 0; i < sentences_.size(); ++i) {
            if (i == 0 || sentences_[i - 1].part != sentences_[i].part) take(i, budget_ * 2 / 5);
        }
    }

    // Compilers report what went wrong first, Python reports it last.
    void take_errors() {
        const auto reports = [](const Sentence& sentence) { return sentence.error == ErrorSign::report; };
        const auto first = std::find_if(sentences_.begin(), sentences_.end(), reports);
        if (first != sentences_.end()) {
            const auto last = std::find_if(sentences_.rbegin(), sentences_.rend(), reports);
            take(static_cast<std::size_t>(first - sentences_.begin()), budget_ / 2);
            take(static_cast<std::size_t>(sentences_.rend() - last) - 1, budget_ / 2);
        }
        for (const std::size_t i : order_) {
            if (reports(sentences_[i])) take(i, budget_ / 2);
        }
        for (const std::size_t i : order_) {
            if (sentences_[i].error == ErrorSign::mention) take(i, budget_ * 3 / 5);
        }
    }

    // A body that fits is kept whole.
    [[nodiscard]] bool whole_body() {
        std::size_t bytes = 0;
        for (const BodyPart& part : step_.body) bytes += part.label.size() + part.text.size();
        if (bytes > budget_ * 16 + 64) return false;
        std::string all;
        for (const BodyPart& part : step_.body) {
            if (!all.empty()) all += ' ';
            all += labelled(part.label, one_line(part.text));
        }
        const std::size_t tokens = all.empty() ? 0 : count(all) + 1;
        if (tokens > budget_) return false;
        spent_ = tokens;
        body_ = std::move(all);
        sentences_.clear();
        return true;
    }

    // Those with the most words of the question come first, then those with the most facts; sentences that repeat at
    // least four fifths of the words of one before them are dropped.
    void order() {
        std::vector<std::vector<std::uint64_t>> words;
        for (const Sentence& sentence : sentences_) words.push_back(words_of(sentence.text, 48));
        const std::vector<std::uint64_t> asked = question_words(words);
        std::vector<std::pair<std::size_t, std::size_t>> weights;
        for (std::size_t i = 0; i < words.size(); ++i)
            weights.emplace_back(shared_words(words[i], asked), sentences_[i].facts);
        std::vector<std::size_t> all(sentences_.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
        for (const std::size_t i : all) {
            const bool said = words[i].size() > 2 && std::any_of(order_.begin(), order_.end(), [&](std::size_t j) {
                                  return shared_words(words[i], words[j]) * 5 >= words[i].size() * 4;
                              });
            if (!said) order_.push_back(i);
        }
        choices_.resize(sentences_.size());
    }

    // The words of the question, without those that more than half of many sentences have.
    [[nodiscard]] std::vector<std::uint64_t> question_words(
        const std::vector<std::vector<std::uint64_t>>& sentences) const {
        std::vector<std::uint64_t> asked = words_of(utf8::prefix(request_.question.value_or(""), max_context), 256);
        std::erase_if(asked, [&](std::uint64_t word) {
            const auto with = std::count_if(sentences.begin(), sentences.end(), [word](const auto& words) {
                return std::binary_search(words.begin(), words.end(), word);
            });
            return sentences.size() >= 12 && static_cast<std::size_t>(with) * 2 > sentences.size();
        });
        return asked;
    }

    // Takes a sentence unless more than `limit` tokens would then be spent.
    void take(std::size_t i, std::size_t limit) {
        Choice& choice = choices_[i];
        if (choice.chosen || spent_ >= limit) return;
        if (choice.shown.empty()) choice.shown = shown(i);
        const std::size_t tokens = count(choice.shown) + 1;
        if (spent_ + tokens > limit) return;
        spent_ += tokens;
        choice.chosen = true;
        said_ += '\n' + choice.shown;
        taken_.push_back(i);
    }

    [[nodiscard]] static std::string labelled(std::string_view label, std::string line) {
        return label.empty() ? std::move(line) : shorten(one_line(utf8::prefix(label, 256)), 64) + ": " + line;
    }

    // The sentence as it is shown: with the id of its call, if it is the first of one result among several.
    [[nodiscard]] std::string shown(std::size_t i) const {
        const Sentence& sentence = sentences_[i];
        const bool first = i == 0 || sentences_[i - 1].part != sentence.part;
        const std::string line = shorten(one_line(sentence.text), std::max<std::size_t>(budget_ * 2, 48));
        return first ? labelled(step_.body[sentence.part].label, line) : line;
    }

    [[nodiscard]] static std::size_t worth(const FactTable::Entry& entry) {
        static constexpr std::array<std::size_t, 6> of_kind = {0, 0, 5, 8, 10, 9};
        std::size_t worth = of_kind[static_cast<std::size_t>(entry.fact.kind)];
        worth *= entry.origin == Origin::body ? 6 : 4;
        if (entry.topical) worth += worth / 2;
        return worth + std::min<std::size_t>(entry.count, 8);
    }

    void choose_facts(std::size_t limit) {
        said_ += '\n' + head_ + '\n' + body_;
        std::vector<std::pair<std::size_t, std::string>> found;
        for (std::string& listing : facts_.listings()) found.emplace_back(90, std::move(listing));
        for (const auto& entry : facts_.entries()) found.emplace_back(worth(entry), one_line(entry.fact.text));
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        std::size_t spent = spent_ + 4;  // the words around the list
        for (auto& [unused, fact] : found) {
            if (spent + 1 >= limit) break;
            if (fact.size() > 200 || says(fact)) continue;
            const std::size_t tokens = count(fact) + 1;
            if (spent + tokens > limit) continue;
            spent += tokens;
            said_ += '\n' + fact;
            listed_.push_back(std::move(fact));
        }
        if (!listed_.empty()) spent_ = spent;
    }

    // Whether what was chosen so far contains the fact, and not as a part of another word or number.
    [[nodiscard]] bool says(std::string_view fact) const {
        const auto in_word = [this](std::size_t at) {
            return ascii::is_alpha(said_[at]) || ascii::is_digit(said_[at]) || said_[at] == '_';
        };
        for (std::size_t at = said_.find(fact); at != std::string::npos; at = said_.find(fact, at + 1)) {
            const std::size_t end = at + fact.size();
            const bool begins =
                at == 0 || !(in_word(at - 1) || (said_[at - 1] == '.' && ascii::is_digit(fact.front())));
            const bool decimal = end + 1 < said_.size() && said_[end] == '.' && ascii::is_digit(said_[end + 1]);
            if (begins && !decimal && (end == said_.size() || !in_word(end))) return true;
        }
        return false;
    }

    // All that was chosen, in the order of the text; an ellipsis replaces what was omitted between two sentences.
    [[nodiscard]] std::string joined() const {
        std::string out = head_;
        std::string body = body_;
        const Sentence* before = nullptr;
        for (std::size_t i = 0; i < choices_.size(); ++i) {
            if (!choices_[i].chosen) continue;
            if (before != nullptr) {
                body += before->index + 1 == sentences_[i].index ? " " : " " + std::string(ellipsis) + " ";
            }
            body += choices_[i].shown;
            before = &sentences_[i];
        }
        if (!body.empty()) out += out.empty() ? body : ": " + body;
        for (std::size_t i = 0; i < listed_.size(); ++i) {
            if (i > 0)
                out += ", ";
            else
                out += out.empty() ? "(" : " (also: ";
            out += listed_[i];
        }
        return listed_.empty() ? out : out + ')';
    }

    // A counter may count more for the whole than for its parts; then the least important parts are dropped.
    [[nodiscard]] std::string assemble() {
        std::string out = joined();
        while (count(out) > max_tokens_ && (!listed_.empty() || !taken_.empty())) {
            if (!listed_.empty()) {
                listed_.pop_back();
            } else {
                choices_[taken_.back()].chosen = false;
                taken_.pop_back();
            }
            out = joined();
        }
        if (out.empty()) out = one_line(utf8::prefix(ascii::trim(text_), max_tokens_ * 16 + 64));
        if (out.empty()) throw SummaryError("No content");  // nothing but terminal colours
        return fit(out, max_tokens_, options_.count_tokens);
    }

    static constexpr std::size_t most_tokens = 1'000'000;
    static constexpr std::size_t max_context = std::size_t{64} * 1024;  // of the call and of the reasoning

    std::string_view text_;
    const SummaryRequest& request_;
    const ExtractiveOptions& options_;
    std::size_t max_tokens_;
    StepText step_;
    std::string head_;
    std::string body_;  // the whole body, if it fits
    FactTable facts_;
    std::vector<Sentence> sentences_;
    std::vector<Choice> choices_;
    std::vector<std::size_t> order_;  // best first
    std::vector<std::size_t> taken_;
    std::vector<std::string> listed_;
    std::string said_;
    std::size_t budget_ = 0;
    std::size_t spent_ = 0;
};

}  // namespace acta::inline ACTA_ABI::compress_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::string ExtractiveSummarizer::operator()(std::string_view text, const SummaryRequest& request) const {
    return compress_detail::Extraction(text, request, options_).run();
}

#if defined(ACTA_COMPILED)
template AnySummarizer::AnySummarizer(ExtractiveSummarizer&& summarizer);
#endif

}  // namespace acta::inline ACTA_ABI
