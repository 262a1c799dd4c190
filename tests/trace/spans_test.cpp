// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/json/json.hpp"
#include "acta/schema/validator.hpp"
#include "acta/trace/tracer.hpp"
#include "support/catch.hpp"
#include "trace/traced_run.hpp"

// The spans of runs: from events, and from the record.
namespace {

using acta::Json;
using acta::trace::AttributeValue;
using acta::trace::Span;
using acta::trace::SpanKind;
using acta::trace::spans_of;
using acta::trace::TraceOptions;
using acta::trace::TraceParent;
using acta::trace::Tracer;
using traced::History;
using traced::Spans;
using traced::text;

struct Traced {
    History history{};
    Spans live{};
    acta::RunResult result{};
};

Traced traced_run(const TraceOptions& options = {}) {
    Traced out;
    acta::RunOptions run;
    run.on_event = Tracer([&](Span span) { out.live.push_back(std::move(span)); }, options);
    out.result = traced::run(out.history, run);
    return out;
}

TraceOptions named() {
    return {.agent_name = "harbour", .provider = "openai", .model = "gpt-5", .record_id = "tides/7"};
}

const Span& find(const Spans& spans, std::string_view name, std::size_t which = 0) {
    for (const Span& one : spans) {
        if (one.name == name && which-- == 0) return one;
    }
    throw std::out_of_range(std::string(name));
}

/// Returns each span with the names of those around it, and what both ways of tracing know of it.
std::vector<std::string> tree(const Spans& spans) {
    std::map<std::string, const Span*> by_id;
    for (const Span& one : spans) by_id[one.span_id] = &one;
    std::vector<std::string> out;
    for (const Span& one : spans) {
        std::string line;
        for (const Span* up = &one; up != nullptr;) {
            line = up->name + (line.empty() ? "" : " > ") + line;
            const auto parent = by_id.find(up->parent_id);
            up = parent == by_id.end() ? nullptr : parent->second;
        }
        out.push_back(line + (one.is_error ? " !" : ""));
    }
    std::ranges::sort(out);
    return out;
}

}  // namespace

TEST_CASE("a run is a tree of spans") {
    const Traced run = traced_run(named());
    REQUIRE(run.result.end == acta::RunEnd::answered);
    CHECK(tree(run.live) ==
          std::vector<std::string>{
              "invoke_agent harbour", "invoke_agent harbour > chat gpt-5", "invoke_agent harbour > chat gpt-5",
              "invoke_agent harbour > chat gpt-5", "invoke_agent harbour > execute_tool fail !",
              "invoke_agent harbour > execute_tool reader",
              "invoke_agent harbour > execute_tool reader > invoke_agent reader",
              "invoke_agent harbour > execute_tool reader > invoke_agent reader > chat gpt-5",
              "invoke_agent harbour > execute_tool reader > invoke_agent reader > chat gpt-5",
              "invoke_agent harbour > execute_tool reader > invoke_agent reader > execute_tool search",
              "invoke_agent harbour > execute_tool remove", "invoke_agent harbour > execute_tool search"});
    std::set<std::string> ids;
    for (const Span& one : run.live) {
        CHECK(one.trace_id == run.live.front().trace_id);
        CHECK(one.end >= one.start);
        CHECK(ids.insert(one.span_id).second);
    }
    CHECK(run.live.back().name == "invoke_agent harbour");
    CHECK(run.live.back().parent_id.empty());
}

TEST_CASE("the record has the tree that events have") {
    const bool content = GENERATE(false, true);
    TraceOptions options = named();
    options.content = content;
    const Traced run = traced_run(options);
    const Spans recorded = spans_of(run.history, options);
    CHECK(tree(recorded) == tree(run.live));
    std::map<std::string, const Span*> live;
    for (const Span& one : run.live) live[one.span_id] = &one;
    for (const Span& one : recorded) {
        CAPTURE(one.name);
        REQUIRE(live.contains(one.span_id));
        const Span& other = *live[one.span_id];
        CHECK(one.trace_id == other.trace_id);
        CHECK(one.parent_id == other.parent_id);
        CHECK(one.kind == other.kind);
        CHECK(one.is_error == other.is_error);
        CHECK(one.error_message == other.error_message);
        for (const auto& [key, value] : one.attributes) {
            CAPTURE(key);
            if (key == "acta.time.shared_with_step") continue;
            const AttributeValue* const same = acta::trace::find(other.attributes, key);
            REQUIRE(same != nullptr);
            CHECK(*same == value);
        }
    }
    CHECK(spans_of(run.history, options) == recorded);
    CHECK(spans_of(acta::parse<History>(acta::dump(run.history)), options) == recorded);
}

TEST_CASE("spans have the attributes of the conventions") {
    TraceOptions options = named();
    options.agent_description = "Knows the harbour.";
    options.conversation_id = "session 5";
    options.server_address = "api.openai.com";
    options.server_port = 443;
    const bool is_live = GENERATE(true, false);
    const Traced run = traced_run(options);
    const Spans spans = is_live ? run.live : spans_of(run.history, options);

    const Span& agent = find(spans, "invoke_agent harbour");
    CHECK(agent.kind == SpanKind::internal);
    CHECK(text(agent, "gen_ai.operation.name") == "invoke_agent");
    CHECK(text(agent, "gen_ai.agent.name") == "harbour");
    CHECK(text(agent, "gen_ai.agent.description") == "Knows the harbour.");
    CHECK(text(agent, "gen_ai.conversation.id") == "session 5");
    CHECK(text(agent, "gen_ai.usage.input_tokens") == "500");  // those of the reader too
    CHECK(text(agent, "gen_ai.usage.output_tokens") == "100");
    CHECK(text(agent, "gen_ai.response.finish_reasons") == "stop");
    CHECK(text(agent, "acta.run.end") == "answered");
    CHECK(text(agent, "acta.run.requests") == "3");
    // Removed from it by the conventions.
    for (const char* const key : {"gen_ai.provider.name", "gen_ai.agent.id", "gen_ai.usage.cache_read.input_tokens",
                                  "gen_ai.usage.cache_write.input_tokens", "gen_ai.request.model"})
        CHECK(text(agent, key).empty());

    const Span& chat = find(spans, "chat gpt-5");
    CHECK(chat.kind == SpanKind::client);
    CHECK(text(chat, "gen_ai.operation.name") == "chat");
    CHECK(text(chat, "gen_ai.provider.name") == "openai");
    CHECK(text(chat, "gen_ai.request.model") == "gpt-5");
    CHECK(text(chat, "gen_ai.response.model") == "gpt-5-2025");
    CHECK(text(chat, "gen_ai.response.finish_reasons") == "tool_call");
    CHECK(text(chat, "gen_ai.usage.input_tokens") == "100");
    CHECK(text(chat, "gen_ai.usage.output_tokens") == "20");
    CHECK(text(chat, "gen_ai.usage.cache_read.input_tokens") == "60");
    CHECK(text(chat, "gen_ai.usage.cache_write.input_tokens") == "30");
    CHECK(text(chat, "gen_ai.usage.reasoning.output_tokens") == "5");
    CHECK(text(chat, "gen_ai.conversation.id") == "session 5");
    CHECK(text(chat, "server.address") == "api.openai.com");
    CHECK(text(chat, "server.port") == "443");

    const Span& tool = find(spans, "execute_tool search");
    CHECK(tool.kind == SpanKind::internal);
    CHECK(text(tool, "gen_ai.operation.name") == "execute_tool");
    CHECK(text(tool, "gen_ai.tool.name") == "search");
    CHECK(text(tool, "gen_ai.tool.type") == "function");
    CHECK(text(tool, "gen_ai.tool.call.id") == "c1");
    CHECK(text(tool, "gen_ai.agent.name") == "harbour");
    CHECK(text(tool, "acta.result.status") == "success");
    CHECK(text(tool, "gen_ai.tool.description") == (is_live ? "Searches." : ""));
    CHECK(text(find(spans, "execute_tool fail"), "error.type") == "runtime_error");
    CHECK(text(find(spans, "execute_tool remove"), "acta.result.status") == "interrupted_by_human");
    CHECK(text(find(spans, "execute_tool remove"), "error.type").empty());
    CHECK(text(chat, "acta.time.shared_with_step") == (is_live ? "" : "true"));
}

TEST_CASE("spans say what a request asks for, and how its answer arrives") {
    Spans spans;
    acta::RunOptions options;
    options.chat.model = "mistral-large";
    options.chat.temperature = 0.5;
    options.chat.max_tokens = 300;
    options.chat.response_schema = acta::Json::object();
    options.on_event = Tracer([&](Span span) { spans.push_back(std::move(span)); }, {.provider = "mistral_ai"});
    const auto model = [](std::span<const acta::ChatMessage>, const acta::ChatOptions& asked) {
        asked.on_event(acta::TextDelta{"At"});
        asked.on_event(acta::TextDelta{" noon."});
        return traced::completion("At noon.");
    };
    History history;
    history.register_message(acta::ChatMessage::user("When?"));
    acta::run_agent(model, acta::SkillRegistry(), history, options);
    REQUIRE(spans.size() == 2);
    const Span& chat = spans.front();
    CHECK(chat.name == "chat mistral-large");
    CHECK(text(chat, "gen_ai.request.model") == "mistral-large");
    CHECK(text(chat, "gen_ai.request.temperature") == "0.500000");
    CHECK(text(chat, "gen_ai.request.max_tokens") == "300");
    CHECK(text(chat, "gen_ai.output.type") == "json");
    CHECK(text(chat, "gen_ai.request.stream") == "true");
    CHECK(!text(chat, "gen_ai.response.time_to_first_chunk").empty());
    CHECK(spans.back().name == "invoke_agent");
}

TEST_CASE("spans have no content unless it is asked for") {
    const Traced run = traced_run(named());
    for (const Spans& spans : {run.live, spans_of(run.history, named())}) {
        const std::string body = acta::trace::to_otlp(spans);
        for (const char* const word : {"tides\"", "results of", "Keep it", "diary", "high water", "12:15", "I look",
                                       "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.tool.call.arguments",
                                       "gen_ai.tool.call.result", "gen_ai.tool.definitions", traced::key}) {
            CAPTURE(word);
            CHECK(body.find(word) == std::string::npos);
        }
    }
}

TEST_CASE("content passes the redactor, and words that look like keys are masked") {
    TraceOptions options = named();
    options.content = true;
    options.redactor = [](std::string_view given) {
        std::string out(given);
        for (std::size_t at = 0; (at = out.find("Brest", at)) != std::string::npos;) out.replace(at, 5, "[port]");
        return out;
    };
    const Traced run = traced_run(options);
    for (const Spans& spans : {run.live, spans_of(run.history, options)}) {
        const std::string body = acta::trace::to_otlp(spans);
        for (const char* const word : {traced::key, "tide-99", "Brest"}) {
            CAPTURE(word);
            CHECK(body.find(word) == std::string::npos);
        }
        CHECK(text(find(spans, "execute_tool search"), "gen_ai.tool.call.arguments") ==
              R"({"query":"tides","api_key":"[secret]"})");
        CHECK(text(find(spans, "execute_tool search"), "gen_ai.tool.call.result") ==
              R"({"result":"results of tides"})");
        CHECK(text(find(spans, "execute_tool remove"), "gen_ai.tool.call.result") == R"({"feedback":"Keep it."})");
        CHECK(find(spans, "execute_tool fail").error_message == "no such file: diary.txt");
        CHECK(text(find(spans, "invoke_agent harbour"), "gen_ai.input.messages") ==
              R"([{"role":"user","parts":[{"type":"text","content":"When is high water in [port]?"}]}])");
        CHECK(text(find(spans, "invoke_agent harbour"), "gen_ai.output.messages") ==
              R"([{"role":"assistant","parts":[{"type":"text","content":"At 12:15, says [secret]"}],)"
              R"("finish_reason":"stop"}])");
    }
}

TEST_CASE("texts of the content are cut") {
    TraceOptions options{.content = true, .max_text_bytes = 6};
    History history;
    history.register_action({.use_tool = {"say", {{"text", "Häfen und Häfen"}}}});
    history.register_result(acta::ActionSuccessResult{.outputs = {"one", "three hundred"}});
    const Spans spans = spans_of(history, options);
    CHECK(text(find(spans, "execute_tool say"), "gen_ai.tool.call.arguments") == R"({"text":"Häfen..."})");
    CHECK(text(find(spans, "execute_tool say"), "gen_ai.tool.call.result") == R"({"result":["one","three ..."]})");
    CHECK(text(find(spans, "execute_tool say"), "acta.result.status") == "success");
}

TEST_CASE("messages have the form of the conventions") {
    // The rules of gen-ai-input-messages.json and gen-ai-output-messages.json: what is required of each part.
    const Json schema = acta::parse<Json>(R"({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["role", "parts"],
            "properties": {
                "role": {"enum": ["system", "user", "assistant", "tool"]},
                "finish_reason": {"type": "string"},
                "parts": {"type": "array", "items": {"anyOf": [
                    {"type": "object", "required": ["type", "content"],
                     "properties": {"type": {"enum": ["text", "reasoning"]}, "content": {"type": "string"}}},
                    {"type": "object", "required": ["type", "name"],
                     "properties": {"type": {"const": "tool_call"}, "id": {"type": "string"},
                                    "name": {"type": "string"}}},
                    {"type": "object", "required": ["type", "response"],
                     "properties": {"type": {"const": "tool_call_response"}, "id": {"type": "string"}}},
                    {"type": "object", "required": ["type"],
                     "properties": {"type": {"const": "generic"}, "generic_type": {"type": "string"}}}
                ]}}
            }
        }
    })");
    const acta::SchemaValidator validator(schema);
    TraceOptions options = named();
    options.content = true;
    const Traced run = traced_run(options);
    std::size_t messages = 0;
    for (const Spans& spans : {run.live, spans_of(run.history, options)}) {
        for (const Span& one : spans) {
            for (const char* const key : {"gen_ai.input.messages", "gen_ai.output.messages"}) {
                if (text(one, key).empty()) continue;
                const Json list = acta::parse<Json>(text(one, key));
                CHECK(validator.issues(list).empty());
                messages += list.size();
            }
            for (const char* const key : {"gen_ai.tool.call.arguments", "gen_ai.tool.call.result"}) {
                if (one.name.starts_with("execute_tool")) CHECK(acta::parse<Json>(text(one, key)).is_object());
            }
        }
    }
    CHECK(messages > 20);
    History thought;
    thought.register_answer({.content = "Noon.", .reasoning_content = "It is spring."}, acta::StepMetrics{});
    CHECK(text(spans_of(thought, options).front(), "gen_ai.output.messages") ==
          R"([{"role":"assistant","parts":[{"type":"reasoning","content":"It is spring."},)"
          R"({"type":"text","content":"Noon."}],"finish_reason":"stop"}])");
    const std::string asked = text(find(run.live, "chat gpt-5", 1), "gen_ai.input.messages");
    CHECK_THAT(asked, contains_text(R"({"type":"tool_call","id":"c2","name":"fail","arguments":{}})"));
    CHECK_THAT(asked, contains_text(R"({"role":"tool","parts":[{"type":"tool_call_response","id":"c1",)"));
    CHECK_THAT(text(find(run.live, "chat gpt-5"), "gen_ai.tool.definitions"),
               starts_with_text(R"([{"type":"function","name":"search","description":"Searches.","parameters":{)"));
}

TEST_CASE("each request has its own messages and tools, also where they differ from those of the one before") {
    Spans spans;
    std::size_t redacted = 0;
    TraceOptions options{.content = true};
    options.redactor = [&](std::string_view shown) {
        redacted += shown.find("Brest") != std::string_view::npos ? 1 : 0;
        return std::string(shown);
    };
    const Tracer tracer([&](Span span) { spans.push_back(std::move(span)); }, options);
    std::size_t number = 0;
    const auto ask = [&](std::vector<acta::ChatMessage> messages, acta::ToolList tools) {
        acta::AskModel request;
        request.messages = std::move(messages);
        request.options.tools = std::move(tools);
        tracer(acta::RequestStarted{++number, request});
        tracer(acta::RequestCompleted{number, acta::ChatCompletion()});
        return std::pair(text(spans.back(), "gen_ai.input.messages"), text(spans.back(), "gen_ai.tool.definitions"));
    };
    const auto user = [](std::string_view words) {
        return R"({"role":"user","parts":[{"type":"text","content":")" + std::string(words) + R"("}]})";
    };
    const acta::ChatMessage brest = acta::ChatMessage::user("Brest?");
    const acta::ToolList search{{"search", "Searches."}};
    const std::string definition = R"([{"type":"function","name":"search","description":"Searches.","parameters":)";
    const auto first = ask({brest}, search);
    CHECK(first.first == "[" + user("Brest?") + "]");
    CHECK_THAT(first.second, starts_with_text(definition));
    const std::size_t once = redacted;
    const auto second = ask({brest, acta::ChatMessage::user("Again.")}, search);
    CHECK(second.first == "[" + user("Brest?") + "," + user("Again.") + "]");
    CHECK(second.second == first.second);
    CHECK(redacted == once);
    CHECK(ask({acta::ChatMessage::user("Le Havre?"), brest}, {}) ==
          std::pair("[" + user("Le Havre?") + "," + user("Brest?") + "]", std::string()));
    CHECK(ask({acta::ChatMessage(), brest, acta::ChatMessage()}, {}).first ==
          R"([{"role":"user","parts":[]},)" + user("Brest?") + R"(,{"role":"user","parts":[]}])");
    acta::ChatMessage shown = acta::ChatMessage::user("See.");
    shown.parts = {{.text = "See."}, {.type = "image", .media_type = "image/png", .data = "AAAA"}};
    CHECK(ask({shown}, {}).first == R"([{"role":"user","parts":[{"type":"text","content":"See."},)"
                                    R"({"type":"generic","content":"<image/png, 3 bytes>","generic_type":"image"}]}])");
    const auto last = ask({brest}, {{"sail", "Sails."}});
    CHECK(last.first == first.first);
    CHECK_THAT(last.second, contains_text(R"("name":"sail")"));
}
