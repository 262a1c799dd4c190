// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>

#include "acta/describe/introspection.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/dump.hpp"
#include "acta/schema/introspection.hpp"
#include "acta/schema/schema.hpp"
#include "acta/skill/registered.hpp"

namespace acta::inline ACTA_ABI {

namespace skill_detail {

ACTA_INLINE std::shared_ptr<AnyFunction> new_function(std::shared_ptr<const void> state) {
    auto made = std::make_shared<AnyFunction>();
    made->state = std::move(state);
    return made;
}

ACTA_INLINE std::shared_ptr<void> AnyFunction::arguments() const {
    return {new_arguments(state.get()), delete_arguments};
}

ACTA_INLINE FunctionParameter& AnyFunction::add_parameter(std::string name, std::string doc,
                                                          schema_introspection::TypeRef type,
                                                          void (*decode)(codec::Decoder&, void*, bool)) {
    decoders.push_back({{}, decode, true, {}});
    FunctionParameter& parameter = parameters.emplace_back();
    parameter.name = std::move(name);
    parameter.doc = std::move(doc);
    parameter.type = type;
    return parameter;
}

ACTA_INLINE void AnyFunction::complete_record() {
    for (std::size_t i = 0; i < decoders.size(); ++i) {
        decoders[i].key = parameters[i].name;
        decoders[i].required = parameters[i].required;
        if (decoders[i].required) codec::insert(record.required, i);
    }
    record.fields = decoders;
}

/// The parameters of a function as a struct, whose schema is made like that of any other struct.
class ParametersType {
public:
    explicit ParametersType(const std::vector<FunctionParameter>& parameters) {
        fields_.reserve(parameters.size());
        for (const FunctionParameter& one : parameters) {
            schema_introspection::FieldInfo field{one.name, one.name, one.doc};
            field.presence = one.required ? Presence::required : Presence::optional;
            field.hidden = one.hidden;
            field.deprecated = one.deprecated;
            field.type = one.type;
            fields_.push_back(field);
        }
        info_.fields = fields_;
    }
    ParametersType(const ParametersType&) = delete;
    ParametersType& operator=(const ParametersType&) = delete;

    [[nodiscard]] const schema_introspection::TypeInfo& info() const noexcept { return info_; }

private:
    std::vector<schema_introspection::FieldInfo> fields_{};
    schema_introspection::TypeInfo info_{introspection::Kind::record, [] { return std::string(); }};
};

/// Adds the parts known only to the registration to a property: constraints, and the default as pydantic shows it.
ACTA_INLINE void complete_property(const FunctionParameter& parameter, Json& property) {
    if (parameter.annotate) {
        const auto choices = property.find("anyOf");
        parameter.annotate(parameter.options, choices != property.end() ? (*choices)[0] : property);
    }
    if (parameter.default_value) property["default"] = *parameter.default_value;
}

}  // namespace skill_detail

ACTA_INLINE std::vector<std::string> RegisteredSkill::parameter_names() const {
    std::vector<std::string> names;
    for (const codec::FieldDecoder& field : function_->record.fields) names.emplace_back(field.key);
    return names;
}

ACTA_INLINE bool RegisteredSkill::takes(std::string_view parameter) const noexcept {
    const auto fields = function_->record.fields;
    return function_->record.extra != nullptr || codec::find_field(fields, parameter, fields.size()) != fields.size();
}

ACTA_INLINE Json RegisteredSkill::schema(const SchemaOptions& options) const {
    if (function_->record_type != nullptr) return schema_introspection::make_schema(*function_->record_type, options);
    const skill_detail::ParametersType type(function_->parameters);
    SchemaOptions plain = options;  // other dialects are converted from pydantic's, with all constraints in it
    plain.dialect = SchemaDialect::pydantic;
    Json out = schema_introspection::make_schema(type.info(), plain);
    for (const skill_detail::FunctionParameter& one : function_->parameters) {
        const auto property = out["properties"].find(one.name);
        if (property != out["properties"].end()) skill_detail::complete_property(one, *property);
    }
    out["title"] = name_;
    return convert_schema(out, options);
}

namespace skill_detail {

ACTA_INLINE bool has_text(const Json& list, const std::string& text) {
    return std::any_of(list.begin(), list.end(), [&](const Json& one) { return one == Json(text); });
}

/// Returns a property of a schema as a declared parameter. A reference, which cannot stand alone, becomes `object`.
ACTA_INLINE Skill::Parameter declared_parameter(const Json& property, bool required) {
    Skill::Parameter out;
    out.type = property.contains("$ref") ? "object" : "any";
    for (const auto& [key, value] : property.get_ref<const Json::object_t&>()) {
        if (key == "type" && value.is_string())
            out.type = value.get_ref<const std::string&>();
        else if (key == "description" && value.is_string())
            out.description = value.get_ref<const std::string&>();
        else if (key != "title" && key != "$ref" && dump(value).find("\"$ref\"") == std::string::npos)
            out.extra.emplace(key, Json(value));
    }
    if (required) out.extra.emplace("required", true);
    return out;
}

}  // namespace skill_detail

ACTA_INLINE Skill RegisteredSkill::declaration(std::vector<Skill::Example> examples) const {
    Skill skill;
    skill.name = name_;
    if (!description_.empty()) skill.description = description_;
    skill.examples = std::move(examples);
    skill.returns.type = "any";
    const Json made = schema();
    const auto required = made.find("required");
    auto& parameters = skill.parameters.emplace();
    const auto properties = made.find("properties");
    if (properties == made.end()) return skill;
    for (const auto& [name, property] : properties->get_ref<const Json::object_t&>()) {
        const bool needed = required != made.end() && skill_detail::has_text(*required, name);
        parameters.emplace(name, skill_detail::declared_parameter(property, needed));
    }
    return skill;
}

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::skill_detail {

ACTA_INLINE void clean_keys(Json::object_t& object) {
    bool good = true;
    for (const auto& [key, value] : object) good = good && utf8::is_valid(key);
    if (good) return;
    Json::object_t clean;
    for (auto& [key, value] : object) base::entries(clean).emplace_back(utf8::replace_invalid(key), std::move(value));
    base::drop_repeated_keys(clean);
    object = std::move(clean);
}

ACTA_INLINE void clean_json(Json& root) {
    std::vector<Json*> open{&root};
    while (!open.empty()) {
        Json& value = *open.back();
        open.pop_back();
        if (value.is_string()) {
            clean_text(value.get_ref<std::string&>());
        } else if (value.is_object()) {
            clean_keys(value.get_ref<Json::object_t&>());
            for (auto& [key, child] : value.get_ref<Json::object_t&>()) open.push_back(&child);
        } else if (value.is_array()) {
            for (Json& child : value) open.push_back(&child);
        }
    }
}

ACTA_INLINE void clean_error(ErrorInfo& error) {
    clean_text(error.message);
    clean_text(error.exception_type);
    clean_text(error.repr);
    for (Json& one : error.args) clean_json(one);
}

ACTA_INLINE void clean_result(ActionResult& result) {
    if (auto* const success = std::get_if<ActionSuccessResult>(&result)) {
        clean_json(success->outputs);
    } else if (auto* const error = std::get_if<ActionErrorResult>(&result)) {
        clean_text(error->reason);
        if (error->error) clean_error(*error->error);
    } else {
        clean_text(std::get<ActionInterruptedByHuman>(result).feedback);
    }
}

ACTA_INLINE ActionResult success_of(Json outputs) {
    ActionResult result(std::in_place_type<ActionSuccessResult>);
    std::get<ActionSuccessResult>(result).outputs = std::move(outputs);
    return result;
}

}  // namespace acta::inline ACTA_ABI::skill_detail
