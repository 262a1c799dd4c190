// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "acta/chat/tool_call.hpp"

namespace acta::inline ACTA_ABI {

/// Names that every API accepts for tools, and the names of the skills behind them: `^[a-zA-Z0-9_-]{1,64}$`, which is
/// Anthropic's rule ("Define tools") and OpenAI's ("a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum
/// length of 64"). The Model Context Protocol allows more, but its clients pass names on to such APIs.
///
/// A legal name stays as it is. In any other each character that is not allowed becomes `_`, and a name that is too
/// long is truncated; if the result is another tool's name, a number is appended. The same names in the same order
/// always have the same results.
///
/// @code{.cpp}
/// const std::vector<std::string> skills{"web.search", "web_search"};
/// const acta::ToolNames names(skills);
/// assert(*names.find_tool("web.search") == "web_search_2");
/// assert(names.to_skill({"web_search_2", {}}).name == "web.search");
/// @endcode
class ToolNames {
public:
    static constexpr std::size_t max_length = 64;  ///< Of a name, in bytes.

    ToolNames() = default;
    /// Makes the names of these skills. Throws nothing but `std::bad_alloc`.
    explicit ToolNames(std::span<const std::string> skills);

    /// Returns whether every API accepts a tool of this name.
    [[nodiscard]] static bool is_legal(std::string_view name) noexcept;

    /// Returns the tool that stands for this skill, or null if there is no such skill. Logarithmic.
    [[nodiscard]] const std::string* find_tool(std::string_view skill) const;
    /// Returns the skill that this tool stands for, or null if there is no such tool. Logarithmic.
    [[nodiscard]] const std::string* find_skill(std::string_view tool) const;

    /// Returns a model's call of a tool as the call of the skill behind it. A name that no tool has is unchanged, so
    /// that `SkillRegistry::call` reports it.
    [[nodiscard]] AssistantFunctionCall to_skill(AssistantFunctionCall call) const;
    /// Does the opposite, for the messages of a conversation.
    [[nodiscard]] AssistantFunctionCall to_tool(AssistantFunctionCall call) const;

    /// Returns the number of skills. Constant.
    [[nodiscard]] std::size_t size() const noexcept { return tools_.size(); }

    friend bool operator==(const ToolNames&, const ToolNames&) = default;

private:
    using Names = std::map<std::string, std::string, std::less<>>;

    [[nodiscard]] std::string unused(const std::string& name) const;
    void add(const std::string& skill, const std::string& tool);

    Names tools_{};   // by skill
    Names skills_{};  // by tool
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/chat/detail/tool_names.inl.hpp"
#endif
