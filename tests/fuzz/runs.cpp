// SPDX-License-Identifier: MIT
// Runs on a history: a model, tools, agents as tools, decisions, restarts and late results, in any order.
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/agent/run.hpp"
#include "acta/store/memory_store.hpp"
#include "acta/store/stored_history.hpp"
#include "fuzz.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;

/// What the bytes of the input choose.
class Choices {
public:
    explicit Choices(std::string_view bytes) : bytes_(bytes) {}

    [[nodiscard]] bool are_left() const { return !bytes_.empty(); }
    /// One of the numbers below `count`; 0 when no bytes are left.
    std::size_t operator()(std::size_t count) {
        if (bytes_.empty()) return 0;
        const auto byte = static_cast<unsigned char>(bytes_.front());
        bytes_.remove_prefix(1);
        return byte % count;
    }

private:
    std::string_view bytes_;
};

/// What happens outside of the history. Each call has a text of its own, which is its result.
class World {
public:
    explicit World(Choices& choose) : choose_(choose) {
        acta::SkillRegistry inner = tools();
        skills_ = tools();
        skills_.add(acta::agent_tool("team", "An agent.",
                                     [this](auto, const acta::ChatOptions&) { return completion(1); }, std::move(inner),
                                     {.limits = {.requests = 4}}));
    }

    [[nodiscard]] const acta::SkillRegistry& skills() const { return skills_; }

    /// An answer, calls, nothing, or an exception. `depth` agents are around the model.
    acta::ChatCompletion completion(std::size_t depth) {
        acta::ChatCompletion out;
        const std::size_t calls = choose_(6);
        if (calls == 0) out.message.content = choose_(3) == 0 ? "" : "An answer.";
        if (calls == 5) throw std::runtime_error("no connection");
        if (calls == 0 || calls == 5) return out;
        out.message.tool_calls.emplace();
        for (std::size_t i = 0; i < calls; ++i) {
            const std::vector<std::string> ids = {"", "call_0", "call_1", "same_" + std::to_string(i), "same"};
            const std::vector<std::string> names = {"echo", "echo", "fail", "unknown", depth == 0 ? "team" : "echo"};
            acta::JsonObject arguments{{"text", text()}};
            const std::string& name = names[choose_(names.size())];
            if (name == "team") arguments = {{"task", text()}};
            out.message.tool_calls->push_back({ids[choose_(ids.size())], {name, std::move(arguments)}});
        }
        return out;
    }

    acta::RunOptions options() {
        acta::RunOptions out;
        out.limits.requests = 6;
        out.approve = [this](const acta::AssistantToolCall&) { return decision(); };
        if (choose_(2) == 0) out.rerun = [this](const acta::AssistantToolCall&) { return choose_(2) == 0; };
        out.on_event = [this](const acta::RunEvent&) {
            if (choose_(40) == 1) throw std::runtime_error("a function that fails");
        };
        out.until.stop = stop_.get_token();
        return out;
    }
    acta::Approval decision() {
        switch (choose_(5)) {
            case 0: return acta::Approval::no("No.");
            case 1: return acta::Approval::later();
            case 2: return acta::Approval::with({{"text", text()}});
            default: return acta::Approval::yes();
        }
    }
    void stop() {
        stop_.request_stop();
        stop_ = acta::stop_source();  // of the next runs
    }

private:
    acta::SkillRegistry tools() {
        acta::SkillRegistry out;
        out.add(
            "echo", "Repeats.", [](const std::string& text) { return text; }, "text");
        out.add(
            "fail", "Fails.", [](const std::string& text) -> int { throw std::runtime_error(text); }, "text");
        return out;
    }
    std::string text() { return "text " + std::to_string(texts_++); }

    Choices& choose_;
    acta::SkillRegistry skills_{};
    std::size_t texts_ = 0;
    acta::stop_source stop_{};
};

/// The result of a call is its text, wherever it is.
void check_result(const acta::AssistantFunctionCall& call, const acta::ActionResult& result) {
    const auto* const success = std::get_if<acta::ActionSuccessResult>(&result);
    if (success == nullptr || call.name != "echo") return;
    fuzz::require(acta::Json(call.arguments)["text"] == success->outputs, "a result of another call",
                  acta::to_string(call));
}

void check_steps(const History& history) {
    std::set<std::string> ids;
    for (std::size_t i = 0; i < history.size(); ++i) {
        const auto calls = acta::get_tools(history[i].action);
        const std::vector<std::string> of_step = history.tool_call_ids(i);
        if (calls.size() == 1 && history[i].result) check_result(calls.front(), *history[i].result);
        for (const acta::ToolResult& one : history[i].tool_results) {
            const auto found = std::find(of_step.begin(), of_step.end(), one.tool_call_id);
            fuzz::require(found != of_step.end(), "a result without a call");
            check_result(calls[static_cast<std::size_t>(found - of_step.begin())], one.result);
        }
        for (const std::string& id : of_step)
            fuzz::require(!id.starts_with("call_") || ids.insert(id).second, "an id of two calls", id);
    }
    fuzz::require(acta::parse<History>(acta::dump(history, {.round_trip = true})) == history, "another history");
}

/// The history, as a program that begins has it.
struct Program {
    acta::StoredHistory<> history;

    explicit Program(acta::HistoryStore& store) : history(acta::StoredHistory<>::open_or_create(store, "task")) {}
};

/// A run, and the calls that it has shown.
struct Run {
    acta::AgentRun run;
    std::vector<acta::PendingCall> calls{};
};

/// Gives a run what it needs. Returns whether it is over.
bool advance(Run& one, World& world, Choices& choose) {
    const acta::AgentStep& step = one.run.next();
    if (std::holds_alternative<acta::AskModel>(step)) {
        std::optional<acta::ChatCompletion> completion;
        try {
            completion = world.completion(0);
        } catch (const std::runtime_error& error) {
            one.run.fail(error);
        }
        if (completion) one.run.give(*std::move(completion));
    } else if (const auto* const to_run = std::get_if<acta::RunCalls>(&step)) {
        one.calls.insert(one.calls.end(), to_run->calls.begin(), to_run->calls.end());
        const acta::PendingCall call = to_run->calls[choose(to_run->calls.size())];
        if (choose(4) == 0) {
            static_cast<void>(one.run.begin(call.call.id));
            return false;
        }
        const auto text = call.call.function.arguments.find("text");
        const bool echoes = call.call.function.name == "echo" && text != call.call.function.arguments.end();
        if (echoes && choose(3) == 0)
            one.run.give(call.call.id, acta::ActionSuccessResult{.outputs = text->second});
        else
            one.run.give(call.call.id, one.run.call(call));
    } else if (const auto* const to_decide = std::get_if<acta::AwaitDecisions>(&step)) {
        one.run.decide(to_decide->calls.front().id, world.decision());
    } else {
        return true;
    }
    return false;
}

/// A result, a decision or a beginning for a call that a run has shown at some time.
void answer_late(Run& one, World& world, Choices& choose) {
    if (one.calls.empty()) return;
    const acta::PendingCall& call = one.calls[choose(one.calls.size())];
    switch (choose(3)) {
        case 0: one.run.decide(call.call.id, world.decision()); break;
        case 1: static_cast<void>(one.run.begin(call.call.id)); break;
        default: {
            const auto text = call.call.function.arguments.find("text");
            if (text == call.call.function.arguments.end()) return;
            one.run.give(call.call.id, acta::ActionSuccessResult{.outputs = text->second});
        }
    }
}

/// Calls a function that may be refused.
template <class Function>
void attempt(const Function& function) {
    try {
        function();
    } catch (const acta::Error&) {  // NOLINT(bugprone-empty-catch): out of order
    } catch (const std::runtime_error& error) {
        fuzz::require(std::string_view(error.what()) == "a function that fails", "another exception", error.what());
    }
}

void run(std::string_view bytes) {
    Choices choose(bytes.substr(0, 400));
    World world(choose);
    acta::MemoryStore store;
    auto program = std::make_unique<Program>(store);
    program->history.register_message(acta::ChatMessage::user("Work."));
    std::vector<std::unique_ptr<Run>> runs;  // the last one may be active
    while (choose.are_left()) {
        attempt([&] {
            switch (choose(12)) {
                case 0: {
                    if (runs.size() > 3) runs.erase(runs.begin());
                    acta::AgentRun next(world.skills(), program->history, world.options());
                    runs.push_back(std::make_unique<Run>(Run{std::move(next)}));
                    break;
                }
                case 1:
                    if (!runs.empty()) runs.back()->run.leave();
                    break;
                case 2:
                    if (!runs.empty()) answer_late(*runs[choose(runs.size())], world, choose);
                    break;
                case 3: program->history.append_user_feedback("Faster."); break;
                case 4: program->history.rewind(static_cast<std::int64_t>(choose(2))); break;
                case 5:
                    runs.clear();  // a restart
                    program.reset();
                    program = std::make_unique<Program>(store);
                    break;
                case 6: world.stop(); break;
                case 7: program->history.execute(world.skills(), {.max_parallel = 1}); break;
                default:
                    if (!runs.empty() && advance(*runs.back(), world, choose)) runs.back()->run.leave();
            }
        });
        check_steps(program->history.snapshot());
    }
    fuzz::require(acta::read_history(store, "task") == program->history.snapshot(), "the store has another history");
}

}  // namespace

FUZZ_TARGET(run)
