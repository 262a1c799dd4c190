// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "acta/interop/trajectory.hpp"
#include "acta/json/json.hpp"

// All that a reader made of a document, a line each: the format, what was said and done in order, the runs of
// subagents and the notes; or why it was refused.

namespace told {

using acta::Json;
using History = acta::EpisodicActionHistory<>;

inline std::string text(const Json& value) { return acta::dump(value, {.invalid_utf8 = acta::InvalidUtf8::replace}); }

inline std::string metrics(const acta::Boxed<acta::StepMetrics>& metrics) {
    if (!metrics) return {};
    std::string out;
    const Json all = acta::to_json_value(*metrics);
    for (const auto& [key, value] : all.items())
        if (!value.is_null() && value != "") out += (out.empty() ? " took " : ", ") + key + " " + text(value);
    return out.empty() ? " took nothing" : out;
}

inline std::string result(const acta::ActionResult& result) {
    if (const auto* const success = std::get_if<acta::ActionSuccessResult>(&result))
        return "success " + text(success->outputs);
    const auto* const error = std::get_if<acta::ActionErrorResult>(&result);
    if (error == nullptr) return "interrupted " + text(std::get<acta::ActionInterruptedByHuman>(result).feedback);
    return "error " + text(error->reason) + (error->error ? " " + text(acta::to_json_value(*error->error)) : "");
}

inline std::string message(const acta::ConversationMessage& said, const std::string& indent) {
    const acta::ChatMessage& message = said.message;
    std::string out = indent + std::string(to_string(message.role)) + " " + text(message.content);
    for (const acta::ContentPart& part : message.parts) out += " part " + text(acta::to_json_value(part));
    if (message.reasoning_content) out += " thinks " + text(*message.reasoning_content);
    return out + metrics(said.metrics) + "\n";
}

inline std::string step(const History& history, std::size_t i, const std::string& indent) {
    const acta::Episode<>& episode = history[i];
    std::string out = indent + std::to_string(i) + " " + text(episode.action.thoughts);
    if (const auto& raw = episode.action.raw_message) {
        if (raw->content != episode.action.thoughts) out += " says " + text(raw->content);
        if (raw->reasoning_content) out += " thinks " + text(*raw->reasoning_content);
    }
    out += metrics(episode.metrics) + "\n";
    const auto calls = acta::get_tools(episode.action);
    for (std::size_t c = 0; c < calls.size(); ++c) {
        const std::string id = history.tool_call_ids(i)[c];
        out += indent + "  " + id + " " + calls[c].name + " " + text(Json(calls[c].arguments));
        for (const acta::ToolResult& one : episode.tool_results)
            if (one.tool_call_id == id) out += " = " + result(one.result);
        if (calls.size() == 1 && episode.tool_results.empty())
            out += episode.result ? " = " + result(*episode.result) : " is open";
        out += "\n";
    }
    if (calls.size() > 1 && episode.tool_results.size() != calls.size())
        out += indent + "  all " + (episode.result ? result(*episode.result) : "are not done") + "\n";
    return out;
}

inline std::string history(const History& history, const std::string& indent = {}) {
    std::string out;
    auto next = history.messages().begin();
    for (std::size_t i = 0; i <= history.size(); ++i) {
        for (; next != history.messages().end() && next->before <= i; ++next) out += message(*next, indent);
        if (i < history.size()) out += step(history, i, indent);
    }
    const bool is_open = !history.empty() && !history.record().episodes.back().result;
    if (history.cursor() != history.size() - (is_open ? 1 : 0))
        out += indent + "cursor " + std::to_string(history.cursor()) + "\n";
    for (const acta::SubRun& run : history.sub_runs()) {
        out += indent + "run of step " + std::to_string(run.step) + ", " + run.tool_call_id + "\n";
        out += told::history(acta::validate<History>(run.history), indent + "    ");
    }
    return out;
}

inline std::string run(const acta::Trajectory& run) {
    std::string out = std::string(to_string(run.format)) + "\n" + history(run.with_sub_runs());
    for (const acta::TrajectoryNote& note : run.report) {
        acta::Issue at;
        at.loc = note.loc;
        out += std::string(to_string(note.kind)) + (note.step ? " of step " + std::to_string(*note.step) : "") +
               " at '" + at.pointer() + "': " + note.message + "\n";
    }
    return out;
}

inline std::string refusal(const acta::ValidationError& error) {
    std::string out;
    for (const acta::Issue& issue : error.issues()) {
        out += "refused at '" + issue.pointer() + "'" + (issue.line > 0 ? " line " + std::to_string(issue.line) : "") +
               ": " + issue.type + "\n";
    }
    return out;
}

/// Reads a document.
inline std::string document(const std::string& text, bool lenient) {
    try {
        return run(acta::parse_trajectory(text, {.lenient = lenient}));
    } catch (const acta::ValidationError& error) {
        return refusal(error);
    }
}

}  // namespace told
