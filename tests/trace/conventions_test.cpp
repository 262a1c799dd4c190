// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
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
#include "support/temp_folder.hpp"
#include "trace/traced_run.hpp"

// The attributes of spans beside the conventions' own registry, schemas and cases. What the registry says of the
// attributes that acta writes is in a table here. A checkout of open-telemetry/semantic-conventions-genai, whose folder
// the variable ACTA_GENAI_CONVENTIONS names, is read as well.
namespace {

using acta::Json;
using acta::trace::AttributeValue;
using acta::trace::Span;
using acta::trace::Tracer;
using traced::Spans;
using traced::text;

/// The types of the registry. An `any` is JSON in a text on spans, and an enumeration is a text.
const std::map<std::string, std::string, std::less<>> types = {
    {"error.type", "string"},
    {"gen_ai.agent.description", "string"},
    {"gen_ai.agent.name", "string"},
    {"gen_ai.conversation.id", "string"},
    {"gen_ai.input.messages", "any"},
    {"gen_ai.operation.name", "enum"},
    {"gen_ai.output.messages", "any"},
    {"gen_ai.output.type", "enum"},
    {"gen_ai.provider.name", "enum"},
    {"gen_ai.request.max_tokens", "int"},
    {"gen_ai.request.model", "string"},
    {"gen_ai.request.stream", "boolean"},
    {"gen_ai.request.temperature", "double"},
    {"gen_ai.response.finish_reasons", "string[]"},
    {"gen_ai.response.model", "string"},
    {"gen_ai.response.time_to_first_chunk", "double"},
    {"gen_ai.tool.call.arguments", "any"},
    {"gen_ai.tool.call.id", "string"},
    {"gen_ai.tool.call.result", "any"},
    {"gen_ai.tool.definitions", "any"},
    {"gen_ai.tool.description", "string"},
    {"gen_ai.tool.name", "string"},
    {"gen_ai.tool.type", "string"},
    {"gen_ai.usage.cache_read.input_tokens", "int"},
    {"gen_ai.usage.cache_write.input_tokens", "int"},
    {"gen_ai.usage.input_tokens", "int"},
    {"gen_ai.usage.output_tokens", "int"},
    {"gen_ai.usage.reasoning.output_tokens", "int"},
    {"http.response.status_code", "int"},
    {"server.address", "string"},
    {"server.port", "int"},
};

bool is_of_type(const AttributeValue& value, std::string_view type) {
    if (type == "boolean") return std::holds_alternative<bool>(value);
    if (type == "int") return std::holds_alternative<std::int64_t>(value);
    if (type == "double") return std::holds_alternative<double>(value);
    if (type == "string[]") return std::holds_alternative<std::vector<std::string>>(value);
    return std::holds_alternative<std::string>(value);
}

/// Returns the spans of runs that have all there is, from events and from their records.
Spans all_spans() {
    acta::trace::TraceOptions options{.agent_name = "harbour",
                                      .agent_description = "Knows the harbour.",
                                      .conversation_id = "session 5",
                                      .provider = "openai",
                                      .model = "gpt-5",
                                      .server_address = "api.openai.com",
                                      .server_port = 443,
                                      .content = true};
    Spans out;
    acta::RunOptions run;
    run.on_event = Tracer([&](Span span) { out.push_back(std::move(span)); }, options);
    run.chat.temperature = 0.5;
    run.chat.max_tokens = 300;
    run.chat.response_schema = Json::object();
    traced::History history;
    traced::run(history, run);

    acta::ScriptedChatModel refusing;
    refusing.fail(acta::ChatModelError("busy", {.status = 503}));
    traced::History other;
    other.register_message(acta::ChatMessage::user("When?"));
    acta::run_agent(refusing, acta::SkillRegistry(), other, run);
    for (const traced::History* const one : {&history, &other}) {
        const Spans recorded = acta::trace::spans_of(*one, options);
        out.insert(out.end(), recorded.begin(), recorded.end());
    }
    return out;
}

/// The folder of a checkout of the conventions, if there is one.
std::optional<std::filesystem::path> checkout() {
    const char* const folder = std::getenv("ACTA_GENAI_CONVENTIONS");
    if (folder == nullptr) return std::nullopt;
    return std::filesystem::path(folder);
}

/// Returns the types of a registry in YAML: of each `- key: NAME`, its `type: TYPE`, which is empty before members.
std::map<std::string, std::string> types_of(const std::string& registry) {
    constexpr std::string_view key = "  - key: ";
    constexpr std::string_view type = "    type:";
    std::map<std::string, std::string> out;
    std::string name;
    std::istringstream lines(registry);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(key)) name = line.substr(key.size());
        if (line.starts_with(type)) out[name] = line.size() > type.size() ? line.substr(type.size() + 1) : "enum";
    }
    return out;
}

/// Returns a schema without references to other documents, which accept all here.
Json without_documents(const Json& schema) {
    if (!schema.is_structured()) return schema;
    Json out = schema;
    if (out.is_object() && out.contains("$ref") && !std::string(out.at("$ref")).starts_with("#")) return Json::object();
    for (Json& one : out) one = without_documents(one);
    return out;
}

acta::SchemaValidator validator_of(const std::filesystem::path& folder, const std::string& name) {
    return acta::SchemaValidator(without_documents(acta::parse<Json>(read_file(folder / "model/gen-ai" / name))));
}

/// The text from one mark to the next, without them.
std::string between(const std::string& whole, const std::string& begin, const std::string& end) {
    const std::size_t found = whole.find(begin);
    if (found == std::string::npos) return {};
    const std::size_t at = found + begin.size();
    return whole.substr(at, whole.find(end, at) - at);
}

}  // namespace

TEST_CASE("each attribute is one of the conventions' and has its type, or is acta's own") {
    std::set<std::string> seen;
    for (const Span& span : all_spans()) {
        std::set<std::string_view> names;
        for (const auto& [key, value] : span.attributes) {
            CAPTURE(span.name, key.text());
            CHECK(names.insert(key).second);
            if (key.text().starts_with("acta.")) continue;
            const auto type = types.find(key.text());
            REQUIRE(type != types.end());
            CHECK(is_of_type(value, type->second));
            if (type->second == "any") CHECK(acta::parse<Json>(std::get<std::string>(value)).is_structured());
            seen.emplace(key.text());
        }
        const std::string operation = text(span, "gen_ai.operation.name");
        CHECK(span.name.starts_with(operation));
        if (operation == "chat") CHECK(names.contains("gen_ai.provider.name"));
        if (operation == "execute_tool") CHECK(names.contains("gen_ai.tool.name"));
    }
    for (const auto& [name, type] : types) {
        CAPTURE(name);
        CHECK(seen.contains(name));
    }
}

TEST_CASE("definitions of tools have the form of the conventions, and their parameters are schemas") {
    std::size_t tools = 0;
    for (const Span& span : all_spans()) {
        if (text(span, "gen_ai.tool.definitions").empty()) continue;
        for (const Json& tool : acta::parse<Json>(text(span, "gen_ai.tool.definitions"))) {
            CHECK(tool.at("type") == "function");
            CHECK(tool.at("name").is_string());
            CHECK(tool.at("description").is_string());
            CHECK_NOTHROW(acta::SchemaValidator(tool.at("parameters")));
            CHECK(tool.size() == 4);
            ++tools;
        }
    }
    CHECK(tools > 4);
}

TEST_CASE("the table of attributes is that of the conventions' registry") {
    const auto folder = checkout();
    if (!folder) ACTA_SKIP("ACTA_GENAI_CONVENTIONS names no checkout of the conventions");
    const auto registry = types_of(read_file(*folder / "model/gen-ai/registry.yaml"));
    for (const auto& [name, type] : types) {
        if (!name.starts_with("gen_ai.")) continue;
        CAPTURE(name);
        REQUIRE(registry.contains(name));
        CHECK(registry.at(name) == type);
    }
}

TEST_CASE("messages and definitions are what the conventions' schemas accept") {
    const auto folder = checkout();
    if (!folder) ACTA_SKIP("ACTA_GENAI_CONVENTIONS names no checkout of the conventions");
    const std::vector<Span> spans = all_spans();
    for (const auto& [key, name] : {std::pair{"gen_ai.input.messages", "gen-ai-input-messages.json"},
                                    std::pair{"gen_ai.output.messages", "gen-ai-output-messages.json"},
                                    std::pair{"gen_ai.tool.definitions", "gen-ai-tool-definitions.json"}}) {
        const acta::SchemaValidator validator = validator_of(*folder, name);
        std::size_t values = 0;
        for (const Span& span : spans) {
            if (text(span, key).empty()) continue;
            CAPTURE(span.name, text(span, key));
            CHECK(validator.issues(acta::parse<Json>(text(span, key))).empty());
            ++values;
        }
        CHECK(values > 2);
    }
}

TEST_CASE("the conventions' own cases are accepted and refused as they say") {
    const auto folder = checkout();
    if (!folder) ACTA_SKIP("ACTA_GENAI_CONVENTIONS names no checkout of the conventions");
    std::size_t cases = 0;
    for (const auto& entry : std::filesystem::directory_iterator(*folder / "docs/gen-ai/non-normative/tests/cases")) {
        const std::string whole = read_file(entry.path());
        const std::string schema = between(whole, "\nschema: ", "\n");
        CAPTURE(entry.path().filename().string(), schema);
        const Json document = acta::parse<Json>(between(whole, "\ndocument: ", "\n#"));
        const bool is_valid = whole.find("\nerrors: []") != std::string::npos;
        CHECK(validator_of(*folder, schema).accepts(document) == is_valid);
        ++cases;
    }
    CHECK(cases > 5);
}
