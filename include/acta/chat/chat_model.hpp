// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/callback.hpp"
#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/message.hpp"
#include "acta/json/json.hpp"
#include "acta/observe/observer.hpp"
#include "acta/schema/schema.hpp"

namespace acta::inline ACTA_ABI::chat_detail {
class KeptRequest;  // include acta/chat/extension.hpp
}  // namespace acta::inline ACTA_ABI::chat_detail

// The interface of a language model: anything that can be called with messages and options. Clients are in
// acta/provider/openai/; `ScriptedChatModel` stands in for a model in tests.
namespace acta::inline ACTA_ABI {

/// Why a model did not answer.
enum class ChatModelFault {
    configuration,    ///< The options cannot be used; nothing was sent.
    connection,       ///< There was no connection, or it broke.
    security,         ///< The identity of the server could not be verified (TLS).
    status,           ///< The server answered with an error status.
    reply,            ///< The answer of the server is not a completion.
    too_large,        ///< The answer is larger than the limit.
    context_too_long  ///< The server refused the request because it has more tokens than the model can read.
};

/// The details of a failed request.
struct ChatModelFailure {
    /// The kind of failure.
    ChatModelFault fault = ChatModelFault::connection;
    int status = 0;             ///< Of HTTP; 0 if there was no answer.
    std::string code{};         ///< The server's `error.code`, as text if it was a number.
    std::string type{};         ///< The server's `error.type`.
    std::string request_id{};   ///< The `x-request-id` of the answer, for the server's operators.
    bool is_transient = false;  ///< The same request may succeed later.
    /// How long the server asks to wait before the next request.
    std::optional<std::chrono::milliseconds> retry_after{};
    int attempts = 0;  ///< The number of requests.

    friend bool operator==(const ChatModelFailure&, const ChatModelFailure&) = default;
};

/// A model did not answer. `what()` says why, in the server's words if it has any; no text contains a key. A request
/// whose deadline passes or that is stopped throws `Timeout` or `Cancelled` instead.
class ChatModelError : public Error {
public:
    /// `message` is `what()`.
    ChatModelError(const std::string& message, ChatModelFailure failure)
        : Error(message), failure_(std::move(failure)) {}

    /// Returns why the model did not answer.
    [[nodiscard]] ChatModelFault fault() const noexcept { return failure_.fault; }
    /// Returns the HTTP status; 0 if there was no answer.
    [[nodiscard]] int status() const noexcept { return failure_.status; }
    /// Returns the server's `error.code`; empty if there was none.
    [[nodiscard]] const std::string& code() const noexcept { return failure_.code; }
    /// Returns the server's `error.type`; empty if there was none.
    [[nodiscard]] const std::string& type() const noexcept { return failure_.type; }
    /// Returns the server's id of the request.
    [[nodiscard]] const std::string& request_id() const noexcept { return failure_.request_id; }
    /// Returns whether the same request may succeed later.
    [[nodiscard]] bool is_transient() const noexcept { return failure_.is_transient; }
    /// Returns how long the server asks to wait.
    [[nodiscard]] std::optional<std::chrono::milliseconds> retry_after() const noexcept { return failure_.retry_after; }
    /// Returns the number of requests.
    [[nodiscard]] int attempts() const noexcept { return failure_.attempts; }
    /// Returns all details.
    [[nodiscard]] const ChatModelFailure& failure() const noexcept { return failure_; }

    /// Returns an error of the fault `configuration`, for clients to throw before they send anything.
    [[nodiscard]] static ChatModelError configuration(const std::string& message) {
        return {message, {.fault = ChatModelFault::configuration}};
    }

private:
    ChatModelFailure failure_;
};

/// A tool, as a model learns of it.
struct ToolDefinition {
    /// The name by which the model calls it.
    std::string name{};
    /// What it does, for the model.
    std::string description{};
    Json parameters = Json(Json::value_t::object);  ///< The JSON Schema of the arguments.

    friend bool operator==(const ToolDefinition&, const ToolDefinition&) = default;
};

/// The tools of a request. Copying takes constant time, however many there are: all requests of a conversation mostly
/// have the same. What may change the tools (the members that are not const) first makes the list one of its own, in
/// linear time if a copy has the same.
///
/// @code{.cpp}
/// acta::ToolList tools{{"now", "The time."}, {"depth", "The depth of the water."}};
/// acta::ChatOptions options{.tools = tools};
/// options.tools.push_back({"tide", "The next tide."});
/// assert(options.tools.size() == 3 && tools.size() == 2);
/// @endcode
class ToolList {
public:
    using value_type = ToolDefinition;                                   ///< A tool.
    using iterator = std::vector<ToolDefinition>::iterator;              ///< Of a contiguous range.
    using const_iterator = std::vector<ToolDefinition>::const_iterator;  ///< The same, for reading.

    /// Makes an empty list.
    ToolList() = default;
    /// Makes a list of these tools; linear, unless they are moved.
    ToolList(std::vector<ToolDefinition> tools);  // NOLINT(google-explicit-constructor): it is a list of tools
    /// Makes a list of these tools; linear.
    ToolList(std::initializer_list<ToolDefinition> tools);

    /// Returns all tools.
    [[nodiscard]] const std::vector<ToolDefinition>& all() const noexcept;
    /// Returns the number of tools.
    [[nodiscard]] std::size_t size() const noexcept { return all().size(); }
    /// Returns whether there is none.
    [[nodiscard]] bool empty() const noexcept { return all().empty(); }
    /// Returns the first tool, to be read.
    [[nodiscard]] const_iterator begin() const noexcept { return all().begin(); }
    /// Returns the end of the list, for reading.
    [[nodiscard]] const_iterator end() const noexcept { return all().end(); }
    /// Returns the tool at an index, which must be less than `size()`.
    [[nodiscard]] const ToolDefinition& operator[](std::size_t i) const noexcept { return all()[i]; }
    /// Returns the first tool; there must be one.
    [[nodiscard]] const ToolDefinition& front() const noexcept { return all().front(); }
    /// Returns the last tool; there must be one.
    [[nodiscard]] const ToolDefinition& back() const noexcept { return all().back(); }

    /// Returns the first tool, to be changed.
    [[nodiscard]] iterator begin() { return own().begin(); }
    /// Returns the end of the list, for changing it.
    [[nodiscard]] iterator end() { return own().end(); }
    /// Returns the tool at an index, which must be less than `size()`, to be changed.
    [[nodiscard]] ToolDefinition& operator[](std::size_t i) { return own()[i]; }
    /// Returns the first tool, to be changed; there must be one.
    [[nodiscard]] ToolDefinition& front() { return own().front(); }
    /// Returns the last tool, to be changed; there must be one.
    [[nodiscard]] ToolDefinition& back() { return own().back(); }
    /// Adds a tool at the end.
    void push_back(ToolDefinition tool);
    /// Removes all tools.
    void clear() noexcept { tools_.reset(); }
    /// Removes the tools that fulfil a condition, and returns their number.
    template <class Condition>
    friend std::size_t erase_if(ToolList& list, const Condition& condition) {
        return std::erase_if(list.own(), condition);
    }

    /// Returns whether two lists are copies of one that have not been changed; constant.
    [[nodiscard]] bool is_same(const ToolList& other) const noexcept { return tools_ == other.tools_; }
    /// Returns whether two lists have equal tools.
    friend bool operator==(const ToolList& a, const ToolList& b) { return a.is_same(b) || a.has_equal(b); }

private:
    /// Returns the tools to be changed, of which no other list has the same.
    std::vector<ToolDefinition>& own();
    [[nodiscard]] bool has_equal(const ToolList& other) const;

    std::shared_ptr<std::vector<ToolDefinition>> tools_{};
};

/// Whether the model calls tools: as it decides, never, at least one, or the one of a given name.
///
/// @code{.cpp}
/// acta::ChatOptions options;
/// options.tool_choice = acta::ToolChoice::required;
/// options.tool_choice = acta::ToolChoice::tool("search");
/// @endcode
struct ToolChoice {
    /// The kinds of choices.
    enum Kind {
        automatic,  ///< As the model decides.
        none,       ///< No tool.
        required,   ///< At least one tool.
        named       ///< The tool `name`.
    };
    Kind kind = automatic;  ///< The kind.
    std::string name{};     ///< Of the tool that is called, for `named`.

    /// Makes the choice `automatic`.
    ToolChoice() = default;
    /// Makes a choice without a name.
    ToolChoice(Kind of) : kind(of) {}  // NOLINT(google-explicit-constructor): ToolChoice::none is a choice
    /// Returns the choice of the tool with this name, which must be one of `ChatOptions::tools`.
    [[nodiscard]] static ToolChoice tool(std::string name);

    friend bool operator==(const ToolChoice&, const ToolChoice&) = default;
};

/// A part of the answer's text, as it arrives.
struct TextDelta {
    std::string text{};  ///< The new part.

    friend bool operator==(const TextDelta&, const TextDelta&) = default;
};
/// A part of what the model thinks before it answers.
struct ReasoningDelta {
    std::string text{};  ///< The new part.

    friend bool operator==(const ReasoningDelta&, const ReasoningDelta&) = default;
};
/// A part of a call.
struct CallDelta {
    std::size_t index = 0;    ///< Of the call in the answer, from 0 on.
    std::string id{};         ///< Of the call; empty if the server has not said it yet.
    std::string name{};       ///< Of the tool, as in `ChatOptions::tools`; the same in each part of a call.
    std::string arguments{};  ///< The new part of the arguments, as JSON.

    friend bool operator==(const CallDelta&, const CallDelta&) = default;
};
/// The answer broke off, and the model is asked again: the parts so far are void.
struct AnswerRestarted {
    friend bool operator==(const AnswerRestarted&, const AnswerRestarted&) = default;
};
/// A part of an answer.
using ChatDelta = std::variant<TextDelta, ReasoningDelta, CallDelta, AnswerRestarted>;

/// Options of a request. Those that are empty are left to the model.
struct ChatOptions {
    /// The tools that the model may call (`tools(registry)`), under their own names: the model writes names that its
    /// API accepts, and calls come back with the original names.
    ToolList tools{};
    /// Whether it calls them.
    ToolChoice tool_choice{};
    std::optional<Json> response_schema{};  ///< Asks for an answer that is a JSON value of this schema.
    /// Of a typed answer (`ask<T>`, `run_agent<T>`): whether the model reads its schema in the text, for models and
    /// servers that have no `response_schema`.
    bool schema_in_text = false;
    /// The name of the model.
    std::optional<std::string> model{};
    /// The sampling temperature.
    std::optional<double> temperature{};
    std::optional<std::int64_t> max_tokens{};  ///< Bound of the answer.
    Until until{};                             ///< Cancels the request, or ends it as a `Timeout`.
    /// Called with each part of the answer's text as it arrives, if the model can stream, by the thread that asks. An
    /// exception that it throws ends the request. A request is not repeated once a part was passed on, unless there is
    /// `on_event` too.
    Callback<void(std::string_view)> on_text{};
    /// The same for each part of the answer: text, reasoning and calls. If the answer breaks off and is asked for
    /// again, it is called with `AnswerRestarted` before.
    Callback<void(const ChatDelta&)> on_event{};
    /// Whether a request may be repeated once a part of its answer was passed on to `on_event`.
    bool restart = true;
    /// The most requests for this answer, from 1 on: a model that retries by itself makes no more. Without it the
    /// model's own limit holds.
    std::optional<std::size_t> max_attempts{};
    /// Set by a run, to be passed on or left out: what the client has written of the run's earlier requests.
    std::shared_ptr<chat_detail::KeptRequest> kept{};
};

/// The tokens of a completion.
struct TokenUsage {
    std::int64_t prompt_tokens = 0;      ///< Of the request, those from and for a cache included.
    std::int64_t completion_tokens = 0;  ///< Of the answer, those of reasoning included.
    /// Of the request, those that the provider had in its prompt cache, if it says so.
    std::optional<std::int64_t> cached_tokens{};
    /// Of the request, those that it wrote to its prompt cache, if it says so.
    std::optional<std::int64_t> cache_write_tokens{};
    std::optional<std::int64_t> reasoning_tokens{};  ///< Of the answer, those of reasoning, if the provider says so.
    bool estimated = false;  ///< Whether a part of it was not reported, but counted by acta; written when true.

    /// Adds the tokens of another completion. A sum out of range stays at the largest number.
    TokenUsage& operator+=(const TokenUsage& other) noexcept {
        prompt_tokens = base::saturated_sum(prompt_tokens, other.prompt_tokens);
        completion_tokens = base::saturated_sum(completion_tokens, other.completion_tokens);
        cached_tokens = base::saturated_sum(cached_tokens, other.cached_tokens);
        cache_write_tokens = base::saturated_sum(cache_write_tokens, other.cache_write_tokens);
        reasoning_tokens = base::saturated_sum(reasoning_tokens, other.reasoning_tokens);
        estimated = estimated || other.estimated;
        return *this;
    }

    friend bool operator==(const TokenUsage&, const TokenUsage&) = default;
};

/// Why a model stopped writing, as one of the kinds that all APIs have.
enum class FinishReason {
    unknown,         ///< The server gave no reason, or one that acta does not know.
    stop,            ///< The answer is complete.
    length,          ///< A limit of tokens cut the answer off.
    tool_calls,      ///< The answer ends with calls of tools.
    content_filter,  ///< A filter of the server cut the answer off, or the model refused to answer.
    paused,          ///< The server paused a long answer, and continues it when it is sent back (`pause_turn`).
    error            ///< The answer failed or was cancelled, or the model wrote a call that cannot be read.
};

/// Returns the kind of a finish reason in the words of OpenAI, Anthropic, Google, Mistral and local servers, in any
/// case; `unknown` for other words.
[[nodiscard]] FinishReason finish_reason_of(std::string_view raw) noexcept;

/// The answer of a model, and the server's information about it.
struct ChatCompletion {
    /// The message of the model.
    AssistantChatMessage message{};
    /// The tokens, if the server states them.
    std::optional<TokenUsage> usage{};
    std::string finish_reason{};  ///< `stop`, `length`, `tool_calls` or another word of the server; may be empty.
    std::string model{};          ///< The model that answered; may be empty.

    /// Returns the kind of `finish_reason`.
    [[nodiscard]] FinishReason finish() const noexcept { return finish_reason_of(finish_reason); }

    friend bool operator==(const ChatCompletion&, const ChatCompletion&) = default;
};

/// A model: called with a conversation and options, it returns a completion, or throws.
///
/// @code{.cpp}
/// const auto echo = [](std::span<const acta::ChatMessage> messages, const acta::ChatOptions&) {
///     acta::ChatCompletion completion;
///     completion.message.content = messages.back().content;
///     return completion;
/// };
/// static_assert(acta::ChatModel<decltype(echo)>);
/// @endcode
template <class M>
concept ChatModel = std::is_invocable_r_v<ChatCompletion, M&, std::span<const ChatMessage>, const ChatOptions&>;

namespace chat_detail {

/// Ends the compilation with advice if this is not a model.
template <class M>
consteval void require_chat_model() {
    constexpr bool is_model = ChatModel<M>;
    constexpr bool is_name = !is_model && std::is_convertible_v<M, std::string_view>;
    static_assert(!is_name,
                  "acta: a model is an object that can be asked, such as an acta::openai::ChatModel, and not its name, "
                  "which is its option `model`");
    static_assert(is_model || is_name,
                  "acta: a model is called with (std::span<const acta::ChatMessage>, const acta::ChatOptions&) and "
                  "returns an acta::ChatCompletion");
}

template <class M, class Question, class Options>
concept NotAsk = !ChatModel<std::remove_reference_t<M>> || !std::is_convertible_v<Options, ChatOptions> ||
                 (!std::is_convertible_v<Question, std::span<const ChatMessage>> &&
                  !std::is_convertible_v<Question, std::string_view>);

template <class M, class Question>
consteval void explain_ask() {
    constexpr bool is_out_of_order = ChatModel<std::remove_reference_t<M>> || ChatModel<Question>;
    static_assert(!is_out_of_order,
                  "acta: the arguments are ask<T>(model, question, options, attempts), where the question is a text or "
                  "a std::span<const acta::ChatMessage>");
    if constexpr (!is_out_of_order) require_chat_model<M>();
}

}  // namespace chat_detail

/// Any model, held by value.
using AnyChatModel = std::function<ChatCompletion(std::span<const ChatMessage>, const ChatOptions&)>;

/// A reference to any model, so that a function that asks a model need not be a template. Like a view, it must not
/// outlive the model.
class ChatModelRef {
public:
    /// Refers to `model`.
    template <ChatModel M>
        requires(!std::same_as<std::remove_cvref_t<M>, ChatModelRef>)
    ChatModelRef(M& model)  // NOLINT(google-explicit-constructor): converts like a reference
        : model_(address_of(model)), call_(&call<M>) {}

    /// Asks the model.
    ChatCompletion operator()(std::span<const ChatMessage> messages, const ChatOptions& options) const {
        return call_(model_, messages, options);
    }

private:
    template <class M>
    static void* address_of(M& model) noexcept {
        if constexpr (std::is_function_v<M>)
            return reinterpret_cast<void*>(&model);
        else
            return const_cast<void*>(static_cast<const void*>(&model));
    }
    template <class M>
    static ChatCompletion call(void* model, std::span<const ChatMessage> messages, const ChatOptions& options) {
        if constexpr (std::is_function_v<M>)
            return std::invoke(reinterpret_cast<M*>(model), messages, options);
        else
            return std::invoke(*static_cast<M*>(model), messages, options);
    }

    void* model_;
    ChatCompletion (*call_)(void* model, std::span<const ChatMessage> messages, const ChatOptions& options);
};

template <>
struct Describe<ToolDefinition> {
    static constexpr auto fields =
        acta::fields(required("name", &ToolDefinition::name), defaulted("description", &ToolDefinition::description),
                     required("parameters", &ToolDefinition::parameters));
};

template <>
struct Describe<TokenUsage> {
    using Self = TokenUsage;
    static constexpr auto fields = acta::fields(
        defaulted("prompt_tokens", &Self::prompt_tokens), defaulted("completion_tokens", &Self::completion_tokens),
        omit_if_empty("cached_tokens", &Self::cached_tokens),
        omit_if_empty("cache_write_tokens", &Self::cache_write_tokens),
        omit_if_empty("reasoning_tokens", &Self::reasoning_tokens), omit_if_empty("estimated", &Self::estimated));
};

template <>
struct Describe<ChatCompletion> {
    static constexpr auto fields = acta::fields(
        required("message", &ChatCompletion::message), defaulted("usage", &ChatCompletion::usage),
        defaulted("finish_reason", &ChatCompletion::finish_reason), defaulted("model", &ChatCompletion::model));
};

namespace chat_detail {

/// Returns the JSON in an answer: all of it, what is in a code fence, or the only object in prose. Throws
/// `ChatModelError` (`reply`) if it was cut off or refused.
[[nodiscard]] std::string_view answer_json(const ChatCompletion& completion);

/// The schema that an answer is asked for.
struct AnswerSchema {
    Json schema{};
    std::string not_strict{};  ///< Why servers do not enforce it; empty if they can.
};

/// Returns the schema of a type: strict if the type allows it, since servers then enforce it.
template <class T>
[[nodiscard]] AnswerSchema answer_schema() {
    try {
        return {schema<T>({.dialect = SchemaDialect::openai_strict}), {}};
    } catch (const SchemaError& error) {
        return {schema<T>(), error.what()};
    }
}

/// How a typed answer is asked for: by the API's own means, or in the text. The model reads the schema once at most.
class TypedQuestion {
public:
    /// Sets the schema of the options, unless they have one; with `schema_in_text` it is in the instruction.
    TypedQuestion(Json schema, ChatOptions& options);

    /// Returns a copy of the messages, with what the model has to read before it answers.
    [[nodiscard]] std::vector<ChatMessage> asked(std::span<const ChatMessage> messages) const;
    /// Returns what the model has to read before it answers; may be empty.
    [[nodiscard]] const std::string& instruction() const noexcept { return instruction_; }
    /// Returns what the model has to read after an answer with these faults: with the schema, which the first one may
    /// have ignored.
    [[nodiscard]] std::string refusal(std::string_view faults);
    /// Appends an answer that does not fit, and what the model has to read then.
    void ask_again(std::vector<ChatMessage>& asked, const ChatMessage& answer, const ValidationError& error);

private:
    std::string schema_{};  // empty once the model has read it
    std::string instruction_{};
};

/// Returns the faults of an answer, for a model.
[[nodiscard]] std::string faults_of(const ValidationError& error);

/// Returns a finish reason in OpenAI's word, if there is one that says as much; else as it is.
[[nodiscard]] std::string finish_word(const std::string& raw);

}  // namespace chat_detail

// What other components use beyond the public API: typed answers, the words of the end of an answer, and advice for
// what is not a model.
namespace chat_extension {
using chat_detail::answer_json;
using chat_detail::answer_schema;
using chat_detail::faults_of;
using chat_detail::finish_word;
using chat_detail::require_chat_model;
using chat_detail::TypedQuestion;
}  // namespace chat_extension

/// Asks a model for an answer of a described type. Its schema is sent as `response_schema`, unless the options have
/// one or `schema_in_text`. JSON in a code fence, or as the only object in prose, is taken. An answer that does not fit
/// is shown to the model with its issues and, the first time, the schema, which the server may have ignored, and asked
/// for again, at most `attempts` times in all. Throws `ValidationError` if none fits, `ChatModelError` (`reply`) if an
/// answer was cut off or refused, and whatever the model throws. Which types a server can enforce: docs/schemas.md.
///
/// @code{.cpp}
/// acta::ScriptedChatModel model{"{}", R"({"prompt_tokens": 3})"};
/// const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("How many tokens?")};
/// assert(acta::ask<acta::TokenUsage>(model, messages).prompt_tokens == 0);
/// @endcode
template <class T, class M>
    requires ChatModel<std::remove_reference_t<M>>
[[nodiscard]] T ask(M&& model, std::span<const ChatMessage> messages, ChatOptions options = {},
                    std::size_t attempts = 2) {
    chat_detail::TypedQuestion question(chat_detail::answer_schema<T>().schema, options);
    std::vector<ChatMessage> asked = question.asked(messages);
    for (std::size_t attempt = 1;; ++attempt) {
        const ChatCompletion completion = model(asked, options);
        try {
            return parse<T>(chat_detail::answer_json(completion));
        } catch (const ValidationError& error) {
            if (attempt >= attempts) throw;
            question.ask_again(asked, completion.message, error);
        }
    }
}

/// The same for one question.
template <class T, class M>
    requires ChatModel<std::remove_reference_t<M>>
[[nodiscard]] T ask(M&& model, std::string_view question, ChatOptions options = {}, std::size_t attempts = 2) {
    const ChatMessage message = ChatMessage::user(std::string(question));
    return ask<T>(model, std::span(&message, 1), std::move(options), attempts);
}

/// Does not compile, and says what the arguments are.
template <class T, class Model, class Question, class Options = ChatOptions>
    requires chat_detail::NotAsk<Model, Question, const Options&>
T ask(Model&&, Question&&, const Options& = {}, std::size_t = 2) {
    chat_detail::explain_ask<Model, Question>();
    return T();
}

namespace chat_detail {

/// Asks a model, and sends the event to the observer.
[[nodiscard]] ChatCompletion ask_observed(const ChatModelRef& model, Observer* observer,
                                          std::span<const ChatMessage> messages, const ChatOptions& options);

}  // namespace chat_detail

/// A chat model whose requests an observer sees; made by `observed`.
template <ChatModel M>
class ObservedChatModel {
public:
    /// Made by `observed`.
    ObservedChatModel(M model, Observer* observer)
        : model_(std::make_shared<M>(std::move(model))), observer_(observer) {}

    /// Asks the model and reports the request to the observer, also if the model throws.
    ChatCompletion operator()(std::span<const ChatMessage> messages, const ChatOptions& options) const {
        return chat_detail::ask_observed(ChatModelRef(*model_), observer_, messages, options);
    }

    /// Returns the model that is observed.
    [[nodiscard]] M& model() const noexcept { return *model_; }

private:
    std::shared_ptr<M> model_;  // shared by copies, as all of them should ask one model
    Observer* observer_;
};

/// Returns a model that sends an event `chat_model` for each request, with its tokens or its error, but without the
/// messages to and from the model. The model is moved or copied into it (`std::ref(model)` refers to it); the observer
/// must outlive it, and may be null.
///
/// @code{.cpp}
/// acta::Observer observer;   // derive your own
/// const auto model = acta::observed(
///     [](std::span<const acta::ChatMessage>, const acta::ChatOptions&) { return acta::ChatCompletion(); }, observer);
/// acta::ChatCompletion completion = model({}, {});
/// @endcode
template <class M>
    requires ChatModel<std::decay_t<M>>
[[nodiscard]] ObservedChatModel<std::decay_t<M>> observed(M&& model, Observer* observer) {
    return ObservedChatModel<std::decay_t<M>>(std::forward<M>(model), observer);
}
/// As above, for an observer that is never null.
template <class M>
    requires ChatModel<std::decay_t<M>>
[[nodiscard]] ObservedChatModel<std::decay_t<M>> observed(M&& model, Observer& observer) {
    return observed(std::forward<M>(model), &observer);
}
template <class M, class O>
    requires(!ChatModel<std::decay_t<M>>)
void observed(M&&, O&&) = delete;  // acta: the first argument is a model, such as acta::openai::ChatModel

/// A scripted model was asked more often than its script has replies.
class ScriptEnded : public Error {
public:
    using Error::Error;
};

/// A request that a scripted model received.
struct ChatRequest {
    std::vector<ChatMessage> messages{};  ///< A copy of the conversation.
    ChatOptions options{};                ///< A copy of the options.
};

namespace chat_extension {

/// Passes on the parts of a completion, as a model that streams does: words, reasoning, and each call as a whole.
void stream(const ChatCompletion& completion, const ChatOptions& options);

}  // namespace chat_extension

/// A chat model for tests and examples: it returns the replies of a script, one after another, and keeps its requests.
/// Copies share script and requests, so that one can be handed on and another asked what happened. Several threads may
/// call it at once. Replies are streamed (`ChatOptions::on_text`, `on_event`): texts word by word, each call as a
/// whole; a function of `reply_by` streams by itself, if it wants to.
///
/// @code{.cpp}
/// acta::ScriptedChatModel model{"High water is at noon."};
/// model.reply_call("search", {{"query", "tides"}}).fail(std::runtime_error("no connection"));
///
/// const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("When is high water?")};
/// std::string answer = model(messages, {}).message.content;   // High water is at noon.
/// std::size_t asked = model.requests().size();                // 1
/// @endcode
class ScriptedChatModel {
public:
    ScriptedChatModel();
    /// A model that answers these texts.
    ScriptedChatModel(std::initializer_list<std::string> replies);

    /// Appends a completion with this text and no calls.
    ScriptedChatModel& reply(std::string text);
    /// @overload
    ScriptedChatModel& reply(const char* text) { return reply(std::string(text)); }
    /// Appends a whole completion.
    ScriptedChatModel& reply(ChatCompletion completion);
    /// Appends a native tool call.
    ScriptedChatModel& reply_call(std::string name, JsonObject arguments);
    /// Appends what a function returns for the request.
    ScriptedChatModel& reply_by(AnyChatModel function);
    /// Appends an exception, which the model throws.
    template <class Exception>
    ScriptedChatModel& fail(Exception exception) {
        return reply_by([exception = std::move(exception)](std::span<const ChatMessage>,
                                                           const ChatOptions&) -> ChatCompletion { throw exception; });
    }

    /// Returns the next reply. Throws `ScriptEnded` if there is none.
    ChatCompletion operator()(std::span<const ChatMessage> messages, const ChatOptions& options) const;

    /// Returns the requests so far.
    [[nodiscard]] std::vector<ChatRequest> requests() const;
    /// Returns the number of replies that are left.
    [[nodiscard]] std::size_t remaining() const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/chat/detail/chat_model.inl.hpp"
#endif
