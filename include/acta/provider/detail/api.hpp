// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/retry.hpp"
#include "acta/base/unicode.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/extension.hpp"
#include "acta/chat/message.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/issue.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/detail/wire.hpp"
#include "acta/provider/http/http.hpp"
#include "acta/version.hpp"

// What the codecs of all providers have in common.
namespace acta::inline ACTA_ABI::provider_detail {

[[nodiscard]] inline std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = ascii::to_lower(c);
    return out;
}

// Members of what servers send, which is often of another type than their API's documentation says.

[[noreturn]] inline void throw_reply(const std::string& message) {
    throw ChatModelError("the answer is not a completion: " + message, {.fault = ChatModelFault::reply});
}

/// Throws the same for the first issue of a message, whose place is below `path`.
[[noreturn]] inline void throw_reply(const std::string& path, const ValidationError& error) {
    const Issue& first = error.issues().front();
    throw_reply(path + codec::loc_as_dots(first.loc) + ": " + first.message);
}

/// Returns the member of an object, or a null pointer if there is none or it is null.
[[nodiscard]] inline const Json* member(const Json& object, std::string_view key) {
    const Json* const found = base::find_key(object, key);
    return found == nullptr || found->is_null() ? nullptr : found;
}

/// Returns a text of a server in a form that fits into one line of a message: UTF-8, no controls, nothing that hides or
/// turns text, not too long.
[[nodiscard]] inline std::string quoted_text(std::string_view text) {
    constexpr std::size_t longest = 1000;
    const std::string clean = utf8::replace_invalid(text.substr(0, longest * 2));
    std::string out = unicode::one_line(utf8::prefix(clean, longest));
    return utf8::prefix(clean, longest).size() < text.size() ? out + "..." : out;
}

/// Returns an id or a code as text, also if it is a number; empty if it is neither.
[[nodiscard]] inline std::string id_text(const Json* value) {
    if (value == nullptr) return {};
    if (value->is_string()) return base::text_of(*value);
    if (const auto number = base::whole_number(*value)) return std::to_string(*number);
    return value->is_number() ? value->dump() : std::string();
}

/// Returns a member that is a whole number, such as an index; 0 if it is none.
[[nodiscard]] inline std::int64_t count_member(const Json& object, std::string_view key) {
    const Json* const found = member(object, key);
    return found == nullptr ? 0 : base::whole_number(*found).value_or(0);
}

/// Returns the usage in the body of an answer; nothing if it reports none.
[[nodiscard]] inline std::optional<TokenUsage> usage_of(const Json& body) {
    const Json* const usage = member(body, "usage");
    if (usage == nullptr || !usage->is_object()) return std::nullopt;
    const chat_extension::UsageCounts counts = chat_extension::usage_counts(*usage);
    return TokenUsage{.prompt_tokens = counts.prompt.value_or(0),
                      .completion_tokens = counts.completion.value_or(0),
                      .cached_tokens = counts.cached,
                      .cache_write_tokens = counts.cache_write,
                      .reasoning_tokens = counts.reasoning};
}

/// Returns whether an answer with this finish reason ended before the model had said everything, perhaps in a call.
[[nodiscard]] inline bool is_cut(std::string_view finish) noexcept {
    const FinishReason reason = finish_reason_of(finish);
    return reason == FinishReason::length || reason == FinishReason::content_filter;
}

// Halves of UTF-16 pairs. A server that cuts a text between the two escapes of a character sends each half in a part of
// its own, which JSON cannot be read with. Until the parts are joined, a half is kept as a noncharacter and a character
// for private use, whose place among those is that of the half among the surrogates.

/// Returns JSON with marks in place of escapes that are only half of a character.
[[nodiscard]] std::string mark_surrogates(std::string_view json);
/// Returns the text with characters in place of pairs of marks, and U+FFFD in place of single ones.
[[nodiscard]] std::string join_surrogates(std::string_view text);
/// Does the same in all texts of a value.
void join_surrogates_in(Json& value);
/// The length of a mark at the end of `text` for the first half of a character, whose other half may follow; else 0.
[[nodiscard]] std::size_t open_surrogate(std::string_view text) noexcept;

/// Returns the beginning of a text, for an error. Secrets are hidden first: a truncated one would not be recognised.
[[nodiscard]] std::string beginning(std::string_view text, const http::Secrets& secrets);

/// Parses JSON, with marks for halves of characters, and null for values that are not numbers. Throws
/// `ValidationError`.
[[nodiscard]] Json read_json(std::string_view text, const ParseOptions& options);
/// The same for the body of an answer. Throws `ChatModelError` (`reply`) with the beginning of a text
/// that is not JSON.
[[nodiscard]] Json read_body(std::string_view text, const ParseOptions& options, const http::Secrets& secrets = {});

// Errors that servers report.

/// Returns whether a request that failed with this status may succeed later. RFC 9110: 408, 429, 502 to 504 are
/// temporary by their nature; 409 is a lock of the server that timed out, and other 5xx are treated alike by OpenAI's
/// own clients.
[[nodiscard]] constexpr bool is_transient_status(int status) noexcept {
    return status == 408 || status == 409 || status == 429 || (status >= 500 && status <= 599);
}

/// A server's report of an error: `error` with `message`, `type` and `code` (text or number), a text alone, or another
/// server's `message` or `detail`. Empty if it reports nothing.
struct ServerError {
    std::string message{};
    std::string code{};
    std::string type{};
    int status = 0;  ///< Of HTTP, as the report has it, or as its type or code means; 0 if it says nothing.
};

/// Reads a report of an error.
[[nodiscard]] ServerError server_error(const Json& body);
/// Reads the same from an answer with an error status, whose body need not be JSON.
[[nodiscard]] ServerError server_error_text(std::string_view text, const ParseOptions& options,
                                            const http::Secrets& secrets = {});
/// Returns the error in the body, or a part, of a response with the status 200; nothing if it reports none.
/// `is_error` if the event's name says that it is one.
[[nodiscard]] std::optional<ServerError> error_in(const Json& body, bool is_error);

/// What the words of a report are about; `error_words` lists them.
enum class Word { code, too_long, quota, cipher, field, rate, context, input, request, output, part, excess, measure };
/// Returns whether a text, in lower case, contains one of the words of this kind.
[[nodiscard]] bool says(Word kind, std::string_view text) noexcept;
/// Returns whether the same request may succeed later.
[[nodiscard]] bool is_transient(const ServerError& error);
/// Returns whether a server refused a request because it has more tokens than the model can read: by its status or its
/// code, else by the words of its message. docs/reference/provider.md, "Errors of servers".
[[nodiscard]] bool is_context_too_long(const ServerError& error);

// The tools of a request, whose names every API restricts in the same way.

/// Returns the names of all tools of a request, including those of earlier calls, in a form that the API accepts.
[[nodiscard]] inline ToolNames tool_names(std::span<const ChatMessage> messages, const ChatOptions& options) {
    std::vector<std::string> names;
    std::set<std::string_view> known;
    const auto add = [&](const std::string& name) {
        if (!name.empty() && known.insert(name).second) names.push_back(name);
    };
    for (const ToolDefinition& tool : options.tools) add(tool.name);
    for (const ChatMessage& message : messages) {
        for (const AssistantToolCall& call : message.tool_calls) add(call.function.name);
    }
    return ToolNames(names);
}

/// Returns the schema of a tool's arguments with what all APIs require at its root, also of a tool without parameters.
[[nodiscard]] inline Json parameters_of(const ToolDefinition& tool) {
    Json out = tool.parameters.is_object() ? tool.parameters : Json(JsonObject());
    if (base::find_key(out, "type") == nullptr) base::put(out, "type", base::text_json("object"));
    if (base::find_key(out, "properties") == nullptr && base::is_text(*base::find_key(out, "type"), "object"))
        base::put(out, "properties", Json(JsonObject()));
    return out;
}

/// The tools of a request, as an API has them. The next request mostly has the same, so that a codec keeps them.
struct RequestTools {
    ToolList list{};
    ToolNames names{};          ///< Of these tools, and of those that the messages call unless the names are legal.
    bool are_all_legal = true;  ///< Whether the tools have the names by which they are called.
    std::string text{};         ///< The list in the form of the API, as JSON; empty without tools.

    /// Returns whether the names are those of a request with these messages.
    [[nodiscard]] bool fit(std::span<const ChatMessage> messages) const;
};

// What differs between the APIs of providers.

/// Assembles the events of a stream into the body that would have come without streaming.
class StreamedBody {
public:
    StreamedBody() = default;
    StreamedBody(const StreamedBody&) = delete;
    StreamedBody& operator=(const StreamedBody&) = delete;
    virtual ~StreamedBody() = default;

    /// Adds an event, and the new parts of the answer to `deltas`. Throws `ChatModelError` (`reply`).
    virtual void add(const Json& event, std::vector<ChatDelta>& deltas) = 0;
    /// Returns whether the answer is there; more may follow, such as its usage.
    [[nodiscard]] virtual bool is_finished() const noexcept = 0;
    /// Returns whether nothing follows.
    [[nodiscard]] virtual bool is_complete() const noexcept { return false; }
    /// Returns the body of the answer.
    [[nodiscard]] virtual Json take() = 0;
};

/// Writes the requests of one API and reads its answers.
class Api {
public:
    Api() = default;
    Api(const Api&) = delete;
    Api& operator=(const Api&) = delete;
    virtual ~Api() = default;

    /// Returns a tool in the form of the API, under this name.
    [[nodiscard]] virtual JsonObject tool_entry(const ToolDefinition& tool, const std::string& name) const = 0;
    /// Returns the body of a request. `tools` are those of the options and fit the messages; `plain` if the server has
    /// refused what can be omitted.
    [[nodiscard]] virtual std::string request_body(std::span<const ChatMessage> messages, const ChatOptions& options,
                                                   const std::shared_ptr<const RequestTools>& tools,
                                                   bool plain = false) const = 0;
    /// Returns the completion in the body of an answer. Throws `ChatModelError` (`reply`) if there is none.
    [[nodiscard]] virtual ChatCompletion read(const Json& body, const ParseOptions& options) const = 0;
    [[nodiscard]] virtual std::unique_ptr<StreamedBody> new_stream() const = 0;
    /// Returns whether the server refused a part of the request that a plain one does not have.
    [[nodiscard]] virtual bool may_be_plain(const ChatModelError& /*error*/) const { return false; }
};

/// An API whose requests have members of these options.
template <class Options>
class OptionsApi : public Api {
public:
    explicit OptionsApi(const Options& options) : own_(options) {
        own_.api_key.reset();  // kept in one place only
        own_.headers.clear();
    }

protected:
    [[nodiscard]] JsonObject new_body(const ChatOptions& options) const {
        JsonObject body;
        const std::string& model = options.model ? *options.model : own_.model;
        if (!model.empty()) body.emplace("model", model);
        return body;
    }
    void add_temperature(JsonObject& body, const ChatOptions& options) const {
        if (const auto temperature = options.temperature ? options.temperature : own_.temperature)
            body.emplace("temperature", *temperature);
    }
    /// Returns whether to stream the answer.
    bool add_stream(JsonObject& body, const ChatOptions& options) const {
        const bool streams = options.on_text || options.on_event;
        if (streams) body.emplace("stream", true);
        return streams;
    }
    /// Returns the body as text, with the messages written into it in place of the value of this key, and `tools` in
    /// place of the value of its member, if there are any.
    [[nodiscard]] std::string written(JsonObject body, std::string_view key,
                                      const std::function<void(codec::Encoder& e)>& messages,
                                      std::string_view tools) const {
        for (const auto& [name, value] : own_.extra) body[name] = value;
        const bool has_tools = !tools.empty() && base::find_key(own_.extra, "tools") == nullptr;
        const Written whole{[&](codec::Encoder& e) {
            e.out.begin_object();
            for (const auto& [name, value] : body) {
                const codec::Encoder::Step step(e, name);
                e.key(name);
                if (name == key)
                    messages(e);
                else if (has_tools && name == "tools")
                    e.out.raw(tools);
                else
                    e.json(value);
            }
            e.out.end_object();
        }};
        // `dump` would measure the text first. The requests of a conversation are each about as long as the last.
        std::string out;
        out.reserve(last_size_.load(std::memory_order_relaxed));
        dump_to(whole, [&out](std::string_view piece) { out += piece; });
        last_size_.store(out.size(), std::memory_order_relaxed);
        return out;
    }

    Options own_;

private:
    mutable std::atomic<std::size_t> last_size_{0};  // of a body
};

/// Returns the tool that a request is to call, as it is called there, or null if it names none. Throws `ChatModelError`
/// (`configuration`) if the request has no such tool.
[[nodiscard]] const std::string* chosen_tool(const ChatOptions& options, const ToolNames& names);

/// What an API wants of its clients, whatever their options are.
struct ApiRules {
    std::string_view path{};        ///< Of the requests, below the base URL.
    const char* key_variable = "";  ///< The key's place in the environment.
    const char* key_header = "";    ///< The name of the header with the key.
    std::string_view key_prefix{};  ///< Before the key in it.
    const char* options_name = "";  ///< Of the class, for messages.
    std::vector<std::pair<std::string, std::string>> headers{};
};

/// What a codec shares with its readers.
struct CodecState {
    std::unique_ptr<const Api> api{};
    http::Request request{};  ///< Without body, deadline and stop.
    std::string shown_url{};  ///< Without a query, which may hold a key.
    std::string host{};
    std::string model{};
    http::Secrets secrets{};
    bool has_key = false;  ///< Whether a header holds a secret.
    std::chrono::milliseconds timeout{};
    RetryOptions retry{};
    http::Transport transport{};
    std::function<bool(const ChatModelError&)> is_context_too_long{};
    mutable std::mutex mutex{};
    mutable std::shared_ptr<const RequestTools> kept_tools{};  ///< Of an earlier request; below `mutex`.

    /// Returns the tools of a request. Where the last one had the same, in time for the names in the messages alone.
    [[nodiscard]] std::shared_ptr<const RequestTools> tools_of(std::span<const ChatMessage> messages,
                                                               const ChatOptions& options) const;
    [[nodiscard]] ParseOptions parsing() const { return {.keep_large_numbers = true, .max_bytes = request.max_bytes}; }
};

/// Sets the destination and the headers of requests. Throws `ChatModelError` (`configuration`), without any secret, if
/// they cannot be used.
void set_destination(CodecState& state, const ApiRules& rules, std::string_view base_url,
                     const std::optional<std::string>& api_key,
                     std::span<const std::pair<std::string, std::string>> headers, const JsonObject& extra,
                     const std::optional<std::string>& proxy);

/// Checks the options and prepares them for requests. Throws `ChatModelError` (`configuration`).
template <class Options>
[[nodiscard]] std::shared_ptr<CodecState> codec_state(const Options& options, const ApiRules& rules) {
    auto out = std::make_shared<CodecState>();
    set_destination(*out, rules, options.base_url, options.api_key, options.headers, options.extra, options.proxy);
    if (options.timeout.count() <= 0 || options.connect_timeout.count() <= 0)
        throw ChatModelError::configuration("a timeout must be positive");
    if (options.retry.max_attempts < 1) throw ChatModelError::configuration("there must be at least one attempt");
    out->request.ca_file = options.ca_file;
    out->request.connect_timeout = options.connect_timeout;
    out->request.max_bytes = options.max_response_bytes;
    out->model = options.model;
    out->timeout = options.timeout;
    out->retry = options.retry;
    out->transport = options.transport;
    out->is_context_too_long = options.is_context_too_long;
    return out;
}

}  // namespace acta::inline ACTA_ABI::provider_detail
