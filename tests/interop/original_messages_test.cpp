// SPDX-License-Identifier: MIT
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "acta/interop/atif/atif.hpp"
#include "acta/interop/trajectory.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

// Runs that were read, compared with the original files message for message, and not with acta's own reading of what it
// wrote.
namespace {

using acta::Json;
namespace fs = std::filesystem;

std::string text_of(const Json& content) {
    if (content.is_string()) return content.get<std::string>();
    std::string out;
    for (const Json& part : content) out += (out.empty() ? "" : "\n") + part.value("text", "");
    return out;
}

std::string call_line(const std::string& id, const std::string& name, const acta::JsonObject& arguments) {
    return "\n  call " + id + " " + name + " " + acta::dump(arguments);
}

/// The messages of a file in OpenAI's form, a line each.
std::vector<std::string> originals(const Json& messages) {
    std::vector<std::string> out;
    for (const Json& message : messages) {
        if (message.value("is_demo", false)) continue;
        const auto role = message["role"].get<std::string>();
        std::string line = role + ": ";
        if (role == "tool") line += text_of(message["content"]);
        if (role != "tool" && message.contains("content") && !message["content"].is_null())
            line += text_of(message["content"]);
        if (message.contains("tool_calls")) {
            for (const Json& call : message["tool_calls"]) {
                const Json& function = call["function"];
                line += call_line(call["id"].get<std::string>(), function["name"].get<std::string>(),
                                  acta::parse<acta::JsonObject>(function["arguments"].get<std::string>()));
            }
        }
        out.push_back(line);
    }
    return out;
}

/// The text of a result. SWE-agent has no status, so its failures are texts as well.
std::string text_of_result(const acta::ActionResult& result) {
    if (const auto* const error = std::get_if<acta::ActionErrorResult>(&result)) return error->reason;
    return text_of(std::get<acta::ActionSuccessResult>(result).outputs);
}

/// The same of a run that was read.
std::vector<std::string> messages_of(const acta::EpisodicActionHistory<>& history) {
    std::vector<std::string> out;
    const auto say = [&out](const acta::ChatMessage& message) {
        out.push_back(acta::to_json_value(message)["role"].get<std::string>() + ": " + message.content);
    };
    auto next = history.messages().begin();
    for (std::size_t i = 0; i < history.size(); ++i) {
        for (; next != history.messages().end() && next->before <= i; ++next) say(next->message);
        const acta::Episode<>& episode = history[i];
        std::string line = "assistant: ";
        if (episode.action.raw_message) line += episode.action.raw_message->content;
        const auto calls = acta::get_tools(episode.action);
        const std::vector<std::string> ids = history.tool_call_ids(i);
        for (std::size_t c = 0; c < calls.size(); ++c) line += call_line(ids[c], calls[c].name, calls[c].arguments);
        out.push_back(line);
        if (episode.tool_results.empty() && episode.result) out.push_back("tool: " + text_of_result(*episode.result));
        for (const acta::ToolResult& one : episode.tool_results) out.push_back("tool: " + text_of_result(one.result));
    }
    for (; next != history.messages().end(); ++next) say(next->message);
    return out;
}

/// The messages as an ATIF document, as its RFC puts them.
Json atif_of(const Json& messages) {
    Json steps = Json::array();
    for (const Json& message : messages) {
        const auto role = message["role"].get<std::string>();
        const std::string text =
            message.contains("content") && !message["content"].is_null() ? text_of(message["content"]) : std::string();
        if (role == "tool") {
            Json result = Json::object();
            result["source_call_id"] = message["tool_call_id"];
            result["content"] = text;
            steps.back()["observation"]["results"].push_back(result);
            continue;
        }
        Json step = Json::object();
        step["step_id"] = steps.size() + 1;
        step["source"] = role == "assistant" ? "agent" : role;
        step["message"] = text;
        if (message.contains("tool_calls")) {
            for (const Json& call : message["tool_calls"]) {
                Json made = Json::object();
                made["tool_call_id"] = call["id"];
                made["function_name"] = call["function"]["name"];
                made["arguments"] = Json::parse(call["function"]["arguments"].get<std::string>());
                step["tool_calls"].push_back(made);
            }
        }
        steps.push_back(step);
    }
    Json document = Json::parse(R"({"schema_version": "ATIF-v1.7", "agent": {"name": "a", "version": "1"}})");
    document["steps"] = steps;
    return document;
}

const Json& message_list(const Json& document) { return document.is_array() ? document : document["messages"]; }

}  // namespace

TEST_CASE("an answer without a call stands between the messages of the original, from ATIF as well") {
    const Json messages = Json::parse(R"([{"role": "system", "content": "Book flights."},
        {"role": "user", "content": "Hi, I want to fly."}, {"role": "assistant", "content": "Where to?"},
        {"role": "user", "content": "To Oslo."}, {"role": "assistant", "content": "Let me look.", "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{\"to\": \"OSL\"}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "3 flights"}, {"role": "assistant", "content": "There are 3."},
        {"role": "user", "content": "The first one."}])");
    const auto read = acta::atif::to_history(acta::validate<acta::atif::Document>(atif_of(messages)));
    CHECK(messages_of(read) == originals(messages));
    CHECK(messages_of(acta::atif::to_history(acta::atif::to_document(read))) == originals(messages));
}

TEST_CASE("trajectories of others say what their files say, message for message") {
    const fs::path data(paths::shared_data());
    std::size_t files = 0;
    for (const char* const name : {"openhands/function_calling_messages.json", "openhands/completion_log.json"}) {
        if (!fs::exists(data / name)) continue;
        INFO(name);
        const Json document = Json::parse(read_file(data / name));
        Json messages = message_list(document);
        if (document.is_object()) messages.push_back(document["response"]["choices"][0]["message"]);
        const acta::Trajectory run = acta::load_trajectory(data / name);
        CHECK(messages_of(run.history) == originals(messages));
        const auto atif = acta::atif::to_history(acta::validate<acta::atif::Document>(atif_of(messages)));
        CHECK(messages_of(atif) == originals(messages));
        ++files;
    }
    if (fs::exists(data / "swe-agent")) {
        for (const fs::directory_entry& entry : fs::directory_iterator(data / "swe-agent")) {
            INFO(entry.path().string());
            Json document = Json::parse(read_file(entry.path()));
            document.erase("trajectory");  // its outputs are without the prompt
            const acta::Trajectory run = acta::parse_trajectory(document.dump());
            CHECK(run.format == acta::TrajectoryFormat::swe_agent);
            CHECK(messages_of(run.history) == originals(document["history"]));
            ++files;
        }
    }
    if (files == 0) ACTA_SKIP("no trajectories in the shared data folder");
}
