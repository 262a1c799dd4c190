// SPDX-License-Identifier: MIT
// Histories in the formats of others, tools' replies, schemas.
#include <benchmark/benchmark.h>

#include <fstream>
#include <memory>

#include "acta/interop/trajectory.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"
#include "acta/schema/schema.hpp"
#include "acta/tool_response/tool_response.hpp"
#include "generate.hpp"
#include "series.hpp"

namespace {

using bench::Job;
using History = acta::EpisodicActionHistory<>;
using Text = std::shared_ptr<const std::string>;

Text share(std::string text) { return std::make_shared<const std::string>(std::move(text)); }
std::shared_ptr<const History> steps(std::size_t n) { return std::make_shared<History>(bench::short_history(n)); }

constexpr auto to_atif = [](const History& history) { return acta::dump(acta::atif::to_document(history)); };
constexpr auto to_openai = [](const History& history) {
    return acta::dump(acta::openai::to_wire(acta::to_messages(history)));
};
// The JSON of messages is OpenAI's form.
constexpr auto to_openai_document = [](const History& history) { return acta::dump(acta::to_messages(history)); };
constexpr auto to_anthropic = [](const History& history) {
    return acta::dump(acta::anthropic::to_wire(acta::to_messages(history)));
};

std::string to_swe_agent(const History& history) {
    acta::swe_agent::Document out;
    auto& list = out.trajectory.emplace();
    for (const auto& step : history) {
        list.push_back({.action = "cat " + step.action.use_tool.name,
                        .observation = to_string(*step.result),
                        .response = step.action.thoughts + "\n```\ncat\n```",
                        .thought = step.action.thoughts});
    }
    return acta::dump(out);
}

/// A row that writes, beside nlohmann's writing of what was written, from a value that is there already.
template <class Write>
bench::Series writing(const char* name, const Write& write) {
    const auto prepare = [write](std::size_t n) {
        const auto history = steps(n);
        const std::string text = write(*history);
        const auto plain = std::make_shared<const nlohmann::json>(nlohmann::json::parse(text));
        const auto run = [history, write, size = text.size()] { return write(*history).size() == size; };
        const auto other = [plain] { benchmark::DoNotOptimize(plain->dump()); };
        return Job{static_cast<double>(text.size()), run, other};
    };
    return {name, "bytes", prepare, "nlohmann_json dump alone"};
}

/// A row that reads what `write` wrote as a history of as many steps, beside nlohmann's parser.
template <class Write>
bench::Series reading(const char* name, const Write& write) {
    const auto prepare = [write](std::size_t n) {
        const Text text = share(write(*steps(n)));
        const auto run = [text, n] { return acta::parse_trajectory(*text).history.size() == n; };
        const auto other = [text] { benchmark::DoNotOptimize(nlohmann::json::parse(*text)); };
        return Job{static_cast<double>(text->size()), run, other};
    };
    return {name, "bytes", prepare, "nlohmann_json parse alone"};
}

// --- Replies of tools -----------------------------------------------------------------------------------------------

/// The replies among the golden vectors: each type several times, with more and with fewer fields.
std::vector<std::string> golden_replies() {
    std::ifstream file(ACTA_SOURCE_DIR "/tests/golden/round_trips.json");
    std::vector<std::string> out;
    for (const auto& one : acta::Json::parse(file)) {
        const auto& model = one.at("model").get_ref<const std::string&>();
        if (model.ends_with("Response")) out.push_back(one.at("dump").dump());
    }
    return out;
}

std::string plain_type(const std::string& text) { return nlohmann::json::parse(text).at("type").get<std::string>(); }

Job dispatch(std::size_t) {
    const auto texts = std::make_shared<const std::vector<std::string>>(golden_replies());
    const auto run = [texts] {
        for (const std::string& text : *texts) {
            const acta::ToolResponse reply = acta::parse_tool_response(text);
            if (std::holds_alternative<acta::UnknownResponse>(reply)) return false;
        }
        return !texts->empty();
    };
    const auto other = [texts] {
        for (const std::string& text : *texts) benchmark::DoNotOptimize(plain_type(text));
    };
    return {static_cast<double>(texts->size()), run, other};
}

Job unknown_type(std::size_t) {
    const Text text = share(R"({"type": "weather", "message": "m", "session_id": null, "celsius": 4.5})");
    const auto run = [text] { return std::holds_alternative<acta::UnknownResponse>(acta::parse_tool_response(*text)); };
    return {1, run, [text] { benchmark::DoNotOptimize(plain_type(*text)); }};
}

Job block_list(std::size_t n) {
    acta::BlockListResponse list{.message = "m", .count = static_cast<std::int64_t>(n), .query = "tides"};
    acta::BlockInfoSummary block{.id = "b1", .name = "Tide table", .description = "The tides of a harbour."};
    block.input_schema = {{"type", "object"}, {"properties", {{"harbour", {{"type", "string"}}}}}};
    list.blocks.assign(n, block);
    const Text text = share(acta::dump(list));
    const auto run = [text, n] {
        return std::get<acta::BlockListResponse>(acta::parse_tool_response(*text)).blocks.size() == n;
    };
    const auto other = [text] { benchmark::DoNotOptimize(plain_type(*text)); };
    return {static_cast<double>(text->size()), run, other};
}

Job type_last(std::size_t n) {
    const Text text = share(R"({"message": ")" + std::string(20 * n, 'x') + R"(", "type": "error"})");
    const auto run = [text] { return std::holds_alternative<acta::ErrorResponse>(acta::parse_tool_response(*text)); };
    const auto other = [text] { benchmark::DoNotOptimize(plain_type(*text)); };
    return {static_cast<double>(text->size()), run, other};
}

// --- Schemas --------------------------------------------------------------------------------------------------------

template <class T>
void add_schemas(std::vector<bench::Series>& out, const char* type) {
    constexpr std::pair<acta::SchemaDialect, const char*> dialects[] = {
        {acta::SchemaDialect::pydantic, "pydantic"},
        {acta::SchemaDialect::openai_strict, "openai_strict"},
        {acta::SchemaDialect::anthropic, "anthropic"},
        {acta::SchemaDialect::mcp, "mcp"}};
    for (const auto& [dialect, name] : dialects) {
        const auto prepare = [dialect = dialect](std::size_t) {
            acta::SchemaOptions options;
            options.dialect = dialect;
            options.maps = acta::SchemaMaps::key_value_lists;
            return Job{1, [options] { return acta::schema<T>(options).is_object(); }};
        };
        out.push_back({std::string("`") + type + "`, " + name, "schemas", prepare});
    }
}

std::vector<bench::Series> schemas() {
    std::vector<bench::Series> out;
    add_schemas<acta::AssistantFunctionCall>(out, "AssistantFunctionCall");
    add_schemas<History>(out, "EpisodicActionHistory<>");
    add_schemas<acta::BlockListResponse>(out, "BlockListResponse");
    return out;
}

const bool added =
    bench::add_section({40,
                        "Other systems",
                        "steps in the history",
                        {10, 1'000, 10'000, 100'000},
                        {
                            writing("ATIF written", to_atif),
                            reading("ATIF read", to_atif),
                            writing("OpenAI's messages written", to_openai_document),
                            writing("the same, for a request (`to_wire`)", to_openai),
                            reading("OpenAI's messages read", to_openai),
                            writing("Anthropic's messages written", to_anthropic),
                            reading("Anthropic's messages read", to_anthropic),
                            reading("SWE-agent's trajectory read", to_swe_agent),
                        }}) &&
    bench::add_section({50,
                        "Tool responses",
                        "a reply",
                        {1},
                        {
                            {"of 26 types in turn", "replies", dispatch, "nlohmann_json parse and the type alone"},
                            {"of no known type", "replies", unknown_type, "nlohmann_json parse and the type alone"},
                        }}) &&
    bench::add_section(
        {51,
         "Tool responses: long ones",
         "elements",
         {10, 1'000, 10'000, 100'000},
         {
             {"blocks in a list", "bytes", block_list, "nlohmann_json parse and the type alone"},
             {"the type last, after a text", "bytes", type_last, "nlohmann_json parse and the type alone"},
         }}) &&
    bench::add_section({60, "Schemas", "a type", {1}, schemas()});

}  // namespace
