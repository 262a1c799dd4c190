// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/compress/compress.hpp"
#include "acta/compress/detail/compress.inl.hpp"
#include "acta/compress/detail/extractive_facts.hpp"
#include "acta/compress/detail/summary_text.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/compress/rolling_summary.hpp"
#include "acta/history/history_view.hpp"
#include "acta/prompt/prompt.hpp"
#include "acta/text/chunks.hpp"

// The facts that a rolling summary keeps word for word.
namespace acta::inline ACTA_ABI::compress_detail {

inline constexpr std::size_t max_fact_tokens = 500;  ///< The most tokens of the facts that are shown.
inline constexpr std::size_t max_candidates = 256;   ///< Facts that occurred once, remembered in case they come again.
inline constexpr std::size_t max_batch_steps = 32;   ///< The most steps that one call of the summarizer condenses.

/// Gathers facts from one step after another, and chooses those that are kept.
class RollingFacts {
public:
    RollingFacts(const RollingSummary* before, const RollingSummaryOptions& options) : options_(options) {
        if (before == nullptr) return;
        for (const RememberedFact& fact : before->facts) insert(fact);
        for (const RememberedFact& fact : before->candidates) insert(fact);
    }

    void add(const SummaryStep& step) {
        StepText text;
        text.read(step);
        FactTable table;
        static_cast<void>(table.add(utf8::prefix(text.calls, max_part), Origin::call));
        static_cast<void>(table.add(utf8::prefix(text.thoughts, max_part), Origin::reasoning));
        add_marked(text.thoughts);
        const auto* const human = step.result ? std::get_if<ActionInterruptedByHuman>(&*step.result) : nullptr;
        if (human != nullptr) mark(human->feedback);
        for (const BodyPart& part : text.body) {
            static_cast<void>(table.add(utf8::prefix(part.text, max_part), Origin::body));
            if (human == nullptr) add_marked(part.text);
        }
        add_facts(table, step.calls);
    }

    /// Adds what was said between steps. What a person said counts as marked, as it does in an interruption.
    void add(std::string_view said, bool by_person) {
        FactTable table;
        static_cast<void>(table.add(utf8::prefix(said, max_part), Origin::body));
        if (by_person)
            mark(said);
        else
            add_marked(said);
        add_facts(table, {});
    }

    /// Puts the facts into a summary: those to show, as many as fit, and the candidates.
    void store(RollingSummary& summary) {
        std::vector<std::size_t> order(facts_.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        // What is marked comes first, then what came up most; among equals the oldest.
        std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
            if (facts_[a].marked != facts_[b].marked) return facts_[a].marked;
            return weight(facts_[a]) > weight(facts_[b]);
        });
        std::vector<std::size_t> shown;
        std::vector<std::size_t> left;
        std::size_t marked_tokens = 0;
        std::size_t tokens = 0;
        for (const std::size_t i : order) {
            const RememberedFact& fact = facts_[i];
            const std::size_t cost = options_.count_tokens(fact.text) + 1;
            // Marked sentences leave some of the tokens to the facts that came up repeatedly.
            const bool fits =
                fact.marked ? marked_tokens + cost <= max_fact_tokens * 7 / 10 : tokens + cost <= max_fact_tokens;
            if ((fact.marked || fact.steps > 1) && fits && !in_text(summary.text, fact)) {
                tokens += cost;
                if (fact.marked) marked_tokens += cost;
                shown.push_back(i);
            } else {
                left.push_back(i);
            }
        }
        keep_latest(left);
        const auto taken = [this](std::vector<std::size_t> indices) {
            std::sort(indices.begin(), indices.end());
            std::vector<RememberedFact> out;
            out.reserve(indices.size());
            for (const std::size_t i : indices) out.push_back(facts_[i]);
            return out;
        };
        summary.facts = taken(std::move(shown));
        summary.candidates = taken(std::move(left));
    }

private:
    static constexpr std::size_t max_part = std::size_t{64} * 1024;
    static constexpr std::size_t max_sentence = 400;
    static constexpr std::size_t max_shown_sentence = 240;
    static constexpr std::size_t max_of_step = 24;

    void insert(const RememberedFact& fact) {
        if (index_.emplace(fact.text, facts_.size()).second) facts_.push_back(fact);
    }
    void count(const std::string& text, bool marked) {
        if (const auto found = index_.find(text); found != index_.end()) {
            ++facts_[found->second].steps;
            facts_[found->second].marked = facts_[found->second].marked || marked;
        } else {
            insert({text, 1, marked});
        }
    }
    void mark(std::string_view sentence) {
        const std::string line = shorten(one_line(sentence), max_shown_sentence);
        if (has_word(line)) count(line, true);
    }

    void add_marked(std::string_view text) {
        if (!options_.is_marked) return;
        const RuleSentenceSplitter split{CodeBlocks::lines};
        for (const std::string_view sentence : split(utf8::prefix(text, max_part))) {
            const std::string_view trimmed = ascii::trim(sentence);
            if (trimmed.size() <= max_sentence && options_.is_marked(trimmed)) mark(trimmed);
        }
    }

    /// How informative a kind of fact is; 0 for those that are not kept.
    [[nodiscard]] static std::size_t value_of(const Fact& fact) {
        if (fact.text.size() > 160) return 0;
        switch (fact.kind) {
            case FactKind::url:
            case FactKind::path: return 4;
            case FactKind::identifier: return fact.text.size() > 2 ? 3 : 0;
            case FactKind::number: return fact.text.size() > 2 ? 2 : 0;
            default: return 0;
        }
    }
    /// How often a fact came up counts most. Numbers come up by chance more easily than names do.
    [[nodiscard]] static std::int64_t weight(const RememberedFact& fact) {
        const bool number = kind_of(fact.text, false) == FactKind::number;
        return 2 * std::clamp<std::int64_t>(fact.steps, 1, 1000) + (number ? 0 : 1);
    }

    void add_facts(const FactTable& table, const std::vector<AssistantFunctionCall>& calls) {
        std::vector<std::pair<std::size_t, std::string_view>> found;
        for (const FactTable::Entry& entry : table.entries()) {
            const auto is_name = [&](const AssistantFunctionCall& call) { return call.name == entry.fact.text; };
            if (std::any_of(calls.begin(), calls.end(), is_name)) continue;  // a tool is not a finding
            const std::size_t value = value_of(entry.fact);
            // What is in several parts of a step, or came up before, goes first.
            const bool known = index_.contains(std::string(entry.fact.text));
            if (value != 0) found.emplace_back(value + (entry.topical ? 4U : 0U) + (known ? 8U : 0U), entry.fact.text);
        }
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        if (found.size() > max_of_step) found.resize(max_of_step);
        for (const auto& [unused, text] : found) count(std::string(text), false);
    }

    [[nodiscard]] static bool in_text(const std::string& text, const RememberedFact& fact) {
        return text.find(fact.text) != std::string::npos;
    }

    /// Of the facts that are not shown the ones that came up several times stay, then the latest ones.
    void keep_latest(std::vector<std::size_t>& left) const {
        if (left.size() <= max_candidates) return;
        std::stable_sort(left.begin(), left.end(), [this](std::size_t a, std::size_t b) {
            const bool again_a = facts_[a].marked || facts_[a].steps > 1;
            const bool again_b = facts_[b].marked || facts_[b].steps > 1;
            if (again_a != again_b) return again_a;
            if (again_a && facts_[a].steps != facts_[b].steps) return facts_[a].steps > facts_[b].steps;
            return again_a ? a < b : a > b;
        });
        // Those that came up several times may take half of the places, so that new ones also have a chance.
        const auto first_single = std::find_if(
            left.begin(), left.end(), [this](std::size_t i) { return !facts_[i].marked && facts_[i].steps == 1; });
        const auto again = static_cast<std::size_t>(first_single - left.begin());
        const std::size_t singles = left.size() - again;
        const std::size_t half = max_candidates / 2;
        const std::size_t kept = std::max(half, max_candidates - std::min(max_candidates, singles));
        if (again > kept)
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(kept),
                       left.begin() + static_cast<std::ptrdiff_t>(again));
        if (left.size() > max_candidates) left.resize(max_candidates);
    }

    const RollingSummaryOptions& options_;
    std::vector<RememberedFact> facts_{};  // oldest first
    std::unordered_map<std::string, std::size_t> index_{};
};

}  // namespace acta::inline ACTA_ABI::compress_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE bool is_marked_sentence(std::string_view sentence) {
    // Sorted.
    constexpr std::array<std::string_view, 18> marks = {
        "attention", "caution",   "conclusion", "constraint",  "decision", "fact",
        "finding",   "important", "key fact",   "key finding", "lesson",   "lesson learned",
        "nb",        "note",      "remember",   "requirement", "rule",     "todo"};
    constexpr std::array<std::string_view, 3> others = {
        "\xE9\x87\x8D\xE8\xA6\x81", "\xE6\xB3\xA8\xE6\x84\x8F",
        "\xE8\xAE\xB0\xE4\xBD\x8F"};  // important (Chinese, Japanese), attention, remember (Chinese)
    const std::size_t first = sentence.find_first_not_of(" \t\r\n*-#>_\"'`");
    if (first == std::string_view::npos) return false;
    sentence.remove_prefix(first);
    const auto is_other = [sentence](std::string_view mark) { return sentence.starts_with(mark); };
    if (std::any_of(others.begin(), others.end(), is_other)) return true;
    constexpr std::size_t longest = 16;
    const std::size_t colon = sentence.substr(0, longest).find(':');
    if (colon == std::string_view::npos) return false;
    std::string word;
    for (const char c : sentence.substr(0, colon)) word += ascii::to_lower(c);
    const std::size_t end = word.find_last_not_of(" *_`");
    word.resize(end == std::string::npos ? 0 : end + 1);
    return std::binary_search(marks.begin(), marks.end(), std::string_view(word));
}

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::compress_detail {

/// A step that leaves the prompt.
struct LeavingStep {
    std::size_t index = 0;
    SummaryStep values{};
    std::optional<std::string> summary{};
};

/// What was said between those steps.
struct LeavingMessage {
    std::size_t before = 0;  ///< The step that it precedes.
    ChatRole role = ChatRole::user;
    std::string text{};
};

/// Steps to condense at once, what was said before each of them, and the summary so far.
struct RollingBatch {
    std::optional<RollingSummary> before{};
    std::size_t first = 0;  ///< Of all that the new summary stands for.
    std::size_t last = 0;
    EpisodeId first_id{};
    EpisodeId last_id{};
    std::size_t count = 0;  ///< Steps that leave, those included that a filter refuses.
    std::vector<LeavingStep> steps{};
    std::vector<LeavingMessage> said{};
};

/// The next steps that leave the prompt and are not condensed yet; nothing if there are none.
[[nodiscard]] ACTA_INLINE std::optional<RollingBatch> take_batch(const HistoryEditor& editor,
                                                                 const RollingSummaryOptions& options,
                                                                 prompt_extension::PromptSeries& prompts) {
    const HistoryView history = editor.view();
    PromptOptions prompt = options.prompt;
    prompt.show_rolling_summary = true;
    prompt.max_rolling_tokens = no_limit;  // a summary that is cut still stands for its steps
    const PromptReport report = prompts.report_hidden(history, prompt);
    if (report.hidden_steps == 0) return std::nullopt;
    RollingBatch batch;
    batch.count = std::min(report.hidden_steps, max_batch_steps);
    batch.first = report.first_hidden;
    batch.last = report.first_hidden + batch.count - 1;
    for (std::size_t i = batch.first; i <= batch.last; ++i) {
        if (options.prompt.keep && !options.prompt.keep(prompt_extension::prompt_step(history, i))) continue;
        const std::string* const summary = history.step(i).summary;
        batch.steps.push_back(
            {i, summary_step(history, i), summary == nullptr ? std::nullopt : std::optional(*summary)});
    }
    const auto first_said = std::ranges::lower_bound(history.messages(), batch.first, {}, &ConversationMessage::before);
    for (auto said = first_said; said != history.messages().end() && said->before <= batch.last; ++said) {
        // Prompts always show the instructions at the beginning.
        if (said->before == 0 && said->message.role == ChatRole::system) continue;
        batch.said.push_back({said->before, said->message.role, hide_binary(said->message.content)});
    }
    // The steps follow those of the summary so far, unless that covers other ones.
    if (const RollingSummary* const before = history.rolling_summary();
        before != nullptr && static_cast<std::size_t>(before->last) + 1 == batch.first) {
        batch.before = *before;
        batch.first = static_cast<std::size_t>(before->first);
    }
    batch.first_id = history.id(batch.first);
    batch.last_id = history.id(batch.last);
    return batch;
}

/// Stores the new summary, unless the history changed where it matters.
[[nodiscard]] ACTA_INLINE bool store_batch(HistoryEditor& history, const RollingBatch& batch, RollingSummary summary) {
    const HistoryView view = history.view();
    if (batch.last >= view.size() || view.id(batch.first) != batch.first_id || view.id(batch.last) != batch.last_id)
        return false;
    const RollingSummary* const now = view.rolling_summary();
    if (batch.before && (now == nullptr || *now != *batch.before)) return false;
    history.set_rolling_summary(std::move(summary));
    return true;
}

/// Condenses one batch after another.
class RollingRun {
public:
    RollingRun(const AnySummarizer& summarizer, const RollingSummaryOptions& options)
        : summarizer_(summarizer), options_(options) {}

    [[nodiscard]] RollingSummary condense(RollingBatch& batch);
    [[nodiscard]] bool is_over() const;
    /// Describes the exception that is being handled.
    [[nodiscard]] ErrorInfo error() const;

    RollingSummaryReport report{};

private:
    [[nodiscard]] std::string text_of(const RollingBatch& batch) const;
    [[nodiscard]] std::string line_of(const LeavingStep& step) const;
    [[nodiscard]] std::string line_of(const LeavingMessage& said) const;
    [[nodiscard]] std::string ask(const std::string& text);

    const AnySummarizer& summarizer_;
    const RollingSummaryOptions& options_;
};

ACTA_INLINE RollingSummary RollingRun::condense(RollingBatch& batch) {
    RollingFacts facts(batch.before ? &*batch.before : nullptr, options_);
    for (LeavingStep& step : batch.steps) {
        if (options_.redactor) StepRedaction(options_.redactor).apply(step.values);
        facts.add(step.values);
    }
    for (LeavingMessage& said : batch.said) {
        if (options_.redactor) said.text = options_.redactor(said.text);
        facts.add(said.text, said.role == ChatRole::user);
    }
    RollingSummary out;
    out.first = static_cast<std::int64_t>(batch.first);
    out.last = static_cast<std::int64_t>(batch.last);
    if (!batch.steps.empty() || !batch.said.empty())
        out.text = ask(text_of(batch));
    else if (batch.before)
        out.text = batch.before->text;
    facts.store(out);
    return out;
}

// The summary so far, then a line for each step and each message.
ACTA_INLINE std::string RollingRun::text_of(const RollingBatch& batch) const {
    std::string out = batch.before ? batch.before->text : std::string();
    if (!out.empty()) out += '\n';
    const auto add = [&out](const std::string& line) {
        if (!out.empty()) out += '\n';
        out.append("* ").append(line);
    };
    auto said = batch.said.begin();
    for (const LeavingStep& step : batch.steps) {
        for (; said != batch.said.end() && said->before <= step.index; ++said) add(line_of(*said));
        add("Step " + std::to_string(step.index + 1) + ": " + line_of(step));
    }
    for (; said != batch.said.end(); ++said) add(line_of(*said));
    return out;
}

ACTA_INLINE std::string RollingRun::line_of(const LeavingMessage& said) const {
    SummaryRequest request;
    request.max_tokens = 60;
    request.one_line = true;
    const std::string_view role = said.role == ChatRole::user     ? "User: "
                                  : said.role == ChatRole::system ? "System: "
                                                                  : "Assistant: ";
    return std::string(role) + ExtractiveSummarizer{}(said.text, request);
}

ACTA_INLINE std::string RollingRun::line_of(const LeavingStep& step) const {
    if (step.summary) return options_.redactor ? options_.redactor(*step.summary) : *step.summary;
    SummaryRequest request;
    request.step = &step.values;
    request.max_tokens = 60;
    return ExtractiveSummarizer{}(std::string_view(), request);
}

ACTA_INLINE std::string RollingRun::ask(const std::string& text) {
    CompressionOptions checks;
    checks.redactor = options_.redactor;
    checks.max_summary_tokens = options_.max_tokens;
    SummaryRequest request;
    request.instruction = options_.instruction;
    request.max_tokens = options_.max_tokens;
    request.one_line = true;
    request.until = options_.until;
    request.on_completion = [this](const ChatCompletion& completion) { add_cost(report.cost, completion, options_); };
    return checked_summary(summarizer_(text, request), checks);
}

ACTA_INLINE bool RollingRun::is_over() const { return options_.until.is_over(); }

ACTA_INLINE ErrorInfo RollingRun::error() const {
    ErrorOptions options;
    options.redactor = options_.redactor;
    return ErrorInfo::from_exception(std::current_exception(), options);
}

}  // namespace acta::inline ACTA_ABI::compress_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE RollingSummaryReport update_rolling_summary(const LockableHistory& history, const AnySummarizer& summarizer,
                                                        const RollingSummaryOptions& options) {
    prompt_extension::PromptSeries prompts;
    return compress_extension::update_rolling_summary(history, summarizer, options, prompts);
}

ACTA_INLINE RollingSummaryReport compress_extension::update_rolling_summary(const LockableHistory& history,
                                                                            const AnySummarizer& summarizer,
                                                                            const RollingSummaryOptions& options,
                                                                            prompt_extension::PromptSeries& prompts) {
    const auto start = std::chrono::steady_clock::now();
    compress_detail::RollingRun run(summarizer, options);
    while (!run.is_over()) {
        std::optional<compress_detail::RollingBatch> batch = history.with_lock(
            [&](HistoryEditor& editor) { return compress_detail::take_batch(editor, options, prompts); });
        if (!batch) break;
        std::optional<RollingSummary> summary;
        try {
            summary = run.condense(*batch);
        } catch (const std::exception&) {
            run.report.error = run.error();
            break;
        }
        const bool stored = history.with_lock(
            [&](HistoryEditor& editor) { return compress_detail::store_batch(editor, *batch, *std::move(summary)); });
        if (!stored) {
            run.report.skipped = true;
            break;
        }
        run.report.steps += batch->count;
    }
    run.report.time = std::chrono::steady_clock::now() - start;
    return std::move(run.report);
}

}  // namespace acta::inline ACTA_ABI
