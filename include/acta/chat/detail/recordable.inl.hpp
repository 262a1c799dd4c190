// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/chat/extension.hpp"
#include "acta/chat/message.hpp"
#include "acta/json/json.hpp"

// Messages as a record can have them: the functions at the end of acta/chat/message.hpp.
namespace acta::inline ACTA_ABI::chat_extension {

ACTA_INLINE void clean_object(JsonObject& object) {
    Json value(std::move(object));
    base::clean(value);
    object = JsonObject(std::move(value.get_ref<Json::object_t&>()));
}

ACTA_INLINE void make_recordable(AssistantFunctionCall& call) {
    constexpr std::size_t longest = 1000;  // of the excerpt
    base::clean(call.name);
    clean_object(call.arguments);
    const Json value(call.arguments);
    const std::optional<Issue> fault = content_fault(value);
    if (!fault) return;
    const std::string place = fault->loc.empty() ? "the arguments" : codec::loc_as_dots(fault->loc);
    std::string text = dump(value);
    text.resize(utf8::prefix(text, longest).size());
    call.arguments = chat_detail::unreadable(text, std::string(utf8::prefix(place, longest)) + ": " + fault->message);
}

}  // namespace acta::inline ACTA_ABI::chat_extension

// What providers keep in `extra`, within the limits of a record.
namespace acta::inline ACTA_ABI::chat_detail {

inline constexpr std::string_view acta_key = "acta";
inline constexpr std::string_view not_recorded_key = "not_recorded";

/// Returns why a value with at most `levels` levels cannot be part of a record; empty if it can.
[[nodiscard]] ACTA_INLINE std::string fault_of(const Json& value, std::size_t levels) {
    if (base::is_deeper(value, levels))
        return "Input should be nested at most " + std::to_string(max_content_depth) + " levels deep";
    const std::optional<Issue> fault = content_fault(value);
    return fault ? fault->message : std::string();
}

[[nodiscard]] ACTA_INLINE bool has_fault(const Json::object_t& object) {
    return std::any_of(object.begin(), object.end(),
                       [](const auto& entry) { return !fault_of(entry.second, max_content_depth - 1).empty(); });
}

/// Omits members that no record can have, and takes notes.
class Omission {
public:
    /// Omits them from the `extra` of a message or a part, which is at `place`.
    void omit(JsonObject& extra, const std::string& place) {
        if (!has_fault(extra)) return;
        constexpr int deepest_list = 4;  // such as items, their content, the annotations of a part
        std::vector<std::string> emptied;
        for (auto& [provider, own] : static_cast<Json::object_t&>(extra)) {
            auto* const members = own.get_ptr<Json::object_t*>();
            if (members == nullptr || fault_of(own, max_content_depth - 1).empty()) continue;
            omit(*members, max_content_depth - 1, place + provider + ".", deepest_list);
            if (members->empty()) emptied.push_back(provider);
        }
        for (const std::string& provider : emptied) extra.erase(provider);
        omit(extra, max_content_depth, place, deepest_list);
    }

    /// Adds the notes to the `extra` of the message: in front, where a message that is read again has them.
    void note_in(JsonObject& extra) {
        if (notes_.empty()) return;
        if (more_ != 0) notes_.emplace_back("and " + std::to_string(more_) + " more");
        const Json* const old = base::find_key(extra, acta_key);
        Json own = old == nullptr || !old->is_object() ? base::new_object() : *old;
        Json& list = own[std::string(not_recorded_key)];
        if (!list.is_array()) list = JsonArray();
        for (std::string& one : notes_) list.push_back(std::move(one));
        JsonObject out;
        base::put(out, acta_key, std::move(own));
        for (auto& [key, value] : static_cast<Json::object_t&>(extra)) {
            if (key != acta_key) base::put(out, key, std::move(value));
        }
        extra = std::move(out);
    }

private:
    /// Omits those of an object, and those of the objects in its lists: the items of an answer, its blocks, its calls.
    void omit(Json::object_t& object, std::size_t levels, const std::string& place, int lists) {
        Json::object_t out;
        for (auto& [key, value] : object) {
            if (fits(value, levels - 1, place, key, lists)) base::put(out, key, std::move(value));
        }
        object = std::move(out);
    }

    /// Returns whether a value, or what is left of it if it is a list of items, can be recorded.
    [[nodiscard]] bool fits(Json& value, std::size_t levels, const std::string& place, const std::string& key,
                            int lists) {
        const std::string fault = fault_of(value, levels);
        if (fault.empty()) return true;
        auto* const item = value.get_ptr<Json::object_t*>();
        if (lists != 0 && levels > 1 && item != nullptr && !base::text_member(value, "type").empty()) {
            omit(*item, levels, place + key + ".", lists - 1);
            return true;
        }
        if (lists != 0 && levels > 1 && has_items(value, key)) {
            std::size_t i = 0;
            for (Json& one : value) {
                const std::string at = place + key + "[" + std::to_string(i++) + "]";
                if (auto* const members = one.get_ptr<Json::object_t*>())
                    omit(*members, levels - 1, at + ".", lists - 1);
                else if (!fits(one, levels - 1, at, {}, 0))
                    one = nullptr;
            }
            if (fault_of(value, levels).empty()) return true;
        }
        note(place + key, fault);
        return false;
    }
    /// Returns whether a value is a list whose objects have a type, as those of an API have; or that of the calls.
    [[nodiscard]] static bool has_items(const Json& value, std::string_view key) {
        return value.is_array() && std::any_of(value.begin(), value.end(), [key](const Json& one) {
                   return one.is_object() && (key == "tool_calls" || !base::text_member(one, "type").empty());
               });
    }
    void note(const std::string& place, const std::string& why) {
        constexpr std::size_t most = 20;
        constexpr std::size_t longest = 200;  // of a place
        if (notes_.size() < most)
            notes_.push_back(std::string(utf8::prefix(place, longest)) + ": " + why);
        else
            ++more_;
    }

    std::vector<std::string> notes_{};
    std::size_t more_ = 0;
};

[[nodiscard]] ACTA_INLINE bool are_recordable(std::span<const AssistantToolCall> calls) {
    return std::ranges::none_of(calls,
                                [](const AssistantToolCall& call) { return has_fault(call.function.arguments); });
}

ACTA_INLINE void make_recordable(std::span<AssistantToolCall> calls) {
    for (AssistantToolCall& call : calls) {
        base::clean(call.id);
        for (std::size_t at = 0; (at = call.id.find('\0', at)) != std::string::npos;) call.id.replace(at, 1, "\uFFFD");
        chat_extension::make_recordable(call.function);
    }
}

/// Cleans what both types of messages have, and returns what was omitted.
template <class Message>
[[nodiscard]] Omission clean_words(Message& message) {
    base::clean(message.content);
    if (message.reasoning_content) base::clean(*message.reasoning_content);
    chat_extension::clean_object(message.extra);
    Omission omission;
    omission.omit(message.extra, "");
    return omission;
}

}  // namespace acta::inline ACTA_ABI::chat_detail

namespace acta::inline ACTA_ABI::chat_extension {

ACTA_INLINE void make_recordable(AssistantChatMessage& message) {
    chat_detail::Omission omission = chat_detail::clean_words(message);
    omission.note_in(message.extra);
    if (message.tool_calls) chat_detail::make_recordable(*message.tool_calls);
}

ACTA_INLINE void make_recordable(ChatMessage& message) {
    chat_detail::Omission omission = chat_detail::clean_words(message);
    // The text of a part that only one API has is its JSON.
    const bool is_text_of_parts = !message.parts.empty() && message.content == parts_text(message.parts);
    for (std::size_t i = 0; i < message.parts.size(); ++i) {
        ContentPart& part = message.parts[i];
        for (std::string* const text : {&part.type, &part.text, &part.media_type, &part.data, &part.url, &part.name})
            base::clean(*text);
        clean_object(part.extra);
        omission.omit(part.extra, "parts[" + std::to_string(i) + "].");
    }
    if (is_text_of_parts) message.content = parts_text(message.parts);
    omission.note_in(message.extra);
    chat_detail::make_recordable(message.tool_calls);
}

ACTA_INLINE bool is_recordable(const AssistantChatMessage& message) {
    return !chat_detail::has_fault(message.extra) &&
           (!message.tool_calls || chat_detail::are_recordable(*message.tool_calls));
}

ACTA_INLINE bool is_recordable(const ChatMessage& message) {
    const auto has_fault = [](const ContentPart& part) { return chat_detail::has_fault(part.extra); };
    return !chat_detail::has_fault(message.extra) && std::ranges::none_of(message.parts, has_fault) &&
           chat_detail::are_recordable(message.tool_calls);
}

ACTA_INLINE std::vector<std::string> not_recorded(const JsonObject& extra) {
    std::vector<std::string> out;
    const Json* const own = base::find_key(extra, chat_detail::acta_key);
    const Json* const list = own == nullptr ? nullptr : base::find_key(*own, chat_detail::not_recorded_key);
    if (list == nullptr || !list->is_array()) return out;
    for (const Json& one : *list) {
        if (one.is_string()) out.push_back(base::text_of(one));
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI::chat_extension
