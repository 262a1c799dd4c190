// SPDX-License-Identifier: MIT
#include <map>
#include <optional>

#include "acta/acta.hpp"
#include "acta/schema/schema.hpp"
#include "pysyntax/python3.hpp"
#include "schema/schema_checks.hpp"
#include "support/golden.hpp"
#include "support/sizes.hpp"

namespace {

using acta::Json;
using acta::SchemaDialect;
using golden::models;

/// And those that have none.
template <class T>
golden::Model other(std::string_view name) {
    golden::Model out{};
    out.name = name;
    out.schema = [](const acta::SchemaOptions& options) { return acta::schema<T>(options); };
    return out;
}
std::vector<golden::Model> models_without_vectors() {
    return {other<acta::ChatMessage>("ChatMessage"), other<acta::ChatCompletion>("ChatCompletion"),
            other<acta::TokenUsage>("TokenUsage"),   other<acta::ToolDefinition>("ToolDefinition"),
            other<acta::StepMetrics>("StepMetrics"), other<acta::ToolResult>("ToolResult")};
}

acta::SchemaOptions in(SchemaDialect dialect, acta::SchemaMaps maps = acta::SchemaMaps::refuse) {
    acta::SchemaOptions options;
    options.dialect = dialect;
    options.maps = maps;
    return options;
}

/// The strict schema with maps as lists; nothing where it has more levels than OpenAI allows.
std::optional<Json> as_lists(const golden::Model& one) {
    try {
        return one.schema(in(SchemaDialect::openai_strict, acta::SchemaMaps::key_value_lists));
    } catch (const acta::SchemaError& error) {
        CHECK_THAT(error.what(), contains_text("more than 10 levels"));
        return std::nullopt;
    }
}

/// Whether a value of this schema may hold an object with keys of any name, or anything.
bool has_free_values(const Json& schema) {
    bool found = false;
    schema_checks::each_node(schema, "", [&](const Json& node, const std::string&) {
        if (!node.is_object()) return;
        const bool says = node.contains("type") || node.contains("anyOf") || node.contains("$ref") ||
                          node.contains("const") || node.contains("enum");
        const bool closed = node.contains("properties");
        found = found || !says || (node.value("type", Json()) == "object" && !closed);
    });
    return found;
}

}  // namespace

TEST_CASE("the schema of every model keeps to the rules of every dialect") {
    std::vector<golden::Model> all = models();
    for (const golden::Model& one : models_without_vectors()) all.push_back(one);
    REQUIRE(all.size() == 61);
    std::size_t refused = 0;
    for (const golden::Model& one : all) {
        INFO(one.name);
        const auto none = schema_checks::Problems();
        CHECK(schema_checks::mcp_problems(one.schema(in(SchemaDialect::mcp))) == none);
        CHECK(schema_checks::anthropic_problems(one.schema(in(SchemaDialect::anthropic))) == none);
        if (const auto lists = as_lists(one))
            CHECK(schema_checks::openai_problems(*lists) == none);
        else
            CHECK(one.name == "SkillsDeclaration");
        const bool free_values = has_free_values(one.schema({}));
        if (free_values) {
            ++refused;
            CHECK_THROWS_AS(one.schema(in(SchemaDialect::openai_strict)), acta::SchemaError);
        } else {
            CHECK(schema_checks::openai_problems(one.schema(in(SchemaDialect::openai_strict))) == none);
        }
    }
    CHECK(refused > 10);
    CHECK(refused < 50);
}

namespace {

/// Prints a line for every document that the schema of its case takes or refuses against expectation.
constexpr const char* check_script = R"python(
import json, sys
try:
    import jsonschema
except ImportError:
    print("no jsonschema")
    sys.exit(0)
Validator = getattr(jsonschema, "Draft202012Validator", None) or jsonschema.Draft7Validator
count = 0
for case in json.load(open(sys.argv[1], encoding="utf-8")):
    if case["check"]:
        Validator.check_schema(case["schema"])
    validator = Validator(case["schema"])
    for want in ("good", "bad"):
        for document in case[want]:
            count += 1
            if validator.is_valid(document) != (want == "good"):
                print("wrong", case["name"], "refuses" if want == "good" else "takes", json.dumps(document))
print("checked", count)
)python";

/// The schema that `schema`, a part of `root`, refers to.
const Json* resolve(const Json& schema, const Json& root) {
    const Json* node = &schema;
    while (node->contains("$ref"))
        node = &root.at(Json::json_pointer((*node)["$ref"].get_ref<const std::string&>().substr(1)));
    return node;
}

/// The document without what is in no schema: fields that are hidden or written when set, and kept unknown keys.
Json described_part(const Json& schema, const Json& root, const Json& value) {
    const Json* const node = resolve(schema, root);
    if (node->contains("anyOf")) {
        for (const Json& one : (*node)["anyOf"]) {
            const Json* const member = resolve(one, root);
            if (!member->contains("properties") || !value.is_object()) continue;
            bool fits = true;
            for (const Json& key : member->value("required", Json::array())) fits = fits && value.contains(key);
            for (const auto& [key, property] : (*member)["properties"].items())
                fits = fits && (!property.contains("const") || !value.contains(key) || value[key] == property["const"]);
            if (fits) return described_part(*member, root, value);
        }
        return value;
    }
    if (value.is_array() && node->contains("items")) {
        Json out = acta::JsonArray();
        for (const Json& one : value) out.push_back(described_part((*node)["items"], root, one));
        return out;
    }
    if (!value.is_object()) return value;
    Json out = acta::JsonObject();
    for (const auto& [key, member] : value.items()) {
        if (node->contains("properties")) {
            const auto property = (*node)["properties"].find(key);
            if (property != (*node)["properties"].end()) out[key] = described_part(*property, root, member);
        } else if (node->contains("additionalProperties") && (*node)["additionalProperties"].is_object()) {
            out[key] = described_part((*node)["additionalProperties"], root, member);
        } else {
            out[key] = member;
        }
    }
    return out;
}

/// Whether all that is wrong is in `raw_message`, which is in no schema.
bool only_of_hidden_fields(const Json& issues) {
    return std::all_of(issues.begin(), issues.end(), [](const Json& issue) {
        return std::find(issue["loc"].begin(), issue["loc"].end(), "raw_message") != issue["loc"].end();
    });
}

struct Case {
    Json json = acta::JsonObject();
    explicit Case(const std::string& name, Json schema) {
        json["name"] = name;
        json["schema"] = std::move(schema);
        json["good"] = acta::JsonArray();
        json["bad"] = acta::JsonArray();
    }
};

}  // namespace

TEST_CASE("a validator takes what parses and refuses what does not, in every dialect") {
    std::map<std::string, std::vector<Json>> good;
    std::map<std::string, std::vector<Json>> bad;
    for (const Json& row : golden::rows("round_trips.json"))
        good[row["model"].get<std::string>()].push_back(row["dump"]);
    for (const Json& row : golden::rows("validation.json")) {
        if (row.contains("issues") && !only_of_hidden_fields(row["issues"]))
            bad[row["model"].get<std::string>()].push_back(row["input"]);
    }
    Json cases = acta::JsonArray();
    std::size_t documents = 0;
    for (const golden::Model& one : models()) {
        const std::string name(one.name);
        const Json plain = one.schema({});
        Case mcp(name + " mcp", one.schema(in(SchemaDialect::mcp)));
        Case anthropic(name + " anthropic", one.schema(in(SchemaDialect::anthropic)));
        const auto lists = as_lists(one);
        Case openai(name + " openai_strict", lists.value_or(acta::JsonObject()));
        for (const Json& dump : good[name]) {
            const Json described = described_part(plain, plain, dump);
            const Json as_lists = acta::lists_from_maps(plain, described);
            mcp.json["good"].push_back(dump);
            anthropic.json["good"].push_back(described);
            openai.json["good"].push_back(as_lists);
            INFO(name << " " << as_lists.dump());
            CHECK(acta::maps_from_lists(plain, as_lists) == described);
        }
        for (const Json& input : bad[name]) {
            mcp.json["bad"].push_back(input);
            anthropic.json["bad"].push_back(input);
            openai.json["bad"].push_back(acta::lists_from_maps(plain, input));
        }
        const auto add = [&cases](Json json) {
            // The check against the schema of schemas takes far longer than that of documents. Dialects take turns.
            json["check"] = cases.size() % test_size(5, 1) == 0;
            cases.push_back(std::move(json));
        };
        add(mcp.json);
        add(anthropic.json);
        if (lists) add(openai.json);
        documents += (good[name].size() + bad[name].size()) * (lists ? 3 : 2);
    }
    const auto answer = python3::run(check_script, cases.dump());
    if (!answer) ACTA_SKIP("no python3 here");
    if (answer->starts_with("no jsonschema")) ACTA_SKIP("python3 has no jsonschema here");
    CHECK(*answer == "checked " + std::to_string(documents) + "\n");
    CHECK(documents > 1900);
}
