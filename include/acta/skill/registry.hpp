// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "acta/action/result.hpp"
#include "acta/chat/tool_call.hpp"
#include "acta/describe/constraints.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/skill/context.hpp"
#include "acta/skill/detail/function.hpp"
#include "acta/skill/param.hpp"
#include "acta/skill/registered.hpp"

namespace acta::inline ACTA_ABI {

/// Functions that an agent can call by name. One `add` per function is enough: the schema of its parameters, the
/// validation and conversion of arguments, the defaults and the call follow from it.
///
/// @code{.cpp}
/// acta::SkillRegistry skills;
/// skills.add("repeat", "Repeats a text.",
///            [](const std::string& text, int times) {
///                std::string out;
///                for (int i = 0; i < times; ++i) out += text;
///                return out;
///            },
///            acta::param("text", "The text."), acta::param("times", "How often.", 2));
/// acta::ActionResult result = skills.call("repeat", {{"text", "tick"}});   // ticktick
/// @endcode
///
/// A regular value whose copies share the functions. Several threads may use a registry while none adds to it.
class SkillRegistry {
public:
    /// Makes an empty registry.
    SkillRegistry();
    /// Copies the registry, which shares its functions with the copy.
    SkillRegistry(const SkillRegistry& other);
    /// Takes the functions of `other`.
    SkillRegistry(SkillRegistry&& other) noexcept;
    /// Copies the registry, which shares its functions with the copy.
    SkillRegistry& operator=(const SkillRegistry& other);
    /// Takes the functions of `other`.
    SkillRegistry& operator=(SkillRegistry&& other) noexcept;
    ~SkillRegistry();

    /// Registers a function, a lambda, or any object with one `operator()`. It takes
    ///   - one described struct, whose fields are the parameters, and no names are given here;
    ///   - or values of any type that acta can read, with a name for each (`acta::param`, or a text), in order;
    ///   - and, anywhere, a `SkillContext&`, which is not a parameter.
    ///
    /// It returns a value that acta can write, nothing, an `ActionResult` or one of its members, or a `std::future` of
    /// these. It is called as const. Throws `SkillError` if the name is empty or taken, or if two parameters have the
    /// same name.
    ///
    /// @code{.cpp}
    /// acta::SkillRegistry skills;
    /// skills.add("square", "Squares a number.", [](int n) { return n * n; },
    ///            acta::param("n", "A small number.", acta::range(0, 100)));
    /// acta::Json schema = skills.at("square").schema();
    /// @endcode
    template <class F, class... Params>
    SkillRegistry& add(std::string name, std::string description, F&& function, Params&&... parameters) {
        skill_detail::require_function<F>();
        return insert(std::move(name), std::move(description), {},
                      skill_detail::make_function(std::decay_t<F>(std::forward<F>(function)),
                                                  skill_detail::as_param(std::forward<Params>(parameters))...));
    }
    /// The same for a skill of which it is known what it does to the world.
    ///
    /// @code{.cpp}
    /// acta::SkillRegistry skills;
    /// skills.add("letters", "How long a name is.", {.read_only = true}, [](const std::string& port) { return port.size(); },
    ///            acta::param("port", "The name of the port."));
    /// @endcode
    template <class F, class... Params>
    SkillRegistry& add(std::string name, std::string description, SkillHints hints, F&& function,
                       Params&&... parameters) {
        skill_detail::require_function<F>();
        return insert(std::move(name), std::move(description), hints,
                      skill_detail::make_function(std::decay_t<F>(std::forward<F>(function)),
                                                  skill_detail::as_param(std::forward<Params>(parameters))...));
    }

    /// Returns the number of skills.
    [[nodiscard]] std::size_t size() const noexcept { return skills_.size(); }
    /// Returns whether there are no skills.
    [[nodiscard]] bool empty() const noexcept { return skills_.empty(); }
    /// Returns whether there is a skill of this name.
    [[nodiscard]] bool contains(std::string_view name) const { return index_.contains(name); }
    /// Returns the skill of this name, or null. Constant time.
    [[nodiscard]] const RegisteredSkill* find(std::string_view name) const;
    /// Returns the skill of this name. Throws `SkillNotFound`, with the closest names.
    [[nodiscard]] const RegisteredSkill& at(std::string_view name) const;
    /// Returns all names, in the order of registration.
    [[nodiscard]] std::vector<std::string> names() const;
    /// Returns the names that may be meant by a misspelt `name`, closest first, at most three.
    [[nodiscard]] std::vector<std::string> closest_names(std::string_view name) const;

    /// Throws `SkillNotFound` or `InvalidArguments` if a call with these arguments would be refused.
    void check_arguments(std::string_view name, const JsonObject& arguments,
                         UnknownKeys unknown = UnknownKeys::forbid) const;

    /// Calls a skill. Every failure is returned as a result: an error of type `SkillNotFound`, `InvalidArguments`,
    /// `Timeout`, `Cancelled`, or of the exception that the function threw. This includes `out of memory`, whose result
    /// needs none.
    [[nodiscard]] ActionResult call(std::string_view name, JsonObject arguments,
                                    const SkillRunOptions& options = {}) const noexcept;
    /// Calls the skill that a model asks for.
    [[nodiscard]] ActionResult call(const AssistantFunctionCall& call,
                                    const SkillRunOptions& options = {}) const noexcept;

private:
    [[nodiscard]] ActionResult run(std::string_view name, JsonObject arguments, const SkillRunOptions& options) const;
    [[nodiscard]] SkillNotFound not_found(std::string_view name) const;
    SkillRegistry& insert(std::string name, std::string description, const SkillHints& hints,
                          std::shared_ptr<const skill_detail::AnyFunction> made);

    std::vector<std::shared_ptr<const RegisteredSkill>> skills_{};
    std::unordered_map<std::string_view, std::size_t> index_{};  // the names are the skills', which copies share
};

/// Returns the arguments of the first call of a registered skill in `text`, with positional ones bound by the order of
/// its parameters; empty if the text does not call it. Throws `CallSyntaxError`.
[[nodiscard]] std::optional<JsonObject> parse_arguments(const RegisteredSkill& skill, std::string_view text,
                                                        const CallOptions& options = {});

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/skill/detail/registry.inl.hpp"
#endif
