// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <exception>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/chat/extension.hpp"
#include "acta/provider/codec.hpp"
#include "acta/provider/detail/api.hpp"
#include "acta/provider/detail/server_text.inl.hpp"

// Errors that servers report.
namespace acta::inline ACTA_ABI::provider_detail {

/// Returns whether a member says nothing, as servers that fill every member write it.
[[nodiscard]] ACTA_INLINE bool is_nothing(const Json& value) {
    if (value.is_null()) return true;
    if (value.is_string()) return ascii::is_blank(base::text_of(value));
    if (value.is_boolean()) return !base::boolean_of(value);
    if (value.is_number()) return base::whole_number(value) == 0;
    return std::all_of(value.begin(), value.end(), [](const Json& one) { return is_nothing(one); });
}

struct ErrorWords {
    Word kind{};
    int status = 0;            ///< Of HTTP, that the words of `Word::code` mean.
    std::string_view words{};  ///< In lower case, separated by `|`.
};

/// The words in which OpenAI, Anthropic, Google, Bedrock and others, local servers and gateways report errors; the
/// replies in tests/provider/wire/ have most of them. Each kind but `code` has one row.
inline constexpr ErrorWords error_words[] = {
    // Whole types and codes.
    {Word::code, 401, "authentication_error|invalid_api_key|unauthenticated"},
    {Word::code, 402, "billing_error"},
    {Word::code, 403, "permission_error|permission_denied"},
    {Word::code, 404, "not_found_error|not_found|model_not_found"},
    {Word::code, 408, "request_timeout"},
    {Word::code, 413, "request_too_large|tokens_limit_reached"},
    {Word::code, 429,
     "rate_limit_error|rate_limit_exceeded|rate_limit_reached|rate_limited|too_many_requests|resource_exhausted|"
     "throttlingexception|tokens|requests"},
    {Word::code, 500, "api_error|server_error|internal|internal_error|internal_server_error|internalservererror"},
    {Word::code, 502, "bad_gateway|upstream_error"},
    {Word::code, 503,
     "slow_down|unavailable|unavailable_error|service_unavailable|service_unavailable_error|"
     "serviceunavailableexception|model_overloaded"},
    {Word::code, 504, "timeout|timeout_error|gateway_timeout|deadline_exceeded"},
    {Word::code, 529, "overloaded|overloaded_error|engine_overloaded|engine_overloaded_error|server_is_overloaded"},
    // Parts of types and codes: the context is too long, a quota is used up.
    {Word::too_long, 0,
     "context_length_exceeded|exceed_context_size|context_window_exceeded|context_too_long|"
     "model_max_prompt_tokens_exceeded|prompt_too_long|input_too_long"},
    {Word::quota, 0,
     "insufficient_quota|billing_hard_limit|insufficient_balance|credit balance|exceeded_current_quota|quota_exceeded"},
    // Parts of messages: encrypted reasoning, and the beginnings of fields' names, which are made of the same words.
    {Word::cipher, 0, "encrypted_content|encrypted content|'include'|include["},
    {Word::field, 0, "messages[|messages.|input[|input.|input_|inputs.|prompt["},
    // A rate, a quota or a time (also in types and codes); what the model reads; what it writes; a part of the request
    // that has a limit of its own; that something is too long; what lengths are measured in.
    {Word::rate, 0,
     "rate limit|rate_limit|rate-limit|ratelimit|per min|per day|per hour|per second|/min|(tpm)|throttl|quota|daily|"
     "monthly|billing|credit|balance|too many requests|please wait|try again later|try again in |before trying again|"
     "timed out|timeout|deadline"},
    {Word::context, 0, "context"},
    {Word::input, 0, "prompt|input|messages|conversation|chat history|sequence length|tokens in request"},
    {Word::request, 0, "request"},
    {Word::output, 0,
     "max_tokens|max_completion_tokens|max_output_tokens|max_new_tokens|output token|completion token|output limit|"
     "max tokens|maximum tokens you requested|maximum tokens value|maxtokens|maxoutputtokens|max_gen_len|num_predict|"
     "completion length|output length|generation length|max output|maximum output|tokens to generate|"
     "tokens to sample"},
    {Word::part, 0,
     "image|audio|video|pdf|file|tool|schema|stop sequence|attachment|document|api key|metadata| mb|function"},
    {Word::excess, 0,
     "too long|too large|too many tokens|too big|exceed|longer than|larger than|greater than|more than|overflow|"
     "maximum|max length|maxlength|must be <=|must have less|less than or equal|at most|not enough|limit|"
     "reduce the length|reduce your|range of input length|shorten|does not fit|run out of|configured context|"
     "length is only|size is only|window is only"},
    {Word::measure, 0, "token|length|long|characters"},
};

/// Returns whether one of several words, which `|` separates, fulfils a condition.
template <class Condition>
[[nodiscard]] constexpr bool any_word(std::string_view words, Condition condition) {
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t end = std::min(words.find('|', at), words.size());
        if (condition(words.substr(at, end - at))) return true;
        at = end + 1;
    }
    return false;
}

/// Returns the status that a type or code of an error means; 0 if it means none.
[[nodiscard]] ACTA_INLINE int status_of_word(std::string_view code) noexcept {
    const auto* const found = std::ranges::find_if(error_words, [&](const ErrorWords& row) {
        return row.kind == Word::code &&
               any_word(row.words, [&](std::string_view word) { return ascii::equals_ignoring_case(word, code); });
    });
    return found == std::end(error_words) ? 0 : found->status;
}

[[nodiscard]] ACTA_INLINE std::string_view words_of(Word kind) noexcept {
    return std::ranges::find(error_words, kind, &ErrorWords::kind)->words;
}

ACTA_INLINE bool says(Word kind, std::string_view text) noexcept {
    return any_word(words_of(kind), [&](std::string_view one) { return text.find(one) != std::string_view::npos; });
}

[[nodiscard]] ACTA_INLINE int http_status(const Json* value) {
    const std::int64_t number = value == nullptr ? 0 : base::whole_number(*value).value_or(0);
    return number >= 400 && number <= 599 ? static_cast<int>(number) : 0;
}

/// Returns a message, or those in a list, such as FastAPI's `detail` and Cloudflare's `errors`.
[[nodiscard]] ACTA_INLINE std::string message_text(const Json* value) {
    if (value == nullptr) return {};
    if (value->is_string()) return base::text_of(*value);
    std::string out;
    if (value->is_object()) {
        for (const char* const key : {"message", "msg", "detail"}) {
            if (out.empty()) out = message_text(member(*value, key));
        }
        const Json* const loc = member(*value, "loc");
        if (loc != nullptr && loc->is_array() && !out.empty())
            out = dump(*loc, {.invalid_utf8 = InvalidUtf8::replace}) + ": " + out;
    } else if (value->is_array()) {
        constexpr std::size_t most = 5;
        for (std::size_t i = 0; i < std::min(value->size(), most); ++i) {
            const std::string one = message_text(&(*value)[i]);
            if (!one.empty()) out += (out.empty() ? "" : "; ") + one;
        }
    }
    return out;
}

/// Reads a report, and inside of it that of the provider behind a gateway, `depth` levels deep.
[[nodiscard]] ACTA_INLINE ServerError read_error(const Json& body, int depth) {
    if (body.is_array() && !body.empty()) return read_error(body.front(), depth);  // Google's are a list
    ServerError out;
    const Json* const error = member(body, "error");
    const bool has_object = error != nullptr && error->is_object() && !error->empty();
    const Json& from = has_object ? *error : body;
    if (error != nullptr && error->is_string()) out.message = base::text_of(*error);
    for (const char* const key : {"message", "detail", "error_msg", "error_message", "msg", "errors", "details"}) {
        if (out.message.empty()) out.message = message_text(member(from, key));
    }
    for (const char* const key : {"code", "error_code"}) {
        if (out.code.empty()) out.code = id_text(member(from, key));
    }
    for (const char* const key : {"type", "error_type", "status"}) {
        const Json* const found = member(from, key);
        if (out.type.empty() && found != nullptr && found->is_string() && !base::is_text(*found, "failed"))
            out.type = base::text_of(*found);
    }
    if (out.type == "error" && !has_object) out.type.clear();  // of the event, not of the error
    for (const Json* const place : {&from, &body}) {
        for (const char* const key : {"code", "status", "status_code", "http_status", "error_code"}) {
            if (out.status == 0) out.status = http_status(member(*place, key));
        }
    }
    if (out.status == 0) out.status = status_of_word(out.type);
    if (out.status == 0) out.status = status_of_word(out.code);
    if (depth == 0) return out;
    const Json* const metadata = member(from, "metadata");
    const Json* inner = metadata == nullptr ? member(from, "error") : member(*metadata, "raw");
    if (inner == nullptr || &from == &body) return out;
    ServerError cause;
    if (inner->is_string()) {
        try {
            cause = read_error(read_json(base::text_of(*inner), {}), depth - 1);
        } catch (const ValidationError&) {
        }
        if (cause.message.empty()) cause.message = base::text_of(*inner);
    } else {
        cause = read_error(*inner, depth - 1);
    }
    if (!cause.message.empty()) out.message += (out.message.empty() ? "" : ": ") + cause.message;
    if (status_of_word(out.code) == 0 && !cause.code.empty()) out.code = cause.code;
    if (out.type.empty()) out.type = cause.type;
    if (out.status == 0) out.status = cause.status;
    return out;
}

ACTA_INLINE ServerError server_error(const Json& body) {
    constexpr int deepest = 3;
    return read_error(body, deepest);
}

ACTA_INLINE ServerError server_error_text(std::string_view text, const ParseOptions& options,
                                          const http::Secrets& secrets) {
    std::string data(text);
    if (text.starts_with("data:") || text.starts_with("event:")) {  // a stream that is one error
        http::EventStreamReader events;
        std::string first;
        events.add(text, [&](std::string_view one) { first += first.empty() ? one : std::string_view(); });
        data = first.empty() ? events.rest() : first;
    }
    try {
        ServerError error = server_error(read_json(data, options));
        if (!error.message.empty()) return error;
        if (!error.code.empty() || !error.type.empty()) {
            error.message = beginning(text, secrets);
            return error;
        }
    } catch (const ValidationError&) {
    }
    return {beginning(data, secrets), {}, {}, 0};
}

ACTA_INLINE std::optional<ServerError> error_in(const Json& body, bool is_error) {
    if (body.is_array() && body.size() == 1) return error_in(body.front(), is_error);
    const Json* const error = member(body, "error");
    const bool has_error = error != nullptr && !is_nothing(*error);
    if (has_error || is_error || base::text_member(body, "type") == "error" ||
        base::text_member(body, "object") == "error" || base::text_member(body, "status") == "failed")
        return server_error(body);
    const Json* const choices = member(body, "choices");
    if (choices != nullptr && choices->is_array() && !choices->empty()) {  // OpenRouter's place for it
        const Json* const own = member(choices->front(), "error");
        if (own != nullptr && !is_nothing(*own)) return server_error(choices->front());
    }
    for (const char* const key : {"choices", "output", "content", "type", "response", "usage"}) {
        if (member(body, key) != nullptr) return std::nullopt;
    }
    const ServerError other = server_error(body);
    return other.status == 0 || other.message.empty() ? std::nullopt : std::optional(other);
}

/// Returns the type and the code in lower case.
[[nodiscard]] ACTA_INLINE std::string codes_of(const ServerError& error) {
    return lower_case(error.code + " " + error.type);
}

ACTA_INLINE bool is_transient(const ServerError& error) {
    return is_transient_status(error.status) && !says(Word::quota, codes_of(error));  // it lasts for days
}

/// Returns the message in lower case, without the beginnings of fields' names.
[[nodiscard]] ACTA_INLINE std::string words_in(std::string_view message) {
    std::string text = lower_case(message);
    static_cast<void>(any_word(words_of(Word::field), [&](std::string_view field) {
        for (std::size_t at = text.find(field); at != std::string::npos; at = text.find(field, at))
            text.erase(at, field.size());
        return false;
    }));
    return text;
}

/// Returns the number after these words; 0 if there is none.
[[nodiscard]] ACTA_INLINE std::uint64_t number_after(std::string_view text, std::string_view words) noexcept {
    const std::size_t at = text.find(words);
    std::uint64_t out = 0;
    if (at != std::string_view::npos) std::from_chars(text.data() + at + words.size(), text.data() + text.size(), out);
    return out;
}
/// Returns whether an answer of the requested length fits no prompt, in the words of vLLM: `max_tokens is too large: 9.
/// This model's maximum context length is 8 tokens and your request has 1 input tokens`.
[[nodiscard]] ACTA_INLINE bool asks_for_too_much(std::string_view text) noexcept {
    const std::string_view subject = text.substr(0, text.find(" is too large: "));
    const std::uint64_t context = number_after(text, "context length is ");
    return says(Word::output, subject) && context != 0 && number_after(text, " is too large: ") >= context;
}

ACTA_INLINE bool is_context_too_long(const ServerError& error) {
    const std::string codes = codes_of(error);
    const std::array<int, 3> statuses{error.status, status_of_word(error.type), status_of_word(error.code)};
    if (std::ranges::find(statuses, 413) != statuses.end() || says(Word::too_long, codes)) return true;
    const auto is_telling = [](int status) { return (status > 400 && status < 405) || status == 408 || status == 429; };
    if (std::ranges::any_of(statuses, is_telling)) return false;
    const std::string text = words_in(error.message);
    if (says(Word::rate, codes) || says(Word::rate, text)) return false;
    const bool is_context = says(Word::context, text);
    const bool is_input = says(Word::input, text);
    if (says(Word::part, text) && !is_context) return false;
    if (says(Word::output, text) && (!is_input || asks_for_too_much(text))) return false;
    if (!says(Word::excess, text)) return false;
    return is_context || ((is_input || says(Word::request, text)) && says(Word::measure, text));
}

// The destination of requests.

/// Returns a header line. Refuses anything longer than one line (RFC 9110, section 5), without showing the value.
[[nodiscard]] ACTA_INLINE std::string header_line(const std::string& name, const std::string& value) {
    constexpr std::string_view letters =
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (name.empty() || name.find_first_not_of(letters) != std::string::npos)
        throw ChatModelError::configuration("the name of a header contains a character that is not allowed");
    const auto bad = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; };
    const auto found = std::find_if(value.begin(), value.end(), bad);
    if (found != value.end()) {
        throw ChatModelError::configuration("the value of the header " + name + " has a control character at byte " +
                                            std::to_string(found - value.begin()) + ", which is not allowed");
    }
    return value.find_first_not_of(" \t") == std::string::npos ? name + ";" : name + ": " + value;
}

/// Sets the destination of requests, and returns the scheme.
ACTA_INLINE std::string set_url(CodecState& state, const ApiRules& rules, std::string_view base_url) {
    // The URL is not shown, since it may contain a key.
    if (http::Url::has_credentials(base_url))
        throw ChatModelError::configuration("the base URL has a user or a password in it; give a header instead");
    std::optional<http::Url> url = http::Url::parse(base_url);
    if (!url) throw ChatModelError::configuration("the base URL is not valid: " + http::Url::problem(base_url));
    while (url->path.ends_with('/')) url->path.pop_back();
    if (!url->path.ends_with(rules.path)) url->path += rules.path;
    state.host = url->host;
    state.request.url = url->text();
    state.shown_url = url->text(false);
    return url->scheme;
}

/// Adds further headers, and returns whether one of them replaces the key.
[[nodiscard]] ACTA_INLINE bool add_headers(CodecState& state, const ApiRules& rules,
                                           std::span<const std::pair<std::string, std::string>> headers) {
    bool authorized = false;
    for (const auto& [name, value] : headers) {
        const std::string lower = lower_case(name);
        for (const char* own : {"content-length", "transfer-encoding", "content-type", "host", "expect"}) {
            if (lower == own)
                throw ChatModelError::configuration("the header " + name + " is set by the client itself");
        }
        state.request.headers.push_back(header_line(name, value));
        if (lower == "authorization" || lower == lower_case(rules.key_header)) authorized = true;
        state.has_key = state.has_key || http::Secrets::is_secret_header(name, value);
    }
    return authorized;
}

ACTA_INLINE void add_key(CodecState& state, const ApiRules& rules, std::optional<std::string> key,
                         std::string_view scheme) {
    if (!key) {
        key = http::environment(rules.key_variable);
        const bool is_direct = !state.request.proxy || state.request.proxy->empty();
        if (key && !key->empty() && scheme == "http" && !(is_direct && http::is_this_machine(state.host))) {
            throw ChatModelError::configuration(
                std::string("the key of ") + rules.key_variable + " does not go to " + state.shown_url +
                ", over plain http" + (is_direct ? "" : " and a proxy") + ": give it as " + rules.options_name +
                "::api_key where it is meant for that server, or an empty text where the server needs none");
        }
    }
    if (!key || key->empty()) return;
    const auto bad = [](char c) {
        return static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) > 0x7E;
    };
    const auto found = std::find_if(key->begin(), key->end(), bad);
    if (found != key->end()) {
        throw ChatModelError::configuration("the API key has a blank, a line break or another character at byte " +
                                            std::to_string(found - key->begin()) + " that is not allowed in a key");
    }
    state.has_key = true;
    state.request.headers.push_back(header_line(rules.key_header, std::string(rules.key_prefix) + *key));
}

ACTA_INLINE void set_destination(CodecState& state, const ApiRules& rules, std::string_view base_url,
                                 const std::optional<std::string>& api_key,
                                 std::span<const std::pair<std::string, std::string>> headers, const JsonObject& extra,
                                 const std::optional<std::string>& proxy) {
    const std::string scheme = set_url(state, rules, base_url);
    if (proxy && http::Url::has_blank(*proxy))
        throw ChatModelError::configuration("the URL of the proxy is not valid: " + http::Url::problem(*proxy));
    state.request.proxy = proxy;
    state.request.headers = {"Content-Type: application/json", "Accept: application/json, text/event-stream",
                             std::string("User-Agent: acta/") + version};
    if (!add_headers(state, rules, headers)) add_key(state, rules, api_key, scheme);
    state.secrets = http::Secrets::of(state.request);
    state.secrets.add_url(base_url);  // also its fragment, which is not sent
    // A proxy of the environment was not chosen for this key, and would read it.
    if (scheme == "http" && state.has_key && !state.request.proxy) state.request.proxy = "";
    for (const auto& [name, value] : rules.headers) {
        if (!value.empty()) state.request.headers.push_back(header_line(name, value));
    }
    for (const char* own : {"messages", "input", "stream"}) {
        if (base::find_key(extra, own) != nullptr)
            throw ChatModelError::configuration(std::string(rules.options_name) + "::extra cannot have '" + own + "'");
    }
}

// The tools of a request.

ACTA_INLINE bool RequestTools::fit(std::span<const ChatMessage> messages) const {
    const auto is_known = [this](const AssistantToolCall& call) {
        const std::string& name = call.function.name;
        return name.empty() || (are_all_legal && ToolNames::is_legal(name)) || names.find_tool(name) != nullptr;
    };
    return std::ranges::all_of(
        messages, [&](const ChatMessage& message) { return std::ranges::all_of(message.tool_calls, is_known); });
}

/// Makes the tools of a request whose names are known.
[[nodiscard]] ACTA_INLINE std::shared_ptr<const RequestTools> make_tools(const Api& api, const ToolList& list,
                                                                         ToolNames names) {
    auto out = std::make_shared<RequestTools>();
    out->list = list;
    out->names = std::move(names);
    for (const ToolDefinition& tool : list) out->are_all_legal = out->are_all_legal && ToolNames::is_legal(tool.name);
    if (list.empty()) return out;
    const Written text{[&](codec::Encoder& e) {
        const codec::Encoder::Step in(e, "tools");
        e.out.begin_array();
        for (std::size_t i = 0; i < list.size(); ++i) {
            const codec::Encoder::Step step(e, i);
            e.json(Json(api.tool_entry(list[i], *out->names.find_tool(list[i].name))));
        }
        e.out.end_array();
    }};
    dump_to(text, [&](std::string_view piece) { out->text += piece; });
    return out;
}

ACTA_INLINE std::shared_ptr<const RequestTools> CodecState::tools_of(std::span<const ChatMessage> messages,
                                                                     const ChatOptions& options) const {
    std::shared_ptr<const RequestTools> kept;
    {
        const std::lock_guard lock(mutex);
        kept = kept_tools;
    }
    if (kept == nullptr || !(kept->list == options.tools)) {
        kept = make_tools(*api, options.tools, tool_names({}, options));
        const std::lock_guard lock(mutex);
        kept_tools = kept;
    }
    if (kept->fit(messages)) return kept;
    return make_tools(*api, options.tools, tool_names(messages, options));
}

ACTA_INLINE const std::string* chosen_tool(const ChatOptions& options, const ToolNames& names) {
    if (options.tool_choice.kind != ToolChoice::named) return nullptr;
    const std::string& name = options.tool_choice.name;
    const bool is_known =
        std::ranges::any_of(options.tools, [&](const ToolDefinition& one) { return one.name == name; });
    if (!is_known)
        throw ChatModelError::configuration("the tool choice is '" + name + "', which is not one of the tools");
    return names.find_tool(name);
}

/// Returns the failure that a transport reports.
[[nodiscard]] ACTA_INLINE ChatModelFailure failure_of(http::Fault fault) {
    ChatModelFailure failure;
    switch (fault) {
        case http::Fault::configuration: failure.fault = ChatModelFault::configuration; break;
        case http::Fault::security: failure.fault = ChatModelFault::security; break;
        case http::Fault::not_http: failure.fault = ChatModelFault::reply; break;
        case http::Fault::too_large: failure.fault = ChatModelFault::too_large; break;
        case http::Fault::connection:
        case http::Fault::other: failure.fault = ChatModelFault::connection; break;
    }
    failure.is_transient = fault == http::Fault::connection;
    return failure;
}

/// Throws the exception that is being handled without the secrets in its texts: as `ChatModelError`, unless it is a
/// `Timeout`, a `Cancelled`, a lack of memory, or nothing with a text.
[[noreturn]] ACTA_INLINE void rethrow_clean(const http::Secrets& secrets) {
    const auto clean = [&secrets](const std::exception& error) { return secrets.hide(std::string(error.what())); };
    const auto failed = [&secrets](std::string text) {
        return ChatModelError("the transport failed: " + quoted_text(secrets.hide(std::move(text))),
                              failure_of(http::Fault::other));
    };
    try {
        throw;
    } catch (const ChatModelError& error) {
        ChatModelFailure failure = error.failure();
        for (std::string* const text : {&failure.code, &failure.type, &failure.request_id})
            *text = secrets.hide(std::move(*text));
        throw ChatModelError(clean(error), std::move(failure));
    } catch (const http::Error& error) {
        throw ChatModelError(quoted_text(clean(error)), failure_of(error.fault()));
    } catch (const Timeout& error) {
        throw Timeout(clean(error));
    } catch (const Cancelled& error) {
        throw Cancelled(clean(error));
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        throw failed(error.what());
    } catch (const std::string& text) {
        throw failed(text);
    } catch (const char* text) {
        throw failed(text);
    }
}

}  // namespace acta::inline ACTA_ABI::provider_detail

// Responses.
namespace acta::inline ACTA_ABI {

struct ChatReplyReader::State {
    using Headers = std::vector<std::pair<std::string, std::string>>;

    State(std::shared_ptr<const provider_detail::CodecState> of,
          std::shared_ptr<const provider_detail::RequestTools> of_request, const ChatOptions& options)
        : codec(std::move(of)),
          tools(std::move(of_request)),
          on_text(options.on_text),
          on_event(options.on_event),
          answer(codec->api->new_stream()) {}

    // Input
    [[nodiscard]] bool is_good() const noexcept { return head.status >= 200 && head.status <= 299; }
    void decide();
    void add_event(std::string_view data);
    [[nodiscard]] Json whole_body();
    [[nodiscard]] Json streamed_body();
    [[nodiscard]] ChatCompletion read(const Json& body) const;

    // Output
    void show(const ChatDelta& delta);
    void show_all(const ChatCompletion& completion);
    void show_rest();
    void call_back(const ChatDelta& delta);
    /// Calls functions of the program, and keeps what they throw.
    template <class Function>
    void call_program(const Function& function) const {
        in_callback = true;
        try {
            function();
        } catch (...) {
            thrown = std::current_exception();
            throw;
        }
        in_callback = false;
    }

    // Errors
    [[nodiscard]] std::string shown(std::string_view said) const {
        return provider_detail::quoted_text(codec->secrets.hide(std::string(said)));
    }
    [[nodiscard]] std::string request_id() const {
        const std::string_view id = head.header("x-request-id");
        return shown(id.empty() ? head.header("request-id") : id);
    }
    [[noreturn]] void fail(const provider_detail::ServerError& said, std::string message, int status) const;
    [[noreturn]] void fail_by_status() const;
    void check(const Json& body, bool is_error = false) const;
    [[noreturn]] void fail_with(const ChatModelError& error, std::string_view sent) const;

    /// A part of the answer that is shown in pieces; what may be the beginning of a secret or is half of a character is
    /// held back.
    struct Channel {
        http::SecretFilter secrets{};
        std::string half{};
        CallDelta call{};
    };
    [[nodiscard]] std::string clean(Channel& channel, std::string_view piece) const;

    std::shared_ptr<const provider_detail::CodecState> codec;
    std::shared_ptr<const provider_detail::RequestTools> tools;
    Callback<void(std::string_view)> on_text;
    Callback<void(const ChatDelta&)> on_event;
    http::Reply head{200, {}, {}};  // and the body, as far as it is not events that are JSON
    std::size_t received = 0;
    http::EventStreamReader events{};
    std::unique_ptr<provider_detail::StreamedBody> answer;
    Channel text{};
    Channel reasoning{};
    std::map<std::size_t, Channel> calls{};
    enum class Kind { unknown, whole, stream } kind = Kind::unknown;
    bool has_begun = false;  // as the sink of a transport
    bool done = false;
    bool progress = false;  // whether the part that was fed last had something of the answer
    bool has_content = false;
    bool has_text = false;
    bool has_shown = false;
    mutable bool in_callback = false;
    mutable std::exception_ptr thrown{};  // by a callback
};

/// Throws an error about something that the server sent, with its beginning.
ACTA_INLINE void ChatReplyReader::State::fail_with(const ChatModelError& error, std::string_view sent) const {
    if (error.fault() != ChatModelFault::reply) throw error;
    throw ChatModelError(codec->secrets.hide(error.what()) + "; it begins with \"" +
                             provider_detail::beginning(sent, codec->secrets) + "\"",
                         error.failure());
}

/// Servers and proxies do not agree with their own Content-Type, so the first bytes decide.
ACTA_INLINE void ChatReplyReader::State::decide() {
    std::string_view text_so_far = head.body;
    if (text_so_far.starts_with("\xEF\xBB\xBF")) text_so_far.remove_prefix(3);
    text_so_far = ascii::trim(text_so_far);
    if (text_so_far.empty()) {
        if (head.body.size() > 3) head.body.clear();  // white space that never ends is not looked at again
        return;
    }
    kind = Kind::whole;
    for (const std::string_view field : {"data:", "event:", "id:", "retry:", ":"}) {
        if (text_so_far.starts_with(field)) kind = Kind::stream;
        if (kind == Kind::whole && field.starts_with(text_so_far)) kind = Kind::unknown;
    }
    const bool is_named = provider_detail::lower_case(head.header("content-type")).starts_with("text/event-stream");
    if (is_named && std::string_view("{[<").find(text_so_far.front()) == std::string_view::npos) kind = Kind::stream;
}

ACTA_INLINE void ChatReplyReader::State::add_event(std::string_view data) {
    data = ascii::trim(data);
    if (done || data.empty()) return;
    if (data == "[DONE]") {
        done = true;
        return;
    }
    const bool is_error = events.event() == "error";
    if (is_error && !data.starts_with('{') && !data.starts_with('[')) {
        provider_detail::ServerError said;
        said.message = data;
        fail(said, "the server says \"" + shown(said.message) + "\"", 0);
    }
    if (!has_content && !data.starts_with('{') && !data.starts_with('[')) {  // sent to keep the connection open
        if (head.body.empty()) head.body = data;
        return;
    }
    const Json event = provider_detail::read_body(data, codec->parsing(), codec->secrets);
    head.body.clear();
    check(event, is_error);
    std::vector<ChatDelta> deltas;
    try {
        answer->add(event, deltas);
    } catch (const ChatModelError& error) {
        fail_with(error, data);
    }
    progress = progress || !deltas.empty();
    has_content = has_content || !deltas.empty();
    for (const ChatDelta& delta : deltas) show(delta);
    done = answer->is_complete();
}

ACTA_INLINE Json ChatReplyReader::State::whole_body() {
    const std::string content_type = provider_detail::lower_case(head.header("content-type"));
    if (ascii::is_blank(head.body) && content_type.starts_with("text/event-stream")) {
        throw ChatModelError("the stream of the answer ended too early",
                             {.fault = ChatModelFault::connection, .is_transient = true});
    }
    if (head.body.starts_with("\x1F\x8B"))
        provider_detail::throw_reply("it is compressed (gzip), and a transport must decode it");
    Json body = provider_detail::read_body(head.body, codec->parsing(), codec->secrets);
    if (body.is_array() && body.size() == 1 && !body.front().is_array()) check(body.front());
    return body;
}

ACTA_INLINE Json ChatReplyReader::State::streamed_body() {
    const std::string last = events.rest();
    if (!last.empty()) add_event(last);
    if (!head.body.empty() && !answer->is_finished())
        return provider_detail::read_body(head.body, codec->parsing(), codec->secrets);
    if (!done && !answer->is_finished()) {
        throw ChatModelError("the stream of the answer ended too early",
                             {.fault = ChatModelFault::connection, .is_transient = true});
    }
    show_rest();
    return answer->take();
}

ACTA_INLINE ChatCompletion ChatReplyReader::State::read(const Json& body) const {
    try {
        return codec->api->read(body, codec->parsing());
    } catch (const ChatModelError& error) {
        fail_with(error, dump(body, {.invalid_utf8 = InvalidUtf8::replace}));
    }
}

ACTA_INLINE std::string ChatReplyReader::State::clean(Channel& channel, std::string_view piece) const {
    std::string whole = std::exchange(channel.half, {}) + std::string(piece);
    const std::size_t open = provider_detail::open_surrogate(whole);
    channel.half = whole.substr(whole.size() - open);
    whole.resize(whole.size() - open);
    if (whole.find(provider_detail::half_mark) != std::string::npos) whole = provider_detail::join_surrogates(whole);
    return channel.secrets.add(whole, codec->secrets);
}

ACTA_INLINE void ChatReplyReader::State::show(const ChatDelta& delta) {
    const auto* const words = std::get_if<TextDelta>(&delta);
    has_text = has_text || words != nullptr;
    if (!on_event && (!on_text || words == nullptr)) return;
    if (words != nullptr) {
        call_back(TextDelta{clean(text, words->text)});
    } else if (const auto* const thought = std::get_if<ReasoningDelta>(&delta)) {
        call_back(ReasoningDelta{clean(reasoning, thought->text)});
    } else {
        CallDelta call = std::get<CallDelta>(delta);
        Channel& channel = calls[call.index];
        call.arguments = clean(channel, call.arguments);
        call.id = codec->secrets.hide(std::move(call.id), http::Secrets::shortest_in_answers);
        call.name = codec->secrets.hide(std::move(call.name), http::Secrets::shortest_in_answers);
        call.name = tools->names.to_skill({std::move(call.name), {}}).name;
        channel.call = {call.index, call.id, call.name, {}};
        call_back(call);
    }
}

/// An answer that was not streamed is one part.
ACTA_INLINE void ChatReplyReader::State::show_all(const ChatCompletion& completion) {
    const AssistantChatMessage& message = completion.message;
    if (message.reasoning_content) show(ReasoningDelta{*message.reasoning_content});
    show(TextDelta{message.content});
    std::size_t i = 0;
    if (message.tool_calls) {
        for (const AssistantToolCall& call : *message.tool_calls)
            show(CallDelta{i++, call.id, call.function.name, dump(call.function.arguments)});
    }
    show_rest();
}

ACTA_INLINE void ChatReplyReader::State::show_rest() {
    const auto rest = [](Channel& channel) {
        return channel.secrets.rest() + provider_detail::join_surrogates(std::exchange(channel.half, {}));
    };
    call_back(ReasoningDelta{rest(reasoning)});
    call_back(TextDelta{rest(text)});
    for (auto& [index, channel] : calls) {
        CallDelta call = channel.call;
        call.arguments = rest(channel);
        if (!call.arguments.empty()) call_back(call);
    }
}

ACTA_INLINE void ChatReplyReader::State::call_back(const ChatDelta& delta) {
    const auto* const words = std::get_if<TextDelta>(&delta);
    const auto* const thought = std::get_if<ReasoningDelta>(&delta);
    if ((words != nullptr && words->text.empty()) || (thought != nullptr && thought->text.empty())) return;
    has_shown = true;
    call_program([&] {
        if (on_text && words != nullptr) on_text(words->text);
        if (on_event) on_event(delta);
    });
}

/// Throws the error that a server reported; `status` is that of the response, or 0 where it was a success.
ACTA_INLINE void ChatReplyReader::State::fail(const provider_detail::ServerError& said, std::string message,
                                              int status) const {
    ChatModelFailure failure{.fault = ChatModelFault::status, .status = status == 0 ? said.status : status};
    failure.code = shown(said.code);
    failure.type = shown(said.type);
    failure.request_id = request_id();
    provider_detail::ServerError judged = said;
    judged.status = failure.status;
    failure.is_transient = provider_detail::is_transient(judged);
    failure.retry_after = http::parse_retry_after(head.header("retry-after"), head.header("date"), std::time(nullptr));
    message = codec->secrets.hide(std::move(message));
    bool is_too_long = provider_detail::is_context_too_long(judged);
    if (!is_too_long && codec->is_context_too_long)
        call_program([&] { is_too_long = codec->is_context_too_long(ChatModelError(message, failure)); });
    if (is_too_long) {  // such a request fails again, whatever its status: older llama.cpp's is 500
        failure.fault = ChatModelFault::context_too_long;
        failure.is_transient = false;
    }
    throw ChatModelError(message, std::move(failure));
}

ACTA_INLINE void ChatReplyReader::State::fail_by_status() const {
    const provider_detail::ServerError said =
        provider_detail::server_error_text(head.body, codec->parsing(), codec->secrets);
    std::string message = "status " + std::to_string(head.status);
    if (!said.message.empty()) message += ", \"" + shown(said.message) + "\"";
    if (!said.type.empty()) message += ", type " + shown(said.type);
    if (!said.code.empty()) message += ", code " + shown(said.code);
    if (head.status >= 300 && head.status < 400) {
        message += "; it redirects to \"" + shown(head.header("location")) +
                   "\", and redirects are not followed, as the key is for this server alone";
    }
    fail(said, std::move(message), head.status);
}

/// Some gateways send errors with status 200, and streams can fail after they have begun.
ACTA_INLINE void ChatReplyReader::State::check(const Json& body, bool is_error) const {
    std::optional<provider_detail::ServerError> said = provider_detail::error_in(body, is_error);
    if (!said) return;
    if (said->message.empty()) said->message = dump(body, {.invalid_utf8 = InvalidUtf8::replace});
    fail(*said, "the server says \"" + shown(said->message) + "\"", 0);
}

ACTA_INLINE ChatReplyReader::ChatReplyReader(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
ACTA_INLINE ChatReplyReader::ChatReplyReader(ChatReplyReader&&) noexcept = default;
ACTA_INLINE ChatReplyReader& ChatReplyReader::operator=(ChatReplyReader&&) noexcept = default;
ACTA_INLINE ChatReplyReader::~ChatReplyReader() = default;

ACTA_INLINE bool ChatReplyReader::has_shown() const noexcept { return state_->has_shown; }
ACTA_INLINE bool ChatReplyReader::in_callback() const noexcept { return state_->in_callback; }
ACTA_INLINE void ChatReplyReader::rethrow_callback() const {
    if (state_->thrown) std::rethrow_exception(state_->thrown);
}

ACTA_INLINE void ChatReplyReader::begin(int status, std::span<const std::pair<std::string, std::string>> headers) {
    state_->head.status = status;
    state_->head.headers.assign(headers.begin(), headers.end());
}

ACTA_INLINE http::Demand ChatReplyReader::feed(std::string_view bytes) {
    State& state = *state_;
    state.received += bytes.size();
    if (state.received > state.codec->request.max_bytes) {
        throw ChatModelError("the answer is larger than " + std::to_string(state.codec->request.max_bytes) + " bytes",
                             {.fault = ChatModelFault::too_large});
    }
    if (state.done) return http::Demand::nothing;
    std::string before;
    if (state.is_good() && state.kind == State::Kind::unknown) {
        state.head.body += bytes;
        state.decide();
        if (state.kind != State::Kind::stream) return http::Demand::more;
        before = std::exchange(state.head.body, {});
        bytes = before;
    }
    if (state.kind != State::Kind::stream) {
        state.head.body += bytes;
        return http::Demand::more;
    }
    state.progress = false;
    state.events.add(bytes, [&](std::string_view data) { state.add_event(data); });
    if (state.done) return http::Demand::nothing;
    if (!state.answer->is_finished()) return http::Demand::more;
    // Some servers send neither [DONE] nor the end of the stream; the usage, or even more text, may still follow.
    return state.progress ? http::Demand::renewed : http::Demand::optional;
}

ACTA_INLINE ChatReply ChatReplyReader::finish() {
    State& state = *state_;
    if (!state.is_good()) state.fail_by_status();
    ChatReply out;
    out.body = state.kind == State::Kind::stream ? state.streamed_body() : state.whole_body();
    provider_detail::join_surrogates_in(out.body);
    state.codec->secrets.hide_in(out.body, http::Secrets::shortest_in_answers);
    state.check(out.body);
    out.completion = state.read(out.body);
    chat_extension::make_recordable(out.completion.message);
    // A text that was joined from several may have a secret that none of them has.
    AssistantChatMessage& message = out.completion.message;
    message.content = state.codec->secrets.hide(std::move(message.content), http::Secrets::shortest_in_answers);
    if (auto& thought = message.reasoning_content)
        thought = state.codec->secrets.hide(*std::move(thought), http::Secrets::shortest_in_answers);
    if (auto& calls = out.completion.message.tool_calls) {
        for (AssistantToolCall& call : *calls) {
            call.function = state.tools->names.to_skill(std::move(call.function));
            if (call.function.name.empty()) call.function.name = chat_extension::tool_without_name;
        }
    }
    if (state.kind != State::Kind::stream)
        state.show_all(out.completion);
    else if (!state.has_text)  // such as that of an event which has the whole item
        state.show(TextDelta{out.completion.message.content});
    state.show_rest();
    out.request_id = state.request_id();
    return out;
}

ACTA_INLINE http::Demand ChatReplyReader::take(http::Reply& reply) {
    if (!std::exchange(state_->has_begun, true)) begin(reply.status, reply.headers);
    return feed(std::exchange(reply.body, {}));
}

ACTA_INLINE ChatReply ChatReplyReader::finish(const std::exception_ptr& failure, http::Reply reply) {
    rethrow_callback();  // which a transport may have swallowed
    try {
        if (failure) std::rethrow_exception(failure);
        static_cast<void>(take(reply));
        return finish();
    } catch (...) {
        rethrow_callback();
        provider_detail::rethrow_clean(state_->codec->secrets);
    }
}

ACTA_INLINE HttpChatCodec::HttpChatCodec(std::shared_ptr<const provider_detail::CodecState> state) noexcept
    : state_(std::move(state)) {}

ACTA_INLINE const std::string& HttpChatCodec::model() const noexcept { return state_->model; }
ACTA_INLINE const std::string& HttpChatCodec::url() const noexcept { return state_->shown_url; }

ACTA_INLINE http::Request HttpChatCodec::request(std::span<const ChatMessage> messages,
                                                 const ChatOptions& options) const {
    return request(messages, options, state_->tools_of(messages, options));
}

ACTA_INLINE http::Request HttpChatCodec::request(
    std::span<const ChatMessage> messages, const ChatOptions& options,
    const std::shared_ptr<const provider_detail::RequestTools>& tools) const {
    if (messages.empty()) throw ChatModelError::configuration("there are no messages to send");
    const auto end = deadline_in(state_->timeout);
    http::Request out = state_->request;
    out.body = state_->api->request_body(messages, options, tools);
    out.deadline = std::min(end, options.until.deadline.value_or(end));
    out.stop = options.until.stop;
    return out;
}

ACTA_INLINE ChatReplyReader HttpChatCodec::reader(std::span<const ChatMessage> messages,
                                                  const ChatOptions& options) const {
    return reader(state_->tools_of(messages, options), options);
}

ACTA_INLINE ChatReplyReader HttpChatCodec::reader(std::shared_ptr<const provider_detail::RequestTools> tools,
                                                  const ChatOptions& options) const {
    return ChatReplyReader(std::make_unique<ChatReplyReader::State>(state_, std::move(tools), options));
}

}  // namespace acta::inline ACTA_ABI
