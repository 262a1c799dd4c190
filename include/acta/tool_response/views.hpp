// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/tool_response/tool_response.hpp"

// Typed views of dictionaries with a documented shape. In JSON they are any object, so a reply is read with any content
// in them; a view requires the shape, and throws `ValidationError` if it does not fit. Keys unknown to a view are kept
// in its `other`.
//
//     auto needs = acta::requirements_view(reply.setup_info);
//     for (const auto& input : needs.inputs) ask(input.name, input.description);
//
//     for (const auto& [name, credential] : acta::missing_credentials_view(reply.setup_info.user_readiness))
//         connect(credential.provider, credential.scopes);
//
//     for (const acta::InputField& field : acta::input_fields(acta::inputs_view(reply.agent.inputs)))
//         show(field.name, field.required);
//
//     if (reply.details) try_instead(acta::error_details_view(*reply.details).suggested_goal);
namespace acta::inline ACTA_ABI {

/// A required credential: in `requirements`, and by input name in `missing_credentials`.
struct RequiredCredential {
    std::string id{};                            ///< The name of the input that takes it.
    std::optional<std::string> title{};          ///< A name for people.
    std::string provider{};                      ///< The service it is for, such as `github`.
    std::optional<std::string> provider_name{};  ///< The service, for people.
    std::string type{};                          ///< The preferred kind, as `CredentialsMetaInput::type`.
    std::vector<std::string> types{};            ///< All accepted kinds; empty if only `type` is accepted.
    std::vector<std::string> scopes{};           ///< What an OAuth token must allow.
    JsonObject other{};                          ///< Keys that are not named here.

    friend bool operator==(const RequiredCredential&, const RequiredCredential&) = default;
};

template <>
struct Describe<RequiredCredential> {
    using T = RequiredCredential;
    static constexpr auto fields =
        acta::fields(required("id", &T::id), defaulted("title", &T::title), required("provider", &T::provider),
                     defaulted("provider_name", &T::provider_name), required("type", &T::type),
                     optional_field("types", &T::types), optional_field("scopes", &T::scopes), unknown_keys(&T::other));
};

/// An input in `requirements`.
struct RequiredInput {
    std::string name{};                   ///< As the caller of the tool names it.
    std::optional<std::string> title{};   ///< A name for people.
    std::string type = "string";          ///< A type of JSON Schema.
    std::string description{};            ///< What it is for.
    bool required = false;                ///< Whether a run without it is refused.
    std::optional<Json> default_value{};  ///< `default` in JSON.
    JsonObject other{};                   ///< Keys that are not named here.

    friend bool operator==(const RequiredInput&, const RequiredInput&) = default;
};

template <>
struct Describe<RequiredInput> {
    using T = RequiredInput;
    static constexpr auto fields =
        acta::fields(acta::required("name", &T::name), defaulted("title", &T::title), defaulted("type", &T::type),
                     defaulted("description", &T::description), defaulted("required", &T::required),
                     defaulted("default", &T::default_value), unknown_keys(&T::other));
};

/// `SetupInfo::requirements`.
struct RequirementsView {
    std::vector<RequiredCredential> credentials{};  ///< The credentials it requires.
    std::vector<RequiredInput> inputs{};            ///< Its inputs.
    std::vector<std::string> execution_modes{};     ///< Such as `manual`, `scheduled`, `webhook`.
    JsonObject other{};                             ///< Keys that are not named here.

    friend bool operator==(const RequirementsView&, const RequirementsView&) = default;
};

template <>
struct Describe<RequirementsView> {
    using T = RequirementsView;
    static constexpr auto fields =
        acta::fields(optional_field("credentials", &T::credentials), optional_field("inputs", &T::inputs),
                     optional_field("execution_modes", &T::execution_modes), unknown_keys(&T::other));
};

/// One property of a JSON Schema of inputs.
struct InputProperty {
    std::optional<std::string> title{};                                   ///< A name for people.
    std::variant<std::string, std::vector<std::string>> type = "string";  ///< A type of JSON Schema, or several.
    std::string description{};                                            ///< What it is for.
    std::optional<Json> default_value{};                                  ///< `default` in JSON.
    std::optional<std::vector<Json>> options{};                           ///< `enum` in JSON.
    std::optional<std::string> format{};                                  ///< Refines the type, such as `date`.
    JsonObject other{};                                                   ///< Keys that are not named here.

    friend bool operator==(const InputProperty&, const InputProperty&) = default;
};

template <>
struct Describe<InputProperty> {
    using T = InputProperty;
    static constexpr auto fields =
        acta::fields(defaulted("title", &T::title), defaulted("type", &T::type),
                     defaulted("description", &T::description), defaulted("default", &T::default_value),
                     defaulted("enum", &T::options), defaulted("format", &T::format), unknown_keys(&T::other));
};

/// `inputs` of agents and `input_schema` of blocks: JSON Schema of an object.
struct InputsView {
    OrderedMap<InputProperty> properties{};  ///< By name.
    std::vector<std::string> required{};     ///< The properties without which a run is refused.
    JsonObject other{};                      ///< Keys that are not named here.

    friend bool operator==(const InputsView&, const InputsView&) = default;
};

template <>
struct Describe<InputsView> {
    using T = InputsView;
    static constexpr auto fields = acta::fields(optional_field("properties", &T::properties),
                                                optional_field("required", &T::required), unknown_keys(&T::other));
};

/// An issue of the input of a tool, in the form of pydantic and acta.
struct ErrorDetailsIssue {
    std::vector<std::variant<std::string, std::int64_t>> loc{};  ///< Keys and indices from the root.
    std::string type{};                                          ///< The type code, such as `missing`.
    std::string msg{};                                           ///< The message.
    JsonObject other{};                                          ///< Keys that are not named here.

    friend bool operator==(const ErrorDetailsIssue&, const ErrorDetailsIssue&) = default;
};

template <>
struct Describe<ErrorDetailsIssue> {
    using T = ErrorDetailsIssue;
    static constexpr auto fields = acta::fields(required("loc", &T::loc), required("type", &T::type),
                                                required("msg", &T::msg), unknown_keys(&T::other));
};

/// `ErrorResponse::details`; the members set depend on the failure.
struct ErrorDetailsView {
    std::optional<std::string> description{};                ///< The request to the tool, or its beginning.
    std::optional<std::string> reason{};                     ///< Why a goal cannot be reached.
    std::optional<std::string> suggested_goal{};             ///< A goal that can be reached.
    std::optional<std::string> exception{};                  ///< The text of an exception.
    std::optional<std::vector<ErrorDetailsIssue>> issues{};  ///< What is wrong with the given input.
    JsonObject other{};                                      ///< Keys that are not named here.

    friend bool operator==(const ErrorDetailsView&, const ErrorDetailsView&) = default;
};

template <>
struct Describe<ErrorDetailsView> {
    using T = ErrorDetailsView;
    static constexpr auto fields =
        acta::fields(defaulted("description", &T::description), defaulted("reason", &T::reason),
                     defaulted("suggested_goal", &T::suggested_goal), defaulted("exception", &T::exception),
                     defaulted("issues", &T::issues), unknown_keys(&T::other));
};

/// Returns an agent's requirements for a run. Throws `ValidationError`.
[[nodiscard]] inline RequirementsView requirements_view(const SetupInfo& info, const ParseOptions& options = {}) {
    return validate<RequirementsView>(to_json_value(info.requirements), options);
}
/// Returns the missing credentials by the name of the input. Throws `ValidationError`.
[[nodiscard]] inline OrderedMap<RequiredCredential> missing_credentials_view(const UserReadiness& readiness,
                                                                             const ParseOptions& options = {}) {
    return validate<OrderedMap<RequiredCredential>>(Json(readiness.missing_credentials), options);
}
/// Returns the inputs of an agent or a block. Throws `ValidationError`.
[[nodiscard]] inline InputsView inputs_view(const JsonObject& inputs, const ParseOptions& options = {}) {
    return validate<InputsView>(Json(inputs), options);
}
/// Returns the details of an error. Throws `ValidationError`.
[[nodiscard]] inline ErrorDetailsView error_details_view(const JsonObject& details, const ParseOptions& options = {}) {
    return validate<ErrorDetailsView>(Json(details), options);
}

/// Returns the inputs as a list. If an input has several types, the first is taken. Quadratic in the number of required
/// inputs.
[[nodiscard]] inline std::vector<InputField> input_fields(const InputsView& inputs) {
    std::vector<InputField> out;
    for (const auto& [name, property] : inputs.properties) {
        InputField& field = out.emplace_back();
        field.name = name;
        if (const auto* const type = std::get_if<std::string>(&property.type))
            field.type = *type;
        else if (const auto& types = std::get<1>(property.type); !types.empty())
            field.type = types.front();
        field.description = property.description;
        for (const std::string& one : inputs.required) field.required = field.required || one == name;
        field.default_value = property.default_value;
        field.options = property.options;
        field.format = property.format;
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI
