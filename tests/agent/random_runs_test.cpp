// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "acta/store/memory_store.hpp"
#include "acta/store/stored_history.hpp"
#include "agent/driver.hpp"
#include "agent/reference_run.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

// Programs made at random, of several runs on a history each: how each run ends, what it asked, ran and used, and the
// record are those of the reference.
namespace {

using acta::ChatMessage;
using acta::RunOptions;
using reference::Decision;
using reference::Script;
using reference::Turn;

/// Makes scripts. Most of what can be set is left alone in most of them, so that runs get somewhere.
class Scripts {
public:
    explicit Scripts(unsigned seed) : random_(seed) {}

    Script next() {
        Script out{.is_stored = chance(2)};
        calls_ = 0;
        is_parallel_ = chance(3);
        const std::size_t turns = 1 + below(4);
        for (std::size_t i = 0; i < turns; ++i) out.turns.push_back(turn(i == 0));
        const std::size_t replies = 1 + below(10);
        for (std::size_t i = 0; i < replies; ++i) out.replies.push_back(reply());
        return out;
    }

private:
    std::size_t below(std::size_t n) { return random_() % n; }
    bool chance(std::size_t n) { return below(n) == 0; }

    reference::Reply reply() {
        reference::Reply out{.prompt_tokens = static_cast<std::int64_t>(below(5) + 1),
                             .completion_tokens = static_cast<std::int64_t>(below(3)),
                             .brings_feedback = chance(8),
                             .stops = chance(20)};
        if (chance(12)) out.fault = chance(2) ? reference::Fault::broken : reference::Fault::too_long;
        const std::vector<std::string> finishes{"", "length", "content_filter", "error", "pause_turn"};
        if (chance(6)) out.finish = finishes[below(finishes.size())];
        if (chance(3)) {
            const std::vector<std::string> texts{" ", "bad", "good"};
            out.text = texts[below(texts.size())];
            return out;
        }
        if (chance(2)) out.text = "I look.";
        const std::size_t count = 1 + below(3);
        for (std::size_t i = 0; i < count; ++i) out.calls.push_back(call());
        return out;
    }
    reference::Call call() {
        reference::Call out{.number = ++calls_};
        out.tool = chance(10) ? "dance" : chance(2) ? "write" : "look";
        out.fits = !chance(12);
        out.fails = chance(8);
        if (chance(8)) out.retries = 1 + below(3);
        out.stops = !is_parallel_ && out.retries == 0 && chance(15);
        const std::vector<Decision> decisions{Decision::yes,
                                              Decision::yes,
                                              Decision::no,
                                              Decision::no,
                                              Decision::later,
                                              Decision::throws,
                                              Decision::other_arguments};
        out.first = decisions[below(decisions.size())];
        out.then = decisions[below(4)];
        return out;
    }
    Turn turn(bool is_first) {
        Turn out;
        if (!is_first && chance(4)) out.rewinds = below(3);
        out.says = is_first ? !chance(20) : chance(2);
        out.feeds = chance(5);
        out.decides = chance(2);
        out.restarts = !is_first && chance(2);
        out.is_stopped = chance(20);
        if (chance(3)) out.requests = 1 + below(6);
        if (chance(4)) out.tokens = static_cast<std::int64_t>(1 + below(15));
        out.has_price = chance(2);
        if (out.has_price && chance(3)) out.cost = static_cast<double>(1 + below(20));
        out.counts_history = !chance(3);
        if (chance(4)) out.calls_per_step = 1 + below(2);
        if (chance(4)) out.looks = below(3);
        if (chance(2)) out.write_retries = below(3);
        out.approves = chance(2);
        out.checks_answers = chance(2);
        out.answer_attempts = 1 + below(2);
        out.continues_with_feedback = !chance(3);
        out.refused_steps = 1 + below(3);
        out.hides_write = chance(5);
        out.requires_call = chance(4);
        if (chance(3)) out.reruns = chance(2);
        out.has_events = chance(2);
        out.max_parallel = is_parallel_ ? 4 : 1;
        return out;
    }

    std::mt19937 random_;
    int calls_ = 0;
    bool is_parallel_ = false;
};

std::string result_text(const acta::ActionResult& result) {
    if (const auto* const success = std::get_if<acta::ActionSuccessResult>(&result))
        return "ok " + success->outputs.get<std::string>();
    if (const auto* const error = std::get_if<acta::ActionErrorResult>(&result))
        return "error " + (error->error ? error->error->exception_type : error->reason);
    return "human " + std::get<acta::ActionInterruptedByHuman>(result).feedback;
}

// Both records as text ----------------------------------------------------------------------------------------------

std::string text_of(const reference::Spent& spent, bool has_cost) {
    return std::to_string(spent.prompt_tokens) + "+" + std::to_string(spent.completion_tokens) + " tokens" +
           (has_cost ? ", " + std::to_string(spent.cost) : "");
}
std::string text_of(const std::optional<reference::Spent>& spent, const std::string& finish) {
    return (spent ? " (" + text_of(*spent, spent->cost != 0) + ")" : "") + (finish.empty() ? "" : " " + finish);
}
std::string text_of(const reference::Record& record) {
    std::string out;
    for (const reference::Item& one : record.items) {
        const bool is_step = one.kind == reference::Item::step;
        const bool is_answer = one.kind == reference::Item::answer;
        out += (is_step     ? "step: "
                : is_answer ? "answer: "
                            : "user: ") +
               one.text + text_of(one.spent, one.finish) + "\n";
        for (const reference::Entry& entry : one.calls) {
            const std::string name = entry.call.fits ? "n" : "m";
            out += "  " + entry.call.tool + " " + name + std::to_string(entry.argument) + ": " + entry.result + "\n";
        }
    }
    for (const std::string& one : record.feedback) out += "feedback: " + one + "\n";
    for (const reference::Ended& one : record.runs)
        out += "run: " + one.why + " " + one.error + " after " + std::to_string(one.after) + ", " +
               std::to_string(one.spent.requests) + " requests" + text_of(one.spent, one.spent.cost != 0) + "\n";
    return out;
}

reference::Spent spent(const acta::TokenUsage& usage, double cost, std::size_t requests = 0) {
    return {requests, usage.prompt_tokens, usage.completion_tokens, cost};
}
std::string metrics_text(const acta::Boxed<acta::StepMetrics>& metrics) {
    if (!metrics) return {};
    const acta::TokenUsage usage{.prompt_tokens = metrics->prompt_tokens.value_or(-1),
                                 .completion_tokens = metrics->completion_tokens.value_or(-1)};
    return text_of(spent(usage, metrics->cost_usd.value_or(0)), metrics->finish_reason);
}
std::string text_of(const acta::EpisodicActionHistory<>& history) {
    const acta::HistoryView view(history);
    std::string out;
    std::size_t next = 0;
    const auto say = [&](std::size_t before) {
        for (; next < view.messages().size() && view.messages()[next].before <= before; ++next) {
            const acta::ConversationMessage& one = view.messages()[next];
            out += std::string(one.message.role == acta::ChatRole::user ? "user: " : "answer: ") + one.message.content +
                   metrics_text(one.metrics) + "\n";
        }
    };
    for (std::size_t i = 0; i < view.size(); ++i) {
        say(i);
        const acta::StepView step = view.step(i);
        out += "step: " + view.thoughts(i) + metrics_text(*step.metrics) + "\n";
        const std::vector<std::string> ids = view.call_ids(i);
        for (std::size_t k = 0; k < step.calls.size(); ++k) {
            const auto& [name, value] = *step.calls[k].arguments.begin();
            std::string result;
            for (const acta::ToolResult& one : step.results)
                if (one.tool_call_id == ids[k]) result = result_text(one.result);
            if (step.calls.size() == 1 && *step.result) result = result_text(**step.result);
            out += "  " + step.calls[k].name + " " + name + acta::dump(value) + ": " + result + "\n";
        }
    }
    say(view.size());
    for (const std::string& one : view.pending_feedback()) out += "feedback: " + one + "\n";
    for (const acta::RunRecord& one : view.runs())
        out += "run: " + one.end + " " + (one.error ? one.error->exception_type : "") + " after " +
               std::to_string(one.after) + ", " + std::to_string(one.requests) + " requests" +
               text_of(spent(one.usage, one.cost_usd.value_or(0)), one.cost_usd.value_or(0) != 0) + "\n";
    return out;
}

std::string text_of(const reference::Outcome& one) {
    std::string out = one.end + " '" + one.answer + "' " + one.finish + " " + one.error + ", " +
                      std::to_string(one.steps) + " steps, " + std::to_string(one.spent.requests) + " requests, " +
                      text_of(one.spent, true) + ", feedback " + std::to_string(one.feedback) + "\n";
    const auto list = [&out](const std::string& name, const std::vector<std::string>& texts) {
        for (const std::string& text : texts) out += name + " " + text + "\n";
    };
    list("waiting", one.waiting);
    list("executed", one.executed);
    list("asked", one.asked);
    list("shown", one.shown);
    for (const auto& [name, count] : one.events)
        if (count != 0) out += "event " + name + ": " + std::to_string(count) + "\n";
    return out + "appends " + std::to_string(one.appends) + "\n";
}

std::string text_of(const Script& script) {
    std::string out = script.is_stored ? "stored\n" : "plain\n";
    const auto add = [&out](const char* name, std::int64_t value) {
        out += std::string(" ") + name + "=" + std::to_string(value);
    };
    for (const Turn& one : script.turns) {
        out += "turn";
        if (one.rewinds) add("rewinds", static_cast<std::int64_t>(*one.rewinds));
        add("says", one.says), add("feeds", one.feeds), add("decides", one.decides), add("restarts", one.restarts);
        add("stopped", one.is_stopped), add("requests", static_cast<std::int64_t>(one.requests));
        add("tokens", one.tokens.value_or(-1)), add("cost", static_cast<std::int64_t>(one.cost.value_or(-1)));
        add("price", one.has_price), add("counts", one.counts_history);
        add("calls_per_step", static_cast<std::int64_t>(one.calls_per_step));
        if (one.looks) add("looks", static_cast<std::int64_t>(*one.looks));
        add("retries", static_cast<std::int64_t>(one.write_retries)), add("approves", one.approves);
        add("checks", one.checks_answers), add("attempts", static_cast<std::int64_t>(one.answer_attempts));
        add("continues", one.continues_with_feedback), add("refused", static_cast<std::int64_t>(one.refused_steps));
        add("hides", one.hides_write), add("requires", one.requires_call), add("reruns", one.reruns ? *one.reruns : -1);
        add("events", one.has_events), add("parallel", static_cast<std::int64_t>(one.max_parallel));
        out += "\n";
    }
    for (const reference::Reply& one : script.replies) {
        out += "reply '" + one.text + "' " + one.finish;
        add("fault", static_cast<int>(one.fault)), add("p", one.prompt_tokens), add("c", one.completion_tokens);
        add("feedback", one.brings_feedback), add("stops", one.stops);
        out += "\n";
        for (const reference::Call& call : one.calls) {
            out += "  " + call.tool;
            add("n", call.number), add("fits", call.fits), add("fails", call.fails), add("stops", call.stops);
            add("retries", static_cast<std::int64_t>(call.retries));
            add("first", static_cast<int>(call.first)), add("then", static_cast<int>(call.then));
            out += "\n";
        }
    }
    return out;
}

// The library ---------------------------------------------------------------------------------------------------------

struct Thrown : std::runtime_error {
    Thrown() : std::runtime_error("thrown") {}
};

class CountingStore : public acta::MemoryStore {
public:
    acta::Appended append(std::string_view id, acta::Position at, std::span<const acta::NewRecord> records) override {
        ++appends;
        return MemoryStore::append(id, at, records);
    }
    std::size_t appends = 0;
};

/// A script as the library plays it.
class Played {
public:
    explicit Played(const Script& script) : script_(script) {
        for (const reference::Reply& reply : script.replies)
            for (const reference::Call& call : reply.calls) calls_.emplace(call.number, call);
        if (script.is_stored) stored_.emplace(store_);
        skills_.add(
            "look", "Looks.", {.read_only = true}, [this](int n) { return work("look", n); }, "n");
        skills_.add(
            "write", "Writes.", [this](int n) { return work("write", n); }, "n");
    }

    /// What people do between two runs.
    void prepare(const Turn& turn) {
        if (turn.restarts && stored_)
            stored_.reset(), stored_.emplace(store_);
        else if (turn.restarts)
            plain_ = acta::parse<acta::EpisodicActionHistory<>>(acta::dump(plain_));
        edit([&](auto& history) {
            if (turn.rewinds) history.rewind(static_cast<std::int64_t>(*turn.rewinds));
            if (turn.decides)
                for (const acta::OpenCall& one : history.open_calls())
                    history.decide(one.call.id, {.approved = call(one.call).then != Decision::no, .feedback = "No."});
            if (turn.says) history.register_message(ChatMessage::user("Work."));
            if (turn.feeds) history.append_user_feedback("Well.");
        });
    }
    reference::Outcome run(const Turn& turn) {
        out_ = {};
        turn_ = &turn;
        stop_ = acta::stop_source();
        if (turn.is_stopped) stop_.request_stop();
        attempts_.clear();
        store_.appends = 0;
        seen_ = text_of(plain_);
        const auto model = [this](std::span<const ChatMessage> messages, const acta::ChatOptions& options) {
            return answer(messages, options);
        };
        try {
            acta::RunResult result;
            edit([&](auto& history) { result = driven::run_agent(model, skills_, history, options(turn)); });
            out_.end = acta::to_string(result.end);
            out_.answer = result.answer;
            out_.finish = result.finish_reason;
            out_.error = result.error ? result.error->exception_type : "";
            out_.steps = result.steps;
            out_.spent = spent(result.usage, result.cost_usd, result.requests);
            for (const acta::AssistantToolCall& one : result.waiting) out_.waiting.push_back(one.id);
            out_.feedback = result.pending_feedback;
        } catch (const Thrown&) {
            thrown();
        } catch (const acta::HistoryError&) {
            throw;
        } catch (const acta::Error& error) {
            if (std::string(error.what()).find("nothing to work on") == std::string::npos) throw;
            thrown();
        }
        out_.appends = store_.appends;
        return out_;
    }
    [[nodiscard]] std::string record() {
        if (!stored_) return text_of(plain_);
        const std::string own = text_of(stored_->history.snapshot());
        CHECK(text_of(Opened(store_).history.snapshot()) == own);  // what the store has
        return own;
    }

    /// Whether the model refused a request of the run as too long, so that steps were summarised.
    [[nodiscard]] bool was_too_long(const Turn& turn) const { return too_long_of_ == &turn; }

private:
    using Stored = acta::StoredHistory<>;
    // `open` returns what cannot be moved.
    struct Opened {
        explicit Opened(acta::HistoryStore& store) : history(Stored::open_or_create(store, "task")) {}
        Stored history;
    };
    template <class Function>
    void edit(const Function& function) {
        if (stored_)
            function(stored_->history);
        else
            function(plain_);
    }
    void thrown() { out_ = {.end = "thrown", .spent = {}, .executed = out_.executed, .asked = out_.asked}; }
    const reference::Call& call(const acta::AssistantToolCall& one) const {
        return calls_.at(std::stoi(one.id.substr(1)));
    }

    acta::ChatCompletion answer(std::span<const ChatMessage> messages, const acta::ChatOptions& options) {
        static const reference::Reply last{.text = "Done."};
        const reference::Reply& reply = replies_ < script_.replies.size() ? script_.replies[replies_] : last;
        ++replies_;
        out_.shown.push_back((was_too_long(*turn_) ? std::string("?") : std::to_string(messages.size())) +
                             (options.tool_choice.kind == acta::ToolChoice::required ? " required" : ""));
        if (reply.brings_feedback)
            edit([&](auto& history) { history.append_user_feedback("feedback " + std::to_string(replies_)); });
        if (reply.brings_feedback) --store_.appends, seen_ = text_of(plain_);  // which is not of the run
        if (reply.stops) stop_.request_stop();
        if (reply.fault != reference::Fault::none) {
            const bool too_long = reply.fault == reference::Fault::too_long;
            if (too_long) too_long_of_ = turn_;
            throw acta::ChatModelError(
                "no", {.fault = too_long ? acta::ChatModelFault::context_too_long : acta::ChatModelFault::connection});
        }
        acta::ChatCompletion out;
        out.message.content = reply.text;
        out.finish_reason = reply.finish;
        out.usage =
            acta::TokenUsage{.prompt_tokens = reply.prompt_tokens, .completion_tokens = reply.completion_tokens};
        if (!reply.calls.empty()) out.message.tool_calls.emplace();
        for (const reference::Call& one : reply.calls)
            out.message.tool_calls->push_back(
                {"c" + std::to_string(one.number), {one.tool, {{one.fits ? "n" : "m", one.number}}}});
        return out;
    }
    std::string work(const char* tool, int n) {
        const reference::Call& call = calls_.at(n % 1000);
        const std::string said = std::string(tool) + " " + std::to_string(n);
        {
            const std::lock_guard lock(mutex_);
            out_.executed.push_back(said);
            if (attempts_[n % 1000]++ < call.retries) throw acta::RetrySkill("once more");
        }
        if (call.stops) stop_.request_stop();
        if (call.fails) throw std::runtime_error("no");
        return said;
    }
    acta::Approval decide(const acta::AssistantToolCall& one) {
        const reference::Call& call = this->call(one);
        out_.asked.push_back(one.id);
        switch (asked_[call.number]++ == 0 ? call.first : call.then) {
            case Decision::no: return acta::Approval::no("No.");
            case Decision::later: return acta::Approval::later();
            case Decision::other_arguments: return acta::Approval::with({{"n", call.number + 1000}});
            case Decision::throws: throw Thrown();
            case Decision::yes: break;
        }
        return acta::Approval::yes();
    }
    RunOptions options(const Turn& turn) {
        RunOptions out{.max_parallel = turn.max_parallel, .continue_with_feedback = turn.continues_with_feedback};
        out.call.detach_on_timeout = false;  // else a call that stops the run may be left
        out.limits = {.requests = turn.requests,
                      .tokens = turn.tokens,
                      .cost_usd = turn.cost,
                      .calls_per_step = turn.calls_per_step,
                      .count_history = turn.counts_history};
        out.limits.tools["write"] = {.max_retries = turn.write_retries, .first_delay = {}, .max_delay = {}};
        if (turn.looks) out.limits.tools["look"].max_calls = turn.looks;
        out.stuck = {.same_result = 0, .same_error = 0, .alternating = 0, .refused = turn.refused_steps};
        out.max_answer_attempts = turn.answer_attempts;
        out.until.stop = stop_.get_token();
        if (turn.requires_call) out.chat.tool_choice = acta::ToolChoice::required;
        if (turn.has_price)
            out.price = [](const acta::ChatCompletion& one) {
                return static_cast<double>(one.usage->prompt_tokens + 2 * one.usage->completion_tokens);
            };
        if (turn.approves) out.approve = [this](const acta::AssistantToolCall& one) { return decide(one); };
        if (turn.checks_answers)
            out.on_answer = [](const acta::AssistantChatMessage& answer) {
                return answer.content == "bad" ? std::optional<std::string>("Another one.") : std::nullopt;
            };
        if (turn.hides_write)
            out.prepare = [](acta::AskModel& request) {
                std::vector<acta::ToolDefinition> left = request.options.tools.all();
                std::erase_if(left, [](const acta::ToolDefinition& one) { return one.name == "write"; });
                request.options.tools = std::move(left);
            };
        if (turn.reruns) out.rerun = [again = *turn.reruns](const acta::AssistantToolCall&) { return again; };
        if (turn.has_events) out.on_event = [this](const acta::RunEvent& event) { count(event), look(event); };
        return out;
    }
    /// Looks whether every change of the history was reported when anything else is.
    void look(const acta::RunEvent& event) {
        if (stored_ || turn_->max_parallel > 1) return;
        const bool is_changed = std::holds_alternative<acta::HistoryChanged>(event);
        std::string now = text_of(plain_);
        if (!is_changed && now != seen_) out_.events["HistoryChanged, missed"]++;
        seen_ = std::move(now);
    }
    void count(const acta::RunEvent& event) {
        auto& counts = out_.events;
        if (std::holds_alternative<acta::RequestStarted>(event)) ++counts["RequestStarted"];
        if (std::holds_alternative<acta::RequestCompleted>(event)) ++counts["RequestCompleted"];
        if (const auto* const failed = std::get_if<acta::RequestFailed>(&event))
            ++counts[failed->will_retry ? "RequestFailed, again" : "RequestFailed"];
        if (std::holds_alternative<acta::CallStarted>(event)) ++counts["CallStarted"];
        if (std::holds_alternative<acta::CallRetried>(event)) ++counts["CallRetried"];
        if (std::holds_alternative<acta::CallCompleted>(event)) ++counts["CallCompleted"];
        if (std::holds_alternative<acta::StepCompleted>(event)) ++counts["StepCompleted"];
        if (std::holds_alternative<acta::RunCompleted>(event)) ++counts["RunCompleted"];
    }

    const Script& script_;
    std::map<int, reference::Call> calls_{};
    acta::SkillRegistry skills_{};
    CountingStore store_{};
    acta::EpisodicActionHistory<> plain_{};
    std::optional<Opened> stored_{};
    acta::stop_source stop_{};
    std::mutex mutex_{};
    reference::Outcome out_{};
    const Turn* turn_ = nullptr;
    const Turn* too_long_of_ = nullptr;
    std::size_t replies_ = 0;
    std::string seen_{};  // the history, when the last event came
    std::map<int, int> asked_{};
    std::map<int, std::size_t> attempts_{};
};

/// What people do between two runs, in the reference.
void prepare(reference::Record& record, const Script& script, const Turn& turn) {
    if (turn.rewinds) record.rewind(*turn.rewinds);
    if (reference::Item* const open = record.open_step(); open != nullptr && turn.decides && script.is_stored)
        for (reference::Entry& one : open->calls)
            if (one.result.empty()) one.approved = one.call.then != Decision::no;
    if (turn.says) record.items.push_back({.text = "Work."});
    if (turn.feeds) record.feedback.emplace_back("Well.");
}

/// Whether it is known what is appended at once: summaries are, calls of several threads wait for each other, and a
/// program that runs them by hand begins each alone.
bool knows_appends(const Turn& turn, const reference::Record& record) {
#ifdef ACTA_TEST_BY_HAND
    static_cast<void>(turn), static_cast<void>(record);
    return false;
#else
    return turn.max_parallel == 1 && record.steps() <= RunOptions().compression.keep_recent;
#endif
}

/// Compares both. In parallel steps the order of what runs is not known.
void compare(const Script& script) {
    Played played(script);
    reference::Record record;
    std::size_t replies = 0;
    std::map<int, int> asked;
    for (const Turn& turn : script.turns) {
        played.prepare(turn);
        prepare(record, script, turn);
        reference::Outcome expected = reference::Run(script, record, replies, asked, turn).run();
        reference::Outcome is = played.run(turn);
        if (!turn.has_events) expected.events.clear();
        if (!script.is_stored || !knows_appends(turn, record) || played.was_too_long(turn))
            expected.appends = is.appends = 0;
        if (turn.max_parallel > 1) {
            std::ranges::sort(expected.executed);
            std::ranges::sort(is.executed);
        }
        const bool same = text_of(is) == text_of(expected) && played.record() == text_of(record);
        if (same) continue;
        INFO(text_of(script));
        REQUIRE(text_of(is) == text_of(expected));
        REQUIRE(played.record() == text_of(record));
    }
}

}  // namespace

TEST_CASE("what runs do is what the reference does") {
    Scripts scripts(1);
    const std::size_t count = test_size(400, 100'000);
    for (std::size_t i = 0; i < count; ++i) compare(scripts.next());
}
