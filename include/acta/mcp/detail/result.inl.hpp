// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "acta/chat/binary_placeholder.hpp"
#include "acta/chat/extension.hpp"
#include "acta/json/json.hpp"
#include "acta/mcp/result.hpp"
#include "acta/pysyntax/repr.hpp"

namespace acta::inline ACTA_ABI {

namespace mcp_detail {

/// Keys of `_meta` have a prefix before a slash (specification, "General fields").
inline constexpr std::string_view mcp_result_key = "acta/result";
inline constexpr std::string_view mcp_error_type = "McpToolError";

/// Returns the text of a result whose content is just one text, or null.
[[nodiscard]] ACTA_INLINE const std::string* only_text(const mcp::CallToolResult& result) {
    if (result.content.size() != 1 || !result.extra.empty()) return nullptr;
    const auto* const text = std::get_if<mcp::TextContent>(&result.content.front());
    return text != nullptr && text->extra.empty() ? &text->text : nullptr;
}

/// Returns what stands for data in words; data that is not base64 stays as it is.
[[nodiscard]] ACTA_INLINE std::string data_words(std::string_view type, const std::string& data) {
    if (data.empty() || chat_extension::is_base64(data)) return binary_placeholder(type, data);
    return base::concat({"[", type, ", not base64: ", data, "]"});
}

/// Returns a block in words: its text, or a description.
[[nodiscard]] ACTA_INLINE std::string block_words(const mcp::ContentBlock& block) {
    if (const auto* const text = std::get_if<mcp::TextContent>(&block)) return text->text;
    if (const auto* const image = std::get_if<mcp::ImageContent>(&block))
        return data_words(image->mime_type, image->data);
    if (const auto* const audio = std::get_if<mcp::AudioContent>(&block))
        return data_words(audio->mime_type, audio->data);
    if (const auto* const link = std::get_if<mcp::ResourceLink>(&block))
        return "[resource " + link->name + ", " + link->uri + "]";
    if (const auto* const embedded = std::get_if<mcp::EmbeddedResource>(&block)) {
        const mcp::ResourceContents& resource = embedded->resource;
        if (resource.text) return *resource.text;
        const std::string size = resource.blob ? ", " + data_words("blob", *resource.blob) : "";
        return "[resource " + resource.uri + size + "]";
    }
    return "[content of an unknown type]";
}

/// Returns whether `_meta` has anything but what the protocol adds to every result, such as who the server is.
[[nodiscard]] ACTA_INLINE bool has_own_meta(const mcp::CallToolResult& result) {
    return result.meta && std::ranges::any_of(*result.meta, [](const auto& one) {
               return !one.first.starts_with("io.modelcontextprotocol/");
           });
}

/// Returns whether a result has nothing besides content, structured content and the flag.
[[nodiscard]] ACTA_INLINE bool is_plain(const mcp::CallToolResult& result) {
    return result.extra.empty() && !has_own_meta(result) && result.result_type.value_or("complete") == "complete";
}

/// Returns a result that acta wrote into `_meta` because the content alone is not enough for it.
[[nodiscard]] ACTA_INLINE std::optional<ActionResult> kept_result(const mcp::CallToolResult& result) {
    if (!result.meta) return std::nullopt;
    const auto found = result.meta->find(std::string(mcp_result_key));
    if (found == result.meta->end()) return std::nullopt;
    const std::string* const text = only_text(result);
    try {
        if (text != nullptr && found->second.is_object() && !found->second.contains("status")) {
            auto error = validate<action_extension::ShortError>(found->second);
            ActionResult kept(std::in_place_type<ActionErrorResult>);
            std::get<ActionErrorResult>(kept) = {*text, action_extension::lengthened(*text, std::move(error))};
            return kept;
        }
        ActionResult kept = validate<ActionResult>(found->second);
        if (!is_success(kept)) return kept;
    } catch (const ValidationError&) {
        // Another program's value under the same key.
    }
    return std::nullopt;
}

[[nodiscard]] ACTA_INLINE ActionResult mcp_failure(const mcp::CallToolResult& result) {
    if (auto kept = kept_result(result)) return *std::move(kept);
    ActionResult out(std::in_place_type<ActionErrorResult>);
    auto& failure = std::get<ActionErrorResult>(out);
    const std::string* const text = only_text(result);
    if (text != nullptr && !result.structured_content && !has_own_meta(result)) {
        failure.reason = *text;
        return out;
    }
    for (const mcp::ContentBlock& block : result.content) {
        if (!failure.reason.empty()) failure.reason += '\n';
        failure.reason += block_words(block);
    }
    if (failure.reason.empty() && result.structured_content) {
        const std::optional<Json> shown = without_binary(*result.structured_content);
        failure.reason = dump(shown ? *shown : *result.structured_content);
    }
    if (failure.reason.empty()) failure.reason = "The tool failed and did not say why.";
    ErrorInfo& error = failure.error.emplace();
    error.args.push_back(to_json_value(result));
    error.message = failure.reason;
    error.exception_type = mcp_error_type;
    error.repr = error.exception_type + "(" + python_repr(error.message) + ")";
    return out;
}

/// Returns the value that both the structured content and the text of a result contain. Before version 2026-07-28
/// structured content was always an object, so that any other value was in its member `result`.
[[nodiscard]] ACTA_INLINE std::optional<Json> structured_value(const Json& structured, const std::string& text) {
    const bool wrapped = structured.is_object() && structured.size() == 1 && structured.begin().key() == "result";
    if (wrapped && *structured.begin() == Json(text)) return Json(text);
    try {
        Json said = parse<Json>(text);
        // The text `null` is not a value: null outputs are written without any content.
        if (said == structured && !said.is_null()) return said;
        // An object would not be wrapped.
        if (wrapped && said == *structured.begin() && !said.is_object() && !said.is_null()) return said;
    } catch (const ValidationError&) {
        // The text is something else in words.
    }
    return std::nullopt;
}

[[nodiscard]] ACTA_INLINE mcp::ContentBlock mcp_text(std::string text) {
    mcp::TextContent block;
    block.text = std::move(text);
    return block;
}

/// Returns the whole result in outputs, if they came from `mcp::to_action_result`; nothing for any others.
[[nodiscard]] ACTA_INLINE std::optional<mcp::CallToolResult> held_result(const Json& held, const ActionResult& result) {
    if (!held.is_object() || !held.contains("content")) return std::nullopt;
    try {
        mcp::CallToolResult read = validate<mcp::CallToolResult>(held);
        if (mcp::to_action_result(read) == result) return read;
    } catch (const ValidationError&) {
        // Other outputs that have a key of this name.
    }
    return std::nullopt;
}

[[nodiscard]] ACTA_INLINE mcp::CallToolResult mcp_success(const Json& outputs, mcp::Version protocol) {
    mcp::CallToolResult out;
    if (outputs.is_null()) return out;
    if (outputs.is_string()) {
        out.content.push_back(mcp_text(outputs.get_ref<const std::string&>()));
        return out;
    }
    out.content.push_back(mcp_text(dump(outputs)));
    if (outputs.is_object() || protocol == mcp::Version::v2026_07_28)
        out.structured_content = outputs;
    else
        out.structured_content.emplace(Json::object())["result"] = outputs;
    return out;
}

/// As `mcp::to_tool_result`, without the members that a version adds to every result.
[[nodiscard]] ACTA_INLINE mcp::CallToolResult mcp_result(const ActionResult& result, mcp::Version protocol) {
    if (const auto* const success = std::get_if<ActionSuccessResult>(&result)) {
        if (auto held = held_result(success->outputs, result)) return *std::move(held);
        return mcp_success(success->outputs, protocol);
    }
    mcp::CallToolResult out;
    out.is_error = true;
    const auto* const failure = std::get_if<ActionErrorResult>(&result);
    if (failure != nullptr && failure->error && failure->error->exception_type == mcp_error_type &&
        failure->error->args.size() == 1) {
        if (auto held = held_result(failure->error->args.front(), result)) return *std::move(held);
    }
    out.content.push_back(mcp_text(failure != nullptr ? failure->reason : to_string(result)));
    if (failure != nullptr && !failure->error) return out;
    const auto shortened = failure == nullptr ? std::nullopt : action_extension::shortened(*failure);
    out.meta.emplace().emplace_back(std::string(mcp_result_key),
                                    shortened ? to_json_value(*shortened) : to_json_value(result));
    return out;
}

}  // namespace mcp_detail

ACTA_INLINE ActionResult mcp::to_action_result(const mcp::CallToolResult& result) {
    if (result.is_error) return mcp_detail::mcp_failure(result);
    ActionSuccessResult success;
    const bool plain = mcp_detail::is_plain(result);
    const std::string* const text = mcp_detail::only_text(result);
    std::optional<Json> value;
    if (plain && text != nullptr && result.structured_content)
        value = mcp_detail::structured_value(*result.structured_content, *text);
    if (value)
        success.outputs = *std::move(value);
    else if (plain && text != nullptr && !result.structured_content)
        success.outputs = *text;
    else if (!plain || !result.content.empty() || result.structured_content)
        success.outputs = to_json_value(result);
    return success;
}

ACTA_INLINE mcp::CallToolResult mcp::to_tool_result(const ActionResult& result, mcp::Version protocol) {
    mcp::CallToolResult out = mcp_detail::mcp_result(result, protocol);
    if (protocol == mcp::Version::v2026_07_28 && !out.result_type) out.result_type = "complete";
    return out;
}

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::mcp_detail {

ACTA_INLINE void decode_content_block(codec::Decoder& d, std::span<const codec::Alternative> members, std::size_t other,
                                      void* variant) {
    if (d.in.peek() != codec::Token::object) {
        d.refuse("dict_type", "Input should be an object");
        return;
    }
    const void* const where = d.in.where();
    const codec::Preview preview = codec::preview_object(d, "type", members);
    if (!preview.has_tag || !preview.tag_is_text) {
        if (preview.has_tag)
            d.issue("union_tag_invalid",
                    "Input tag '" + python_str(preview.tag_value) + "' found using 'type' is not a string", where);
        else
            d.issue("union_tag_not_found", "Unable to extract tag using discriminator 'type'", where);
        d.in.skip();
        return;
    }
    std::size_t chosen = other;
    for (std::size_t m = 0; m < members.size(); ++m) {
        if (members[m].record != nullptr && codec::tag_of(*members[m].record, "type") == preview.tag_text) chosen = m;
    }
    members[chosen].decode(d, members[chosen].emplace(variant));
}

}  // namespace acta::inline ACTA_ABI::mcp_detail
