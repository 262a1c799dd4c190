// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/json.hpp"
#include "acta/version.hpp"

// The words of an answer to a call that is not simply an output. docs/reference/prompt.md, "A history as messages".
namespace acta::inline ACTA_ABI::chat_detail {

/// The fixed words of such answers.
namespace answer_words {
inline constexpr std::string_view did_not_finish = "The action did not finish; it has no result.";
inline constexpr std::string_view elsewhere = "See the result of the step as a whole.";
inline constexpr std::string_view whole = "Result of the step as a whole: ";
inline constexpr std::string_view interrupted = "The user interrupted the action; their feedback follows.";
inline constexpr std::string_view failed = "Action failed: '";
inline constexpr std::string_view error_details = "'\nError: ";
inline constexpr std::string_view feedback = "The user interrupted the action with the following feedback: \"";
}  // namespace answer_words

/// The name of a call that has none, in a record and in requests: APIs refuse an empty one, and a proposal whose call
/// has no name calls nothing.
inline constexpr std::string_view tool_without_name = "tool_without_name";

/// Returns whether an answer states the outcome of its call in these words.
[[nodiscard]] inline bool has_answer_words(std::string_view text) noexcept {
    return text == answer_words::did_not_finish || text == answer_words::elsewhere ||
           text == answer_words::interrupted || text.starts_with(answer_words::whole) ||
           text.starts_with(answer_words::failed) || text.starts_with(answer_words::feedback);
}

// Arguments of a call that are not a JSON object, as models sometimes write them. They are kept as the only argument of
// the call, so that the answer can be read and its call be answered with what is wrong.

inline constexpr std::string_view unreadable_arguments_key = "unreadable_arguments";
inline constexpr std::string_view unreadable_reason_key = "reason";

/// Returns arguments that keep a text that is not a JSON object, or the beginning of one that cannot be recorded for a
/// reason.
[[nodiscard]] inline JsonObject unreadable(std::string_view text, std::string_view reason = {}) {
    JsonObject out;
    base::put(out, unreadable_arguments_key, base::text_json(text));
    if (!reason.empty()) base::put(out, unreadable_reason_key, base::text_json(reason));
    return out;
}

/// Replaces arguments that are neither a JSON object nor the text of one by an object that keeps them. Null and blank
/// text are unchanged.
inline void keep_if_unreadable(Json& arguments) {
    if (arguments.is_null() || arguments.is_object()) return;
    const std::string text = arguments.is_string() ? arguments.get<std::string>() : dump(arguments);
    if (ascii::is_blank(text)) return;
    try {
        static_cast<void>(parse<JsonObject>(text, {.keep_large_numbers = true}));
    } catch (const ValidationError&) {
        arguments = Json(unreadable(text));
    }
}

/// Does so with the arguments of a message's calls, in the form of OpenAI's chat completions.
inline void keep_unreadable_arguments(Json& message) {
    if (!message.is_object()) return;
    const auto calls = message.find("tool_calls");
    if (calls == message.end() || !calls->is_array()) return;
    for (Json& call : *calls) {
        if (!call.is_object() || !call.contains("function") || !call["function"].is_object()) continue;
        const auto arguments = call["function"].find("arguments");
        if (arguments != call["function"].end()) keep_if_unreadable(*arguments);
    }
}

/// Returns why arguments cannot be recorded, if `unreadable` was given a reason; else null.
[[nodiscard]] inline const std::string* unreadable_reason(const JsonObject& arguments) noexcept {
    const Json* const reason = base::find_key(arguments, unreadable_reason_key);
    return arguments.size() == 2 && reason != nullptr ? reason->get_ptr<const std::string*>() : nullptr;
}

/// Returns the text that could not be read, or null.
[[nodiscard]] inline const std::string* unreadable_arguments(const JsonObject& arguments) noexcept {
    if (arguments.size() != 1 && unreadable_reason(arguments) == nullptr) return nullptr;
    const Json* const text = base::find_key(arguments, unreadable_arguments_key);
    return text == nullptr ? nullptr : text->get_ptr<const std::string*>();
}

/// The most characters that OpenAI's APIs take as the description of a tool.
inline constexpr std::size_t max_openai_description = 1024;

/// Returns a description of a tool with at most `most` bytes, cut at the end; 0 for any number.
[[nodiscard]] inline std::string cut_description(std::string_view text, std::size_t most) {
    constexpr std::string_view mark = "...";
    if (most == 0 || text.size() <= most) return std::string(text);
    return std::string(utf8::prefix(text, most - mark.size())).append(mark);
}

// The usage of a completion, as servers and other programs report it. docs/reference/provider.md, "Clients".

/// The counts of a report, each of which may be missing; the members of `TokenUsage`.
struct UsageCounts {
    std::optional<std::int64_t> prompt{};
    std::optional<std::int64_t> completion{};
    std::optional<std::int64_t> cached{};
    std::optional<std::int64_t> cache_write{};
    std::optional<std::int64_t> reasoning{};
};

/// Reads a report of OpenAI's two APIs, Anthropic's, LangChain's and those of servers that have counts of their own.
[[nodiscard]] UsageCounts usage_counts(const Json& usage);
/// Adds a later report of the same answer to an earlier one, whose counts it replaces; not by null, and not by 0.
void merge_usage(Json& usage, const Json& later);

}  // namespace acta::inline ACTA_ABI::chat_detail

namespace acta::inline ACTA_ABI {
struct ChatMessage;
struct ContentPart;
}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::chat_detail {

/// What a provider of OpenAI's form changes about messages as they are written into a request: then nothing is written
/// that only acta reads.
class MessageHooks {
public:
    MessageHooks() = default;
    MessageHooks(const MessageHooks&) = delete;
    MessageHooks& operator=(const MessageHooks&) = delete;
    virtual ~MessageHooks() = default;

    /// Returns the id of a call in the request; valid until the next call.
    virtual std::string_view id(const std::string& id) = 0;
    /// Returns the name of a tool in the request.
    virtual std::string_view name(const std::string& name) = 0;
    /// Writes a part of the content.
    virtual void part(codec::Encoder& e, const ContentPart& part, const ChatMessage& message) = 0;
    /// Returns whether the reasoning of a message is written.
    virtual bool sends_reasoning(const ChatMessage& message) = 0;
};

/// Puts a text before the content of a message.
void prepend_text(ChatMessage& message, std::string_view text);

/// Adds an instruction to the message of the system at the beginning, since some chat templates take only one.
void add_instruction(std::vector<ChatMessage>& messages, const std::string& instruction);

/// Writes a message in OpenAI's form.
void write_message(codec::Encoder& e, const ChatMessage& message, MessageHooks& hooks);

/// What a client has written of the messages of a request; each has a class of its own.
struct KeptState {
    KeptState() = default;
    KeptState(const KeptState&) = delete;
    KeptState& operator=(const KeptState&) = delete;
    virtual ~KeptState() = default;
};

/// The messages of a run's newest request, and what a client has written of them: a later request begins mostly as the
/// one before, and what begins alike is not written again. Threads may share it.
class KeptRequest {
public:
    /// What was written of the first messages.
    struct Written {
        std::shared_ptr<KeptState> state{};
        std::size_t count = 0;  ///< Of the messages.
    };

    KeptRequest() = default;
    KeptRequest(const KeptRequest&) = delete;
    KeptRequest& operator=(const KeptRequest&) = delete;
    ~KeptRequest() = default;

    /// Sets the messages of the next request, of which the first `same` are those of the one before. They stay where
    /// they are, unchanged, until the next call, which has no messages when they go.
    void set(const ChatMessage* messages, std::size_t count, std::size_t same) {
        const std::lock_guard lock(mutex_);
        messages_ = messages;
        count_ = count;
        if (same < written_.count || count == 0) written_ = {};
    }
    /// Calls a function with what was written of these messages, unless they are others, such as a changed copy.
    /// Returns whether it did.
    bool use(const ChatMessage* messages, std::size_t count, const std::function<void(Written&)>& function) {
        const std::lock_guard lock(mutex_);
        if (count == 0 || messages != messages_ || count != count_) return false;
        function(written_);
        return true;
    }

private:
    std::mutex mutex_{};
    const ChatMessage* messages_ = nullptr;
    std::size_t count_ = 0;
    Written written_{};
};

}  // namespace acta::inline ACTA_ABI::chat_detail

// What other components use beyond the public API: the texts of results that are more than an output, arguments that
// are not a JSON object, reports of usage, and descriptions of tools that are too long for an API.
namespace acta::inline ACTA_ABI::chat_extension {

namespace answer_words = chat_detail::answer_words;
using chat_detail::add_instruction;
using chat_detail::cut_description;
using chat_detail::has_answer_words;
using chat_detail::is_base64;
using chat_detail::keep_if_unreadable;
using chat_detail::keep_unreadable_arguments;
using chat_detail::KeptRequest;
using chat_detail::KeptState;
using chat_detail::max_openai_description;
using chat_detail::merge_usage;
using chat_detail::MessageHooks;
using chat_detail::prepend_text;
using chat_detail::tool_without_name;
using chat_detail::unreadable;
using chat_detail::unreadable_arguments;
using chat_detail::unreadable_reason;
using chat_detail::usage_counts;
using chat_detail::UsageCounts;
using chat_detail::write_message;

}  // namespace acta::inline ACTA_ABI::chat_extension
