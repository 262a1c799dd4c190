// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/chat/extension.hpp"
#include "acta/chat/message.hpp"

// The common functions of writers of wire formats.
namespace acta::inline ACTA_ABI::provider_detail {

/// Returns the data that a provider wants back from a message or a part; null if there is none.
[[nodiscard]] inline const Json::object_t* own_extra(const JsonObject& extra, std::string_view provider) noexcept {
    const Json* const own = base::find_key(extra, provider);
    return own == nullptr ? nullptr : own->get_ptr<const Json::object_t*>();
}

inline void put_text(Json::object_t& out, std::string_view key, std::string_view text) {
    base::put(out, key, base::text_json(text));
}

/// Adds the members that the object does not have; nothing if there are none.
inline void add_extra(JsonObject& object, const Json::object_t* extra) {
    if (extra == nullptr) return;
    for (const auto& [key, value] : *extra) {
        if (base::find_key(object, key) == nullptr) base::put(object, key, value);
    }
}

/// Returns the text of a call's result for an API without a flag for failures.
[[nodiscard]] inline std::string result_text(const ChatMessage& result) {
    if (!result.is_error || chat_extension::has_answer_words(result.content)) return result.content;
    return std::string(chat_extension::answer_words::failed) + result.content + "'";
}

/// Returns the parts of a call's result for such an API.
[[nodiscard]] inline std::vector<ContentPart> result_parts(const ChatMessage& result) {
    std::vector<ContentPart> out = result.parts;
    if (result.is_error && !out.empty() && !chat_extension::has_answer_words(out.front().text))
        out.insert(out.begin(), {.text = "Action failed: "});
    return out;
}

}  // namespace acta::inline ACTA_ABI::provider_detail
