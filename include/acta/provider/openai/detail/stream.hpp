// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "acta/provider/detail/api.hpp"
#include "acta/provider/openai/detail/reply.hpp"

namespace acta::inline ACTA_ABI::openai_detail {

/// Assembles the chunks of a stream into the answer that would have come without streaming
/// (https://platform.openai.com/docs/api-reference/chat-streaming). Linear in the size of the stream.
class StreamedAnswer final : public provider_detail::StreamedBody {
public:
    /// Adds a chunk and returns the new part of the text. Throws `ChatModelError` (`reply`).
    std::string add(const Json& chunk) override {
        if (!chunk.is_object()) throw_reply("a part of the stream is not an object");
        for (const auto& [key, value] : chunk.items()) {
            if (key != "choices") merge(body_, key, value, true);
        }
        std::string text;
        if (const Json* const choices = member(chunk, "choices")) {
            if (!choices->is_array()) throw_reply("the choices of a part of the stream are not a list");
            for (const Json& choice : *choices) {
                const Json* const index = member(choice, "index");
                if (index == nullptr || *index == Json(0)) text += add_choice(choice);
            }
        }
        return text;
    }

    /// Returns whether the model reported that it has finished.
    [[nodiscard]] bool is_finished() const noexcept override { return finished_; }

    /// Returns the body of the answer.
    [[nodiscard]] Json take() override {
        if (!calls_.empty()) message_["tool_calls"] = std::move(calls_);
        choice_["index"] = 0;
        choice_["message"] = std::move(message_);
        JsonArray choices;
        choices.emplace_back(std::move(choice_));
        body_["choices"] = std::move(choices);
        const auto kind = body_.find("object");
        if (kind != body_.end() && kind->second == Json("chat.completion.chunk")) kind->second = "chat.completion";
        return Json(std::move(body_));
    }

private:
    std::string add_choice(const Json& choice) {
        for (const auto& [key, value] : choice.items()) {
            if (key != "delta" && key != "index") merge(choice_, key, value, true);
        }
        if (member(choice, "finish_reason") != nullptr) finished_ = true;
        const Json* const delta = member(choice, "delta");
        if (delta == nullptr) return {};
        if (!delta->is_object()) throw_reply("the delta of a part of the stream is not an object");
        for (const auto& [key, value] : delta->items()) {
            if (key == "tool_calls")
                add_calls(value);
            else
                merge(message_, key, value, key == "role");
        }
        return text_member(*delta, "content");
    }

    /// Texts and lists grow, everything else is replaced; null changes nothing.
    static void merge(Json::object_t& into, const std::string& key, const Json& value, bool replace) {
        constexpr std::size_t most_fields = 200;  // they are looked up one by one
        if (value.is_null()) return;
        if (into.size() >= most_fields) throw_reply("it has more than 200 fields");
        Json& old = into[key];
        if (!replace && value.is_string() && old.is_string())
            old.get_ref<std::string&>() += value.get_ref<const std::string&>();
        else if (!replace && value.is_array() && old.is_array())
            old.insert(old.end(), value.begin(), value.end());
        else
            old = value;
    }

    void add_calls(const Json& calls) {
        if (calls.is_null()) return;
        if (!calls.is_array()) throw_reply("the tool calls of a part of the stream are not a list");
        for (const Json& one : calls) {
            if (!one.is_object()) throw_reply("a tool call of a part of the stream is not an object");
            auto& call = call_of(one).get_ref<Json::object_t&>();
            for (const auto& [key, value] : one.items()) {
                if (key == "function" && value.is_object())
                    add_function(call["function"], value);
                else if (key != "index")
                    merge(call, key, value, true);
            }
        }
    }
    static void add_function(Json& function, const Json& part) {
        if (!function.is_object()) function = JsonObject();
        auto& fields = function.get_ref<Json::object_t&>();
        for (const auto& [key, value] : part.items()) merge(fields, key, value, key == "name");
    }

    /// Returns the call that a part belongs to: by index, or without one the newest, unless the part has another id.
    Json& call_of(const Json& part) {
        const Json* const index = member(part, "index");
        if (index == nullptr) {
            const std::string id = text_member(part, "id");
            const bool same = !calls_.empty() && (id.empty() || text_member(calls_.back(), "id") == id);
            return same ? calls_.back() : calls_.emplace_back(JsonObject());
        }
        if (!index->is_number_integer()) throw_reply("the index of a tool call is not a number");
        const auto [place, is_new] = places_.emplace(index->get<std::int64_t>(), calls_.size());
        return is_new ? calls_.emplace_back(JsonObject()) : calls_[place->second];
    }

    JsonObject body_{};
    JsonObject choice_{};
    JsonObject message_{};
    JsonArray calls_{};
    std::map<std::int64_t, std::size_t> places_{};  // of the calls, by their index
    bool finished_ = false;
};

}  // namespace acta::inline ACTA_ABI::openai_detail
