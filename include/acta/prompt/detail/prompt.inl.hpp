// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/chat/extension.hpp"
#include "acta/prompt/detail/step_text.hpp"
#include "acta/prompt/detail/steps.inl.hpp"
#include "acta/prompt/prompt.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE PromptFilter calls_tool(std::vector<std::string> names) {
    return [names = std::move(names)](const PromptStep& step) {
        return std::ranges::any_of(step.calls, [&names](const AssistantFunctionCall& call) {
            return std::ranges::find(names, call.name) != names.end();
        });
    };
}
ACTA_INLINE PromptFilter calls_other_tool(std::vector<std::string> names) {
    return [calls = calls_tool(std::move(names))](const PromptStep& step) { return !calls(step); };
}

}  // namespace acta::inline ACTA_ABI

// Which steps and messages a prompt shows.
namespace acta::inline ACTA_ABI::prompt_detail {

/// Returns the number from `low` to `high` that is divisible by the highest power of two. While both ends only grow, it
/// stays the same for long stretches, independently of earlier calls.
constexpr std::size_t coarsest_between(std::size_t low, std::size_t high) noexcept {
    while (high != 0 && (high & (high - 1)) >= low) high &= high - 1;
    return high;
}

/// Finished steps as an earlier prompt with the same options showed them.
class PromptCache {
public:
    /// Steps in full or as lines, by index.
    struct Kept {
        EpisodeId id{};
        std::optional<std::string> summary{};
        bool limited = false;
        PieceContent content{};
        PromptReport cut{};         ///< What was cut from it.
        std::uint64_t used_in = 0;  ///< The newest prompt that shows it.
    };
    using Steps = std::unordered_map<std::size_t, Kept>;

    std::array<Steps, 3> full{};  ///< Of each form.
    Steps older{};                ///< Lines, which are the same in all forms.
    Steps said{};                 ///< Messages, by their places in the conversation.

    std::uint64_t prompt = 1;  ///< The number of the prompt that is built.
    std::uint64_t made = 0;    ///< The number of the newest content that was made.

    // Of the messages that the last prompt left.
    std::vector<std::uint64_t> pieces{};  ///< The numbers of their pieces, 0 for those that are not kept.
    CallIds ids{};

    /// Ends a prompt: drops the full steps that it did not use, and the lines that several have not used, since the
    /// prompts of all forms have the same lines.
    void end_prompt(PromptForm form) {
        std::erase_if(full_of(form), [this](const auto& one) { return one.second.used_in != prompt; });
        for (Steps* const steps : {&older, &said})
            std::erase_if(*steps, [this](const auto& one) { return one.second.used_in + 8 < prompt; });
        ++prompt;
    }
    [[nodiscard]] Steps& full_of(PromptForm form) { return full[static_cast<std::size_t>(form)]; }
};

/// Chooses the items that are shown, newest first, and counts the others.
class PromptBuilder {
public:
    PromptBuilder(const PromptOptions& options, const HistoryView& history, PromptForm form, PromptCache* cache,
                  std::size_t max_measured)
        : options_(options),
          history_(history),
          form_(form),
          cache_(cache),
          max_measured_(max_measured),
          said_(history.messages()),
          next_{history.size(), history.messages().size()} {}
    PromptBuilder(const PromptBuilder&) = delete;
    PromptBuilder& operator=(const PromptBuilder&) = delete;
    ~PromptBuilder() = default;

    /// Returns the items that are shown, in order. Their content belongs to the builder and the cache.
    [[nodiscard]] std::vector<PromptPiece> build() {
        for (const std::size_t m : said_.pinned()) pinned_.push_back(take(said_piece(m)));
        choose_full();
        choose_rolling();
        choose_older();
        report.omitted.steps = history_.size() - report.full.steps - report.older.steps - report.rolling.steps;
        report.rolling_messages = count_rolling_messages();
        report.hidden_messages = history_.messages().size() - report.shown_messages - report.rolling_messages;
        report.tokens += report.full.tokens + report.older.tokens + report.rolling.tokens;
        add_hidden_line();
        std::ranges::reverse(pieces_);  // most are in order then
        const auto is_before = [](const PromptPiece& a, const PromptPiece& b) { return a.place < b.place; };
        if (!std::ranges::is_sorted(pieces_, is_before)) std::ranges::sort(pieces_, is_before);
        for (const PromptPiece& piece : pinned_)
            pieces_.insert(std::ranges::upper_bound(pieces_, piece, is_before), piece);
        const auto first = std::ranges::find(pieces_, PieceKind::step, &PromptPiece::kind);
        report.first_step = first == pieces_.end() ? history_.size() : first->place.step;
        report.pending_feedback = history_.pending_feedback().size();
        return std::move(pieces_);
    }

    PromptReport report{};

private:
    /// Counts a piece that is shown, and returns it.
    const PromptPiece& take(const PromptPiece& piece, PromptCount* count = nullptr) {
        if (piece.is_said()) {
            ++report.shown_messages;
            report.tokens += piece.tokens();
        } else if (count != nullptr) {
            ++count->steps;
            count->characters += piece.content->count.characters;
            count->tokens += piece.tokens();
        }
        return piece;
    }
    [[nodiscard]] const PieceContent* own(PieceContent content) { return &own_.emplace_back(std::move(content)); }
    [[nodiscard]] PromptCount count_of(std::string_view text) const {
        return {0, utf8::count_code_points(text), options_.count_tokens(text)};
    }
    [[nodiscard]] const OutputLimit* limit_for(std::size_t i, const std::optional<OutputLimit>& limit) const {
        if (!limit || (options_.keep_output && options_.keep_output(prompt_step(history_, i)))) return nullptr;
        return &*limit;
    }
    [[nodiscard]] Omission omission() { return {options_.count_tokens, report}; }
    void add_cuts(const PromptReport& cut) {
        report.cut_texts += cut.cut_texts;
        count_omitted(cut.omitted);
    }

    /// Returns the content of a step that an earlier prompt showed alike, or makes it by `make(limit, omission)`.
    template <class Make>
    [[nodiscard]] const PieceContent* kept_or(PromptCache::Steps* steps, std::size_t i,
                                              const std::optional<OutputLimit>& option, const Make& make) {
        const OutputLimit* const limit = limit_for(i, option);
        const StepView step = history_.step(i);
        const EpisodeId id = history_.id(i);  // a new one with each result
        if (steps == nullptr || !*step.result || id == EpisodeId()) return own(make(limit, omission()));
        PromptCache::Kept& kept = (*steps)[i];
        // Only lines have the summary.
        const std::string* const summary = steps == &cache_->older ? step.summary : nullptr;
        const bool same_summary =
            summary == nullptr ? !kept.summary : kept.summary.has_value() && *kept.summary == *summary;
        if (kept.id != id || !same_summary || kept.limited != (limit != nullptr)) {
            kept = {.limited = limit != nullptr};
            if (summary != nullptr) kept.summary = *summary;
            kept.content = make(limit, Omission{options_.count_tokens, kept.cut});
            kept.content.number = ++cache_->made;
            kept.id = id;
        }
        kept.used_in = cache_->prompt;
        add_cuts(kept.cut);
        return &kept.content;
    }

    [[nodiscard]] PromptPiece said_piece(std::size_t m) {
        const ChatMessage& message = history_.messages()[m].message;
        if (form_ != PromptForm::text && cache_ != nullptr) {
            PromptCache::Kept& kept = cache_->said[m];
            kept.used_in = cache_->prompt;
            const std::vector<ChatMessage>& same = kept.content.messages;
            if (same.empty() || same.front() != message) kept.content = said_content(message);
            return {said_.place(m), &kept.content};
        }
        if (form_ != PromptForm::text) return {said_.place(m), own(said_content(message))};
        PieceContent line;
        line.text = said_line(message);
        line.count = count_of(line.text);
        return {said_.place(m), own(std::move(line))};
    }
    [[nodiscard]] PieceContent said_content(const ChatMessage& message) const {
        PieceContent out;
        out.messages = {message};
        out.count = count_messages(out.messages, options_.count_tokens);
        return out;
    }

    // The newest steps ----------------------------------------------------------------------------------------

    [[nodiscard]] std::size_t wanted_full() const {
        const std::size_t least = std::min(options_.keep_recent, history_.size());
        if (options_.full_stride <= 1 || least == 0) return least;
        return least + (history_.size() - least) % options_.full_stride;
    }

    void choose_full() {
        const std::size_t end = history_.size() - wanted_full();  // the steps before it are the older ones
        std::size_t left = options_.max_full_tokens;
        for (bool is_newest = true; left > 0; is_newest = false) {
            said_.skip_pinned(next_);
            const bool is_message = said_.is_next(next_);
            if (!is_message && next_.steps == end) break;
            const PromptReport before = report;
            PromptPiece piece = is_message ? said_piece(next_.said - 1)
                                           : PromptPiece{{next_.steps - 1, PieceKind::step}, full(next_.steps - 1)};
            // A few words after the newest step must not hide it.
            const bool is_newest_step =
                !is_message && next_.steps == history_.size() && left >= options_.max_full_tokens / 2;
            const bool is_needed = is_newest || is_newest_step;
            if (piece.tokens() > left && is_needed) piece.content = own(shrunk(*piece.content, left, omission()));
            // The indispensable parts of a native step are shown, even if they take a few more tokens.
            const bool fits = piece.tokens() <= left || (is_needed && form_ == PromptForm::native);
            if (!fits || piece.content->is_empty()) {
                report = before;  // it is shown as an older step, or not at all
                break;
            }
            left -= std::min(left, piece.tokens());
            --(is_message ? next_.said : next_.steps);
            pieces_.push_back(take(piece, &report.full));
        }
        first_full_ = next_.steps;
    }

    [[nodiscard]] const PieceContent* full(std::size_t i) {
        return kept_or(cache_ == nullptr ? nullptr : &cache_->full_of(form_), i, options_.full_output,
                       [&](const OutputLimit* limit, const Omission& cuts) { return make_full(i, limit, cuts); });
    }
    [[nodiscard]] PieceContent make_full(std::size_t i, const OutputLimit* limit, const Omission& cuts) const {
        PieceContent out;
        if (form_ == PromptForm::text) {
            out.text = full_line(history_, i, limit, cuts);
            out.count = count_of(out.text);
            return out;
        }
        if (form_ == PromptForm::messages) {
            const StepView step = history_.step(i);
            out.messages = {ChatMessage::assistant(assistant_text(history_, i))};
            std::string answer = answer_text(history_, i, ShownResults(step, limit, cuts));
            if (!answer.empty()) out.messages.push_back(ChatMessage::user(std::move(answer)));
        } else {
            out.messages = native_step(history_, i);
            if (limit != nullptr) limit_messages(out.messages, *limit, cuts);
        }
        out.count = count_messages(out.messages, options_.count_tokens);
        return out;
    }

    /// Returns the content of an item that must be shown, however large it is, cut to fit.
    [[nodiscard]] PieceContent shrunk(PieceContent content, std::size_t budget, const Omission& cuts) const {
        content.number = 0;
        if (content.messages.empty()) {
            fit_text(content.text, content.count.tokens, budget, cuts);
            content.count = count_of(content.text);
            return content;
        }
        fit_messages(content.messages, budget, cuts);
        while (content.messages.size() > 1 && content.messages.back().role == ChatRole::user &&
               content.messages.back().content.empty())
            content.messages.pop_back();
        content.count = count_messages(content.messages, options_.count_tokens);
        return content;
    }

    // Older steps ---------------------------------------------------------------------------------------------

    [[nodiscard]] bool kept(std::size_t i) const { return !options_.keep || options_.keep(prompt_step(history_, i)); }

    /// No line takes more than half, so that one long step does not crowd out all others.
    [[nodiscard]] std::size_t half_of_lines() const {
        return options_.max_tokens == no_limit ? no_limit : (options_.max_tokens + 1) / 2;
    }

    [[nodiscard]] PromptPiece older_piece(std::size_t i) {
        const auto make = [&](const OutputLimit* limit, const Omission& cuts) {
            PieceContent line;
            line.text = older_line(history_, i, limit, cuts);
            line.count = count_of(line.text);
            return line.count.tokens > half_of_lines() ? shrunk(std::move(line), half_of_lines(), cuts) : line;
        };
        return {{i, PieceKind::step},
                kept_or(cache_ == nullptr ? nullptr : &cache_->older, i, options_.older_output, make)};
    }
    [[nodiscard]] PromptPiece older_said_piece(std::size_t m) {
        PromptPiece piece = said_piece(m);
        if (piece.tokens() > half_of_lines()) piece.content = own(shrunk(*piece.content, half_of_lines(), omission()));
        return piece;
    }

    /// Chooses the rolling summary.
    void choose_rolling() {
        if (!options_.show_rolling_summary || history_.rolling_summary() == nullptr) return;
        const RollingSummary& summary = *history_.rolling_summary();
        const auto begin = static_cast<std::size_t>(summary.first);
        const std::size_t end = std::min(first_full_, static_cast<std::size_t>(summary.last) + 1);
        if (begin >= end) return;  // all of its steps are shown
        const std::string said = to_string(summary);
        PieceContent line;
        line.text = "* Steps " + std::to_string(summary.first + 1) + "-" + std::to_string(summary.last + 1) + ": ";
        line.text.append(ascii::trim(indent_text(contained(said), 2)));
        fit_text(line.text, options_.count_tokens(line.text), options_.max_rolling_tokens, omission());
        if (line.text.empty()) return;
        report.rolling.steps = end - begin;
        first_rolling_ = begin;
        end_rolling_ = end;
        if (ascii::is_blank(said)) return;  // of steps that are omitted without a trace
        line.count = count_of(line.text);
        report.rolling.characters = line.count.characters;
        report.rolling.tokens = line.count.tokens;
        pieces_.push_back({{end - 1, PieceKind::rolling_summary}, own(std::move(line))});
    }

    /// Counts the messages between the steps of the rolling summary that are not shown themselves.
    [[nodiscard]] std::size_t count_rolling_messages() const {
        const auto first_at = [this](std::size_t step) {
            return std::ranges::lower_bound(history_.messages(), step, {}, &ConversationMessage::before);
        };
        const auto all = first_at(end_rolling_) - first_at(first_rolling_);
        const auto is_shown = [&](const PromptPiece& piece) {
            return piece.is_said() && piece.place.step >= first_rolling_ && piece.place.step < end_rolling_;
        };
        return static_cast<std::size_t>(all - std::ranges::count_if(pinned_, is_shown) -
                                        std::ranges::count_if(pieces_, is_shown));
    }

    /// Chooses the lines of the steps after those of the rolling summary, and the messages, newest first.
    void choose_older() {
        const std::size_t budget = options_.max_tokens;
        const double slack = std::clamp(options_.slack, 0.0, 0.9);
        const auto unused = static_cast<std::size_t>(static_cast<double>(budget) * slack);
        const std::size_t low = end_rolling_;
        std::vector<PromptPiece> older;
        std::size_t used = 0;
        std::size_t last_cut = next_.position();  // beginning here or before leaves at most `unused`
        bool all = false;
        for (;;) {
            said_.skip_pinned(next_);
            const bool is_message = said_.is_next(next_);
            all = !is_message && next_.steps <= low && next_.said == 0;
            if (all || budget == 0) break;
            if (!is_message && next_.steps <= low) {
                said_.skip_steps(next_);  // a rolling summary stands for the other steps
                continue;
            }
            if (!is_message && !kept(next_.steps - 1)) {
                measure(--next_.steps);
                continue;
            }
            const PromptReport before = report;
            const PromptPiece piece = is_message ? older_said_piece(next_.said - 1) : older_piece(next_.steps - 1);
            if (piece.content->is_empty() || piece.tokens() > budget - used) {
                report = before;
                break;
            }
            --(is_message ? next_.said : next_.steps);
            used += piece.tokens();
            if (used <= budget - unused) last_cut = next_.position();
            older.push_back(piece);
        }
        const std::size_t cut = all ? next_.position() : coarsest_between(next_.position(), last_cut);
        const std::size_t first = all ? low : std::max(low, said_.steps_before(cut));
        take_older(older, cut);
        report.first_hidden = low;
        report.hidden_steps = first - low;
        measure_range(low, std::max(low, next_.steps));
        measure_range(0, first_rolling_);
    }

    /// Takes the items from `cut` on, so that prompts begin alike for a while.
    void take_older(const std::vector<PromptPiece>& older, std::size_t cut) {
        for (const PromptPiece& piece : older) {
            if (said_.position(piece.place) >= cut)
                pieces_.push_back(take(piece, &report.older));
            else if (piece.kind() == PieceKind::step)
                count_omitted(piece.content->count);
        }
    }

    /// Measures the steps from `begin` to `end`, newest first, as many as the options ask for.
    void measure_range(std::size_t begin, std::size_t end) {
        const std::size_t count = std::min(max_measured_ - measured_, end - begin);
        for (std::size_t i = 0; i < count; ++i) measure(end - 1 - i);
        report.unmeasured_steps += end - begin - count;
    }
    void count_omitted(const PromptCount& count) {
        report.omitted.characters += count.characters;
        report.omitted.tokens += count.tokens;
    }
    void measure(std::size_t i) {
        if (measured_ == max_measured_) {
            ++report.unmeasured_steps;
            return;
        }
        ++measured_;
        PromptReport unused;
        count_omitted(count_of(older_line(history_, i, nullptr, {options_.count_tokens, unused})));
    }

    /// Adds the line that says how much is not shown, if anything.
    void add_hidden_line() {
        const std::size_t steps = report.hidden_steps + first_rolling_;
        const std::size_t messages = report.hidden_messages;
        const bool anything_shown =
            report.full.steps + report.older.steps + report.rolling.steps + report.shown_messages != 0;
        if (steps + messages == 0 || !anything_shown) return;
        const auto plural = [](std::size_t n) { return n == 1 ? "" : "s"; };
        PieceContent line;
        line.text = std::to_string(steps != 0 ? steps : messages) + " earlier " + (steps != 0 ? "step" : "message") +
                    plural(steps != 0 ? steps : messages);
        if (steps != 0 && messages != 0)
            line.text += " and " + std::to_string(messages) + " message" + plural(messages);
        line.text += steps + messages == 1 ? " is not shown" : " are not shown";
        report.tokens += options_.count_tokens(line.text);
        pieces_.push_back({{report.first_hidden + report.hidden_steps, PieceKind::hidden}, own(std::move(line))});
    }

    const PromptOptions& options_;
    const HistoryView& history_;
    PromptForm form_;
    PromptCache* cache_;
    std::size_t max_measured_;
    SaidOrder said_;
    ItemsBefore next_;  // the steps and messages that are not chosen yet
    std::vector<PromptPiece> pinned_{};
    std::vector<PromptPiece> pieces_{};  // beside the pinned messages
    std::deque<PieceContent> own_{};     // that no cache has
    std::size_t first_full_ = 0;
    std::size_t first_rolling_ = 0;
    std::size_t end_rolling_ = 0;  // 0 if no rolling summary is shown
    std::size_t measured_ = 0;
};

ACTA_INLINE void append_line(std::string& out, std::string_view line) {
    if (!out.ends_with('\n')) out += "\n\n";
    out += line;
}

ACTA_INLINE PromptText build_text(const PromptOptions& options, const HistoryView& history) {
    PromptBuilder builder(options, history, PromptForm::text, nullptr, max_measured_steps);
    PromptText out;
    for (const PromptPiece& piece : builder.build()) {
        if (out.text.empty()) {
            out.text = progress_heading;
            builder.report.tokens += options.count_tokens(progress_heading);
        }
        append_line(out.text, piece.content->text);
    }
    std::string feedback;
    for (const std::string& one : history.pending_feedback())
        feedback.append(feedback.empty() ? "" : "\n\n").append(contained("\n" + one).substr(1));
    if (!history.pending_feedback().empty()) {
        if (!out.text.empty()) out.text += "\n\n";
        out.text.append(feedback_heading).append(feedback);
        builder.report.tokens += options.count_tokens(feedback_heading) + options.count_tokens(feedback);
    }
    out.report = builder.report;
    return out;
}

/// Makes a message of the system one of the user: the templates of many models take the former at the beginning only.
ACTA_INLINE ChatMessage said_as_user(ChatMessage message) {
    if (message.role == ChatRole::system) message.role = ChatRole::user;
    return message;
}

/// Writes a prompt into the messages that the one before has left. They stay in place as long as the new ones are the
/// same; those of kept steps are then not even compared.
class MessageList {
public:
    /// Without a cache, or with other messages than it knows, all are new. `instruction` is put before the first one.
    MessageList(std::vector<ChatMessage>& messages, PromptCache* cache, std::string_view instruction)
        : messages_(messages), cache_(cache), instruction_(instruction) {
        if (cache_ != nullptr) {
            pieces_ = std::exchange(cache_->pieces, {});  // known again at the end
            ids_ = std::exchange(cache_->ids, {});
        }
        if (pieces_.size() == messages_.size()) return;
        messages_.clear();
        pieces_.clear();
        ids_ = {};
    }
    MessageList(const MessageList&) = delete;
    MessageList& operator=(const MessageList&) = delete;
    ~MessageList() = default;

    [[nodiscard]] bool empty() const noexcept { return is_empty_; }

    /// Adds a message.
    void add(const ChatMessage& message) {
        if (is_empty_ && message.role == ChatRole::system && !instruction_.empty()) {
            ChatMessage both = message;
            chat_extension::prepend_text(both, std::string(instruction_) + "\n\n");
            is_empty_ = false;
            return put(both);
        }
        begin();
        put(message);
    }
    /// Adds those of a step; in native form, the ids of its calls are made unique.
    void add_step(const PieceContent& step, bool is_native) {
        begin();
        if (is_kept(step)) {
            count_ += step.messages.size();
            return;
        }
        cut();
        std::vector<ChatMessage> copy = step.messages;
        if (is_native) ids_.make_unique(copy);
        for (ChatMessage& message : copy) append(std::move(message), step.number);
    }
    /// Ends the prompt. Returns how many messages stayed in place.
    std::size_t finish() {
        begin();
        if (count_ != messages_.size()) cut();
        if (cache_ != nullptr) {
            cache_->pieces = std::move(pieces_);
            cache_->ids = std::move(ids_);
        }
        return count_;
    }

private:
    /// Puts the instruction before the first message.
    void begin() {
        if (std::exchange(is_empty_, false) && !instruction_.empty())
            put(ChatMessage::system(std::string(instruction_)));
    }
    /// Returns whether the next messages are those of a step that was kept.
    [[nodiscard]] bool is_kept(const PieceContent& step) const {
        const std::size_t size = step.messages.size();
        if (is_changed_ || step.number == 0 || pieces_.size() - count_ < size) return false;
        const auto next = pieces_.begin() + static_cast<std::ptrdiff_t>(count_);
        return std::all_of(next, next + static_cast<std::ptrdiff_t>(size),
                           [&](std::uint64_t number) { return number == step.number; });
    }
    void put(const ChatMessage& message) {
        if (!is_changed_ && count_ < messages_.size() && pieces_[count_] == 0 && messages_[count_] == message) {
            ++count_;
            return;
        }
        cut();
        append(message, 0);
    }
    void append(ChatMessage message, std::uint64_t number) {
        messages_.push_back(std::move(message));
        pieces_.push_back(number);
    }
    /// Drops the messages that do not stay.
    void cut() {
        if (std::exchange(is_changed_, true)) return;
        if (count_ == messages_.size()) return;
        messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(count_), messages_.end());
        pieces_.resize(count_);
        ids_ = {};
        for (const ChatMessage& message : messages_) ids_.add(message);
    }

    std::vector<ChatMessage>& messages_;
    PromptCache* cache_;
    std::string_view instruction_;
    std::vector<std::uint64_t> pieces_{};
    CallIds ids_{};
    bool is_empty_ = true;
    std::size_t count_ = 0;  // of the messages that stayed
    bool is_changed_ = false;
};

[[nodiscard]] ACTA_INLINE prompt_extension::PromptUpdate update_messages(std::vector<ChatMessage>& messages,
                                                                         const PromptOptions& options,
                                                                         const HistoryView& history, PromptForm form,
                                                                         std::string_view instruction,
                                                                         PromptCache* cache, std::size_t max_measured) {
    PromptBuilder builder(options, history, form, cache, max_measured);
    MessageList list(messages, cache, instruction);
    bool has_heading = false;
    std::optional<ChatMessage> lines;  // which the last message consists of
    const auto end_lines = [&] {
        if (lines) list.add(*std::exchange(lines, std::nullopt));
    };
    for (const PromptPiece& piece : builder.build()) {
        const PieceContent& content = *piece.content;
        if (!content.messages.empty()) {
            end_lines();
            if (piece.kind() == PieceKind::step)
                list.add_step(content, form == PromptForm::native);
            else if (form == PromptForm::messages && piece.kind() == PieceKind::message)
                list.add(said_as_user(content.messages.front()));
            else
                list.add(content.messages.front());
            continue;
        }
        if (!lines) {
            // Some APIs put all instructions first, others refuse later ones, but lines must stay in place.
            const bool is_first = form == PromptForm::messages && list.empty();
            lines = is_first ? ChatMessage::system({}) : ChatMessage::user({});
            if (!std::exchange(has_heading, true)) {
                lines->content = progress_heading;
                builder.report.tokens += options.count_tokens(progress_heading);
            }
        }
        if (lines->content.empty())
            lines->content = content.text;
        else
            append_line(lines->content, content.text);
    }
    end_lines();
    for (const std::string& one : history.pending_feedback()) {
        builder.report.tokens += options.count_tokens(one);
        list.add(ChatMessage::user(one));
    }
    const std::size_t same = list.finish();
    return {builder.report, same};
}

ACTA_INLINE PromptMessages build_messages(const PromptOptions& options, const HistoryView& history, PromptForm form,
                                          std::size_t max_measured) {
    PromptMessages out;
    out.report = update_messages(out.messages, options, history, form, {}, nullptr, max_measured).report;
    return out;
}

ACTA_INLINE std::vector<ChatMessage> whole_messages(const HistoryView& history) {
    std::vector<ChatMessage> out;
    CallIds ids;
    std::size_t m = 0;
    for (std::size_t i = 0; i <= history.size(); ++i) {
        for (; m < history.messages().size() && history.messages()[m].before <= i; ++m)
            out.push_back(history.messages()[m].message);
        if (i == history.size()) break;
        std::vector<ChatMessage> step = native_step(history, i);
        ids.make_unique(step);
        out.insert(out.end(), std::make_move_iterator(step.begin()), std::make_move_iterator(step.end()));
    }
    for (const std::string& one : history.pending_feedback()) out.push_back(ChatMessage::user(one));
    return out;
}

}  // namespace acta::inline ACTA_ABI::prompt_detail

namespace acta::inline ACTA_ABI::prompt_extension {

ACTA_INLINE PromptSeries::PromptSeries(bool native)
    : form_(native ? prompt_detail::PromptForm::native : prompt_detail::PromptForm::messages),
      cache_(std::make_shared<prompt_detail::PromptCache>()) {}

ACTA_INLINE PromptUpdate PromptSeries::update(std::vector<ChatMessage>& messages, const HistoryView& history,
                                              const PromptOptions& budget, std::string_view instruction) {
    PromptUpdate out = prompt_detail::update_messages(messages, budget, history, form_, instruction, cache_.get(), 0);
    cache_->end_prompt(form_);
    return out;
}

ACTA_INLINE PromptReport PromptSeries::report(prompt_detail::PromptForm form, const HistoryView& history,
                                              const PromptOptions& budget) {
    prompt_detail::PromptBuilder builder(budget, history, form, cache_.get(), 0);
    static_cast<void>(builder.build());
    cache_->end_prompt(form);
    return builder.report;
}

ACTA_INLINE std::size_t PromptSeries::count_hidden(const HistoryView& history, const PromptOptions& budget) {
    return report(form_, history, budget).hidden_steps;
}

ACTA_INLINE PromptReport PromptSeries::report_hidden(const HistoryView& history, const PromptOptions& budget) {
    using prompt_detail::PromptForm;
    PromptReport out;
    for (const PromptForm form : {PromptForm::text, PromptForm::messages, PromptForm::native}) {
        out = report(form, history, budget);
        if (out.hidden_steps != 0) break;
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI::prompt_extension
