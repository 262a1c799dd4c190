// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/pysyntax/call.hpp"

// The declaration of skills in `skills.yaml`, as MetaGPT has it: JSON here, YAML with acta/skill/yaml.hpp.
namespace acta::inline ACTA_ABI {

/// A skill as it is declared: its purpose, its parameters, and examples of calls.
struct Skill {
    /// A request in plain words, and the call that answers it.
    struct Example {
        /// The request.
        std::string ask{};
        /// The call.
        std::string answer{};

        friend bool operator==(const Example&, const Example&) = default;
    };
    /// The value that a call returns.
    struct Returns {
        /// The type, as a word such as `string`.
        std::string type{};
        /// The format of the value, such as `base64`.
        std::optional<std::string> format{};

        friend bool operator==(const Returns&, const Returns&) = default;
    };
    /// One argument.
    struct Parameter {
        /// The type, as a word such as `string`.
        std::string type{};
        /// What the argument is.
        std::optional<std::string> description{};
        /// All other keys of the declaration, such as `required`, `enum` and `default`. Written back, and part of the
        /// schema of the call (`call_schema`), but not of the schema of this type.
        JsonObject extra{};

        friend bool operator==(const Parameter&, const Parameter&) = default;
    };

    /// The name by which it is called.
    std::string name{};
    /// What it does.
    std::optional<std::string> description{};
    /// An id of the declaration.
    std::optional<std::string> id{};
    /// The prerequisites of a call (`x-prerequisite`).
    std::optional<JsonObject> x_prerequisite{};
    /// The parameters by name, in order.
    std::optional<OrderedMap<Parameter>> parameters{};
    /// Requests and the calls that answer them.
    std::vector<Example> examples{};
    /// The value that a call returns.
    Returns returns{};

    /// Returns parameter names and their descriptions (empty if there is none), in the order of the declaration.
    [[nodiscard]] OrderedMap<std::string> arguments() const;

    friend bool operator==(const Skill&, const Skill&) = default;
};

/// The skills of agents, by kind of agent.
struct SkillsDeclaration {
    /// The skills of one kind of agent.
    struct Entity {
        /// The name of the kind.
        std::optional<std::string> name{};
        /// Its skills, in the order of the document.
        std::vector<Skill> skills{};

        friend bool operator==(const Entity&, const Entity&) = default;
    };

    /// The version of the format.
    std::string skillapi{};
    /// The kinds of agents by name, in order.
    OrderedMap<Entity> entities{};

    /// Returns the skill of this name, or null. The pointer is into this declaration.
    [[nodiscard]] const Skill* get_skill(std::string_view name, std::string_view entity = "Assistant") const&;
    const Skill* get_skill(std::string_view, std::string_view = "Assistant") const&& = delete;  // it would dangle

    /// Maps the descriptions of skills to their names: of all skills, or of those in `active`. A skill without a
    /// description has an empty one; of skills with equal descriptions, the last one wins.
    [[nodiscard]] OrderedMap<std::string> get_skill_list(std::span<const std::string> active = {},
                                                         std::string_view entity = "Assistant") const;

    friend bool operator==(const SkillsDeclaration&, const SkillsDeclaration&) = default;

private:
    [[nodiscard]] const Entity* find_entity(std::string_view name) const;
};

template <>
struct Describe<Skill::Example> {
    static constexpr std::string_view name = "Example";
    static constexpr auto fields =
        acta::fields(required("ask", &Skill::Example::ask), required("answer", &Skill::Example::answer));
};

template <>
struct Describe<Skill::Returns> {
    static constexpr std::string_view name = "Returns";
    static constexpr auto fields =
        acta::fields(required("type", &Skill::Returns::type), defaulted("format", &Skill::Returns::format));
};

template <>
struct Describe<Skill::Parameter> {
    static constexpr std::string_view name = "Parameter";
    static constexpr auto fields =
        acta::fields(required("type", &Skill::Parameter::type),
                     defaulted("description", &Skill::Parameter::description), unknown_keys(&Skill::Parameter::extra));
};

template <>
struct Describe<Skill> {
    static constexpr auto fields = acta::fields(
        required("name", &Skill::name), defaulted("description", &Skill::description), defaulted("id", &Skill::id),
        defaulted("x_prerequisite", &Skill::x_prerequisite, "", alias("x-prerequisite")),
        defaulted("parameters", &Skill::parameters), required("examples", &Skill::examples),
        required("returns", &Skill::returns));
};

template <>
struct Describe<SkillsDeclaration::Entity> {
    static constexpr std::string_view name = "Entity";
    static constexpr auto fields = acta::fields(defaulted("name", &SkillsDeclaration::Entity::name),
                                                required("skills", &SkillsDeclaration::Entity::skills));
};

template <>
struct Describe<SkillsDeclaration> {
    static constexpr auto fields = acta::fields(required("skillapi", &SkillsDeclaration::skillapi),
                                                required("entities", &SkillsDeclaration::entities));
};

// From a declared skill to the question that a model is asked, and from its answer to arguments.

/// Returns the names of a skill's parameters in order, to which positional arguments are bound.
[[nodiscard]] std::vector<std::string> parameter_names(const Skill& skill);

/// Returns the JSON Schema of the arguments of a skill's call: types and descriptions of the parameters, the other keys
/// of their declaration (`enum`, `default`), and the list of those that are `required`.
[[nodiscard]] JsonObject call_schema(const Skill& skill);

/// Returns the skill as a tool that a model may call.
[[nodiscard]] ToolDefinition tool_definition(const Skill& skill);

/// Returns the arguments of the first call of `skill` in `text`, with positional ones bound by the order of its
/// parameters; empty if the text does not call it. Throws `CallSyntaxError`.
///
/// @code{.cpp}
/// acta::Skill skill;
/// skill.name = "search";
/// skill.parameters.emplace().emplace("query", acta::Skill::Parameter{.type = "string"});
/// auto arguments = acta::parse_arguments(skill, "I would call search('tides').");   // {"query": "tides"}
/// @endcode
[[nodiscard]] std::optional<JsonObject> parse_arguments(const Skill& skill, std::string_view text,
                                                        const CallOptions& options = {});

/// Returns the question that makes a model answer with a call of `skill` that does what `ask` says.
[[nodiscard]] std::string arguments_prompt(const Skill& skill, std::string_view ask);

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/skill/detail/declaration.inl.hpp"
#endif
