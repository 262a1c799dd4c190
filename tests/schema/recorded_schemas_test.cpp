// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>
#include <utility>

#include "acta/json/json.hpp"
#include "acta/schema/schema.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/noise.hpp"
#include "support/recorded.hpp"

// JSON Schemas made at random, in each dialect as they were when last looked at (CONTRIBUTING.md, "What a change
// needs").
namespace {

using acta::Json;

/// Schemas as programs write them; every other one has what a dialect may refuse.
class Schemas {
public:
    explicit Schemas(unsigned seed) : noise(seed) {}

    Json document() {
        is_plain_ = noise.chance(2);
        Json out = !is_plain_ && noise.chance(8) ? any(3) : object(3);
        if (!out.is_object()) return out;
        for (std::size_t i = is_plain_ ? 3 : noise.below(4); i > 0; --i) out["$defs"]["D" + std::to_string(i)] = any(2);
        return out;
    }

    /// A value that fits a part of a schema, but for a mistake at times.
    Json fitting(const Json& schema, const Json& node, std::size_t depth) {
        if (depth == 0 || noise.chance(10) || !node.is_object()) return value(1);
        if (const auto ref = node.find("$ref"); ref != node.end()) {
            const std::string name = ref->get<std::string>();
            if (name == "#") return fitting(schema, schema, depth - 1);
            const std::string key = name.substr(name.rfind('/') + 1);
            return schema.contains("$defs") && schema["$defs"].contains(key)
                       ? fitting(schema, schema["$defs"][key], depth - 1)
                       : value(1);
        }
        if (node.contains("const")) return node["const"];
        for (const char* const choices : {"enum", "anyOf", "oneOf", "allOf"}) {
            if (!node.contains(choices) || node[choices].empty()) continue;
            const Json& one = node[choices][noise.below(node[choices].size())];
            return choices == std::string_view("enum") ? one : fitting(schema, one, depth - 1);
        }
        if (node.contains("properties") || node.value("type", Json()) == "object") {
            Json out = Json::object();
            const Json properties = node.value("properties", Json::object());
            for (const auto& [key, inner] : properties.items()) {
                if (!noise.chance(5)) out[key] = fitting(schema, inner, depth - 1);
            }
            const Json more = node.value("additionalProperties", Json(noise.chance(9)));
            for (std::size_t i = more == false ? 0 : noise.below(3); i > 0; --i) {
                const std::string key = name();
                out[key] = fitting(schema, more, depth - 1);
            }
            return out;
        }
        if (node.value("type", Json()) == "array") {
            Json out = Json::array();
            for (const Json& one : node.value("prefixItems", Json::array()))
                out.push_back(fitting(schema, one, depth - 1));
            for (std::size_t i = noise.below(3); i > 0; --i)
                out.push_back(fitting(schema, node.value("items", Json()), depth - 1));
            return out;
        }
        return value(1);
    }

    Noise noise;

private:
    std::string name() { return noise.one_of(parts_of("a|b|kind|type|n|D1|query|x/y|\xE6\x97\xA5")); }

    Json value(std::size_t depth) {
        switch (noise.below(depth > 0 ? 7 : 5)) {
            case 0: return nullptr;
            case 1: return noise.chance(2);
            case 2: return noise.below(9);
            case 3: return 0.5;
            case 4: return noise.one_of(parts_of("|a|b|two words|\"quoted\""));
            case 5: return Json::array({value(depth - 1), value(depth - 1)});
            default: return Json{{name(), value(depth - 1)}};
        }
    }
    Json object(std::size_t depth) {
        Json out{{"type", "object"}};
        if (is_plain_ && noise.chance(6)) {
            out["additionalProperties"] = any(depth - 1);
            return out;
        }
        for (std::size_t i = is_plain_ ? 1 + noise.below(3) : noise.below(4); i > 0; --i) {
            const std::string key = name();
            out["properties"][key] = any(depth - 1);
            if (noise.chance(2)) out["required"].push_back(key);
        }
        if (is_plain_) return out;
        if (noise.chance(4)) out["additionalProperties"] = noise.chance(2) ? Json(noise.chance(2)) : any(depth - 1);
        if (noise.chance(12)) out["patternProperties"]["^x"] = any(depth - 1);
        if (noise.chance(12)) out["required"].push_back("missing");
        return out;
    }
    Json list(std::size_t depth) {
        Json out{{"type", "array"}};
        if (is_plain_ || !noise.chance(4)) out["items"] = any(depth - 1);
        if (noise.chance(4)) {
            const Json one = any(depth - 1);
            out["prefixItems"] = Json::array({one, noise.chance(2) ? one : any(depth - 1)});
            if (noise.chance(2)) out["items"] = noise.chance(2) ? Json(false) : one;
            if (noise.chance(2)) out["minItems"] = out["maxItems"] = 1 + noise.below(2);
        }
        if (noise.chance(4)) out["uniqueItems"] = true;
        return out;
    }
    Json unions(std::size_t depth) {
        Json out;
        Json& all = out[noise.one_of(parts_of(is_plain_ ? "anyOf|oneOf" : "anyOf|oneOf|allOf"))] = Json::array();
        for (std::size_t i = is_plain_ ? 2 : noise.below(4); i > 0; --i)
            all.push_back(noise.chance(2) ? object(depth) : any(depth - 1));
        if (noise.chance(8)) all.push_back({{"type", "null"}});
        return out;
    }
    Json leaf() {
        switch (noise.below(7)) {
            case 0: return {{"type", "string"}, {"minLength", 1}, {"pattern", "^a"}};
            case 1: return {{"type", "string"}, {"format", noise.one_of(parts_of("date-time|uri|email|binary|x"))}};
            case 2: return {{"type", "integer"}, {"minimum", 1}, {"multipleOf", 2}};
            case 3: return {{"type", noise.one_of(parts_of(is_plain_ ? "number|boolean" : "number|null|string|any"))}};
            case 4: {
                Json types{noise.one_of(parts_of("string|integer|array")), "null"};
                return {{"type", std::move(types)}};
            }
            case 5: {
                Json values = Json::array({value(1), value(1)});
                return {{"enum", std::move(values)}};
            }
            default: return {{"const", value(1)}};
        }
    }
    Json any(std::size_t depth) {
        Json out;
        switch (noise.below(depth > 0 ? 9 : 5)) {
            case 0:
            case 1:
            case 2: out = leaf(); break;
            case 3:
                out = Json{{"$ref", "#/$defs/D" + std::to_string(1 + noise.below(3))}};
                if (noise.chance(4)) out["$ref"] = is_plain_ || noise.chance(2) ? "#" : "#/x";
                break;
            case 4: out = is_plain_ ? leaf() : Json::object(); break;
            case 5: out = list(depth); break;
            case 6: out = unions(depth); break;
            default: out = object(depth); break;
        }
        if (noise.chance(5)) out["description"] = noise.one_of(parts_of("|Some.|Two\nlines"));
        if (noise.chance(8)) out["default"] = value(1);
        if (noise.chance(12)) out["title"] = "T";
        if (!is_plain_ && noise.chance(30)) return noise.chance(2);
        return out;
    }

    bool is_plain_ = false;
};

}  // namespace

TEST_CASE("schemas are converted as was recorded") {
    Schemas schemas(1);
    const auto converted = [&] {
        const Json schema = schemas.document();
        acta::SchemaOptions options;
        std::string out = schema.dump() + "|";
        options.null_for_missing = schemas.noise.chance(2);
        if (schemas.noise.chance(2)) options.maps = acta::SchemaMaps::key_value_lists;
        for (const auto dialect :
             {acta::SchemaDialect::openai_strict, acta::SchemaDialect::anthropic, acta::SchemaDialect::mcp}) {
            options.dialect = dialect;
            try {
                out += acta::convert_schema(schema, options).dump() + "|";
            } catch (const acta::SchemaError& error) {
                out += std::string(error.what()) + "|";
            }
        }
        return out;
    };
    const auto there_and_back = [&] {
        const Json schema = schemas.document();
        std::string out;
        for (int i = 0; i < 4; ++i) {
            Json value = schemas.fitting(schema, schema, 8);
            const Json lists = acta::lists_from_maps(schema, value);
            out += value.dump() + "|" + lists.dump() + "|" + acta::maps_from_lists(schema, lists).dump() + "|" +
                   acta::maps_from_lists(schema, value).dump() + "|";
        }
        return out;
    };
    const std::string schemas_said = results(converted, 20, 40, 40);
    check_recorded("tests/schema/schemas.txt", schemas_said + results(there_and_back, 10, 20, 40));
}

TEST_CASE("the schemas of types are as was recorded, with each option") {
    std::string out;
    for (const golden::Model& model : golden::models()) {
        for (const auto dialect : {acta::SchemaDialect::pydantic, acta::SchemaDialect::openai_strict,
                                   acta::SchemaDialect::anthropic, acta::SchemaDialect::mcp}) {
            for (const bool by_alias : {true, false}) {
                for (const bool other : {false, true}) {
                    acta::SchemaOptions options{.dialect = dialect, .by_alias = by_alias};
                    if (other) options.ref_template = "#/components/{model}/schema";
                    if (other) options.maps = acta::SchemaMaps::key_value_lists;
                    std::string made;
                    try {
                        made = model.schema(options).dump();
                    } catch (const acta::SchemaError& error) {
                        made = error.path() + ": " + error.what();
                    }
                    out += std::to_string(acta::base::fnv1a(made)) + (other ? "\n" : " ");
                }
            }
        }
    }
    check_recorded("tests/schema/types.txt", out);
}
