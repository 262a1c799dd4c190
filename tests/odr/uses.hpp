// SPDX-License-Identifier: MIT
// For a source that has included every header already, in its own order: what both sources do.
#pragma once

#include <stdexcept>
#include <string>

namespace {

inline void expect(bool good, const std::string& what) {
    if (!good) throw std::runtime_error(what);
}

#if defined(ACTA_HAS_CLIENT)
/// A reply that has tool calls and no content.
inline std::string use_model(const std::string& url) {
    const acta::openai::ChatModel model({.base_url = url, .model = "m", .api_key = "none"});
    const acta::ChatMessage question = acta::ChatMessage::user("What is the weather?");
    const acta::ChatCompletion completion = model(std::span(&question, 1), acta::ChatOptions{});
    expect(completion.message.content.empty(), "the reply has content");
    expect(completion.message.tool_calls.has_value() && completion.message.tool_calls->size() == 1,
           "the reply has not one tool call");
    return acta::dump(completion.message);
}
#else
inline std::string use_model(const std::string&) { return {}; }
#endif

/// A run as OpenAI's messages.
inline std::string use_trajectory() {
    const acta::Trajectory run = acta::parse_trajectory(R"([
        {"role": "user", "content": "What is the weather in Oslo?"},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": "{\"city\": \"Oslo\"}"}}]},
        {"role": "tool", "tool_call_id": "call_1", "content": "rain"}])");
    expect(run.format == acta::TrajectoryFormat::openai, "the trajectory is not recognised");
    expect(run.history.size() == 1, "the trajectory has not one step");
    const auto& call = run.history[0].action.use_tool;
    expect(call.name == "get_weather" && call.arguments.at("city") == "Oslo", "the call is another one");
    return acta::dump(run.history);
}

/// A history whose steps are summarised.
inline std::string use_compression() {
    acta::EpisodicActionHistory<> history;
    for (int step = 0; step < 12; ++step) {
        const std::string file = "tides_" + std::to_string(step) + ".csv";
        history.register_action({.thoughts = "Read " + file + ".", .use_tool = {"read_file", {{"path", file}}}});
        history.register_result(acta::ActionSuccessResult{.outputs = file + " has 365 rows of tide levels."});
    }
    const acta::CompressionReport report = acta::handle_compression(history, acta::ExtractiveSummarizer{});
    expect(!report.summarised.empty(), "nothing was summarised");
    return history.fmt_paragraph();
}

/// What all of it came to.
inline std::string use_everything(const std::string& url) {
    return use_model(url) + "\n" + use_trajectory() + "\n" + use_compression();
}

}  // namespace
