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

inline void clean_keys(Json::object_t& object) {
    bool good = true;
    for (const auto& [key, value] : object) good = good && utf8::is_valid(key);
    if (good) return;
    Json::object_t clean;
    for (auto& [key, value] : object) base::entries(clean).emplace_back(utf8::replace_invalid(key), std::move(value));
    base::drop_repeated_keys(clean);
    object = std::move(clean);
}

/// Replaces bytes that are not UTF-8, so that a history with this result can be saved.
inline void clean_json(Json& root) {
    std::vector<Json*> open{&root};
    while (!open.empty()) {
        Json& value = *open.back();
        open.pop_back();
        if (value.is_string()) {
            clean_text(value.get_ref<std::string&>());
        } else if (value.is_object()) {
            clean_keys(value.get_ref<Json::object_t&>());
            for (auto& [key, child] : value.get_ref<Json::object_t&>()) open.push_back(&child);
        } else if (value.is_array()) {
            for (Json& child : value) open.push_back(&child);
        }
    }
}

inline void clean_error(ErrorInfo& error) {
    clean_text(error.message);
    clean_text(error.exception_type);
    clean_text(error.repr);
    for (Json& one : error.args) clean_json(one);
}

inline void clean_result(ActionResult& result) {
    if (auto* const success = std::get_if<ActionSuccessResult>(&result)) {
        clean_json(success->outputs);
    } else if (auto* const error = std::get_if<ActionErrorResult>(&result)) {
        clean_text(error->reason);
        if (error->error) clean_error(*error->error);
    } else {
        clean_text(std::get<ActionInterruptedByHuman>(result).feedback);
    }
}

template <class R>
concept OneOfTheResults = std::same_as<R, ActionSuccessResult> || std::same_as<R, ActionErrorResult> ||
                          std::same_as<R, ActionInterruptedByHuman>;

[[nodiscard]] inline ActionResult success_of(Json outputs) {
    ActionResult result(std::in_place_type<ActionSuccessResult>);
    std::get<ActionSuccessResult>(result).outputs = std::move(outputs);
    return result;
}

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
