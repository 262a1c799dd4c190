// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/chat/message.hpp"
#include "acta/history/history_view.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/pysyntax/repr.hpp"

namespace acta::inline ACTA_ABI::testing_detail {

/// A message, or a call of a list of calls, which has no role.
struct TrajectoryEntry {
    std::optional<ChatRole> role{};
    std::string text{};  // in one line, shortened
    std::vector<AssistantFunctionCall> calls{};
};

template <class Run>
concept RunOfMessages = std::convertible_to<const Run&, std::span<const ChatMessage>>;
template <class Run>
concept RunOfCalls = std::convertible_to<const Run&, std::span<const AssistantFunctionCall>>;
template <class Run>
concept RunOfHistory = std::convertible_to<const Run&, HistoryView>;

[[nodiscard]] std::vector<TrajectoryEntry> entries_of(std::span<const ChatMessage> messages);
[[nodiscard]] std::vector<TrajectoryEntry> entries_of(std::span<const AssistantFunctionCall> calls);

}  // namespace acta::inline ACTA_ABI::testing_detail

namespace acta::inline ACTA_ABI::testing {

/// Which calls a run must make, compared with the expected ones.
enum class TrajectoryOrder {
    /// The same calls in the same order. Calls of one message, which run in parallel, may be in any order. If both
    /// sides are messages, there are as many of them and with the same roles.
    strict,
    unordered,  ///< The same calls in any order.
    subset,     ///< Each call of the run is expected; others that are expected may be missing.
    superset    ///< Each expected call is in the run, which may make others.
};

/// Which arguments a call must have, compared with those of the expected one. Values are equal as JSON values are,
/// whatever the order of the keys; a number is equal to another of the same value, such as `1` and `1.0`.
enum class ArgumentMatch {
    exact,    ///< The same arguments.
    ignore,   ///< Any.
    subset,   ///< Each argument is expected, with this value.
    superset  ///< Each expected argument with its value, and any others.
};

/// How the arguments of one tool are compared.
class ArgumentRule {
public:
    /// Compares them by `match`.
    ArgumentRule(ArgumentMatch match);  // NOLINT(google-explicit-constructor): the same rule
    /// Compares the arguments of these names alone. `place.city` is the member `city` of the argument `place`, unless
    /// an argument has that whole name, and `places.0` is the first of a list. What a call lacks is equal to null.
    ArgumentRule(std::vector<std::string> names);  // NOLINT(google-explicit-constructor): what counts
    /// The same for names in braces.
    ArgumentRule(std::initializer_list<std::string> names) : ArgumentRule(std::vector<std::string>(names)) {}
    /// Calls `fits(actual, expected)` with the arguments of two calls. It may be called several times for the same two.
    template <class Fits>
        requires std::predicate<const Fits&, const JsonObject&, const JsonObject&>
    ArgumentRule(Fits fits)  // NOLINT(google-explicit-constructor): a rule as well
        : fits_(std::move(fits)) {}

    /// Returns whether arguments of the run fit the expected ones. Throws what the function throws.
    [[nodiscard]] bool operator()(const JsonObject& actual, const JsonObject& expected) const {
        return fits_(actual, expected);
    }

private:
    std::function<bool(const JsonObject&, const JsonObject&)> fits_;
};

/// Options of a comparison.
struct TrajectoryMatchOptions {
    TrajectoryOrder order = TrajectoryOrder::strict;           ///< Which calls are made, and in which order.
    ArgumentMatch arguments = ArgumentMatch::exact;            ///< Of tools that `tools` does not have.
    std::map<std::string, ArgumentRule, std::less<>> tools{};  ///< By the name of the tool.
};

/// A run, or what is expected of one, as `trajectory_match` compares it: messages, the messages of a history, or calls.
/// It has copies of the calls. Ids of calls, results and texts do not count.
class TrajectorySteps {
public:
    /// No calls.
    TrajectorySteps() = default;
    /// These calls, as in `{{"search", {{"query", "tides"}}}, {"book", {}}}`.
    TrajectorySteps(std::initializer_list<AssistantFunctionCall> calls)
        : entries_(testing_detail::entries_of(std::span(calls.begin(), calls.size()))) {}
    /// Takes a list of `ChatMessage`, a list of `AssistantFunctionCall`, or a history of any type (`to_messages`, which
    /// may throw `EncodeError`). Linear.
    template <class Run>
        requires testing_detail::RunOfMessages<Run> || testing_detail::RunOfCalls<Run> ||
                 testing_detail::RunOfHistory<Run>
    TrajectorySteps(const Run& run)  // NOLINT(google-explicit-constructor): the same run
        : has_messages_(!testing_detail::RunOfCalls<Run>) {
        if constexpr (testing_detail::RunOfCalls<Run>)
            entries_ = testing_detail::entries_of(std::span<const AssistantFunctionCall>(run));
        else if constexpr (testing_detail::RunOfMessages<Run>)
            entries_ = testing_detail::entries_of(std::span<const ChatMessage>(run));
        else
            entries_ = testing_detail::entries_of(to_messages(HistoryView(run)));
    }

    /// Returns whether it has messages, rather than calls alone.
    [[nodiscard]] bool has_messages() const noexcept { return has_messages_; }
    /// Returns its messages, or its calls as messages of one call each.
    [[nodiscard]] std::span<const testing_detail::TrajectoryEntry> entries() const noexcept { return entries_; }

private:
    bool has_messages_ = false;
    std::vector<testing_detail::TrajectoryEntry> entries_{};
};

/// The result of a comparison, which test frameworks take as a condition. Catch2 and others print it with `<<`.
struct TrajectoryMatch {
    bool matches = true;  ///< Whether the run fits.
    /// What does not fit, if anything does not, and the run around that place, a line for each message or call.
    std::string message{};
    /// The index of the first call of the run that does not fit, counted through the whole run; of the first message,
    /// if the order is strict and both sides have messages. With `superset`, a call of the tool that is missing.
    std::optional<std::size_t> step{};
    /// The index of the expected message or call that is missing; if possible, of one of the tool that `step` calls.
    std::optional<std::size_t> missing{};

    /// Returns `matches`.
    explicit operator bool() const noexcept { return matches; }
    /// Converts to an `AssertionResult` of GoogleTest, so that `EXPECT_TRUE` prints the message.
    template <class Assertion>
        requires requires(const Assertion one, const std::string& text) {
            Assertion(true) << text;
            one.failure_message();
        }
    operator Assertion() const {  // NOLINT(google-explicit-constructor): EXPECT_TRUE asks for it
        return Assertion(matches) << message;
    }

    friend bool operator==(const TrajectoryMatch&, const TrajectoryMatch&) = default;
    /// Prints the message.
    friend std::ostream& operator<<(std::ostream& out, const TrajectoryMatch& match) { return out << match.message; }
};

/// Compares the calls of a run with those that are expected. Results equal those of agentevals' trajectory match
/// (docs/reference/testing.md, "Runs"). Calls are paired so that as many as possible fit. Quadratic in the number of
/// calls, or in that of one message if the order is strict; cubic at worst if rules are not symmetric. Throws what
/// functions of `options.tools` throw.
///
/// @code{.cpp}
/// acta::EpisodicActionHistory<> history;
/// history.register_action({.thoughts = "Look.", .use_tool = {"search", {{"query", "tides"}, {"limit", 3}}}});
/// using acta::testing::trajectory_match;
/// assert(!trajectory_match(history, {{"search", {{"query", "tides"}}}}));
/// assert(trajectory_match(history, {{"search", {{"query", "tides"}}}}, {.tools = {{"search", {"query"}}}}));
/// @endcode
[[nodiscard]] TrajectoryMatch trajectory_match(const TrajectorySteps& actual, const TrajectorySteps& expected,
                                               const TrajectoryMatchOptions& options = {});

}  // namespace acta::inline ACTA_ABI::testing

#ifndef ACTA_COMPILED
#include "acta/testing/detail/trajectory_match.inl.hpp"
#endif
