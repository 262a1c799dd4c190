// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "acta/chat/extension.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/validators.hpp"
#include "support/catch.hpp"

// Conversations made at random, with what APIs refuse, as each codec sends them to each server, also where it keeps
// what it has written of a run's earlier requests.
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

/// Sends the beginnings of conversations as a run does, whose next request mostly has the messages of the one before,
/// and checks that each request is that of a codec which keeps nothing. Returns how many requests used what was kept.
std::size_t check_kept(const acta::HttpChatCodec& codec, std::mt19937& random) {
    std::size_t used = 0;
    acta::ChatOptions options;
    options.kept = std::make_shared<acta::chat_extension::KeptRequest>();
    Messages sent;
    for (std::size_t i = 0; i < 14; ++i) {
        const RandomRequest& one = random_requests()[i];
        const std::size_t first = random() % 3 == 0 ? sent.size() : random() % (sent.size() + 1);
        std::size_t same = first;
        sent.resize(first);
        if (i % 4 == 0) options.tools = one.options.tools;
        for (std::size_t next = 0; next < one.messages.size();) {
            for (std::size_t n = 1 + random() % 4; n > 0 && next < one.messages.size(); --n) {
                // Without the user's message, the turn continues.
                if (one.messages[next].role == acta::ChatRole::user && !sent.empty() && random() % 2 == 0) ++next;
                if (next < one.messages.size()) sent.push_back(one.messages[next++]);
            }
            options.kept->set(sent.data(), sent.size(), same);
            same = sent.size();
            options.kept->use(sent.data(), sent.size(),
                              [&](const auto& written) { used += written.count != 0 ? 1 : 0; });
            acta::ChatOptions plain = options;
            plain.kept = nullptr;
            REQUIRE(codec.request(sent, options).body == codec.request(sent, plain).body);
            // Copies are written as they are.
            Messages other = sent;
            other.front().content += "!";
            other.front().parts.clear();
            REQUIRE(codec.request(other, options).body == codec.request(other, plain).body);
        }
    }
    return used;
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

TEST_CASE("requests of a run are those of a codec that keeps nothing") {
    std::mt19937 random(5);
    for (const validators::ChatRules& rules : validators::chat_rules) {
        INFO(rules.host);
        const openai::ChatCodec codec({.base_url = "https://" + std::string(rules.host) + "/v1", .api_key = ""});
        CHECK(check_kept(codec, random) > 15);
    }
    CHECK(check_kept(openai::ResponsesCodec({.api_key = ""}), random) > 15);
    CHECK(check_kept(openai::ResponsesCodec({.api_key = "", .extra = {{"store", true}}}), random) > 15);
    CHECK(check_kept(acta::anthropic::ChatCodec({.api_key = ""}), random) > 5);
    CHECK(check_kept(acta::anthropic::ChatCodec({.api_key = "", .cache = false}), random) > 5);
}

TEST_CASE("what a later message changes is not kept") {
    const std::vector<AssistantToolCall> call{{"x", {"look", {}}}};
    const std::vector<AssistantToolCall> other{{"y", {"look", {}}}};
    const std::vector<AssistantToolCall> same_ids{{"x", {"look", {}}}, {"x", {"look", {{"at", 1}}}}};
    const auto thought = [](ChatMessage message) {
        message.reasoning_content = "why";
        return message;
    };
    const auto with_parts = [](ChatMessage message) {
        message.parts = {{.text = message.content}};
        return message;
    };
    const auto marked = [](ChatMessage message) {
        message.parts = {{.text = message.content}};
        message.parts[0].extra["anthropic"] = {{"cache_control", {{"type", "ephemeral"}}}};
        return message;
    };
    const auto picture = [] {
        ChatMessage out = ChatMessage::tool("x", "");
        out.parts = {{.type = "image", .media_type = "image/png", .data = "AAAA"}};
        return out;
    };
    const std::vector<Messages> conversations{
        // Reasoning that goes back once the turn has a call.
        {ChatMessage::user("?"), thought(ChatMessage::assistant("Wait.")), thought(ChatMessage::assistant("", call)),
         ChatMessage::tool("x", "1"), thought(ChatMessage::assistant("1."))},
        // Results of calls with one id, and several results of a call.
        {ChatMessage::user("?"), ChatMessage::assistant("", same_ids), ChatMessage::tool("x", "1"),
         ChatMessage::tool("x", "2"), ChatMessage::user("Quick."), ChatMessage::user("Please.")},
        {ChatMessage::user("?"), ChatMessage::assistant("", call), ChatMessage::tool("x", "1"),
         ChatMessage::tool("x", "2"), ChatMessage::tool("x", "3"), ChatMessage::assistant("", other),
         ChatMessage::tool("y", "4"), ChatMessage::assistant("4."), ChatMessage::user("Thanks.")},
        // Marks, of which Anthropic's API takes four.
        {marked(ChatMessage::user("1")), ChatMessage::assistant("2"), marked(ChatMessage::user("3")),
         ChatMessage::assistant("4"), marked(ChatMessage::user("5")), ChatMessage::assistant("6"),
         ChatMessage::user("7"), ChatMessage::assistant("8"), ChatMessage::user("9")},
        // Pictures after the results, and a system's message between them.
        {ChatMessage::user("?"), ChatMessage::assistant("", call), picture(), ChatMessage::system("Brief."), picture(),
         ChatMessage::assistant("1.")},
        // Instructions in parts.
        {with_parts(ChatMessage::system("Brief.")), ChatMessage::user("?"), ChatMessage::assistant("1."),
         ChatMessage::user("?"), ChatMessage::system("Very."), ChatMessage::user("?")},
        // Instructions alone, and an answer that continues the one before.
        {ChatMessage::system("Brief."), ChatMessage::system("Very."), ChatMessage::assistant("So "),
         ChatMessage::assistant("far. "), ChatMessage::user("?")}};
    std::vector<std::unique_ptr<acta::HttpChatCodec>> codecs;
    for (const validators::ChatRules& rules : validators::chat_rules)
        codecs.push_back(std::make_unique<openai::ChatCodec>(
            openai::Options{.base_url = "https://" + std::string(rules.host) + "/v1", .api_key = ""}));
    codecs.push_back(std::make_unique<openai::ResponsesCodec>(openai::Options{.api_key = ""}));
    codecs.push_back(std::make_unique<acta::anthropic::ChatCodec>(acta::anthropic::Options{.api_key = ""}));
    for (std::size_t c = 0; c < codecs.size(); ++c) {
        for (std::size_t i = 0; i < conversations.size(); ++i) {
            acta::ChatOptions options;
            options.kept = std::make_shared<acta::chat_extension::KeptRequest>();
            Messages sent;
            for (const ChatMessage& message : conversations[i]) {
                sent.push_back(message);
                CAPTURE(c, i, sent.size());
                options.kept->set(sent.data(), sent.size(), sent.size() - 1);
                REQUIRE(codecs[c]->request(sent, options).body == codecs[c]->request(Messages(sent)).body);
            }
        }
    }
}

TEST_CASE("nothing is kept of a request that cannot be written") {
    const openai::ChatCodec codec({.base_url = "http://localhost/v1", .api_key = ""});
    acta::ChatOptions options;
    options.kept = std::make_shared<acta::chat_extension::KeptRequest>();
    Messages sent{ChatMessage::user("When?")};
    const auto body = [&](std::size_t same) {
        options.kept->set(sent.data(), sent.size(), same);
        return codec.request(sent, options).body;
    };
    const std::string first = body(0);
    sent.push_back(ChatMessage::assistant("\xFF"));
    CHECK_THROWS_AS(body(1), acta::EncodeError);
    sent.pop_back();
    CHECK(body(1) == first);
    sent.push_back(ChatMessage::assistant("At noon."));
    const std::string second = body(1);
    CHECK(second == codec.request(Messages(sent)).body);
}

TEST_CASE("codecs that share the requests of a run do not use what others have written") {
    std::mt19937 random(6);
    acta::ChatOptions options;
    options.kept = std::make_shared<acta::chat_extension::KeptRequest>();
    const openai::ChatCodec chat({.base_url = "http://localhost/v1", .api_key = ""});
    const openai::ResponsesCodec responses({.api_key = ""});
    const acta::anthropic::ChatCodec anthropic({.api_key = ""});
    const std::vector<const acta::HttpChatCodec*> codecs{&chat, &responses, &anthropic};
    Messages sent;
    for (int i = 0; i < 60; ++i) {
        sent.push_back(ChatMessage::user(std::to_string(i)));
        options.kept->set(sent.data(), sent.size(), sent.size() - 1);
        const acta::HttpChatCodec& codec = *codecs[random() % codecs.size()];
        REQUIRE(codec.request(sent, options).body == codec.request(Messages(sent)).body);
    }
}
