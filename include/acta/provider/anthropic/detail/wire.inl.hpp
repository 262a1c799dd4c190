// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/detail/wire.hpp"

namespace acta::inline ACTA_ABI {

namespace anthropic_detail {

using provider_detail::add_extra;
using provider_detail::own_extra;
using provider_detail::put_text;
using provider_detail::write_member;
using provider_detail::write_members;
using provider_detail::write_text;

inline constexpr std::string_view provider = "anthropic";
/// The API refuses messages without any block.
inline constexpr std::string_view no_text = "(no text)";
/// The user's first message if there is none: the API requires one.
inline constexpr std::string_view opening = "Continue with your task.";

[[nodiscard]] ACTA_INLINE JsonObject block_of(std::string_view type) {
    JsonObject out;
    base::put(out, "type", base::text_json(type));
    return out;
}
[[nodiscard]] ACTA_INLINE JsonObject text_block(std::string_view text) {
    JsonObject out = block_of("text");
    put_text(out, "text", text);
    return out;
}

[[nodiscard]] ACTA_INLINE bool is_address(std::string_view url) noexcept {
    return url.starts_with("https://") || url.starts_with("http://");
}

/// Returns a media type as the API knows it: without parameters, in lower case, and under its registered name.
[[nodiscard]] ACTA_INLINE std::string media_type_of(const ContentPart& part) {
    std::string out(ascii::trim(std::string_view(part.media_type).substr(0, part.media_type.find(';'))));
    for (char& c : out) c = ascii::to_lower(c);
    return out == "image/jpg" || out == "image/pjpeg" ? "image/jpeg" : out;
}
[[nodiscard]] ACTA_INLINE bool is_image_type(std::string_view type) noexcept {
    return type == "image/jpeg" || type == "image/png" || type == "image/gif" || type == "image/webp";
}
[[nodiscard]] ACTA_INLINE bool is_text_type(std::string_view type) noexcept {
    constexpr std::string_view known[] = {"csv",         "ecmascript",   "graphql",  "javascript", "json",
                                          "jsonl",       "sql",          "toml",     "typescript", "x-csv",
                                          "x-httpd-php", "x-javascript", "x-ndjson", "x-python",   "x-sh",
                                          "x-tex",       "x-yaml",       "xml",      "yaml"};
    if (type.starts_with("text/")) return true;
    if (!type.starts_with("application/")) return false;
    type.remove_prefix(type.find('/') + 1);
    return type.ends_with("+json") || type.ends_with("+xml") || std::ranges::find(known, type) != std::end(known);
}

/// Returns the bytes of base64; nothing if it is not base64.
[[nodiscard]] ACTA_INLINE std::optional<std::string> decoded(std::string_view base64) {
    std::string out;
    unsigned bits = 0;
    unsigned value = 0;
    while (base64.ends_with('=')) base64.remove_suffix(1);
    for (const char c : base64) {
        if (ascii::is_space(c)) continue;
        const bool is_upper = c >= 'A' && c <= 'Z';
        const bool is_lower = c >= 'a' && c <= 'z';
        const bool is_digit = c >= '0' && c <= '9';
        if (!is_upper && !is_lower && !is_digit && std::string_view("+/-_").find(c) == std::string_view::npos)
            return std::nullopt;
        const int digit = is_upper   ? c - 'A'
                          : is_lower ? c - 'a' + 26
                          : is_digit ? c - '0' + 52
                                     : (c == '+' || c == '-' ? 62 : 63);
        value = ((value << 6U) | static_cast<unsigned>(digit)) & 0xFFFFU;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        out += static_cast<char>((value >> bits) & 0xFFU);
    }
    if (bits == 6) return std::nullopt;  // a single character
    return out;
}

/// Returns an image or a document without further members.
[[nodiscard]] ACTA_INLINE JsonObject media_block(bool is_image, JsonObject source) {
    JsonObject out = block_of(is_image ? "image" : "document");
    base::put(out, "source", Json(std::move(source)));
    return out;
}
[[nodiscard]] ACTA_INLINE JsonObject text_source(std::string_view text) {
    JsonObject out = block_of("text");
    put_text(out, "media_type", "text/plain");
    put_text(out, "data", text);
    return out;
}

/// Returns an image or a file as a block; nothing if the API does not take it. Its media type, if it has one, says
/// which of the two it is.
[[nodiscard]] ACTA_INLINE std::optional<JsonObject> media_block(const ContentPart& part) {
    const std::string type = media_type_of(part);
    const bool is_image = is_image_type(type);
    if (!part.data.empty() && !type.empty()) {
        if (is_image || type == "application/pdf") {
            JsonObject source = block_of("base64");
            put_text(source, "media_type", type);
            put_text(source, "data", part.data);
            return media_block(is_image, std::move(source));
        }
        if (!is_text_type(type)) return std::nullopt;
        const std::optional<std::string> text = decoded(part.data);
        if (!text || !utf8::is_valid(*text) || unicode::is_blank(*text)) return std::nullopt;
        return media_block(false, text_source(*text));
    }
    if (part.type == "file" && !part.text.empty()) {
        if (unicode::is_blank(part.text)) return std::nullopt;
        return media_block(false, text_source(part.text));
    }
    const bool is_taken = type.empty() || is_image || type == "application/pdf";
    if (!is_address(part.url) || !is_taken) return std::nullopt;
    JsonObject source = block_of("url");
    put_text(source, "url", part.url);
    return media_block(type.empty() ? part.type == "image" : is_image, std::move(source));
}

/// Returns the text of a part that the API does not take.
[[nodiscard]] ACTA_INLINE std::string text_of_refused(const ContentPart& part) {
    const std::string text = to_string(part);
    if (part.media_type.empty() || (part.data.empty() && !is_address(part.url))) return text;
    return text + (part.name.empty() ? "" : " '" + part.name + "'") + ": content of this type cannot be shown here";
}

/// Returns a part as a block; nothing for blank text, which the API refuses. `texts_only` in messages of the system and
/// the assistant, where the API takes images only in the blocks that it wrote itself.
[[nodiscard]] ACTA_INLINE std::optional<JsonObject> block_of(const ContentPart& part, bool texts_only = false) {
    const Json::object_t* const own = own_extra(part.extra, provider);
    const bool is_media = part.type == "image" || part.type == "file";
    JsonObject out;
    if (is_media && !(texts_only && own == nullptr)) {
        std::optional<JsonObject> media = media_block(part);
        out = media ? *std::move(media) : block_of(part.type == "image" ? "image" : "document");
        if (!part.name.empty() && base::is_text(*base::find_key(out, "type"), "document"))
            put_text(out, "title", part.name);
        add_extra(out, own);
        if (base::find_key(out, "source") != nullptr) return out;
    } else if (part.type != "text" && own != nullptr) {
        out = block_of(part.type);
        add_extra(out, own);
        return out;
    }
    const std::string text = is_media && !texts_only ? text_of_refused(part) : to_string(part);
    if (unicode::is_blank(text)) return std::nullopt;
    out = text_block(text);
    if (part.type == "text") add_extra(out, own);
    return out;
}

[[nodiscard]] ACTA_INLINE bool has_mark(const Json::object_t* members) noexcept {
    return members != nullptr && base::find_key(*members, "cache_control") != nullptr;
}

/// A block of a message, which refers to the messages being sent where it can.
struct Block {
    std::optional<std::string_view> text{};
    const AssistantToolCall* call = nullptr;
    const Json::object_t* more = nullptr;  // further members of a call
    const ChatMessage* result = nullptr;
    JsonObject json{};  // any other block
    bool marked = false;

    [[nodiscard]] bool has_own_mark() const noexcept {
        return has_mark(call != nullptr     ? more
                        : result != nullptr ? own_extra(result->extra, provider)
                                            : static_cast<const Json::object_t*>(&json));
    }
    /// Returns how many marks it has, with those of the blocks in it.
    [[nodiscard]] std::size_t marks() const {
        std::size_t out = has_own_mark() ? 1 : 0;
        if (result != nullptr) {
            for (const ContentPart& part : result->parts) out += has_mark(own_extra(part.extra, provider)) ? 1U : 0U;
        } else if (const Json* const inner = base::find_key(json, "content"); inner != nullptr && inner->is_array()) {
            for (const Json& one : *inner) out += one.is_object() && has_mark(&base::object_of(one)) ? 1U : 0U;
        }
        return out;
    }
    [[nodiscard]] bool is_thinking() const {
        const Json* const type = base::find_key(json, "type");
        return type != nullptr && (base::is_text(*type, "thinking") || base::is_text(*type, "redacted_thinking"));
    }
};

/// A message of a request, with what is written as one: roles alternate.
struct SentMessage {
    bool is_user = false;
    std::vector<Block> blocks{};
    bool is_text = false;   // one block, a plain text, which may be written as text
    std::size_t first = 0;  // of the messages that it is made of

    /// Returns how many marks it has.
    [[nodiscard]] std::size_t marks() const {
        std::size_t out = 0;
        for (const Block& block : blocks) out += block.marks();
        return out;
    }
};

/// Collects the messages of a request. They must outlive it.
class Collector {
public:
    std::string system_text{};
    JsonArray system{};
    std::vector<SentMessage> messages{};
    std::size_t first_user = 0;  // after the last message of the system

    void add(const ChatMessage& message) {
        is_asked_ = true;
        ++count_;
        if (message.role == ChatRole::system) first_user = count_;
        switch (message.role) {
            case ChatRole::system: return add_system(message);
            case ChatRole::user: return add_user(message);
            case ChatRole::assistant: return add_assistant(message);
            case ChatRole::tool: return add_block(true, {.result = &message});
        }
    }

    /// Ends the messages, of which the API wants one. The model continues an answer that is the last of them: the API
    /// refuses one that ends with white space.
    void finish() {
        if (messages.empty() && is_asked_) add_block(true, {.text = opening}, true);
        if (messages.empty() || messages.back().is_user) return;
        if (!drop_last_thinking()) {
            messages.pop_back();
            return;
        }
        Block& last = messages.back().blocks.back();
        if (last.text) last.text = without_end_space(*last.text);
        const auto text = last.json.find("text");
        const auto type = last.json.find("type");
        if (type != last.json.end() && base::is_text(type->second, "text") && text != last.json.end() &&
            text->second.is_string())
            text->second = base::text_json(without_end_space(base::text_of(text->second)));
    }

private:
    /// Drops thinking at the end of an answer, where the API refuses it: the answer broke off. Returns whether anything
    /// is left.
    bool drop_last_thinking() {
        std::vector<Block>& blocks = messages.back().blocks;
        while (!blocks.empty() && blocks.back().is_thinking()) blocks.pop_back();
        return !blocks.empty();
    }
    [[nodiscard]] static std::string_view without_end_space(std::string_view text) noexcept {
        const std::string_view words = unicode::trim(text);
        return text.substr(0, static_cast<std::size_t>(words.data() + words.size() - text.data()));
    }

    void add_block(bool is_user, Block block, bool is_text = false) {
        if (messages.empty() && !is_user) add_block(true, {.text = opening}, true);
        if (is_user && !messages.empty() && !messages.back().is_user && !drop_last_thinking())
            messages.back() = {false, {{.text = no_text}}, true, messages.back().first};
        if (messages.empty() || messages.back().is_user != is_user)
            messages.push_back({is_user, {}, is_text, count_ - 1});
        messages.back().blocks.push_back(std::move(block));
    }

    void add_system(const ChatMessage& message) {
        if (message.parts.empty() && unicode::is_blank(message.content)) return;
        if (message.parts.empty() && system.empty()) {
            if (!system_text.empty()) system_text += "\n\n";
            system_text += message.content;
            return;
        }
        if (!system_text.empty()) system.emplace_back(text_block(std::exchange(system_text, {})));
        if (message.parts.empty()) system.emplace_back(text_block(message.content));
        for (const ContentPart& part : message.parts) {
            if (std::optional<JsonObject> block = block_of(part, true)) system.emplace_back(*std::move(block));
        }
    }

    void add_user(const ChatMessage& message) {
        if (message.parts.empty() && !unicode::is_blank(message.content))
            add_block(true, {.text = message.content}, true);
        for (const ContentPart& part : message.parts) {
            if (std::optional<JsonObject> block = block_of(part)) add_block(true, {.json = *std::move(block)});
        }
    }

    void add_assistant(const ChatMessage& message) {
        const std::size_t before = messages.empty() ? 0 : messages.back().blocks.size();
        const std::size_t count = messages.size();
        std::size_t next = 0;
        const Json::object_t* const own = own_extra(message.extra, provider);
        const Json* const kept = own == nullptr ? nullptr : base::find_key(*own, "content");
        if (kept != nullptr && kept->is_array())
            add_kept(base::array_of(*kept), message, next);
        else
            add_words(message);
        for (; next < message.tool_calls.size(); ++next) add_block(false, {.call = &message.tool_calls[next]});
        const bool added = messages.size() != count || (count != 0 && messages.back().blocks.size() != before);
        if (!added) add_block(false, {.text = no_text}, true);
    }

    void add_words(const ChatMessage& message) {
        if (message.parts.empty() && !unicode::is_blank(message.content))
            add_block(false, {.text = message.content}, true);
        for (const ContentPart& part : message.parts) {
            if (std::optional<JsonObject> block = block_of(part, true)) add_block(false, {.json = *std::move(block)});
        }
    }

    /// Adds the blocks as the API returned them. A call has only its place, and a text equal to the message's is empty.
    void add_kept(const JsonArray& kept, const ChatMessage& message, std::size_t& next) {
        for (const Json& one : kept) {
            if (!one.is_object()) continue;
            const Json::object_t& members = base::object_of(one);
            const Json* const type = base::find_key(members, "type");
            if (type != nullptr && base::is_text(*type, "tool_use")) {
                if (next == message.tool_calls.size()) continue;
                add_block(false, {.call = &message.tool_calls[next++], .more = &members});
            } else if (type != nullptr && base::is_text(*type, "text") && base::find_key(members, "text") == nullptr) {
                if (!unicode::is_blank(message.content)) add_block(false, {.text = message.content});
            } else if (has_own_text(members)) {
                Block block{.json = JsonObject(members)};
                drop_blank_texts(block.json);
                add_block(false, std::move(block));
            }
        }
    }
    /// Drops blank texts in the content of a block, such as the result of a tool that a server ran.
    static void drop_blank_texts(JsonObject& block) {
        const auto content = block.find("content");
        if (content == block.end() || !content->second.is_array()) return;
        std::erase_if(content->second.get_ref<JsonArray&>(), [](const Json& one) {
            const Json* const type = base::find_key(one, "type");
            const Json* const text = base::find_key(one, "text");
            return type != nullptr && base::is_text(*type, "text") && text != nullptr && text->is_string() &&
                   unicode::is_blank(base::text_of(*text));
        });
    }
    /// Returns whether a block that consists of a text has one: if it is null or a number, which is read as an empty
    /// text, the API refuses it, as it does blank ones. Thinking may be empty, beside its signature.
    [[nodiscard]] static bool has_own_text(const Json::object_t& block) {
        const Json* const type = base::find_key(block, "type");
        for (const auto& [name, key] :
             {std::pair("text", "text"), std::pair("thinking", "thinking"), std::pair("redacted_thinking", "data")}) {
            const Json* const text = base::find_key(block, key);
            if (type == nullptr || !base::is_text(*type, name)) continue;
            if (text == nullptr || !text->is_string()) return false;
            return key != std::string_view("text") || !unicode::is_blank(base::text_of(*text));
        }
        return true;
    }

    bool is_asked_ = false;
    std::size_t count_ = 0;  // of the messages so far
};

/// Writes collected messages.
class Writer {
public:
    explicit Writer(const ToolNames* names) : names_(names) {}

    [[nodiscard]] const provider_detail::WireIds& ids() const noexcept { return ids_; }

    /// Writes these as elements of an array.
    void write(codec::Encoder& e, std::span<const SentMessage> messages) {
        e_ = &e;
        for (const SentMessage& message : messages) {
            const codec::Encoder::Step element(e, count_++);
            write(message);
        }
    }
    /// Writes the last message, which the next request may have with more in it.
    void write_last(codec::Encoder& e, const SentMessage& message) {
        write(e, {&message, 1});
        --count_;
    }

private:
    void write(const SentMessage& message) {
        if (!message.is_user) ids_.begin_answer();
        e_->out.begin_object();
        write_text(*e_, "role", message.is_user ? "user" : "assistant");
        const Block& first = message.blocks.front();
        if (message.is_text && message.blocks.size() == 1 && !first.marked) {
            write_text(*e_, "content", first.text.value_or(""));
        } else {
            const codec::Encoder::Step step(*e_, "content");
            e_->out.field("content");
            e_->out.begin_array();
            std::size_t i = 0;
            for (const Block& block : message.blocks) {
                const codec::Encoder::Step element(*e_, i++);
                write(block);
            }
            e_->out.end_array();
        }
        e_->out.end_object();
    }

    void write(const Block& block) {
        e_->out.begin_object();
        if (block.text) {
            write_text(*e_, "type", "text");
            write_text(*e_, "text", *block.text);
        } else if (block.call != nullptr) {
            write_call(*block.call, block.more);
        } else if (block.result != nullptr) {
            write_result(*block.result);
        } else {
            write_members(*e_, &block.json);
        }
        if (block.marked && !block.has_own_mark()) {
            const codec::Encoder::Step step(*e_, "cache_control");
            e_->out.field("cache_control");
            e_->out.begin_object();
            write_text(*e_, "type", "ephemeral");
            e_->out.end_object();
        }
        e_->out.end_object();
    }

    void write_call(const AssistantToolCall& call, const Json::object_t* more) {
        write_text(*e_, "type", "tool_use");
        write_text(*e_, "id", ids_.of_call(call.id));
        write_text(*e_, "name", names_.of(call.function.name));
        const codec::Encoder::Step step(*e_, "input");
        e_->out.field("input");
        provider_detail::write_object(*e_, call.function.arguments);
        write_members(*e_, more, {"type", "id", "name", "input"});
    }

    void write_result(const ChatMessage& message) {
        write_text(*e_, "type", "tool_result");
        write_text(*e_, "tool_use_id", ids_.of_result(message.tool_call_id));
        JsonArray content;
        for (const ContentPart& part : message.parts) {
            if (std::optional<JsonObject> one = block_of(part)) content.emplace_back(*std::move(one));
        }
        const Json::object_t* const own = own_extra(message.extra, provider);
        // The API wants to know what failed.
        const bool says_nothing = message.is_error && unicode::is_blank(message.content) &&
                                  (own == nullptr || base::find_key(*own, "content") == nullptr);
        const bool has_content = !content.empty() || !message.content.empty() || says_nothing;
        if (!content.empty())
            write_member(*e_, "content", Json(std::move(content)));
        else if (has_content)
            write_text(*e_, "content", says_nothing ? no_text : message.content);
        if (message.is_error) {
            e_->out.field("is_error");
            e_->out.boolean(true);
        }
        if (own == nullptr) return;
        for (const auto& [key, value] : *own) {
            const bool is_written = key == "type" || key == "tool_use_id" || (key == "content" && has_content) ||
                                    (key == "is_error" && message.is_error);
            if (!is_written) write_member(*e_, key, value);
        }
    }

    codec::Encoder* e_ = nullptr;
    provider_detail::WireNames names_;
    provider_detail::WireIds ids_{128, provider_detail::IdForm::word};
    std::size_t count_ = 0;  // of the messages
};

/// Returns the instructions as they are sent; null if there are none.
[[nodiscard]] ACTA_INLINE Json system_of(Collector& collected) {
    if (!collected.system_text.empty()) return base::text_json(collected.system_text);
    return collected.system.empty() ? Json() : Json(std::move(collected.system));
}

}  // namespace anthropic_detail

ACTA_INLINE JsonObject anthropic::to_wire(std::span<const ChatMessage> messages) {
    const provider_detail::OneResultEach one_each(messages);
    anthropic_detail::Collector collected;
    for (const ChatMessage& message : one_each.messages()) collected.add(message);
    collected.finish();
    JsonObject out;
    Json system = anthropic_detail::system_of(collected);
    if (!system.is_null()) base::put(out, "system", std::move(system));
    base::put(out, "messages", to_json_value(provider_detail::Written{[&](codec::Encoder& e) {
                  e.out.begin_array();
                  anthropic_detail::Writer(nullptr).write(e, collected.messages);
                  e.out.end_array();
              }}));
    return out;
}

namespace anthropic_detail {

using provider_detail::Place;

/// Reads messages and collects their issues.
class Reader : private provider_detail::WireReader {
public:
    std::vector<ChatMessage> messages{};

    void read_request(const Json& request) {
        const Place root;
        if (request.is_array()) return read_list(request, root);
        if (!request.is_object()) return refuse(root, "model_type", "Input should be an object", request);
        const Json::object_t& members = base::object_of(request);
        if (base::find_key(members, "role") != nullptr) return read_message(request, root);
        if (const Json* const system = base::find_key(members, "system"); system != nullptr && !system->is_null())
            read_said(ChatRole::system, *system, {&root, "system"});
        const Json* const list = base::find_key(members, "messages");
        if (list == nullptr) return refuse({&root, "messages"}, "missing", "Field required", request);
        read_list(*list, {&root, "messages"});
    }

    void throw_if_any() { WireReader::throw_if_any("AnthropicMessages"); }

private:
    void read_list(const Json& list, const Place& place) {
        if (!list.is_array()) return refuse(place, "list_type", "Input should be a valid array", list);
        std::size_t i = 0;
        for (const Json& message : list) read_message(message, {&place, i++});
    }

    void read_message(const Json& message, const Place& place) {
        if (!message.is_object()) return refuse(place, "model_type", "Input should be an object", message);
        const Json::object_t& members = base::object_of(message);
        const Json* const role = base::find_key(members, "role");
        const Json* const content = base::find_key(members, "content");
        if (content == nullptr) refuse({&place, "content"}, "missing", "Field required", message);
        if (role == nullptr) return refuse({&place, "role"}, "missing", "Field required", message);
        const bool is_user = base::is_text(*role, "user");
        if (!is_user && !base::is_text(*role, "assistant"))
            return refuse({&place, "role"}, "enum", "Input should be 'user' or 'assistant'", *role);
        if (content == nullptr) return;
        if (is_user)
            read_said(ChatRole::user, *content, {&place, "content"});
        else
            read_answer(*content, {&place, "content"});
    }

    /// Reads a message of the system or the user: its blocks are parts, except the results of calls.
    void read_said(ChatRole role, const Json& content, const Place& place) {
        ChatMessage said;
        said.role = role;
        if (content.is_string()) {
            said.content = base::text_of(content);
            messages.push_back(std::move(said));
            return;
        }
        if (!content.is_array()) return refuse(place, "list_type", "Input should be a valid string or array", content);
        bool has_results = false;
        std::size_t i = 0;
        for (const Json& block : content) {
            const Place at{&place, i++};
            const std::string_view type = type_of(block, at);
            if (role == ChatRole::user && type == "tool_result") {
                has_results = true;
                read_result(JsonObject(base::object_of(block)), at);
            } else if (!type.empty()) {
                said.parts.push_back(read_content_part(JsonObject(base::object_of(block)), provider));
            }
        }
        if (said.parts.empty() && has_results) return;
        said.content = parts_text(said.parts);
        // Beside results, a text is a message as if it were alone.
        const bool is_text =
            said.parts.size() == 1 && said.parts.front().type == "text" && said.parts.front().extra.empty();
        if (has_results && is_text) said.parts.clear();
        messages.push_back(std::move(said));
    }

    void read_result(JsonObject block, const Place& place) {
        ChatMessage result;
        result.role = ChatRole::tool;
        block.erase("type");
        result.tool_call_id = take_text(block, "tool_use_id", place);
        if (const auto error = block.find("is_error"); error != block.end() && error->second.is_boolean()) {
            result.is_error = base::boolean_of(error->second);
            block.erase(error);
        }
        if (const auto content = block.find("content"); content != block.end()) {
            read_result_content(content->second, {&place, "content"}, result);
            block.erase(content);
        }
        if (!block.empty()) base::put(result.extra, provider, Json(std::move(block)));
        messages.push_back(std::move(result));
    }

    void read_result_content(const Json& content, const Place& place, ChatMessage& result) {
        if (content.is_null()) return;
        if (content.is_string()) {
            result.content = base::text_of(content);
            return;
        }
        if (!content.is_array()) return refuse(place, "list_type", "Input should be a valid string or array", content);
        std::size_t i = 0;
        for (const Json& block : content) {
            const std::string_view type = type_of(block, {&place, i++});
            if (!type.empty()) result.parts.push_back(read_content_part(JsonObject(base::object_of(block)), provider));
        }
        result.content = parts_text(result.parts);
    }

    void read_answer(const Json& content, const Place& place) {
        ChatMessage answer;
        answer.role = ChatRole::assistant;
        if (content.is_string()) {
            answer.content = base::text_of(content);
        } else if (!content.is_array()) {
            return refuse(place, "list_type", "Input should be a valid string or array", content);
        } else {
            read_blocks(content, place, answer);
        }
        if (answer.content == no_text && answer.tool_calls.empty() && answer.extra.empty()) answer.content.clear();
        messages.push_back(std::move(answer));
    }

    /// Calls become calls, texts the content. The blocks are kept unless they are just one text followed by calls.
    void read_blocks(const Json& content, const Place& place, ChatMessage& answer) {
        JsonArray kept;
        std::vector<ContentPart> texts;
        std::size_t plain_texts = 0;
        bool is_plain = true;
        std::size_t i = 0;
        for (const Json& block : content) {
            const Place at{&place, i++};
            const std::string_view type = type_of(block, at);
            if (type.empty()) continue;
            if (type == "tool_use") {
                JsonObject rest = read_call(JsonObject(base::object_of(block)), at, answer);
                is_plain = is_plain && rest.size() == 1;
                kept.emplace_back(std::move(rest));
                continue;
            }
            ContentPart part = read_content_part(JsonObject(base::object_of(block)), provider);
            const bool is_text = part.type == "text" && part.extra.empty();
            is_plain = is_plain && is_text && plain_texts == 0 && answer.tool_calls.empty();
            if (is_text) ++plain_texts;
            kept.push_back(block);
            // Adjacent texts are joined; a block between them begins a new line.
            if (part.type == "text")
                texts.push_back(std::move(part));
            else if (!texts.empty() && texts.back().type == "text")
                texts.push_back({.type = "break"});
        }
        answer.content = text_of(texts);
        if (is_plain) return;
        if (plain_texts == 1) mark_text(kept, answer.content);
        JsonObject own;
        base::put(own, "content", Json(std::move(kept)));
        base::put(answer.extra, provider, Json(std::move(own)));
    }

    [[nodiscard]] static std::string text_of(const std::vector<ContentPart>& texts) {
        std::string out;
        bool broken = false;
        for (const ContentPart& part : texts) {
            if (part.type == "break") {
                broken = true;
                continue;
            }
            if (broken && !out.empty() && !part.text.empty()) out += '\n';
            broken = false;
            out += part.text;
        }
        return out;
    }

    /// Avoids keeping the text that is the content twice.
    static void mark_text(JsonArray& kept, std::string_view content) {
        for (Json& block : kept) {
            auto& members = block.get_ref<Json::object_t&>();
            const Json* const text = base::find_key(members, "text");
            if (members.size() == 2 && text != nullptr && base::is_text(*text, content)) members.erase("text");
        }
    }

    /// Adds a call; returns the other members of the block, with its type.
    [[nodiscard]] JsonObject read_call(JsonObject block, const Place& place, ChatMessage& answer) {
        AssistantToolCall call;
        call.id = take_text(block, "id", place);
        call.function.name = take_text(block, "name", place);
        if (const auto input = block.find("input"); input == block.end()) {
            refuse({&place, "input"}, "missing", "Field required", Json(block));
        } else {
            read_arguments(input->second, {&place, "input"}, call);
            block.erase(input);
        }
        answer.tool_calls.push_back(std::move(call));
        return block;
    }
};

}  // namespace anthropic_detail

ACTA_INLINE std::vector<ChatMessage> anthropic::from_wire(const Json& request) {
    anthropic_detail::Reader reader;
    reader.read_request(request);
    reader.throw_if_any();
    provider_detail::make_recordable(reader.messages);
    return std::move(reader.messages);
}

}  // namespace acta::inline ACTA_ABI
