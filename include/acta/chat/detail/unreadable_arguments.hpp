// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "acta/base/ascii.hpp"
#include "acta/base/json_value.hpp"
#include "acta/json/dump.hpp"
#include "acta/json/parse.hpp"

// Arguments of a call that are no JSON object, as models sometimes write them. They are kept as the only argument of
// the call, so that the answer can be read and its call be answered with what is wrong.
namespace acta::inline ACTA_ABI::chat_detail {

inline constexpr std::string_view unreadable_arguments_key = "unreadable_arguments";

/// Returns arguments that keep a text which is no JSON object.
[[nodiscard]] inline JsonObject unreadable(std::string_view text) {
    JsonObject out;
    base::put(out, unreadable_arguments_key, base::text_json(text));
    return out;
}

/// Keeps the arguments of a message's calls that cannot be read, in the form of OpenAI's chat completions.
inline void keep_unreadable_arguments(Json& message) {
    if (!message.is_object()) return;
    const auto calls = message.find("tool_calls");
    if (calls == message.end() || !calls->is_array()) return;
    for (Json& call : *calls) {
        if (!call.is_object() || !call.contains("function") || !call["function"].is_object()) continue;
        Json& function = call["function"];
        const auto arguments = function.find("arguments");
        if (arguments == function.end() || arguments->is_null() || arguments->is_object()) continue;
        const std::string text = arguments->is_string() ? arguments->get<std::string>() : dump(*arguments);
        if (ascii::is_blank(text)) continue;
        try {
            static_cast<void>(parse<JsonObject>(text));
        } catch (const ValidationError&) {
            *arguments = Json(unreadable(text));
        }
    }
}

/// Returns the text that could not be read, or null.
[[nodiscard]] inline const std::string* unreadable_arguments(const JsonObject& arguments) noexcept {
    if (arguments.size() != 1) return nullptr;
    const Json* const text = base::find_key(arguments, unreadable_arguments_key);
    return text == nullptr ? nullptr : text->get_ptr<const std::string*>();
}

}  // namespace acta::inline ACTA_ABI::chat_detail
