// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/utility.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/history/episode.hpp"
#include "acta/json/json.hpp"
#if defined(ACTA_COMPILED)
#include "acta/history/history_view.hpp"  // for the instances at the end
#endif

namespace acta::inline ACTA_ABI {

ACTA_INLINE double TokenPrices::cost(const TokenUsage& usage) const noexcept {
    constexpr double million = 1e6;
    const auto read = static_cast<double>(usage.cached_tokens.value_or(0));
    const auto written = static_cast<double>(usage.cache_write_tokens.value_or(0));
    const double others = std::max(0.0, static_cast<double>(usage.prompt_tokens) - read - written);
    return (others * prompt + read * cached.value_or(prompt) + written * cache_write.value_or(prompt) +
            static_cast<double>(usage.completion_tokens) * completion) /
           million;
}

ACTA_INLINE void StepMetrics::add(const ChatCompletion& completion) {
    if (!completion.model.empty()) model = completion.model;
    if (!completion.usage) return;
    const TokenUsage& usage = *completion.usage;
    prompt_tokens = base::saturated_sum(prompt_tokens, usage.prompt_tokens);
    completion_tokens = base::saturated_sum(completion_tokens, usage.completion_tokens);
    cached_tokens = base::saturated_sum(cached_tokens, usage.cached_tokens);
    cache_write_tokens = base::saturated_sum(cache_write_tokens, usage.cache_write_tokens);
    reasoning_tokens = base::saturated_sum(reasoning_tokens, usage.reasoning_tokens);
}

ACTA_INLINE void StepMetrics::add(const ChatCompletion& completion, const TokenPrices& prices) {
    add(completion);
    if (completion.usage) cost_usd = cost_usd.value_or(0) + prices.cost(*completion.usage);
}

ACTA_INLINE std::string to_string(const RecordedCall& one) {
    return to_string(one.call) + (one.result == nullptr ? "" : ": " + to_string(*one.result));
}

ACTA_INLINE std::string to_string(const SubRun& run) {
    return "the run of " + run.tool_call_id + " of step " + std::to_string(run.step);
}

ACTA_INLINE std::string to_string(const RunRecord& run) {
    return run.error ? run.end + ": " + run.error->message : run.end;
}

ACTA_INLINE std::string to_string(const RollingSummary& summary) {
    std::string out = summary.text;
    const char* separator = out.empty() ? "(kept: " : " (kept: ";
    for (const RememberedFact& fact : summary.facts) {
        out.append(separator).append(fact.text);
        separator = "; ";
    }
    if (!summary.facts.empty()) out += ')';
    return out;
}

ACTA_INLINE Timestamp StepMetrics::end_time() const {
    if (!started_at || !begun.at) return Timestamp::now();
    const auto passed = std::chrono::steady_clock::now() - *begun.at;
    return *started_at + std::chrono::floor<std::chrono::microseconds>(passed);
}

ACTA_INLINE std::optional<std::chrono::microseconds> StepMetrics::duration() const {
    if (!started_at || !finished_at) return std::nullopt;
    const auto start = started_at->instant();
    const auto finish = finished_at->instant();
    if (!start || !finish || *finish < *start) return std::nullopt;
    return *finish - *start;
}

ACTA_INLINE void MetricsTotals::add(const Boxed<StepMetrics>& metrics) {
    if (metrics)
        add(*metrics);
    else
        ++steps;
}

ACTA_INLINE void MetricsTotals::add(const StepMetrics& metrics) {
    ++steps;
    if (metrics.prompt_tokens || metrics.completion_tokens) ++steps_with_tokens;
    if (metrics.cost_usd) ++steps_with_cost;
    const auto more_of = [](std::int64_t& sum, std::optional<std::int64_t> more) {
        sum = base::saturated_sum(sum, more.value_or(0));
    };
    more_of(prompt_tokens, metrics.prompt_tokens);
    more_of(completion_tokens, metrics.completion_tokens);
    more_of(cached_tokens, metrics.cached_tokens);
    more_of(cache_write_tokens, metrics.cache_write_tokens);
    more_of(reasoning_tokens, metrics.reasoning_tokens);
    cost_usd += metrics.cost_usd.value_or(0);
    using std::chrono::microseconds;
    time = microseconds(base::saturated_sum(time.count(), metrics.duration().value_or(microseconds(0)).count()));
}

namespace history_detail {

/// Returns `value / unit` with digits after the point: without the locale's decimal comma.
[[nodiscard]] ACTA_INLINE std::string fixed_text(std::int64_t value, std::int64_t unit, std::size_t digits) {
    std::string fraction = std::to_string(value % unit);
    return std::to_string(value / unit) + "." + fraction.insert(0, digits - fraction.size(), '0');
}

ACTA_INLINE std::string duration_text(std::chrono::microseconds time) {
    const std::int64_t ms = time.count() / 1000;
    if (ms < 1000) return std::to_string(ms) + " ms";
    const std::int64_t seconds = ms / 1000;
    if (seconds < 60) return fixed_text(ms / 100, 10, 1) + " s";
    const auto two = [](std::int64_t count, const char* unit, std::int64_t rest, const char* rest_unit) {
        return std::to_string(count) + unit + (rest == 0 ? "" : " " + std::to_string(rest) + rest_unit);
    };
    if (seconds < 3600) return two(seconds / 60, " min", seconds % 60, " s");
    if (seconds < 48 * 3600) return two(seconds / 3600, " h", seconds / 60 % 60, " min");
    return two(seconds / 86'400, " days", seconds / 3600 % 24, " h");
}

ACTA_INLINE const ChatMessage* find_answer(std::span<const ConversationMessage> messages,
                                           std::span<const std::string> pending_feedback, std::size_t steps) noexcept {
    if (messages.empty() || !pending_feedback.empty()) return nullptr;
    const ConversationMessage& last = messages.back();
    return last.before == steps && last.message.role == ChatRole::assistant ? &last.message : nullptr;
}

ACTA_INLINE void require_step(std::size_t i, std::size_t steps) {
    if (i < steps) return;
    throw std::out_of_range("there is no step at index " + std::to_string(i) + ": the history has " +
                            std::to_string(steps) + (steps == 1 ? " step" : " steps"));
}

}  // namespace history_detail

ACTA_INLINE std::string to_string(const StepMetrics& metrics) {
    MetricsTotals one;
    one.add(metrics);
    return to_string(one) + (metrics.model.empty() ? "" : " (" + metrics.model + ")");
}

ACTA_INLINE std::string to_string(const MetricsTotals& totals) {
    using history_detail::fixed_text;
    const auto part = [](std::int64_t tokens, const char* of) {
        return tokens == 0 ? std::string() : " (" + std::to_string(tokens) + of + ")";
    };
    std::string out = std::to_string(totals.steps) + (totals.steps == 1 ? " step" : " steps");
    if (totals.time.count() > 0) out += " in " + history_detail::duration_text(totals.time);
    if (totals.steps_with_tokens != 0) {
        out += ", " + std::to_string(totals.prompt_tokens) + " tokens to the model" +
               part(totals.cached_tokens, " cached") + ", " + std::to_string(totals.completion_tokens) + " from it" +
               part(totals.reasoning_tokens, " reasoning");
    }
    if (totals.steps_with_cost != 0 && totals.cost_usd >= 0 && totals.cost_usd < 1e14)
        out += ", " + fixed_text(std::llround(totals.cost_usd * 1e4), 10'000, 4) + " USD";
    return out;
}

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::history_detail {

ACTA_INLINE void append_said(std::string& out, const ChatMessage& message) {
    if (!out.empty()) out += "\n\n";
    out += message.role == ChatRole::system ? "### System\n"
           : message.role == ChatRole::user ? "### User\n"
                                            : "### Assistant\n";
    out.append(contained("\n" + hide_binary(message.content)).substr(1)) += '\n';
}

ACTA_INLINE void require_conversation(const ChatMessage& message) {
    if (message.role == ChatRole::tool)
        throw HistoryError(HistoryErrorCode::not_conversation,
                           "The result of a tool belongs to a step: use register_result");
    if (!message.tool_calls.empty())
        throw HistoryError(HistoryErrorCode::not_conversation, "A message with calls is a step: use register_action");
}

[[nodiscard]] inline bool is_earlier(const ConversationMessage& a, const ConversationMessage& b) noexcept {
    return a.before < b.before;
}

ACTA_INLINE void reserve_messages(Conversation& conversation, std::size_t count) {
    if (conversation.capacity() - conversation.size() < count)
        conversation.reserve(std::max(2 * conversation.size(), conversation.size() + count));
}

ACTA_INLINE void add_messages(Conversation& conversation, Conversation said) {
    const bool sorted = conversation.empty() || conversation.back().before <= said.front().before;
    for (ConversationMessage& one : said) conversation.push_back(std::move(one));
    if (!sorted) std::stable_sort(conversation.begin(), conversation.end(), is_earlier);
}

ACTA_INLINE Conversation messages_of_feedback(const std::vector<std::string>& feedback, std::size_t before) {
    Conversation said;
    for (const std::string& text : feedback) said.push_back({before, ChatMessage::user(text), std::nullopt});
    return said;
}

ACTA_INLINE void drop_messages_behind(Conversation& conversation, std::size_t step) {
    std::erase_if(conversation, [step](const ConversationMessage& one) { return one.before == step + 1; });
    for (ConversationMessage& one : conversation) {
        if (one.before > step) --one.before;
    }
}

ACTA_INLINE void drop_messages_after(Conversation& conversation, std::size_t steps) {
    while (!conversation.empty() && conversation.back().before > steps) conversation.pop_back();
}

ACTA_INLINE bool arrange(Conversation& conversation, std::size_t steps) {
    bool moved = false;
    for (ConversationMessage& one : conversation) {
        require_conversation(one.message);
        moved = moved || one.before > steps;
        one.before = std::min(one.before, steps);
    }
    if (!std::is_sorted(conversation.begin(), conversation.end(), is_earlier))
        std::stable_sort(conversation.begin(), conversation.end(), is_earlier);
    return moved;
}

}  // namespace acta::inline ACTA_ABI::history_detail

namespace acta::inline ACTA_ABI {

namespace history_detail {

/// How texts that acta did not write are put between its own.
struct StepWriter {
    bool contain = false;

    [[nodiscard]] std::string text(std::string_view text) const {
        std::string shown;
        append_shown_text(shown, text);
        return contained_text(std::move(shown));
    }
    /// The same for an output, in which a line feed needs nothing: what follows is indented, or in a fence.
    [[nodiscard]] std::string output(std::string text) const {
        if (is_as_it_is(text)) return text;
        std::string out;
        for (std::string_view rest = text;;) {
            const std::size_t line = std::min(rest.find('\n'), rest.size());
            out += contained(rest.substr(0, line));
            if (line == rest.size()) return out;
            out += '\n';
            rest.remove_prefix(line + 1);
        }
    }
    [[nodiscard]] std::string contained_text(std::string text) const {
        return is_as_it_is(text) ? std::move(text) : contained(text);
    }
    [[nodiscard]] std::string name(const std::string& name) const { return contain ? unicode::one_line(name) : name; }

private:
    /// Most texts have one line, and are not copied.
    [[nodiscard]] bool is_as_it_is(std::string_view text) const {
        return !contain || unicode::next_line(text) == std::string_view::npos;
    }
};

ACTA_INLINE void append_executed(std::string& out, std::span<const AssistantFunctionCall> calls, StepWriter writer) {
    out += "Executed ";
    std::string_view separator;
    for (const AssistantFunctionCall& call : calls) {
        out.append(separator).append("`");
        std::string text;
        append_shown_call(text, call.name, call.arguments);
        out.append(writer.contained_text(std::move(text))) += '`';
        separator = ", ";
    }
}

ACTA_INLINE void append_line(std::string& out, std::span<const AssistantFunctionCall> calls,
                             const std::optional<ActionResult>& result) {
    append_executed(out, calls, {true});
    if (!result)
        out += '.';
    else if (is_success(*result))
        out.append(": ").append(StepWriter{true}.output(to_string(*result)));
    else
        out.append(": ").append(StepWriter{true}.contained_text(to_string(*result)));
}

/// Appends a text after a label: one line as it is, several lines indented below the label.
ACTA_INLINE void append_indented(std::string& out, const std::string& text) {
    if (text.find('\n') == std::string::npos)
        out += text;
    else
        (out += '\n') += indent_text(text);
}

ACTA_INLINE void append_labelled(std::string& out, std::string_view label, std::string_view text, StepWriter writer) {
    out.append("- **").append(label).append(":** ").append(writer.text(text)) += '\n';
}

/// Returns what a text has of an error beside its reason: in a prompt a long one is not repeated.
ACTA_INLINE std::string error_line(const ActionErrorResult& result, StepWriter writer) {
    constexpr std::size_t longest_repeated = 100;
    const ErrorInfo& error = *result.error;
    if (!writer.contain || error.repr.size() <= longest_repeated) return to_string(error);
    const auto shortened = action_extension::shortened(result);
    return shortened ? action_extension::kind_of(*shortened) : to_string(error);
}

ACTA_INLINE void append_result_lines(std::string& out, const ActionResult& result, StepWriter writer) {
    if (const auto* const success = std::get_if<ActionSuccessResult>(&result)) {
        out += "- **Output:** ";
        append_indented(out, writer.output(to_string(*success)));
    } else if (const auto* const error = std::get_if<ActionErrorResult>(&result)) {
        append_labelled(out, "Reason", error->reason, writer);
        if (error->error) append_labelled(out, "Error", error_line(*error, writer), writer);
    } else {
        append_labelled(out, "Feedback", std::get<ActionInterruptedByHuman>(result).feedback, writer);
    }
}

ACTA_INLINE void append_tool_results(std::string& out, std::span<const ToolResult> results, StepWriter writer) {
    for (const ToolResult& one : results) {
        out.append("- **Result of `").append(writer.name(one.tool_call_id)).append("`:** ");
        append_indented(out, writer.output(to_string(one.result)));
        out += '\n';
    }
}

ACTA_INLINE bool all_different(std::vector<std::string_view> ids) {
    std::sort(ids.begin(), ids.end());
    return std::adjacent_find(ids.begin(), ids.end()) == ids.end();
}

/// Returns whether each result is that of one of these calls.
ACTA_INLINE bool name_all(const std::vector<std::string>& ids, std::span<const ToolResult> results) {
    std::vector<std::string_view> sorted(ids.begin(), ids.end());
    std::sort(sorted.begin(), sorted.end());
    return std::all_of(results.begin(), results.end(), [&](const ToolResult& one) {
        return std::binary_search(sorted.begin(), sorted.end(), std::string_view(one.tool_call_id));
    });
}

/// Returns the part before the index of an id `call_<step>_<index>`, with its last `_`; empty for other ids.
ACTA_INLINE std::string_view positional_prefix(std::string_view id) {
    constexpr std::string_view begin = "call_";
    const std::size_t mark = id.rfind('_');
    if (!id.starts_with(begin) || mark < begin.size() || mark == std::string_view::npos) return {};
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const std::string_view step = id.substr(begin.size(), mark - begin.size());
    const std::string_view index = id.substr(mark + 1);
    const bool numbers = !step.empty() && !index.empty() && std::all_of(step.begin(), step.end(), is_digit) &&
                         std::all_of(index.begin(), index.end(), is_digit);
    return numbers ? id.substr(0, mark + 1) : std::string_view();
}

ACTA_INLINE std::vector<std::string> step_call_ids(std::vector<std::string> of_action,
                                                   const std::vector<std::string>& stored,
                                                   std::span<const ToolResult> results) {
    const std::size_t calls = of_action.size();
    if (stored.size() == calls && all_different({stored.begin(), stored.end()})) return stored;
    if (results.empty() || name_all(of_action, results)) return of_action;
    // Complete results are in the order of the calls.
    std::vector<std::string_view> named;
    for (const ToolResult& one : results) named.emplace_back(one.tool_call_id);
    if (named.size() == calls && all_different(named)) return {named.begin(), named.end()};
    // Earlier versions of acta named calls by the index of their step.
    const std::string prefix(positional_prefix(named.front()));
    if (prefix.empty()) return of_action;
    std::vector<std::string> by_position;
    by_position.reserve(calls);
    for (std::size_t i = 0; i < calls; ++i) by_position.push_back(prefix + std::to_string(i));
    return name_all(by_position, results) ? by_position : of_action;
}

ACTA_INLINE bool are_of_message(const std::vector<std::string>& ids, const AssistantChatMessage* message) {
    if (message == nullptr || !message->tool_calls) return false;
    return std::equal(ids.begin(), ids.end(), message->tool_calls->begin(), message->tool_calls->end(),
                      [](const std::string& id, const AssistantToolCall& call) { return id == call.id; });
}

}  // namespace history_detail

ACTA_INLINE std::string indent_text(std::string_view text, std::size_t width) {
    const std::string blanks(width, ' ');
    std::string out = blanks;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        out.append(text.substr(0, end + 1)).append(blanks);
        text.remove_prefix(end + 1);
    }
    return out.append(text);
}

ACTA_INLINE std::string format_step(std::span<const AssistantFunctionCall> calls, const std::string& thoughts,
                                    const std::optional<ActionResult>& result, std::span<const ToolResult> tool_results,
                                    bool contain) {
    const history_detail::StepWriter writer{contain};
    std::string out;
    out.reserve(thoughts.size() + 256);  // most steps need no more
    history_detail::append_executed(out, calls, writer);
    out.append("\n- **Reasoning:** \"").append(writer.text(thoughts));
    out.append("\"\n- **Status:** `").append(to_string(status(result))).append("`\n");
    if (!tool_results.empty())
        history_detail::append_tool_results(out, tool_results, writer);
    else if (result)
        history_detail::append_result_lines(out, *result, writer);
    return out;
}

namespace history_detail {

[[nodiscard]] ACTA_INLINE ActionResult joined(std::span<const ToolResult* const> results) {
    JsonArray outputs;
    for (const ToolResult* const one : results) {
        const auto* const success = std::get_if<ActionSuccessResult>(&one->result);
        if (success == nullptr) return one->result;
        outputs.push_back(success->outputs);
    }
    ActionSuccessResult all;
    all.outputs = std::move(outputs);
    return all;
}

ACTA_INLINE ActionResult joined_result(const std::vector<ToolResult>& before, const std::vector<ToolResult>& added,
                                       const CallOrder& order) {
    std::vector<const ToolResult*> all(order.size());
    for (const ToolResult& one : before) all[order.find(one.tool_call_id)] = &one;
    for (const ToolResult& one : added) all[order.find(one.tool_call_id)] = &one;
    return joined(all);
}

ACTA_INLINE bool equal_results(const std::optional<ActionResult>& a, const std::optional<ActionResult>& b) {
    if (!a || !b) return a.has_value() == b.has_value();
    const auto* const success = std::get_if<ActionSuccessResult>(&*a);
    const auto* const other = std::get_if<ActionSuccessResult>(&*b);
    return success != nullptr && other != nullptr ? *success == *other : *a == *b;
}

}  // namespace history_detail

ACTA_INLINE ActionResult joined_result(std::span<const ToolResult> results) {
    std::vector<const ToolResult*> all;
    for (const ToolResult& one : results) all.push_back(&one);
    return history_detail::joined(all);
}

ACTA_INLINE std::string arguments_digest(const JsonObject& arguments) {
    std::uint64_t hash = base::fnv1a(dump(arguments));
    std::string out(16, '0');
    for (auto digit = out.rbegin(); digit != out.rend(); ++digit, hash >>= 4U) *digit = "0123456789abcdef"[hash & 15U];
    return out;
}

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::history_detail {

ACTA_INLINE void CallOrder::set(EpisodeId id, std::vector<std::string> ids) {
    std::vector<std::pair<std::string, std::size_t>> order;
    order.reserve(ids.size());
    for (std::string& one : ids) order.emplace_back(std::move(one), order.size());
    std::sort(order.begin(), order.end());
    has_sub_run_ = std::vector<bool>(order.size());
    has_result_ = std::vector<bool>(order.size());
    late_.reset();
    order_ = std::move(order);
    step_ = id.step;
}

ACTA_INLINE std::size_t CallOrder::find(std::string_view id) const noexcept {
    const auto found = std::lower_bound(order_.begin(), order_.end(), id,
                                        [](const auto& one, std::string_view wanted) { return one.first < wanted; });
    return found != order_.end() && found->first == id ? found->second : size();
}

ACTA_INLINE std::vector<ToolResult>::const_iterator place_of_result(const std::vector<ToolResult>& results,
                                                                    const CallOrder& order,
                                                                    std::string_view id) noexcept {
    const std::size_t at = order.find(id);
    const auto is_before = [&](const ToolResult& one) { return order.find(one.tool_call_id) < at; };
    const bool in_order = results.empty() || is_before(results.back());  // as they usually come
    return in_order ? results.end() : std::partition_point(results.begin(), results.end(), is_before);
}

ACTA_INLINE std::optional<std::size_t> find_step(const StepState* steps, std::size_t size, EpisodeId id) noexcept {
    const auto is_before = [](const StepState& one, std::uint64_t step) { return one.id.step < step; };
    const StepState* const found = std::lower_bound(steps, steps + size, id.step, is_before);
    if (found == steps + size || found->id != id) return std::nullopt;
    return static_cast<std::size_t>(found - steps);
}

ACTA_INLINE void append_calls(std::vector<RecordedCall>& out, std::span<const AssistantFunctionCall> calls,
                              std::vector<std::string> ids, const std::vector<ToolResult>& results,
                              const std::optional<ActionResult>& result, std::size_t step, const CallFilter& filter) {
    std::unordered_map<std::string_view, const ActionResult*> own;
    for (const ToolResult& one : results) own.emplace(one.tool_call_id, &one.result);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!filter.tool.empty() && calls[i].name != filter.tool) continue;
        const auto found = own.find(ids[i]);
        RecordedCall one{calls[i], std::move(ids[i]), nullptr, step};
        if (found != own.end())
            one.result = found->second;
        else if (own.empty() && result)
            one.result = &*result;
        if (!filter.status || one.status() == *filter.status) out.push_back(std::move(one));
    }
}

ACTA_INLINE std::vector<OpenCall> calls_without_result(std::span<const AssistantFunctionCall> calls,
                                                       std::vector<std::string> ids,
                                                       const std::vector<ToolResult>& results) {
    std::vector<std::string_view> done;
    for (const ToolResult& one : results) done.emplace_back(one.tool_call_id);
    std::ranges::sort(done);
    std::vector<OpenCall> out;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!std::ranges::binary_search(done, std::string_view(ids[i])))
            out.push_back({.call = {std::move(ids[i]), calls[i]}});
    }
    return out;
}

struct CallOrder::Late {
    std::mutex mutex{};
    std::atomic<bool> are_there{false};
    std::vector<std::pair<std::size_t, ToolResult>> results{};  // with their places
    std::vector<ToolResult>* others = nullptr;                  // of the step
};

ACTA_INLINE void put_sub_run(std::vector<SubRun>& runs, SubRun&& run, bool replaces) noexcept {
    const auto is_same = [&run](const SubRun& one) {
        return one.step == run.step && one.tool_call_id == run.tool_call_id;
    };
    if (replaces) std::erase_if(runs, is_same);
    runs.push_back(std::move(run));
}

/// The most results that are moved for one that comes before them.
inline constexpr std::size_t most_moved = 64;

ACTA_INLINE void CallOrder::reserve(std::vector<ToolResult>& results, std::size_t more) {
    results.reserve(size());
    if (size() <= most_moved) return;
    if (!late_) late_ = std::make_shared<Late>();
    std::vector<std::pair<std::size_t, ToolResult>>& late = late_->results;
    if (late.capacity() - late.size() < more) late.reserve(std::max(2 * late.size(), late.size() + more));
    late_->others = &results;
}

ACTA_INLINE void CallOrder::put(std::vector<ToolResult>& results, ToolResult result) noexcept {
    const std::size_t place = find(result.tool_call_id);
    note_result(place);
    if (late() == 0) {
        const auto at = place_of_result(results, *this, result.tool_call_id);
        if (size() <= most_moved || static_cast<std::size_t>(results.end() - at) <= most_moved) {
            results.insert(at, std::move(result));
            return;
        }
    }
    late_->results.emplace_back(place, std::move(result));
    late_->are_there.store(true, std::memory_order_release);
}

ACTA_INLINE std::size_t CallOrder::count_late() const noexcept { return late_->results.size(); }

ACTA_INLINE void CallOrder::settle_late() const noexcept {
    if (!late_->are_there.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(late_->mutex);
    std::vector<std::pair<std::size_t, ToolResult>>& late = late_->results;
    std::vector<ToolResult>& results = *late_->others;
    std::sort(late.begin(), late.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t others = results.size();
    results.resize(others + late.size());  // of the reserved space
    for (std::size_t to = results.size(); !late.empty(); --to) {
        if (others != 0 && find(results[others - 1].tool_call_id) > late.back().first) {
            results[to - 1] = std::move(results[others - 1]);
            --others;
        } else {
            results[to - 1] = std::move(late.back().second);
            late.pop_back();
        }
    }
    late_->are_there.store(false, std::memory_order_release);
}

ACTA_INLINE void require_distinct(const std::vector<ToolResult>& results, const CallOrder& order) {
    if (results.size() < 2) return;
    std::vector<bool> seen(order.size());
    for (const ToolResult& one : results) {
        const std::size_t at = order.find(one.tool_call_id);
        if (seen[at]) throw_result_set(one.tool_call_id);
        seen[at] = true;
    }
}

ACTA_INLINE void require_call_ids(const std::vector<std::string>& ids, std::size_t calls) {
    const bool all_named = std::ranges::none_of(ids, [](const std::string& id) { return id.empty(); });
    if (ids.size() != calls || !all_named || !all_different({ids.begin(), ids.end()}))
        throw HistoryError(HistoryErrorCode::invalid_call_ids,
                           "The step needs one id for each of its calls, all different");
}

ACTA_INLINE void throw_result_set(std::string_view id) {
    const std::string of = id.empty() ? "current cycle" : "call '" + std::string(id) + "'";
    throw HistoryError(HistoryErrorCode::result_already_set, "Result for " + of + " already set");
}

ACTA_INLINE void require_step_of_call(bool is_open, std::string_view id) {
    if (!is_open)
        throw HistoryError(HistoryErrorCode::unknown_tool_call,
                           "The call '" + std::string(id) + "' is of another step than the open one");
}

ACTA_INLINE void require_no_result(const CallOrder& order, std::string_view id) {
    const std::size_t place = order.find(id);
    if (place == order.size()) {
        throw HistoryError(HistoryErrorCode::unknown_tool_call,
                           "The open step has no call with id '" + std::string(id) + "'");
    }
    if (order.has_result(place)) throw_result_set(id);
}

}  // namespace acta::inline ACTA_ABI::history_detail

#if defined(ACTA_COMPILED)  // the instances for the default types
namespace acta::inline ACTA_ABI {
template struct codec::Document<Episode<ActionProposal<>>>;
template struct codec::Document<EpisodicActionHistory<>>;
template class ChangeMembers<EpisodicActionHistory<>, ActionProposal<>>;
template class ChangeMembers<SharedHistory<>, ActionProposal<>>;
template class ChangeMembers<HistoryEditor, ActionProposal<>>;
template class EpisodicActionHistory<ActionProposal<>>;
template class SharedHistory<ActionProposal<>>;
template HistoryView::HistoryView(std::span<const Episode<ActionProposal<>>> steps);
template HistoryView::HistoryView(const EpisodicActionHistory<>& history);
template LockableHistory::LockableHistory(EpisodicActionHistory<>& history);
template LockableHistory::LockableHistory(SharedHistory<>& history);
}  // namespace acta::inline ACTA_ABI
#endif
