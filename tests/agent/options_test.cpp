// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/observe/observer.hpp"
#include "agent/driver.hpp"
#include "support/catch.hpp"

// Every option reaches whatever it is for. The model, the tool, the summarizer and the observer record what they were
// given, and the accounts are exact.
namespace {

using acta::ChatMessage;
using acta::RunEnd;
using acta::RunOptions;
using acta::RunResult;
using History = acta::EpisodicActionHistory<>;
using Clock = std::chrono::steady_clock;

/// Converts to any member of an aggregate, so that they can be counted.
struct AnyMember {
    template <class T>
    operator T() const {  // NOLINT(google-explicit-constructor): only named where nothing is evaluated
        throw std::logic_error("no member has this value");
    }
};
template <class T, class... Members>
consteval std::size_t count_members() {
    if constexpr (requires { T{Members{}..., AnyMember{}}; })
        return count_members<T, Members..., AnyMember>();
    else
        return sizeof...(Members);
}

class EventCounter : public acta::Observer {
public:
    void on_event(const acta::Event& event) override {
        const std::lock_guard lock(mutex_);
        ++counts_[std::string(event.name)];
    }
    [[nodiscard]] int count(std::string_view name) const {
        const auto found = counts_.find(std::string(name));
        return found == counts_.end() ? 0 : found->second;
    }

private:
    std::mutex mutex_{};
    std::map<std::string, int> counts_{};
};

/// What was given to the model, the tool and the summarizer.
struct Given {
    std::mutex mutex{};
    std::vector<acta::ChatOptions> chats{};
    std::vector<std::pair<bool, std::string>> summaries{};  // whether it is the rolling one, and the text
    int with_deadline = 0;
    std::vector<Clock::time_point> call_deadlines{};
    std::vector<std::string> extras{};
};

constexpr int recorded_steps = 6;

acta::AnyChatModel recording_model(Given& given) {
    return [&given, n = 0](std::span<const ChatMessage>, const acta::ChatOptions& chat) mutable {
        given.chats.push_back(chat);
        acta::ChatCompletion out;
        out.usage = acta::TokenUsage{.prompt_tokens = 10, .completion_tokens = 1};
        out.message.content = "secret words";
        if (chat.on_text) chat.on_text(out.message.content);
        if (chat.on_event) chat.on_event(acta::TextDelta{out.message.content});
        if (n++ < recorded_steps) out.message.tool_calls = {{"c", {"read", {{"part", n}}}}};
        return out;
    };
}

acta::SkillRegistry recording_skills(Given& given) {
    acta::SkillRegistry skills;
    skills.add(
        "read", "Reads.",
        [&given](int part, const std::string& user, acta::SkillContext& context) {
            context.report_progress({.done = 1});
            const std::lock_guard lock(given.mutex);
            given.extras.push_back(user);
            if (context.deadline()) given.call_deadlines.push_back(*context.deadline());
            return "secret part " + std::to_string(part) + std::string(400, 'x');
        },
        acta::param("part", "Which."), acta::param("user", "Who.", "nobody"));
    return skills;
}

acta::AnySummarizer recording_summarizer(Given& given) {
    return [&given](std::string_view text, const acta::SummaryRequest& request) -> std::string {
        const std::lock_guard lock(given.mutex);
        given.summaries.emplace_back(request.instruction == acta::rolling_instruction, std::string(text));
        given.with_deadline += request.until.deadline ? 1 : 0;
        acta::ChatCompletion completion;
        completion.usage = acta::TokenUsage{.prompt_tokens = 100, .completion_tokens = 0};
        if (request.on_completion) request.on_completion(completion);
        return "a part was read";
    };
}

}  // namespace

TEST_CASE("every option of a run reaches whatever it is for, and the accounts are exact") {
    STATIC_REQUIRE(count_members<RunOptions>() == 23);  // a new option is to be covered here, or in the test of its own
    Given given;
    EventCounter events;
    acta::stop_source source;
    const auto deadline = Clock::now() + std::chrono::hours(2);
    std::map<std::string, int> hooks;
    RunOptions options;
    options.budget.keep_recent = 1;
    options.budget.max_tokens = 24;
    options.budget.max_full_tokens = 200;
    options.budget.full_stride = 1;
    options.summarizer = recording_summarizer(given);
    options.compression.keep_recent = 1;
    options.compression.redactor = [](std::string_view text) {
        std::string out(text);
        for (std::size_t at = 0; (at = out.find("secret", at)) != std::string::npos;) out.replace(at, 6, "******");
        return out;
    };
    options.chat.model = "m";
    options.call.extra = {{"user", "Eve"}};
    options.call_timeout = std::chrono::hours(1);
    options.price = [](const acta::ChatCompletion& one) { return static_cast<double>(one.usage->prompt_tokens); };
    options.until.stop = source.get_token();
    options.until.deadline = deadline;
    options.observer = &events;
    options.approve = [&](const acta::AssistantToolCall&) { return ++hooks["approve"], acta::Approval::yes(); };
    options.on_answer = [&](const acta::AssistantChatMessage&) { return ++hooks["answer"], std::nullopt; };
    options.prepare = [&](acta::AskModel&) { ++hooks["prepare"]; };
    options.on_text = [&](std::string_view) { ++hooks["text"]; };
    std::vector<int> seen(std::variant_size_v<acta::RunEvent>);
    options.on_event = [&](const acta::RunEvent& event) { ++seen[event.index()]; };
    History history;
    history.register_message(ChatMessage::user("Read."));
    const RunResult run = driven::run_agent(recording_model(given), recording_skills(given), history, options);
    CHECK(run.end == RunEnd::answered);
    // The model.
    REQUIRE(given.chats.size() == recorded_steps + 1);
    for (const acta::ChatOptions& chat : given.chats) {
        CHECK(chat.model == "m");
        CHECK(chat.tools.size() == 1);
        CHECK(chat.until.stop.stop_possible());
        CHECK(chat.until.deadline == deadline);
    }
    // The tool.
    CHECK(given.extras == std::vector<std::string>(recorded_steps, "Eve"));
    REQUIRE(given.call_deadlines.size() == recorded_steps);
    CHECK(std::ranges::max(given.call_deadlines) < deadline - std::chrono::minutes(30));
    // The summarizer, of steps and of what left the prompt.
    const auto rolling = std::ranges::count_if(given.summaries, [](const auto& one) { return one.first; });
    const auto count = static_cast<int>(given.summaries.size());
    CHECK(rolling > 0);
    CHECK(count - rolling == recorded_steps - 1);
    for (const auto& [is_rolling, text] : given.summaries) CHECK(text.find("secret") == std::string::npos);
    CHECK(given.with_deadline == count);
    // Accounts.
    CHECK(run.requests == recorded_steps + 1);
    CHECK(run.steps == recorded_steps);
    CHECK(run.usage == acta::TokenUsage{.prompt_tokens = 10 * (recorded_steps + 1) + 100 * count,
                                        .completion_tokens = recorded_steps + 1});
    CHECK(run.cost_usd == 10 * (recorded_steps + 1) + 100 * count);
    CHECK(history[0].metrics->cost_usd == 10);
    const std::map<std::string, int> wanted{
        {"approve", recorded_steps}, {"answer", 1}, {"prepare", recorded_steps + 1}, {"text", recorded_steps + 1}};
    CHECK(hooks == wanted);
    // In the order of `RunEvent`: text, reasoning, calls, restarts, requests, calls that run, steps, changes,
    // summaries, the schema, the end.
    const int changes = seen[12];
    const int compressed = seen[13];
    const int extended = seen[14];
    CHECK(seen == std::vector<int>{recorded_steps + 1, 0, 0, 0, recorded_steps + 1, recorded_steps + 1, 0,
                                   recorded_steps, recorded_steps, 0, recorded_steps, recorded_steps, changes,
                                   compressed, extended, 0, 1, 0});
    CHECK(compressed == recorded_steps - 1);
    CHECK(extended == rolling);
    CHECK(changes >= 3 * recorded_steps);
    CHECK(events.count(acta::event_names::chat_model) == recorded_steps + 1);
    CHECK(events.count(acta::event_names::skill_call) == recorded_steps);
    CHECK(events.count(acta::event_names::compress) > 0);
}

TEST_CASE("a stop reaches the model, the tools and the summarizer while they work") {
    enum class Where { model, tool, summarizer };
    for (const Where where : {Where::model, Where::tool, Where::summarizer}) {
        acta::stop_source source;
        int seen = 0;
        const auto stop_at = [&](Where here, const acta::stop_token& token) {
            if (here != where) return;
            CHECK_FALSE(token.stop_requested());
            source.request_stop();
            CHECK(token.stop_requested());
            ++seen;
        };
        acta::SkillRegistry skills;
        skills.add("read", "Reads.", [&](acta::SkillContext& context) {
            stop_at(Where::tool, context.stop_token());
            return std::string(1000, 'x');
        });
        RunOptions options{.budget = {.keep_recent = 0}, .compression = {.keep_recent = 0}};
        options.summarizer = [&](std::string_view, const acta::SummaryRequest& request) {
            stop_at(Where::summarizer, request.until.stop);
            return "It was read.";
        };
        options.until.stop = source.get_token();
        const auto model = [&](std::span<const ChatMessage>, const acta::ChatOptions& chat) {
            stop_at(Where::model, chat.until.stop);
            acta::ChatCompletion out;
            out.message.tool_calls = {{"c", {"read", {}}}};
            return out;
        };
        History history;
        history.register_message(ChatMessage::user("Read."));
        CHECK(driven::run_agent(model, skills, history, options).end == RunEnd::stopped);
        CHECK(seen == 1);
    }
}

TEST_CASE("as many calls run at the same time as the options allow") {
    for (const std::size_t allowed : {std::size_t{1}, std::size_t{3}}) {
        std::mutex mutex;
        std::condition_variable all_here;
        std::size_t inside = 0;
        std::size_t most = 0;
        acta::SkillRegistry skills;
        skills.add("meet", "Waits for the others.", [&] {
            std::unique_lock lock(mutex);
            most = std::max(most, ++inside);
            all_here.notify_all();
            all_here.wait_for(lock, std::chrono::seconds(allowed == 1 ? 0 : 20), [&] { return most == allowed; });
            --inside;
        });
        acta::ChatCompletion calls;
        calls.message.tool_calls.emplace();
        for (int i = 0; i < 3; ++i) calls.message.tool_calls->push_back({"c" + std::to_string(i), {"meet", {}}});
        acta::ScriptedChatModel model;
        model.reply(calls).reply("Done.");
        History history;
        history.register_message(ChatMessage::user("Meet."));
        CHECK(driven::run_agent(model, skills, history, {.max_parallel = allowed, .parallel = acta::CallOverlap::all})
                  .answer == "Done.");
        CHECK(most == allowed);
    }
}

TEST_CASE("options that are empty are not used") {
    acta::ChatCompletion answer;
    answer.message.content = "Done.";
    answer.usage = acta::TokenUsage{.prompt_tokens = 1'000'000};
    const auto model = [&](std::span<const ChatMessage>, const acta::ChatOptions& chat) {
        CHECK_FALSE(chat.on_text);
        CHECK_FALSE(chat.on_event);
        return answer;
    };
    History history;
    history.register_message(ChatMessage::user("Do it."));
    RunOptions options{.price = acta::TokenPrices{.prompt = 3}};
    options.on_text = nullptr;
    options.approve = std::function<acta::Approval(const acta::AssistantToolCall&)>();
    CHECK(acta::run_agent(model, {}, history, options).cost_usd == 3);
}
