// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/action/result.hpp"
#include "acta/base/entries.hpp"
#include "acta/base/utf8.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/dump.hpp"
#include "acta/skill/detail/signature.hpp"

// Turns the return value of a function into a result that can be saved.
namespace acta::inline ACTA_ABI::skill_detail {

inline void clean_text(std::string& text) {
    if (!utf8::is_valid(text)) text = utf8::replace_invalid(text);
}

void clean_keys(Json::object_t& object);

/// Replaces bytes that are not UTF-8, so that a history with this result can be saved.
void clean_json(Json& root);

void clean_error(ErrorInfo& error);

void clean_result(ActionResult& result);

template <class R>
concept OneOfTheResults = std::same_as<R, ActionSuccessResult> || std::same_as<R, ActionErrorResult> ||
                          std::same_as<R, ActionInterruptedByHuman>;

[[nodiscard]] ActionResult success_of(Json outputs);

/// Returns the result of a call: the function's return value as JSON, unless it already is a result.
template <class R>
[[nodiscard]] ActionResult to_result(R value) {
    if constexpr (std::same_as<R, ActionResult>) {
        return value;
    } else if constexpr (OneOfTheResults<R>) {
        return ActionResult(std::in_place_type<R>, std::move(value));
    } else if constexpr (std::same_as<R, Json>) {
        return success_of(std::move(value));
    } else if constexpr (std::same_as<R, std::string_view>) {
        return success_of(Json(std::string(value)));
    } else if constexpr (std::same_as<R, const char*>) {
        return success_of(Json(std::string(value == nullptr ? "" : value)));
    } else {
        introspection::require_supported<R>();
        return success_of(to_json_value(value));
    }
}

/// Calls `function` and turns its return value, or that of its future, into a result.
template <class Function>
[[nodiscard]] ActionResult result_of(Function&& function) {
    using R = std::remove_cvref_t<std::invoke_result_t<Function>>;
    if constexpr (std::is_void_v<R>) {
        function();
        return ActionResult(std::in_place_type<ActionSuccessResult>);
    } else if constexpr (is_future<R>) {
        auto future = function();
        return result_of([&future]() -> decltype(auto) { return future.get(); });
    } else {
        return to_result<R>(function());
    }
}

}  // namespace acta::inline ACTA_ABI::skill_detail
