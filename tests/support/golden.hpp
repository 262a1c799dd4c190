// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/schema/schema.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

// The runner of the golden vectors (tests/golden): what pydantic and CPython said of the reference models, for every
// type that acta has by now. A model joins by a line in `models()` of tests/support/golden_models.cpp.
namespace golden {

/// The vectors of one file.
inline acta::Json rows(const std::string& name) {
    std::ifstream file(paths::golden(name), std::ios::binary);
    if (!file) throw std::runtime_error("no golden file " + name);
    return acta::Json::parse(file);
}

/// What came of reading a value: `{"dump": ...}` or `{"issues": [{loc, type, msg}]}`, as the vectors have it.
inline acta::Json accepted(acta::Json dump) {
    acta::Json out = acta::JsonObject();
    out["dump"] = std::move(dump);
    return out;
}

inline acta::Json refused(const acta::ValidationError& error) {
    acta::Json issues = acta::JsonArray();
    for (const acta::Issue& issue : error.issues()) {
        acta::Json loc = acta::JsonArray();
        for (const acta::LocElement& element : issue.loc) {
            std::visit([&loc](const auto& one) { loc.push_back(one); }, element);
        }
        acta::Json one = acta::JsonObject();
        one["loc"] = std::move(loc);
        one["type"] = issue.type;
        one["msg"] = issue.message;
        issues.push_back(std::move(one));
    }
    acta::Json out = acta::JsonObject();
    out["issues"] = std::move(issues);
    return out;
}

template <class Read>
acta::Json outcome(const Read& read) {
    try {
        return accepted(read());
    } catch (const acta::ValidationError& error) {
        return refused(error);
    }
}

/// A model of the reference and the functions of the type that stands for it.
struct Model {
    std::string_view name;
    acta::Json (*parse)(const std::string& text);
    acta::Json (*validate)(const acta::Json& value);
    acta::Json (*convert)(const nlohmann::json& value);
    acta::Json (*schema)(const acta::SchemaOptions& options);
};

template <class T>
Model model(std::string_view name) {
    return {
        name,
        [](const std::string& text) {
            return outcome([&] { return acta::Json::parse(acta::dump(acta::parse<T>(text))); });
        },
        [](const acta::Json& value) { return outcome([&] { return acta::to_json_value(acta::validate<T>(value)); }); },
        [](const nlohmann::json& value) { return outcome([&] { return acta::Json(nlohmann::json(value.get<T>())); }); },
        [](const acta::SchemaOptions& options) { return acta::schema<T>(options); }};
}

inline const Model* find(const std::vector<Model>& models, std::string_view name) {
    const auto found = std::find_if(models.begin(), models.end(), [&](const Model& one) { return one.name == name; });
    return found == models.end() ? nullptr : &*found;
}

/// Every model that the vectors name.
inline std::set<std::string> all_models() {
    std::set<std::string> names;
    const acta::Json schemas = rows("schemas.json");
    for (const auto& [name, schema] : schemas.items()) names.insert(name);
    for (const char* file : {"round_trips.json", "validation.json", "schema_options.json"}) {
        for (const acta::Json& row : rows(file)) names.insert(row["model"].get<std::string>());
    }
    return names;
}

/// `value` with the keys of every object the other way round, which changes no issue and no dump of a model.
inline acta::Json turned(const acta::Json& value) {
    if (value.is_array()) {
        acta::Json out = acta::JsonArray();
        for (const acta::Json& one : value) out.push_back(turned(one));
        return out;
    }
    if (!value.is_object()) return value;
    acta::JsonObject out;
    const auto& object = value.get_ref<const acta::Json::object_t&>();
    for (auto entry = object.rbegin(); entry != object.rend(); ++entry) {
        // A dictionary's issues come in the order of its own keys.
        const bool dictionary = entry->first == "requirements";
        out.emplace_back(entry->first, dictionary ? entry->second : turned(entry->second));
    }
    return out;
}

/// The keys of every object sorted, for comparisons that leave their order open.
inline std::string sorted_text(const acta::Json& value) { return nlohmann::json(value).dump(); }

/// What must be equal where the keys of the input stand in another order: a map's issues come in the order of its keys,
/// and of the models only `SkillsDeclaration` has several in one.
inline std::string sorted_outcome(const Model& model, acta::Json outcome) {
    if (model.name == "SkillsDeclaration" && outcome.contains("issues")) {
        auto& issues = outcome["issues"].get_ref<acta::JsonArray&>();
        std::sort(issues.begin(), issues.end());
    }
    return sorted_text(outcome);
}

/// The models that acta has, and their types; defined in tests/support/golden_models.cpp.
const std::vector<Model>& models();

/// Reads a row's input by all roads and compares what comes out.
inline void check_row(const Model& model, const acta::Json& input, const acta::Json& expected) {
    INFO(model.name << " " << input.dump());
    CHECK(model.parse(input.dump()).dump() == expected.dump());
    CHECK(model.parse(input.dump(3)).dump() == expected.dump());
    CHECK(model.validate(input).dump() == expected.dump());
    CHECK(sorted_outcome(model, model.convert(nlohmann::json(input))) == sorted_outcome(model, expected));
    CHECK(sorted_outcome(model, model.parse(turned(input).dump())) == sorted_outcome(model, expected));
    CHECK(sorted_outcome(model, model.validate(turned(input))) == sorted_outcome(model, expected));
}

}  // namespace golden
