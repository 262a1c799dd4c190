// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "acta/skill/declaration.hpp"
#include "acta/skill/registry.hpp"

namespace acta::inline ACTA_ABI {

/// A disagreement between a declaration and the functions behind it.
struct SkillFinding {
    /// The kinds of findings.
    enum class Kind {
        no_function,           ///< The skill is declared, but no function has its name.
        missing_parameter,     ///< The parameter is declared, but the function does not have it.
        undeclared_parameter,  ///< The function needs the parameter, but it is not declared.
        other_type,            ///< The function takes a type other than the declared one.
        bad_example            ///< The answer of an example cannot be read, or does not fit the function.
    };
    /// The kind of disagreement.
    Kind kind = Kind::no_function;
    std::string entity{};     ///< The kind of agent that has the skill.
    std::string skill{};      ///< The name of the skill.
    std::string parameter{};  ///< The parameter, for the kinds that concern one.
    /// The finding in words.
    std::string message{};

    friend bool operator==(const SkillFinding&, const SkillFinding&) = default;
    /// Prints `to_string`.
    friend std::ostream& operator<<(std::ostream& out, const SkillFinding& finding);
};

/// Returns `Assistant.search: the function has no parameter 'limit'`.
[[nodiscard]] std::string to_string(const SkillFinding& finding);
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const SkillFinding& finding) { return out << to_string(finding); }

/// Compares a declaration with the functions behind it. Returns the findings in the order of the declaration: skills
/// without a function, parameters missing or of another type, examples that cannot be read or do not fit.
///
/// @code{.cpp}
/// acta::SkillsDeclaration declaration;   // see acta::load_yaml
/// acta::SkillRegistry skills;
/// for (const acta::SkillFinding& finding : acta::check(declaration, skills)) std::string text = to_string(finding);
/// @endcode
[[nodiscard]] std::vector<SkillFinding> check(const SkillsDeclaration& declaration, const SkillRegistry& registry);

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/skill/detail/check.inl.hpp"
#endif
