// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/testing/detail/value_difference.hpp"
#include "acta/testing/trajectory_match.hpp"

// Values of arguments.
namespace acta::inline ACTA_ABI::testing_detail {

using testing::ArgumentMatch;
using testing::TrajectoryMatch;
using testing::TrajectoryMatchOptions;
using testing::TrajectoryOrder;
using testing::TrajectorySteps;

/// Returns what is in `value` under one part of a path; null if there is nothing.
ACTA_INLINE const Json* inside(const Json& value, std::string_view part) {
    if (!value.is_array()) return base::find_key(value, part);
    std::size_t i = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), i);
    const bool is_index = error == std::errc() && end == part.data() + part.size() && std::to_string(i) == part;
    return is_index && i < value.size() ? &base::array_of(value)[i] : nullptr;
}

/// Returns the argument of this name or at this path; null if there is none.
ACTA_INLINE const Json* find_argument(const JsonObject& arguments, std::string_view path) {
    if (const Json* const whole = base::find_key(arguments, path)) return whole;
    std::size_t dot = path.find('.');
    const Json* found = base::find_key(arguments, path.substr(0, dot));
    while (found != nullptr && dot != std::string_view::npos) {
        path.remove_prefix(dot + 1);
        dot = path.find('.');
        found = inside(*found, path.substr(0, dot));
    }
    return found;
}

ACTA_INLINE bool same_argument(const JsonObject& a, const JsonObject& b, std::string_view path) {
    static const Json null;
    const Json* const one = find_argument(a, path);
    const Json* const other = find_argument(b, path);
    return same_value(one != nullptr ? *one : null, other != nullptr ? *other : null);
}

ACTA_INLINE bool arguments_fit(const JsonObject& actual, const JsonObject& expected, ArgumentMatch match) {
    switch (match) {
        case ArgumentMatch::exact: return same_members(actual, expected);
        case ArgumentMatch::ignore: break;
        case ArgumentMatch::subset: return is_part(actual, expected);
        case ArgumentMatch::superset: return is_part(expected, actual);
    }
    return true;
}

ACTA_INLINE bool call_fits(const AssistantFunctionCall& actual, const AssistantFunctionCall& expected,
                           const TrajectoryMatchOptions& options) {
    if (actual.name != expected.name) return false;
    const auto rule = options.tools.find(actual.name);
    if (rule != options.tools.end()) return rule->second(actual.arguments, expected.arguments);
    return arguments_fit(actual.arguments, expected.arguments, options.arguments);
}

// Pairs of calls.

/// Calls of a run, or of one of its messages.
using CallList = std::vector<const AssistantFunctionCall*>;
/// The index of the call that each call is paired with.
using Partners = std::vector<std::optional<std::size_t>>;

/// A maximum matching (Berge): each expected call takes the first that is free, or one whose partner can take another.
class Pairing {
public:
    Pairing(const CallList& actual, const CallList& expected, const TrajectoryMatchOptions& options)
        : of_actual(actual.size()), of_expected(expected.size()), is_dead_(actual.size()) {
        for (std::size_t i = 0; i < expected.size(); ++i) pair(i, actual, expected, options);
    }

    Partners of_actual;
    Partners of_expected;

private:
    void pair(std::size_t start, const CallList& actual, const CallList& expected,
              const TrajectoryMatchOptions& options) {
        Partners reached_from(actual.size());
        std::vector<std::size_t> waiting{start};
        for (std::size_t next = 0; next < waiting.size(); ++next) {
            const std::size_t e = waiting[next];
            for (std::size_t a = 0; a < actual.size(); ++a) {
                if (is_dead_[a] || reached_from[a] || !call_fits(*actual[a], *expected[e], options)) continue;
                reached_from[a] = e;
                if (!of_actual[a]) return take(a, reached_from);
                waiting.push_back(*of_actual[a]);
            }
        }
        // Whatever was reached leads to no free call, now and later.
        for (std::size_t a = 0; a < actual.size(); ++a) is_dead_[a] = is_dead_[a] || reached_from[a].has_value();
    }

    void take(std::size_t a, const Partners& reached_from) {
        for (std::optional<std::size_t> free = a; free;) {
            const std::size_t e = *reached_from[*free];
            of_actual[*free] = e;
            free = std::exchange(of_expected[e], free);
        }
    }

    std::vector<bool> is_dead_;
};

/// What does not fit.
struct Misfit {
    std::optional<std::size_t> actual{};
    std::optional<std::size_t> expected{};
};

/// Returns the first call without a partner of which `wanted` is null or the tool.
ACTA_INLINE std::optional<std::size_t> find_single(const CallList& calls, const Partners& partners,
                                                   const std::string* wanted) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!partners[i] && (wanted == nullptr || calls[i]->name == *wanted)) return i;
    }
    return std::nullopt;
}

/// Pairs calls; nothing if they fit.
ACTA_INLINE std::optional<Misfit> find_misfit(const CallList& actual, const CallList& expected,
                                              const TrajectoryMatchOptions& options) {
    const Pairing pairing(actual, expected, options);
    Misfit out;
    if (options.order == TrajectoryOrder::superset) {
        out.expected = find_single(expected, pairing.of_expected, nullptr);
        if (out.expected) out.actual = find_single(actual, pairing.of_actual, &expected[*out.expected]->name);
    } else {
        out.actual = find_single(actual, pairing.of_actual, nullptr);
        if (out.actual) out.expected = find_single(expected, pairing.of_expected, &actual[*out.actual]->name);
        if (!out.expected && options.order != TrajectoryOrder::subset)
            out.expected = find_single(expected, pairing.of_expected, nullptr);
    }
    if (!out.actual && !out.expected) return std::nullopt;
    return out;
}

ACTA_INLINE void add_calls(CallList& list, std::span<const AssistantFunctionCall> calls) {
    for (const AssistantFunctionCall& call : calls) list.push_back(&call);
}

ACTA_INLINE CallList all_calls(const TrajectorySteps& steps) {
    CallList calls;
    for (const TrajectoryEntry& entry : steps.entries()) add_calls(calls, entry.calls);
    return calls;
}

/// Compares messages, in order.
ACTA_INLINE std::optional<Misfit> find_message(std::span<const TrajectoryEntry> actual,
                                               std::span<const TrajectoryEntry> expected,
                                               const TrajectoryMatchOptions& options) {
    for (std::size_t i = 0; i < std::max(actual.size(), expected.size()); ++i) {
        if (i >= actual.size()) return Misfit{std::nullopt, i};
        if (i >= expected.size()) return Misfit{i, std::nullopt};
        CallList calls;
        CallList wanted;
        add_calls(calls, actual[i].calls);
        add_calls(wanted, expected[i].calls);
        if (actual[i].role != expected[i].role || find_misfit(calls, wanted, options)) return Misfit{i, i};
    }
    return std::nullopt;
}

/// Compares calls in order: those of a message, if one of both sides has messages, with as many of the other side.
ACTA_INLINE std::optional<Misfit> find_call(const TrajectorySteps& actual, const TrajectorySteps& expected,
                                            const TrajectoryMatchOptions& options) {
    const CallList calls = all_calls(actual);
    const CallList wanted = all_calls(expected);
    std::size_t begin = 0;
    for (const TrajectoryEntry& entry : (expected.has_messages() ? expected : actual).entries()) {
        const auto part = [&](const CallList& list) {
            const auto at = [&](std::size_t i) {
                return list.begin() + static_cast<std::ptrdiff_t>(std::min(i, list.size()));
            };
            return CallList(at(begin), at(begin + entry.calls.size()));
        };
        if (std::optional<Misfit> found = find_misfit(part(calls), part(wanted), options)) {
            if (found->actual) *found->actual += begin;
            if (found->expected) *found->expected += begin;
            return found;
        }
        begin += entry.calls.size();
    }
    if (begin < calls.size()) return Misfit{begin, std::nullopt};
    if (begin < wanted.size()) return Misfit{std::nullopt, begin};
    return std::nullopt;
}

// What the result says.

ACTA_INLINE std::string shortened(const std::string& text, std::size_t most) {
    return text.size() <= most ? text : std::string(utf8::prefix(text, most)) + "...";
}

ACTA_INLINE std::vector<TrajectoryEntry> entries_of(std::span<const ChatMessage> messages) {
    std::vector<TrajectoryEntry> entries;
    entries.reserve(messages.size());
    for (const ChatMessage& message : messages) {
        TrajectoryEntry& entry = entries.emplace_back();
        entry.role = message.role;
        entry.text = shortened(unicode::one_line(utf8::prefix(message.content, 128)), 80);
        for (const AssistantToolCall& call : message.tool_calls) entry.calls.push_back(call.function);
    }
    return entries;
}

ACTA_INLINE std::vector<TrajectoryEntry> entries_of(std::span<const AssistantFunctionCall> calls) {
    std::vector<TrajectoryEntry> entries;
    entries.reserve(calls.size());
    for (const AssistantFunctionCall& call : calls) entries.emplace_back().calls.push_back(call);
    return entries;
}

/// Returns the run as it is compared and shown: its messages, or its calls.
ACTA_INLINE std::vector<TrajectoryEntry> shown_entries(const TrajectorySteps& steps, bool as_messages) {
    if (as_messages) return {steps.entries().begin(), steps.entries().end()};
    std::vector<TrajectoryEntry> out;
    for (const AssistantFunctionCall* call : all_calls(steps)) out.emplace_back().calls.push_back(*call);
    return out;
}

/// Returns the role and the calls, or the role and the text.
ACTA_INLINE std::string shown(const TrajectoryEntry& entry, bool with_text) {
    std::string out(entry.role ? to_string(*entry.role) : "");
    std::string_view between = entry.role ? ": " : "";
    for (const AssistantFunctionCall& call : entry.calls) {
        out += between;
        std::string text;
        append_shown_call(text, call.name, call.arguments);
        out += shortened(unicode::one_line(text), 200);
        between = ", ";
    }
    if (with_text && entry.calls.empty() && !entry.text.empty()) out += ": " + entry.text;
    return out;
}

/// Returns which arguments of two calls of one tool differ.
ACTA_INLINE std::string difference(const TrajectoryEntry& actual, const TrajectoryEntry& expected) {
    if (actual.calls.size() != 1 || expected.calls.size() != 1 || actual.calls[0].name != expected.calls[0].name)
        return {};
    std::string names;
    const auto add = [&names](std::string_view name) {
        names += (names.empty() ? "" : ", ") + shortened(unicode::one_line(name), 40);
    };
    const JsonObject& has = actual.calls[0].arguments;
    const JsonObject& wants = expected.calls[0].arguments;
    for (const auto& [name, value] : has) {
        const Json* const other = base::find_key(wants, name);
        if (other == nullptr || !same_value(value, *other)) add(name);
    }
    for (const auto& [name, value] : wants) {
        if (base::find_key(has, name) == nullptr) add(name);
    }
    return names.empty() ? "" : " (different arguments: " + names + ")";
}

/// Returns the lines of the run around `place`.
ACTA_INLINE std::string lines_around(std::span<const TrajectoryEntry> run, std::size_t place,
                                     std::optional<std::size_t> marked) {
    constexpr std::size_t context = 5;
    const std::size_t begin = place > context ? place - context : 0;
    const std::size_t end = std::min(run.size(), place + context + 1);
    std::string out;
    if (begin > 0) out += "\n    ... " + std::to_string(begin) + " before";
    for (std::size_t i = begin; i < end; ++i) {
        out += marked == i ? "\n  > " : "\n    ";
        out += std::to_string(i + 1) + ". " + shown(run[i], true);
    }
    if (end < run.size()) out += "\n    ... " + std::to_string(run.size() - end) + " after";
    return out;
}

/// Returns the sentence about what does not fit.
ACTA_INLINE std::string explained(std::span<const TrajectoryEntry> actual, std::span<const TrajectoryEntry> expected,
                                  const Misfit& misfit) {
    const bool is_message = !actual.empty() && actual.front().role;
    const std::string kind = is_message ? "message " : "call ";
    std::string out;
    if (misfit.actual) {
        const TrajectoryEntry& entry = actual[*misfit.actual];
        out = kind + std::to_string(*misfit.actual + 1) + " is " + shown(entry, false);
        if (!misfit.expected) return out + ", which is not expected";
        const TrajectoryEntry& wanted = expected[*misfit.expected];
        return out + ", expected " + shown(wanted, false) + difference(entry, wanted);
    }
    return "missing " + shown(expected[*misfit.expected], false);
}

ACTA_INLINE std::string_view word(TrajectoryOrder order) {
    constexpr std::array<std::string_view, 4> words{"strict", "unordered", "subset", "superset"};
    return words[static_cast<std::size_t>(order)];
}

}  // namespace acta::inline ACTA_ABI::testing_detail

namespace acta::inline ACTA_ABI::testing {

ACTA_INLINE ArgumentRule::ArgumentRule(ArgumentMatch match)
    : fits_([match](const JsonObject& actual, const JsonObject& expected) {
          return testing_detail::arguments_fit(actual, expected, match);
      }) {}

ACTA_INLINE ArgumentRule::ArgumentRule(std::vector<std::string> names)
    : fits_([names = std::move(names)](const JsonObject& actual, const JsonObject& expected) {
          return std::ranges::all_of(
              names, [&](const auto& name) { return testing_detail::same_argument(actual, expected, name); });
      }) {}

ACTA_INLINE TrajectoryMatch trajectory_match(const TrajectorySteps& actual, const TrajectorySteps& expected,
                                             const TrajectoryMatchOptions& options) {
    const bool is_strict = options.order == TrajectoryOrder::strict;
    const bool has_messages = is_strict && actual.has_messages() && expected.has_messages();
    std::optional<testing_detail::Misfit> misfit;
    if (has_messages)
        misfit = testing_detail::find_message(actual.entries(), expected.entries(), options);
    else if (is_strict)
        misfit = testing_detail::find_call(actual, expected, options);
    else
        misfit = testing_detail::find_misfit(testing_detail::all_calls(actual), testing_detail::all_calls(expected),
                                             options);

    const std::vector<testing_detail::TrajectoryEntry> run = testing_detail::shown_entries(actual, has_messages);
    const std::string order(testing_detail::word(options.order));
    if (!misfit) return {.message = "the run fits (" + order + ")" + testing_detail::lines_around(run, 0, {})};
    TrajectoryMatch out{.matches = false, .step = misfit->actual, .missing = misfit->expected};
    out.message = "the run does not fit (" + order + "): " +
                  testing_detail::explained(run, testing_detail::shown_entries(expected, has_messages), *misfit) +
                  testing_detail::lines_around(run, out.step.value_or(is_strict ? run.size() : 0), out.step);
    return out;
}

}  // namespace acta::inline ACTA_ABI::testing
