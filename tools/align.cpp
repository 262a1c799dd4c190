// SPDX-License-Identifier: MIT
#include "align.hpp"

#include <acta/action/action.hpp>
#include <acta/chat/binary_placeholder.hpp>
#include <acta/json/json.hpp>
#include <algorithm>
#include <cstdint>
#include <map>
#include <ranges>
#include <utility>

namespace tools {
namespace {

using Step = acta::Episode<>;

/// Returns a number for each step of both runs, which is the same for the same key.
std::pair<std::vector<std::size_t>, std::vector<std::size_t>> numbered(const History& a, const History& b) {
    std::map<std::string, std::size_t> numbers;
    const auto number = [&](const History& history) {
        std::vector<std::size_t> out;
        for (const Step& step : history) {
            std::string key;
            for (const auto& call : acta::get_tools(step.action)) key.append(acta::to_string(call)).push_back('\n');
            out.push_back(numbers.emplace(std::move(key), numbers.size()).first->second);
        }
        return out;
    };
    auto first = number(a);
    return {std::move(first), number(b)};
}

bool same_tools(const Step& a, const Step& b) {
    return std::ranges::equal(acta::get_tools(a.action), acta::get_tools(b.action), {},
                              &acta::AssistantFunctionCall::name, &acta::AssistantFunctionCall::name);
}

bool same_results(const Step& a, const Step& b) {
    return a.result == b.result &&
           std::ranges::equal(a.tool_results, b.tool_results, {}, &acta::ToolResult::result, &acta::ToolResult::result);
}

std::vector<std::string> changes_of(const Step& a, const Step& b) {
    std::vector<std::string> out;
    if (!std::ranges::equal(acta::get_tools(a.action), acta::get_tools(b.action))) out.emplace_back("calls");
    if (a.action.thoughts != b.action.thoughts) out.emplace_back("thoughts");
    if (!same_results(a, b)) out.emplace_back("result");
    return out;
}

/// The runs of the subagents of a history, by step.
using SubRuns = std::map<std::size_t, std::vector<const acta::SubRun*>>;

SubRuns sub_runs_of(const History& history) {
    SubRuns out;
    for (const acta::SubRun& one : history.sub_runs()) out[one.step].push_back(&one);
    return out;
}

using Difference = std::pair<std::string, std::string>;

std::optional<History> history_of(const acta::SubRun& run) {
    try {
        return acta::validate<History>(run.history);
    } catch (const acta::ValidationError&) {
        return std::nullopt;
    }
}

std::string calls_of(const Step& step) {
    std::string out;
    for (const auto& call : acta::get_tools(step.action)) {
        out += out.empty() ? "" : ", ";
        acta::append_shown_call(out, call.name, call.arguments);
    }
    return out;
}

/// Returns where two runs differ first, as it is in each of them; nothing if they are the same.
std::optional<Difference> first_difference(const History& a, const History& b) {
    const std::vector<StepPair> pairs = align(a, b);
    const auto text = [](const History& history, const std::optional<std::size_t>& step, const std::string& change) {
        if (!step) return std::string("no such step");
        const Step& one = history[*step];
        std::string out = "step " + std::to_string(*step + 1) + ": " + calls_of(one);
        if (change == "thoughts") out += ", thoughts: " + one.action.thoughts;
        if (change == "result") out += ", result: " + (one.result ? acta::to_string(*one.result) : "none");
        return out;
    };
    for (const StepPair& pair : pairs) {
        if (pair.a && pair.b && pair.changes.empty()) continue;
        const std::string change = pair.changes.empty() ? "" : pair.changes.front();
        if (change != "subagents") return Difference{text(a, pair.a, change), text(b, pair.b, change)};
        const auto where = [](std::size_t step) { return "step " + std::to_string(step + 1) + ", "; };
        return Difference{where(*pair.a) + pair.of_subagents.first, where(*pair.b) + pair.of_subagents.second};
    }
    const std::optional<std::size_t> message = first_different_message(a, b, pairs);
    if (!message) return std::nullopt;
    const auto said = [&](const History& history) {
        return *message < history.messages().size()
                   ? std::string(acta::to_string(history.messages()[*message].message.role)) + ": " +
                         history.messages()[*message].message.content
                   : std::string("no such message");
    };
    return Difference{said(a), said(b)};
}

/// Adds how the runs of the subagents of two steps differ, if they do.
void compare_subagents(StepPair& pair, const SubRuns& of_a, const SubRuns& of_b) {
    const std::vector<const acta::SubRun*> none;
    const auto a = of_a.find(*pair.a);
    const auto b = of_b.find(*pair.b);
    const auto& left = a == of_a.end() ? none : a->second;
    const auto& right = b == of_b.end() ? none : b->second;
    const auto differ = [&pair](std::string in_a, std::string in_b) {
        pair.changes.emplace_back("subagents");
        pair.of_subagents = {std::move(in_a), std::move(in_b)};
    };
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
        if (left[i]->history == right[i]->history) continue;
        const std::optional<History> one = history_of(*left[i]);
        const std::optional<History> other = history_of(*right[i]);
        const std::string name = "subagent " + std::to_string(i + 1) + ", ";
        if (!one || !other) return differ(name + "in another form", name + "in another form");
        if (const auto found = first_difference(*one, *other)) return differ(name + found->first, name + found->second);
    }
    const auto count = [](std::size_t n) { return std::to_string(n) + (n == 1 ? " subagent" : " subagents"); };
    if (left.size() != right.size()) differ(count(left.size()), count(right.size()));
}

/// The parts of two runs that are still to be compared.
struct Gap {
    std::size_t a_begin = 0;
    std::size_t a_end = 0;
    std::size_t b_begin = 0;
    std::size_t b_end = 0;
};

/// Adds the steps of a gap in which no two have the same calls: those that follow one another with the same tools are
/// changed, all others dropped or added.
void add_gap(std::vector<StepPair>& out, const History& a, const History& b, Gap gap) {
    while (gap.a_begin < gap.a_end && gap.b_begin < gap.b_end && same_tools(a[gap.a_begin], b[gap.b_begin])) {
        out.push_back({gap.a_begin, gap.b_begin, changes_of(a[gap.a_begin], b[gap.b_begin])});
        ++gap.a_begin;
        ++gap.b_begin;
    }
    for (; gap.a_begin < gap.a_end; ++gap.a_begin) out.push_back({gap.a_begin, std::nullopt, {}});
    for (; gap.b_begin < gap.b_end; ++gap.b_begin) out.push_back({std::nullopt, gap.b_begin, {}});
}

/// Returns the longest sequence of pairs with the same numbers. Takes memory for each pair of steps: with too many of
/// them, steps belong together by their place.
std::vector<std::pair<std::size_t, std::size_t>> common(const std::vector<std::size_t>& a,
                                                        const std::vector<std::size_t>& b, const Gap& gap) {
    constexpr std::size_t most_pairs = 16'000'000;
    const std::size_t rows = gap.a_end - gap.a_begin;
    const std::size_t columns = gap.b_end - gap.b_begin;
    std::vector<std::pair<std::size_t, std::size_t>> out;
    if (rows == 0 || columns == 0) return out;
    if (rows > most_pairs / columns) {
        for (std::size_t i = 0; i < std::min(rows, columns); ++i) {
            if (a[gap.a_begin + i] == b[gap.b_begin + i]) out.emplace_back(gap.a_begin + i, gap.b_begin + i);
        }
        return out;
    }
    std::vector<std::uint32_t> length((rows + 1) * (columns + 1), 0);  // of what is common from here on
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return length[i * (columns + 1) + j]; };
    for (std::size_t i = rows; i-- > 0;) {
        for (std::size_t j = columns; j-- > 0;) {
            at(i, j) =
                a[gap.a_begin + i] == b[gap.b_begin + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
        }
    }
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
        if (a[gap.a_begin + i] == b[gap.b_begin + j])
            out.emplace_back(gap.a_begin + i++, gap.b_begin + j++);
        else if (at(i + 1, j) >= at(i, j + 1))
            ++i;
        else
            ++j;
    }
    return out;
}

}  // namespace

std::vector<StepPair> align(const History& a, const History& b) {
    const auto [of_a, of_b] = numbered(a, b);
    Gap gap{0, a.size(), 0, b.size()};
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (; gap.a_begin < gap.a_end && gap.b_begin < gap.b_end && of_a[gap.a_begin] == of_b[gap.b_begin];
         ++gap.a_begin, ++gap.b_begin)
        pairs.emplace_back(gap.a_begin, gap.b_begin);
    while (gap.a_begin < gap.a_end && gap.b_begin < gap.b_end && of_a[gap.a_end - 1] == of_b[gap.b_end - 1]) {
        --gap.a_end;
        --gap.b_end;
    }
    std::ranges::copy(common(of_a, of_b, gap), std::back_inserter(pairs));
    for (std::size_t i = gap.a_end; i < a.size(); ++i) pairs.emplace_back(i, i - gap.a_end + gap.b_end);

    std::vector<StepPair> out;
    std::size_t next_a = 0;
    std::size_t next_b = 0;
    for (const auto& [i, j] : pairs) {
        add_gap(out, a, b, {next_a, i, next_b, j});
        out.push_back({i, j, changes_of(a[i], b[j])});
        next_a = i + 1;
        next_b = j + 1;
    }
    add_gap(out, a, b, {next_a, a.size(), next_b, b.size()});
    if (a.sub_runs().empty() && b.sub_runs().empty()) return out;
    const SubRuns runs_a = sub_runs_of(a);
    const SubRuns runs_b = sub_runs_of(b);
    for (StepPair& pair : out) {
        if (pair.a && pair.b) compare_subagents(pair, runs_a, runs_b);
    }
    return out;
}

std::optional<std::size_t> first_different_message(const History& a, const History& b,
                                                   const std::vector<StepPair>& pairs) {
    // The number of steps of both runs before each step of one.
    std::vector<std::size_t> before_a{0};
    std::vector<std::size_t> before_b{0};
    for (const StepPair& pair : pairs) {
        const std::size_t both = pair.a && pair.b ? 1 : 0;
        if (pair.a) before_a.push_back(before_a.back() + both);
        if (pair.b) before_b.push_back(before_b.back() + both);
    }
    const auto one = a.messages();
    const auto other = b.messages();
    for (std::size_t i = 0; i < std::max(one.size(), other.size()); ++i) {
        if (i >= one.size() || i >= other.size()) return i;
        const acta::ChatMessage& left = one[i].message;
        const acta::ChatMessage& right = other[i].message;
        if (before_a.at(one[i].before) != before_b.at(other[i].before) || left.role != right.role ||
            left.content != right.content || left.parts != right.parts)
            return i;
    }
    return std::nullopt;
}

}  // namespace tools
