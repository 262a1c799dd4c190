// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/schema/options.hpp"
#include "acta/skill/declaration.hpp"
#include "acta/skill/detail/function.hpp"
#include "acta/skill/hints.hpp"

namespace acta::inline ACTA_ABI {

/// A function in a registry, with its description for a model. Immutable.
class RegisteredSkill {
public:
    /// Made by `SkillRegistry::add`.
    RegisteredSkill(std::string name, std::string description, const SkillHints& hints,
                    std::shared_ptr<const skill_detail::AnyFunction> function)
        : name_(std::move(name)), description_(std::move(description)), hints_(hints), function_(std::move(function)) {}

    /// Returns the name by which a model calls it.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Returns the description, for the model.
    [[nodiscard]] const std::string& description() const noexcept { return description_; }
    /// Returns what the skill does to the world.
    [[nodiscard]] const SkillHints& hints() const noexcept { return hints_; }
    /// Returns the function behind the skill; for internal use.
    [[nodiscard]] const skill_detail::AnyFunction& function() const noexcept { return *function_; }

    /// Returns the names of the parameters in order, to which positional arguments are bound.
    [[nodiscard]] std::vector<std::string> parameter_names() const;
    /// Returns whether the function has a parameter of this name, or takes any.
    [[nodiscard]] bool takes(std::string_view parameter) const noexcept;

    /// Returns the JSON Schema of the arguments: an object with a property for each parameter.
    [[nodiscard]] Json schema(const SchemaOptions& options = {}) const;
    /// Returns the skill as a declaration, so that a model can be asked for its arguments in plain words.
    [[nodiscard]] Skill declaration(std::vector<Skill::Example> examples = {}) const;

private:
    std::string name_;
    std::string description_;
    SkillHints hints_;
    std::shared_ptr<const skill_detail::AnyFunction> function_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/skill/detail/registered.inl.hpp"
#endif
