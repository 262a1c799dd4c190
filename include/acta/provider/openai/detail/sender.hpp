// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/unicode.hpp"
#include "acta/chat/extension.hpp"
#include "acta/chat/message.hpp"
#include "acta/provider/detail/wire.hpp"
#include "acta/provider/openai/server_traits.hpp"

// What a server of chat completions does not take, in another form.
namespace acta::inline ACTA_ABI::openai_detail {

/// The content of a message that has none, for servers that refuse it.
inline constexpr std::string_view no_text = "(no text)";
/// What the model is said to have said between a tool's message and the user's, for servers that refuse the two in a
/// row.
inline constexpr std::string_view acknowledgement = "Understood.";
/// The user's first message, for servers that refuse a conversation that begins with the model's words.
inline constexpr std::string_view opening = "Continue with your task.";

/// Returns whether nothing in a message says anything but its calls.
[[nodiscard]] inline bool is_blank(const ChatMessage& message) {
    if (message.parts.empty()) return unicode::is_blank(message.content);
    return std::ranges::all_of(message.parts, [](const ContentPart& part) {
        return (part.type == "text" || part.type == "refusal") && unicode::is_blank(part.text);
    });
}

/// A message and its changed copy, which is made when something is changed.
class Changeable {
public:
    explicit Changeable(const ChatMessage& message) : message_(message) {}
    [[nodiscard]] const ChatMessage& get() const noexcept { return copy_ ? *copy_ : message_; }
    [[nodiscard]] ChatMessage& copy() {
        if (!copy_) copy_ = message_;
        return *copy_;
    }

private:
    const ChatMessage& message_;
    std::optional<ChatMessage> copy_{};
};

/// Tells which reasoning goes back. Linear in the messages.
class ReasoningSent {
public:
    /// `has_calls` if the turn that the messages continue has calls.
    ReasoningSent(openai::SendReasoning when, std::span<const ChatMessage> messages, bool has_calls)
        : when_(when), messages_(messages), has_calls_(has_calls) {}

    /// Returns whether that of the message at `i` does, for `i` in rising order.
    [[nodiscard]] bool operator()(std::size_t i) {
        using openai::SendReasoning;
        if (when_ == SendReasoning::with_calls) return !messages_[i].tool_calls.empty();
        if (when_ == SendReasoning::turns_with_calls) return is_in_turn_with_calls(i);
        return when_ == SendReasoning::always;
    }

private:
    [[nodiscard]] bool is_in_turn_with_calls(std::size_t i) {
        for (; end_ <= i || (end_ < messages_.size() && messages_[end_].role != ChatRole::user); ++end_) {
            if (messages_[end_].role == ChatRole::user) has_calls_ = false;
            has_calls_ = has_calls_ || !messages_[end_].tool_calls.empty();
        }
        return has_calls_;
    }

    openai::SendReasoning when_;
    std::span<const ChatMessage> messages_;
    std::size_t end_ = 0;  // of the turn
    bool has_calls_;
};

/// Hands messages on in a form that a server takes. Those that it takes are neither changed nor copied.
class Sender {
public:
    Sender(const openai::ServerTraits& traits, std::function<void(const ChatMessage&)> write)
        : traits_(traits), write_(std::move(write)) {}

    /// Sends a message; `sends_reasoning` if its reasoning is written, `is_last` if none follows.
    void send(const ChatMessage& given, bool sends_reasoning, bool is_last) {
        if (given.role == ChatRole::system) {
            if (!traits_.takes_empty_content && is_blank(given)) return;
            if (!traits_.takes_late_system) return previous_ ? hold(given) : add_instructions(given);
            return finish(Changeable(given), false, false);
        }
        send_instructions();
        Changeable message(given);
        if (given.role == ChatRole::user) add_held(message);
        // Results follow their calls without anything in between.
        if (given.role == ChatRole::assistant) send_held();
        finish(std::move(message), sends_reasoning, is_last);
    }
    /// Sends what is left at the end.
    void end() {
        send_instructions();
        send_held();
    }

    /// Returns whether nothing is left, and no message was changed because it is the last one.
    [[nodiscard]] bool is_settled() const noexcept { return !instructions_ && held_.empty() && !is_prefix_; }

private:
    /// Changes what the server does not take in a message, and writes it.
    void finish(Changeable message, bool sends_reasoning, bool is_last) {
        const ChatRole role = message.get().role;
        if (!traits_.takes_any_order && role == ChatRole::user && previous_ == ChatRole::tool)
            write_(ChatMessage::assistant(std::string(acknowledgement)));
        if (!traits_.takes_any_order && role == ChatRole::assistant && !has_begun_)
            write_(ChatMessage::user(std::string(opening)));
        has_begun_ = true;
        if (!traits_.takes_empty_content) fill(message);
        if (!traits_.takes_other_members && !message.get().extra.empty()) message.copy().extra = {};
        if (role == ChatRole::assistant) {
            if (traits_.missing_reasoning && sends_reasoning) add_reasoning(message);
            if (!traits_.takes_any_order && is_last && message.get().tool_calls.empty()) {
                mark_as_prefix(message.copy());
                is_prefix_ = true;
            }
        }
        if (role != ChatRole::system) previous_ = role;
        write_(message.get());
    }

    /// Joins the messages of the system at the beginning: a template that wants them there takes one.
    void add_instructions(const ChatMessage& system) {
        if (!instructions_) {
            instructions_ = system;
            return;
        }
        ChatMessage& to = *instructions_;
        if (!to.parts.empty() || !system.parts.empty()) {
            if (to.parts.empty()) to.parts.push_back({.text = to.content});
            to.parts.push_back({.text = "\n\n"});
            if (system.parts.empty()) to.parts.push_back({.text = system.content});
            to.parts.insert(to.parts.end(), system.parts.begin(), system.parts.end());
        }
        to.content += "\n\n" + system.content;
    }
    void send_instructions() {
        if (!instructions_) return;
        finish(Changeable(*instructions_), false, false);
        instructions_.reset();
    }

    void hold(const ChatMessage& system) {
        const std::string text = system.parts.empty() ? system.content : parts_text(system.parts);
        if (unicode::is_blank(text)) return;
        if (!held_.empty()) held_ += "\n\n";
        held_ += text;
    }
    void add_held(Changeable& message) {
        if (held_.empty()) return;
        ChatMessage& user = message.copy();
        held_ += "\n\n";
        if (!user.parts.empty()) user.parts.insert(user.parts.begin(), {.text = held_});
        user.content.insert(0, std::exchange(held_, {}));
    }
    void send_held() {
        if (held_.empty()) return;
        finish(Changeable(ChatMessage::user(std::exchange(held_, {}))), false, false);
    }

    static void fill(Changeable& message) {
        const auto is_blank_part = [](const ContentPart& part) {
            return (part.type == "text" || part.type == "refusal") && unicode::is_blank(part.text);
        };
        const ChatMessage& given = message.get();
        if (is_blank(given)) {
            const bool calls = !given.tool_calls.empty();
            const bool is_failure = given.role == ChatRole::tool && given.is_error;  // which says so
            ChatMessage& changed = message.copy();
            changed.parts.clear();
            changed.content = calls || is_failure ? std::string_view() : no_text;
        } else if (std::ranges::any_of(given.parts, is_blank_part)) {
            std::erase_if(message.copy().parts, is_blank_part);
        }
    }
    void add_reasoning(Changeable& message) const {
        const ChatMessage& given = message.get();
        const Json::object_t* const own = provider_detail::own_extra(given.extra, "openai");
        const bool has_other_name = own != nullptr && base::find_key(*own, "reasoning") != nullptr;
        const bool has_reasoning = given.reasoning_content && !unicode::is_blank(*given.reasoning_content);
        if (has_reasoning && !has_other_name) return;
        ChatMessage& changed = message.copy();
        if (!has_reasoning) changed.reasoning_content = traits_.missing_reasoning;
        if (has_other_name) changed.extra.find("openai")->second.erase("reasoning");
    }
    static void mark_as_prefix(ChatMessage& message) {
        JsonObject own;
        if (const Json::object_t* const old = provider_detail::own_extra(message.extra, "openai"))
            own = JsonObject(*old);
        own["prefix"] = true;
        message.extra["openai"] = Json(std::move(own));
    }

    const openai::ServerTraits& traits_;
    std::function<void(const ChatMessage&)> write_;
    std::optional<ChatMessage> instructions_{};  // of the system, at the beginning
    std::string held_{};                         // of the system, for the user's next message
    std::optional<ChatRole> previous_{};         // without those of the system
    bool has_begun_ = false;
    bool is_prefix_ = false;  // the last message, which the model continues
};

}  // namespace acta::inline ACTA_ABI::openai_detail
