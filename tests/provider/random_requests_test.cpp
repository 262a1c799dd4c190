// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/validators.hpp"
#include "support/catch.hpp"

// Conversations made at random, with what APIs refuse, as each codec sends them to each server.
namespace {

using acta::AssistantToolCall;
using acta::ChatMessage;
using acta::ContentPart;
using acta::Json;
namespace openai = acta::openai;
using Messages = std::vector<ChatMessage>;

/// The same on every machine.
class Conversation {
public:
    explicit Conversation(std::uint32_t seed) : random_(seed) {}

    Messages messages() {
        if (chance(70)) out_.push_back(ChatMessage::system(text()));
        if (chance(20)) out_.push_back(ChatMessage::system("Be brief."));
        if (chance(10)) out_.push_back(answer({}));
        for (std::size_t turns = 1 + below(3); turns > 0; --turns) {
            if (chance(20)) out_.push_back(ChatMessage::system(text()));
            out_.push_back(user());
            for (std::size_t steps = below(3); steps > 0; --steps) add_step();
            if (chance(70)) out_.push_back(answer({}));
            if (chance(10)) out_.push_back(answer({}));
        }
        return std::move(out_);
    }
    acta::ChatOptions options() {
        acta::ChatOptions out;
        for (std::size_t i = below(names().size()); i > 0; --i) {
            if (names()[i].empty()) continue;
            out.tools.push_back({names()[i], std::string(below(3) * 700, 'd'), Json::object()});
            if (chance(30)) out.tools.back().parameters = {{"type", "object"}};
            if (chance(30)) out.tools.back().parameters = {{"properties", {{"a", {{"type", "string"}}}}}};
        }
        return out;
    }

private:
    std::size_t below(std::size_t n) { return random_() % n; }
    bool chance(std::size_t percent) { return below(100) < percent; }
    template <class T>
    const T& one_of(const std::vector<T>& all) {
        return all[below(all.size())];
    }

    static const std::vector<std::string>& names() {
        static const std::vector<std::string> out{"look", "web.search", "web_search", "21st",     "-x",
                                                  "",     "_y",         "l\xC3\xB6",  "tool_21st"};
        return out;
    }
    std::string text() {
        static const std::vector<std::string> out{
            "", " ", "\n\t", "\xC2\xA0", "High. ", "High at six.", "a\nb\n", "\xE6\x97\xA5", "(no text)"};
        return one_of(out);
    }
    std::string id() {
        static const std::vector<std::string> out{"call_0",
                                                  "call_1",
                                                  "call_0_2",
                                                  "a b",
                                                  "a/b",
                                                  "D681PevKs",
                                                  "h\xC3\xA4",
                                                  std::string(80, 'i'),
                                                  "call_abcdefghijklmnop"};
        return one_of(out);
    }

    ContentPart part() {
        static const std::vector<ContentPart> out{
            {.text = "Look."},
            {.text = " "},
            {.type = "image", .media_type = "image/png", .data = "iVBORw0KGgo="},
            {.type = "image", .media_type = "image/jpg", .data = "AAAA"},
            {.type = "image", .media_type = "image/svg+xml", .data = "AAAA"},
            {.type = "image", .url = "https://example.org/a.png"},
            {.type = "audio", .media_type = "audio/wav", .data = "AAAA"},
            {.type = "file", .media_type = "application/pdf", .data = "AAAA", .name = "a.pdf"},
            {.type = "file", .media_type = "text/csv", .data = "YSxiCg==", .name = "a.csv"},
            {.type = "file", .media_type = "application/msword", .data = "AAAA", .name = "a.doc"}};
        return one_of(out);
    }
    void add_parts(ChatMessage& message) {
        for (std::size_t i = 1 + below(3); i > 0; --i) message.parts.push_back(part());
        message.content = acta::parts_text(message.parts);
    }
    ChatMessage user() {
        ChatMessage out = ChatMessage::user(text());
        if (chance(30)) add_parts(out);
        return out;
    }

    /// An answer as one of the APIs sent it, or as a program wrote it.
    ChatMessage answer(const std::vector<AssistantToolCall>& calls) {
        const std::size_t from = below(4);
        if (from == 0) return of_anthropic(calls);
        if (from == 1) return of_responses(calls);
        ChatMessage out = ChatMessage::assistant(text(), calls);
        if (chance(40)) out.reasoning_content = text();
        if (from == 2 && chance(50)) {
            out.extra["openai"] = {{"annotations", Json::array({1})}, {"reasoning", "why"}};
            out.reasoning_content = "why";
        }
        if (chance(10)) out.parts = {{.text = out.content}, {.text = ""}};
        return out;
    }
    ChatMessage of_anthropic(const std::vector<AssistantToolCall>& calls) {
        Json content = Json::array();
        const auto add_some = [&] {
            if (chance(30)) content.push_back({{"type", "text"}, {"text", text()}});
            if (chance(40)) content.push_back({{"type", "thinking"}, {"thinking", text()}, {"signature", "c2ln"}});
            if (chance(10)) content.push_back({{"type", "redacted_thinking"}, {"data", "eA=="}});
            if (chance(10)) {
                content.push_back({{"type", "mcp_tool_use"}, {"id", "m"}, {"name", "f"}, {"input", Json::object()}});
                content.push_back({{"type", "mcp_tool_result"},
                                   {"tool_use_id", "m"},
                                   {"content", Json::array({{{"type", "text"}, {"text", text()}}})}});
            }
            if (chance(30)) content.push_back({{"type", "text"}, {"text", text()}, {"citations", Json::array()}});
        };
        add_some();
        for (const AssistantToolCall& call : calls)
            content.push_back(
                {{"type", "tool_use"}, {"id", call.id}, {"name", call.function.name}, {"input", Json::object()}});
        if (calls.empty() || chance(20)) add_some();
        return acta::anthropic::from_wire(Json::array({{{"role", "assistant"}, {"content", content}}})).front();
    }
    ChatMessage of_responses(const std::vector<AssistantToolCall>& calls) {
        Json items = Json::array();
        const auto add_reasoning = [&] {
            if (chance(60)) return;
            items.push_back({{"type", "reasoning"}, {"id", "rs"}, {"summary", Json::array()}});
            if (chance(50)) items.back()["encrypted_content"] = chance(80) ? Json("abc") : Json(nullptr);
        };
        add_reasoning();
        add_reasoning();
        if (chance(50)) {
            const Json said = Json::array({{{"type", "output_text"}, {"text", text()}}});
            items.push_back({{"type", "message"}, {"id", "msg"}, {"role", "assistant"}, {"content", said}});
        }
        add_reasoning();
        for (const AssistantToolCall& call : calls)
            items.push_back(
                {{"type", "function_call"}, {"call_id", call.id}, {"name", call.function.name}, {"arguments", "{}"}});
        if (chance(30)) add_reasoning();
        if (items.empty()) return ChatMessage::assistant("", calls);
        return openai::responses::from_wire(items).front();
    }

    /// Calls, all of them answered, some twice.
    void add_step() {
        std::vector<AssistantToolCall> calls;
        for (std::size_t i = 1 + below(3); i > 0; --i) calls.push_back({id(), {one_of(names()), {}}});
        out_.push_back(answer(calls));
        std::vector<std::string> order;
        for (const AssistantToolCall& call : calls) order.push_back(call.id);
        if (chance(10)) order.push_back(order.front());
        std::ranges::shuffle(order, random_);
        const bool has_parts = chance(30);
        for (const std::string& one : order) {
            ChatMessage result = ChatMessage::tool(one, text(), !has_parts && chance(30));
            if (has_parts && chance(60)) add_parts(result);
            out_.push_back(std::move(result));
        }
        if (chance(10)) out_.push_back(ChatMessage::system("Hurry."));
        if (chance(15)) out_.push_back(ChatMessage::user("Quick."));
    }

    std::mt19937 random_;
    Messages out_{};
};

struct RandomRequest {
    Messages messages{};
    acta::ChatOptions options{};
};

/// The same for each test.
const std::vector<RandomRequest>& random_requests() {
    static const std::vector<RandomRequest> all = [] {
        std::vector<RandomRequest> out;
        for (std::uint32_t seed = 0; seed < 200; ++seed) {
            Conversation random(seed);
            out.push_back({random.messages(), random.options()});
        }
        return out;
    }();
    return all;
}

/// Checks the requests of a codec.
template <class Check>
void check_all(const acta::HttpChatCodec& codec, const Check& broken_in) {
    for (const RandomRequest& one : random_requests()) {
        const Json body = acta::parse<Json>(codec.request(one.messages, one.options).body);
        const validators::Broken broken = broken_in(body);
        if (!broken.empty()) FAIL_CHECK(broken.front() + "\n" + body.dump() + "\n" + acta::dump(one.messages));
    }
}

}  // namespace

TEST_CASE("there are rules for every known server") {
    for (const openai::KnownServer& server : openai::known_servers()) {
        INFO(server.host);
        CHECK(std::ranges::count(validators::chat_rules, server.host, &validators::ChatRules::host) == 1);
    }
    CHECK(std::size(validators::chat_rules) == openai::known_servers().size() + 1);
}

TEST_CASE("every server of chat completions takes every request") {
    for (const validators::ChatRules& rules : validators::chat_rules) {
        INFO(rules.host);
        const openai::ChatCodec codec({.base_url = "https://" + std::string(rules.host) + "/v1", .api_key = ""});
        check_all(codec, [&](const Json& body) { return validators::openai_chat(body, rules); });
    }
}

TEST_CASE("servers refuse requests for others") {
    for (const validators::ChatRules& rules : validators::chat_rules) {
        INFO(rules.host);
        const std::string base = "https://" + std::string(rules.host) + "/v1";
        const openai::ChatCodec codec({.base_url = base, .api_key = "", .server = openai::ServerTraits()});
        const bool is_refused = std::ranges::any_of(random_requests(), [&](const RandomRequest& one) {
            const Json body = acta::parse<Json>(codec.request(one.messages, one.options).body);
            return !validators::openai_chat(body, rules).empty();
        });
        CHECK(is_refused == (rules.host != "localhost"));
    }
}

TEST_CASE("OpenAI's Responses API takes every request") {
    const openai::ResponsesCodec codec({.api_key = ""});
    check_all(codec, [](const Json& body) { return validators::openai_responses(body, 1024); });
}

TEST_CASE("Anthropic's API takes every request") {
    const acta::anthropic::ChatCodec codec({.api_key = ""});
    check_all(codec, [](const Json& body) { return validators::anthropic(body); });
}
