// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "acta/describe/constraints.hpp"
#include "acta/json/json.hpp"

// The structs of bench/nlohmann_model.hpp, described for acta: what a model of one's own costs, without acta's history.
namespace described {

struct FunctionCall {
    std::string name{};
    acta::JsonObject arguments{};
};
struct ToolCall {
    std::string id{};
    FunctionCall function{};
};
struct AssistantMessage {
    std::string content{};
    std::optional<std::vector<ToolCall>> tool_calls{};
};
struct Proposal {
    std::string thoughts{};
    FunctionCall use_tool{};
    std::vector<FunctionCall> use_tools{};
    std::optional<AssistantMessage> raw_message{};
};
struct ErrorInfo {
    std::vector<acta::Json> args{};
    std::string message{};
    std::string exception_type{};
    std::string repr{};
};
struct Success {
    acta::Json outputs{};
};
struct Failure {
    std::string reason{};
    std::optional<ErrorInfo> error{};
};
struct Interrupted {
    std::string feedback{};
};
using Result = std::variant<Success, Failure, Interrupted>;
struct ToolResult {
    std::string tool_call_id{};
    Result result{};
};
struct Metrics {
    std::optional<std::string> started_at{};
    std::optional<std::string> finished_at{};
    std::optional<std::int64_t> prompt_tokens{};
    std::optional<std::int64_t> completion_tokens{};
    std::optional<double> cost_usd{};
};
struct Episode {
    Proposal action{};
    std::optional<Result> result{};
    std::optional<std::string> summary{};
    std::vector<ToolResult> tool_results{};
    std::optional<Metrics> metrics{};
};
struct History {
    std::vector<Episode> episodes{};
    std::int64_t cursor = 0;
    std::vector<std::string> pending_user_feedback{};
};

}  // namespace described

template <>
struct acta::Describe<described::FunctionCall> {
    static constexpr auto fields = acta::fields(acta::required("name", &described::FunctionCall::name),
                                                acta::required("arguments", &described::FunctionCall::arguments));
};
template <>
struct acta::Describe<described::ToolCall> {
    static constexpr auto fields =
        acta::fields(acta::required("id", &described::ToolCall::id), acta::required_literal("type", "function"),
                     acta::required("function", &described::ToolCall::function));
};
template <>
struct acta::Describe<described::AssistantMessage> {
    static constexpr auto fields = acta::fields(
        acta::literal("role", "assistant"), acta::defaulted("content", &described::AssistantMessage::content),
        acta::defaulted("tool_calls", &described::AssistantMessage::tool_calls));
};
template <>
struct acta::Describe<described::Proposal> {
    using Self = described::Proposal;
    static constexpr auto fields = acta::fields(
        acta::required("thoughts", &Self::thoughts), acta::required("use_tool", &Self::use_tool),
        acta::omit_if_empty("use_tools", &Self::use_tools), acta::defaulted("raw_message", &Self::raw_message));
};
template <>
struct acta::Describe<described::ErrorInfo> {
    using Self = described::ErrorInfo;
    static constexpr auto fields =
        acta::fields(acta::required("args", &Self::args), acta::required("message", &Self::message),
                     acta::required("exception_type", &Self::exception_type), acta::required("repr", &Self::repr));
};
template <>
struct acta::Describe<described::Success> {
    static constexpr auto fields =
        acta::fields(acta::required("outputs", &described::Success::outputs), acta::literal("status", "success"));
};
template <>
struct acta::Describe<described::Failure> {
    static constexpr auto fields =
        acta::fields(acta::required("reason", &described::Failure::reason),
                     acta::defaulted("error", &described::Failure::error), acta::literal("status", "error"));
};
template <>
struct acta::Describe<described::Interrupted> {
    static constexpr auto fields = acta::fields(acta::required("feedback", &described::Interrupted::feedback),
                                                acta::literal("status", "interrupted_by_human"));
};
template <>
struct acta::Describe<described::ToolResult> {
    static constexpr auto fields = acta::fields(acta::required("tool_call_id", &described::ToolResult::tool_call_id),
                                                acta::required("result", &described::ToolResult::result));
};
template <>
struct acta::Describe<described::Metrics> {
    using Self = described::Metrics;
    static constexpr auto fields = acta::fields(
        acta::defaulted("started_at", &Self::started_at), acta::defaulted("finished_at", &Self::finished_at),
        acta::defaulted("prompt_tokens", &Self::prompt_tokens),
        acta::defaulted("completion_tokens", &Self::completion_tokens), acta::defaulted("cost_usd", &Self::cost_usd));
};
template <>
struct acta::Describe<described::Episode> {
    using Self = described::Episode;
    static constexpr auto fields = acta::fields(
        acta::required("action", &Self::action), acta::required("result", &Self::result),
        acta::defaulted("summary", &Self::summary), acta::omit_if_empty("tool_results", &Self::tool_results),
        acta::omit_if_empty("metrics", &Self::metrics));
};
template <>
struct acta::Describe<described::History> {
    using Self = described::History;
    static constexpr auto fields =
        acta::fields(acta::defaulted("episodes", &Self::episodes), acta::defaulted("cursor", &Self::cursor),
                     acta::omit_if_empty("pending_user_feedback", &Self::pending_user_feedback));
};
