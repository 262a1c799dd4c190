// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// What a skill does to the world, as its author says; what is not said is unknown. The first four are the annotations
/// of the Model Context Protocol ("Schema Reference", `ToolAnnotations`).
///
/// A call that a crash left open is run again only if that is harmless (`StoredHistory::resume`, `run_agent`): if the
/// skill is read-only, idempotent, or uses the idempotency key.
///
/// @code{.cpp}
/// #include <acta/skill/registry.hpp>
/// acta::SkillRegistry skills;
/// skills.add("now", "The time in Brest.", {.read_only = true}, [] { return "12:15"; });
/// assert(skills.at("now").hints().read_only == true);
/// @endcode
struct SkillHints {
    std::optional<bool> read_only{};    ///< It changes nothing.
    std::optional<bool> idempotent{};   ///< Another call with the same arguments changes nothing more.
    std::optional<bool> destructive{};  ///< It may delete or overwrite something.
    std::optional<bool> open_world{};   ///< It reaches beyond what the program knows, such as the web.
    /// It hands `SkillContext::idempotency_key` to whoever has the effect, who then has it once for each key.
    bool uses_idempotency_key = false;

    friend bool operator==(const SkillHints&, const SkillHints&) = default;
};

}  // namespace acta::inline ACTA_ABI
