// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The history as a user of nlohmann_json writes it: plain structs and the hooks that its manual shows.
namespace plain {

using nlohmann::json;

struct FunctionCall {
    std::string name;
    json arguments = json::object();
};
struct ToolCall {
    std::string id;
    FunctionCall function;
};
struct AssistantMessage {
    std::string content;
    std::optional<std::vector<ToolCall>> tool_calls;
};
struct Proposal {
    std::string thoughts;
    FunctionCall use_tool;
    std::vector<FunctionCall> use_tools;
    std::optional<AssistantMessage> raw_message;
};
struct ErrorInfo {
    std::vector<json> args;
    std::string message;
    std::string exception_type;
    std::string repr;
};
struct Success {
    json outputs;
};
struct Failure {
    std::string reason;
    std::optional<ErrorInfo> error;
};
struct Interrupted {
    std::string feedback;
};
using Result = std::variant<Success, Failure, Interrupted>;
struct ToolResult {
    std::string tool_call_id;
    Result result;
};
struct Metrics {
    std::optional<std::string> started_at;
    std::optional<std::string> finished_at;
    std::optional<std::int64_t> prompt_tokens;
    std::optional<std::int64_t> completion_tokens;
    std::optional<double> cost_usd;
};
struct Episode {
    Proposal action;
    std::optional<Result> result;
    std::optional<std::string> summary;
    std::vector<ToolResult> tool_results;
    std::optional<Metrics> metrics;
};
struct History {
    std::vector<Episode> episodes;
    std::int64_t cursor = 0;
    std::vector<std::string> pending_user_feedback;
};

template <class T>
void get_optional(const json& j, const char* key, std::optional<T>& out) {
    const auto found = j.find(key);
    if (found == j.end() || found->is_null())
        out.reset();
    else
        found->get_to(out.emplace());
}
template <class T>
void get_if_there(const json& j, const char* key, T& out) {
    if (const auto found = j.find(key); found != j.end()) found->get_to(out);
}
template <class T>
json optional_json(const std::optional<T>& value) {
    return value ? json(*value) : json(nullptr);
}

inline void from_json(const json& j, FunctionCall& out) {
    j.at("name").get_to(out.name);
    out.arguments = j.at("arguments");
    if (!out.arguments.is_object()) throw std::runtime_error("arguments: not an object");
}
inline void to_json(json& j, const FunctionCall& value) {
    j = json{{"name", value.name}, {"arguments", value.arguments}};
}

inline void from_json(const json& j, ToolCall& out) {
    j.at("id").get_to(out.id);
    j.at("function").get_to(out.function);
}
inline void to_json(json& j, const ToolCall& value) {
    j = json{{"id", value.id}, {"type", "function"}, {"function", value.function}};
}

inline void from_json(const json& j, AssistantMessage& out) {
    get_if_there(j, "content", out.content);
    get_optional(j, "tool_calls", out.tool_calls);
}
inline void to_json(json& j, const AssistantMessage& value) {
    j = json{{"role", "assistant"}, {"content", value.content}, {"tool_calls", optional_json(value.tool_calls)}};
}

inline void from_json(const json& j, Proposal& out) {
    j.at("thoughts").get_to(out.thoughts);
    j.at("use_tool").get_to(out.use_tool);
    get_if_there(j, "use_tools", out.use_tools);
    get_optional(j, "raw_message", out.raw_message);
}
inline void to_json(json& j, const Proposal& value) {
    j = json{{"thoughts", value.thoughts}, {"use_tool", value.use_tool}};
    if (!value.use_tools.empty()) j["use_tools"] = value.use_tools;
    if (value.raw_message) j["raw_message"] = *value.raw_message;
}

inline void from_json(const json& j, ErrorInfo& out) {
    j.at("args").get_to(out.args);
    j.at("message").get_to(out.message);
    j.at("exception_type").get_to(out.exception_type);
    j.at("repr").get_to(out.repr);
}
inline void to_json(json& j, const ErrorInfo& value) {
    j = json{{"args", value.args},
             {"message", value.message},
             {"exception_type", value.exception_type},
             {"repr", value.repr}};
}

inline Result result_from(const json& j) {
    const auto& status = j.at("status").get_ref<const std::string&>();
    if (status == "success") return Success{j.at("outputs")};
    if (status == "error") {
        Failure out;
        j.at("reason").get_to(out.reason);
        get_optional(j, "error", out.error);
        return out;
    }
    if (status == "interrupted_by_human") return Interrupted{j.at("feedback").get<std::string>()};
    throw std::runtime_error("status: neither success nor error nor interrupted_by_human");
}
inline json result_json(const Result& value) {
    if (const auto* const success = std::get_if<Success>(&value))
        return json{{"outputs", success->outputs}, {"status", "success"}};
    if (const auto* const failure = std::get_if<Failure>(&value))
        return json{{"reason", failure->reason}, {"error", optional_json(failure->error)}, {"status", "error"}};
    return json{{"feedback", std::get<Interrupted>(value).feedback}, {"status", "interrupted_by_human"}};
}

inline void from_json(const json& j, ToolResult& out) {
    j.at("tool_call_id").get_to(out.tool_call_id);
    out.result = result_from(j.at("result"));
}
inline void to_json(json& j, const ToolResult& value) {
    j = json{{"tool_call_id", value.tool_call_id}, {"result", result_json(value.result)}};
}

inline void from_json(const json& j, Metrics& out) {
    get_optional(j, "started_at", out.started_at);
    get_optional(j, "finished_at", out.finished_at);
    get_optional(j, "prompt_tokens", out.prompt_tokens);
    get_optional(j, "completion_tokens", out.completion_tokens);
    get_optional(j, "cost_usd", out.cost_usd);
}
inline void to_json(json& j, const Metrics& value) {
    j = json{{"started_at", optional_json(value.started_at)},
             {"finished_at", optional_json(value.finished_at)},
             {"prompt_tokens", optional_json(value.prompt_tokens)},
             {"completion_tokens", optional_json(value.completion_tokens)},
             {"cost_usd", optional_json(value.cost_usd)}};
}

inline void from_json(const json& j, Episode& out) {
    j.at("action").get_to(out.action);
    if (const json& result = j.at("result"); !result.is_null()) out.result = result_from(result);
    get_optional(j, "summary", out.summary);
    get_if_there(j, "tool_results", out.tool_results);
    get_optional(j, "metrics", out.metrics);
}
inline void to_json(json& j, const Episode& value) {
    j = json{{"action", value.action},
             {"result", value.result ? result_json(*value.result) : json(nullptr)},
             {"summary", optional_json(value.summary)}};
    if (!value.tool_results.empty()) j["tool_results"] = value.tool_results;
    if (value.metrics) j["metrics"] = *value.metrics;
}

inline void from_json(const json& j, History& out) {
    get_if_there(j, "episodes", out.episodes);
    get_if_there(j, "cursor", out.cursor);
    get_if_there(j, "pending_user_feedback", out.pending_user_feedback);
}
inline void to_json(json& j, const History& value) {
    j = json{{"episodes", value.episodes}, {"cursor", value.cursor}};
    if (!value.pending_user_feedback.empty()) j["pending_user_feedback"] = value.pending_user_feedback;
}

}  // namespace plain
