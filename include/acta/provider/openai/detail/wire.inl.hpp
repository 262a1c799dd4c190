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

#include "acta/chat/extension.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/detail/api.hpp"
#include "acta/provider/detail/messages_writer.hpp"
#include "acta/provider/detail/wire.hpp"
#include "acta/provider/openai/detail/sender.hpp"
#include "acta/provider/openai/server_traits.hpp"
#include "acta/provider/openai/wire.hpp"

namespace acta::inline ACTA_ABI {

namespace openai_detail {

inline constexpr std::string_view provider = "openai";

[[nodiscard]] ACTA_INLINE JsonObject only_own(const JsonObject& extra) {
    JsonObject out;
    if (const Json* const own = base::find_key(extra, provider)) base::put(out, provider, *own);
    return out;
}

/// Returns whether the API has a form for the part.
[[nodiscard]] ACTA_INLINE bool takes(const ContentPart& part) {
    const Json::object_t* const own = provider_detail::own_extra(part.extra, provider);
    const auto has = [own](std::string_view key) {
        const Json* const found = own == nullptr ? nullptr : base::find_key(*own, key);
        return found != nullptr && found->is_object();
    };
    const bool has_data = !part.data.empty() && !part.media_type.empty();
    if (part.type == "text" || part.type == "refusal") return true;
    if (part.type == "image")
        return has_data || has("image_url") || part.url.starts_with("https://") || part.url.starts_with("http://") ||
               part.url.starts_with("data:");
    if (part.type == "audio") return (has_data && part.media_type.starts_with("audio/")) || has("input_audio");
    if (part.type == "file") return has_data || has("file");
    return own != nullptr;
}

/// Returns a part in the form of the API; as text where the API takes nothing else (`texts_only`).
[[nodiscard]] ACTA_INLINE ContentPart sent_part(const ContentPart& part, bool texts_only) {
    const bool is_foreign =
        texts_only && provider_detail::is_media(part) && provider_detail::own_extra(part.extra, provider) == nullptr;
    if (is_foreign || !takes(part)) return {.text = to_string(part)};
    ContentPart out = part;
    out.extra = only_own(part.extra);
    // A value that replaced the text is kept in acta's JSON only: the API refuses it.
    const auto own = out.extra.find(std::string(provider));
    if (part.type == "text" && own != out.extra.end() && own->second.is_object()) own->second.erase("text");
    if (part.type == "refusal" && own != out.extra.end() && own->second.is_object()) own->second.erase("refusal");
    if (part.type == "text" || part.type == "refusal" || part.data.empty()) return out;
    // Clears members without a place in the form, so that the part is written in it.
    out.text.clear();
    out.url.clear();
    if (part.type != "file") out.name.clear();
    return out;
}

/// The API refuses longer ids of calls: "Expected a string with maximum length 40".
inline constexpr std::size_t longest_id = 40;

/// Writes messages without members unknown to the API.
class SentMessages final : public chat_extension::MessageHooks {
public:
    /// `names` may be null if all names are legal.
    SentMessages(const openai::ServerTraits& traits, const ToolNames* names)
        : takes_other_members_(traits.takes_other_members),
          names_(names),
          ids_(longest_id, traits.has_short_ids ? provider_detail::IdForm::nine : provider_detail::IdForm::text) {}

    /// Begins a message of the conversation.
    void begin(const ChatMessage& message, bool sends_reasoning) {
        sends_reasoning_ = sends_reasoning;
        result_ = nullptr;
        if (message.role == ChatRole::assistant) ids_.begin_answer();
        if (message.role == ChatRole::tool) result_ = &ids_.of_result(message.tool_call_id);
    }
    /// Returns the id of the call that the message, a result, belongs to.
    [[nodiscard]] const std::string& result_id() const noexcept { return *result_; }

    std::string_view id(const std::string& id) override { return result_ != nullptr ? *result_ : ids_.of_call(id); }
    std::string_view name(const std::string& name) override { return names_.of(name); }
    bool sends_reasoning(const ChatMessage& /*message*/) override { return sends_reasoning_; }
    void part(codec::Encoder& e, const ContentPart& part, const ChatMessage& message) override {
        const bool texts_only = message.role == ChatRole::assistant || message.role == ChatRole::system;
        // Only the model refuses.
        if (part.type == "refusal" && message.role != ChatRole::assistant)
            return codec::encode_value(e, ContentPart{.text = part.text});
        if (takes_other_members_ || part.extra.empty()) return codec::encode_value(e, sent_part(part, texts_only));
        ContentPart plain = part;
        plain.extra = {};
        codec::encode_value(e, sent_part(plain, texts_only));
    }

private:
    bool takes_other_members_;
    bool sends_reasoning_ = false;
    const std::string* result_ = nullptr;
    provider_detail::WireNames names_;
    provider_detail::WireIds ids_;
};

/// The parts of results that the API refuses in a message of a tool: they follow in a message of the user.
class Attachments {
public:
    /// Takes them from a result, in which a line of text says where they are.
    [[nodiscard]] ChatMessage take_from(const ChatMessage& result, std::string_view wire_id) {
        ChatMessage out = result;
        const auto is_attachment = [](const ContentPart& part) {
            return part.type != "text" && part.type != "refusal" && takes(part);
        };
        if (std::ranges::none_of(result.parts, is_attachment)) return out;
        out.parts = provider_detail::result_parts(result);
        out.is_error = false;
        parts_.push_back({.text = std::string(introduction).append(wire_id)});
        for (ContentPart& part : out.parts) {
            if (!is_attachment(part)) continue;
            std::string line = line_for(part);
            parts_.push_back(std::exchange(part, {.text = std::move(line)}));
        }
        return out;
    }
    [[nodiscard]] bool empty() const noexcept { return parts_.empty(); }
    [[nodiscard]] ChatMessage message() {
        ChatMessage out;
        out.parts = std::exchange(parts_, {});
        return out;
    }

    /// Puts the parts of such messages back into the results.
    static void put_back(std::vector<ChatMessage>& messages) {
        std::vector<ChatMessage> out;
        for (ChatMessage& message : messages) {
            if (!put_back(message, out)) out.push_back(std::move(message));
        }
        messages = std::move(out);
    }

private:
    static constexpr std::string_view introduction = "From the result of the call ";

    [[nodiscard]] static std::string line_for(const ContentPart& part) {
        return "\n" + to_string(part) + ", in the next message of the user\n";
    }
    /// Returns whether a message consists of parts of the results before it, which then have them.
    [[nodiscard]] static bool put_back(const ChatMessage& message, std::vector<ChatMessage>& before) {
        if (message.role != ChatRole::user || message.parts.empty()) return false;
        std::size_t first = before.size();
        while (first != 0 && before[first - 1].role == ChatRole::tool) --first;
        std::vector<ChatMessage> results(before.begin() + static_cast<std::ptrdiff_t>(first), before.end());
        ChatMessage* result = nullptr;
        for (const ContentPart& part : message.parts) {
            if (part.type == "text") {
                const auto is_named = [&](const ChatMessage& one) {
                    return part.text == std::string(introduction) + one.tool_call_id;
                };
                const auto found = std::find_if(results.begin(), results.end(), is_named);
                if (found == results.end()) return false;
                result = &*found;
                continue;
            }
            if (result == nullptr) return false;
            const auto is_line = [line = line_for(part)](const ContentPart& one) { return one.text == line; };
            const auto line = std::find_if(result->parts.begin(), result->parts.end(), is_line);
            if (line == result->parts.end()) return false;
            *line = part;
        }
        for (ChatMessage& one : results) {
            if (!one.parts.empty()) one.content = parts_text(one.parts);
        }
        std::move(results.begin(), results.end(), before.begin() + static_cast<std::ptrdiff_t>(first));
        return true;
    }

    std::vector<ContentPart> parts_{};
};

/// Writes the messages of requests for a server.
class MessagesWriter final : public provider_detail::MessagesWriter {
public:
    /// With names of tools that the API accepts, unless `names` is null.
    MessagesWriter(const openai::ServerTraits& traits, const ToolNames* names)
        : traits_(traits), sent_(traits, names) {}

    void write(codec::Encoder& e, std::span<const ChatMessage> messages) override {
        e_ = &e;
        const provider_detail::OneResultEach one_each(messages);
        messages = one_each.messages();
        ReasoningSent sends_reasoning(traits_.send_reasoning, messages, has_calls_);
        for (std::size_t i = 0; i < messages.size(); ++i) {
            const ChatMessage& message = messages[i];
            const bool is_result = message.role == ChatRole::tool;
            if (!is_result && !attachments_.empty()) sender_.send(attachments_.message(), false, false);
            const bool reasoning = sends_reasoning(i);
            sent_.begin(message, reasoning);
            const bool is_last = i + 1 == messages.size();
            if (is_result && !message.parts.empty())
                sender_.send(attachments_.take_from(message, sent_.result_id()), reasoning, is_last);
            else
                sender_.send(message, reasoning, is_last);
            note_turn(message);
        }
    }
    [[nodiscard]] bool is_settled() const override {
        const bool may_need_reasoning =
            traits_.send_reasoning == openai::SendReasoning::turns_with_calls && has_answer_ && !has_calls_;
        return attachments_.empty() && sender_.is_settled() && !may_need_reasoning;
    }
    void end(codec::Encoder& e) override {
        e_ = &e;
        if (!attachments_.empty()) sender_.send(attachments_.message(), false, true);
        sender_.end();
    }

private:
    void note_turn(const ChatMessage& message) {
        if (message.role == ChatRole::user) has_answer_ = has_calls_ = false;
        has_answer_ = has_answer_ || message.role == ChatRole::assistant;
        has_calls_ = has_calls_ || !message.tool_calls.empty();
    }

    const openai::ServerTraits& traits_;
    SentMessages sent_;
    Attachments attachments_{};
    codec::Encoder* e_ = nullptr;
    std::size_t place_ = 0;
    Sender sender_{traits_, [this](const ChatMessage& message) {
                       const codec::Encoder::Step element(*e_, place_++);
                       chat_extension::write_message(*e_, message, sent_);
                   }};
    bool has_answer_ = false;  // the turn so far
    bool has_calls_ = false;
};

}  // namespace openai_detail

ACTA_INLINE JsonArray openai::to_wire(std::span<const ChatMessage> messages, SendReasoning reasoning) {
    const ServerTraits traits{.send_reasoning = reasoning};
    openai_detail::MessagesWriter writer(traits, nullptr);
    return provider_detail::json_of(writer, messages);
}

ACTA_INLINE std::vector<ChatMessage> openai::from_wire(const Json& messages) {
    auto out = validate<std::vector<ChatMessage>>(messages);
    openai_detail::Attachments::put_back(out);
    provider_detail::make_recordable(out);
    return out;
}

namespace openai_responses_detail {

using provider_detail::add_extra;
using provider_detail::own_extra;
using provider_detail::put_text;
using provider_detail::write_member;
using provider_detail::write_members;
using provider_detail::write_text;

inline constexpr std::string_view provider = "openai_responses";
/// The argument of a call of a custom tool, whose input is a text.
inline constexpr const char* custom_input = "input";

[[nodiscard]] ACTA_INLINE bool is_type(const Json::object_t& item, std::string_view type) {
    const Json* const found = base::find_key(item, "type");
    return found != nullptr && base::is_text(*found, type);
}

// Parts ------------------------------------------------------------------------------------------------------

[[nodiscard]] ACTA_INLINE std::string data_url(const ContentPart& part) {
    return "data:" + part.media_type + ";base64," + part.data;
}

/// Returns a part in the form of the API.
[[nodiscard]] ACTA_INLINE JsonObject sent_part(const ContentPart& part) {
    const Json::object_t* const own = own_extra(part.extra, provider);
    const auto has = [own](std::string_view key) { return own != nullptr && base::find_key(*own, key) != nullptr; };
    const bool has_data = !part.data.empty() && !part.media_type.empty();
    const bool has_address = part.url.starts_with("https://") || part.url.starts_with("http://");
    JsonObject out;
    if (part.type == "image" && (has_data || has_address || has("file_id"))) {
        put_text(out, "type", "input_image");
        if (has_data || has_address) put_text(out, "image_url", has_data ? data_url(part) : part.url);
    } else if (part.type == "file" && (has_data || has_address || has("file_id") || has("file_data"))) {
        put_text(out, "type", "input_file");
        if (!part.name.empty()) put_text(out, "filename", part.name);
        if (has_data)
            put_text(out, "file_data", data_url(part));
        else if (has_address)
            put_text(out, "file_url", part.url);
    } else if (part.type == "audio" && has_data) {
        ContentPart audio = part;
        audio.extra = {};
        out = Describe<ContentPart>::to_representation(audio);
    } else if (part.type != "text" && part.type != "image" && part.type != "file" && own != nullptr) {
        put_text(out, "type", part.type);
    } else {
        put_text(out, "type", "input_text");
        put_text(out, "text", to_string(part));
        if (part.type != "text") return out;
    }
    add_extra(out, own);
    return out;
}

[[nodiscard]] ACTA_INLINE Json sent_content(const ChatMessage& message) {
    if (message.parts.empty()) return base::text_json(message.content);
    JsonArray out;
    for (const ContentPart& part : provider_detail::result_parts(message)) out.emplace_back(sent_part(part));
    return out;
}

// Writing ----------------------------------------------------------------------------------------------------

/// The API refuses longer ids of calls: "Expected a string with maximum length 64".
inline constexpr std::size_t longest_id = 64;

/// Writes the items of requests.
class ItemsWriter final : public provider_detail::MessagesWriter {
public:
    /// `is_kept` if the server has the items of its answers.
    ItemsWriter(const ToolNames* names, bool is_kept) : names_(names), is_kept_(is_kept) {}

    void write(codec::Encoder& e, std::span<const ChatMessage> messages) override {
        e_ = &e;
        const provider_detail::OneResultEach one_each(messages);
        for (const ChatMessage& message : one_each.messages()) add(message);
    }
    [[nodiscard]] bool is_settled() const override { return reasoning_.empty(); }
    void end(codec::Encoder& /*e*/) override {}

private:
    void add(const ChatMessage& message) {
        if (message.role == ChatRole::assistant) return add_answer(message);
        reasoning_.clear();  // an answer broke off in it
        const Json::object_t* const own = own_extra(message.extra, provider);
        if (message.role == ChatRole::tool) return add_result(message, own);
        if (const Json* const whole = own == nullptr ? nullptr : base::find_key(*own, "item")) return add_json(*whole);
        item([&] {
            const bool is_developer = own != nullptr && base::find_key(*own, "role") != nullptr;
            write_text(*e_, "role", is_developer ? "developer" : to_string(message.role));
            if (message.parts.empty())
                write_text(*e_, "content", message.content);
            else
                write_member(*e_, "content", sent_content(message));
            write_members(*e_, own, {"role", "content"});
        });
    }

    /// Adds an item whose members a function writes.
    template <class Write>
    void item(const Write& write) {
        add_reasoning();
        const codec::Encoder::Step step(*e_, count_++);
        e_->out.begin_object();
        write();
        e_->out.end_object();
    }

    void add_json(const Json& item) {
        add_reasoning();
        write_json(item);
    }

    void write_json(const Json& item) {
        const codec::Encoder::Step step(*e_, count_++);
        e_->json(item);
    }

    /// Reasoning is added with the item that follows it: the API refuses it without.
    void add_reasoning() {
        for (const Json* const one : reasoning_) write_json(*one);
        reasoning_.clear();
    }
    /// A server that keeps nothing does not find reasoning that is not in the item itself.
    [[nodiscard]] bool can_be_read(const Json::object_t& reasoning) const {
        const Json* const content = base::find_key(reasoning, "encrypted_content");
        return is_kept_ || (content != nullptr && content->is_string() && !base::text_of(*content).empty());
    }

    void add_result(const ChatMessage& message, const Json::object_t* own) {
        item([&] {
            const bool is_custom = own != nullptr && is_type(*own, "custom_tool_call_output");
            write_text(*e_, "type", is_custom ? "custom_tool_call_output" : "function_call_output");
            write_text(*e_, "call_id", ids_.of_result(message.tool_call_id));
            if (message.parts.empty())
                write_text(*e_, "output", provider_detail::result_text(message));
            else
                write_member(*e_, "output", sent_content(message));
            write_members(*e_, own, {"type", "call_id", "output"});
        });
    }

    void add_call(const AssistantToolCall& call, const Json::object_t* kept) {
        item([&] {
            const bool is_custom = kept != nullptr && is_type(*kept, "custom_tool_call");
            write_text(*e_, "type", is_custom ? "custom_tool_call" : "function_call");
            write_text(*e_, "call_id", ids_.of_call(call.id));
            write_text(*e_, "name", names_.of(call.function.name));
            const auto input = call.function.arguments.find(custom_input);
            const std::string_view key = is_custom ? "input" : "arguments";
            if (is_custom && input != call.function.arguments.end() && input->second.is_string())
                write_member(*e_, key, input->second);
            else
                write_text(*e_, key, dump(call.function.arguments));
            write_members(*e_, kept, {"type", "call_id", "name", key});
        });
    }

    void add_answer(const ChatMessage& message) {
        ids_.begin_answer();
        std::size_t next = 0;
        const Json::object_t* const own = own_extra(message.extra, provider);
        const Json* const kept = own == nullptr ? nullptr : base::find_key(*own, "items");
        if (kept != nullptr && kept->is_array()) {
            add_kept(base::array_of(*kept), message, next);
        } else if (!message.content.empty()) {
            item([&] {
                write_text(*e_, "role", "assistant");
                write_text(*e_, "content", message.content);
            });
        }
        for (; next < message.tool_calls.size(); ++next) add_call(message.tool_calls[next], nullptr);
    }

    /// Adds the items as the API returned them. A call has only its place, and a text equal to the message's is empty.
    void add_kept(const JsonArray& kept, const ChatMessage& message, std::size_t& next) {
        for (const Json& one : kept) {
            if (!one.is_object()) continue;
            const Json::object_t& members = base::object_of(one);
            if (is_type(members, "function_call") || is_type(members, "custom_tool_call")) {
                if (next < message.tool_calls.size()) add_call(message.tool_calls[next++], &members);
                continue;
            }
            if (is_type(members, "reasoning")) {
                if (can_be_read(members)) reasoning_.push_back(&one);
                continue;
            }
            Json item = one;
            const auto content = item.find("content");
            if (content != item.end() && content->is_array()) {
                for (Json& part : *content) {
                    if (!part.is_object() || !is_type(base::object_of(part), "output_text")) continue;
                    if (!part.contains("text"))
                        part["text"] = message.content;
                    else if (!part["text"].is_string())  // read as an empty text
                        part["text"] = "";
                }
            } else if (content == item.end() && base::find_key(members, "role") != nullptr) {
                item["content"] = message.content;
            }
            add_json(item);
        }
    }

    codec::Encoder* e_ = nullptr;
    provider_detail::WireNames names_;
    provider_detail::WireIds ids_{longest_id, provider_detail::IdForm::text};
    bool is_kept_;
    std::vector<const Json*> reasoning_{};  // that nothing follows yet
    std::size_t count_ = 0;                 // of the items
};

}  // namespace openai_responses_detail

ACTA_INLINE JsonArray openai::responses::to_wire(std::span<const ChatMessage> messages) {
    openai_responses_detail::ItemsWriter writer(nullptr, true);
    return provider_detail::json_of(writer, messages);
}

namespace openai_responses_detail {

using provider_detail::Place;

/// Moves a text out of an object; empty if there is none.
[[nodiscard]] ACTA_INLINE std::string take(JsonObject& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->second.is_string()) return {};
    std::string out = std::move(found->second.get_ref<std::string&>());
    object.erase(found);
    return out;
}

/// Returns a member that is a text, or an empty text.
[[nodiscard]] ACTA_INLINE std::string string_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? base::text_of(*found) : std::string();
}

/// Returns a part with this address, or with the data in it.
[[nodiscard]] ACTA_INLINE ContentPart part_at(std::string url, std::string_view type) {
    JsonObject image;
    put_text(image, "type", "image_url");
    put_text(image, "image_url", url);
    ContentPart out = url.empty() ? ContentPart() : read_content_part(std::move(image), provider);
    out.type = type;
    return out;
}

/// Reads `input_text`, `input_image`, `input_file` and `input_audio`; other parts are kept unchanged.
[[nodiscard]] ACTA_INLINE ContentPart read_part(JsonObject part) {
    const std::string type = base::text_of(part.find("type")->second);
    ContentPart out;
    if (type == "input_text") {
        out.text = take(part, "text");
    } else if (type == "input_image") {
        out = part_at(take(part, "image_url"), "image");
    } else if (type == "input_file") {
        std::string data = take(part, "file_data");
        out = part_at(data, "file");
        if (!std::exchange(out.url, {}).empty()) put_text(part, "file_data", data);  // not distinguishable as data
        out.name = take(part, "filename");
        if (out.data.empty()) out.url = take(part, "file_url");
    } else {
        return read_content_part(std::move(part), provider);
    }
    part.erase("type");
    if (!part.empty()) base::put(out.extra, provider, Json(std::move(part)));
    return out;
}

class Reader : private provider_detail::WireReader {
public:
    std::vector<ChatMessage> messages{};

    void read_request(const Json& request) {
        const Place root;
        if (request.is_array()) return read_items(request, root);
        if (!request.is_object()) return refuse(root, "model_type", "Input should be an object", request);
        const Json::object_t& members = base::object_of(request);
        if (const Json* const told = base::find_key(members, "instructions"); told != nullptr && told->is_string())
            messages.push_back(ChatMessage::system(base::text_of(*told)));
        const char* const key = base::find_key(members, "output") != nullptr ? "output" : "input";
        const Json* const list = base::find_key(members, key);
        if (list == nullptr) return refuse({&root, key}, "missing", "Field required", request);
        if (list->is_string())
            messages.push_back(ChatMessage::user(base::text_of(*list)));
        else
            read_items(*list, {&root, key});
    }

    /// Reads the output of a response: one message, whatever it consists of.
    void read_answer(const Json& items) {
        one_answer_ = true;
        static_cast<void>(answer());
        read_items(items, {});
    }

    using WireReader::throw_if_any;

private:
    void read_items(const Json& list, const Place& place) {
        if (!list.is_array()) return refuse(place, "list_type", "Input should be a valid array", list);
        std::size_t i = 0;
        for (const Json& item : list) read_item(item, {&place, i++});
        end_answer();
    }

    void read_item(const Json& item, const Place& place) {
        if (!item.is_object()) return refuse(place, "dict_type", "Input should be an object", item);
        const Json::object_t& members = base::object_of(item);
        const Json* const role = provider_detail::member(item, "role");
        const bool has_type = provider_detail::member(item, "type") != nullptr;
        // What a model says in its answer is a message also without a role.
        const bool is_message =
            has_type ? is_type(members, "message") && (role != nullptr || one_answer_) : role != nullptr;
        const std::string_view type = is_message ? std::string_view("message") : type_of(item, place);
        if (type.empty()) return;
        if (is_message && (one_answer_ || base::is_text(*role, "assistant"))) return read_said(item, place);
        if (type == "function_call" || type == "custom_tool_call") return read_call(JsonObject(members), type, place);
        const bool is_input =
            is_message || type.ends_with("_output") || type.ends_with("_response") || type == "item_reference";
        if (!is_input || one_answer_) {  // reasoning, built-in tools and unknown items
            static_cast<void>(answer());
            kept_.push_back(item);
            is_plain_ = false;
            return;
        }
        end_answer();
        if (is_message)
            read_message(JsonObject(members), *role, place);
        else if (type == "function_call_output" || type == "custom_tool_call_output")
            read_output(JsonObject(members), type, place);
        else
            keep_item(item);
    }

    /// Returns the message of the model that is being read.
    ChatMessage& answer() {
        if (!answer_) answer_.emplace().role = ChatRole::assistant;
        return *answer_;
    }

    void end_answer() {
        if (!answer_) return;
        if (!is_plain_) {
            mark_text();
            JsonObject own;
            base::put(own, "items", Json(std::move(kept_)));
            base::put(answer_->extra, provider, Json(std::move(own)));
        }
        messages.push_back(*std::move(answer_));
        answer_.reset();
        kept_.clear();
        is_plain_ = true;
        texts_ = 0;
    }

    /// Avoids keeping the text that is the content twice.
    void mark_text() {
        if (texts_ != 1) return;
        for (Json& item : kept_) {
            const auto content = item.find("content");
            if (item.contains("role") && content != item.end() && base::is_text(*content, answer_->content)) {
                item.erase("content");
            } else if (content != item.end() && content->is_array()) {
                for (Json& part : *content) {
                    if (part.is_object() && is_type(base::object_of(part), "output_text") && part.contains("text") &&
                        base::is_text(part["text"], answer_->content))
                        part.erase("text");
                }
            }
        }
    }

    void read_said(const Json& item, const Place& place) {
        if (texts_ != 0 && answer().tool_calls.empty() && !one_answer_) end_answer();
        const auto content = item.find("content");
        if (content == item.end()) return refuse({&place, "content"}, "missing", "Field required", item);
        std::string text;
        if (content->is_string()) {
            text = base::text_of(*content);
            is_plain_ = is_plain_ && item.size() == 2 && answer().tool_calls.empty();
        } else if (!content->is_array()) {
            return refuse({&place, "content"}, "list_type", "Input should be a valid string or array", *content);
        } else {
            const Place inner{&place, "content"};
            std::vector<ContentPart> parts;
            std::size_t i = 0;
            for (const Json& part : *content) {
                const std::string_view type = type_of(part, {&inner, i++});
                if (type == "output_text")
                    parts.push_back({.text = string_of(part, "text")});
                else if (!type.empty())
                    parts.push_back(read_part(JsonObject(base::object_of(part))));
            }
            text = parts_text(parts);
            is_plain_ = false;
        }
        ++texts_;
        std::string& said = answer().content;
        said += (said.empty() || text.empty() ? "" : "\n") + text;
        kept_.push_back(item);
    }

    void read_call(JsonObject item, std::string_view type, const Place& place) {
        AssistantToolCall call;
        const bool is_custom = type == "custom_tool_call";
        call.id = take_text(item, "call_id", place);
        call.function.name = take_text(item, "name", place);
        const char* const key = is_custom ? "input" : "arguments";
        if (const auto found = item.find(key); found == item.end()) {
            refuse({&place, key}, "missing", "Field required", Json(item));
        } else if (is_custom) {
            base::put(call.function.arguments, custom_input, std::move(found->second));
            item.erase(key);
        } else {
            read_arguments(found->second, {&place, key}, call);
            item.erase(key);
        }
        is_plain_ = is_plain_ && item.size() == 1 && !is_custom;
        answer().tool_calls.push_back(std::move(call));
        kept_.emplace_back(std::move(item));
    }

    void read_parts(const Json& content, const Place& place, ChatMessage& message) {
        if (content.is_string()) {
            message.content = base::text_of(content);
            return;
        }
        if (!content.is_array()) return refuse(place, "list_type", "Input should be a valid string or array", content);
        std::size_t i = 0;
        for (const Json& part : content) {
            if (!type_of(part, {&place, i++}).empty())
                message.parts.push_back(read_part(JsonObject(base::object_of(part))));
        }
        message.content = parts_text(message.parts);
    }

    void keep_rest(JsonObject rest, ChatMessage& message) {
        if (!rest.empty()) base::put(message.extra, provider, Json(std::move(rest)));
        messages.push_back(std::move(message));
    }

    void read_message(JsonObject item, const Json& role, const Place& place) {
        ChatMessage message;
        const bool is_developer = base::is_text(role, "developer");
        if (!is_developer && !base::is_text(role, "system") && !base::is_text(role, "user"))
            return refuse({&place, "role"}, "enum", "Input should be 'user', 'assistant', 'system' or 'developer'",
                          role);
        message.role = base::is_text(role, "user") ? ChatRole::user : ChatRole::system;
        if (!is_developer) item.erase("role");
        const auto content = item.find("content");
        if (content == item.end()) return refuse({&place, "content"}, "missing", "Field required", Json(item));
        read_parts(content->second, {&place, "content"}, message);
        item.erase("content");
        keep_rest(std::move(item), message);
    }

    void read_output(JsonObject item, std::string_view type, const Place& place) {
        ChatMessage message;
        message.role = ChatRole::tool;
        message.tool_call_id = take_text(item, "call_id", place);
        const auto output = item.find("output");
        if (output == item.end()) return refuse({&place, "output"}, "missing", "Field required", Json(item));
        read_parts(output->second, {&place, "output"}, message);
        item.erase("output");
        if (type == "function_call_output") item.erase("type");
        keep_rest(std::move(item), message);
    }

    /// Keeps an item that is neither a message nor a call as a message of the user, with its JSON as text for people.
    void keep_item(const Json& item) {
        ChatMessage message;
        message.parts.push_back(read_content_part(JsonObject(base::object_of(item)), provider));
        message.content = parts_text(message.parts);
        JsonObject own;
        base::put(own, "item", item);
        base::put(message.extra, provider, Json(std::move(own)));
        messages.push_back(std::move(message));
    }

    bool one_answer_ = false;
    std::optional<ChatMessage> answer_{};
    JsonArray kept_{};       // the items of the answer
    bool is_plain_ = true;   // whether they are no more than a text and calls
    std::size_t texts_ = 0;  // messages among them
};

ACTA_INLINE ChatMessage read_answer(const Json& items) {
    Reader reader;
    reader.read_answer(items);
    reader.throw_if_any("ResponsesItems");
    return std::move(reader.messages.front());
}

}  // namespace openai_responses_detail

ACTA_INLINE std::vector<ChatMessage> openai::responses::from_wire(const Json& request) {
    openai_responses_detail::Reader reader;
    reader.read_request(request);
    reader.throw_if_any("ResponsesItems");
    provider_detail::make_recordable(reader.messages);
    return std::move(reader.messages);
}

}  // namespace acta::inline ACTA_ABI
