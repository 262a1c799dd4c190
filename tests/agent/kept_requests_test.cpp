// SPDX-License-Identifier: MIT
#include <cstddef>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/extension.hpp"
#include "acta/history/history.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/openai/codec.hpp"
#include "acta/skill/registry.hpp"
#include "agent/driver.hpp"
#include "support/catch.hpp"

// The requests of a run, whose messages stay in place from one to the next, and of which clients keep what they have
// written. They must be those that are made anew.
namespace {

using acta::ChatMessage;

/// A model that answers at random, and checks what each client would send.
class CheckingModel {
public:
    explicit CheckingModel(std::uint32_t seed) : random_(seed) {}

    acta::ChatCompletion operator()(std::span<const ChatMessage> messages, const acta::ChatOptions& options) {
        acta::ChatOptions plain = options;
        plain.kept = nullptr;
        if (options.kept != nullptr)
            options.kept->use(messages.data(), messages.size(), [this](const auto& written) { kept += written.count; });
        const acta::HttpChatCodec& codec = *codecs_[client];
        REQUIRE(codec.request(messages, options).body == codec.request(messages, plain).body);
        all += messages.size();
        ++requests;
        if (random_() % 20 == 0)
            throw acta::ChatModelError("too long", {.fault = acta::ChatModelFault::context_too_long});
        acta::ChatCompletion out;
        const std::size_t calls = random_() % 8 == 0 ? 0 : 1 + random_() % 3;
        if (random_() % 4 == 0) out.message.reasoning_content = "Hm.";
        out.message.content = random_() % 2 == 0 ? "Words " + std::to_string(requests) : "";
        if (calls == 0) return out;
        out.message.tool_calls.emplace();
        for (std::size_t i = 0; i < calls; ++i) {
            // Ids that repeat, as those of many servers do, and names that are not legal or unknown.
            const std::string name = std::vector<std::string>{"look", "web.search", "ask", "no_such"}[random_() % 4];
            out.message.tool_calls->push_back({"call_" + std::to_string(i), {name, {{"at", random_() % 100}}}});
        }
        return out;
    }

    std::size_t client = 0;
    std::size_t requests = 0;
    std::size_t kept = 0;  // messages, and those of all requests
    std::size_t all = 0;

private:
    std::mt19937 random_;
    std::vector<std::shared_ptr<acta::HttpChatCodec>> codecs_{
        std::make_shared<acta::openai::ChatCodec>(
            acta::openai::Options{.base_url = "http://localhost/v1", .api_key = ""}),
        std::make_shared<acta::openai::ChatCodec>(
            acta::openai::Options{.base_url = "https://api.mistral.ai/v1", .api_key = ""}),
        std::make_shared<acta::openai::ResponsesCodec>(acta::openai::Options{.api_key = ""}),
        std::make_shared<acta::anthropic::ChatCodec>(acta::anthropic::Options{.api_key = ""})};
};

acta::SkillRegistry skills() {
    acta::SkillRegistry out;
    out.add(
        "look", "Looks.", [](int at) { return std::string(static_cast<std::size_t>(at) * 3, 'x'); },
        acta::param("at", "Where."));
    out.add(
        "web.search", "Searches.",
        [](int at) {
            if (at % 3 == 0) throw std::runtime_error("nothing at " + std::to_string(at));
            return at;
        },
        acta::param("at", "Where."));
    out.add(
        "ask", "Asks.", [](int at) { return at; }, acta::param("at", "Where."));
    return out;
}

/// Runs with approvals that refuse, change arguments or come later, and between runs feedback, messages and rewinds.
void run_all(CheckingModel& model, std::mt19937& random, acta::RunOptions options) {
    acta::EpisodicActionHistory<> history;
    options.limits.requests = 12;
    options.approve = [&random](const acta::AssistantToolCall& call) -> acta::Approval {
        if (call.function.name != "ask") return acta::Approval::yes();
        switch (random() % 4) {
            case 0: return acta::Approval::no("Not now.");
            case 1: return acta::Approval::with({{"at", 7}});
            case 2: return acta::Approval::later();
            default: return acta::Approval::yes();
        }
    };
    for (int turn = 0; turn < 4; ++turn) {
        history.register_message(ChatMessage::user("Question " + std::to_string(turn)));
        static_cast<void>(driven::run_agent(model, skills(), history, options));
        if (random() % 2 == 0) history.append_user_feedback("Rather that way.");
        if (random() % 3 == 0 && history.cursor() > 2) history.rewind(1);
    }
}

}  // namespace

TEST_CASE("requests of runs are those that are made anew, for all clients") {
    std::mt19937 random(3);
    for (std::size_t client = 0; client < 4; ++client) {
        CheckingModel model(static_cast<std::uint32_t>(client));
        model.client = client;
        for (int i = 0; i < 6; ++i) {
            CAPTURE(client, i);
            acta::RunOptions options;
            if (i % 2 == 0) options.instructions = "Be brief.";
            if (i == 3) options.native_calls = false;
            if (i > 3) options.budget.keep_recent = 1000;
            if (i == 1) options.budget.full_stride = 1;
            run_all(model, random, options);
        }
        CHECK(model.kept > model.all / 3);
    }
}

TEST_CASE("a request that the program changes is written as it is, and the next one as if it had not been") {
    acta::EpisodicActionHistory<> history;
    history.register_message(ChatMessage::user("When?"));
    acta::RunOptions options;
    std::vector<std::string> firsts;
    options.prepare = [](acta::AskModel& request) {
        request.messages.front().content += "!";
        request.messages.push_back(ChatMessage::user("Quick."));
    };
    const acta::openai::ChatCodec codec({.base_url = "http://localhost/v1", .api_key = ""});
    const auto model = [&](std::span<const ChatMessage> messages, const acta::ChatOptions& asked) {
        acta::ChatOptions plain = asked;
        plain.kept = nullptr;
        CHECK(codec.request(messages, asked).body == codec.request(messages, plain).body);
        firsts.push_back(messages.front().content);
        CHECK(messages.back().content == "Quick.");
        CHECK(messages.size() == 2 * firsts.size());
        acta::ChatCompletion out;
        out.message.content = "Soon.";
        if (firsts.size() < 3) out.message.tool_calls = {{{"c", {"look", {{"at", 1}}}}}};
        return out;
    };
    static_cast<void>(driven::run_agent(model, skills(), history, options));
    CHECK(firsts == std::vector<std::string>(3, "When?!"));
}

TEST_CASE("a request that is kept beyond its run is written as it is") {
    const acta::openai::ChatCodec codec({.base_url = "http://localhost/v1", .api_key = ""});
    std::optional<acta::AskModel> copy;
    std::string body;
    {
        acta::EpisodicActionHistory<> history;
        history.register_message(ChatMessage::user("When?"));
        acta::AgentRun run(skills(), history);
        const auto& request = std::get<acta::AskModel>(run.next());
        copy = request;
        body = codec.request(request.messages, request.options).body;
        CHECK(copy->options.kept->use(request.messages.data(), request.messages.size(), [](const auto&) {}));
    }
    CHECK(codec.request(copy->messages, copy->options).body == body);
    CHECK_FALSE(copy->options.kept->use(copy->messages.data(), copy->messages.size(), [](const auto&) {}));
    copy->messages.front().content = "Where?";
    CHECK(codec.request(copy->messages, copy->options).body != body);
}
