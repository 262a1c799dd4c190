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
        parameter.annotate(choices != property.end() ? (*choices)[0] : property);
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
