// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

// Histories that are changed at random, legally or not, beside a reference that is made from docs/reference/history.md.
namespace {

using acta::ChatMessage;
using acta::HistoryErrorCode;
using History = acta::EpisodicActionHistory<>;

struct Refused {
    HistoryErrorCode code;
};

/// The reference. Results are texts: `ok 1`, `error 2` or `human 3`.
struct Reference {
    struct Step {
        std::vector<std::string> calls{};  // their arguments
        std::vector<std::string> results{};
        std::optional<std::string> result{};
        std::string summary{};
        std::int64_t tokens = -1;
    };
    std::vector<Step> steps{};
    std::vector<std::pair<std::size_t, std::string>> said{};
    std::vector<std::string> feedback{};
    std::string rolling{};
    std::size_t rolling_end = 0;
    std::vector<std::size_t> runs{};                                        // after how many steps
    std::map<std::pair<std::size_t, std::size_t>, std::string> sub_runs{};  // by step and call

    [[nodiscard]] bool is_open() const { return !steps.empty() && !steps.back().result; }
    Step& open() {
        if (!is_open()) throw Refused{HistoryErrorCode::no_action};
        return steps.back();
    }
    std::size_t open_call(std::size_t i) {
        if (i >= open().calls.size()) throw Refused{HistoryErrorCode::unknown_tool_call};
        if (!open().results[i].empty()) throw Refused{HistoryErrorCode::result_already_set};
        return i;
    }
    /// The newest step has changed: what was said of it before is out of date.
    void revise() {
        steps.back().summary.clear();
        forget_rolling(steps.size() - 1);
    }
    void forget_rolling(std::size_t changed) {
        if (rolling_end > changed) rolling.clear(), rolling_end = 0;
    }

    void act(std::size_t calls, std::int64_t tokens) {
        if (is_open()) throw Refused{HistoryErrorCode::action_already_set};
        Step& step = steps.emplace_back();
        step.results.resize(calls);
        step.tokens = tokens;
        for (std::size_t i = 0; i < calls; ++i) step.calls.push_back(std::to_string(i));
    }
    void finish(const std::string& result) {
        open().result = result;
        revise();
    }
    void finish_calls(const std::vector<std::pair<std::size_t, std::string>>& results) {
        for (const auto& [i, result] : results) open_call(i);
        if (results.size() == 2 && results[0].first == results[1].first)
            throw Refused{HistoryErrorCode::result_already_set};
        Step& step = open();
        for (const auto& [i, result] : results) step.results[i] = result;
        revise();
        if (step.calls.size() == 1) step.result = std::exchange(step.results[0], {});
        if (step.result || std::ranges::count(step.results, std::string()) != 0) return;
        step.result = "";
        for (const std::string& one : step.results) {
            if (!one.starts_with("ok")) {
                step.result = one;
                return;
            }
            *step.result += (step.result->empty() ? "ok [" : ",") + one.substr(3);
        }
        *step.result += "]";
    }
    void rewind(std::int64_t count) {
        if (count < 0) throw Refused{HistoryErrorCode::negative_rewind};
        const std::size_t dropped = std::min(static_cast<std::size_t>(count) + (is_open() ? 1 : 0), steps.size());
        const std::size_t left = steps.size() - dropped;
        if (dropped == 0) return;
        steps.resize(left);
        std::erase_if(said, [left](const auto& one) { return one.first > left; });
        std::erase_if(runs, [left](std::size_t after) { return after > left; });
        std::erase_if(sub_runs, [left](const auto& one) { return one.first.first >= left; });
        forget_rolling(left);
    }
    void say(const std::string& text) { said.emplace_back(steps.size(), text); }
};

acta::ActionResult result_of(const std::string& text) {
    if (text.starts_with("ok")) return acta::ActionSuccessResult{.outputs = std::stoi(text.substr(3))};
    if (text.starts_with("error")) return acta::ActionErrorResult{.reason = text};
    return acta::ActionInterruptedByHuman{text};
}
std::string text_of(const acta::ActionResult& result) {
    if (const auto* const success = std::get_if<acta::ActionSuccessResult>(&result))
        return "ok " + acta::dump(success->outputs);
    if (const auto* const error = std::get_if<acta::ActionErrorResult>(&result)) return error->reason;
    return std::get<acta::ActionInterruptedByHuman>(result).feedback;
}
std::string id_of(std::size_t call) { return "call_" + std::to_string(call); }

std::string text_of(const Reference& one) {
    std::string out;
    for (std::size_t i = 0; i < one.steps.size(); ++i) {
        const Reference::Step& step = one.steps[i];
        out += "step '" + step.summary + "' " + std::to_string(step.tokens) + " " + step.result.value_or("open") + "\n";
        for (std::size_t k = 0; k < step.calls.size(); ++k) {
            const auto run = one.sub_runs.find({i, k});
            out += "  " + step.calls[k] + ": " + step.results[k] +
                   (run == one.sub_runs.end() ? "" : " " + run->second) + "\n";
        }
    }
    for (const auto& [before, text] : one.said) out += std::to_string(before) + " " + text + "\n";
    for (const std::string& text : one.feedback) out += "feedback " + text + "\n";
    out += "rolling '" + one.rolling + "' " + std::to_string(one.rolling_end) + "\n";
    for (const std::size_t after : one.runs) out += "run after " + std::to_string(after) + "\n";
    return out;
}
std::string text_of(const History& history) {
    std::string out;
    for (std::size_t i = 0; i < history.size(); ++i) {
        const auto& step = history[i];
        out += "step '" + step.summary.value_or("") + "' " +
               std::to_string(step.metrics ? step.metrics->prompt_tokens.value_or(-1) : -1) + " " +
               (step.result ? text_of(*step.result) : "open") + "\n";
        const auto calls = acta::get_tools(step.action);
        for (std::size_t k = 0; k < calls.size(); ++k) {
            out += "  " + acta::dump(calls[k].arguments.at("n")) + ": ";
            for (const acta::ToolResult& one : step.tool_results)
                if (one.tool_call_id == id_of(k)) out += text_of(one.result);
            for (const acta::SubRun& run : history.sub_runs())
                if (run.step == i && run.tool_call_id == id_of(k)) out += " " + run.history.get<std::string>();
            out += "\n";
        }
    }
    for (const acta::ConversationMessage& one : history.messages())
        out += std::to_string(one.before) + " " + one.message.content + "\n";
    for (const std::string& text : history.pending_feedback()) out += "feedback " + text + "\n";
    const acta::RollingSummary* const rolling = history.rolling_summary();
    out += "rolling '" + (rolling == nullptr ? "" : rolling->text) + "' " +
           std::to_string(rolling == nullptr ? 0 : rolling->last + 1) + "\n";
    for (const acta::RunRecord& run : history.runs()) out += "run after " + std::to_string(run.after) + "\n";
    return out;
}

/// The code of the exception that a function throws; `-1` for none and `-2` for `std::out_of_range`.
template <class Function>
int code_of(const Function& function) {
    try {
        function();
        return -1;
    } catch (const Refused& refused) {
        return static_cast<int>(refused.code);
    } catch (const acta::HistoryError& error) {
        return static_cast<int>(error.code());
    } catch (const std::out_of_range&) {
        return -2;
    }
}

/// Does the same to both, and returns whether it was refused. Requires that both say so alike.
class Changes {
public:
    explicit Changes(unsigned seed) : random_(seed) {}

    int change(History& history, Reference& reference) {
        const std::size_t i = below(3);
        const std::size_t at = below(6);
        const std::string text = std::to_string(below(100));
        const std::string result = (chance(2) ? "ok " : chance(2) ? "error " : "human ") + text;
        const auto both = [](const auto& real, const auto& expected) {
            const int code = code_of(expected);
            REQUIRE(code_of(real) == code);
            return code;
        };
        switch (below(20)) {
            case 0:
            case 1:
            case 2:
            case 3: return act(history, reference, i + 1);
            case 4: return both([&] { history.register_result(result_of(result)); }, [&] { reference.finish(result); });
            case 5:
            case 6:
            case 7:
                return both([&] { history.register_result(id_of(i), result_of(result)); },
                            [&] {
                                reference.finish_calls({{i, result}});
                            });
            case 8:
                return both(
                    [&] {
                        history.register_results({{id_of(0), result_of(result)}, {id_of(i), result_of("ok 7")}});
                    },
                    [&] {
                        reference.finish_calls({{0, result}, {i, "ok 7"}});
                    });
            case 9:
                return both(
                    [&] {
                        history.set_arguments(id_of(i), {{"n", std::stoi(text)}});
                    },
                    [&] { reference.open().calls[reference.open_call(i)] = text; });
            case 10:
                return both([&] { history.close_open_episode(result_of(result)); }, [&] { reference.finish(result); });
            case 11: {
                const auto count = static_cast<std::int64_t>(below(4)) - 1;
                return both([&] { history.rewind(count); }, [&] { reference.rewind(count); });
            }
            case 12:
                return both([&] { history.register_message(ChatMessage::user(text)); }, [&] { reference.say(text); });
            case 13:
                return both([&] { history.register_answer(acta::AssistantChatMessage{.content = text}); },
                            [&] {
                                if (reference.is_open()) throw Refused{HistoryErrorCode::step_open};
                                reference.say(text);
                            });
            case 14: return history.append_user_feedback(text), reference.feedback.push_back(text), -1;
            case 15: {
                REQUIRE(history.take_pending_feedback() == reference.feedback);
                for (const std::string& one : std::exchange(reference.feedback, {})) reference.say(one);
                return -1;
            }
            case 16:
                return both(
                    [&] {
                        if (at < history.size())
                            CHECK(history.set_summary(history.id(at), text));
                        else
                            history.set_metrics(at, {.prompt_tokens = 5});
                    },
                    [&] {
                        if (at >= reference.steps.size()) throw std::out_of_range("");
                        reference.steps[at].summary = text;
                    });
            case 17:
                if (chance(3)) return history.clear_rolling_summary(), reference.forget_rolling(0), -1;
                return both(
                    [&] {
                        history.set_rolling_summary({.text = text, .first = 0, .last = static_cast<std::int64_t>(at)});
                    },
                    [&] {
                        if (at >= reference.steps.size()) throw std::out_of_range("");
                        reference.rolling = text;
                        reference.rolling_end = at + 1;
                    });
            case 18:
                return history.register_run({.end = "stopped", .after = history.size()}),
                       reference.runs.push_back(reference.steps.size()), -1;
            default:
                return both([&] { history.register_sub_run(id_of(i), text); },
                            [&] {
                                reference.sub_runs[{reference.steps.size() - 1, reference.open_call(i)}] = text;
                            });
        }
    }

    bool chance(std::size_t n) { return below(n) == 0; }

private:
    std::size_t below(std::size_t n) { return random_() % n; }
    int act(History& history, Reference& reference, std::size_t calls) {
        const std::int64_t tokens = chance(2) ? static_cast<std::int64_t>(below(9)) : -1;
        acta::ActionProposal<> proposal;
        std::vector<acta::AssistantFunctionCall> made;
        for (std::size_t i = 0; i < calls; ++i) made.push_back({"work", {{"n", i}}});
        acta::set_calls(proposal, made);
        std::optional<acta::StepMetrics> metrics;
        if (tokens >= 0) metrics.emplace().prompt_tokens = tokens;
        const int code = code_of([&] { reference.act(calls, tokens); });
        REQUIRE(code_of([&] { history.register_action(proposal, metrics); }) == code);
        return code;
    }

    std::mt19937 random_;
};

}  // namespace

TEST_CASE("whatever is done to a history, it has what the reference has") {
    Changes changes(3);
    std::map<int, int> codes;
    for (std::size_t round = 0; round < test_size(60, 5000); ++round) {
        History history;
        Reference reference;
        for (int i = 0; i < 60; ++i) {
            const std::string before = text_of(history);
            const int code = changes.change(history, reference);
            ++codes[code];
            REQUIRE(text_of(history) == text_of(reference));
            if (code != -1) REQUIRE(text_of(history) == before);
            if (changes.chance(10)) history = acta::parse<History>(acta::dump(history));
            if (changes.chance(10)) history = History(history);
        }
    }
    // All that can be refused was: `action_already_set` to `step_open`, and steps that are not there.
    for (const int code : {-2, 0, 1, 2, 3, 4, 5}) CHECK(codes[code] > 0);
}

TEST_CASE("histories are equal if their results are") {
    const auto with = [](const acta::ActionResult& result) {
        History history;
        history.register_action({.thoughts = "", .use_tool = {"work", {}}});
        history.register_result(result);
        return history;
    };
    const std::vector<acta::ActionResult> results{
        acta::ActionSuccessResult{.outputs = 1}, acta::ActionSuccessResult{.outputs = "1"},
        acta::ActionErrorResult{.reason = "1"}, acta::ActionErrorResult{.reason = "2"},
        acta::ActionInterruptedByHuman{"1"}};
    for (std::size_t i = 0; i < results.size(); ++i) {
        for (std::size_t k = 0; k < results.size(); ++k) CHECK((with(results[i]) == with(results[k])) == (i == k));
    }
    History open;
    open.register_action({.thoughts = "", .use_tool = {"work", {}}});
    CHECK_FALSE(open == with(results[0]));
    CHECK(open == History(open));
}
