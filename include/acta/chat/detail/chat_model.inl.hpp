// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/extension.hpp"
#include "acta/observe/observer.hpp"

// Tools.
namespace acta::inline ACTA_ABI {

ACTA_INLINE ToolList::ToolList(std::vector<ToolDefinition> tools)
    : tools_(std::make_shared<std::vector<ToolDefinition>>(std::move(tools))) {}

ACTA_INLINE ToolList::ToolList(std::initializer_list<ToolDefinition> tools)
    : ToolList(std::vector<ToolDefinition>(tools)) {}

ACTA_INLINE void ToolList::push_back(ToolDefinition tool) { own().push_back(std::move(tool)); }

ACTA_INLINE bool ToolList::has_equal(const ToolList& other) const { return all() == other.all(); }

ACTA_INLINE const std::vector<ToolDefinition>& ToolList::all() const noexcept {
    static const std::vector<ToolDefinition> none;
    return tools_ ? *tools_ : none;
}

ACTA_INLINE std::vector<ToolDefinition>& ToolList::own() {
    if (!tools_)
        tools_ = std::make_shared<std::vector<ToolDefinition>>();
    else if (tools_.use_count() != 1)
        tools_ = std::make_shared<std::vector<ToolDefinition>>(*tools_);
    return *tools_;
}

}  // namespace acta::inline ACTA_ABI

// Reports of usage.
namespace acta::inline ACTA_ABI::chat_detail {

/// Returns the first count that is not 0 of those at these paths, else 0 if there is one at all.
[[nodiscard]] ACTA_INLINE std::optional<std::int64_t> count_at(const Json& usage,
                                                               std::initializer_list<std::string_view> paths) {
    std::optional<std::int64_t> out;
    for (const std::string_view path : paths) {
        const Json* const found = base::find_path(usage, path);
        const auto count = found == nullptr ? std::nullopt : base::whole_number(*found);
        if (count && *count >= 0 && out.value_or(0) == 0) out = count;
    }
    return out;
}

ACTA_INLINE UsageCounts usage_counts(const Json& usage) {
    UsageCounts out;
    out.cached = count_at(usage, {"prompt_tokens_details/cached_tokens", "input_tokens_details/cached_tokens",
                                  "input_token_details/cache_read", "cache_read_input_tokens", "cached_input_tokens",
                                  "cached_tokens", "prompt_cache_hit_tokens", "cachedInputTokens"});
    out.cache_write =
        count_at(usage, {"cache_creation_input_tokens", "cache_write_tokens",
                         "prompt_tokens_details/cache_write_tokens", "input_token_details/cache_creation"});
    out.reasoning = count_at(
        usage, {"completion_tokens_details/reasoning_tokens", "output_tokens_details/reasoning_tokens",
                "output_token_details/reasoning", "reasoning_tokens", "reasoning_output_tokens", "reasoningTokens"});
    out.completion =
        count_at(usage, {"completion_tokens", "output_tokens", "completionTokens", "outputTokens", "output"});
    out.prompt = count_at(usage, {"prompt_tokens", "promptTokens"});
    const std::optional<std::int64_t> input = count_at(usage, {"input_tokens", "inputTokens", "input"});
    if (!out.prompt || (*out.prompt == 0 && input.value_or(0) != 0)) {
        out.prompt = input;
        // Anthropic counts the tokens from and for the cache apart, all others among these.
        for (const char* const beside : {"cache_read_input_tokens", "cache_creation_input_tokens"}) {
            const std::optional<std::int64_t> more = count_at(usage, {beside});
            if (more && (out.prompt || *more != 0)) out.prompt = base::saturated_sum(out.prompt.value_or(0), *more);
        }
    }
    // Most servers count reasoning among the tokens of the answer. The total says which do not; without one that fits,
    // more reasoning than answer does.
    const std::int64_t answer = out.completion.value_or(0);
    const std::int64_t reasoning = out.reasoning.value_or(0);
    if (reasoning == 0) return out;
    const std::int64_t total = count_at(usage, {"total_tokens", "totalTokens", "total"}).value_or(0);
    const std::int64_t included = base::saturated_sum(out.prompt.value_or(0), answer);
    const bool is_beside =
        total == base::saturated_sum(included, reasoning) || (reasoning > answer && total != included);
    if (is_beside) out.completion = base::saturated_sum(answer, reasoning);
    return out;
}

ACTA_INLINE void merge_usage(Json& usage, const Json& later) {
    if (!later.is_object()) return;
    if (!usage.is_object()) usage = base::new_object();
    for (const auto& [key, value] : base::object_of(later)) {
        Json* const old = base::find_key(usage, key);
        if (value.is_null())
            continue;
        else if (old == nullptr)
            base::put(usage, key, value);
        else if (value.is_object())
            merge_usage(*old, value);
        else if (!value.is_number() || base::whole_number(value) != 0 || !old->is_number())
            *old = value;
    }
}

// Finish reasons.

struct FinishWord {
    std::string_view word{};
    FinishReason reason{};
    bool is_kept = false;  ///< It says more than OpenAI's word of this kind, so clients do not replace it.
};

/// The words of all servers; of each kind OpenAI's word is the first.
inline constexpr FinishWord finish_words[] = {
    {"stop", FinishReason::stop},
    {"end_turn", FinishReason::stop},
    {"stop_sequence", FinishReason::stop},
    {"eos", FinishReason::stop},
    {"eos_token", FinishReason::stop},
    {"length", FinishReason::length},
    {"max_tokens", FinishReason::length},
    {"max_output_tokens", FinishReason::length},
    {"model_length", FinishReason::length},
    {"model_context_window_exceeded", FinishReason::length},
    {"incomplete", FinishReason::length, true},
    {"tool_calls", FinishReason::tool_calls},
    {"tool_call", FinishReason::tool_calls},
    {"tool_use", FinishReason::tool_calls},
    {"function_call", FinishReason::tool_calls, true},
    {"content_filter", FinishReason::content_filter},
    {"safety", FinishReason::content_filter},
    {"image_safety", FinishReason::content_filter, true},
    {"recitation", FinishReason::content_filter, true},
    {"blocklist", FinishReason::content_filter, true},
    {"prohibited_content", FinishReason::content_filter, true},
    {"spii", FinishReason::content_filter, true},
    {"refusal", FinishReason::content_filter, true},
    {"refused", FinishReason::content_filter, true},
    {"pause_turn", FinishReason::paused, true},
    {"error", FinishReason::error, true},
    {"failed", FinishReason::error, true},
    {"cancelled", FinishReason::error, true},
    {"malformed_function_call", FinishReason::error, true},
    {"unexpected_tool_call", FinishReason::error, true},
};

/// Returns the row of a word, or null.
[[nodiscard]] ACTA_INLINE const FinishWord* find_finish(std::string_view raw) noexcept {
    const auto* const found = std::ranges::find_if(
        finish_words, [&](const FinishWord& one) { return ascii::equals_ignoring_case(one.word, raw); });
    return found == std::end(finish_words) ? nullptr : found;
}

ACTA_INLINE std::string finish_word(const std::string& raw) {
    const FinishWord* const found = find_finish(raw);
    if (found == nullptr || found->is_kept) return raw;
    return std::string(std::ranges::find(finish_words, found->reason, &FinishWord::reason)->word);
}

}  // namespace acta::inline ACTA_ABI::chat_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE FinishReason finish_reason_of(std::string_view raw) noexcept {
    const chat_detail::FinishWord* const found = chat_detail::find_finish(raw);
    return found == nullptr ? FinishReason::unknown : found->reason;
}

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::chat_detail {

/// Returns the end of the JSON object or array at `begin`, by its brackets; npos if it is never closed.
[[nodiscard]] ACTA_INLINE std::size_t end_of_value(std::string_view text, std::size_t begin) noexcept {
    std::size_t depth = 0;
    for (std::size_t i = begin; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') {
            for (++i; i < text.size() && text[i] != '"'; ++i) {
                if (text[i] == '\\') ++i;
            }
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return i + 1;
        }
    }
    return std::string_view::npos;
}

/// Returns the only object, or array with objects, in prose; nothing if there are none or several.
[[nodiscard]] ACTA_INLINE std::optional<std::string_view> only_object(std::string_view text) {
    std::optional<std::string_view> found;
    std::size_t at = 0;
    for (int tries = 0; tries < 100; ++tries) {  // more brackets are code, and each may search to the end
        at = text.find_first_of("{[", at);
        if (at == std::string_view::npos) return found;
        const std::size_t end = end_of_value(text, at);
        const std::string_view value = end == std::string_view::npos ? "" : text.substr(at, end - at);
        if (!Json::accept(value)) {
            ++at;
            continue;
        }
        at = end;
        if (value.front() == '[' && value.find('{') == std::string_view::npos) continue;  // as in "see [1]"
        if (found) return std::nullopt;
        found = value;
    }
    return std::nullopt;
}

ACTA_INLINE std::string_view answer_json(const ChatCompletion& completion) {
    const auto refuse = [](const std::string& why) {
        throw ChatModelError("the answer cannot be read: " + why, {.fault = ChatModelFault::reply});
    };
    std::string_view text = completion.message.content;
    const FinishReason reason = completion.finish();
    if (completion.finish_reason == "refusal")
        refuse("the model refuses, \"" + utf8::replace_invalid(text.substr(0, 1000)) + "\"");
    if (reason == FinishReason::length) refuse("it was truncated at the token limit");
    if (reason == FinishReason::content_filter) refuse("a content filter of the server truncated it");
    // Servers that do not enforce the schema let models wrap the JSON as they would in a chat.
    constexpr const char* blanks = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    if (text.starts_with("```")) {
        text.remove_prefix(std::min(text.find('\n'), text.size()));
        text = text.substr(0, text.rfind("```"));
    }
    if (Json::accept(text)) return text;
    return only_object(text).value_or(text);
}

ACTA_INLINE TypedQuestion::TypedQuestion(Json schema, ChatOptions& options) {
    if (!options.response_schema) options.response_schema = std::move(schema);
    schema_ = dump(*options.response_schema);
    if (!options.schema_in_text) return;
    options.response_schema.reset();
    instruction_ = "Answer with JSON alone, of this schema: " + std::exchange(schema_, {});
}

ACTA_INLINE std::string TypedQuestion::refusal(std::string_view faults) {
    std::string out = "That answer cannot be used: " + std::string(faults) + "\nAnswer again, with JSON alone";
    if (schema_.empty()) return out + '.';
    return out + ", of this schema: " + std::exchange(schema_, {});
}

ACTA_INLINE std::string faults_of(const ValidationError& error) {
    std::string out(base::what_of(error));
    const auto form = [](const Issue& issue) { return json_extension::expected_form(issue); };
    for (const Issue& issue : error.issues()) {
        if (form(issue).empty()) continue;
        out.append("\nA date with a time is written as in ").append(form(issue)).append(".");
        break;
    }
    return out;
}

ACTA_INLINE void add_instruction(std::vector<ChatMessage>& messages, const std::string& instruction) {
    if (instruction.empty()) return;
    if (!messages.empty() && messages.front().role == ChatRole::system)
        prepend_text(messages.front(), instruction + "\n\n");
    else
        messages.insert(messages.begin(), ChatMessage::system(instruction));
}

ACTA_INLINE std::vector<ChatMessage> TypedQuestion::asked(std::span<const ChatMessage> messages) const {
    std::vector<ChatMessage> out(messages.begin(), messages.end());
    add_instruction(out, instruction_);
    return out;
}

ACTA_INLINE void TypedQuestion::ask_again(std::vector<ChatMessage>& asked, const ChatMessage& answer,
                                          const ValidationError& error) {
    asked.push_back(answer);
    asked.push_back(ChatMessage::user(refusal(faults_of(error))));
}

ACTA_INLINE void add_completion(ScopedEvent& watch, const ChatCompletion& completion) {
    if (!completion.model.empty()) watch.add({{"model", completion.model}});
    if (!completion.finish_reason.empty()) watch.add({{"finish_reason", completion.finish_reason}});
    if (!completion.usage) return;
    watch.add({{"prompt_tokens", completion.usage->prompt_tokens},
               {"completion_tokens", completion.usage->completion_tokens}});
}

ACTA_INLINE ChatCompletion ask_observed(const ChatModelRef& model, Observer* observer,
                                        std::span<const ChatMessage> messages, const ChatOptions& options) {
    ScopedEvent watch(observer, event_names::chat_model);
    if (!watch) return model(messages, options);
    watch.add({{"messages", messages.size()}, {"tools", options.tools.size()}});
    try {
        ChatCompletion completion = model(messages, options);
        add_completion(watch, completion);
        return completion;
    } catch (const std::exception& error) {
        watch.fail(base::what_of(error));
        throw;
    }
}

}  // namespace acta::inline ACTA_ABI::chat_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE ToolChoice ToolChoice::tool(std::string name) {
    ToolChoice out(named);
    out.name = std::move(name);
    return out;
}

ACTA_INLINE void chat_extension::stream(const ChatCompletion& completion, const ChatOptions& options) {
    if (!options.on_text && !options.on_event) return;
    const auto show = [&options](ChatDelta delta) {
        const auto* const words = std::get_if<TextDelta>(&delta);
        if (options.on_text && words != nullptr) options.on_text(words->text);
        if (options.on_event) options.on_event(delta);
    };
    const auto show_words = [&show]<class Delta>(const std::string& raw, Delta delta) {
        const std::string whole = utf8::replace_invalid(raw);
        std::string_view text = whole;
        while (!text.empty()) {
            const std::size_t blank = std::min(text.find_first_of(" \t\n"), text.size());
            const std::size_t end = std::min(text.find_first_not_of(" \t\n", blank), text.size());
            delta.text = text.substr(0, end);
            show(delta);
            text.remove_prefix(end);
        }
    };
    const AssistantChatMessage& message = completion.message;
    show_words(message.reasoning_content.value_or(""), ReasoningDelta());
    show_words(message.content, TextDelta());
    if (!message.tool_calls) return;
    std::size_t i = 0;
    for (const AssistantToolCall& call : *message.tool_calls)
        show(CallDelta{i++, call.id, call.function.name,
                       dump(call.function.arguments, {.invalid_utf8 = InvalidUtf8::replace})});
}

struct ScriptedChatModel::State {
    std::mutex mutex{};
    std::deque<AnyChatModel> script{};
    std::vector<ChatRequest> requests{};
};

ACTA_INLINE ScriptedChatModel::ScriptedChatModel() : state_(std::make_shared<State>()) {}

ACTA_INLINE ScriptedChatModel::ScriptedChatModel(std::initializer_list<std::string> replies) : ScriptedChatModel() {
    for (const std::string& text : replies) reply(text);
}

ACTA_INLINE ScriptedChatModel& ScriptedChatModel::reply(std::string text) {
    ChatCompletion completion;
    completion.message.content = std::move(text);
    completion.finish_reason = "stop";
    return reply(std::move(completion));
}

ACTA_INLINE ScriptedChatModel& ScriptedChatModel::reply(ChatCompletion completion) {
    return reply_by([completion = std::move(completion)](std::span<const ChatMessage>, const ChatOptions& options) {
        chat_extension::stream(completion, options);
        return completion;
    });
}

ACTA_INLINE ScriptedChatModel& ScriptedChatModel::reply_call(std::string name, JsonObject arguments) {
    ChatCompletion completion;
    AssistantToolCall call;
    call.id = "call_" + std::to_string(remaining());
    call.function = {std::move(name), std::move(arguments)};
    completion.message.tool_calls.emplace().push_back(std::move(call));
    completion.finish_reason = "tool_calls";
    return reply(std::move(completion));
}

ACTA_INLINE ScriptedChatModel& ScriptedChatModel::reply_by(AnyChatModel function) {
    const std::lock_guard lock(state_->mutex);
    state_->script.push_back(std::move(function));
    return *this;
}

ACTA_INLINE ChatCompletion ScriptedChatModel::operator()(std::span<const ChatMessage> messages,
                                                         const ChatOptions& options) const {
    AnyChatModel next;
    {
        const std::lock_guard lock(state_->mutex);
        state_->requests.push_back({{messages.begin(), messages.end()}, options});
        if (state_->script.empty()) {
            throw ScriptEnded("the script of the model ended before request " +
                              std::to_string(state_->requests.size()));
        }
        next = std::move(state_->script.front());
        state_->script.pop_front();
    }
    return next(messages, options);
}

ACTA_INLINE std::vector<ChatRequest> ScriptedChatModel::requests() const {
    const std::lock_guard lock(state_->mutex);
    return state_->requests;
}

ACTA_INLINE std::size_t ScriptedChatModel::remaining() const {
    const std::lock_guard lock(state_->mutex);
    return state_->script.size();
}

}  // namespace acta::inline ACTA_ABI
