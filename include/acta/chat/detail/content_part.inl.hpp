// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/error.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/chat/content_part.hpp"
#include "acta/json/dump.hpp"

namespace acta::inline ACTA_ABI {

namespace chat_detail {

inline constexpr std::string_view part_openai = "openai";

// Reading. Values that members of ContentPart take over are removed from the object; the rest is for `extra`.

[[nodiscard]] ACTA_INLINE Json* find_member(Json::object_t& object, std::string_view key) noexcept {
    return const_cast<Json*>(base::find_key(object, key));
}
[[nodiscard]] ACTA_INLINE Json::object_t* find_object(Json::object_t& object, std::string_view key) noexcept {
    Json* const found = find_member(object, key);
    return found == nullptr ? nullptr : found->get_ptr<Json::object_t*>();
}
[[nodiscard]] ACTA_INLINE const std::string* find_text(const Json::object_t& object, std::string_view key) noexcept {
    const Json* const found = base::find_key(object, key);
    return found == nullptr ? nullptr : found->get_ptr<const std::string*>();
}
ACTA_INLINE void erase_member(Json::object_t& object, std::string_view key) { object.erase(std::string(key)); }

/// Moves a text out of an object; changes nothing if there is no such text.
ACTA_INLINE bool take_text(Json::object_t& object, std::string_view key, std::string& out) {
    Json* const found = find_member(object, key);
    if (found == nullptr || !found->is_string()) return false;
    out = std::move(*found->get_ptr<std::string*>());
    erase_member(object, key);
    return true;
}
ACTA_INLINE void erase_if_empty(Json::object_t& object, std::string_view key) {
    const Json::object_t* const inner = find_object(object, key);
    if (inner != nullptr && inner->empty()) erase_member(object, key);
}

[[nodiscard]] ACTA_INLINE bool is_simple_media_type(std::string_view type) noexcept {
    return !type.empty() && type.find_first_of(";,") == std::string_view::npos;
}

/// The media type and the data of `data:<media type>;base64,<data>`; any other address is not split.
struct SplitDataUrl {
    std::string_view media_type{};
    std::string_view data{};
};
[[nodiscard]] ACTA_INLINE std::optional<SplitDataUrl> split_data_url(std::string_view url) noexcept {
    constexpr std::string_view scheme = "data:";
    constexpr std::string_view mark = ";base64,";
    if (!url.starts_with(scheme)) return std::nullopt;
    url.remove_prefix(scheme.size());
    const std::size_t at = url.find(mark);
    if (at == std::string_view::npos || !is_simple_media_type(url.substr(0, at))) return std::nullopt;
    return SplitDataUrl{url.substr(0, at), url.substr(at + mark.size())};
}

ACTA_INLINE void set_url(ContentPart& part, std::string url) {
    if (const std::optional<SplitDataUrl> split = split_data_url(url)) {
        part.media_type = split->media_type;
        part.data = split->data;
    } else {
        part.url = std::move(url);
    }
}

// OpenAI calls MP3 by its name, other formats by their media type's second half.
[[nodiscard]] ACTA_INLINE std::string audio_media_type(std::string_view format) {
    return "audio/" + std::string(format == "mp3" ? std::string_view("mpeg") : format);
}
[[nodiscard]] ACTA_INLINE std::string audio_format(std::string_view media_type) {
    constexpr std::string_view prefix = "audio/";
    if (!media_type.starts_with(prefix)) return {};
    media_type.remove_prefix(prefix.size());
    return std::string(media_type == "mpeg" ? std::string_view("mp3") : media_type);
}

ACTA_INLINE void read_image_url(ContentPart& out, Json::object_t& part) {
    out.type = "image";
    std::string url;
    Json::object_t* const image = find_object(part, "image_url");
    if (take_text(image == nullptr ? part : *image, image == nullptr ? "image_url" : "url", url))
        set_url(out, std::move(url));
    erase_if_empty(part, "image_url");
}

ACTA_INLINE void read_audio(ContentPart& out, Json::object_t& part) {
    out.type = "audio";
    Json::object_t* const audio = find_object(part, "input_audio");
    std::string format;
    if (audio == nullptr || find_text(*audio, "data") == nullptr || !take_text(*audio, "format", format)) return;
    out.media_type = audio_media_type(format);
    take_text(*audio, "data", out.data);
    erase_if_empty(part, "input_audio");
}

ACTA_INLINE void read_file(ContentPart& out, Json::object_t& part) {
    Json::object_t& file = *find_object(part, "file");
    take_text(file, "filename", out.name);
    const std::string* const data = find_text(file, "file_data");
    if (data != nullptr && split_data_url(*data)) {
        set_url(out, *data);
        erase_member(file, "file_data");
    }
    erase_if_empty(part, "file");
}

/// Anthropic's images and documents, and ATIF's, whose source is a path.
ACTA_INLINE void read_source(ContentPart& out, Json::object_t& part) {
    Json::object_t& source = *find_object(part, "source");
    if (out.type == "document") {
        out.type = "file";
        take_text(part, "title", out.name);
    }
    const std::string* const kind = find_text(source, "type");
    const std::string of = kind == nullptr ? std::string() : *kind;
    bool taken = false;
    if (of == "base64")
        taken = take_text(source, "data", out.data);
    else if (of == "text")
        taken = take_text(source, "data", out.text);
    else if (of == "url" || of.empty())
        taken = take_text(source, of.empty() ? "path" : "url", out.url);
    if (!taken) return;
    erase_member(source, "type");
    take_text(source, "media_type", out.media_type);
    erase_if_empty(part, "source");
}

ACTA_INLINE void read_members(ContentPart& out, Json::object_t& part) {
    if (out.type != "text" && out.type != "image" && out.type != "audio" && out.type != "file" && out.type != "refusal")
        return;
    if (out.type == "refusal") take_text(part, "refusal", out.text);
    take_text(part, "text", out.text);
    if (!take_text(part, "media_type", out.media_type) && find_text(part, "data") != nullptr)
        take_text(part, "mimeType", out.media_type);
    take_text(part, "data", out.data);
    take_text(part, "url", out.url);
    take_text(part, "name", out.name);
}

// Writing.

[[nodiscard]] ACTA_INLINE std::string data_url(const ContentPart& part) {
    return "data:" + part.media_type + ";base64," + part.data;
}
[[nodiscard]] ACTA_INLINE JsonObject
object_of_texts(std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
    JsonObject out;
    for (const auto& [key, text] : members) {
        if (!text.empty()) base::put(out, key, base::text_json(text));
    }
    return out;
}
[[nodiscard]] ACTA_INLINE JsonObject part_of_type(std::string_view type, std::string_view key = {}, Json value = {}) {
    JsonObject out;
    base::put(out, "type", base::text_json(type));
    if (!key.empty()) base::put(out, key, std::move(value));
    return out;
}

/// Returns the part as OpenAI has it, or nothing if that form cannot say everything that the members do.
[[nodiscard]] ACTA_INLINE std::optional<JsonObject> openai_form(const ContentPart& part, const Json* extra) {
    const bool has_data = !part.data.empty() && is_simple_media_type(part.media_type);
    const bool no_data = part.data.empty() && part.media_type.empty();
    const bool only_text = no_data && part.url.empty() && part.name.empty();
    const auto has_extra = [extra](std::string_view key) {
        return extra != nullptr && base::find_key(base::object_of(*extra), key) != nullptr;
    };
    if (part.type == "text" || part.type == "refusal")
        return only_text ? std::optional(part_of_type(part.type, part.type, base::text_json(part.text))) : std::nullopt;
    if (!part.text.empty()) return std::nullopt;
    if (part.type == "image" && part.name.empty()) {
        const bool has_url = no_data && !part.url.empty() && !split_data_url(part.url);
        if (!has_url && !(has_data && part.url.empty()) && !(only_text && has_extra("image_url"))) return std::nullopt;
        const std::string url = has_data ? data_url(part) : part.url;
        return part_of_type("image_url", "image_url", Json(object_of_texts({{"url", url}})));
    }
    if (part.type == "audio" && has_data && part.name.empty() && part.url.empty()) {
        const std::string format = audio_format(part.media_type);
        if (format.empty() || audio_media_type(format) != part.media_type) return std::nullopt;
        return part_of_type("input_audio", "input_audio",
                            Json(object_of_texts({{"data", part.data}, {"format", format}})));
    }
    if (part.type == "file" && part.url.empty() && (has_data || (no_data && has_extra("file")))) {
        const std::string data = has_data ? data_url(part) : std::string();
        return part_of_type("file", "file", Json(object_of_texts({{"filename", part.name}, {"file_data", data}})));
    }
    return std::nullopt;
}

/// Adds the members of `more` that `out` lacks, also inside objects that both have.
ACTA_INLINE void add_missing(Json::object_t& out, const Json::object_t& more) {
    for (const auto& [key, value] : more) {
        Json* const old = find_member(out, key);
        if (old == nullptr) {
            base::put(out, key, value);
        } else if (old->is_object() && value.is_object()) {
            for (const auto& [inner, one] : base::object_of(value)) {
                if (base::find_key(*old->get_ptr<Json::object_t*>(), inner) == nullptr) base::put(*old, inner, one);
            }
        }
    }
}

/// Joins texts: adjacent ones are concatenated; after an interruption the next one begins a new line.
class JoinedText {
public:
    void add(std::string_view text) {
        if (interrupted_ && !out_.empty() && !text.empty()) out_ += '\n';
        interrupted_ = false;
        out_ += text;
    }
    void interrupt() noexcept { interrupted_ = true; }
    [[nodiscard]] std::string take() { return std::move(out_); }

private:
    std::string out_{};
    bool interrupted_ = false;
};

}  // namespace chat_detail

ACTA_INLINE ContentPart read_content_part(JsonObject part, std::string_view provider) {
    ContentPart out;
    if (!chat_detail::take_text(part, "type", out.type))
        throw Error("a part of a message's content needs a `type`, which is a text");
    if (out.type == "image_url")
        chat_detail::read_image_url(out, part);
    else if (out.type == "input_audio")
        chat_detail::read_audio(out, part);
    else if (out.type == "file" && chat_detail::find_object(part, "file") != nullptr)
        chat_detail::read_file(out, part);
    else if ((out.type == "image" || out.type == "document" || out.type == "audio") &&
             chat_detail::find_object(part, "source") != nullptr)
        chat_detail::read_source(out, part);
    else
        chat_detail::read_members(out, part);
    if (!part.empty()) base::put(out.extra, provider, Json(std::move(part)));
    return out;
}

ACTA_INLINE JsonObject Describe<ContentPart>::to_representation(const ContentPart& part) {
    const Json* openai = base::find_key(part.extra, chat_detail::part_openai);
    if (openai != nullptr && !openai->is_object()) openai = nullptr;
    std::optional<JsonObject> known = chat_detail::openai_form(part, openai);
    JsonObject out = known ? *std::move(known)
                           : chat_detail::object_of_texts({{"type", part.type},
                                                           {"text", part.text},
                                                           {"media_type", part.media_type},
                                                           {"data", part.data},
                                                           {"url", part.url},
                                                           {"name", part.name}});
    if (openai != nullptr) chat_detail::add_missing(out, base::object_of(*openai));
    JsonObject others;
    for (const auto& [provider, rest] : part.extra) {
        if (&rest != openai) base::put(others, provider, rest);
    }
    if (!others.empty()) base::put(out, "extra", Json(std::move(others)));
    return out;
}

ACTA_INLINE ContentPart Describe<ContentPart>::from_representation(JsonObject part) {
    JsonObject extra;
    if (Json::object_t* const others = chat_detail::find_object(part, "extra")) {
        static_cast<Json::object_t&>(extra) = std::move(*others);
        chat_detail::erase_member(part, "extra");
    }
    ContentPart out = read_content_part(std::move(part), chat_detail::part_openai);
    for (auto& [provider, rest] : extra) {
        if (base::find_key(out.extra, provider) == nullptr) base::put(out.extra, provider, std::move(rest));
    }
    return out;
}

ACTA_INLINE std::string to_string(const ContentPart& part) {
    if (!part.text.empty() || part.type == "text" || part.type == "refusal") return part.text;
    const std::string& type = part.media_type.empty() ? part.type : part.media_type;
    if (!part.data.empty()) return binary_placeholder(type, part.data);
    if (!part.url.empty()) return "<" + type + ", " + hide_binary(part.url) + ">";
    const Json whole(Describe<ContentPart>::to_representation(part));
    const std::optional<Json> shown = without_binary(whole);
    return dump(shown ? *shown : whole, {.invalid_utf8 = InvalidUtf8::replace});
}

ACTA_INLINE std::string parts_text(std::span<const ContentPart> parts) {
    chat_detail::JoinedText joined;
    for (const ContentPart& part : parts) {
        const bool is_text = part.type == "text" || part.type == "refusal";
        if (!is_text) joined.interrupt();
        joined.add(to_string(part));
        if (!is_text) joined.interrupt();
    }
    return joined.take();
}

}  // namespace acta::inline ACTA_ABI
