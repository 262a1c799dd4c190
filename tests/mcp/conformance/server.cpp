// SPDX-License-Identifier: MIT
#include <unistd.h>

// What the server's scenarios of the Model Context Protocol's conformance suite want to see (run.py), over a small HTTP
// server. Its argument is the port.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/mcp/http_server.hpp"
#include "acta/mcp/server.hpp"
#include "mcp/http_shim.hpp"

namespace {

namespace mcp = acta::mcp;
using acta::ActionResult;
using acta::Json;
using acta::JsonObject;
using acta::SkillContext;

const std::string png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const std::string wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

mcp::ServerContext& client_of(const SkillContext& context) { return *mcp::ServerContext::of(context); }
ActionResult content(std::vector<mcp::ContentBlock> blocks) {
    return mcp::to_action_result({.content = std::move(blocks)});
}
JsonObject object(const std::string& text) { return acta::parse<JsonObject>(text); }
mcp::InputRequest form(const std::string& message, const std::string& properties, const std::string& required = "") {
    return {.message = message,
            .requested_schema =
                object(R"({"type": "object", "properties": )" + properties + R"(, "required": [)" + required + "]}")};
}
JsonObject sampling(const std::string& prompt) {
    return {{"messages", Json::array({{{"role", "user"}, {"content", {{"type", "text"}, {"text", prompt}}}}})},
            {"maxTokens", 100}};
}
void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

void add_plain(acta::SkillRegistry& skills) {
    skills.add("test_simple_text", "Returns a text.", [] { return "This is a simple text response for testing."; });
    skills.add("test_image_content", "Returns an image.", [] {
        return content({mcp::ImageContent{png, "image/png", {}}});
    });
    skills.add("test_audio_content", "Returns audio.", [] {
        return content({mcp::AudioContent{wav, "audio/wav", {}}});
    });
    skills.add("test_embedded_resource", "Returns a resource.", [] {
        return content({mcp::EmbeddedResource{
            {"test://embedded-resource", "This is an embedded resource content.", {}, {{"mimeType", "text/plain"}}},
            {}}});
    });
    skills.add("test_multiple_content_types", "Returns several blocks.", [] {
        return content(
            {mcp::TextContent{"Multiple content types test:", {}}, mcp::ImageContent{png, "image/png", {}},
             mcp::EmbeddedResource{
                 {"test://mixed-content-resource", R"({"test":"data"})", {}, {{"mimeType", "application/json"}}}, {}}});
    });
    skills.add("test_error_handling", "Fails.", []() -> ActionResult {
        return acta::ActionErrorResult{.reason = "This tool intentionally returns an error for testing"};
    });
    skills.add("test_tool_with_progress", "Reports progress.", [](SkillContext& context) {
        for (const int done : {0, 50, 100}) {
            context.report_progress({.done = static_cast<double>(done), .total = 100});
            pause();
        }
        return "done";
    });
    skills.add("test_tool_with_logging", "Reports what it does.", [](SkillContext& context) {
        for (const char* const said : {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
            client_of(context).log({.level = "info", .data = said});
            pause();
        }
        return "done";
    });
    skills.add("test_logging_tool", "Reports, if that is wanted.", [](SkillContext& context) {
        client_of(context).log({.level = "info", .data = "working"});
        return "done";
    });
}

/// Tools whose schemas are given: one has a parameter with a header, one keywords that must be kept.
void add_schemas(acta::SkillRegistry& skills) {
    const acta::ToolFunction echo = [](const JsonObject& arguments, SkillContext&) -> ActionResult {
        return acta::ActionSuccessResult{.outputs = acta::dump(Json(arguments))};
    };
    skills.add({"test_header", "Has a parameter with a header.", acta::parse<Json>(R"({"type": "object", "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"}, "query": {"type": "string"}}})")},
               echo);
    skills.add({"json_schema_2020_12_tool", "Has a schema with many keywords.", acta::parse<Json>(R"({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "$defs": {"address": {"$anchor": "addressDef", "type": "object",
                              "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
                       "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                       "phone": {"type": "string"}, "email": {"type": "string"}},
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]}, "else": {"required": ["email"]}, "additionalProperties": false})")},
               echo);
}

void add_asking(acta::SkillRegistry& skills) {
    skills.add(
        "test_sampling", "Asks a model.",
        [](const std::string& prompt, SkillContext& context) {
            const JsonObject said = client_of(context).ask({"sample", "sampling/createMessage", sampling(prompt)});
            return "LLM response: " + acta::dump(said.at("content"));
        },
        acta::param("prompt", "What to ask."));
    const auto shown = [](const mcp::InputAnswer& answer) { return "User response: " + acta::dump(answer); };
    skills.add(
        "test_elicitation", "Asks a person.",
        [shown](const std::string& message, SkillContext& context) {
            return shown(client_of(context).elicit(
                "user", form(message, R"({"username": {"type": "string", "description": "Name"},
            "email": {"type": "string", "description": "Email"}})",
                             R"("username", "email")")));
        },
        acta::param("message", "What to ask."));
    skills.add("test_elicitation_sep1034_defaults", "Asks with defaults.", [shown](SkillContext& context) {
        return shown(client_of(context).elicit(
            "user", form("Please review", R"({"name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30}, "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
            "verified": {"type": "boolean", "default": true}})")));
    });
    skills.add("test_elicitation_sep1330_enums", "Asks for choices.", [shown](SkillContext& context) {
        return shown(client_of(context).elicit("user", form("Please choose", R"({
            "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
            "titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]},
            "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2"]}},
            "titledMulti": {"type": "array", "items": {"anyOf": [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]}}})")));
    });
}

void add_rounds(acta::SkillRegistry& skills) {
    const std::string prefix = "test_input_required_result_";
    const std::string name = R"({"name": {"type": "string"}})";
    const std::string ok = R"({"ok": {"type": "boolean"}})";
    skills.add(prefix + "elicitation", "Asks for a name.", [name](SkillContext& context) {
        const mcp::InputAnswer answer =
            client_of(context).elicit("user_name", form("What is your name?", name, R"("name")"));
        return "Hello, " + (answer.content.empty() ? "you" : answer.content.at("name").get<std::string>()) + "!";
    });
    skills.add(prefix + "sampling", "Asks a model.", [](SkillContext& context) {
        return acta::dump(
            client_of(context)
                .ask({"capital_question", "sampling/createMessage", sampling("What is the capital of France?")})
                .at("content"));
    });
    skills.add(prefix + "list_roots", "Asks for folders.", [](SkillContext& context) {
        return acta::dump(client_of(context).ask({"client_roots", "roots/list", {}}).at("roots"));
    });
    for (const std::string kind : {"request_state", "tampered_state"})
        skills.add(prefix + kind, "Asks, and keeps a state.", [ok](SkillContext& context) {
            static_cast<void>(client_of(context).elicit("confirm", form("Please confirm", ok)));
            return "state-ok";
        });
    skills.add(prefix + "multiple_inputs", "Asks several questions.", [name](SkillContext& context) {
        const Json request = acta::to_json_value(form("What is your name?", name, R"("name")"));
        const auto answers = client_of(context).ask_all({{"user_name", "elicitation/create", request.get<JsonObject>()},
                                                         {"greeting", "sampling/createMessage", sampling("Greet")},
                                                         {"client_roots", "roots/list", {}}});
        return std::to_string(answers.size());
    });
    skills.add(prefix + "multi_round", "Asks twice.", [name](SkillContext& context) {
        static_cast<void>(client_of(context).elicit("step1", form("Step 1: your name", name)));
        static_cast<void>(
            client_of(context).elicit("step2", form("Step 2: a colour", R"({"color": {"type": "string"}})")));
        return "complete";
    });
    skills.add(prefix + "capabilities", "Asks what the client can answer.", [ok](SkillContext& context) {
        if (client_of(context).client_offers("sampling"))
            return acta::dump(
                client_of(context).ask({"sample", "sampling/createMessage", sampling("Hello")}).at("content"));
        if (client_of(context).client_offers("elicitation"))
            static_cast<void>(client_of(context).elicit("confirm", form("Please confirm", ok)));
        return std::string("complete");
    });
    skills.add("test_missing_capability", "Needs a model.", [](SkillContext& context) {
        return acta::dump(
            client_of(context).ask({"sample", "sampling/createMessage", sampling("Hello")}).at("content"));
    });
    skills.add("test_streaming_elicitation", "Reports, then asks.", [name](SkillContext& context) {
        context.report_progress({.done = 1, .total = 2});
        static_cast<void>(client_of(context).elicit("user_name", form("What is your name?", name)));
        return "done";
    });
}

void add_others(mcp::Server& server) {
    const auto text = [](const std::string& type, const std::string& said) {
        return [type, said](const std::string& uri, const JsonObject&, mcp::ServerContext&) {
            return std::vector<mcp::ResourceContents>{{uri, said, {}, {{"mimeType", type}}}};
        };
    };
    server.add_resource({.uri = "test://static-text", .name = "text", .mime_type = "text/plain"},
                        text("text/plain", "This is the content of the static text resource."));
    server.add_resource({.uri = "test://static-binary", .name = "binary", .mime_type = "image/png"},
                        [](const std::string& uri, const JsonObject&, mcp::ServerContext&) {
                            return std::vector<mcp::ResourceContents>{{uri, {}, png, {{"mimeType", "image/png"}}}};
                        });
    server.add_resource({.uri = "test://watched-resource", .name = "watched", .mime_type = "text/plain"},
                        text("text/plain", "watched"));
    server.add_resource_template(
        {.uri_template = "test://template/{id}/data", .name = "data", .mime_type = "application/json"},
        [](const std::string& uri, const JsonObject& variables, mcp::ServerContext&) {
            return std::vector<mcp::ResourceContents>{
                {uri, acta::dump(variables), {}, {{"mimeType", "application/json"}}}};
        });
    const auto user = [](mcp::ContentBlock block) { return mcp::PromptMessage{"user", std::move(block)}; };
    server.add_prompt(
        {.name = "test_simple_prompt", .description = "A text."}, [user](const JsonObject&, mcp::ServerContext&) {
            return mcp::PromptResult{"", {user(mcp::TextContent{"This is a simple prompt for testing.", {}})}, {}};
        });
    server.add_prompt({.name = "test_prompt_with_arguments",
                       .description = "A text with arguments.",
                       .arguments = {{.name = "arg1", .required = true}, {.name = "arg2", .required = true}}},
                      [user](const JsonObject& given, mcp::ServerContext&) {
                          return mcp::PromptResult{
                              "",
                              {user(mcp::TextContent{"arg1='" + given.at("arg1").get<std::string>() + "', arg2='" +
                                                         given.at("arg2").get<std::string>() + "'",
                                                     {}})},
                              {}};
                      });
    server.add_prompt({.name = "test_prompt_with_embedded_resource",
                       .description = "A resource.",
                       .arguments = {{.name = "resourceUri", .required = true}}},
                      [user](const JsonObject& given, mcp::ServerContext&) {
                          return mcp::PromptResult{
                              "",
                              {user(mcp::EmbeddedResource{{given.at("resourceUri").get<std::string>(),
                                                           "Embedded resource content for testing.",
                                                           {},
                                                           {{"mimeType", "text/plain"}}},
                                                          {}}),
                               user(mcp::TextContent{"Please process the embedded resource above.", {}})},
                              {}};
                      });
    server.add_prompt({.name = "test_prompt_with_image", .description = "An image."},
                      [user](const JsonObject&, mcp::ServerContext&) {
                          return mcp::PromptResult{"",
                                                   {user(mcp::ImageContent{png, "image/png", {}}),
                                                    user(mcp::TextContent{"Please analyze the image above.", {}})},
                                                   {}};
                      });
    server.add_prompt(
        {.name = "test_input_required_result_prompt", .description = "Asks first."},
        [user](const JsonObject&, mcp::ServerContext& client) {
            static_cast<void>(client.elicit("user_context", form("What for?", R"({"context": {"type": "string"}})")));
            return mcp::PromptResult{"", {user(mcp::TextContent{"done", {}})}, {}};
        });
    server.set_completion([](const mcp::CompletionRequest&) {
        return mcp::Completion{.values = {"test", "testing"}, .total = 2};
    });
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    mcp::Server server({}, {.name = "acta-conformance", .version = "1.0"});
    acta::SkillRegistry skills;
    add_plain(skills);
    add_schemas(skills);
    add_asking(skills);
    add_rounds(skills);
    skills.add("test_trigger_tool_change", "Says that the tools have changed.", [&server] {
        server.report({mcp::Change::Kind::tools, ""});
        return "done";
    });
    skills.add("test_trigger_prompt_change", "Says that the prompts have changed.", [&server] {
        server.report({mcp::Change::Kind::prompts, ""});
        return "done";
    });
    server.set_skills(skills);
    add_others(server);
    mcp::HttpServer http(server);
    const mcp_tests::HttpShim shim(http, std::atoi(argv[1]));
    std::cout << shim.port() << std::endl;  // whoever waits for it may begin
    for (;;) ::pause();                     // until it is killed
}
