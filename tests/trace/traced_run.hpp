// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/trace/tracer.hpp"

// A run that is traced: with calls that succeed, fail and are refused, and an agent that is a tool.
namespace traced {

using History = acta::EpisodicActionHistory<>;
using Spans = std::vector<acta::trace::Span>;

/// A word that no span may have.
inline constexpr const char* key = "sk-proj-0123456789abcdefghijklmnop";

inline acta::ChatCompletion completion(std::string text, std::vector<acta::AssistantToolCall> calls = {}) {
    acta::ChatCompletion out;
    out.message.content = std::move(text);
    out.finish_reason = calls.empty() ? "stop" : "tool_calls";
    if (!calls.empty()) out.message.tool_calls = std::move(calls);
    out.model = "gpt-5-2025";
    out.usage = acta::TokenUsage{.prompt_tokens = 100,
                                 .completion_tokens = 20,
                                 .cached_tokens = 60,
                                 .cache_write_tokens = 30,
                                 .reasoning_tokens = 5};
    return out;
}

inline acta::SkillRegistry skills_of_reader() {
    acta::SkillRegistry out;
    out.add(
        "search", "Searches.", [](const std::string& query, const std::string&) { return "results of " + query; },
        acta::param("query", "What for."), acta::param("api_key", "Of the service.", std::string()));
    return out;
}

inline acta::SkillRegistry skills() {
    acta::SkillRegistry out = skills_of_reader();
    out.add("fail", "Fails.", []() -> std::string { throw std::runtime_error("no such file: diary.txt"); });
    out.add("remove", "Removes everything.", [] { return 1; });
    acta::ScriptedChatModel reader;
    reader.reply(completion("", {{"r1", {"search", {{"query", "depth"}}}}})).reply(completion("12 m"));
    out.add(acta::agent_tool("reader", "Looks things up.", std::move(reader), skills_of_reader()));
    return out;
}

/// Runs the agent on a history, which gets a question.
inline acta::RunResult run(History& history, acta::RunOptions options) {
    acta::ScriptedChatModel model;
    model
        .reply(completion("I look.", {{"c1", {"search", {{"query", "tides"}, {"api_key", "tide-99"}}}},
                                      {"c2", {"fail", {}}},
                                      {"c3", {"remove", {}}}}))
        .reply(completion("", {{"c4", {"reader", {{"task", "How deep is it?"}}}}}))
        .reply(completion(std::string("At 12:15, says ") + key));
    options.approve = [](const acta::AssistantToolCall& call) {
        return call.function.name == "remove" ? acta::Approval::no("Keep it.") : acta::Approval::yes();
    };
    history.register_message(acta::ChatMessage::user("When is high water in Brest?"));
    return acta::run_agent(model, skills(), history, options);
}

/// Returns an attribute as a text; an empty one if there is none.
inline std::string text(const acta::trace::Span& span, std::string_view attribute) {
    const acta::trace::AttributeValue* const value = acta::trace::find(span.attributes, attribute);
    if (value == nullptr) return "";
    if (const auto* const number = std::get_if<std::int64_t>(value)) return std::to_string(*number);
    if (const auto* const flag = std::get_if<bool>(value)) return *flag ? "true" : "false";
    if (const auto* const list = std::get_if<std::vector<std::string>>(value)) return list->front();
    if (const auto* const real = std::get_if<double>(value)) return std::to_string(*real);
    return std::get<std::string>(*value);
}

}  // namespace traced
