// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/unicode.hpp"
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
        PromptPiece piece{};
        PromptReport cut{};         ///< What was cut from it.
        std::uint64_t used_in = 0;  ///< The newest prompt that shows it.
    };
    using Steps = std::map<std::size_t, Kept>;

    std::array<Steps, 3> full{};  ///< Of each form.
    Steps older{};                ///< Lines, which are the same in all forms.

    std::uint64_t prompt = 1;  ///< The number of the prompt that is built.

    /// Ends a prompt: drops the full steps that it did not use, and the lines that several have not used, since the
    /// prompts of all forms have the same lines.
    void end_prompt(PromptForm form) {
        std::erase_if(full_of(form), [this](const auto& one) { return one.second.used_in != prompt; });
        std::erase_if(older, [this](const auto& one) { return one.second.used_in + 8 < prompt; });
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

    /// Returns the items that are shown, in order.
    [[nodiscard]] std::vector<PromptPiece> build() {
        for (const std::size_t m : said_.pinned()) take(said_piece(m));
        choose_full();
        choose_rolling();
        choose_older();
        report.omitted.steps = history_.size() - report.full.steps - report.older.steps - report.rolling.steps;
        report.rolling_messages = count_rolling_messages();
        report.hidden_messages = history_.messages().size() - report.shown_messages - report.rolling_messages;
        report.tokens += report.full.tokens + report.older.tokens + report.rolling.tokens;
        add_hidden_line();
        std::sort(pieces_.begin(), pieces_.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
        const auto first = std::ranges::find(pieces_, PieceKind::step, &PromptPiece::kind);
        report.first_step = first == pieces_.end() ? history_.size() : first->place.step;
        report.pending_feedback = history_.pending_feedback().size();
        return std::move(pieces_);
    }

    PromptReport report{};

private:
    void take(PromptPiece piece, PromptCount* count = nullptr) {
        if (piece.is_said()) {
            ++report.shown_messages;
            report.tokens += piece.count.tokens;
        } else if (count != nullptr) {
            ++count->steps;
            count->characters += piece.count.characters;
            count->tokens += piece.count.tokens;
        }
        pieces_.push_back(std::move(piece));
    }
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

    /// Returns the piece of a step that an earlier prompt showed alike, or makes it by `make(limit, omission)`.
    template <class Make>
    [[nodiscard]] PromptPiece kept_or(PromptCache::Steps* steps, std::size_t i,
                                      const std::optional<OutputLimit>& option, const Make& make) {
        const OutputLimit* const limit = limit_for(i, option);
        const StepView step = history_.step(i);
        const EpisodeId id = history_.id(i);  // a new one with each result
        if (steps == nullptr || !*step.result || id == EpisodeId()) return make(limit, omission());
        PromptCache::Kept& kept = (*steps)[i];
        const bool same_summary =
            step.summary == nullptr ? !kept.summary : kept.summary.has_value() && *kept.summary == *step.summary;
        if (kept.id != id || !same_summary || kept.limited != (limit != nullptr)) {
            kept = {.limited = limit != nullptr};
            if (step.summary != nullptr) kept.summary = *step.summary;
            kept.piece = make(limit, Omission{options_.count_tokens, kept.cut});
            kept.id = id;
        }
        kept.used_in = cache_->prompt;
        add_cuts(kept.cut);
        return {.place = kept.piece.place, .count = kept.piece.count, .kept = &kept.piece};
    }

    [[nodiscard]] PromptPiece said_piece(std::size_t m) const {
        PromptPiece piece{said_.place(m)};
        if (form_ == PromptForm::text) {
            piece.text = said_line(history_.messages()[m].message);
            piece.count = count_of(piece.text);
        } else {
            piece.messages = {history_.messages()[m].message};
            piece.count = count_messages(piece.messages, options_.count_tokens);
        }
        return piece;
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
            PromptPiece piece = is_message ? said_piece(next_.said - 1) : full_piece(next_.steps - 1);
            // A few words after the newest step must not hide it.
            const bool is_newest_step =
                !is_message && next_.steps == history_.size() && left >= options_.max_full_tokens / 2;
            const bool is_needed = is_newest || is_newest_step;
            if (piece.count.tokens > left && is_needed) {
                if (piece.kept != nullptr) piece = PromptPiece(*piece.kept);
                shrink(piece, left, omission());
            }
            // The indispensable parts of a native step are shown, even if they take a few more tokens.
            const bool fits = piece.count.tokens <= left || (is_needed && form_ == PromptForm::native);
            if (!fits || piece.is_empty()) {
                report = before;  // it is shown as an older step, or not at all
                break;
            }
            left -= std::min(left, piece.count.tokens);
            --(is_message ? next_.said : next_.steps);
            take(std::move(piece), &report.full);
        }
        first_full_ = next_.steps;
    }

    [[nodiscard]] PromptPiece full_piece(std::size_t i) {
        return kept_or(cache_ == nullptr ? nullptr : &cache_->full_of(form_), i, options_.full_output,
                       [&](const OutputLimit* limit, const Omission& cuts) { return make_full(i, limit, cuts); });
    }
    [[nodiscard]] PromptPiece make_full(std::size_t i, const OutputLimit* limit, const Omission& cuts) const {
        PromptPiece piece{{i, PieceKind::step}};
        if (form_ == PromptForm::text) {
            piece.text = full_line(history_, i, limit, cuts);
            piece.count = count_of(piece.text);
            return piece;
        }
        if (form_ == PromptForm::messages) {
            const StepView step = history_.step(i);
            piece.messages = {ChatMessage::assistant(assistant_text(history_, i))};
            std::string answer = answer_text(history_, i, ShownResults(step, limit, cuts));
            if (!answer.empty()) piece.messages.push_back(ChatMessage::user(std::move(answer)));
        } else {
            piece.messages = native_step(history_, i);
            if (limit != nullptr) limit_messages(piece.messages, *limit, cuts);
        }
        piece.count = count_messages(piece.messages, options_.count_tokens);
        return piece;
    }

    /// Cuts an item that must be shown, however large it is.
    void shrink(PromptPiece& piece, std::size_t budget, const Omission& cuts) const {
        if (piece.messages.empty()) {
            fit_text(piece.text, piece.count.tokens, budget, cuts);
            piece.count = count_of(piece.text);
            return;
        }
        fit_messages(piece.messages, budget, cuts);
        while (piece.messages.size() > 1 && piece.messages.back().role == ChatRole::user &&
               piece.messages.back().content.empty())
            piece.messages.pop_back();
        piece.count = count_messages(piece.messages, options_.count_tokens);
    }

    // Older steps ---------------------------------------------------------------------------------------------

    [[nodiscard]] bool kept(std::size_t i) const { return !options_.keep || options_.keep(prompt_step(history_, i)); }

    /// No line takes more than half, so that one long step does not crowd out all others.
    [[nodiscard]] std::size_t half_of_lines() const {
        return options_.max_tokens == no_limit ? no_limit : (options_.max_tokens + 1) / 2;
    }

    [[nodiscard]] PromptPiece older_piece(std::size_t i) {
        return kept_or(cache_ == nullptr ? nullptr : &cache_->older, i, options_.older_output,
                       [&](const OutputLimit* limit, const Omission& cuts) {
                           PromptPiece piece{{i, PieceKind::step}};
                           piece.text = older_line(history_, i, limit, cuts);
                           piece.count = count_of(piece.text);
                           if (piece.count.tokens > half_of_lines()) shrink(piece, half_of_lines(), cuts);
                           return piece;
                       });
    }
    [[nodiscard]] PromptPiece older_said_piece(std::size_t m) {
        PromptPiece piece = said_piece(m);
        if (piece.count.tokens > half_of_lines()) shrink(piece, half_of_lines(), omission());
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
        PromptPiece piece{{end - 1, PieceKind::rolling_summary}};
        piece.text = "* Steps " + std::to_string(summary.first + 1) + "-" + std::to_string(summary.last + 1) + ": ";
        piece.text.append(ascii::trim(indent_text(contained(said), 2)));
        fit_text(piece.text, options_.count_tokens(piece.text), options_.max_rolling_tokens, omission());
        if (piece.text.empty()) return;
        report.rolling.steps = end - begin;
        first_rolling_ = begin;
        end_rolling_ = end;
        if (ascii::is_blank(said)) return;  // of steps that are omitted without a trace
        const PromptCount count = count_of(piece.text);
        report.rolling.characters = count.characters;
        report.rolling.tokens = count.tokens;
        pieces_.push_back(std::move(piece));
    }

    /// Counts the messages between the steps of the rolling summary that are not shown themselves.
    [[nodiscard]] std::size_t count_rolling_messages() const {
        const auto first_at = [this](std::size_t step) {
            return std::ranges::lower_bound(history_.messages(), step, {}, &ConversationMessage::before);
        };
        const auto all = first_at(end_rolling_) - first_at(first_rolling_);
        const auto shown = std::ranges::count_if(pieces_, [&](const PromptPiece& piece) {
            return piece.is_said() && piece.place.step >= first_rolling_ && piece.place.step < end_rolling_;
        });
        return static_cast<std::size_t>(all - shown);
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
            PromptPiece piece = is_message ? older_said_piece(next_.said - 1) : older_piece(next_.steps - 1);
            if (piece.is_empty() || piece.count.tokens > budget - used) {
                report = before;
                break;
            }
            --(is_message ? next_.said : next_.steps);
            used += piece.count.tokens;
            if (used <= budget - unused) last_cut = next_.position();
            older.push_back(std::move(piece));
        }
        const std::size_t cut = all ? next_.position() : coarsest_between(next_.position(), last_cut);
        const std::size_t first = all ? low : std::max(low, said_.steps_before(cut));
        take_older(std::move(older), cut);
        report.first_hidden = low;
        report.hidden_steps = first - low;
        measure_range(low, std::max(low, next_.steps));
        measure_range(0, first_rolling_);
    }

    /// Takes the items from `cut` on, so that prompts begin alike for a while.
    void take_older(std::vector<PromptPiece> older, std::size_t cut) {
        for (PromptPiece& piece : older) {
            if (said_.position(piece.place) >= cut)
                take(std::move(piece), &report.older);
            else if (piece.kind() == PieceKind::step)
                count_omitted(piece.count);
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
        PromptPiece piece{{report.first_hidden + report.hidden_steps, PieceKind::hidden}};
        piece.text = std::to_string(steps != 0 ? steps : messages) + " earlier " + (steps != 0 ? "step" : "message") +
                     plural(steps != 0 ? steps : messages);
        if (steps != 0 && messages != 0)
            piece.text += " and " + std::to_string(messages) + " message" + plural(messages);
        piece.text += steps + messages == 1 ? " is not shown" : " are not shown";
        report.tokens += options_.count_tokens(piece.text);
        pieces_.push_back(std::move(piece));
    }

    const PromptOptions& options_;
    const HistoryView& history_;
    PromptForm form_;
    PromptCache* cache_;
    std::size_t max_measured_;
    SaidOrder said_;
    ItemsBefore next_;  // the steps and messages that are not chosen yet
    std::vector<PromptPiece> pieces_{};
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
        append_line(out.text, piece.text);
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

/// Makes messages of the system such of the user: the templates of many models take the former at the beginning only.
ACTA_INLINE void say_as_user(std::vector<ChatMessage>& messages) {
    for (ChatMessage& message : messages) {
        if (message.role == ChatRole::system) message.role = ChatRole::user;
    }
}

ACTA_INLINE PromptMessages build_messages(const PromptOptions& options, const HistoryView& history, PromptForm form,
                                          PromptCache* cache, std::size_t max_measured) {
    PromptBuilder builder(options, history, form, cache, max_measured);
    PromptMessages out;
    CallIds ids;
    bool has_heading = false;
    bool is_open = false;  // whether the last message takes more lines
    for (PromptPiece& piece : builder.build()) {
        if (!piece.content().messages.empty()) {
            if (piece.kept != nullptr) piece.messages = piece.kept->messages;
            if (form == PromptForm::native) ids.make_unique(piece.messages);
            if (form == PromptForm::messages && piece.kind() == PieceKind::message) say_as_user(piece.messages);
            out.messages.insert(out.messages.end(), std::make_move_iterator(piece.messages.begin()),
                                std::make_move_iterator(piece.messages.end()));
            is_open = false;
            continue;
        }
        if (!std::exchange(is_open, true)) {
            // Some APIs put all instructions first, others refuse later ones, but lines must stay in place.
            const bool is_first = form == PromptForm::messages && out.messages.empty();
            out.messages.push_back(is_first ? ChatMessage::system({}) : ChatMessage::user({}));
            if (!std::exchange(has_heading, true)) {
                out.messages.back().content = progress_heading;
                builder.report.tokens += options.count_tokens(progress_heading);
            }
        }
        std::string& text = out.messages.back().content;
        if (text.empty())
            text = piece.content().text;
        else
            append_line(text, piece.content().text);
    }
    for (const std::string& one : history.pending_feedback()) {
        builder.report.tokens += options.count_tokens(one);
        out.messages.push_back(ChatMessage::user(one));
    }
    out.report = builder.report;
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

ACTA_INLINE PromptMessages PromptSeries::build(const HistoryView& history, const PromptOptions& budget) {
    PromptMessages out = prompt_detail::build_messages(budget, history, form_, cache_.get(), 0);
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
