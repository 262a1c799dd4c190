// SPDX-License-Identifier: MIT
// The most memory that each reader takes for its input: for every reader the worst of several documents of about 1 MB
// that repeat what is small as text and large as a value. Prints the table of docs/limits.md.
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../memory.hpp"
#include "acta/acta.hpp"
#include "acta/interop/atif/atif.hpp"
#include "acta/interop/autogpt/autogpt.hpp"
#include "acta/interop/trajectory.hpp"
#include "acta/mcp/result.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"
#include "acta/text/chunks.hpp"
#include "acta/tool_response/tool_response.hpp"
#if defined(ACTA_HAS_YAML)
#include "acta/skill/yaml.hpp"
#endif

namespace {

constexpr std::size_t input_bytes = 1'000'000;

/// Returns `begin`, then copies of `unit` with `separator` between them, then `end`.
std::string repeated(std::string_view begin, std::string_view unit, std::string_view separator, std::string_view end) {
    std::string out(begin);
    while (out.size() < input_bytes) {
        if (out.size() > begin.size()) out += separator;
        out += unit;
    }
    return out += end;
}

std::string list_of(std::string_view unit) { return repeated("[", unit, ",", "]"); }

/// Calls a reader. Errors are results too: they hold issues.
void attempt(const std::function<void()>& read) {
    try {
        read();
    } catch (const acta::Error&) {
        return;
    }
}

struct Reader {
    const char* name;
    std::vector<std::string> documents;
    std::function<void(const std::string&)> read;
};

template <class T>
void keep(T&& value) {
    [[maybe_unused]] const auto kept = std::forward<T>(value);
}

std::vector<Reader> readers() {
    const std::string values[] = {list_of("1"),
                                  list_of("{}"),
                                  list_of("[]"),
                                  list_of("\"\""),
                                  list_of("{\"\":1}"),
                                  list_of("[1]"),
                                  repeated("{", "\"\":1", ",", "}"),
                                  list_of("\"aaaaaaaaaaaaaaaa\"")};
    const std::vector<std::string> any(std::begin(values), std::end(values));
    const std::string user = R"({"role":"user","content":""})";
    const std::string call =
        R"({"role":"assistant","tool_calls":[{"id":"","type":"function","function":{"name":"f","arguments":"{}"}}]})";
    const std::string calls =
        repeated(R"([{"role":"user","content":"x"},{"role":"assistant","content":"","tool_calls":[)",
                 R"({"id":"","type":"function","function":{"name":"","arguments":""}})", ",", "]}]");
    const std::string step = R"({"action":{"thoughts":"","use_tool":{"name":"f"}}})";
    const auto with = [](std::vector<std::string> list, std::vector<std::string> more) {
        list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
        return list;
    };
    const auto lenient = [](const std::string& text) { keep(acta::parse_trajectory(text, {.lenient = true})); };
    const auto strict = [](const std::string& text) { keep(acta::parse_trajectory(text)); };
    const std::vector<std::string> messages = {
        list_of(user),
        list_of(call),
        calls,
        repeated("[" + user + ",", "1", ",", "]"),
        repeated("[" + user + ",", R"({"role":""})", ",", "]"),
        repeated("[" + user + ",", R"({"role":"tool"})", ",", "]"),
        repeated(R"([{"role":"user","content":[)", R"({"type":"text","text":""})", ",", "]}]")};
    std::vector<Reader> out = {
        {"`parse<Json>`", any, [](const std::string& text) { keep(acta::parse<acta::Json>(text)); }},
        {"`parse` of a list of texts", any,
         [](const std::string& text) { keep(acta::parse<std::vector<std::string>>(text)); }},
        {"a history",
         with(any,
              {repeated("{\"episodes\":[", step, ",", "],\"cursor\":0}"), repeated("{\"episodes\":[", "1", ",", "]}"),
               repeated("{\"episodes\":[{\"action\":{\"use_tool\":{\"name\":\"f\",\"arguments\":{\"a\":[", "1", ",",
                        "]}}}}],\"cursor\":0}")}),
         [](const std::string& text) { keep(acta::parse<acta::EpisodicActionHistory<>>(text)); }},
        {"OpenAI's messages", with(any, messages),
         [](const std::string& text) { keep(acta::openai::from_wire(acta::parse<acta::Json>(text))); }},
        {"Anthropic's messages",
         with(any,
              {list_of(user), repeated(R"([{"role":"user","content":[)", R"({"type":"text","text":""})", ",", "]}]"),
               list_of(R"({"role":"assistant","content":[{"type":"tool_use","id":"","name":"f","input":{}}]})")}),
         [](const std::string& text) { keep(acta::anthropic::from_wire(acta::parse<acta::Json>(text))); }},
        {"`parse_trajectory`, strict", with(messages, any), strict},
        {"`parse_trajectory`, lenient", with(messages, any), lenient},
        {"… ATIF",
         {repeated(R"({"schema_version":"ATIF-v1.7","agent":{"name":"a","version":"1"},"steps":[)",
                   R"({"source":"user","message":""})", ",", "]}"),
          repeated(R"({"schema_version":"ATIF-v1.7","agent":{"name":"a","version":"1"},"steps":[)", "1", ",", "]}"),
          repeated(
              R"({"schema_version":"ATIF-v1.7","agent":{"name":"a","version":"1"},"steps":[{"source":"agent","message":"","tool_calls":[)",
              R"({"tool_call_id":"","function_name":"","arguments":{}})", ",", "]}]}")},
         lenient},
        {"… SWE-agent",
         {repeated(R"({"history":[],"info":{},"trajectory":[)", R"({"action":"","observation":"","response":""})", ",",
                   "]}"),
          repeated(R"({"history":[],"info":{},"trajectory":[)", "1", ",", "]}"),
          repeated(R"({"trajectory":[],"info":{},"history":[)", R"({"role":"user","content":""})", ",", "]}"),
          repeated(R"({"trajectory":[],"info":{},"history":[)", "1", ",", "]}")},
         lenient},
        {"… AutoGPT",
         {repeated(R"({"action_history":{"episodes":[)", R"({"action":{"name":"f","args":{},"reasoning":""}})", ",",
                   "]}}"),
          repeated(R"({"episodes":[{"action":{"thoughts":{},"use_tool":{"name":"f","arguments":{}},)", R"("a":1)", ",",
                   "}}]}"),
          repeated(R"({"episodes":[)", "{}", ",", "]}")},
         lenient},
        {"… Claude Code",
         {repeated("", R"({"type":"user","uuid":"","message":{"role":"user","content":""}})", "\n", ""),
          repeated(R"({"type":"user","uuid":"a","sessionId":"s","message":{"role":"user","content":"x"}})"
                   "\n",
                   "{}", "\n", ""),
          repeated(R"({"type":"user","uuid":"a","sessionId":"s","message":{"role":"user","content":"x"}})"
                   "\n",
                   R"({"type":"a"})", "\n", "")},
         lenient},
        {"… Codex",
         {repeated(R"({"type":"session_meta","payload":{"id":"s"}})"
                   "\n",
                   R"({"type":"response_item","payload":{}})", "\n", ""),
          repeated(R"({"type":"session_meta","payload":{"id":"s"}})"
                   "\n",
                   "{}", "\n", ""),
          repeated(R"([{"type":"message","role":"user","content":"x"},)", R"({"type":""})", ",", "]")},
         lenient},
        {"… OpenHands",
         {repeated("[", R"({"id":0,"source":"user","action":"message","args":{"content":""}})", ",", "]"),
          repeated(R"([{"id":0,"source":"user","action":"message","args":{"content":""}},)", R"({"action":"f"})", ",",
                   "]")},
         lenient},
        {"an MCP result",
         with(any,
              {repeated("{\"content\":[", R"({"type":"text","text":""})", ",", "]}"),
               repeated("{\"content\":[", "1", ",", "]}"), repeated("{\"content\":[", R"({"type":""})", ",", "]}")}),
         [](const std::string& text) { keep(acta::parse<acta::mcp::CallToolResult>(text)); }},
        {"calls in Python's syntax",
         {repeated("", "f()", "\n", ""), repeated("f(a=[", "1", ",", "])"), repeated("f(a=[", "''", ",", "])"),
          repeated("f(a=[", "{}", ",", "])"), repeated("", "f(a=$)", "\n", ""), repeated("f(", "a=1", ",", ")"),
          repeated("f(a=[", "[]", ",", "])")},
         [](const std::string& text) {
             std::vector<acta::UnreadCall> unread;
             keep(acta::parse_calls(text, {.lenient = true, .report = &unread}));
         }},
        {"chunks of a text",
         {repeated("", "A. ", "", ""), repeated("", "a", " ", "")},
         [](const std::string& text) { keep(acta::split_into_chunks(text, {.max_tokens = 12})); }},
    };
#if defined(ACTA_HAS_YAML)
    std::string aliases = "a: &a " + std::string(1000, 'x') + "\nb: [";
    while (aliases.size() < 100'000) aliases += "*a,";
    out.push_back(
        {"YAML",
         {list_of("1"), list_of("a"), repeated("", "- 1", "\n", ""), repeated("", "- {}", "\n", ""), aliases + "]"},
         [](const std::string& text) { keep(acta::yaml_to_json(text)); }});
#endif
    return out;
}

}  // namespace

int main() {
    std::printf("| reader | memory to input | worst of the documents tried |\n|---|---|---|\n");
    for (const Reader& reader : readers()) {
        double worst = 0;
        std::string excerpt;
        for (const std::string& text : reader.documents) {
            const double ratio = static_cast<double>(bench::peak_memory([&] { attempt([&] { reader.read(text); }); })) /
                                 static_cast<double>(text.size());
            if (ratio <= worst) continue;
            worst = ratio;
            excerpt = text.substr(text.size() / 2 > 60 ? text.size() / 2 : 0, 40);
        }
        for (std::size_t at = 0; (at = excerpt.find_first_of("\n|", at)) != std::string::npos;) excerpt[at] = ' ';
        std::printf("| %s | %.1f | `…%s…` |\n", reader.name, worst, excerpt.c_str());
    }
}
