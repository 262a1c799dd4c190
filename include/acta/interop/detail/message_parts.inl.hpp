// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/chat/binary_placeholder.hpp"
#include "acta/interop/detail/message_parts.hpp"
#include "acta/interop/detail/message_reading.inl.hpp"
#include "acta/json/dump.hpp"

namespace acta::inline v0::interop_detail {

// Looking at parts -------------------------------------------------------------------------------------------

[[nodiscard]] ACTA_INLINE const Json* part_member(const JsonObject& part, std::string_view key) {
    const auto found = part.find(std::string(key));
    return found == part.end() ? nullptr : &found->second;
}
[[nodiscard]] ACTA_INLINE std::string part_string(const JsonObject& part, std::string_view key) {
    const Json* const member = part_member(part, key);
    return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}
[[nodiscard]] ACTA_INLINE JsonObject part_object(const JsonObject& part, std::string_view key) {
    const Json* const member = part_member(part, key);
    return member != nullptr && member->is_object() ? JsonObject(member->get_ref<const Json::object_t&>())
                                                    : JsonObject();
}

ACTA_INLINE bool is_plain_text(const JsonObject& part) { return part.size() == 2 && text_of_block(part) != nullptr; }

ACTA_INLINE bool are_plain_text(std::span<const JsonObject> parts) { return std::ranges::all_of(parts, is_plain_text); }

ACTA_INLINE std::string part_text(const JsonObject& part) {
    if (const std::string* const text = text_of_block(part)) return *text;
    if (part_string(part, "type") == "refusal") return part_string(part, "refusal");
    const Json whole(part);
    DumpOptions options;
    options.invalid_utf8 = InvalidUtf8::replace;
    const std::optional<Json> shown = without_binary(whole);
    return dump(shown ? *shown : whole, options);
}

ACTA_INLINE std::string parts_text(std::span<const JsonObject> parts) {
    JoinedText joined;
    for (const JsonObject& part : parts) {
        const bool is_text = text_of_block(part) != nullptr || part_string(part, "type") == "refusal";
        if (!is_text) joined.interrupt();
        joined.add(part_text(part));
        if (!is_text) joined.interrupt();
    }
    return joined.take();
}

// From one API to the other ----------------------------------------------------------------------------------

[[nodiscard]] ACTA_INLINE JsonObject block_of_type(const char* type) {
    JsonObject block;
    block.emplace_back("type", Json(type));
    return block;
}
[[nodiscard]] ACTA_INLINE JsonObject text_block(const std::string& text) {
    JsonObject block = block_of_type("text");
    block.emplace_back("text", Json(text));
    return block;
}

/// What a `data:` URL in base64 holds.
struct EmbeddedData {
    std::string media_type{};
    std::string base64{};
};
[[nodiscard]] ACTA_INLINE std::optional<EmbeddedData> read_data_url(std::string_view url) {
    constexpr std::string_view scheme = "data:";
    constexpr std::string_view mark = ";base64,";
    const std::size_t data = url.find(mark);
    if (!url.starts_with(scheme) || data == std::string_view::npos) return std::nullopt;
    const std::string_view head = url.substr(scheme.size(), data - scheme.size());
    return EmbeddedData{std::string(head.substr(0, head.find(';'))), std::string(url.substr(data + mark.size()))};
}
[[nodiscard]] ACTA_INLINE std::string data_url(const JsonObject& source) {
    return "data:" + part_string(source, "media_type") + ";base64," + part_string(source, "data");
}
[[nodiscard]] ACTA_INLINE JsonObject base64_source(EmbeddedData data) {
    JsonObject source = block_of_type("base64");
    source.emplace_back("media_type", Json(std::move(data.media_type)));
    source.emplace_back("data", Json(std::move(data.base64)));
    return source;
}

[[nodiscard]] ACTA_INLINE JsonObject openai_image(const JsonObject& part) {
    const JsonObject source = part_object(part, "source");
    const std::string kind = part_string(source, "type");
    if (kind != "base64" && kind != "url") return text_block(part_text(part));
    JsonObject image = block_of_type("image_url");
    image.emplace_back("image_url",
                       Json(JsonObject{{"url", kind == "url" ? part_string(source, "url") : data_url(source)}}));
    return image;
}

[[nodiscard]] ACTA_INLINE JsonObject openai_document(const JsonObject& part) {
    const JsonObject source = part_object(part, "source");
    const std::string kind = part_string(source, "type");
    if (kind == "text") return text_block(part_string(source, "data"));
    if (kind != "base64") return text_block(part_text(part));
    const std::string title = part_string(part, "title");
    JsonObject file = block_of_type("file");
    file.emplace_back("file", Json(JsonObject{{"filename", title.empty() ? "document.pdf" : title},
                                              {"file_data", data_url(source)}}));
    return file;
}

ACTA_INLINE std::optional<JsonObject> openai_part(const JsonObject& part) {
    const std::string type = part_string(part, "type");
    if (type == "thinking" || type == "redacted_thinking") return std::nullopt;
    if (type == "image") return openai_image(part);
    if (type == "document") return openai_document(part);
    return part;
}

[[nodiscard]] ACTA_INLINE JsonObject anthropic_image(const JsonObject& part) {
    const std::string url = part_string(part_object(part, "image_url"), "url");
    JsonObject image = block_of_type("image");
    if (std::optional<EmbeddedData> data = read_data_url(url)) {
        image.emplace_back("source", Json(base64_source(*std::move(data))));
    } else {
        JsonObject source = block_of_type("url");
        source.emplace_back("url", Json(url));
        image.emplace_back("source", Json(std::move(source)));
    }
    return image;
}

[[nodiscard]] ACTA_INLINE JsonObject anthropic_document(const JsonObject& part) {
    const JsonObject file = part_object(part, "file");
    std::optional<EmbeddedData> data = read_data_url(part_string(file, "file_data"));
    if (!data) return text_block(part_text(part));
    JsonObject document = block_of_type("document");
    document.emplace_back("source", Json(base64_source(*std::move(data))));
    if (const std::string name = part_string(file, "filename"); !name.empty()) document.emplace_back("title", name);
    return document;
}

ACTA_INLINE std::optional<JsonObject> anthropic_part(const JsonObject& part) {
    const std::string type = part_string(part, "type");
    if (const std::string* const text = text_of_block(part))
        return ascii::is_blank(*text) ? std::nullopt : std::optional<JsonObject>(part);
    if (type == "image_url") return anthropic_image(part);
    if (type == "file") return anthropic_document(part);
    if (type == "refusal" || type == "input_audio") return text_block(part_text(part));
    return part;
}

// Outputs ----------------------------------------------------------------------------------------------------

[[nodiscard]] ACTA_INLINE std::optional<JsonObject> output_part(const Json& output) {
    if (!output.is_object()) return std::nullopt;
    return JsonObject(output.get_ref<const Json::object_t&>());
}

ACTA_INLINE std::optional<std::vector<JsonObject>> openai_output_parts(const Json& outputs) {
    if (!outputs.is_array()) return std::nullopt;
    bool more = outputs.size() > 1;
    std::vector<JsonObject> parts;
    for (const Json& output : outputs) {
        std::optional<JsonObject> part = output_part(output);
        if (!part) return std::nullopt;
        const std::string type = part_string(*part, "type");
        const bool media =
            (type == "image_url" || type == "input_audio" || type == "file") && !part_object(*part, type).empty();
        if (!media && !is_plain_text(*part)) return std::nullopt;
        more = more || media;
        parts.push_back(*std::move(part));
    }
    return more ? std::optional(std::move(parts)) : std::nullopt;
}

/// A block of an MCP tool's result as one of Anthropic's; nothing of what that API has no block for.
[[nodiscard]] ACTA_INLINE std::optional<JsonObject> anthropic_part_from_mcp(const JsonObject& part) {
    const std::string type = part_string(part, "type");
    if (type == "image") {
        JsonObject image = block_of_type("image");
        image.emplace_back("source", Json(base64_source({part_string(part, "mimeType"), part_string(part, "data")})));
        return image;
    }
    const std::string* const said = text_of_block(part);
    const std::string text = said != nullptr ? *said : part_text(part);
    return ascii::is_blank(text) ? std::nullopt : std::optional(text_block(text));
}

/// The blocks of an MCP tool's result that was kept whole, where one of them is an image.
[[nodiscard]] ACTA_INLINE std::optional<std::vector<JsonObject>> anthropic_parts_from_mcp(const Json& outputs) {
    const auto content = outputs.find("content");
    if (content == outputs.end() || !content->is_array() || !outputs.contains("isError")) return std::nullopt;
    bool image = false;
    std::vector<JsonObject> parts;
    for (const Json& one : *content) {
        const std::optional<JsonObject> part = output_part(one);
        if (!part) return std::nullopt;
        image = image || (part_string(*part, "type") == "image" && !part_string(*part, "mimeType").empty());
        if (std::optional<JsonObject> block = anthropic_part_from_mcp(*part)) parts.push_back(*std::move(block));
    }
    return image ? std::optional(std::move(parts)) : std::nullopt;
}

ACTA_INLINE std::optional<std::vector<JsonObject>> anthropic_output_parts(const Json& outputs) {
    if (outputs.is_object()) return anthropic_parts_from_mcp(outputs);
    if (!outputs.is_array()) return std::nullopt;
    bool more = outputs.size() > 1;
    std::vector<JsonObject> parts;
    for (const Json& output : outputs) {
        std::optional<JsonObject> part = output_part(output);
        if (part && part_string(*part, "type") == "image_url" && !part_object(*part, "image_url").empty())
            part = anthropic_image(*part);
        if (!part) return std::nullopt;
        const std::string type = part_string(*part, "type");
        const bool media = (type == "image" || type == "document") && !part_object(*part, "source").empty();
        if (!media && (!is_plain_text(*part) || ascii::is_blank(*text_of_block(*part)))) return std::nullopt;
        more = more || media;
        parts.push_back(*std::move(part));
    }
    return more ? std::optional(std::move(parts)) : std::nullopt;
}

}  // namespace acta::inline v0::interop_detail
