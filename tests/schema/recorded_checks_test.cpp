// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/schema/validator.hpp"
#include "support/catch.hpp"
#include "support/noise.hpp"
#include "support/recorded.hpp"

// Values checked with schemas that are made at random, as they were when last looked at (CONTRIBUTING.md, "What a
// change needs"). That schemas mean what they should is for the test suite of JSON Schema (validator_suite_test.cpp).
namespace {

using acta::Json;

class Checks {
public:
    explicit Checks(unsigned seed) : noise_(seed) {}

    Json value(std::size_t depth) {
        switch (noise_.below(depth > 0 ? 9 : 6)) {
            case 0: return nullptr;
            case 1: return noise_.chance(2);
            case 2: return static_cast<int>(noise_.below(7)) - 2;
            case 3: return 0.5 * static_cast<double>(noise_.below(9));
            case 4:
            case 5: return noise_.text(parts_of("a|b|ab|\xC3\xA9"), 3);
            case 6: return list(depth);
            default: return object(depth);
        }
    }

    Json schema(std::size_t depth) {
        if (depth == 0 || noise_.chance(12)) return Json(!noise_.chance(3));
        Json out = Json::object();
        for (std::size_t i = 1 + noise_.below(3); i > 0; --i) add_keyword(out, depth - 1);
        return out;
    }
    Json document() {
        Json out = schema(3);
        if (!out.is_object()) return out;
        if (noise_.chance(3)) out["$schema"] = "http://json-schema.org/draft-07/schema#";
        out["$defs"]["a"] = schema(2);
        out["$defs"]["b~/%"] = schema(1);
        if (noise_.chance(3)) out["$id"] = "http://example.com/s/root.json";
        if (out["$defs"]["a"].is_object() && noise_.chance(2)) out["$defs"]["a"]["$anchor"] = "here";
        return out;
    }

private:
    Json list(std::size_t depth) {
        Json out = Json::array();
        for (std::size_t i = noise_.below(4); i > 0; --i) out.push_back(value(depth - 1));
        return out;
    }
    Json object(std::size_t depth) {
        Json out = Json::object();
        for (std::size_t i = noise_.below(4); i > 0; --i) {
            const std::string key = name();
            out[key] = value(depth - 1);
        }
        return out;
    }
    std::string name() { return noise_.one_of(parts_of("a|b|ab|c")); }
    Json names() {
        Json out = Json::array();
        for (std::size_t i = 1 + noise_.below(2); i > 0; --i) out.push_back(name());
        return out;
    }
    Json schemas(std::size_t depth) {
        Json out = Json::array();
        for (std::size_t i = 1 + noise_.below(3); i > 0; --i) out.push_back(schema(depth));
        return out;
    }
    Json named(std::size_t depth) {
        Json out = Json::object();
        for (std::size_t i = 1 + noise_.below(3); i > 0; --i) {
            const std::string key = name();
            out[key] = schema(depth);
        }
        return out;
    }
    void add_keyword(Json& out, std::size_t depth) {
        if (noise_.chance(60)) {
            out[noise_.one_of(all_keywords())] = value(1);  // malformed, mostly
            return;
        }
        switch (noise_.below(8)) {
            case 0: out["type"] = noise_.chance(3) ? Json::array({type(), type()}) : Json(type()); break;
            case 1:
                if (noise_.chance(2))
                    out["const"] = value(1);
                else
                    out["enum"] = Json::array({value(0), value(1)});
                break;
            case 2: {
                const std::string key =
                    noise_.one_of(parts_of("minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf"));
                out[key] =
                    key == "multipleOf" ? Json(0.5 + 0.5 * static_cast<double>(noise_.below(3))) : value_of_number();
                break;
            }
            case 3: {
                const std::string key = noise_.one_of(parts_of(
                    "minLength|maxLength|minItems|maxItems|minProperties|maxProperties|minContains|maxContains"));
                out[key] = noise_.below(3);
                if (key.ends_with("Contains")) out["contains"] = schema(depth);
                break;
            }
            case 4: {
                const std::string key =
                    noise_.one_of(parts_of("pattern|required|uniqueItems|dependentRequired|dependencies"));
                if (key == "pattern")
                    out[key] = noise_.one_of(parts_of("^a|b$|^(a|b)+$|(?=a)"));
                else if (key == "required")
                    out[key] = names();
                else if (key == "uniqueItems")
                    out[key] = noise_.chance(2);
                else
                    out[key][name()] = names();
                break;
            }
            case 5: {
                const std::string key =
                    noise_.one_of(parts_of("items|contains|additionalProperties|propertyNames|unevaluatedItems|"
                                           "unevaluatedProperties|not|additionalItems"));
                out[key] = schema(depth);
                break;
            }
            case 6: {
                const std::string key = noise_.one_of(parts_of("allOf|anyOf|oneOf|prefixItems|if"));
                out[key] = key == "if" ? schema(depth) : schemas(depth);
                if (key == "if") out["then"] = schema(depth);
                if (key == "if") out["else"] = schema(depth);
                break;
            }
            default: {
                const std::string key =
                    noise_.one_of(parts_of("properties|patternProperties|dependentSchemas|$ref|properties"));
                out[key] = key == "$ref" ? Json(reference()) : named(depth);
                break;
            }
        }
    }
    std::string type() { return noise_.one_of(parts_of("null|boolean|object|array|number|string|integer")); }
    Json value_of_number() { return 0.5 * static_cast<double>(noise_.below(9)); }
    std::string reference() {
        return noise_.one_of(
            parts_of("#|#/$defs/a|#/$defs/b~0~1%25|#here|#none|#/none|../s/root.json#/$defs/a|other.json"));
    }
    static const std::vector<std::string>& all_keywords() {
        static const std::vector<std::string> all = parts_of(
            "type|enum|minimum|multipleOf|minLength|maxItems|pattern|uniqueItems|required|properties|items|allOf|not|$"
            "ref");
        return all;
    }

    Noise noise_;
};

}  // namespace

TEST_CASE("values are checked with random schemas as was recorded") {
    Checks made(1);
    const auto checked = [&made] {
        const Json schema = made.document();
        std::string out = schema.dump() + "|";
        const acta::SchemaValidator validator(schema, acta::MalformedKeywords::ignore);
        for (int i = 0; i < 6; ++i) {
            const Json value = made.value(3);
            const std::vector<acta::Issue> issues = validator.issues(value, 4);
            CHECK(validator.accepts(value) == issues.empty());
            out += value.dump() + ":";
            for (const acta::Issue& one : issues)
                out += " " + one.pointer() + " " + one.type + " " + one.message + " " + one.input + ";";
        }
        try {
            static_cast<void>(acta::SchemaValidator(schema));
        } catch (const acta::SchemaError& error) {
            out += error.what();
        }
        return out;
    };
    check_recorded("tests/schema/checks.txt", results(checked, 15, 40, 40));
}
