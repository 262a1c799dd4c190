// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "acta/interop/trajectory.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"

// Logs of requests with their responses, and messages in the forms of other libraries, beyond the cases in
// tests/data/cases/.

namespace {

using acta::Json;
using acta::TrajectoryFormat;
using Lines = std::vector<std::string>;

/// The conversation and the steps of a run, a line each.
Lines run_lines(const acta::EpisodicActionHistory<>& history) {
    Lines out;
    auto next = history.messages().begin();
    for (std::size_t i = 0; i <= history.size(); ++i) {
        for (; next != history.messages().end() && next->before <= i; ++next)
            out.push_back(acta::to_json_value(next->message)["role"].get<std::string>() + ": " + next->message.content);
        if (i == history.size()) break;
        const acta::Episode<>& step = history[i];
        const auto calls = acta::get_tools(step.action);
        const std::vector<std::string> ids = history.tool_call_ids(i);
        for (std::size_t c = 0; c < calls.size(); ++c) {
            std::string line = acta::to_string(calls[c]);
            const acta::ActionResult* result = calls.size() == 1 && step.result ? &*step.result : nullptr;
            for (const acta::ToolResult& one : step.tool_results) {
                if (one.tool_call_id == ids[c]) result = &one.result;
            }
            if (result != nullptr) line += " -> " + acta::to_string(*result);
            out.push_back(line);
        }
    }
    return out;
}

Lines note_places(const acta::Trajectory& run) {
    Lines out;
    for (const acta::TrajectoryNote& note : run.report) {
        acta::Issue at;
        at.loc = note.loc;
        out.push_back(std::string(acta::to_string(note.kind)) + " " + at.pointer());
    }
    return out;
}

std::string refusal_of(const std::string& text, bool lenient = false) {
    try {
        static_cast<void>(acta::parse_trajectory(text, {.lenient = lenient}));
    } catch (const acta::ValidationError& error) {
        return error.issues().front().type + ": " + error.issues().front().message;
    }
    return "none";
}

const std::string asked = R"({"role": "user", "content": "When?"})";
const std::string openai_request = R"({"model": "m", "messages": [)" + asked + "]}";
const std::string openai_response =
    R"({"id": "r", "object": "chat.completion", "model": "m-1", "choices": [{"index": 0, "finish_reason": "tool_calls",
        "message": {"role": "assistant", "content": "I look.", "tool_calls": [{"id": "c1", "type": "function",
        "function": {"name": "tide", "arguments": "{\"port\": \"Brest\"}"}}]}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5}})";
const std::string anthropic_request =
    R"({"model": "c", "system": "Be brief.", "messages": [{"role": "user", "content": "When?"}]})";
const std::string anthropic_response =
    R"({"id": "r", "type": "message", "role": "assistant", "model": "c-1", "content": [{"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "c1", "name": "tide", "input": {"port": "Brest"}}], "stop_reason": "tool_use",
        "usage": {"input_tokens": 7, "cache_read_input_tokens": 3, "output_tokens": 5}})";
const std::string items_request = R"({"model": "m", "instructions": "Be brief.", "input": "When?"})";
const std::string items_response =
    R"({"id": "r", "object": "response", "model": "m-1", "output": [{"type": "reasoning", "id": "x", "summary": []},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]},
        {"type": "function_call", "call_id": "c1", "name": "tide", "arguments": "{\"port\": \"Brest\"}"}],
        "usage": {"input_tokens": 10, "output_tokens": 5}})";

/// A text of JSON as a value of JSON.
std::string quoted(const std::string& text) { return Json(text).dump(); }

}  // namespace

TEST_CASE("a logged request is read with the answer in its response, and what that took") {
    const Lines brief = {"system: Be brief.", "user: When?", "tide(port='Brest')"};
    const Lines plain = {"user: When?", "tide(port='Brest')"};
    struct Log {
        std::string text;
        TrajectoryFormat format;
        Lines lines;
    };
    const Log logs[] = {
        {R"({"request": )" + openai_request + R"(, "response": )" + openai_response + "}", TrajectoryFormat::openai,
         plain},
        {R"({"messages": [)" + asked + R"(], "response": )" + openai_response + "}", TrajectoryFormat::openai, plain},
        {R"({"messages": [)" + asked + "], " + openai_response.substr(1), TrajectoryFormat::openai, plain},
        {R"({"request_body": )" + quoted(openai_request) + R"(, "response_body": )" + quoted(openai_response) + "}",
         TrajectoryFormat::openai, plain},
        {R"({"request": {"method": "POST", "body": )" + openai_request +
             R"(}, "response": {"status_code": 200, "body": )" + openai_response + "}}",
         TrajectoryFormat::openai, plain},
        {R"({"input": [)" + asked + R"(], "output": )" + Json::parse(openai_response)["choices"][0]["message"].dump() +
             R"(, "model": "m-1", "usage": {"input": 10, "output": 5, "unit": "TOKENS"}})",
         TrajectoryFormat::openai, plain},
        {R"({"prompt": [)" + asked + R"(], "completion": [)" +
             Json::parse(openai_response)["choices"][0]["message"].dump() +
             R"(], "model": "m-1", "prompt_tokens": 10, "completion_tokens": 5})",
         TrajectoryFormat::openai, plain},
        {R"({"request": )" + anthropic_request + R"(, "response": )" + anthropic_response + "}",
         TrajectoryFormat::anthropic, brief},
        {R"({"request": )" + openai_request + R"(, "response": )" + anthropic_response + "}",
         TrajectoryFormat::anthropic, plain},
        {R"({"request": )" + items_request + R"(, "response": )" + items_response + "}",
         TrajectoryFormat::openai_responses, brief},
        {items_request.substr(0, items_request.size() - 1) + R"(, "response": )" + items_response + "}",
         TrajectoryFormat::openai_responses, brief},
        {R"({"request": {"input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "When?"}]}]}, "response": )" +
             openai_response + "}",
         TrajectoryFormat::openai_responses, plain},
    };
    for (const Log& log : logs) {
        INFO(log.text);
        for (const bool lenient : {false, true}) {
            const acta::Trajectory run = acta::parse_trajectory(log.text, {.lenient = lenient});
            CHECK(run.format == log.format);
            CHECK(run_lines(run.history) == log.lines);
            CHECK(run.report.empty());
            REQUIRE(run.history.size() == 1);
            CHECK(run.history[0].action.raw_message->content == "I look.");
            CHECK(acta::totals(run.history).prompt_tokens == 10);
            CHECK(acta::totals(run.history).completion_tokens == 5);
            CHECK(acta::detect_trajectory(Json::parse(log.text)) == log.format);
        }
        // A log of several requests is as many runs.
        const std::string row = Json::parse(log.text).dump();
        CHECK(acta::parse_trajectories(row + "\n" + row + "\n").size() == 2);
    }
    const acta::Trajectory priced =
        acta::parse_trajectory(R"({"messages": [)" + asked + R"(], "response": )" + openai_response +
                               R"(, "cost": 0.02, "startTime": 1757015040, "endTime": 1757015046.5})");
    REQUIRE(priced.history[0].metrics);
    CHECK(priced.history[0].metrics->cost_usd == 0.02);
    CHECK(priced.history[0].metrics->model == "m-1");
    CHECK(priced.history[0].metrics->finished_at);
}

TEST_CASE("an answer of a logged request may be text, or be among the messages already") {
    const std::string begin = R"({"messages": [)" + asked;
    for (const std::string answer : {R"("At 04:12.")", R"({"choices": [{"text": "At 04:12."}]})",
                                     R"({"message": {"role": "assistant", "content": "At 04:12."}, "done": true})",
                                     R"([{"type": "text", "text": "At 04:12."}])",
                                     R"({"completion": "At 04:12.", "stop_reason": "stop_sequence"})"}) {
        INFO(answer);
        for (const char* const key : {"response", "output", "completion"}) {
            const acta::Trajectory run = acta::parse_trajectory(begin + "], \"" + key + "\": " + answer + "}");
            CHECK(run_lines(run.history) == Lines{"user: When?", "assistant: At 04:12."});
            CHECK(run.report.empty());
        }
    }
    const std::string reply = R"({"role": "assistant", "content": "At 04:12."})";
    const acta::Trajectory twice =
        acta::parse_trajectory(begin + ", " + reply + R"(], "response": {"choices": [{"message": )" + reply +
                               R"(}], "usage": {"prompt_tokens": 3}}})");
    CHECK(run_lines(twice.history) == Lines{"user: When?", "assistant: At 04:12."});
    CHECK(acta::totals(twice.history).prompt_tokens == 3);
}

TEST_CASE("a response that has no answer is noted, and a broken call in it is refused or kept with its place") {
    const std::string begin = R"({"messages": [)" + asked + R"(], "response": )";
    for (const char* const response :
         {R"({"error": {"message": "overloaded"}})", R"("data: {\"choices\": []}")", R"({"candidates": []})", "[]",
          R"({"choices": []})", "17", R"([{"role": "assistant", "content": [{"type": "toolCall", "name": "f"}]}])"}) {
        INFO(response);
        for (const bool lenient : {false, true}) {
            const acta::Trajectory run = acta::parse_trajectory(begin + response + "}", {.lenient = lenient});
            CHECK(run_lines(run.history) == Lines{"user: When?"});
            CHECK(note_places(run) == Lines{"dropped /response"});
        }
    }
    const acta::Trajectory many = acta::parse_trajectory(
        begin +
        R"({"choices": [{"message": {"role": "assistant", "content": "One."}}, {"message": {"role": "assistant", "content": "Two."}}]}})");
    CHECK(run_lines(many.history) == Lines{"user: When?", "assistant: One."});
    CHECK(note_places(many) == Lines{"dropped /response/choices/1"});
    CHECK(acta::parse_trajectory(begin + "null}").report.empty());

    const std::string broken =
        begin +
        R"({"choices": [{"message": {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{"}}]}}]}})";
    try {
        static_cast<void>(acta::parse_trajectory(broken));
        FAIL();
    } catch (const acta::ValidationError& error) {
        CHECK_THAT(error.issues().front().pointer(), starts_with_text("/response/choices/0/message"));
    }
    const acta::Trajectory kept = acta::parse_trajectory(broken, {.lenient = true});
    REQUIRE(kept.history.size() == 1);
    CHECK(acta::is_error(*kept.history[0].result));
    CHECK(note_places(kept) == Lines{"kept /response/choices/0/message/tool_calls/0/function/arguments"});
}

TEST_CASE("a log may have its bodies as text, the instructions beside the input, and the cost in parts") {
    const std::string body = R"({"choices": [{"message": {"role": "assistant", "content": "04:12 \ud83d"}}]})";
    const acta::Trajectory text = acta::parse_trajectory(
        R"({"request": )" + openai_request + R"(, "response": {"status": 200, "body": )" + quoted(body) + "}}");
    CHECK(run_lines(text.history) == Lines{"user: When?", "assistant: 04:12 \xEF\xBF\xBD"});
    CHECK(note_places(text) == Lines{"changed /response/body"});
    const acta::Trajectory items = acta::parse_trajectory(
        R"({"model": "m", "instructions": "Be brief.", "input": [)" + asked +
        R"(], "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "04:12"}]}]})");
    CHECK(items.format == TrajectoryFormat::openai_responses);
    CHECK(run_lines(items.history) == Lines{"system: Be brief.", "user: When?", "assistant: 04:12"});
    const acta::Trajectory priced =
        acta::parse_trajectory(R"({"input": {"messages": [)" + asked +
                               R"(]}, "output": "04:12", "costDetails": {"input": 0.1, "total": 0.25}})");
    CHECK(acta::totals(priced.history).cost_usd == 0.25);
}

TEST_CASE("sessions of goose are read with their calls, in each form that goose writes") {
    const std::string messages[] = {
        R"({"id": null, "role": "user", "created": 1750000000, "content": [{"type": "text", "text": "List."}]})",
        R"({"role": "assistant", "created": 1750000001, "content": [{"type": "thinking", "thinking": "Two.", "signature": ""},
            {"type": "text", "text": "I look."},
            {"type": "toolRequest", "id": "a", "toolCall": {"status": "success", "value": {"name": "shell", "arguments": {"command": "ls"}}}},
            {"type": "frontendToolRequest", "id": "b", "toolCall": {"status": "success", "value": {"name": "open", "arguments": {}}}}]})",
        R"({"role": "user", "created": 1750000002, "content": [
            {"type": "toolResponse", "id": "b", "toolResult": {"status": "error", "error": "no window"}},
            {"type": "toolResponse", "id": "a", "toolResult": {"status": "success", "value": [{"type": "text", "text": "a.txt"}]}}]})",
        R"({"role": "assistant", "created": 1750000003, "content": [
            {"type": "toolRequest", "id": "c", "toolCall": {"status": "error", "error": "not JSON"}},
            {"type": "toolRequest", "id": "d", "toolCall": {"status": "success", "value": {"name": "fail"}}}]})",
        R"({"role": "user", "created": 1750000004, "content": [
            {"type": "toolResponse", "id": "c", "toolResult": {"status": "error", "error": "not JSON"}},
            {"type": "toolResponse", "id": "d", "toolResult": {"status": "success", "value": {"content": [{"type": "text", "text": "no"}], "isError": true}}}]})",
        R"({"role": "assistant", "created": 1750000005, "content": [{"type": "text", "text": "One file."}]})"};
    std::string lines = R"({"working_dir": "/srv", "description": "List", "message_count": 6, "total_tokens": 90})"
                        "\n";
    std::string list;
    std::string stream;
    for (const std::string& one : messages) {
        const std::string row = Json::parse(one).dump();
        lines += row + "\n";
        list += (list.empty() ? "[" : ",") + row;
        stream += R"({"type": "message", "message": )" + row + "}\n";
    }
    list += "]";
    stream += R"({"type": "complete", "total_tokens": 90})";
    const Lines expected = {"user: List.",
                            "shell(command='ls') -> a.txt",
                            "open() -> Action failed: 'no window'",
                            "unknown(error='not JSON') -> Action failed: 'not JSON'",
                            "fail() -> Action failed: 'no'",
                            "assistant: One file."};
    for (const std::string& text : {lines, list, stream, R"({"id": "s", "conversation": )" + list + "}",
                                    R"({"messages": )" + list + R"(, "metadata": {"status": "completed"}})"}) {
        INFO(text);
        const acta::Trajectory run = acta::parse_trajectory(text);
        CHECK(run.format == TrajectoryFormat::goose);
        CHECK(run_lines(run.history) == expected);
        CHECK(run.history[0].action.raw_message->content == "I look.");
        CHECK(run.history[0].action.raw_message->reasoning_content == "Two.");
        CHECK(run.history[0].metrics->started_at);
    }
    CHECK(note_places(acta::parse_trajectory(lines)) == Lines{"dropped /0", "changed /4"});
    CHECK(run_lines(acta::parse_trajectory(R"({"working_dir": "/srv", "message_count": 1})"
                                           "\n" +
                                           Json::parse(messages[0]).dump())
                        .history) == Lines{"user: List."});
    // An answer in pieces.
    const acta::Trajectory pieces = acta::parse_trajectory(
        R"({"type": "message", "message": {"id": "m", "role": "assistant", "content": [{"type": "text", "text": "I lo"}]}}
{"type": "message", "message": {"id": "m", "role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "ok."}]}}
{"type": "message", "message": {"id": "m", "role": "assistant", "content": [{"type": "toolRequest", "id": "a", "toolCall": {"name": "ls", "arguments": {}}}]}}
{"type": "message", "message": {"id": "n", "role": "assistant", "content": [{"type": "toolResponse", "id": "a", "toolResult": "x"}]}})");
    CHECK(run_lines(pieces.history) == Lines{"ls() -> x"});
    CHECK(pieces.history[0].action.raw_message->reasoning_content == "Hm.");
    // A call in a message of the user.
    const acta::Trajectory user = acta::parse_trajectory(
        R"([{"role": "user", "content": [{"type": "toolRequest", "id": "a", "toolCall": {"status": "success", "value": {"name": "ls"}}}]}])");
    CHECK(run_lines(user.history) == Lines{"ls()"});
    CHECK(pieces.history[0].action.raw_message->content == "I look.");
}

TEST_CASE("messages of LlamaIndex are read with their calls, in blocks or beside them") {
    const std::string calls =
        R"("additional_kwargs": {"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "tide", "arguments": "{\"port\": \"Brest\"}"}}]})";
    const std::string block =
        R"({"block_type": "tool_call", "tool_call_id": "a", "tool_name": "tide", "tool_kwargs": {"port": "Brest"}})";
    const std::string begin =
        R"([{"role": "user", "additional_kwargs": {}, "blocks": [{"block_type": "text", "text": "When?"}]}, )";
    const std::string end =
        R"(, {"role": "tool", "additional_kwargs": {"tool_call_id": "a", "name": "tide"}, "blocks": [{"block_type": "text", "text": "04:12"}]},
            {"role": "assistant", "additional_kwargs": {}, "blocks": [{"block_type": "text", "text": "At 04:12."}]}])";
    for (
        const std::string& answer :
        {R"({"role": "assistant", )" + calls + R"(, "blocks": [{"block_type": "text", "text": "I look."}]})",
         R"({"role": "assistant", "blocks": [{"block_type": "text", "text": "I look."}, )" + block + "]}",
         R"({"role": "assistant", )" + calls + R"(, "blocks": [{"block_type": "text", "text": "I look."}, )" + block +
             "]}",
         R"({"role": "assistant", "content": "I look.", )" + calls + "}",
         std::string(
             R"({"role": "assistant", "content": "I look.", "additional_kwargs": {"tool_calls": [{"id": "a", "type": "tool_use", "name": "tide", "input": {"port": "Brest"}}]}})")}) {
        INFO(answer);
        for (const std::string& text : {begin + answer + end, R"({"store": {"ann": )" + begin + answer + end + "}}"}) {
            const acta::Trajectory run = acta::parse_trajectory(text);
            CHECK(run.format == TrajectoryFormat::llama_index);
            CHECK(run_lines(run.history) ==
                  Lines{"user: When?", "tide(port='Brest') -> 04:12", "assistant: At 04:12."});
            CHECK(run.history[0].action.raw_message->content == "I look.");
            CHECK(run.report.empty());
        }
    }
}

TEST_CASE("a call in a form that no reader knows is refused with its place") {
    for (
        const char* const message :
        {R"({"role": "assistant", "content": [{"type": "text", "text": "I look."}, {"type": "tool_call", "id": "a", "name": "f", "args": {}}]})",
         R"({"role": "assistant", "content": [{"type": "text", "text": "I look."}, {"type": "function-call", "name": "f"}]})",
         R"({"role": "assistant", "content": [{"type": "text", "text": "I look."}, {"type": "action", "name": "f", "input": {"x": 1}}]})",
         R"({"role": "assistant", "content": [{"type": "text", "text": "I look."}, {"functionResponse": {"name": "f"}}]})",
         R"({"role": "assistant", "content": "I look.", "toolCalls": [{"name": "f"}]})",
         R"({"role": "assistant", "content": "I look.", "toolInvocations": [{"toolName": "f"}]})",
         R"({"role": "assistant", "content": "I look.", "parts": [{"type": "tool-invocation", "toolInvocation": {}}]})"}) {
        INFO(message);
        for (const bool lenient : {false, true}) {
            CHECK_THAT(refusal_of("[" + asked + "," + message + "]", lenient),
                       starts_with_text("trajectory_unknown: ") && contains_text("At /1/"));
            CHECK_THAT(refusal_of(asked + "\n" + message, lenient), contains_text("a form of another library"));
            CHECK_THAT(refusal_of(R"({"messages": [)" + asked + "," + message + "]}", lenient),
                       contains_text("/messages/1/"));
        }
    }
    const auto is_known = [](const std::string& message) {
        return acta::detect_trajectory(Json::parse("[" + asked + "," + message + "]")).has_value();
    };
    for (const char* const key : {"toolCalls", "tool_invocations", "toolInvocations", "function_calls", "functionCalls",
                                  "toolCall", "tool_call", "functionCall", "tool_uses", "toolUses", "toolUse",
                                  "tool_results", "toolResults", "toolResult"}) {
        INFO(key);
        CHECK_FALSE(is_known(R"({"role": "assistant", "content": "x", ")" + std::string(key) + R"(": "f"})"));
        CHECK(is_known(R"({"role": "assistant", "content": "x", ")" + std::string(key) + R"(": ""})"));
        CHECK(is_known(R"({"role": "assistant", "content": "x", "tool_calls": [1], ")" + std::string(key) +
                       R"(": "f"})"));
    }
    const auto part = [](const std::string& members) {
        return R"({"role": "user", "content": [{"type": "text", "text": "x"}, {)" + members + "}]}";
    };
    for (const char* const key :
         {"toolUse", "functionCall", "functionResponse", "toolCall", "toolResult", "tool_call", "tool_calls",
          "function_call", "toolInvocation", "toolCallId", "tool_call_id", "toolUseId", "tool_use_id", "call_id"})
        CHECK_FALSE(is_known(part('"' + std::string(key) + R"(": "f")")));
    for (const char* const name : {"name", "toolName", "tool_name", "tool"}) {
        for (const char* const input : {"arguments", "args", "input", "parameters", "tool_input", "toolInput"}) {
            const std::string members =
                '"' + std::string(name) + R"(": "f", ")" + std::string(input) + R"(": {"x": 1})";
            CHECK_FALSE(is_known(part(members)));
            CHECK_FALSE(is_known(part(R"("type": "step", )" + members)));
        }
    }
    for (const char* const type : {"text",
                                   "image",
                                   "image_url",
                                   "input_audio",
                                   "audio",
                                   "file",
                                   "document",
                                   "refusal",
                                   "thinking",
                                   "reasoning",
                                   "redacted_thinking",
                                   "input_text",
                                   "output_text",
                                   "input_image",
                                   "input_file",
                                   "video_url",
                                   "tool_use",
                                   "server_tool_use",
                                   "mcp_tool_use",
                                   "tool_reference",
                                   "tool_result",
                                   "search_result",
                                   "container_upload",
                                   "any_tool_result"})
        CHECK(is_known(part(R"("name": "f", "input": {"x": 1}, "type": ")" + std::string(type) + '"')));
    for (const char* const what : {"tool", "Function"}) {
        for (const char* const end : {"call", "use", "Result", "response", "request", "invocation", "output", "return"})
            CHECK_FALSE(is_known(part(R"("type": "my_)" + std::string(what) + "-" + end + "s\"")));
        CHECK(is_known(part(R"("type": "my_)" + std::string(what) + "-box\"")));
    }
    // Content that only one of the APIs has is none, nor are empty members.
    for (
        const char* const message :
        {R"({"role": "assistant", "content": [{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"q": "x"}}, {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}]})",
         R"({"role": "assistant", "content": "I look.", "toolCalls": []})",
         R"({"role": "user", "content": [{"type": "audio_note", "name": "x"}]})"}) {
        INFO(message);
        CHECK(refusal_of("[" + asked + "," + message + "]") == "none");
    }
}

TEST_CASE("a request with a list of its own keeps it, and a content of LangChain its calls") {
    const acta::Trajectory own = acta::parse_trajectory(
        R"({"messages": [)" + asked + R"(], "prompt": [{"role": "user", "content": "Another."}], "input": "x"})");
    CHECK(run_lines(own.history) == Lines{"user: When?"});
    const acta::Trajectory inside = acta::parse_trajectory(
        R"([{"type": "human", "content": "When?"}, {"type": "ai", "tool_calls": [], "content": [{"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "a", "name": "tide", "input": {"port": "Brest"}}]},
            {"type": "tool", "tool_call_id": "a", "content": "04:12"}])");
    CHECK(run_lines(inside.history) == Lines{"user: When?", "tide(port='Brest') -> 04:12"});
    const acta::Trajectory kept = acta::parse_trajectory(
        R"([{"type": "assistant", "uuid": "1", "message": {"role": "assistant", "content": [{"type": "toolCall", "name": "f"}]}}])");
    CHECK(note_places(kept) == Lines{"kept /0/message/content/0"});
}
