// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The loop in few words: what a run does, by docs/reference/agent.md, with a script that says what the model, the tools
// and the people do. It has no code in common with the library, and no threads: calls run in the order of the model.
namespace reference {

enum class Fault { none, broken, too_long };
enum class Decision { yes, no, other_arguments, later, throws };

/// A call of `look` (read-only), of `write`, or of a tool that is unknown.
struct Call {
    std::string tool = "look";
    int number = 0;                  // its argument; its id is "c" and this
    bool fits = true;                // its arguments
    bool fails = false;              // the tool throws
    std::size_t retries = 0;         // how often the tool throws RetrySkill before
    bool stops = false;              // the run is stopped while it runs
    Decision first = Decision::yes;  // if someone is asked
    Decision then = Decision::yes;   // if someone is asked again
};
/// An answer of the model.
struct Reply {
    Fault fault = Fault::none;
    std::string text{};
    std::string finish = "stop";
    std::vector<Call> calls{};
    std::int64_t prompt_tokens = 1;
    std::int64_t completion_tokens = 1;
    bool brings_feedback = false;  // which a person appends while the model answers
    bool stops = false;            // the run is stopped while the model answers
};
/// What happens before a run, and its options.
struct Turn {
    std::optional<std::size_t> rewinds{};
    bool says = false;      // a person says something
    bool feeds = false;     // a person appends feedback
    bool decides = false;   // a person decides on the calls that wait, as `Call::then` says
    bool restarts = false;  // another program continues
    bool is_stopped = false;

    std::size_t requests = 100;
    std::optional<std::int64_t> tokens{};
    std::optional<double> cost{};
    bool has_price = false;
    bool counts_history = true;
    std::size_t calls_per_step = 128;
    std::optional<std::size_t> looks{};  // `max_calls` of `look`
    std::size_t write_retries = 0;       // `max_retries` of `write`
    bool approves = false;
    bool checks_answers = false;  // refuses those that begin with "bad"
    std::size_t answer_attempts = 3;
    bool continues_with_feedback = true;
    std::size_t refused_steps = 5;  // `StuckOptions::refused`
    bool hides_write = false;       // requests have no `write`
    bool requires_call = false;     // `tool_choice`
    std::optional<bool> reruns{};   // calls that may have begun
    bool has_events = false;
    std::size_t max_parallel = 1;
};
struct Script {
    bool is_stored = false;  // the history is in a store, which knows what has begun and was decided
    std::vector<Reply> replies{};
    std::vector<Turn> turns{};
};

/// Tokens, and what they cost: one for each token of a request, two for each of an answer.
struct Spent {
    std::size_t requests = 0;
    std::int64_t prompt_tokens = 0;
    std::int64_t completion_tokens = 0;
    double cost = 0;

    void add(const Spent& other) {
        requests += other.requests;
        prompt_tokens += other.prompt_tokens;
        completion_tokens += other.completion_tokens;
        cost += other.cost;
    }
};
/// A call in the record.
struct Entry {
    Call call{};
    int argument = call.number;
    std::string result{};            // empty while it is open
    std::optional<bool> approved{};  // by a decision that the store knows
};
struct Item {
    enum Kind { user, answer, step };
    Kind kind = user;
    std::string text{};
    std::string finish{};  // why it is incomplete
    std::vector<Entry> calls{};
    std::optional<Spent> spent{};
};
struct Ended {
    std::string why{};
    std::string error{};
    std::size_t after = 0;
    Spent spent{};
};
/// What a history has.
struct Record {
    std::vector<Item> items{};
    std::vector<std::string> feedback{};
    std::vector<Ended> runs{};

    [[nodiscard]] std::size_t steps() const {
        return static_cast<std::size_t>(std::ranges::count(items, Item::step, &Item::kind));
    }
    [[nodiscard]] bool is_open(const Item& one) const {
        return std::ranges::any_of(one.calls, [](const Entry& entry) { return entry.result.empty(); });
    }
    /// The newest step, if it is open.
    [[nodiscard]] Item* open_step() {
        const auto last =
            std::find_if(items.rbegin(), items.rend(), [](const Item& one) { return one.kind == Item::step; });
        return last != items.rend() && is_open(*last) ? &*last : nullptr;
    }
    /// Drops the open step and as many finished ones, and all that was said after the first of them.
    void rewind(std::size_t finished) {
        const std::size_t left = steps() - std::min(steps(), finished + (open_step() == nullptr ? 0 : 1));
        std::size_t seen = 0;
        const auto first =
            std::ranges::find_if(items, [&](const Item& one) { return one.kind == Item::step && seen++ == left; });
        items.erase(first, items.end());
        std::erase_if(runs, [&](const Ended& run) { return run.after > left; });
    }
};

/// What a run did.
struct Outcome {
    std::string end{};  // of `RunEnd`; "thrown" for an exception
    std::string answer{};
    std::string finish{};
    std::string error{};  // its type
    std::size_t steps = 0;
    Spent spent{};
    std::vector<std::string> waiting{};
    std::size_t feedback = 0;
    std::vector<std::string> executed{};
    std::vector<std::string> asked{};
    std::vector<std::string> shown{};  // of each request: how many messages, and the tool choice
    std::map<std::string, std::size_t> events{};
    std::size_t appends = 0;  // to the store
};

class Run {
public:
    Run(const Script& script, Record& record, std::size_t& replies, std::map<int, int>& asked, const Turn& turn)
        : script_(script), record_(record), replies_(replies), asked_(asked), turn_(turn), stopped_(turn.is_stopped) {}

    Outcome run() {
        try {
            if (record_.items.empty() && record_.feedback.empty()) throw Thrown();
            play();
            out_.feedback = record_.feedback.size();
            if (out_.spent.requests != 0 || out_.steps != 0) {
                record_.runs.push_back({out_.end, out_.error, record_.steps(), out_.spent});
                ++out_.appends;
            }
            ++out_.events["RunCompleted"];
        } catch (const Thrown&) {
            out_ = {
                .end = "thrown", .spent = {}, .executed = out_.executed, .asked = out_.asked, .appends = out_.appends};
        }
        return out_;
    }

private:
    struct Thrown {};

    void end(const std::string& why, const std::string& error = {}) {
        out_.end = why;
        out_.error = error;
    }
    [[nodiscard]] bool is_over() const { return !out_.end.empty(); }

    void play() {
        if (turn_.counts_history) before_ = spent_on_task();
        if (has_answer() && record_.feedback.empty()) {
            const Item last = record_.items.back();
            out_.finish = last.finish;
            if (last.finish == "length" || last.finish == "content_filter" || !is_refused(last.text)) {
                out_.answer = last.text;
                return end(last.finish == "length" ? "truncated" : last.finish.empty() ? "answered" : "refused");
            }
            if (is_over()) return;
        }
        if (Item* const open = record_.open_step()) {
            out_.finish = open->finish;
            play_step(*open, open->finish, true);
        }
        while (!is_over()) ask();
    }
    /// An answer that was paused is continued, and one that failed is asked for again.
    [[nodiscard]] bool has_answer() const {
        if (record_.items.empty() || record_.items.back().kind != Item::answer) return false;
        return record_.items.back().finish != "pause_turn" && record_.items.back().finish != "error";
    }
    /// What was used since a person said something. What follows an answer is the run's own, unless a run ended there.
    [[nodiscard]] Spent spent_on_task() const {
        Spent out;
        std::size_t steps = record_.steps();
        for (std::size_t i = record_.items.size(); i-- > 0;) {
            const Item& one = record_.items[i];
            if (one.kind == Item::user) {
                const bool has_ended = std::ranges::any_of(
                    record_.runs, [steps](const Ended& run) { return run.why == "answered" && run.after == steps; });
                if (i == 0 || record_.items[i - 1].kind != Item::answer || has_ended) break;
            }
            if (one.kind == Item::step) --steps;
            if (one.spent) out.add(*one.spent);
        }
        return out;
    }
    [[nodiscard]] std::string limit() const {
        const Spent& now = out_.spent;
        if (stopped_) return "stopped";
        if (now.requests + before_.requests >= turn_.requests) return "max_steps";
        const std::int64_t tokens =
            now.prompt_tokens + now.completion_tokens + before_.prompt_tokens + before_.completion_tokens;
        if (turn_.tokens && tokens >= *turn_.tokens) return "max_tokens";
        if (turn_.cost && now.cost + before_.cost >= *turn_.cost) return "max_cost";
        return {};
    }

    void ask() {
        if (const std::string reached = limit(); !reached.empty()) return end(reached);
        if (!is_shorter_ && !record_.feedback.empty()) {
            ++out_.appends;
            for (const std::string& one : record_.feedback) record_.items.push_back({.kind = Item::user, .text = one});
            record_.feedback.clear();
        }
        ++out_.spent.requests;
        ++out_.events["RequestStarted"];
        std::size_t messages = 0;
        for (const Item& one : record_.items)  // what a person said of a call that was refused is one more
            messages +=
                1 + one.calls.size() + static_cast<std::size_t>(std::ranges::count_if(one.calls, is_refused_call));
        out_.shown.push_back((was_too_long_ ? std::string("?") : std::to_string(messages)) +
                             (turn_.requires_call && !has_called_ ? " required" : ""));
        static const Reply last{.text = "Done."};
        const Reply& reply = replies_ < script_.replies.size() ? script_.replies[replies_] : last;
        ++replies_;
        if (reply.brings_feedback) record_.feedback.push_back("feedback " + std::to_string(replies_));
        stopped_ = stopped_ || reply.stops;
        if (reply.fault == Fault::none) return take(reply);
        const bool again = reply.fault == Fault::too_long && !is_shorter_ && !stopped_;
        ++out_.events[again ? "RequestFailed, again" : "RequestFailed"];
        if (stopped_) return end("stopped");
        if (!again) return end("failed", "ChatModelError");
        is_shorter_ = was_too_long_ = true;
    }
    void take(const Reply& reply) {
        is_shorter_ = false;
        ++out_.events["RequestCompleted"];
        out_.finish = reply.finish;
        const Spent spent{1, reply.prompt_tokens, reply.completion_tokens,
                          turn_.has_price ? static_cast<double>(reply.prompt_tokens + 2 * reply.completion_tokens) : 0};
        for (Spent* const one : {&out_.spent, &turn_spent_}) {
            one->prompt_tokens += spent.prompt_tokens;
            one->completion_tokens += spent.completion_tokens;
            one->cost += spent.cost;
        }
        turn_spent_.requests = 1;  // the history counts one for each step and answer
        const bool is_whole = reply.finish == "stop" || reply.finish == "tool_calls" || reply.finish.empty();
        const std::string incomplete = is_whole ? "" : reply.finish;
        if (!reply.calls.empty()) {
            has_called_ = true;
            Item step{
                .kind = Item::step, .text = reply.text, .finish = incomplete, .spent = std::exchange(turn_spent_, {})};
            for (const Call& one : reply.calls) step.calls.push_back({.call = one});
            blank_ = 0;
            ++out_.appends;
            record_.items.push_back(std::move(step));
            return play_step(record_.items.back(), incomplete, false);
        }
        if (reply.text == " " && reply.finish != "pause_turn") {
            if (reply.finish == "content_filter") return end("refused");
            if (reply.finish == "error") return end("failed", "IncompleteAnswer");
            if (++blank_ == 2) return end("failed", "EmptyAnswer");
            return;
        }
        blank_ = 0;
        if (reply.finish != "pause_turn") out_.answer = reply.text;
        ++out_.appends;
        record_.items.push_back(
            {.kind = Item::answer, .text = reply.text, .finish = incomplete, .spent = std::exchange(turn_spent_, {})});
        if (reply.finish == "pause_turn") return;
        if (reply.finish == "length") return end("truncated");
        if (reply.finish == "content_filter") return end("refused");
        if (reply.finish == "error") return end("failed", "IncompleteAnswer");
        if (is_refused(reply.text)) return;
        if (record_.feedback.empty() || !turn_.continues_with_feedback || !limit().empty()) end("answered");
    }
    bool is_refused(const std::string& answer) {
        if (!turn_.checks_answers || !answer.starts_with("bad")) return false;
        out_.answer.clear();
        ++out_.appends;
        record_.items.push_back({.kind = Item::user, .text = "Another one."});
        if (++refused_answers_ >= turn_.answer_attempts) end("failed", "AnswerRefused");
        return true;
    }

    void play_step(Item& step, const std::string& finish, bool is_continued) {
        begun_ = 0;
        if (!is_continued && !stopped_ && (finish.empty() || finish == "pause_turn")) begun_ = begin_with(step);
        std::vector<Entry*> ready;
        std::vector<std::string> waiting;
        for (std::size_t i = 0; i < step.calls.size() && !stopped_; ++i) {
            Entry& one = step.calls[i];
            if (!one.result.empty()) continue;
            if (const std::string why = reason_not_to_run(i, one, finish, is_continued); !why.empty())
                complete(one, why);
            else if (decide(one))
                ready.push_back(&one);
            else if (one.result.empty())
                waiting.push_back("c" + std::to_string(one.call.number));
        }
        for (Entry* const one : ready)
            if (!stopped_) execute(*one, static_cast<std::size_t>(one - step.calls.data()) < begun_);
        const auto open = static_cast<std::size_t>(std::ranges::count(step.calls, std::string(), &Entry::result));
        if (open != 0 && (stopped_ || open > waiting.size())) return end("stopped");
        if (open != 0) {
            out_.waiting = waiting;
            return end("waiting");
        }
        ++out_.steps;
        ++out_.events["StepCompleted"];
        if (is_stuck()) return end("stuck");
        if (finish == "content_filter") end("refused");
        if (finish == "error") end("failed", "IncompleteAnswer");
    }
    /// Returns how many calls begin with the append of the step: the first, or all that may run at the same time as it.
    [[nodiscard]] std::size_t begin_with(const Item& step) const {
        std::size_t count = 0;
        for (const Entry& one : step.calls) {
            const bool again = one.call.tool == "look";  // it may run again
            if (count == turn_.calls_per_step || turn_.approves || (again && turn_.looks)) break;
            if (count != 0 && !again) break;
            if (!again && (turn_.has_events || turn_.hides_write)) break;
            ++count;
            if (!again) break;
        }
        return count;
    }
    /// Returns the error that a call has without having run; none if it may run.
    std::string reason_not_to_run(std::size_t i, const Entry& one, const std::string& finish, bool is_continued) {
        if (!finish.empty() && finish != "pause_turn") return "error NotRun";
        if (i >= turn_.calls_per_step) return "error NotRun";
        if (!is_continued && turn_.hides_write && one.call.tool == "write") return "error NotRun";
        if (one.call.tool == "look" && turn_.looks && ++looks_ > *turn_.looks) return "error NotRun";
        if (is_continued && !script_.is_stored && one.call.tool != "look" && turn_.reruns == false)
            return "error OutcomeUnknown";  // nothing is known of what has begun
        return {};
    }
    /// Returns whether a call is to run.
    bool decide(Entry& one) {
        if (one.approved == false) return complete(one, "human No."), false;
        if (one.approved || !turn_.approves || one.call.tool == "dance") return true;
        if (!one.call.fits) return complete(one, "error InvalidArguments"), false;
        out_.asked.push_back("c" + std::to_string(one.call.number));
        const Decision decision = asked_[one.call.number]++ == 0 ? one.call.first : one.call.then;
        if (decision == Decision::throws) throw Thrown();
        if (decision == Decision::later) return false;
        if (decision == Decision::other_arguments) {
            one.argument = one.call.number + 1000;
            ++out_.appends;
        }
        ++out_.appends;
        if (script_.is_stored) one.approved = decision != Decision::no;
        if (decision == Decision::no) return complete(one, "human No."), false;
        return true;
    }
    void execute(Entry& one, bool has_begun) {
        ++out_.events["CallStarted"];
        if (!has_begun) ++out_.appends;
        if (one.call.tool == "dance") return complete(one, "error SkillNotFound");
        if (!one.call.fits) return complete(one, "error InvalidArguments");
        const std::string said = one.call.tool + " " + std::to_string(one.argument);
        const std::size_t retries = one.call.tool == "write" ? turn_.write_retries : 0;
        for (std::size_t i = 0; i <= std::min(retries, one.call.retries); ++i) out_.executed.push_back(said);
        out_.events["CallRetried"] += std::min(retries, one.call.retries);
        stopped_ = stopped_ || one.call.stops;
        if (one.call.retries > retries) return complete(one, "error RetrySkill");
        complete(one, one.call.fails ? "error runtime_error" : "ok " + said);
    }
    void complete(Entry& one, const std::string& result) {
        one.result = result;
        ++out_.appends;
        ++out_.events["CallCompleted"];
    }
    static bool is_refused_call(const Entry& one) { return one.result.starts_with("human"); }
    /// Whether the calls of the newest steps were all refused, since anything was said to the agent.
    [[nodiscard]] bool is_stuck() const {
        std::size_t count = 0;
        for (auto one = record_.items.rbegin(); one != record_.items.rend(); ++one) {
            if (one->kind == Item::answer) continue;
            if (one->kind != Item::step || !std::ranges::all_of(one->calls, is_refused_call)) break;
            ++count;
        }
        return record_.feedback.empty() && count >= turn_.refused_steps;
    }

    const Script& script_;
    Record& record_;
    std::size_t& replies_;
    std::map<int, int>& asked_;  // how often about each call, by number
    const Turn& turn_;
    bool stopped_;
    Outcome out_{};
    Spent before_{};
    Spent turn_spent_{};  // on the step or answer that comes next
    bool is_shorter_ = false;
    bool was_too_long_ = false;
    bool has_called_ = false;
    std::size_t blank_ = 0;
    std::size_t begun_ = 0;  // calls of the step that begin with it
    std::size_t looks_ = 0;
    std::size_t refused_answers_ = 0;
};

}  // namespace reference
