// SPDX-License-Identifier: MIT
// What public reports say of servers and numbers, tried on acta. Each line is `right` or `WRONG`; exit code 1 if one is
// wrong.
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>
#include <acta/provider/anthropic/codec.hpp>
#include <acta/provider/openai/codec.hpp>

#include <cstdio>
#include <iostream>
#include <regex>
#include <string>
using namespace acta;

static int wrong = 0;
static void check(const char* name, bool ok, const std::string& what = {}) {
    std::cout << (ok ? "right " : "WRONG ") << name << (ok || what.empty() ? "" : ": " + what.substr(0, 200)) << "\n";
    wrong += ok ? 0 : 1;
}
static Json messages_of(const std::string& base, std::span<const ChatMessage> m, const ChatOptions& o = {}) {
    const openai::ChatCodec codec({.base_url = base, .model = "m", .api_key = "k"});
    return parse<Json>(codec.request(m, o).body)["messages"];
}
struct Bound {
    std::int64_t v{};
};
template <>
struct acta::Describe<Bound> {
    static constexpr auto fields = acta::fields(required("v", &Bound::v, "", at_most(9007199254740992.0)));
};

int main() {
    // Mistral (gptel#1203, opencode#1680, zed#53034): ids of calls have 9 letters and digits.
    ChatMessage asked = ChatMessage::assistant("", {{"call_PTLP8xhu3uwZk4l3nlnrrJha", {"depth", {}}}});
    asked.reasoning_content = "I look.";
    std::vector<ChatMessage> talk{ChatMessage::user("Depth?"), asked,
                                  ChatMessage::tool("call_PTLP8xhu3uwZk4l3nlnrrJha", "4 m")};
    Json sent = messages_of("https://api.mistral.ai/v1", talk);
    check("Mistral: ids",
          std::regex_match(sent[1]["tool_calls"][0]["id"].get<std::string>(), std::regex("[a-zA-Z0-9]{9}")),
          sent.dump());
    // crush#1590, litellm#30835: 422, `reasoning_content` is not permitted.
    check("Mistral: no reasoning_content", !sent[1].contains("reasoning_content"), sent[1].dump());
    // hermes-agent#20154, goose#5998: Unexpected role 'user' after role 'tool'.
    talk.push_back(ChatMessage::user("Quick."));
    sent = messages_of("https://api.mistral.ai/v1", talk);
    bool follows = false;
    for (std::size_t i = 1; i < sent.size(); ++i) follows |= sent[i]["role"] == "user" && sent[i - 1]["role"] == "tool";
    check("Mistral: no user after a tool", !follows, sent.dump());

    {  // DeepSeek (kimi-cli#2141, camel#4025): the reasoning of all answers of a turn with calls comes back, the last one's too.
        SkillRegistry skills;
        skills.add("depth", "The depth.", [] { return std::string("4 m"); });
        int n = 0;
        Json last;
        auto model = [&](std::span<const ChatMessage> m, const ChatOptions& o) {
            last = messages_of("https://api.deepseek.com", m, o);
            ChatCompletion c;
            c.message.reasoning_content = "thought " + std::to_string(n);
            if (n++ == 0)
                c.message.tool_calls = std::vector<AssistantToolCall>{{"c1", {"depth", {}}}};
            else
                c.message.content = "4 m.";
            return c;
        };
        EpisodicActionHistory<> history;
        history.register_message(ChatMessage::user("How deep?"));
        run_agent(model, skills, history);
        history.register_message(ChatMessage::user("And tomorrow?"));
        run_agent(model, skills, history);
        check("DeepSeek: reasoning of the answer after calls", last.dump().find("thought 1") != std::string::npos,
              last.dump());
    }
    {  // deepseek-harness discussion 739, kimi (opencode#10996): a call without reasoning has the member all the same.
        std::vector<ChatMessage> m{ChatMessage::user("Depth?"), ChatMessage::assistant("", {{"c1", {"depth", {}}}}),
                                   ChatMessage::tool("c1", "4 m")};
        const Json d = messages_of("https://api.deepseek.com", m);
        check("DeepSeek: a call without reasoning", d[1].contains("reasoning_content"), d[1].dump());
        const Json k = messages_of("https://api.moonshot.ai/v1", m);
        check("Kimi: a call without reasoning", k[1].contains("reasoning_content"), k[1].dump());
        m = {ChatMessage::user("Depth?"), ChatMessage::assistant(""), ChatMessage::user("Go on.")};
        const Json e = messages_of("https://api.moonshot.ai/v1", m);  // AstrBot#7200, kimi-code#1985
        bool empty = false;
        for (const Json& one : e)
            empty |= one["role"] == "assistant" && one["content"] == "" && !one.contains("tool_calls");
        check("Kimi: no empty answer", !empty, e.dump());
    }
    {  // hermes-agent#61871, pi#3880, litellm#5017: DeepSeek's tokens from the cache, and what they cost.
        const openai::ChatCodec codec({.base_url = "http://localhost/v1", .model = "m"});
        const std::vector<ChatMessage> m{ChatMessage::user("x")};
        auto reader = codec.reader(m);
        reader.begin(200);
        reader.feed(
            R"({"choices":[{"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1000,"completion_tokens":9,"prompt_cache_hit_tokens":960,"prompt_cache_miss_tokens":40}})");
        const auto usage = reader.finish().completion.usage;
        check("DeepSeek: cached tokens", usage && usage->cached_tokens == 960, usage ? dump(*usage) : "");
    }
    {  // vercel/ai#7543, opencode#7724: with store false an item without encrypted content is not found.
        const openai::ResponsesCodec codec({.base_url = "http://localhost/v1", .model = "o3"});
        std::vector<ChatMessage> m{ChatMessage::user("x")};
        auto reader = codec.reader(m);
        reader.begin(200);
        reader.feed(
            R"({"id":"r","status":"completed","output":[{"type":"reasoning","id":"rs_1","summary":[]},{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Noon.","annotations":[]}]}]})");
        m.push_back(reader.finish().completion.message);
        m.push_back(ChatMessage::user("And?"));
        const std::string body = codec.request(m).body;
        check("Responses: no reasoning that the server does not keep", body.find("rs_1") == std::string::npos, body);
        // openclaw#19582, openai-agents-python#1611: reasoning without the item that follows it.
        auto cut = codec.reader(m);
        cut.begin(200);
        cut.feed(
            R"({"id":"r","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"reasoning","id":"rs_2","summary":[],"encrypted_content":"abc"}]})");
        std::vector<ChatMessage> again{ChatMessage::user("x"), cut.finish().completion.message,
                                       ChatMessage::user("Go on.")};
        const Json input = parse<Json>(codec.request(again).body)["input"];
        bool orphan = false;
        for (std::size_t i = 0; i < input.size(); ++i)
            orphan |= input[i].contains("type") && input[i]["type"] == "reasoning" &&
                      (i + 1 == input.size() || (input[i + 1].contains("role") && input[i + 1]["role"] == "user"));
        check("Responses: no reasoning without a follower", !orphan, input.dump());
    }
    {  // llama.cpp#27367, vllm#41114, Qwen3.8#244: a system message that is not the first is refused by Qwen's template.
        SkillRegistry skills;
        skills.add(
            "out", "O.", [](int i) { return std::string(1500, static_cast<char>('a' + i % 26)); }, param("i"));
        int n = 0, late = 0;
        auto model = [&](std::span<const ChatMessage> m, const ChatOptions&) {
            for (std::size_t i = 1; i < m.size(); ++i)
                late += m[i].role == ChatRole::system && m[i - 1].role != ChatRole::system ? 1 : 0;
            ChatCompletion c;
            c.message.content = n < 30 ? "out(i=" + std::to_string(n) + ")" : "Done.";
            ++n;
            return c;
        };
        EpisodicActionHistory<> history;
        history.register_message(ChatMessage::user("Count."));
        run_agent(model, skills, history, {.native_calls = false, .limits = {.requests = 60}});
        check("text mode: system messages only at the beginning", late == 0,
              std::to_string(late) + " of " + std::to_string(n) + " requests");
    }
    {  // langchain4j#5754, lifi widget#860: numbers beyond 64 bits, for a double as docs/limits.md has it.
        SkillRegistry skills;
        skills.add(
            "pay", "Pays.", [](double amount) { return amount == 1e21 ? "paid" : "?"; }, param("amount"));
        const openai::ChatCodec codec({.base_url = "http://localhost/v1", .model = "m"});
        const std::vector<ChatMessage> m{ChatMessage::user("x")};
        auto reader = codec.reader(m);
        reader.begin(200);
        reader.feed(
            R"({"choices":[{"message":{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"pay","arguments":"{\"amount\": 1000000000000000000000}"}}]},"finish_reason":"tool_calls"}]})");
        const AssistantFunctionCall call = reader.finish().completion.message.tool_calls->front().function;
        const std::string result = to_string(skills.call(call.name, call.arguments));
        check("a wei amount for a double", result == "paid", result);
        // python-jsonschema#166, json-schema-validator#27: bounds of integers beyond 2^53.
        bool refused = false;
        try {
            static_cast<void>(parse<Bound>(R"({"v": 9007199254740993})"));
        } catch (const ValidationError&) {
            refused = true;
        }
        check("a bound of 2^53", refused);
    }
    {  // kimi-cli#1806, openclaw#79179, OmniRoute#13715: Kimi's and Gemini's names begin with a letter.
        SkillRegistry skills;
        skills.add("21st_builder", "Builds.", [] { return 1; });
        const std::string name =
            tools(skills, ToolDialect::openai_chat).tools[0]["function"]["name"].get<std::string>();
        check("a tool's name that every API accepts", std::isalpha(static_cast<unsigned char>(name[0])) != 0, name);
        // langchain-mcp-adapters#137: object schema missing properties; Anthropic: input_schema.type: Field required.
        ChatOptions options;
        options.tools = {ToolDefinition{.name = "now", .description = "The time."}};
        const std::vector<ChatMessage> m{ChatMessage::user("x")};
        const Json openai = parse<Json>(openai::ChatCodec({.base_url = "http://localhost/v1", .model = "m"})
                                            .request(m, options)
                                            .body)["tools"][0]["function"]["parameters"];
        check("OpenAI: a tool without arguments", openai.contains("type") && openai.contains("properties"),
              openai.dump());
        const Json anthropic = parse<Json>(
            anthropic::ChatCodec({.model = "m", .api_key = "k"}).request(m, options).body)["tools"][0]["input_schema"];
        check("Anthropic: a tool without arguments", anthropic.contains("type"), anthropic.dump());
        // sentry-mcp#106, open_deep_research#80: at most 1024 characters.
        SkillRegistry long_ones;
        long_ones.add("search", std::string(1500, 'd'), [] { return 1; });
        const Json described = tools(long_ones, ToolDialect::openai_chat).tools[0]["function"]["description"];
        check("OpenAI: a long description", described.get<std::string>().size() <= 1024,
              std::to_string(described.get<std::string>().size()) + " characters");
    }
    {  // argus#704, blackbox_exporter#38: the clock was set back during a step.
        StepMetrics back;
        back.started_at = parse<Timestamp>("\"2026-05-01T10:00:09Z\"");
        back.finished_at = parse<Timestamp>("\"2026-05-01T09:59:59Z\"");
        MetricsTotals total;
        total.add(back);
        check("time is not negative", total.time.count() >= 0, std::to_string(total.time.count()) + " us");
    }
    return wrong == 0 ? 0 : 1;
}
