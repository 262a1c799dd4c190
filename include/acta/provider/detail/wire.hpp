// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/unused_names.hpp"
#include "acta/chat/extension.hpp"
#include "acta/chat/message.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/issue.hpp"
#include "acta/json/json.hpp"

namespace acta::inline ACTA_ABI::provider_detail {

/// What an API accepts as the id of a call.
enum class IdForm {
    text,  ///< Any text.
    word,  ///< Letters, digits, `_` and `-`.
    nine   ///< Nine letters and digits.
};

/// Ids of calls in a form that an API accepts, each used for one call of a list of messages: many servers begin at
/// `call_0` in each answer.
class WireIds {
public:
    /// Ids have at most `longest` bytes, which must be more than 22; `nine` does not depend on it.
    WireIds(std::size_t longest, IdForm form) : longest_(longest), form_(form), unused_(longest) {}

    /// Begins an answer of the model: results belong to the calls of the last one.
    void begin_answer() noexcept { ++answer_; }

    /// Returns the id of the next call: `id` itself if it is legal and no other call has it, else a similar one.
    /// Logarithmic in the number of ids.
    [[nodiscard]] const std::string& of_call(const std::string& id) {
        Known& known = known_[id];
        if (known.answer != answer_) {
            known.answer = answer_;
            known.next = known.is_called ? known.size() : 0;
        }
        if (known.is_called || known.first == nullptr) add(id, known);
        known.is_called = true;
        return known.at(known.size() - 1);
    }

    /// Returns the id of the call that the next result with this id belongs to. Several calls of an answer that have
    /// one id get their results in order.
    [[nodiscard]] const std::string& of_result(const std::string& id) {
        Known& known = known_[id];
        if (known.first == nullptr) add(id, known);
        return known.at(known.next + 1 < known.size() ? known.next++ : known.size() - 1);
    }

    /// Returns whether calls share an id. If not, asking for the ids of results changes nothing.
    [[nodiscard]] bool are_repeated() const noexcept { return are_repeated_; }

private:
    /// An id as the API gets it, for each call that has it; they are in `used_`.
    struct Known {
        const std::string* first = nullptr;
        std::vector<const std::string*> others{};
        std::size_t answer = 0;  // that called it last
        std::size_t next = 0;    // the first of these calls without a result
        std::uint64_t salt = 0;  // of `nine`
        bool is_called = false;

        [[nodiscard]] std::size_t size() const noexcept { return first == nullptr ? 0 : 1 + others.size(); }
        [[nodiscard]] const std::string& at(std::size_t i) const { return i == 0 ? *first : *others[i - 1]; }
    };

    void add(const std::string& id, Known& known) {
        const auto is_used = [this](const std::string& made) { return used_.contains(made); };
        std::string made = form_ == IdForm::nine ? nine(id, known) : unused_.make(legal(id), is_used);
        const std::string* const wire = &*used_.insert(std::move(made)).first;
        if (known.first == nullptr)
            known.first = wire;
        else
            known.others.push_back(wire);
        are_repeated_ = are_repeated_ || known.size() > 1;
    }

    [[nodiscard]] static bool is_letter_or_digit(char c) noexcept {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    [[nodiscard]] std::string legal(std::string_view wanted) const {
        std::string id(utf8::prefix(wanted, longest_));
        const auto is_bad = [](char c) { return !is_letter_or_digit(c) && c != '_' && c != '-'; };
        if (form_ == IdForm::word) std::replace_if(id.begin(), id.end(), is_bad, '_');
        return id.empty() ? "call" : id;
    }

    /// Returns nine letters and digits that depend on nothing but the id and the ids before it: the same conversation
    /// is always sent in the same form, which a prompt cache needs.
    [[nodiscard]] std::string nine(const std::string& id, Known& known) const {
        constexpr std::size_t length = 9;
        constexpr std::string_view letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        if (id.size() == length && std::ranges::all_of(id, is_letter_or_digit) && !used_.contains(id)) return id;
        for (;;) {
            std::uint64_t hash = 14695981039346656037U + known.salt++;  // FNV-1a
            for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
            hash ^= hash >> 32U;
            std::string out;
            for (std::size_t i = 0; i < length; ++i, hash /= letters.size()) out += letters[hash % letters.size()];
            if (!used_.contains(out)) return out;
        }
    }

    std::size_t longest_;
    IdForm form_;
    std::size_t answer_ = 0;
    std::map<std::string, Known, std::less<>> known_{};
    std::set<std::string, std::less<>> used_{};
    base::UnusedNames unused_;
    bool are_repeated_ = false;
};

/// A place in the document being read. Children point to their parents, which live in the functions that descend.
struct Place {
    const Place* up = nullptr;
    LocElement element{std::size_t{0}};

    [[nodiscard]] std::vector<LocElement> loc() const {
        std::vector<LocElement> out;
        if (up == nullptr) return out;
        out = up->loc();
        out.push_back(element);
        return out;
    }
};

/// The common base of readers of wire formats, which collect issues with their places.
class WireReader {
protected:
    void throw_if_any(const char* title) {
        if (!issues_.empty()) throw ValidationError(title, std::move(issues_), truncated_);
    }

    void refuse(const Place& place, std::string_view type, std::string_view message, const Json& input) {
        if (truncated_) return;
        DumpOptions options;
        options.invalid_utf8 = InvalidUtf8::replace;
        refuse(place.loc(), type, std::string(message), dump(input, options));
    }
    void refuse(std::vector<LocElement> loc, std::string_view type, std::string message, std::string_view input) {
        truncated_ = issues_.size() >= ParseOptions().max_issues;
        if (truncated_) return;
        Issue issue;
        issue.loc = std::move(loc);
        issue.type = type;
        issue.message = std::move(message);
        issue.input = utf8::prefix(input, 100);
        issues_.push_back(std::move(issue));
    }

    /// Returns a member that must be a text, moved out of a block.
    std::string take_text(JsonObject& block, const std::string& key, const Place& place) {
        const auto found = block.find(key);
        if (found == block.end()) {
            refuse({&place, key}, "missing", "Field required", Json(block));
            return {};
        }
        if (!found->second.is_string()) {
            refuse({&place, key}, "string_type", "Input should be a valid string", found->second);
            return {};
        }
        std::string out = std::move(found->second.get_ref<std::string&>());
        block.erase(found);
        return out;
    }

    /// Returns the type of a block; empty, with an issue, if it has none.
    std::string_view type_of(const Json& block, const Place& place) {
        if (!block.is_object()) {
            refuse(place, "dict_type", "Input should be an object", block);
            return {};
        }
        const Json* const type = base::find_key(base::object_of(block), "type");
        if (type == nullptr || !type->is_string() || base::text_of(*type).empty()) {
            refuse(place, "union_tag_not_found", "Unable to extract tag using discriminator 'type'", block);
            return {};
        }
        return base::text_of(*type);
    }

    void read_arguments(const Json& input, const Place& place, AssistantToolCall& call) {
        if (input.is_object()) {
            call.function.arguments = JsonObject(base::object_of(input));
            return;
        }
        if (!input.is_string()) return refuse(place, "dict_type", "Input should be an object", input);
        // Text, if a client concatenated the parts of a stream; blank text is a call without arguments.
        const std::string& text = base::text_of(input);
        if (ascii::is_blank(text)) return;
        try {
            call.function.arguments = parse<JsonObject>(text, {.keep_large_numbers = true});
        } catch (const ValidationError& error) {
            const std::string of = " (the arguments of '" + call.function.name + "', call '" + call.id + "')";
            for (const Issue& issue : error.issues()) {
                std::vector<LocElement> loc = place.loc();
                loc.insert(loc.end(), issue.loc.begin(), issue.loc.end());
                refuse(std::move(loc), issue.type, issue.message + of, issue.input.empty() ? text : issue.input);
            }
        }
    }

private:
    std::vector<Issue> issues_{};
    bool truncated_ = false;
};

/// Makes messages that were read ones that a record can have.
inline void make_recordable(std::vector<ChatMessage>& messages) {
    for (ChatMessage& message : messages) {
        if (!chat_extension::is_recordable(message)) chat_extension::make_recordable(message);
    }
}

}  // namespace acta::inline ACTA_ABI::provider_detail

namespace acta::inline ACTA_ABI {

namespace provider_detail {
struct Written;
}

template <>
struct Describe<provider_detail::Written> {
    static constexpr std::string_view name = "Written";
    static constexpr bool custom_codec = true;
    static void decode(codec::Decoder& d, provider_detail::Written& out);
    static void encode(codec::Encoder& e, const provider_detail::Written& value);
};

}  // namespace acta::inline ACTA_ABI

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

/// A value that is written by a function.
struct Written {
    std::function<void(codec::Encoder& e)> write{};
};

}  // namespace acta::inline ACTA_ABI::provider_detail

inline void acta::Describe<acta::provider_detail::Written>::encode(codec::Encoder& e,
                                                                   const provider_detail::Written& value) {
    value.write(e);
}

namespace acta::inline ACTA_ABI::provider_detail {

/// Writes a member that is a text.
inline void write_text(codec::Encoder& e, std::string_view key, std::string_view text) {
    const codec::Encoder::Step step(e, key);
    e.out.field(key);
    e.text(text);
}
/// Writes a member.
inline void write_member(codec::Encoder& e, std::string_view key, const Json& value) {
    const codec::Encoder::Step step(e, key);
    e.key(key);
    e.json(value);
}
/// Writes the members of an object but those in `written`, which the caller writes.
inline void write_members(codec::Encoder& e, const Json::object_t* object,
                          std::initializer_list<std::string_view> written = {}) {
    if (object == nullptr) return;
    for (const auto& [key, value] : *object) {
        if (std::find(written.begin(), written.end(), key) == written.end()) write_member(e, key, value);
    }
}
/// Writes an object.
inline void write_object(codec::Encoder& e, const Json::object_t& object) {
    e.out.begin_object();
    write_members(e, &object);
    e.out.end_object();
}

/// The names of tools in requests; the same if all of them are legal. No API takes a call without a name.
class WireNames {
public:
    explicit WireNames(const ToolNames* names) noexcept : names_(names) {}
    [[nodiscard]] std::string_view of(const std::string& name) const {
        if (name.empty()) return chat_extension::tool_without_name;
        const std::string* const tool =
            names_ == nullptr || ToolNames::is_legal(name) ? nullptr : names_->find_tool(name);
        return tool == nullptr ? std::string_view(name) : *tool;
    }

private:
    const ToolNames* names_;
};

/// Returns whether an API has a form for parts of this type other than text.
[[nodiscard]] inline bool is_media(const ContentPart& part) noexcept {
    return part.type == "image" || part.type == "audio" || part.type == "file";
}

/// The messages of a conversation with one result for each call: APIs refuse a second one, so that those of a step for
/// the same call are joined. Linear, but for a logarithm of the calls of a step.
class OneResultEach {
public:
    explicit OneResultEach(std::span<const ChatMessage> messages) : messages_(messages) {
        std::map<std::string_view, Results> results;    // of the step, by the id of the call
        std::map<std::string_view, std::size_t> calls;  // of the step, if a result is repeated
        std::vector<std::pair<std::size_t, std::size_t>> repeated;
        const ChatMessage* answer = nullptr;  // with the calls, until they are counted
        std::size_t only = messages.size();   // the result of a step that has one so far
        for (std::size_t i = 0; i < messages.size(); ++i) {
            if (messages[i].role == ChatRole::assistant) {
                results.clear();
                calls.clear();
                answer = &messages[i];
                only = messages.size();
            }
            if (messages[i].role != ChatRole::tool || messages[i].tool_call_id.empty()) continue;
            if (only == messages.size()) {
                only = i;
                continue;
            }
            if (results.empty()) results.emplace(messages[only].tool_call_id, Results{only});
            const auto [found, is_new] = results.emplace(messages[i].tool_call_id, Results{i});
            if (is_new) continue;
            if (answer != nullptr) {
                for (const AssistantToolCall& call : std::exchange(answer, nullptr)->tool_calls) ++calls[call.id];
            }
            Results& of = found->second;
            if (of.count < calls[messages[i].tool_call_id]) {
                ++of.count;
                of.last = i;
            } else {
                repeated.emplace_back(of.last, i);
            }
        }
        if (repeated.empty()) return;
        changed_.assign(messages.begin(), messages.end());
        std::set<std::size_t> gone;
        for (const auto& [first, again] : repeated) {
            join(changed_[first], std::move(changed_[again]));
            gone.insert(again);
        }
        std::size_t i = 0;
        std::erase_if(changed_, [&](const ChatMessage&) { return gone.contains(i++); });
        messages_ = changed_;
    }
    OneResultEach(const OneResultEach&) = delete;
    OneResultEach& operator=(const OneResultEach&) = delete;
    ~OneResultEach() = default;

    [[nodiscard]] std::span<const ChatMessage> messages() const noexcept { return messages_; }
    /// Returns whether results were joined.
    [[nodiscard]] bool are_changed() const noexcept { return !changed_.empty(); }

private:
    /// The results of one id.
    struct Results {
        std::size_t last = 0;   // the place of the last one that is kept
        std::size_t count = 1;  // of those that are kept
    };

    static void join(ChatMessage& result, ChatMessage again) {
        if (!result.parts.empty() || !again.parts.empty()) {
            if (result.parts.empty()) result.parts.push_back({.text = result.content});
            if (again.parts.empty()) again.parts.push_back({.text = again.content});
            result.parts.push_back({.text = "\n"});
            for (ContentPart& part : again.parts) result.parts.push_back(std::move(part));
        }
        result.content += "\n" + again.content;
        result.is_error = result.is_error || again.is_error;
    }

    std::vector<ChatMessage> changed_{};
    std::span<const ChatMessage> messages_;
};

}  // namespace acta::inline ACTA_ABI::provider_detail
