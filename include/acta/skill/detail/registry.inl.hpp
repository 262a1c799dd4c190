// SPDX-License-Identifier: MIT
#pragma once

#include <variant>

#include "acta/base/utf8.hpp"
#include "acta/observe/scoped_event.hpp"
#include "acta/skill/detail/closest_names.hpp"
#include "acta/skill/detail/run_skill.hpp"
#include "acta/skill/registry.hpp"

namespace acta::inline ACTA_ABI {

namespace skill_detail {

/// Adds the outcome to the event of a call. The call is done: a failure here must not cost its result.
ACTA_INLINE void add_outcome(ScopedEvent& watch, const ActionResult& result, const Redactor& redactor) noexcept {
    const auto* const error = std::get_if<ActionErrorResult>(&result);
    if (error != nullptr) watch.fail();
    try {
        watch.add({{"status", to_string(status(result))}});
        if (error != nullptr) watch.fail(redactor ? redactor(error->reason) : error->reason);
    } catch (...) {
        return;
    }
}

/// Throws `SkillError` if a parameter has no name, or two have the same one.
ACTA_INLINE void check_parameter_names(const std::string& skill, const std::vector<FunctionParameter>& parameters) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string& one = parameters[i].name;
        if (one.empty()) throw SkillError("a parameter of '" + skill + "' has no name");
        for (std::size_t j = 0; j < i; ++j) {
            if (parameters[j].name == one)
                throw SkillError("two parameters of '" + skill + "' have the name '" + one + "'");
        }
    }
}

}  // namespace skill_detail

ACTA_INLINE SkillRegistry::SkillRegistry() = default;
ACTA_INLINE SkillRegistry::SkillRegistry(const SkillRegistry& other) = default;
ACTA_INLINE SkillRegistry::SkillRegistry(SkillRegistry&& other) noexcept = default;
ACTA_INLINE SkillRegistry& SkillRegistry::operator=(const SkillRegistry& other) = default;
ACTA_INLINE SkillRegistry& SkillRegistry::operator=(SkillRegistry&& other) noexcept = default;
ACTA_INLINE SkillRegistry::~SkillRegistry() = default;

ACTA_INLINE const RegisteredSkill* SkillRegistry::find(std::string_view name) const {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : skills_[found->second].get();
}

ACTA_INLINE const RegisteredSkill& SkillRegistry::at(std::string_view name) const {
    const RegisteredSkill* const found = find(name);
    if (found == nullptr) throw not_found(name);
    return *found;
}

ACTA_INLINE std::vector<std::string> SkillRegistry::names() const {
    std::vector<std::string> out;
    out.reserve(skills_.size());
    for (const auto& skill : skills_) out.push_back(skill->name());
    return out;
}

ACTA_INLINE std::vector<std::string> SkillRegistry::closest_names(std::string_view name) const {
    return skill_detail::closest_names(name, names());
}

ACTA_INLINE void SkillRegistry::check_arguments(std::string_view name, const JsonObject& arguments,
                                                UnknownKeys unknown) const {
    static_cast<void>(skill_detail::read_arguments(at(name), arguments, unknown));
}

ACTA_INLINE ActionResult SkillRegistry::call(std::string_view name, JsonObject arguments,
                                             const SkillRunOptions& options) const noexcept {
    try {
        if (options.observer == nullptr) return run(name, std::move(arguments), options);
        ScopedEvent watch(options.observer, event_names::skill_call);
        watch.add({{"skill", name}});
        ActionResult result = run(name, std::move(arguments), options);
        skill_detail::add_outcome(watch, result, options.errors.redactor);
        return result;
    } catch (...) {
        return skill_detail::failure_of_current_exception(options.errors);
    }
}

ACTA_INLINE ActionResult SkillRegistry::call(const AssistantFunctionCall& call,
                                             const SkillRunOptions& options) const noexcept {
    try {
        return this->call(call.name, call.arguments, options);
    } catch (...) {  // no memory for a copy of the arguments
        return skill_detail::failure_of_current_exception(options.errors);
    }
}

ACTA_INLINE ActionResult SkillRegistry::run(std::string_view name, JsonObject arguments,
                                            const SkillRunOptions& options) const {
    const auto found = index_.find(name);
    if (found == index_.end()) return skill_detail::failure("SkillNotFound", not_found(name).what(), options.errors);
    return skill_detail::run_skill(skills_[found->second], std::move(arguments), options);
}

ACTA_INLINE SkillNotFound SkillRegistry::not_found(std::string_view name) const {
    constexpr std::size_t max_bytes = 200;  // of a name that a model made up
    std::string message(utf8::prefix(name, max_bytes));
    if (message.size() != name.size()) message += "...";
    message += " not found";
    return SkillNotFound(message + skill_detail::did_you_mean(closest_names(name)));
}

ACTA_INLINE SkillRegistry& SkillRegistry::insert(std::string name, std::string description, const SkillHints& hints,
                                                 std::shared_ptr<const skill_detail::AnyFunction> made) {
    if (name.empty()) throw SkillError("a skill needs a name");
    if (contains(name)) throw SkillError("there are two skills of the name '" + name + "'");
    skill_detail::check_parameter_names(name, made->parameters);
    skills_.push_back(
        std::make_shared<const RegisteredSkill>(std::move(name), std::move(description), hints, std::move(made)));
    try {
        index_.emplace(skills_.back()->name(), skills_.size() - 1);
    } catch (...) {
        skills_.pop_back();
        throw;
    }
    return *this;
}

ACTA_INLINE std::optional<JsonObject> parse_arguments(const RegisteredSkill& skill, std::string_view text,
                                                      const CallOptions& options) {
    const std::vector<std::string> names = skill.parameter_names();
    return parse_arguments(skill.name(), names, text, options);
}

}  // namespace acta::inline ACTA_ABI
